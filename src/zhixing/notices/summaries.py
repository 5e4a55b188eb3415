"""Title and action of a reply: a model's own words, kept only as long as they say what their evidence says (§3).

A summary that brings in a number, drops a 不 or an 如果, or speaks another language than the text is replaced by the
evidence itself. No fact is taken from either.
"""

from __future__ import annotations

import re

from zhixing.language.cues import Cue, find_cues
from zhixing.language.text import normalise
from zhixing.language.timex import Span
from zhixing.notices.grammar import REMIND, UNTIL
from zhixing.notices.ground import Ground
from zhixing.notices.titles import action_words, title_of

LONGEST_SUMMARY = 100
"""Characters of an action."""
SHORT_EVIDENCE = 40
"""Characters; the title of longer evidence need not hold its every 不."""

_NUMBER = re.compile(r"[0-9]+|[零〇一二两三四五六七八九十百]+(?=[点时分月日号周年天级个份刻])")
_HAN = re.compile(r"[一-鿿]")
_MUST_STAY = frozenset((Cue.NEGATION, Cue.CONDITION))


def summary(title: str, action: str, ground: Ground, evidence: Span) -> tuple[str, str]:
    """Return title and action: the model's where they are faithful, else the words of the evidence."""
    said = ground.plain[evidence[0] : evidence[1]]
    action, title = " ".join(action.split()), " ".join(title.split())
    if not (_made_of(action, said, ground.plain) and len(action) <= LONGEST_SUMMARY and _keeps(action, said)):
        action = _own_words(ground, evidence)
    short = evidence[1] - evidence[0] <= SHORT_EVIDENCE
    if not _made_of(title, ground.unmasked, ground.plain) or (short and not _keeps(title, said)):
        title = action
    return title_of(title), action


def _made_of(words: str, numbers: str, source: str) -> bool:
    """Whether the words are of the language of the source, mostly of its characters, and bring in no number."""
    plain = normalise(words)
    letters = [letter for letter in plain if letter.isalnum()]
    if not letters or (_HAN.search(source) and not _HAN.search(plain)):
        return False
    known = sum(letter in source for letter in letters)
    return 2 * known >= len(letters) and all(found[0] in numbers for found in _NUMBER.finditer(plain))


def _keeps(words: str, said: str) -> bool:
    return find_cues(normalise(words)) & _MUST_STAY == find_cues(said) & _MUST_STAY


def _own_words(ground: Ground, evidence: Span) -> str:
    """Return the evidence, without time and 提醒我 where they stand at its edges: what is cut stays one piece."""
    start, end = evidence
    if end - start > LONGEST_SUMMARY:
        return ground.words(evidence).strip()
    spans = [clause for _, clause in ground.leads]
    spans += [match.span() for match in REMIND.finditer(ground.plain, start, end)]
    for one in ground.times:
        until = UNTIL.match(ground.plain, one.said.span[1])
        spans.append((one.said.span[0], until.end() if until else one.said.span[1]))
    inside = [(max(a, start) - start, min(b, end) - start) for a, b in spans if a < end and b > start]
    words, plain = ground.text[start:end], ground.plain[start:end]
    action = action_words(words, plain, inside)
    return action if normalise(action) in plain else words.strip()
