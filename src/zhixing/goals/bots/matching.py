"""Texts of demands and profiles made comparable: one spelling, one word for what means the same, tokens of Chinese.

Chinese has no blanks, and no dictionary covers what bots are called: a run of Chinese becomes its pairs of neighbouring
characters, which compare well enough without one. What is written in letters is a token as a whole.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from zhixing.language.text import normalise

LONGEST = 20_000
"""Characters of a text that are looked at."""

_RUN = re.compile(r"[a-z0-9][a-z0-9+#.]*|[\u3400-\u9fff]+")
_PAIRS = re.compile(r".{1,2}")
_CLAUSE = re.compile(r"[\n,;:!?()。、“”《》]+|\.(?![a-z0-9])")
_LETTER = "a-z0-9"


@dataclass(frozen=True, slots=True)
class _Words:
    """The lexicon: patterns of what is replaced and what is left out, and what stands for each word."""

    alike: re.Pattern[str]
    stands: dict[str, str]
    stop: re.Pattern[str]
    breaks: re.Pattern[str]


@cache
def _words() -> _Words:
    read = tomllib.loads(files(__package__).joinpath("lexicon.toml").read_text(encoding="utf-8"))
    stands = {each: group[0] for group in read["alike"] for each in group}
    return _Words(_any_of(stands), stands, _any_of(read["stop"]), re.compile(f"[{read['breaks']}]"))


def _any_of(words: Collection[str]) -> re.Pattern[str]:
    longest_first = sorted(words, key=lambda each: (-len(each), each))
    return re.compile("|".join(map(_bounded, longest_first)))


def _bounded(word: str) -> str:
    """Return the pattern of a word; letters at its ends may not go on."""
    before = f"(?<![{_LETTER}])" if re.match(f"[{_LETTER}]", word) else ""
    after = f"(?![{_LETTER}])" if re.search(f"[{_LETTER}]$", word) else ""
    return f"{before}{re.escape(word)}{after}"


def folded(text: str) -> str:
    """Return a text in plain spelling: half-width, small letters, no blank between Chinese characters."""
    plain = normalise(text[:LONGEST]).lower()
    return re.sub(r"(?<![a-z0-9])[ \t]+|[ \t]+(?![a-z0-9])", "", plain)


def same_words(text: str) -> str:
    """Return a folded text with one word for all that mean the same."""
    words = _words()
    return words.alike.sub(lambda found: words.stands[found[0]], text)


def tokens(text: str) -> tuple[str, ...]:
    """Return what a folded text can be found by, each once, in order; words that say nothing are left out."""
    words = _words()
    kept = words.breaks.sub(" ", words.stop.sub(" ", text))
    return tuple(dict.fromkeys(each for run in _RUN.findall(kept) for each in _tokens_of(run)))


def _tokens_of(run: str) -> Iterator[str]:
    if re.match(f"[{_LETTER}]", run):
        word = run.rstrip(".")
        if len(word) >= 2:
            yield word
        return
    for at in range(len(run) - 1):
        yield run[at : at + 2]


def pieces(word: str) -> tuple[str, ...]:
    """Return what a folded word consists of: two characters of Chinese at a time, letters as they are."""
    return tuple(each for run in _RUN.findall(word) for each in ([run] if run.isascii() else _PAIRS.findall(run)))


def clauses(text: str) -> tuple[str, ...]:
    """Return the parts of a folded text between its signs."""
    return tuple(each for each in _CLAUSE.split(text) if each)


def holds(text: str, word: str) -> bool:
    """Whether a folded text holds a folded word; `ci` is not in `acid`."""
    return word in text and re.search(_bounded(word), text) is not None


def outermost(text: str, words: Collection[str]) -> tuple[str, ...]:
    """Return the words that a folded text holds other than inside longer ones, in the order in which they come."""
    pairs = {text[at : at + 2] for at in range(len(text))}
    found = sorted(
        (at.start(), -at.end(), word)
        for word in dict.fromkeys(words)
        if (word[:2] in pairs or len(word) == 1) and word in text
        for at in re.finditer(_bounded(word), text)
    )
    kept: dict[str, None] = {}
    reach = 0
    for _, end, word in found:
        if -end > reach:
            reach = -end
            kept[word] = None
    return tuple(kept)
