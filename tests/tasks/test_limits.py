"""The end of a task chosen anew, changes of its parts, and schedules that move to another task."""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.kernel.errors import BadInput, Conflict, TooLarge
from zhixing.tasks.journal import Kind
from zhixing.tasks.task import LONGEST_DESCRIPTION, PERMANENT, Lifecycle, Status, Term, until

HOUR, DAY, MINUTE, SECOND = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1), timedelta(seconds=1)


def status(office, task) -> Status:
    from zhixing.tasks import store

    with office.store.read() as tx:
        return store.get(tx, task.id).status


def limit(office, task, expires_at):
    office.step()
    with office.store.write() as tx:
        return office.tasks.limit(tx, task.id, expires_at, who="小明", why="record")


def test_a_task_is_given_an_end(office, clock):
    task = office.add_task()
    limited = limit(office, task, clock.now() + HOUR)
    assert (limited.lifecycle, limited.revision) == (until(clock.now() + HOUR), 2)
    clock.advance(HOUR - SECOND)
    office.drain()
    assert status(office, task) is Status.ACTIVE
    clock.advance(SECOND)
    office.drain()
    assert status(office, task) is Status.EXPIRED
    assert [entry.kind for entry in office.entries(task)] == [Kind.CREATED, Kind.REVISED, Kind.EXPIRED]


@pytest.mark.parametrize("way", ["later", "earlier", "and back", "never"])
def test_the_last_end_that_was_chosen_counts(office, clock, way: str):
    start = clock.now()
    task = office.add_task(until(start + 2 * HOUR))
    ends = {
        "later": [start + 3 * HOUR],
        "earlier": [start + HOUR],
        "and back": [start + 5 * HOUR, start + HOUR, start + 2 * HOUR],
        "never": [None],
    }[way]
    for end in ends:
        limit(office, task, end)
    for hour in range(1, 7):
        clock.advance(HOUR)
        office.drain()
        over = ends[-1] is not None and start + hour * HOUR >= ends[-1]
        assert status(office, task) is (Status.EXPIRED if over else Status.ACTIVE)


def test_an_end_chosen_again_after_its_job_was_done_ends_the_task_still(office, clock):
    end = clock.now() + HOUR
    task = office.add_task(until(end))
    limit(office, task, end + HOUR)
    clock.advance(HOUR)
    office.drain()
    clock.jump(-30 * MINUTE)
    limit(office, task, end)
    assert status(office, task) is Status.ACTIVE
    office.step()
    with office.store.write() as tx, pytest.raises(BadInput, match="已经过去"):
        office.tasks.limit(tx, task.id, clock.now() - SECOND, who="小明")


def test_the_same_end_again_is_no_news(office, clock):
    task = office.add_task(until(clock.now() + HOUR))
    assert limit(office, task, clock.now() + HOUR) == task
    assert [entry.kind for entry in office.entries(task)] == [Kind.CREATED]


def test_what_ends_with_a_target_goes_on_doing_so(office, clock):
    task = office.add_task(Lifecycle(Term.TARGET))
    assert limit(office, task, clock.now() + HOUR).lifecycle == Lifecycle(Term.TARGET, clock.now() + HOUR)
    assert limit(office, task, None).lifecycle == Lifecycle(Term.TARGET)


def test_without_an_end_a_task_is_permanent(office, clock):
    task = office.add_task(until(clock.now() + HOUR))
    assert limit(office, task, None).lifecycle == PERMANENT


@pytest.mark.parametrize("end", ["complete", "delete", "expire"])
def test_a_task_that_has_ended_is_given_no_other_end(office, clock, end: str):
    task = office.add_task()
    office.do(end, task)
    with pytest.raises(Conflict):
        limit(office, task, clock.now() + HOUR)


def test_a_task_is_expired_by_hand(office):
    task = office.add_task()
    assert office.do("expire", task).status is Status.EXPIRED
    with pytest.raises(Conflict, match="已经过期"):
        office.do("expire", task)


def test_a_change_of_a_part_is_a_revision(office):
    task = office.add_task()
    office.step()
    with office.store.write() as tx:
        after = office.tasks.revise(tx, task.id, who="小明", data={"kind": "rule"}, why="太吵")
        named = office.tasks.revise(tx, task.id, who="小明", data={}, title="新", description="新的")
    assert (after.revision, after.title) == (2, task.title)
    assert (named.revision, named.title, named.description) == (3, "新", "新的")
    told = office.entries(task)[1]
    assert (told.kind, told.why, told.data) == (Kind.REVISED, "太吵", {"kind": "rule"})


def test_a_change_that_cannot_be_is_refused(office):
    task = office.add_task()
    with office.store.write() as tx, pytest.raises(TooLarge):
        office.tasks.revise(tx, task.id, who="小明", data={}, description="长" * (LONGEST_DESCRIPTION + 1))
    office.do("delete", task)
    with office.store.write() as tx, pytest.raises(Conflict, match="已经删除"):
        office.tasks.revise(tx, task.id, who="小明", data={})


# Schedules that move


def move(office, schedule, task):
    office.step()
    with office.store.write() as tx:
        return office.scheduling.move(tx, schedule.id, task.id, who="小明")


def test_a_schedule_moves_and_acts_once_at_each_instant(office, clock):
    first, second = office.add_task(), office.add_task()
    schedule = office.add(first, "every 1h")
    clock.advance(HOUR)
    office.drain()
    moved = move(office, schedule, second)
    assert (moved.id, moved.task_id) == (schedule.id, second.id)
    office.drain()
    clock.advance(HOUR)
    office.drain()
    assert office.said(first) == ["10-12 11:00 done"]
    assert office.said(second) == ["10-12 12:00 done"]


def test_what_was_due_at_the_moment_it_moved_is_not_lost(office, clock):
    first, second = office.add_task(), office.add_task()
    schedule = office.add(first, "every 1h")
    clock.advance(HOUR)
    move(office, schedule, second)
    office.drain()
    assert (office.said(first), office.said(second)) == ([], ["10-12 11:00 done"])


def test_a_schedule_of_a_paused_task_waits(office, clock):
    first, second = office.add_task(), office.add_task()
    schedule = office.add(first, "every 1h")
    office.do("pause", second)
    move(office, schedule, second)
    clock.advance(2 * HOUR)
    office.drain()
    assert office.said(second) == []
    office.do("resume", second)
    clock.advance(HOUR)
    office.drain()
    assert office.said(second) == ["10-12 12:00 skipped paused 2", "10-12 13:00 done"]


def test_a_schedule_whose_part_is_taken_does_not_move(office):
    first, second = office.add_task(), office.add_task()
    schedule = office.add(first, "every 1h")
    office.add(second, "every 1h")
    with pytest.raises(Conflict, match="已经有叫「daily」"):
        move(office, schedule, second)
