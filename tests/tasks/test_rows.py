"""Tasks, occurrences, schedules and the journal in both databases."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from zhixing.kernel.clock import ManualClock
from zhixing.kernel.errors import BadInput, Conflict, NotFound
from zhixing.tasks import journal, occurrences
from zhixing.tasks import store as tasks
from zhixing.tasks.journal import Kind
from zhixing.tasks.occurrence import OccurrenceState, occurrence_id
from zhixing.tasks.schedule import store as schedules
from zhixing.tasks.schedule.cron import Cron
from zhixing.tasks.schedule.model import Action, At, Every, Missed, Overlap, Schedule, ScheduleState
from zhixing.tasks.task import PERMANENT, Status, Task, Way, complete, new_task, until


@pytest.fixture
def add(store, clock: ManualClock):
    """Insert a task with a fresh id."""

    def add(title: str = "交表", way: Way = Way.NOTICE, lifecycle=PERMANENT, status: Status = Status.ACTIVE) -> Task:
        with store.write() as tx:
            made = new_task(
                tasks.new_id(tx), title=title, description="说明 🌱", way=way, lifecycle=lifecycle,
                zone_name="Asia/Shanghai", now=clock.now(),
            )  # fmt: skip
            made = replace(made, status=status)
            tasks.insert(tx, made)
        return made

    return add


def test_a_task_comes_back_as_it_was_saved(home, add, clock: ManualClock):
    made = add(lifecycle=until(clock.now() + timedelta(days=1)))
    with home.reopen().read() as tx:
        assert tasks.get(tx, made.id) == made


def test_ids_are_t1_t2_and_so_on(add):
    assert [add().id for _ in range(3)] == ["t1", "t2", "t3"]


def test_an_unknown_task_is_said_to_be_unknown(store):
    with store.read() as tx:
        assert tasks.find(tx, "t9") is None
        with pytest.raises(NotFound, match="没有编号为「t9」的任务"):
            tasks.get(tx, "t9")


def test_of_two_changes_to_one_revision_the_second_is_refused(store, add, clock: ManualClock):
    made = add()
    with store.write() as tx:
        tasks.save(tx, complete(made, clock.now()))
    with store.write() as tx, pytest.raises(Conflict, match="刚被改过"):
        tasks.save(tx, replace(made, title="别的", revision=2))
    with store.read() as tx:
        assert tasks.get(tx, made.id).status is Status.COMPLETED


def test_tasks_are_listed_newest_first_page_by_page(store, add):
    for number in range(25):
        add(title=f"第 {number} 件")
    listed: list[str] = []
    cursor = None
    with store.read() as tx:
        while True:
            page = tasks.page(tx, limit=10, before=cursor)
            listed += [task.id for task in page.tasks]
            cursor = page.more
            if cursor is None:
                break
    assert listed == [f"t{number}" for number in range(25, 0, -1)]


def test_tasks_are_listed_by_status_and_way(store, add):
    add(way=Way.NOTICE)
    add(way=Way.NOTICE, status=Status.DELETED)
    add(way=Way.GOAL)
    add(way=Way.GOAL, status=Status.PAUSED)
    with store.read() as tx:
        live = tasks.page(tx, statuses=[Status.ACTIVE, Status.PAUSED])
        goals = tasks.page(tx, statuses=[Status.ACTIVE], ways=[Way.GOAL])
        none = tasks.page(tx, statuses=[Status.EXPIRED])
    assert [task.id for task in live.tasks] == ["t4", "t3", "t1"]
    assert [task.id for task in goals.tasks] == ["t3"]
    assert (none.tasks, none.more) == ((), None)


@pytest.mark.parametrize("cursor", ["", "x", "t", "t-1", "t1; DROP TABLE tasks", "t" + "9" * 30, "t٣"])
def test_a_cursor_that_is_none_is_refused(store, cursor: str):
    with store.read() as tx, pytest.raises(BadInput, match="看不懂翻页位置"):
        tasks.page(tx, before=cursor)


def test_a_page_is_never_larger_than_its_bound(store, add):
    for _ in range(3):
        add()
    with store.read() as tx:
        assert len(tasks.page(tx, limit=-5).tasks) == 1
        assert len(tasks.page(tx, limit=10**9).tasks) == 3


# The journal


def test_the_journal_keeps_what_was_written(home, clock: ManualClock):
    with home.store.write() as tx:
        journal.write(
            tx, "t1", Kind.REVISED, at=clock.now(), who="小明", why="改期", data={"title": {"from": "甲", "to": "乙"}}
        )
    with home.reopen().read() as tx:
        (entry,) = journal.of_task(tx, "t1")
    assert (entry.seq, entry.task_id, entry.at, entry.kind) == (1, "t1", clock.now(), Kind.REVISED)
    assert (entry.who, entry.why, entry.data) == ("小明", "改期", {"title": {"from": "甲", "to": "乙"}})


def test_a_task_reads_its_entries_newest_first_and_a_feed_reads_all_in_order(store, clock: ManualClock):
    with store.write() as tx:
        for number in range(6):
            journal.write(tx, f"t{number % 2 + 1}", Kind.ASKED, at=clock.now(), who="user", why=str(number))
    with store.read() as tx:
        newest = journal.of_task(tx, "t1", limit=2)
        assert [entry.why for entry in newest] == ["4", "2"]
        assert [entry.why for entry in journal.of_task(tx, "t1", before=newest[-1].seq)] == ["0"]
        assert [entry.why for entry in journal.since(tx, 2, limit=3)] == ["2", "3", "4"]
        assert journal.since(tx, journal.last(tx)) == []


def test_a_journal_without_entries_begins_at_zero(store):
    with store.read() as tx:
        assert journal.last(tx) == 0
        assert journal.since(tx, 0) == []


def test_what_is_rolled_back_leaves_no_entry_and_no_hole(store, clock: ManualClock):
    def write_and_fail() -> None:
        with store.write() as tx:
            journal.write(tx, "t1", Kind.CREATED, at=clock.now(), who="user")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_and_fail()
    with store.write() as tx:
        assert journal.write(tx, "t1", Kind.CREATED, at=clock.now(), who="user") == 1


def test_a_reader_of_the_feed_misses_no_late_commit(home, clock: ManualClock):
    """The first writer takes a number, the second one starts and commits; the reader must not get past the first."""
    first, second = home.open(), home.open()
    seen: list[int] = []

    def write_second() -> None:
        with second.write() as tx:
            seen.append(journal.write(tx, "t2", Kind.CREATED, at=clock.now(), who="user"))

    with first.write() as tx:
        assert journal.write(tx, "t1", Kind.CREATED, at=clock.now(), who="user") == 1
        other = threading.Thread(target=write_second)
        other.start()
        with home.store.read() as reading:
            assert journal.since(reading, 0) == []
    other.join()
    with home.store.read() as reading:
        assert [entry.task_id for entry in journal.since(reading, 0)] == ["t1", "t2"]
    assert seen == [2]


# Occurrences


@pytest.fixture
def enter(store, clock: ManualClock):
    """Enter an occurrence of t1 that is due some minutes from now."""

    def enter(
        minutes: int = 0, state: OccurrenceState = OccurrenceState.CLAIMED, task_id: str = "t1", part: str = "daily",
    ):  # fmt: skip
        due = clock.now() + timedelta(minutes=minutes)
        occurrence = occurrences.new(task_id, part, due.isoformat(), due, state, now=clock.now())
        with store.write() as tx:
            return occurrences.add(tx, occurrence, now=clock.now(), who="clock")

    return enter


def test_an_occurrence_comes_back_as_it_was_entered(home, enter):
    entered = enter()
    with home.reopen().read() as tx:
        assert occurrences.get(tx, entered.id) == entered
        assert occurrences.find(tx, "t1", "daily", entered.key) == entered


def test_an_occurrence_is_entered_once(store, enter):
    entered = enter()
    assert enter(state=OccurrenceState.SKIPPED) is None
    with store.read() as tx:
        assert occurrences.of_task(tx, "t1") == [entered]
        assert len(journal.of_task(tx, "t1")) == 1


def test_another_occurrence_with_the_same_short_id_is_entered_under_a_longer_one(store, enter, clock: ManualClock):
    """Twenty bits of luck are not tried for here: the short id is taken by hand."""
    due = clock.now()
    taken = occurrence_id("t1", "daily", due.isoformat())
    with store.write() as tx:
        other = replace(
            occurrences.new("t2", "other", "k", due, OccurrenceState.DUE, now=due), id=taken
        )  # fmt: skip
        assert occurrences.add(tx, other, now=due, who="clock") is not None
    entered = enter()
    assert entered.id.startswith(taken)
    assert len(entered.id) == 27
    assert enter() is None
    with store.read() as tx:
        assert occurrences.get(tx, entered.id).task_id == "t1"
        assert occurrences.get(tx, taken).task_id == "t2"


def test_a_move_is_saved_and_told(store, enter, clock: ManualClock):
    entered = enter()
    clock.advance(timedelta(seconds=3))
    with store.write() as tx:
        after = occurrences.move(tx, entered, OccurrenceState.FAILED, now=clock.now(), who="clock", reason="没有应答")
    with store.read() as tx:
        assert occurrences.get(tx, entered.id) == after
        told = journal.of_task(tx, "t1")[0]
    assert (told.kind, told.why, told.data["occurrence"]) == (Kind.OCCURRENCE_FAILED, "没有应答", entered.id)
    assert after.finished_at == clock.now()


def test_of_two_moves_from_one_revision_the_second_is_refused(store, enter, clock: ManualClock):
    entered = enter()
    with store.write() as tx:
        occurrences.move(tx, entered, OccurrenceState.RUNNING, now=clock.now(), who="clock")
    with store.write() as tx, pytest.raises(Conflict, match="刚被改过"):
        occurrences.move(tx, entered, OccurrenceState.DONE, now=clock.now(), who="clock")
    with store.read() as tx:
        assert len(journal.of_task(tx, "t1")) == 2


def test_an_unknown_occurrence_is_said_to_be_unknown(store):
    with store.read() as tx, pytest.raises(NotFound, match="没有编号为"):
        occurrences.get(tx, "onothing")


def test_occurrences_are_listed_by_task_and_by_time(store, enter, clock: ManualClock):
    third, first, second = enter(30), enter(10), enter(20)
    foreign = enter(15, task_id="t2")
    start = clock.now()
    with store.read() as tx:
        assert occurrences.of_task(tx, "t1", limit=2) == [third, second]
        assert occurrences.of_task(tx, "t1", before=second) == [first]
        assert occurrences.between(tx, start, start + timedelta(minutes=30)) == [first, foreign, second]
        assert occurrences.between(tx, start + timedelta(minutes=10), start + timedelta(hours=1), limit=1) == [first]
        assert occurrences.between(tx, start, start + timedelta(hours=1), after=foreign) == [second, third]
        assert occurrences.between(tx, start + timedelta(hours=1), start + timedelta(hours=2)) == []


def test_what_is_open_of_a_part_is_found_and_counted(store, enter):
    enter(1, OccurrenceState.DONE)
    claimed, running, due = enter(2), enter(3, OccurrenceState.RUNNING), enter(4, OccurrenceState.DUE)
    enter(5, part="other")
    with store.read() as tx:
        assert occurrences.open_of(tx, "t1", "daily") == [claimed, running, due]
        assert occurrences.counts(tx, "t1", "daily") == (2, 1)
        assert occurrences.counts(tx, "t1", "nothing") == (0, 0)


# Schedules


def a_schedule(now: datetime, **rest) -> Schedule:
    given = {
        "id": "s1", "task_id": "t1", "part": "daily", "trigger": Cron.parse("@daily"), "zone": "Asia/Shanghai",
        "action": Action("tell", {"text": "喝水"}), "settled": now,
    }  # fmt: skip
    return Schedule(**(given | rest))


def test_every_kind_of_schedule_comes_back_as_it_was_saved(home, clock: ManualClock):
    now = clock.now()
    made = [
        a_schedule(now),
        a_schedule(now, id="s2", part="b", trigger=Cron.parse("0 9 * * Mon-fri"), overlap=Overlap.QUEUE),
        a_schedule(now, id="s3", part="c", trigger=Every(90, now + timedelta(microseconds=1)), missed=Missed.ALL),
        a_schedule(now, id="s4", part="d", trigger=At(datetime.fromisoformat("2026-10-25T02:30:00.000001+01:00"))),
        a_schedule(now, id="s5", part="e", state=ScheduleState.PAUSED, revision=7, zone="Australia/Lord_Howe"),
    ]
    with home.store.write() as tx:
        for schedule in made:
            schedules.insert(tx, schedule)
    with home.reopen().read() as tx:
        assert schedules.of_task(tx, "t1") == made
        assert schedules.in_state(tx, ScheduleState.ACTIVE, None, 10) == made[:4]
        assert schedules.in_state(tx, ScheduleState.ACTIVE, made[1], 1) == [made[2]]
        assert schedules.get(tx, "s3") == made[2]
        assert schedules.find_part(tx, "t1", "d") == made[3]
        assert schedules.find_part(tx, "t2", "d") is None


def test_a_part_of_a_task_has_one_schedule(store, clock: ManualClock):
    with store.write() as tx:
        schedules.insert(tx, a_schedule(clock.now()))
        schedules.insert(tx, a_schedule(clock.now(), id="s2", task_id="t2"))
    with store.write() as tx, pytest.raises(Conflict, match="已经有叫「daily」"):
        schedules.insert(tx, a_schedule(clock.now(), id="s3"))


def test_a_schedule_of_another_revision_is_not_written(store, clock: ManualClock):
    made = a_schedule(clock.now())
    with store.write() as tx:
        schedules.insert(tx, made)
        renewed = schedules.renew(tx, replace(made, state=ScheduleState.PAUSED))
    assert renewed == replace(made, state=ScheduleState.PAUSED, revision=2)
    with store.write() as tx, pytest.raises(Conflict, match="刚被改过"):
        schedules.move_on(tx, made)
    with store.read() as tx:
        assert schedules.get(tx, "s1") == renewed


def test_an_unknown_schedule_is_said_to_be_unknown(store):
    with store.read() as tx:
        assert schedules.find(tx, "s9") is None
        with pytest.raises(NotFound, match="没有编号为"):
            schedules.get(tx, "s9")
