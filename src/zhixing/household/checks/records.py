"""Chapter 10: the record of a task."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zhixing.household.checks.findings import Check, of_plan
from zhixing.household.checks.lexicon import table
from zhixing.household.checks.model import Case, Level, Record
from zhixing.household.checks.tasks import differ

FIELDS: Mapping[str, frozenset[str]] = {
    "progress": frozenset({"target", "unit", "window", "recurring_pattern", "expires_at"}),
    "duration": frozenset({"target_minutes", "recurring_pattern", "expires_at"}),
}
"""What the content of each kind may have; that of events has nothing (V-150)."""
TASK_TYPES = ("recurring", "oneshot", "longterm")
_LONGTERM = "longterm"
_MINUTES = 1_440
"""Minutes of a day."""


def _positive(value: Any) -> bool:
    return type(value) is int and value > 0


def _said(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _days(window: Any) -> int | None:
    return table("windows").get(window) if isinstance(window, str) else None


def _strange_fields(record: Record) -> bool:
    return record.kind in FIELDS and not set(record.content) <= FIELDS[record.kind]


def _window_unusual(record: Record) -> bool:
    """Only days and weeks are kept apart so far; a record of time may go on for ever (H-CONT-05)."""
    usual = ("day", "week", _LONGTERM) if record.kind == "duration" else ("day", "week")
    return isinstance(record.window, str) and record.window not in usual


def _placeholder_minutes(record: Record) -> bool:
    if record.kind != "duration" or "target_minutes" not in record.content:
        return False
    minutes = record.content["target_minutes"]
    return not _positive(minutes) or (minutes == 1 and record.target_origin != "user")


def _over_capacity(record: Record) -> bool:
    days, minutes = _days(record.window), record.content.get("target_minutes")
    return record.kind == "duration" and days is not None and type(minutes) is int and minutes > days * _MINUTES


def _windows_differ(record: Record) -> bool:
    outer, inner = record.content.get("window"), record.pattern_window
    return outer is not None and inner is not None and outer != inner


def _longterm_with_target(record: Record) -> bool:
    if record.kind != "duration" or record.task_type != _LONGTERM:
        return False
    return "target_minutes" in record.content or record.pattern_window != _LONGTERM


def _not_once(case: Case, record: Record) -> bool:
    """Whether what ends is counted anew; 这周每天… may be, and its tip says so (A-29)."""
    daily = record.task_type == "recurring" and case.tells("lifecycle_conflict")
    counted = record.kind in FIELDS and record.task_type in TASK_TYPES
    return case.plan.temporary and counted and record.task_type != "oneshot" and not daily


def _ends_elsewhen(case: Case, record: Record) -> bool:
    return case.plan.temporary and differ(record.content.get("expires_at"), case.plan.expires_at)


def _of_record(name: str, clauses: str, wrong: Callable[[Case, Record], bool], level: Level = Level.ERROR) -> Check:
    """Make a check of the record, where there is one."""
    return of_plan(name, clauses, lambda case: case.plan.record is not None and wrong(case, case.plan.record), level)


CHECKS: tuple[Check, ...] = (
    _of_record("V-140", "H-MAP-08", lambda _, it: it.kind not in ("progress", "duration", "event")),
    _of_record("V-141", "H-TYPE-*", lambda _, it: it.task_type not in TASK_TYPES),
    _of_record("V-142", "H-CONT-*", lambda _, it: _strange_fields(it)),
    _of_record("V-143", "H-KIND-08", lambda _, it: it.kind == "progress" and not _positive(it.content.get("target"))),
    _of_record(
        "V-144",
        "H-KIND-07",
        lambda _, it: it.kind == "progress" and it.content.get("target") == 1 and it.target_origin != "user",
    ),
    _of_record("V-145", "H-CONT-11", lambda _, it: it.kind == "progress" and not _said(it.content.get("unit"))),
    _of_record("V-146", "H-CONT-08", lambda _, it: it.kind == "progress" and not _said(it.content.get("window"))),
    _of_record("V-147", "H-CONT-10", lambda _, it: it.kind in FIELDS and _window_unusual(it), Level.WARNING),
    _of_record("V-148", "H-KIND-02", lambda _, it: _placeholder_minutes(it)),
    _of_record("V-149", "H-DUR-05", lambda _, it: _over_capacity(it)),
    _of_record("V-150", "H-CONT-07", lambda _, it: it.kind == "event" and bool(it.content)),
    _of_record("V-151", "H-TYPE-03", lambda _, it: it.kind == "event" and it.task_type != _LONGTERM),
    _of_record(
        "V-152",
        "H-CONT-09",
        lambda _, it: it.kind in FIELDS and it.task_type == "recurring" and not _said(it.pattern_window),
    ),
    _of_record(
        "V-153", "H-CONT-01/03", lambda _, it: it.task_type == "oneshot" and it.content.get("expires_at") is None
    ),
    _of_record("V-154", "H-TYPE-02", _not_once),
    _of_record("V-155", "H-CONT-02", lambda _, it: _windows_differ(it)),
    _of_record("V-156", "H-CONT-05", lambda _, it: _longterm_with_target(it)),
    _of_record("V-157", "H-LIFE-*", lambda case, it: case.plan.permanent and "expires_at" in it.content),
    _of_record("V-158", "H-MAP-09", _ends_elsewhen),
)
