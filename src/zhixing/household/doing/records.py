"""What is asked of a task's record on the way: is its target reached, and how much is missing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime

from zhixing.kernel.moments import zone
from zhixing.store.connection import Tx
from zhixing.tasks.records import store as records
from zhixing.tasks.records.model import RecordKind
from zhixing.tasks.records.periods import period_at
from zhixing.tasks.records.standing import standing


@dataclass(frozen=True, slots=True)
class Missing:
    """How far a record is from the target of the period; counts, or whole minutes (of what is missing: rounded up)."""

    count: int
    current: int
    target: int
    unit: str
    timed: bool


def missing(tx: Tx, task_id: str, now: datetime) -> Missing | None:
    """Return what is missing in the present period; None where the task has no record, or the record no target."""
    record = records.find(tx, task_id)
    if record is None or record.content.target is None:
        return None
    now_at = standing(tx, record, period_at(now, record.content.rhythm, zone(record.zone)), now)
    target = record.content.target
    if record.content.kind is RecordKind.DURATION:
        left = math.ceil(max(0, target * 60 - now_at.current) / 60)
        return Missing(left, now_at.current // 60, target, "", timed=True)
    return Missing(max(0, target - now_at.current), now_at.current, target, record.content.unit, timed=False)


def is_reached(tx: Tx, task_id: str, now: datetime) -> bool:
    """Whether the target of the present period is reached, or was once."""
    record = records.find(tx, task_id)
    if record is None or record.content.target is None:
        return False
    now_at = standing(tx, record, period_at(now, record.content.rhythm, zone(record.zone)), now)
    return now_at.met or now_at.reached is not None
