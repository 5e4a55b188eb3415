"""What composing takes and what it gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zhixing.household.assembling.draft import Draft
from zhixing.household.assembling.request import Home
from zhixing.household.checks.model import Finding, Question, Tip
from zhixing.household.plan import HouseholdPlan
from zhixing.world.devices.port import DeviceSpec


@dataclass(frozen=True, slots=True)
class Site:
    """The home that a plan is composed for. `taken`: slugs of all living tasks; `specs`: by device id."""

    home: Home
    specs: Mapping[str, DeviceSpec]
    taken: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Report:
    """What is said when a task is made: the five parts of H-FIN, each a sentence, and one sentence per tip."""

    task: str
    trigger: str
    response: str
    lifecycle: str
    tips: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """All of it, a line each."""
        return (self.task, self.trigger, self.response, self.lifecycle, *self.tips)


@dataclass(frozen=True, slots=True)
class Composed:
    """One task, ready to be made.

    `assembly` is the plan in the shape of home_plan_checks §0, `plan` the same for `Household.apply`. `findings` are
    what the checks say of it: with an error among them it must not be made.
    """

    draft: Draft
    assembly: Mapping[str, Any]
    plan: HouseholdPlan
    tips: tuple[Tip, ...]
    report: Report
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Open:
    """What is still to be asked (H-OUT-03): `questions` one by one, `prompt` all of them as the user reads it."""

    questions: tuple[Question, ...]
    prompt: str


class Unwritable(Exception):
    """The draft says too little to write the plan, for instance no condition: a model has to."""
