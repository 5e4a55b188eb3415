"""A record as its reader sees it: what is stored, and what follows from it at one instant.

`shape` is the document's JSON (`task record get`). `progress_pct` stays between 0 and 1, as its readers expect; `ratio`
is the same without the cap, for the ninth cup of eight. `accumulated_minutes_today` means the present period, whatever
its length.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from zhixing.kernel.moments import iso, zone
from zhixing.store.connection import Tx
from zhixing.tasks.records import entries, sessions, tallies
from zhixing.tasks.records.deciding import Standing, completed, length
from zhixing.tasks.records.model import Entry, Record, RecordKind, Session, Window
from zhixing.tasks.records.periods import period_at
from zhixing.tasks.records.standing import standing, when_reached

SHOWN = 200
"""Sessions of the present period and entries that a view has; the latest ones."""


@dataclass(frozen=True, slots=True)
class RecordView:
    """A record at the instant `now`.

    `period_end` is where the present period ends, or a record that does not repeat; None where nothing ends it.
    `reached_at` is when the target of this period was reached first, also by a session that is under way.
    """

    record: Record
    now: datetime
    standing: Standing
    reached_at: datetime | None
    open_since: datetime | None = None
    in_flight: timedelta = timedelta()
    """The time of the session under way that counts for this period."""
    sessions: tuple[Session, ...] = ()
    entries: tuple[Entry, ...] = ()
    count_today: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None

    @property
    def kind(self) -> RecordKind:
        """What is recorded."""
        return self.record.content.kind

    @property
    def period_start(self) -> datetime:
        """Where the present period began; for what does not repeat, where the record did."""
        period = self.standing.period
        return self.record.created_at if period.end is None else period.start

    @property
    def period_end(self) -> datetime | None:
        """Where it ends."""
        ends = (self.standing.period.end, self.record.content.expires_at)
        return min((end for end in ends if end is not None), default=None)

    @property
    def completed(self) -> bool:
        """Whether it was to be reached once, and is."""
        return completed(self.record.content, self.standing)

    @property
    def minutes(self) -> int:
        """Whole minutes of the present period, the session under way included."""
        return self.standing.current // 60

    @property
    def ratio(self) -> float | None:
        """How much of the target there is, 1.125 for nine of eight; None without one."""
        target = self.record.content.target
        if target is None:
            return None
        return self.standing.current / (target * 60 if self.kind is RecordKind.DURATION else target)

    def shape(self) -> dict[str, Any]:
        """Return the document's JSON."""
        shape: dict[str, Any] = {"kind": self.kind.value, "record": self._record()}
        match self.kind:
            case RecordKind.DURATION:
                shape["sessions"] = [self._session(session) for session in self.sessions]
            case RecordKind.EVENT:
                shape["entries"] = [
                    {"id": entry.id, "task_id": self.record.task_id, "description": entry.description}
                    | {"at": self._iso(entry.at)}
                    for entry in self.entries
                ]
            case RecordKind.PROGRESS:
                pass
        return shape | {"derived": self.derived()}

    def derived(self) -> dict[str, Any]:
        """Return what follows from the stored values."""
        if self.kind is RecordKind.EVENT:
            return {
                "kind": self.kind.value,
                "count_total": self.standing.current,
                "count_today": self.count_today,
                "last_at": self._iso(self.last_at),
            }
        derived: dict[str, Any] = {
            **amounts(self.kind, self.standing),
            "reached": self.standing.met,
            "reached_at": self._iso(self.reached_at),
            "period_start": self._iso(self.period_start),
            "period_end": self._iso(self.period_end),
        }
        if self.kind is RecordKind.DURATION:
            derived["active_session_start_at"] = self._iso(self.open_since)
        return derived

    def snapshot(self) -> dict[str, Any]:
        """Return what is kept of the record when its task ends."""
        content = self.record.content
        match self.kind:
            case RecordKind.PROGRESS:
                return {
                    "target": content.target,
                    "current": self.standing.current,
                    "unit": content.unit,
                    "window": content.window.value,
                }
            case RecordKind.DURATION:
                return {
                    "target_minutes": content.target,
                    "accumulated_minutes": self.minutes,
                    "in_flight_minutes": self.in_flight // timedelta(minutes=1),
                    "active_session_start_at": self._iso(self.open_since),
                }
            case RecordKind.EVENT:
                return {
                    "event_count": self.standing.current,
                    "first_at": self._iso(self.first_at),
                    "last_at": self._iso(self.last_at),
                }

    def _record(self) -> dict[str, Any]:
        record, content = self.record, self.record.content
        shape: dict[str, Any] = {"id": record.id, "task_id": record.task_id}
        match self.kind:
            case RecordKind.PROGRESS:
                shape |= {"target": content.target, "current": self.standing.current}
                shape |= {"unit": content.unit, "window": content.window.value}
            case RecordKind.DURATION:
                shape |= {"target_minutes": content.target, "active_session_start_at": self._iso(self.open_since)}
            case RecordKind.EVENT:
                pass
        return shape | {
            "recurring_pattern": None if content.recurring is None else {"window": content.recurring.value},
            "expires_at": self._iso(content.expires_at),
            "status": "completed" if self.completed else "active",
            "archived_at": self._iso(record.ended_at),
            "created_at": self._iso(record.created_at),
            "updated_at": self._iso(record.updated_at),
        }

    def _session(self, session: Session) -> dict[str, Any]:
        seconds = None if session.end is None else (session.end - session.start) // timedelta(seconds=1)
        return {
            "id": f"{self.record.id}-{session.number}",
            "task_id": self.record.task_id,
            "start_at": self._iso(session.start),
            "end_at": self._iso(session.end),
            "duration_seconds": seconds,
            "archived_at": None,
        }

    def _iso(self, at: datetime | None) -> str | None:
        return None if at is None else iso(at, zone(self.record.zone))


