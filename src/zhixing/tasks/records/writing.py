"""The writes of records: each looks at the rows, decides, changes the rows, and says what came of it.

Whoever calls has settled that the write is new, that it may change something, and what kind of record it is for.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from zhixing.kernel.moments import zone
from zhixing.store.connection import Tx
from zhixing.tasks.records import entries, sessions, tallies
from zhixing.tasks.records.deciding import Standing, began, just_before, taken_back
from zhixing.tasks.records.model import Period, Reached, Record, Session, Window, Written
from zhixing.tasks.records.periods import EVER, period_at, split
from zhixing.tasks.records.standing import standing, when_reached


@dataclass(frozen=True, slots=True)
class Scene:
    """Where a write happens: `at` is its instant, `until` what a session under way has come to."""

    tx: Tx
    record: Record
    at: datetime
    until: datetime

    @property
    def tz(self) -> ZoneInfo:
        """The zone in which days are cut."""
        return zone(self.record.zone)

    def period(self, at: datetime) -> Period:
        """Return the record's period with an instant in it."""
        return period_at(at, self.record.content.rhythm, self.tz)

    def standing(self, period: Period) -> Standing:
        """Return where the record stands in a period."""
        return standing(self.tx, self.record, period, self.until)


@dataclass(frozen=True, slots=True)
class Done:
    """What a write did, and the periods whose target it reached for the first time, with the instants."""

    written: Written
    reached: tuple[tuple[Period, datetime], ...] = field(default=())


def unchanged(scene: Scene, why: str) -> Done:
    """Return that nothing changed, and how it stands where the write would have gone."""
    return Done(_written(scene.standing(scene.period(scene.at)), applied=False, why=why))


def increment(scene: Scene, delta: int) -> Done:
    """Count on, also past the target, or back, not below zero: what is taken away goes from the nearest days."""
    period = scene.period(scene.at)
    day = period_at(scene.at, Window.DAY, scene.tz).day
    if delta > 0:
        tallies.add(scene.tx, scene.record, day, delta)
    else:
        days = tallies.days_to_take_from(scene.tx, scene.record, period, day)
        losses = taken_back(-delta, days)
        if not losses:
            return unchanged(scene, "zero")
        for name, loss in losses:
            tallies.add(scene.tx, scene.record, name, -loss)
    now = scene.standing(period)
    reached = _mark(scene, now, scene.at) if now.met else ()
    return Done(_written(now, first=bool(reached)), reached)


def append(scene: Scene, description: str) -> Done:
    """Write an event down."""
    entry_id = entries.append(scene.tx, scene.record, scene.at, description)
    tallies.add(scene.tx, scene.record, period_at(scene.at, Window.DAY, scene.tz).day, 1)
    return Done(_written(scene.standing(EVER), entry_id=entry_id))


def start(scene: Scene, holder: str) -> Done:
    """Begin a session where none is under way; never before the one before it ended.

    `holder` keeps it open, whoever began it; an empty one is nobody.
    """
    if holder:
        sessions.hold(scene.tx, scene.record, holder)
    if sessions.under_way(scene.tx, scene.record) is not None:
        return unchanged(scene, "open")
    at = began(scene.at, sessions.last_end(scene.tx, scene.record))
    sessions.start(scene.tx, scene.record, at)
    return Done(_written(scene.standing(scene.period(max(at, scene.until)))))


def end(scene: Scene, holder: str) -> Done:
    """End the session under way, and see which of the periods it runs through have their target now.

    Where `holder` is somebody, it goes on as long as another one keeps it open, and ends when the last of them let go.
    """
    session = sessions.under_way(scene.tx, scene.record)
    if session is None:
        return unchanged(scene, "none_open")
    at = sessions.let_go(scene.tx, scene.record, holder, scene.at) if holder else scene.at
    if at is None:
        return unchanged(scene, "held")
    return close(replace(scene, at=at), session)


def close(scene: Scene, session: Session) -> Done:
    """End a session at the instant of the scene; one without length is dropped."""
    finish(scene.tx, scene.record, session, scene.at)
    if scene.at <= session.start:
        return Done(_written(scene.standing(scene.period(scene.at)), why="empty", seconds=0))
    reached: tuple[tuple[Period, datetime], ...] = ()
    if scene.record.content.target is not None:
        for piece in split(session.start, scene.at, scene.record.content.rhythm, scene.tz):
            there = scene.standing(piece.period)
            at = when_reached(scene.tx, scene.record, piece.period) if there.met else None
            reached += () if at is None else _mark(scene, there, at)
    seconds = (scene.at - session.start) // timedelta(seconds=1)
    now = scene.standing(scene.period(just_before(scene.at)))
    return Done(_written(now, first=bool(reached), seconds=seconds), reached)


def finish(tx: Tx, record: Record, session: Session, end: datetime) -> None:
    """End a session, and add its time to the days it ran through."""
    sessions.end(tx, record, session, end)
    for piece in split(session.start, end, Window.DAY, zone(record.zone)):
        tallies.add(tx, record, piece.period.day, (piece.end - piece.start) // timedelta(microseconds=1))


def reach(scene: Scene) -> Done:
    """Note that the target of a period is reached, if by the exact time it is.

    What is reached at midnight was reached by the day before.
    """
    now = scene.standing(scene.period(just_before(scene.at)))
    if now.reached is not None:
        return Done(_written(now, applied=False, why="reached"))
    at = when_reached(scene.tx, scene.record, now.period)
    if at is None or at > scene.at:
        return Done(_written(now, applied=False, why="short"))
    reached = _mark(scene, now, at)
    return Done(_written(now, first=bool(reached)), reached)


def meet(scene: Scene) -> Done:
    """See whether the present period has its target at once, because the target is another one now.

    Of a session under way that is the business of the instant at which it reaches it.
    """
    now = scene.standing(scene.period(scene.at))
    under_way = sessions.under_way(scene.tx, scene.record)
    reached = _mark(scene, now, scene.at) if now.met and under_way is None else ()
    return Done(_written(now, first=bool(reached)), reached)


def _mark(scene: Scene, now: Standing, at: datetime) -> tuple[tuple[Period, datetime], ...]:
    if now.target is None or now.reached is not None:
        return ()
    marked = tallies.mark_reached(scene.tx, scene.record, now.period, Reached(at, now.target))
    return ((now.period, at),) if marked else ()


def _written(
    now: Standing,
    *,
    applied: bool = True,
    why: str = "",
    first: bool = False,
    seconds: int | None = None,
    entry_id: str | None = None,
) -> Written:
    return Written(applied, why, now.current, now.target, now.met or first, first, seconds, entry_id)
