"""A cron job as it is said: a name, when, and a message for the one who acts on it. Pure.

Two spellings: the cron tool's `{name, schedule: {kind, expr, tz | at | everyMs, anchorMs}, message, enabled}` and the
plan's flat `{name, kind, expr, tz, at, every_ms, message, purpose}` (documents 000 §Schedule and 003).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from zhixing.household.fields import Fields
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import from_micros, parse_instant, zone
from zhixing.tasks.schedule.cron import Cron
from zhixing.tasks.schedule.model import At, Every, Trigger

LONGEST_NAME = 100
LONGEST_MESSAGE = 2_000
FURTHEST = timedelta(days=3_653)
"""How far in the future an `at` may lie: ten years."""
_LARGEST_MS = 366 * 86_400_000
_LATEST_MS = 253_402_300_799_000

_ZONE_BEHIND = re.compile(r"^(?P<expr>.*?)\s*@\s*(?P<zone>[A-Za-z]+(?:[_/+-][A-Za-z0-9_+-]+)*|UTC)\s*$")
_TERMINATION = re.compile(
    r"到期(?:销毁|终止|删除)\s*(?:task|任务)?\s*[「\"']?([a-z0-9_]{1,32})[」\"']?\s*[。.]?", re.ASCII
)
_ABOUT = ("scene", "dow_from_user", "linked", "origin", "sessionTarget", "wakeMode", "deleteAfterRun")


class JobKind(StrEnum):
    """How a job's instants are said."""

    CRON = "cron"
    AT = "at"
    EVERY = "every"


class Purpose(StrEnum):
    """What a job is for."""

    REMIND = "remind"
    """Its message is acted on."""
    TERMINATE = "terminate"
    """It ends its task."""


@dataclass(frozen=True, slots=True)
class When:
    """The instants of a job. `zone` is needed for cron and only shown for the others; `every` is in milliseconds."""

    kind: JobKind
    zone: str | None = None
    expr: str = ""
    at: datetime | None = None
    every: int = 0
    anchor: datetime | None = None

    def trigger(self, now: datetime) -> Trigger:
        """Return the trigger; an `every` without an anchor begins its grid now."""
        if self.kind is JobKind.CRON:
            return Cron.parse(self.expr)
        if self.at is not None:
            if self.at > now + FURTHEST:
                raise BadInput("job_at_far", years=10)
            return At(self.at)
        return Every(self.every // 1_000, self.anchor or now)


@dataclass(frozen=True, slots=True)
class JobPlan:
    """What a person says of a job."""

    name: str
    when: When
    message: str
    purpose: Purpose = Purpose.REMIND
    enabled: bool = True

    @property
    def ends(self) -> str | None:
        """The name of the task that the message ends, where that is what it says (到期销毁 task drink_8_today)."""
        found = _TERMINATION.fullmatch(self.message.strip()) if self.when.kind is JobKind.AT else None
        return found[1] if found else None


def read_job(value: object) -> JobPlan:
    """Read the cron tool's shape."""
    said = Fields(value)
    name, message = said.text("name", LONGEST_NAME), said.text("message", LONGEST_MESSAGE)
    enabled = said.truth("enabled") if said.has("enabled") else True
    when = read_when(said.needed("schedule"), "schedule")
    said.ignore(*_ABOUT)
    said.close()
    return purposeful(JobPlan(name, when, message, enabled=enabled))


def read_job_plan(value: object, place: str = "") -> JobPlan:
    """Read the plan's shape."""
    said = Fields(value, place)
    name, message = said.text("name", LONGEST_NAME), said.text("message", LONGEST_MESSAGE)
    when = _when(said)
    purpose = said.choice("purpose", [one.value for one in Purpose]) if said.has("purpose") else Purpose.REMIND
    if purpose == Purpose.TERMINATE and when.kind is not JobKind.AT:
        raise BadInput("job_end_needs_at")
    said.ignore(*_ABOUT)
    said.close(("_origin",))
    return purposeful(JobPlan(name, when, message, Purpose(purpose)), renewed=False)


def read_when(value: object, place: str = "") -> When:
    """Read `{kind, …}`."""
    said = Fields(value, place)
    when = _when(said)
    said.close()
    return when


def write_when(when: When) -> dict[str, Any]:
    """Write what `read_when` reads."""
    if when.kind is JobKind.CRON:
        return {"kind": "cron", "expr": when.expr, "tz": when.zone}
    if when.at is not None:
        return {"kind": "at", "at": when.at.isoformat()}
    anchor = {} if when.anchor is None else {"anchorMs": int(when.anchor.timestamp() * 1_000)}
    return {"kind": "every", "everyMs": when.every, **anchor}


def purposeful(plan: JobPlan, *, renewed: bool = True) -> JobPlan:
    """Return the plan with the purpose that its message has, where the message is `renewed`; only an `at` can end."""
    if plan.when.kind is not JobKind.AT:
        return replace(plan, purpose=Purpose.REMIND)
    if plan.ends is not None:
        return replace(plan, purpose=Purpose.TERMINATE)
    return replace(plan, purpose=Purpose.REMIND) if renewed else plan


def _when(said: Fields) -> When:
    kind = JobKind(said.choice("kind", [one.value for one in JobKind]))
    tz = said.text("tz", 64) if said.has("tz") else None
    if tz is not None:
        zone(tz)
    every_name = said.one_of("everyMs", "every_ms")
    anchor_name = said.one_of("anchorMs", "anchor_ms")
    for name, wanted in (("expr", JobKind.CRON), ("at", JobKind.AT), (every_name, JobKind.EVERY)):
        if name is not None and kind is not wanted and said.has(name):
            raise BadInput("job_other_kind", kind=kind.value, name=said.at(name))
    if kind is JobKind.CRON:
        return When(kind, tz, _expr(said, tz))
    if kind is JobKind.AT:
        return When(kind, tz, at=parse_instant(said.text("at", 64)))
    every = said.whole(every_name or "everyMs", 1_000, _LARGEST_MS)
    if every % 1_000:
        raise BadInput("job_every_fraction", value=every)
    anchor = None
    if anchor_name is not None and said.has(anchor_name):
        anchor = from_micros(said.whole(anchor_name, 0, _LATEST_MS) * 1_000).astimezone(UTC)
    return When(kind, tz, every=every, anchor=anchor)


def _expr(said: Fields, tz: str | None) -> str:
    expr = said.text("expr", 400)
    if (inside := _ZONE_BEHIND.match(expr)) and inside["expr"]:
        raise BadInput("job_zone_inside", zone=inside["zone"], instead=inside["expr"])
    if tz is None:
        raise BadInput("job_zone_missing")
    Cron.parse(expr)
    return expr
