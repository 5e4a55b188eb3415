"""The condition of a rule: 「<主语><动作姿态><关键物体>；不含<反例1>，不含<反例2>」 (H-QRY, H-SUBJ, H-SEG). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from zhixing.household.assembling.draft import Condition, Draft
from zhixing.household.assembling.words import people
from zhixing.household.checks.model import Objects, Query, Segments, Word
from zhixing.household.composing.dictionary import entries, placed
from zhixing.household.composing.model import Unwritable
from zhixing.kernel.claims import Basis

STRANGER, FAMILY = "陌生人", "家庭成员"
_SAID, _KNOWN = "用户原话", "视觉常识"
_SOURCES: Mapping[str, str] = {
    "H-SUBJ-03": "abstract",
    "H-SUBJ-05": "any",
    "H-SUBJ-06": "stranger",
    "H-SUBJ-07": "object",
    "H-SUBJ-08": "scene",
    "H-SUBJ-09": "implicit",
    "H-SUBJ-13": "first_person",
    "A-20": "animal",
}
"""Which clause decided who it is about, in the words of the checks; every other one names a person."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Who or what one rule is about; `source` as the checks call it, `sort` is animal, car or empty."""

    name: str
    source: str
    sort: str = ""

    @property
    def person(self) -> bool:
        """Whether it is one person of the home."""
        return self.source in ("person", "first_person")


def subjects(draft: Draft) -> tuple[Subject, ...]:
    """Return whom each rule of `draft` is about, in order (H-SUBJ-02)."""
    claim = draft.subject
    if claim is None or claim.value == "ask":
        raise Unwritable("subject")
    names = claim.value if isinstance(claim.value, tuple) else (claim.value,)
    return tuple(_subject(name, claim.evidence, claim.basis) for name in names)


def _subject(name: str, clause: str, basis: Basis) -> Subject:
    called = people().get(name)
    how = called.how if called is not None else ""
    if how in ("animals", "cars"):
        return Subject(name, "animal", how[:-1])
    if name == STRANGER:
        return Subject(name, "stranger")
    source = _SOURCES.get(clause, "person")
    if source == "first_person" and basis is not Basis.DEFAULT:
        source = "person"
    return Subject(name, source)


def condition(draft: Draft, subject: Subject) -> Query:
    """Write the condition of the rule about `subject`; raises `Unwritable` where nobody has words for it."""
    covered = draft.viewpoint is None or draft.viewpoint.value != "uncovered"
    if draft.condition is not None:
        found = draft.condition.value
    else:
        entry = entries().get(draft.behaviour.key) if draft.behaviour is not None else None
        if entry is None:
            raise Unwritable("condition")
        found = entry.seen(subject.name, subject.sort, covered=covered)
    found = placed(found, draft.rooms[0] if draft.rooms else None)
    counters = _counters(found, subject)
    tail = "；" + "，".join(f"不含{counter}" for counter in counters) if counters else ""
    return Query(
        text=f"{subject.name}{found.body}{tail}",
        kind=found.kind,
        subject=subject.name,
        subject_source=subject.source,
        segments=Segments(
            posture=tuple(part for part in found.body.split("，") if part) if found.kind != "scene" else (),
            objects=tuple(Objects(items=one.items, category=one.category) for one in found.objects),
            counters=counters,
        ),
        words=tuple(Word(item, _SAID if item in draft.text else _KNOWN) for one in found.objects for item in one.items),
    )


def _counters(found: Condition, subject: Subject) -> tuple[str, ...]:
    """Return what it must not be taken for; a stranger is never one of the family (H-SUBJ-06)."""
    if subject.source != "stranger":
        return found.counters
    return (FAMILY, *(one for one in found.counters if not one.startswith(FAMILY)))
