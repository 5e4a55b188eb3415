"""The words that a reply has to rest on: the sentence, and what was answered about it.

Quotes are compared without blanks, punctuation, width and case, which models change without meaning anything by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from zhixing.household.assembling.amounts import MOST, NUMBER, SPAN, number, seconds
from zhixing.household.assembling.clock_points import PART
from zhixing.household.assembling.plain import plain
from zhixing.household.assembling.request import Request
from zhixing.household.modelling.misreading import Fault, Misread
from zhixing.household.modelling.protocol import LONGEST_QUOTE, LONGEST_WORDS, WireSpan
from zhixing.language.text import normalise

_NUMERALS = "0123456789零〇一二两三四五六七八九十百千万半"
_GOES_ON = frozenset(f"{_NUMERALS}点刻")
"""What may follow a number or an hour and still belong to it."""
_LEADS_IN = re.compile(
    rf"(?:{PART}|每天|每[晚早日]|每个?周[一二三四五六日]?|工作日|周末|明天|后天|下个?周.|每个?月)的?$"
)
_LENGTH = re.compile(rf"(?:{SPAN})+")
LONGEST_HOLD = 31 * 86_400
"""Seconds of a length that is believed at all; rules of ours refuse long before."""


def bare(words: str) -> str:
    """Return the letters and numbers of `words`, folded."""
    return "".join(character for character in normalise(words).casefold() if character.isalnum())


class Ground:
    """What the user said. `texts` are bare: the sentence first, then the answers in his own words."""

    def __init__(self, request: Request) -> None:
        answers = [bare(answer) for answer in request.answers.values()]
        self._texts = (bare(request.text), *(answer for answer in answers if len(answer) > 1))

    def holds(self, quote: str) -> bool:
        """Whether `quote` stands in what was said."""
        words = bare(quote[: LONGEST_WORDS + 1])
        return bool(words) and any(words in text for text in self._texts)

    def was_answered(self, quote: str) -> bool:
        """Whether `quote` stands in an answer."""
        words = bare(quote)
        return bool(words) and any(words in text for text in self._texts[1:])

    def quote(self, quote: str, place: str, most: int = LONGEST_QUOTE) -> str:
        """Return a quote as the grammar reads it. Raises `Misread` for one that was not said, or cuts a number."""
        if len(quote) > most:
            raise Misread(Fault.BOUNDS, place)
        if not self.holds(quote):
            raise Misread(Fault.EVIDENCE, place)
        if all(_cuts(text, start, end) for text, start, end in self._places(quote)):
            raise Misread(Fault.CUT, place)
        return plain(quote)

    def maybe(self, quote: str | None, place: str) -> str:
        """Return an optional quote; empty where there is none."""
        return "" if quote is None or not quote.strip() else self.quote(quote, place)

    def clock(self, quote: str, place: str) -> str:
        """Return a quote about a time, with everything that stands in front and belongs to it."""
        words = self.quote(quote, place)
        if all(_LEADS_IN.search(text[:start]) for text, start, _ in self._places(quote)):
            raise Misread(Fault.CUT, place)
        return words

    def length(self, span: WireSpan, place: str) -> int:
        """Return the seconds of a length that was said: as our own lexer reads them, where it can."""
        words = self.quote(span.quote, f"{place}.quote")
        found = _LENGTH.findall(words)
        read = seconds(found[0]) if len(found) == 1 else None
        if read is None:
            read = span.seconds if not found and any(numeral in words for numeral in _NUMERALS) else None
        elif span.seconds not in (None, read):
            read = None
        if read is None or not 0 < read <= LONGEST_HOLD:
            raise Misread(Fault.AMOUNT, place)
        return read

    def count(self, target: int | None, unit: str, quote: str, place: str) -> int:
        """Return how many of `unit` the quote says."""
        words = self.quote(quote, f"{place}.quote")
        match = re.search(rf"({NUMBER})个?{re.escape(unit)}", words) if unit else None
        read = number(match[1]) if match is not None else None
        if read is None or read != int(read) or not 0 < read <= MOST or target not in (None, int(read)):
            raise Misread(Fault.AMOUNT, f"{place}.target")
        return int(read)

    def _places(self, quote: str) -> Iterator[tuple[str, int, int]]:
        words = bare(quote)
        for text in self._texts:
            start = text.find(words)
            while start >= 0:
                yield text, start, start + len(words)
                start = text.find(words, start + 1)


def _cuts(text: str, start: int, end: int) -> bool:
    """Whether a piece begins or ends inside a number or a time of the clock."""
    before, first, last, behind = text[start - 1 : start], text[start], text[end - 1], text[end : end + 1]
    if first in _NUMERALS and before and before in _NUMERALS:
        return True
    if not behind or behind not in _GOES_ON:
        return False
    return last in "0123456789零〇一二两三四五六七八九十百千万" or (last == "点" and behind != "点")
