"""What can be done to a task: saved, told, and passed on, or nothing of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from zhixing.kernel.errors import Conflict, NotFound
from zhixing.tasks import journal
from zhixing.tasks import store as tasks
from zhixing.tasks.journal import Kind
from zhixing.tasks.operations import Tasks
from zhixing.tasks.task import Status, until

HOUR = timedelta(hours=1)


def test_a_task_is_created_and_told(office, clock):
    task = office.add_task(title="  每天 喝水 ")
    with office.store.read() as tx:
        assert tasks.get(tx, "t1") == task
    (entry,) = office.entries(task)
    assert (task.title, task.created_at) == ("每天 喝水", clock.now())
    assert (entry.kind, entry.who, entry.data) == (Kind.CREATED, "小明", {"title": "每天 喝水", "way": "household"})


@pytest.mark.parametrize(
    ("operations", "status", "kinds"),
    [
        (["complete"], Status.COMPLETED, [Kind.COMPLETED]),
        (["complete", "restore"], Status.ACTIVE, [Kind.COMPLETED, Kind.RESTORED]),
        (["pause", "resume"], Status.ACTIVE, [Kind.PAUSED, Kind.RESUMED]),
        (["pause", "complete"], Status.COMPLETED, [Kind.PAUSED, Kind.COMPLETED]),
        (["delete", "restore", "delete"], Status.DELETED, [Kind.DELETED, Kind.RESTORED, Kind.DELETED]),
    ],
)
def test_operations_are_saved_and_told(office, clock, operations, status, kinds):
    task = office.add_task()
    for operation in operations:
        clock.advance(HOUR)
        task = office.do(operation, task, why="说了算")
    with office.store.read() as tx:
        saved = tasks.get(tx, task.id)
    assert saved == task
    assert (saved.status, saved.revision, saved.updated_at) == (status, 1 + len(operations), clock.now())
    told = office.entries(task)[1:]
    assert [entry.kind for entry in told] == kinds
    assert {(entry.who, entry.why) for entry in told} == {("小明", "说了算")}


def test_what_cannot_be_done_changes_and_tells_nothing(office):
    task = office.do("complete", office.add_task())
    with pytest.raises(Conflict, match="「喝水」已经完成了；还要用它，请先恢复。"):
        office.do("complete", task)
    with pytest.raises(NotFound), office.store.write() as tx:
        office.tasks.complete(tx, "t9", who="小明")
    assert len(office.entries(task)) == 2


def test_an_operation_on_an_older_revision_is_refused(office):
    task = office.add_task()
    office.do("rename", task, title="喝八杯水", revision=1)
    with pytest.raises(Conflict, match="「喝八杯水」刚被改过"):
        office.do("delete", task, revision=1)
    assert office.do("delete", task, revision=2).status is Status.DELETED


def test_a_task_is_renamed(office):
    task = office.add_task()
    assert office.do("rename", task, title="喝八杯水").title == "喝八杯水"
    assert office.do("rename", task, title=" 喝八杯水 ").revision == 2
    told = office.entries(task)
    assert [entry.kind for entry in told] == [Kind.CREATED, Kind.REVISED]
    assert told[-1].data == {"title": {"from": "喝水", "to": "喝八杯水"}}


def test_rooms_are_told_of_a_change_in_its_transaction(store, steady_office, clock):
    seen = []

    def note(tx, before, after) -> None:
        seen.append((tasks.get(tx, before.id).status, before.status, after.status))

    office = Tasks(_Registry(), clock, [note, note])
    task = steady_office.add_task()
    with store.write() as tx:
        office.pause(tx, task.id, who="小明")
        office.rename(tx, task.id, "别的", who="小明")
    assert seen == [(Status.PAUSED, Status.ACTIVE, Status.PAUSED)] * 2


def test_a_change_that_a_room_cannot_follow_is_not_made(store, steady_office, clock):
    def refuse(*_) -> None:
        raise Conflict("task_changed", title="喝水")

    office = Tasks(_Registry(), clock, [refuse])
    task = steady_office.add_task()
    with pytest.raises(Conflict), store.write() as tx:
        office.pause(tx, task.id, who="小明")
    with store.read() as tx:
        assert tasks.get(tx, task.id).active
        assert journal.last(tx) == 1


class _Registry:
    """An engine that only takes names down."""

    def register(self, *_, **__) -> None: ...


# The end of a temporary task


def test_a_temporary_task_expires_at_its_instant(office, clock):
    task = office.add_task(until(clock.now() + HOUR))
    office.add(task, "*/20 * * * *")
    clock.advance(HOUR - timedelta(seconds=1))
    office.drain()
    clock.advance(HOUR)
    office.drain()
    with office.store.read() as tx:
        assert tasks.get(tx, task.id).status is Status.EXPIRED
    assert Kind.EXPIRED in [entry.kind for entry in office.entries(task)]
    assert all(row.due <= task.lifecycle.expires_at for row in office.rows(task))


def test_a_task_whose_end_was_moved_does_not_expire_at_the_old_one(office, clock):
    task = office.add_task(until(clock.now() + HOUR))
    with office.store.write() as tx:
        tasks.save(tx, replace(task, lifecycle=until(clock.now() + 3 * HOUR), revision=2))
    clock.advance(2 * HOUR)
    office.drain()
    with office.store.read() as tx:
        assert tasks.get(tx, task.id).active


def test_a_paused_task_expires_too(office, clock):
    task = office.do("pause", office.add_task(until(clock.now() + HOUR)))
    clock.advance(HOUR)
    office.drain()
    with pytest.raises(Conflict, match="已经过期"):
        office.do("resume", task)


def test_a_task_that_ended_otherwise_does_not_expire_and_cannot_come_back_later(office, clock):
    task = office.do("complete", office.add_task(until(clock.now() + HOUR)))
    clock.advance(HOUR)
    office.drain()
    assert [entry.kind for entry in office.entries(task)] == [Kind.CREATED, Kind.COMPLETED]
    with pytest.raises(Conflict, match="已经过期"):
        office.do("restore", task)


def test_a_task_restored_in_time_still_expires(office, clock):
    task = office.do("complete", office.add_task(until(clock.now() + HOUR)))
    office.do("restore", task)
    clock.advance(HOUR)
    office.drain()
    with office.store.read() as tx:
        assert tasks.get(tx, task.id).status is Status.EXPIRED
