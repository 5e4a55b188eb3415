"""A check as data: its id, the clauses it stands for, how much it weighs, and one small function that finds it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from zhixing.household.checks.model import Case, Level, Rule, Schedule


@dataclass(frozen=True, slots=True)
class Check:
    """`places` yields where the check does not hold: the empty text for the plan as a whole."""

    id: str
    clauses: str
    places: Callable[[Case], Iterable[str]]
    level: Level = Level.ERROR


def of_plan(name: str, clauses: str, wrong: Callable[[Case], bool], level: Level = Level.ERROR) -> Check:
    """Make a check of the plan as a whole."""
    return Check(name, clauses, lambda case: ("",) if wrong(case) else (), level)


def of_rules(name: str, clauses: str, wrong: Callable[[Case, Rule], bool], level: Level = Level.ERROR) -> Check:
    """Make a check of each rule."""

    def places(case: Case) -> Iterator[str]:
        return (place for place, rule in case.each_rule() if wrong(case, rule))

    return Check(name, clauses, places, level)


def of_jobs(name: str, clauses: str, wrong: Callable[[Case, Schedule], bool], level: Level = Level.ERROR) -> Check:
    """Make a check of each schedule."""

    def places(case: Case) -> Iterator[str]:
        return (place for place, job in case.each_job() if wrong(case, job))

    return Check(name, clauses, places, level)
