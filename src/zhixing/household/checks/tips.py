"""Chapter 9 and the tips of chapter 14: what was decided without the user must be told, and nothing else.

Of each kind of tip, one function says which parts of a plan it must be told for, another which it may be told for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from zhixing.household.checks.descs import is_notice
from zhixing.household.checks.findings import Check, of_jobs, of_plan, of_rules
from zhixing.household.checks.lexicon import bound, pattern, says
from zhixing.household.checks.model import AssemblyPlan, Case, Rule, Tip

SUBJECTS: Mapping[str, str] = {
    "implicit": "subject_default_user",
    "any": "subject_any_person",
    "abstract": "subject_registered_members",
    "first_person": "subject_first_person",
}
"""Which tip tells how a subject was understood."""


def _subject_untold(case: Case, rule: Rule) -> bool:
    kind = SUBJECTS.get(rule.query.subject_source)
    return kind is not None and not case.tells(kind)


def _long(rule: Rule) -> bool:
    return bound("long_duration") < (rule.duration or 0) <= bound("longest_duration")


def _default_duration(rule: Rule) -> bool:
    return rule.duration_origin == "default" and rule.duration is not None


def _short(rule: Rule) -> bool:
    """Whether the user's time is far below what steadies such a condition; a longer one is what the user is after."""
    if rule.duration_origin != "user" or not rule.duration or not rule.duration_recommended:
        return False
    return 0 < rule.duration * bound("deviation") <= rule.duration_recommended


def _once_told(case: Case, rule: Rule) -> bool:
    """Whether a threshold of time is told without a record: it counts in one go."""
    told = rule.channel is not None or any(is_notice(desc) for desc in rule.descs)
    lasts = rule.duration is not None and rule.trigger_class not in ("safety", "instant")
    return told and lasts and rule.duration_origin == "user" and not case.plan.records


def _default_debounce(rule: Rule) -> bool:
    return rule.debounce_origin == "default" and rule.debounce is not None


def _far_debounce(rule: Rule) -> bool:
    if rule.debounce_origin != "user" or not rule.debounce or not rule.debounce_recommended:
        return False
    if not 0 < rule.debounce <= bound("longest_debounce"):
        return False
    times = bound("deviation")
    return rule.debounce >= rule.debounce_recommended * times or rule.debounce * times <= rule.debounce_recommended


def _debounce_told(case: Case) -> bool:
    """Whether it is told that a distance is unusual, or that the user's own was too long to be kept (A-50)."""
    return case.tells("exit_debounce_deviation") or case.tells("exit_debounce_capped")


def _any_rule(test: Callable[[Rule], bool], plan: AssemblyPlan) -> bool:
    return any(test(rule) for rule in plan.rules)


def _of_subject(source: str) -> Callable[[AssemblyPlan], bool]:
    return partial(_any_rule, lambda rule: rule.query.subject_source == source)


FITTING: Mapping[str, Callable[[AssemblyPlan], bool]] = {
    **{kind: _of_subject(source) for source, kind in SUBJECTS.items()},
    "duration_long_restart": partial(_any_rule, lambda rule: (rule.duration or 0) > bound("long_duration")),
    "duration_default": partial(_any_rule, _default_duration),
    "duration_deviation": partial(_any_rule, lambda rule: rule.duration_origin == "user"),
    "single_continuous": lambda plan: (
        not plan.records
        and any(rule.trigger_class == "continuous" or rule.duration_origin == "user" for rule in plan.rules)
    ),
    "exit_debounce_default": partial(_any_rule, _default_debounce),
    "exit_debounce_deviation": partial(_any_rule, lambda rule: rule.debounce_origin == "user"),
    "exit_debounce_capped": partial(_any_rule, lambda rule: rule.debounce == bound("longest_debounce")),
    "source_broadcast": partial(_any_rule, lambda rule: rule.source is None),
    "source_multi": partial(_any_rule, lambda rule: len(rule.source or ()) > 1),
    "viewpoint_default": partial(_any_rule, lambda rule: rule.viewpoint == "default"),
    "on_exit_reset_default": partial(_any_rule, lambda rule: rule.leaves and rule.exit_origin == "default"),
    "room_empty_any_camera": partial(_any_rule, lambda rule: rule.source is None),
    "schedule_default": lambda plan: any(job.origin == "default" for job in plan.schedules),
    "record_kind_duration": lambda plan: plan.kind == "duration",
}
"""Which tips a plan may have; kinds that are not here tell of the words, not of the plan."""


def _unfitting(case: Case) -> bool:
    return any(tip.kind in FITTING and not FITTING[tip.kind](case.plan) for tip in case.plan.tips)


def _twice(case: Case) -> bool:
    told = [(tip.kind, tip.value.strip()) for tip in case.plan.tips]
    return len(set(told)) < len(told)


def _internal(tip: Tip) -> bool:
    return any(says("talk.internal_patterns", part) for part in tip.parts)


def _unrepeatable(tip: Tip) -> bool:
    return bool(tip.how.strip()) and pattern("talk.repeatable_pattern").search(tip.how) is None


def _told(name: str, clauses: str, kind: str, needed: Callable[[Case, Rule], bool]) -> Check:
    """Make a check that a tip of one kind is there for the rules that need it."""
    return of_rules(name, clauses, lambda case, rule: needed(case, rule) and not case.tells(kind))


CHECKS: tuple[Check, ...] = (
    of_rules("V-130", "H-SUBJ-03/05/09/13、H-TIP-01/02", _subject_untold),
    _told("V-131", "H-DUR-08", "duration_long_restart", lambda _, rule: _long(rule)),
    _told("V-132", "H-DUR-22", "duration_default", lambda _, rule: _default_duration(rule)),
    _told("V-133", "H-DUR-21", "duration_deviation", lambda _, rule: _short(rule)),
    _told("V-134", "H-REC-08", "single_continuous", _once_told),
    _told("V-135", "H-DEB-10", "exit_debounce_default", lambda _, rule: _default_debounce(rule)),
    of_rules("V-136", "H-DEB-09", lambda case, rule: _far_debounce(rule) and not _debounce_told(case)),
    _told("V-137", "H-SRC-03", "source_broadcast", lambda _, rule: rule.source is None),
    _told("V-138", "H-SRC-05", "source_multi", lambda _, rule: len(set(rule.source or ())) > 1),
    _told("V-139", "H-VIEW-06", "viewpoint_default", lambda _, rule: rule.viewpoint == "default"),
    of_jobs("V-191", "H-FREQ-12", lambda case, job: job.origin == "default" and not case.tells("schedule_default")),
    of_plan("V-210", "H-TIP-04~06", lambda case: any(not all(map(str.strip, tip.parts)) for tip in case.plan.tips)),
    of_plan("V-211", "H-TIP-07", lambda case: any(_internal(tip) for tip in case.plan.tips)),
    of_plan("V-212", "H-TIP-08", lambda case: any(_unrepeatable(tip) for tip in case.plan.tips)),
    of_plan("V-213", "H-TIP-03", _twice),
    of_plan("V-214", "H-FIN-01", _unfitting),
)