def amounts(kind: RecordKind, standing: Standing) -> dict[str, Any]:
    """Return the document's derived values of a progress or duration record in one period."""
    target, current = standing.target, standing.current
    goal = target if target is None or kind is RecordKind.PROGRESS else target * 60
    ratio = None if goal is None else current / goal
    shares = {"progress_pct": None if ratio is None else min(ratio, 1.0), "ratio": ratio}
    if kind is RecordKind.PROGRESS:
        remaining = None if target is None else max(target - current, 0)
        return {"kind": kind.value, "current": current, "target": target, "remaining": remaining, **shares}
    minutes = current // 60
    return {
        "kind": kind.value,
        "accumulated_minutes_today": minutes,
        "accumulated_seconds": current,
        "target_minutes": target,
        "remaining_minutes": None if target is None else max(target - minutes, 0),
        **shares,
    }


def view(tx: Tx, record: Record, now: datetime, until: datetime) -> RecordView:
    """Read a record; a session under way has come to `until`."""
    tz = zone(record.zone)
    period = period_at(now, record.content.rhythm, tz)
    stands = standing(tx, record, period, until)
    if record.content.kind is RecordKind.EVENT:
        today = period_at(now, Window.DAY, tz)
        first_at, last_at = entries.bounds(tx, record)
        return RecordView(
            record,
            now,
            stands,
            None,
            entries=tuple(entries.latest(tx, record, SHOWN)),
            count_today=tallies.amount(tx, record, today),
            first_at=first_at,
            last_at=last_at,
        )
    reached_at = None if stands.reached is None else stands.reached.at
    if record.content.kind is RecordKind.PROGRESS:
        return RecordView(record, now, stands, reached_at)
    if reached_at is None and stands.met:
        reached_at = when_reached(tx, record, period)
    under_way = sessions.under_way(tx, record)
    return RecordView(
        record,
        now,
        stands,
        reached_at,
        open_since=None if under_way is None else under_way.start,
        in_flight=timedelta() if under_way is None else length(under_way, until, period),
        sessions=tuple(sessions.within(tx, record, period.start, period.end, SHOWN)),
    )
