"""What must hold of a plan before anything is made of it: home_plan_checks, one check for each of its ids. Pure.

    check(plan, context)          every finding, in the order of the ids
    read_assembly, read_context   the plan and the home from JSON
    lint_condition                the wording rules alone, for `rule create` too

The words that are looked for stand in `words.toml`, what is said about them in section `checks` of the catalogue.
"""

from __future__ import annotations

from collections.abc import Iterable

from zhixing.household.checks import descs, queries, records, rules, schedules, talk, tasks, timing, tips
from zhixing.household.checks.conditions import lint_condition
from zhixing.household.checks.findings import Check
from zhixing.household.checks.model import AssemblyPlan, Case, Context, Finding, Level
from zhixing.household.checks.reading import read_assembly, read_context
from zhixing.kernel.wording import wording

__all__ = [
    "CHECKS",
    "AssemblyPlan",
    "Context",
    "Finding",
    "Level",
    "check",
    "lint_condition",
    "read_assembly",
    "read_context",
    "refused",
]

_CHAPTERS = (tasks, rules, descs, queries, timing, tips, records, schedules, talk)
CHECKS: tuple[Check, ...] = tuple(
    sorted((*tasks.REJECTED, *(one for chapter in _CHAPTERS for one in chapter.CHECKS)), key=lambda one: one.id)
)
"""All of them, by id."""


def check(plan: AssemblyPlan, context: Context) -> tuple[Finding, ...]:
    """Return what does not hold, by id and place. A rejected plan is only asked whether it is empty."""
    case = Case(plan, context)
    asked = CHECKS if plan.reject is None else tasks.REJECTED
    return tuple(
        Finding(one.id, one.level, wording(f"checks.{one.id}"), place) for one in asked for place in one.places(case)
    )


def refused(findings: Iterable[Finding]) -> bool:
    """Whether the plan must not be made."""
    return any(finding.level is Level.ERROR for finding in findings)
