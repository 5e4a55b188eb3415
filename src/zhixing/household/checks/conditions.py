"""The wording of conditions: chapter 4 of the checks, as far as the words alone decide it. Pure.

    <主语><动作姿态><关键物体>；不含<反例1>，不含<反例2>

Actions must have all of it; other kinds may be one sentence, and what they exclude is checked where they exclude.
Half-width `,` and `;` are found once, by their own check; the others read the sentence as if it were well written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from zhixing.household.checks.lexicon import bound, has, pattern, says, words
from zhixing.household.checks.model import Finding, Level
from zhixing.kernel.wording import wording

_WIDE = str.maketrans({",": "，", ";": "；"})
_SPLIT = re.compile(r"[，、]\s*不含")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A condition taken apart.

    `subject` None: nobody knows it. `tail` is what stands behind the first semicolon, None without one.
    """

    text: str
    kind: str
    subject: str | None
    positive: str
    tail: str | None
    counters: tuple[str, ...]

    @property
    def three_parts(self) -> bool:
        """Whether all three parts are demanded."""
        return self.kind in words("condition.three_parts")

    @property
    def body(self) -> str:
        """The positive half without its subject."""
        return self.positive.removeprefix(self.subject or "")


@dataclass(frozen=True, slots=True)
class WordingCheck:
    """One rule of wording; it is not asked about an empty condition."""

    id: str
    clauses: str
    wrong: Callable[[Sentence], bool]
    level: Level = Level.ERROR


@lru_cache(maxsize=512)
def read_sentence(text: str, kind: str, subject: str | None = None) -> Sentence:
    """Take a condition apart."""
    whole = text.strip().translate(_WIDE)
    head, semicolon, tail = whole.partition("；")
    first = head.find("不含")
    positive = head if first < 0 else head[:first].rstrip("，、 ")
    behind = tail if semicolon else head[max(first, 0) :]
    begins = behind.find("不含")
    counters = _SPLIT.split(behind[begins + 2 :]) if begins >= 0 else []
    return Sentence(
        text.strip(),
        kind,
        subject,
        positive.strip(),
        tail.strip() if semicolon else None,
        tuple(counter.strip(" ，、。；") for counter in counters),
    )


def lint_condition(text: str, kind: str, subject: str | None = None) -> tuple[Finding, ...]:
    """Return what is wrong with the wording of a condition; `rule create` asks the same.

    Without a `subject`, nothing is said about how it begins.
    """
    if not text.strip():
        return (Finding("V-063", Level.ERROR, wording("checks.V-063")),)
    sentence = read_sentence(text, kind, subject)
    return tuple(
        Finding(check.id, check.level, wording(f"checks.{check.id}")) for check in CHECKS if check.wrong(sentence)
    )


def _begins_otherwise(sentence: Sentence) -> bool:
    if sentence.subject is None:
        return False
    if not sentence.subject:
        return True
    return not pattern("condition.placeholder_patterns").sub("", sentence.text).strip().startswith(sentence.subject)


def _semicolons_wrong(sentence: Sentence) -> bool:
    count = sentence.text.translate(_WIDE).count("；")
    return sentence.three_parts and count != 1


def _tail_wrong(sentence: Sentence) -> bool:
    if sentence.tail is None or not (sentence.three_parts or sentence.counters):
        return False
    return not sentence.tail.startswith("不含") or not all(sentence.counters)


def _mirrored(counter: str) -> bool:
    """Whether a counter-example only says that the positive one is not so; 不锈钢 and 无人机 deny nothing."""
    return counter.startswith(words("condition.mirrored_openings")) and not counter.startswith(
        words("condition.mirrored_exceptions")
    )


def _repeats_positive(sentence: Sentence) -> bool:
    return any(counter and counter in sentence.positive for counter in sentence.counters)


def _too_rough(sentence: Sentence) -> bool:
    """Whether there is only the name of an action (坐着, 玩手机): nothing that a camera could tell apart."""
    body = sentence.body
    for particle in words("condition.particles"):
        body = body.replace(particle, "")
    return sentence.three_parts and len(re.sub(r"[\s，、。]", "", body)) < bound("shortest_posture")


def _lacks(sentence: Sentence, place: str) -> bool:
    return sentence.three_parts and not has(place, sentence.body)


CHECKS: tuple[WordingCheck, ...] = (
    WordingCheck("V-064", "H-QRY-05", lambda it: says("condition.joining_patterns", it.text)),
    WordingCheck("V-065", "H-QRY-06", lambda it: says("condition.asserting_patterns", it.text)),
    WordingCheck("V-066", "H-QRY-07", lambda it: says("condition.lasting_patterns", it.text)),
    WordingCheck("V-067", "H-QRY-04", lambda it: says("condition.timed_patterns", it.text)),
    WordingCheck("V-068", "H-QRY-08", lambda it: says("condition.internal_patterns", it.text)),
    WordingCheck("V-069", "H-QRY-02", lambda it: says("condition.habit_patterns", it.text)),
    WordingCheck("V-070", "H-SEG-17", lambda it: says("condition.measuring_patterns", it.text)),
    WordingCheck("V-071", "H-DESC-05", lambda it: says("condition.placeholder_patterns", it.text)),
    WordingCheck("V-072", "H-SEG-04", lambda it: says("condition.half_width_patterns", it.text)),
    WordingCheck("V-073", "H-QRY-01", _begins_otherwise),
    WordingCheck("V-074", "H-SEG-01/06", _semicolons_wrong),
    WordingCheck("V-075", "H-SEG-07", lambda it: it.three_parts and it.text.count("不含") < 2),
    WordingCheck("V-076", "H-SEG-04", _tail_wrong),
    WordingCheck("V-077", "H-SEG-15", lambda it: any(_mirrored(counter) for counter in it.counters)),
    WordingCheck("V-078", "H-SEG-15/16", _repeats_positive),
    WordingCheck("V-079", "H-SEG-14", lambda it: len(set(it.counters)) < len(it.counters)),
    WordingCheck("V-080", "H-SEG-08", lambda it: _lacks(it, "condition.bodies"), Level.WARNING),
    WordingCheck("V-081", "H-SEG-09", lambda it: _lacks(it, "condition.postures"), Level.WARNING),
    WordingCheck("V-082", "H-SEG-10", _too_rough),
    WordingCheck(
        "V-083",
        "H-SEG-14",
        lambda it: any(pattern("condition.vague_patterns").fullmatch(counter) for counter in it.counters),
    ),
)
