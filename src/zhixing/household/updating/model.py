"""A task as it stands, and what a sentence makes of it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from zhixing.household.jobs import JobPlan, Purpose
from zhixing.kernel.wording import wording
from zhixing.tasks.records.model import Content
from zhixing.tasks.rules.model import Plan


@dataclass(frozen=True, slots=True)
class StandingRule:
    """A rule of the task."""

    id: str
    plan: Plan


@dataclass(frozen=True, slots=True)
class StandingJob:
    """A cron job of the task."""

    id: str
    plan: JobPlan


@dataclass(frozen=True, slots=True)
class Standing:
    """Everything of a task that a sentence may change.

    `ends` is when it ends by itself. `capabilities`: (device, numeric iid) → what the device calls it, for all commands
    of the rules, so that another device can be given the same command.
    """

    slug: str
    description: str
    ends: datetime | None = None
    record: Content | None = None
    rules: tuple[StandingRule, ...] = ()
    jobs: tuple[StandingJob, ...] = ()
    capabilities: Mapping[tuple[str, str], str] = field(default_factory=dict)

    @property
    def reminders(self) -> tuple[StandingJob, ...]:
        """The jobs that remind."""
        return tuple(job for job in self.jobs if job.plan.purpose is Purpose.REMIND)

    @property
    def words(self) -> str:
        """All that the task is called by."""
        names = [rule.plan.name for rule in self.rules] + [job.plan.name for job in self.jobs]
        return " ".join((self.description, *names))

    def with_rules(self, plans: Mapping[str, Plan]) -> Standing:
        """Return it with other plans for some rules."""
        return replace(self, rules=tuple(StandingRule(one.id, plans.get(one.id, one.plan)) for one in self.rules))

    def with_jobs(self, plans: Mapping[str, JobPlan]) -> Standing:
        """Return it with other plans for some jobs."""
        return replace(self, jobs=tuple(StandingJob(one.id, plans.get(one.id, one.plan)) for one in self.jobs))


@dataclass(frozen=True, slots=True)
class Clause:
    """One wish: what it is about (`what`), what that becomes (`to`), the same as it was written (`raw`).

    Nothing but `to` and `raw` where there is no verb that says that something changes.
    """

    what: str
    to: str
    raw: str


@dataclass(frozen=True, slots=True)
class Step:
    """What one wish makes of a task. `what`: a key of section `updating`; `old` may be empty."""

    after: Standing
    what: str
    old: str
    new: str

    @property
    def same(self) -> str:
        """That it was so already, as a piece of that sentence."""
        return wording("updating.already", what=wording(f"updating.what_{self.what}"), new=_spaced(self.new))

    @property
    def part(self) -> str:
        """What changed, as a piece of the sentence that says it back."""
        what = wording(f"updating.what_{self.what}")
        if not self.old:
            return wording("updating.set", what=what, new=_spaced(self.new))
        return wording("updating.changed", what=what, old=_spaced(self.old), new=_spaced(self.new))


@dataclass(frozen=True, slots=True)
class Change:
    """What a sentence wants: the task before and after (the same where nothing is new), and how that is said back."""

    before: Standing
    after: Standing
    sentence: str


@dataclass(frozen=True, slots=True)
class Unclear:
    """Why nothing can be changed: a key of section `errors`, with the values for it."""

    key: str
    values: Mapping[str, object] = field(default_factory=dict)


Read = Step | Unclear | None
"""What a reader makes of a wish; None: it is about something else."""


def _spaced(words: str) -> str:
    """Put a blank in front of what begins with a number or a Latin letter."""
    return f" {words}" if words[:1].isascii() and words[:1].isalnum() else words
