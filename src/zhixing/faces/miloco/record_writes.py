"""task record progress-inc, event-append, session-start, session-end: writing a record down by hand.

Source: miloco.md §2.3, §4.3, §4.4. With `--fire-id`, the same write again changes nothing and says `duplicate`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from uuid import uuid4

from zhixing.app import App
from zhixing.faces.cli.desk import WHO
from zhixing.faces.cli.options import AtDesk
from zhixing.faces.miloco.addressing import outward, task_named
from zhixing.faces.miloco.envelope import Wire
from zhixing.faces.miloco.house import backend, zone_of
from zhixing.faces.miloco.house import instant as iso
from zhixing.faces.miloco.options import At, FireId, Text, Whole, instant, plain
from zhixing.faces.miloco.tasks import Task
from zhixing.kernel.errors import BadInput
from zhixing.store.connection import Tx
from zhixing.tasks.records.model import Written
from zhixing.tasks.records.views import RecordView

_WHY = {"again": "duplicate", "paused": "task_paused", "ended": "inactive"}
"""What the document calls the reasons for which a write changes nothing."""

Write = Callable[[Tx, str, datetime, str], Written]


def increment(task: Task, /, *, delta: Whole = 1, fire_id: FireId = None, desk: AtDesk) -> Wire:
    """Add to the count."""
    with backend(desk) as app:

        def write(tx: Tx, task_id: str, at: datetime, key: str) -> Written:
            return app.records.increment(tx, task_id, delta, at=at, key=key, who=WHO)

        written, after = _written(app, task, write, desk, fire_id=fire_id)
        shape = after.shape()
        return _outward(
            {
                **_noop(written),
                "current": after.standing.current,
                "target": after.record.content.target,
                "status": shape["record"]["status"],
                "first_reached": written.applied and written.first_reached,
                "derived": shape["derived"],
            }
        )


def append(task: Task, /, *, description: Text, at: At = None, fire_id: FireId = None, desk: AtDesk) -> Wire:
    """Append an event."""
    with backend(desk) as app:

        def write(tx: Tx, task_id: str, when: datetime, key: str) -> Written:
            return app.records.append(tx, task_id, description, at=when, key=key, who=WHO)

        written, after = _written(app, task, write, desk, at=at, fire_id=fire_id)
        return _outward({**_noop(written), "entry_id": written.entry_id, "derived": after.shape()["derived"]})


def start_session(task: Task, /, *, at: At = None, fire_id: FireId = None, desk: AtDesk) -> Wire:
    """Begin to count time; where that is under way, it goes on as it was."""
    with backend(desk) as app:

        def write(tx: Tx, task_id: str, when: datetime, key: str) -> Written:
            return app.records.start_session(tx, task_id, at=when, key=key, who=WHO)

        written, after = _written(app, task, write, desk, at=at, fire_id=fire_id)
        shape = after.shape()
        begun = {"already_active": True} if written.why == "open" else {}
        return _outward(
            {
                **_noop(written),
                **begun,
                "start_at": iso(after.open_since, app),
                "status": shape["record"]["status"],
                "derived": shape["derived"],
            }
        )


def end_session(task: Task, /, *, at: At = None, fire_id: FireId = None, desk: AtDesk) -> Wire:
    """End counting time."""
    with backend(desk) as app:

        def write(tx: Tx, task_id: str, when: datetime, key: str) -> Written:
            written = app.records.end_session(tx, task_id, at=when, key=key, who=WHO)
            if written.why == "none_open":
                raise BadInput("miloco_no_session", task=plain(task)[:64])
            return written

        written, after = _written(app, task, write, desk, at=at, fire_id=fire_id)
        shape = after.shape()
        seconds = written.session_seconds
        return _outward(
            {
                **_noop(written),
                "this_session_minutes": None if seconds is None else seconds // 60,
                "this_session_seconds": seconds,
                "status": shape["record"]["status"],
                "first_reached": written.applied and written.first_reached,
                "derived": shape["derived"],
            }
        )


def _written(
    app: App, task: str, write: Write, desk: AtDesk, *, at: str | None = None, fire_id: str | None = None
) -> tuple[Written, RecordView]:
    """Write in one transaction; return what it did and the record behind it."""
    when = instant(at, desk.clock.now(), zone_of(app))
    key = f"cli:{uuid4().hex}" if fire_id is None else fire_id
    with app.store.write() as tx:
        task_id = task_named(tx, plain(task))
        return write(tx, task_id, when, key), app.records.get(tx, task_id)


def _noop(written: Written) -> Wire:
    reason = _WHY.get(written.why)
    return {"ok": True} if reason is None else {"ok": True, "noop": True, "reason": reason}


def _outward(wire: Wire) -> Wire:
    shown: Wire = outward(wire, {})
    return shown
