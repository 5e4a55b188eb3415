"""Chapters 4, 5 and 8: what is looked for, of whom, and with which cameras."""

from __future__ import annotations

import re
from collections.abc import Iterator

from zhixing.household.checks import conditions
from zhixing.household.checks.conditions import WordingCheck, read_sentence
from zhixing.household.checks.findings import Check, of_plan, of_rules
from zhixing.household.checks.lexicon import word
from zhixing.household.checks.model import Case, Rule

ORIGINS = ("用户原话", "视觉常识", "profile")
"""Where a concrete word may be said to come from."""
_PROFILE = "profile"
_AND = re.compile(r"[、，,和与跟及]|以及")


def _of_wording(check: WordingCheck) -> Check:
    """Ask a rule of wording about each condition that has words."""

    def wrong(_: Case, rule: Rule) -> bool:
        query = rule.query
        return bool(query.text.strip()) and check.wrong(read_sentence(query.text, query.kind, query.subject))

    return of_rules(check.id, check.clauses, wrong, check.level)


def _one_of_a_kind(rule: Rule) -> bool:
    return any(one.category and len(one.items) < 2 for one in rule.query.segments.objects)


def _kind_missing(rule: Rule) -> bool:
    return any(
        len(one.items) > 1 and (not one.category or one.category not in rule.query.text)
        for one in rule.query.segments.objects
    )


def _parts(rule: Rule) -> Iterator[str]:
    segments = rule.query.segments
    yield from segments.posture
    yield from segments.counters
    for one in segments.objects:
        yield from one.items


def _lost_words(rule: Rule) -> bool:
    text = rule.query.text
    return bool(text.strip()) and any(part and part.removeprefix("不含") not in text for part in _parts(rule))


def _admits_family(rule: Rule) -> bool:
    query = rule.query
    stranger = query.subject_source == "stranger" or query.subject.startswith("陌生人")
    return stranger and word("condition.family") not in query.text


def _members_named(case: Case, rule: Rule) -> bool:
    if rule.query.subject_source != "abstract":
        return False
    named = any(len(name) > 1 and name in rule.query.text for name in case.context.known)
    return named or rule.query.subject != word("condition.members")


def _name_for_role(case: Case, rule: Rule) -> bool:
    """Whether a name stands for a role; two people of the same role are told apart by their names (A-71)."""
    roles = [person.role for person in case.context.persons]
    return any(
        person.name == rule.query.subject and person.role and roles.count(person.role) == 1
        for person in case.context.persons
        if person.name != person.role
    )


def _several(case: Case, rule: Rule) -> bool:
    """Whether a subject names more than one person; 李和平 is one."""
    subject, known = rule.query.subject, case.context.known
    if rule.query.subject_source not in ("person", "first_person") or subject in known:
        return False
    named = [name for name in known if name in subject]
    apart = [name for name in named if not any(name != other and name in other for other in named)]
    parts = [part.strip() for part in _AND.split(subject) if part.strip()]
    return len(apart) > 1 or (len(parts) > 1 and any(part in known for part in parts))


def _unregistered(case: Case, rule: Rule) -> bool:
    if rule.query.subject_source != "person" or _several(case, rule):
        return False
    return rule.query.subject not in case.context.known


def _badly_listed(rule: Rule) -> bool:
    return rule.source is not None and (not rule.source or len(set(rule.source)) < len(rule.source))


def _not_in_use(case: Case, rule: Rule) -> bool:
    cameras = case.context.cameras
    return bool(cameras) and any(did not in cameras for did in rule.source or ())


def _other_than_locked(case: Case, rule: Rule) -> bool:
    locked = case.context.locked
    return bool(locked) and set(rule.source or ()) != set(locked)


CHECKS: tuple[Check, ...] = (
    of_rules("V-063", "H-FLAG-03", lambda _, rule: not rule.query.text.strip()),
    *(_of_wording(check) for check in conditions.CHECKS),
    of_rules("V-084", "H-SEG-11/12/18", lambda _, rule: _one_of_a_kind(rule)),
    of_rules("V-085", "H-SEG-12/18", lambda _, rule: _kind_missing(rule)),
    of_rules("V-086", "H-SEG-05", lambda _, rule: _lost_words(rule)),
    of_rules("V-087", "H-SEG-03", lambda _, rule: any(one.origin == _PROFILE for one in rule.query.words)),
    of_rules("V-120", "H-SEG-02", lambda _, rule: any(one.origin not in ORIGINS for one in rule.query.words)),
    of_rules("V-088", "H-SUBJ-06", lambda _, rule: _admits_family(rule)),
    of_rules("V-089", "H-SUBJ-04", _members_named),
    of_rules("V-090", "H-SUBJ-11", _name_for_role),
    of_rules("V-091", "H-SUBJ-02", _several),
    of_rules("V-092", "H-SUBJ-10/12", _unregistered),
    of_rules("V-110", "H-SRC-03、H-FLAG-08", lambda _, rule: _badly_listed(rule)),
    of_rules("V-111", "H-CAM-01", _not_in_use),
    of_plan("V-112", "H-SRC-02", lambda case: bool(case.plan.rules) and not case.context.cameras),
    of_rules("V-113", "H-SRC-01", _other_than_locked),
)
