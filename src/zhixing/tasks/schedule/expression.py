"""What is typed for a trigger: cron, `@daily`, `every 15m`, `at 2026-10-12T10:00:00+08:00`, `on workday at 08:00`."""

from __future__ import annotations

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import parse_instant, settle
from zhixing.tasks.schedule.calendar import parse_calendar
from zhixing.tasks.schedule.cron import ALIASES, Cron
from zhixing.tasks.schedule.model import At, Every, Trigger

_EVERY = re.compile(r"([0-9]{1,9})([smhd])")
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}


def parse_expression(text: str, tz: ZoneInfo, anchor: datetime | None = None) -> Trigger:
    """Read a trigger. Raises `BadInput` with the reason and what to write instead.

    `anchor` is where the grid of an `every` begins, usually the instant it was said; without one it begins at a
    midnight in `tz`, so that `every 15m` falls on the quarters. `at` needs an offset, since it names one instant.
    """
    words = text.split()
    if not words:
        raise BadInput("expression_empty")
    head, rest = words[0].lower(), words[1:]
    if head == "every":
        return _every("".join(rest), tz, anchor)
    if head == "at":
        return At(parse_instant(" ".join(rest)))
    if head == "on":
        return parse_calendar(rest)
    if head.startswith("@") or len(words) > 1 or head in ALIASES:
        return Cron.parse(text)
    raise BadInput("expression_unreadable", text=text.strip()[:64])


def write_expression(trigger: Trigger) -> str:
    """Return what `parse_expression` reads as `trigger`, given the anchor of an `every`."""
    return trigger.text if isinstance(trigger, Cron) else trigger.expression


def _every(text: str, tz: ZoneInfo, anchor: datetime | None) -> Every:
    found = _EVERY.fullmatch(text.lower())
    if found is None:
        raise BadInput("every_unreadable", text=text[:32])
    return Every(
        int(found[1]) * _SECONDS[found[2]],
        settle(datetime(1970, 1, 1), tz) if anchor is None else anchor,
    )
