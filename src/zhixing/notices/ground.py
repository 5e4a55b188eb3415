"""The words that a reply rests on, read once by our own lexer.

A quote counts only where it stands in them, character for character; a time counts only as our lexer reads it there.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from zhixing.language.cues import find_voice
from zhixing.language.expressions import read_times
from zhixing.language.text import normalise
from zhixing.language.timex import CalendarDate, Lead, Span
from zhixing.language.tokens import Doubtful, tokens
from zhixing.notices.grammar import asked_leads, mask_groups
from zhixing.notices.ranges import TextTime, complete
from zhixing.world.models.fence import single_line

MOST_PLACES = 20
"""Places of one quote that are looked at."""
MOST_LEADS = 50
"""Leads of one text that are looked at; nobody asks to be reminded more often."""

_SENTENCE_END = re.compile(r"[。!?;\n]")
_CLAUSE_END = re.compile(r"[,。!?;\n、]")
_BESIDE_DOUBT = re.compile(r"[ ,():的]*")
_AMOUNT_BEHIND = re.compile(r" *(?:多(?![媒功人])|几|[0-9])")
_DECORATION = re.compile(r"[ \-~=·*_|<>()\[\]#.,:]+|分隔线|日期")


class Ground:
    """A text with its times; `plain` is `text` in the lexer's spelling, place for place the same."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.unmasked = normalise(text)
        self.plain = mask_groups(self.unmasked)
        # What a model was shown, and quotes from, has its line breaks and invisible characters replaced.
        self._shown = single_line(text)
        reading = read_times(self.plain)
        self.times: tuple[TextTime, ...] = complete(self.plain, reading.expressions)
        leads = asked_leads(self.plain, reading.leads[:MOST_LEADS], reading.expressions)
        self.leads: list[tuple[Lead, Span]] = leads[:MOST_LEADS]
        self.voice = find_voice(self.plain)
        self._sentences = [match.start() for match in _SENTENCE_END.finditer(self.plain)]
        self._clauses = [match.start() for match in _CLAUSE_END.finditer(self.plain)]
        self._tokens = [] if not self.plain else tokens(self.plain)

    def places(self, quote: str, within: Span | None = None) -> Iterator[Span]:
        """Yield where `quote` stands, word for word."""
        shown = single_line(quote)
        start, end = within or (0, len(self._shown))
        if not shown.strip():
            return
        for _ in range(MOST_PLACES):
            start = self._shown.find(shown, start, end)
            if start < 0:
                return
            yield start, start + len(shown)
            start += 1

    def words(self, span: Span) -> str:
        """Return what stands there, as it stands there."""
        return self.text[span[0] : span[1]]

    def sentence(self, span: Span) -> Span:
        """Return the sentence around `span`."""
        return _part(self._sentences, span, len(self.plain))

    def clause(self, span: Span) -> Span:
        """Return the part between commas around `span`."""
        return _part(self._clauses, span, len(self.plain))

    def touched(self, span: Span) -> list[int]:
        """Return the times that share a character with `span`."""
        return [
            index for index, one in enumerate(self.times) if one.said.span[0] < span[1] and one.said.span[1] > span[0]
        ]

    def says_time(self, span: Span) -> bool:
        """Whether the lexer sees anything about time there, readable or not; asking for a lead is not a time."""
        leads = [clause for _, clause in self.leads]
        if any(start <= span[0] and span[1] <= end for start, end in leads):
            return False
        touches = any(token.start < span[1] and token.end > span[0] for token in self._tokens)
        return touches or read_times(self.plain[span[0] : span[1]]).leftover

    def doubtful(self, span: Span) -> bool:
        """Whether beside the time stands something that changes it and cannot be read: 农历, 纽约时间, 多."""
        if _AMOUNT_BEHIND.match(self.plain, span[1]):
            return True
        for token in self._tokens:
            if isinstance(token.meaning, Doubtful):
                gap = self.plain[token.end : span[0]] if token.end <= span[0] else self.plain[span[1] : token.start]
                if _BESIDE_DOUBT.fullmatch(gap):
                    return True
        return False

    def separators(self) -> list[int]:
        """Return the times that stand alone on their line, as dates between messages do."""
        return [index for index, one in enumerate(self.times) if self._alone(one)]

    def _alone(self, one: TextTime) -> bool:
        if not isinstance(one.said.date, CalendarDate):
            return False
        start, end = one.said.span
        first = self.plain.rfind("\n", 0, start) + 1
        last = self.plain.find("\n", end)
        rest = self.plain[first:start] + self.plain[end : last if last >= 0 else len(self.plain)]
        return not _DECORATION.sub("", rest)


def _part(ends: list[int], span: Span, length: int) -> Span:
    """Return the stretch between the ends that are nearest around `span`."""
    before, behind = bisect_left(ends, span[0]), bisect_left(ends, span[1])
    return ends[before - 1] + 1 if before else 0, ends[behind] if behind < len(ends) else length
