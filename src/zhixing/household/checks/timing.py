"""Chapters 6 and 7: how long a condition must last, and how long it must be gone."""

from __future__ import annotations

from zhixing.household.checks.findings import Check, of_rules
from zhixing.household.checks.lexicon import bound, numbers
from zhixing.household.checks.model import Case, Level, Rule


def _state(rule: Rule) -> bool:
    return rule.mode == "state"


def _whole(value: int | None) -> bool:
    return value is not None and value > 0


def _not_steady(case: Case, rule: Rule) -> bool:
    """With a record of time a rule only steadies what is seen; how long it takes in all is the record's target."""
    if case.plan.kind != "duration" or rule.duration is None:
        return False
    target = case.plan.target_minutes
    return rule.duration > bound("steady_duration") or (type(target) is int and rule.duration == target * 60)


def _not_recommended(rule: Rule) -> bool:
    if rule.duration_origin != "default" or not _whole(rule.duration):
        return False
    scene = rule.trigger_class == "scene"
    return rule.duration not in numbers("default_durations_of_scenes" if scene else "default_durations")


def _default_debounce(rule: Rule) -> bool:
    return rule.debounce_origin == "default" and _whole(rule.debounce)


def _arrives(rule: Rule) -> bool:
    """Whether an entering is waited for and nothing is switched on: an activation has its own window (A-15)."""
    return _state(rule) and rule.trigger_class == "entry" and not rule.activates


CHECKS: tuple[Check, ...] = (
    of_rules("V-093", "H-DUR-02", lambda _, rule: rule.duration is not None and not _whole(rule.duration)),
    of_rules("V-094", "H-DUR-06/07", lambda _, rule: (rule.duration or 0) > bound("longest_duration")),
    of_rules("V-095", "H-DUR-10", lambda _, rule: rule.trigger_class == "safety" and rule.duration is not None),
    of_rules("V-096", "H-DUR-09", _not_steady),
    of_rules("V-097", "H-DUR-11", lambda _, rule: rule.trigger_class == "instant" and rule.duration is not None),
    of_rules("V-098", "H-DUR-13~19", lambda _, rule: _not_recommended(rule)),
    of_rules("V-099", "H-DUR-12", lambda _, rule: rule.trigger_class == "continuous" and rule.duration is None),
    of_rules("V-100", "H-DEB-01", lambda _, rule: rule.mode == "event" and rule.debounce is not None, Level.WARNING),
    of_rules("V-101", "H-DEB-*", lambda _, rule: rule.debounce is not None and not _whole(rule.debounce)),
    of_rules("V-102", "H-DEB-02", lambda _, rule: _state(rule) and rule.leaves and rule.debounce is None),
    of_rules(
        "V-103",
        "H-DEB-03",
        lambda _, rule: _state(rule) and rule.trigger_class == "entry" and rule.debounce is None,
    ),
    of_rules("V-104", "H-DEB-08", lambda _, rule: (rule.debounce or 0) > bound("longest_debounce")),
    of_rules(
        "V-105",
        "H-DEB-04~07",
        lambda _, rule: _default_debounce(rule) and rule.debounce not in numbers("default_debounces"),
    ),
    of_rules(
        "V-106",
        "H-DEB-05/06",
        lambda case, rule: (
            case.plan.kind == "duration"
            and _default_debounce(rule)
            and rule.debounce in numbers("default_debounces") - numbers("default_debounces_of_durations")
        ),
    ),
    of_rules(
        "V-107",
        "H-DEB-07",
        lambda _, rule: (
            _arrives(rule)
            and _default_debounce(rule)
            and rule.debounce in numbers("default_debounces") - {bound("default_debounce_of_entry")}
        ),
    ),
)
