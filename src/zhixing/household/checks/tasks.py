"""Chapters 1 and 11: the task, its name, and how long it lives."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from zhixing.household.checks.findings import Check, of_plan
from zhixing.household.checks.model import Case, Level
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import parse_instant

_NAME = re.compile(r"[a-z0-9_]{1,32}", re.ASCII)
_WORD = re.compile(r"[a-z]{3}", re.ASCII)
_SAME = timedelta(seconds=1)
"""今日 24:00 may be written as 23:59:59 (A-12)."""


def instant(text: object) -> datetime | None:
    """Return an instant with an offset; None for anything else."""
    if not isinstance(text, str):
        return None
    try:
        return parse_instant(text)
    except BadInput:
        return None


def differ(first: object, second: object) -> bool:
    """Whether two readable instants are not the same moment; what cannot be read is reported elsewhere."""
    one, other = instant(first), instant(second)
    return one is not None and other is not None and abs(one - other) > _SAME


def _short(case: Case) -> bool:
    name = case.plan.task_id
    return len(name) < 4 or _WORD.search(name) is None


def _components(case: Case) -> bool:
    return bool(case.plan.rules or case.plan.schedules or case.plan.records)


def _needs_end(case: Case) -> bool:
    """Whether the task must say when it ends: moments alone end by themselves; no trigger at all is another fault."""
    plan = case.plan
    return plan.temporary and bool(plan.rules or plan.schedules) and not plan.ends_by_itself


def _past(case: Case) -> bool:
    end = instant(case.plan.expires_at)
    return end is not None and end <= case.context.now


def _ends_elsewhen(case: Case) -> bool:
    return any(differ(job.at, case.plan.expires_at) for job in case.plan.terminations)


def _ends_in_other_words(case: Case) -> bool:
    return any(job.message.strip() != f"到期销毁 task {case.plan.task_id}" for job in case.plan.terminations)


REJECTED: tuple[Check, ...] = (
    of_plan("V-001", "H-OP-10", lambda case: case.plan.op != "create"),
    of_plan("V-007", "H-IN-02、H-DUR-07", lambda case: case.plan.reject is not None and _components(case)),
)
"""What is asked of a plan that was rejected; nothing else is."""

CHECKS: tuple[Check, ...] = (
    of_plan("V-002", "H-TASK-04", lambda case: not (case.plan.permanent or case.plan.temporary)),
    of_plan("V-003", "H-TASK-03", lambda case: len(case.plan.records) > 1),
    of_plan("V-004", "H-TASK-01/02", lambda case: not (case.plan.rules or case.plan.schedules)),
    of_plan("V-005", "H-REC-09", lambda case: bool(case.plan.records) and not case.plan.rules),
    of_plan("V-006", "H-MAP-06", lambda case: not case.plan.description.strip()),
    of_plan("V-010", "H-ID-02", lambda case: _NAME.fullmatch(case.plan.task_id) is None),
    of_plan("V-011", "H-ID-04", lambda case: case.plan.task_id.isdecimal()),
    of_plan("V-012", "H-ID-05", _short, Level.WARNING),
    of_plan("V-013", "H-DUP-02", lambda case: case.context.tasks.get(case.plan.task_id) == "active"),
    of_plan("V-014", "H-DUP-05", lambda case: case.context.tasks.get(case.plan.task_id) == "paused"),
    of_plan("V-160", "H-LIFE-02/03", lambda case: _needs_end(case) and case.plan.expires_at is None),
    of_plan("V-161", "H-MAP-09", lambda case: _needs_end(case) and not case.plan.terminations),
    of_plan(
        "V-162",
        "H-LIFE-05",
        lambda case: case.plan.permanent and (bool(case.plan.terminations) or case.plan.expires_at is not None),
    ),
    of_plan(
        "V-163",
        "H-TZ-06",
        lambda case: case.plan.expires_at is not None and instant(case.plan.expires_at) is None,
    ),
    of_plan("V-164", "H-MAP-10", _past),
    of_plan("V-165", "H-MAP-09", _ends_elsewhen),
    of_plan("V-166", "H-MAP-09", _ends_in_other_words),
)
