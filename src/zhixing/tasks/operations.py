"""What can be done to a task: each operation loads it, decides, saves it and writes the journal, in one transaction.

Rooms that hang something on a task are told when its status changes (`on_status_change`), inside the same transaction:
what they do about it becomes true together with the change, or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from zhixing.engine.model import Engine, Job, Run
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import Conflict
from zhixing.kernel.moments import micros
from zhixing.store.connection import Tx
from zhixing.tasks import journal, store, task
from zhixing.tasks.journal import CLOCK, Kind
from zhixing.tasks.task import PERMANENT, Lifecycle, Status, Task, Way

EXPIRE = "task.expire"
"""The name of the job that ends a task at its instant."""

StatusChange = Callable[[Tx, Task, Task], None]
"""Called with a task before and after its status changed."""


class Tasks:
    """The operations on tasks. Registers the handler that lets them expire, so make it before the engine starts.

    `who` is the user or the face that asked. With `revision`, an operation is refused as a `Conflict` when the task is
    not at that revision any more.
    """

    def __init__(self, engine: Engine, clock: Clock, on_status_change: Sequence[StatusChange] = ()) -> None:
        self._engine = engine
        self._clock = clock
        self._on_status_change = tuple(on_status_change)
        engine.register(EXPIRE, self._expire)

    def create(
        self,
        tx: Tx,
        *,
        title: str,
        way: Way,
        zone_name: str,
        who: str,
        description: str = "",
        lifecycle: Lifecycle = PERMANENT,
        why: str = "",
    ) -> Task:
        """Make an active task; its parts are added by their rooms in the same transaction."""
        now = self._clock.now()
        made = task.new_task(
            store.new_id(tx),
            title=title,
            description=description,
            way=way,
            lifecycle=lifecycle,
            zone_name=zone_name,
            now=now,
        )
        store.insert(tx, made)
        journal.write(tx, made.id, Kind.CREATED, at=now, who=who, why=why, data={"title": made.title, "way": way.value})
        self._expect_end(tx, made)
        return made

    def complete(self, tx: Tx, task_id: str, *, who: str, why: str = "", revision: int | None = None) -> Task:
        """Mark a task done."""
        return self._change(tx, task_id, task.complete, Kind.COMPLETED, who=who, why=why, revision=revision)

    def restore(self, tx: Tx, task_id: str, *, who: str, why: str = "", revision: int | None = None) -> Task:
        """Take back a completion or deletion."""
        return self._change(tx, task_id, task.restore, Kind.RESTORED, who=who, why=why, revision=revision)

    def pause(self, tx: Tx, task_id: str, *, who: str, why: str = "", revision: int | None = None) -> Task:
        """Stop a task for now."""
        return self._change(tx, task_id, task.pause, Kind.PAUSED, who=who, why=why, revision=revision)

    def resume(self, tx: Tx, task_id: str, *, who: str, why: str = "", revision: int | None = None) -> Task:
        """End a pause."""
        return self._change(tx, task_id, task.resume, Kind.RESUMED, who=who, why=why, revision=revision)

    def expire(self, tx: Tx, task_id: str, *, who: str, why: str = "", revision: int | None = None) -> Task:
        """End a task because its time is over, whatever its lifecycle says."""
        return self._change(tx, task_id, task.expire, Kind.EXPIRED, who=who, why=why, revision=revision)

    def delete(self, tx: Tx, task_id: str, *, who: str, why: str = "", revision: int | None = None) -> Task:
        """Remove a task from sight; it is kept for audit and can be restored."""
        return self._change(tx, task_id, task.delete, Kind.DELETED, who=who, why=why, revision=revision)

    def rename(self, tx: Tx, task_id: str, title: str, *, who: str, why: str = "", revision: int | None = None) -> Task:
        """Give a task another title; the same title again changes nothing."""
        before = self._load(tx, task_id, revision)
        now = self._clock.now()
        after = task.rename(before, title, now)
        if after.title == before.title:
            return before
        store.save(tx, after)
        data = {"title": {"from": before.title, "to": after.title}}
        journal.write(tx, task_id, Kind.REVISED, at=now, who=who, why=why, data=data)
        return after

    def limit(self, tx: Tx, task_id: str, expires_at: datetime | None, *, who: str, why: str = "") -> Task:
        """Let a task end at an instant, or, with None, at none; the same again changes nothing."""
        before = self._load(tx, task_id, None)
        if before.lifecycle.expires_at == expires_at:
            return before
        now = self._clock.now()
        after = task.limit(before, expires_at, now)
        store.save(tx, after)
        ends = [None if end is None else end.isoformat() for end in (before.lifecycle.expires_at, expires_at)]
        data = {"expires_at": {"from": ends[0], "to": ends[1]}}
        journal.write(tx, task_id, Kind.REVISED, at=now, who=who, why=why, data=data)
        self._expect_end(tx, after)
        return after

    def revise(
        self,
        tx: Tx,
        task_id: str,
        *,
        who: str,
        data: Mapping[str, Any],
        why: str = "",
        title: str | None = None,
        description: str | None = None,
    ) -> Task:
        """Count a change of a part of the task as its next revision; `data` is what the journal tells of it."""
        now = self._clock.now()
        after = task.revise(self._load(tx, task_id, None), now, title=title, description=description)
        store.save(tx, after)
        journal.write(tx, task_id, Kind.REVISED, at=now, who=who, why=why, data=data)
        return after

    def _change(
        self,
        tx: Tx,
        task_id: str,
        decide: Callable[[Task, datetime], Task],
        kind: Kind,
        *,
        who: str,
        why: str,
        revision: int | None,
        now: datetime | None = None,
    ) -> Task:
        before = self._load(tx, task_id, revision)
        now = self._clock.now() if now is None else now
        after = decide(before, now)
        store.save(tx, after)
        data: Mapping[str, Any] = {"from": before.status.value, "revision": after.revision}
        journal.write(tx, task_id, kind, at=now, who=who, why=why, data=data)
        for tell in self._on_status_change:
            tell(tx, before, after)
        return after

    def _load(self, tx: Tx, task_id: str, revision: int | None) -> Task:
        found = store.get(tx, task_id)
        if revision is not None and revision != found.revision:
            raise Conflict("task_changed", title=found.title)
        return found

    def _expect_end(self, tx: Tx, expected: Task) -> None:
        # The job of an instant that does not count any more stays: it finds that the task is not over, and does
        # nothing. Cancelled, it would be in the way of the same instant chosen again.
        expires_at = expected.lifecycle.expires_at
        if expires_at is not None:
            key = f"task:{expected.id}:expire:{micros(expires_at)}"
            self._engine.enqueue(tx, Job(EXPIRE, key, expires_at, {"task": expected.id}))

    def _expire(self, run: Run) -> None:
        with run.commit() as tx:
            task_id = run.job.payload["task"]
            now = max(self._clock.now(), run.job.due)
            found = store.get(tx, task_id)
            # Of a task that has ended otherwise, the end is no news; whoever restores it finds it over.
            if found.status in (Status.ACTIVE, Status.PAUSED) and found.lifecycle.over(now):
                self._change(tx, task_id, task.expire, Kind.EXPIRED, who=CLOCK, why="", revision=None, now=now)
