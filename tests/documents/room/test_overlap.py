"""T24-T27: one run of a task at a time, a bounded number together, and who calls off what."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from tests.documents.room.house import PATIENCE, StandingClock, cut_off

from zhixing.documents import ledger
from zhixing.documents.files import tasks_folder
from zhixing.documents.model import Standing
from zhixing.documents.operations import Change
from zhixing.documents.run import PAUSES, Cause, RunState
from zhixing.kernel.errors import Conflict
from zhixing.kernel.moments import parse_instant
from zhixing.tasks.occurrence import OccurrenceState
from zhixing.world.sandbox.port import Command, Finished
from zhixing.world.sandbox.scripted import printing

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
TEN = timedelta(minutes=10)
DAY = timedelta(days=1)
TO_NINE = timedelta(hours=23)


class Meanwhile:
    """A script during which something happens, once; later ones just print."""

    def __init__(self, house, happening) -> None:
        self._house = house
        self._happening = happening
        house.answer = self

    def __call__(self, command: Command) -> Finished | None:
        happening, self._happening = self._happening, None
        if happening is not None and happening() is False:
            return None  # goes on until it is stopped
        return printing(b"ok")(command)


def tick_during_a_run(house, when: str = "*/10 * * * *", **fields) -> None:
    """Have a run begin just before an instant, which another process sees come."""
    house.write("task", when, **fields)
    house.sync()
    house.run(TEN - 2 * SECOND)
    house.by_hand("task")

    def happening():
        house.clock.jump(2 * SECOND)
        house.beside().engine.drain()

    Meanwhile(house, happening)
    house.run()


def test_t25_an_instant_during_a_run_is_skipped_and_recorded(house):
    tick_during_a_run(house)
    assert [run.cause for run in house.runs("task")] == [Cause.MANUAL]
    assert ("skipped", "overlap", 1) in house.outcomes("task")
    house.run(TEN)
    assert [run.cause for run in house.runs("task")] == [Cause.MANUAL, Cause.CRON]


def test_t26_with_queue_it_runs_afterwards(house):
    tick_during_a_run(house, overlap="queue")
    assert [(run.cause, run.state) for run in house.runs("task")] == [
        (Cause.MANUAL, RunState.SUCCESS),
        (Cause.CRON, RunState.SUCCESS),
    ]
    assert len(house.told) == 2


def test_with_replace_the_run_under_way_is_called_off(house):
    house.write("task", "*/10 * * * *", overlap="replace")
    house.sync()
    house.run(TEN - 2 * SECOND)
    house.by_hand("task")

    def happening() -> bool:
        house.clock.jump(2 * SECOND)
        house.beside().engine.drain()
        return False

    Meanwhile(house, happening)
    house.run()
    assert [(run.cause, run.state) for run in house.runs("task")] == [
        (Cause.MANUAL, RunState.CANCELLED),
        (Cause.CRON, RunState.SUCCESS),
    ]


def test_t26_at_most_one_waits(house):
    house.write("task", "* * * * *", overlap="queue")
    house.sync()
    house.run(MINUTE - SECOND)
    house.by_hand("task")

    def happening():
        beside = house.beside()
        for _ in range(5):
            house.clock.jump(SECOND)
            beside.engine.drain()

    Meanwhile(house, happening)
    house.run()
    house.run(MINUTE)
    assert len([run for run in house.runs("task") if run.cause is Cause.CRON]) == 2

    def waits():
        house.by_hand("task", queue=True)
        with pytest.raises(Conflict):
            house.by_hand("task", queue=True)

    house.by_hand("task")
    Meanwhile(house, waits)
    house.run()
    assert house.states("task")[-2:] == [RunState.SUCCESS] * 2


def test_t24_a_second_run_by_hand_is_refused_and_names_the_first(house):
    house.create("task", "0 9 * * *")
    first = house.by_hand("task")
    with pytest.raises(Conflict) as refused:
        house.by_hand("task")
    assert first.id in str(refused.value)
    house.run()
    assert house.by_hand("task").id > first.id


def test_t24_whatever_happens_at_once_two_runs_of_a_task_never_overlap(house):
    """A run under way, an instant, pausing and enabling, runs by hand, a second process: one after the other."""
    house.write("task", "*/10 * * * *", overlap="queue")
    house.sync()
    under_way, most = [0], [0]

    def answer(command):
        under_way[0] += 1
        most[0] = max(most[0], under_way[0])
        beside = house.beside()
        if len(house.performed) < 4:
            house.clock.jump(2 * SECOND)
            beside.engine.drain()
            beside.documents.set_status(house.project, "task", Standing.PAUSED, who="b")
            beside.documents.set_status(house.project, "task", Standing.ENABLED, who="b")
            with pytest.raises(Conflict):
                beside.documents.run(house.project, "task", who="b")
            beside.engine.drain()
        under_way[0] -= 1
        return printing(b"ok")(command)

    house.answer = answer
    house.run(TEN - SECOND)
    house.by_hand("task")
    house.run()
    house.run(TEN)
    assert most == [1]
    assert set(house.states("task")) == {RunState.SUCCESS, RunState.CANCELLED}, "pausing calls off what waits"


def test_an_overlap_changed_from_queue_to_skip_leaves_nothing_waiting_for_ever(house):
    house.write("task", "* * * * *", overlap="queue")
    house.sync()
    waiting = []

    def happening():
        beside = house.beside()
        for _ in range(15):
            # In steps that a lease outlasts while its worker is alive.
            house.clock.jump(4 * SECOND)
            house.app.engine._timekeeper.tend()
            beside.engine.drain()
        waiting.extend(each for each in house.occurrences("task") if each.state is OccurrenceState.DUE)
        beside.documents.update(house.project, "task", Change({"overlap": "skip"}), who="b")

    Meanwhile(house, happening)
    house.run(MINUTE)
    assert len(waiting) == 1
    house.run(MINUTE)
    house.run(MINUTE)
    assert all(not each.open for each in house.occurrences("task"))
    assert house.states("task") == [RunState.SUCCESS] * 3


def test_t27_a_long_run_is_in_nobodys_way(furnished):
    """Nine hours of one task; the other one, due meanwhile, starts on time."""
    clock = StandingClock(parse_instant("2026-10-12T09:00:00+08:00"))
    house = furnished(clock=clock)
    house.create("long", "@manual")
    house.create("short", "0 18 * * *")
    begun, done = threading.Event(), threading.Event()

    def answer(command):
        if command.env["DC_RUN_ID"] == long.id:
            begun.set()
            done.wait(PATIENCE)
        else:
            done.set()
        return printing(b"ok")(command)

    house.answer = answer
    long = house.by_hand("long")
    house.app.engine.start()
    try:
        assert begun.wait(PATIENCE)
        clock.jump(timedelta(hours=9))
        assert done.wait(PATIENCE)
    finally:
        done.set()
        house.app.engine.stop()
    assert house.record(house.only("short"))["trigger"]["lateSeconds"] == 0


def test_the_runs_of_all_tasks_together_are_bounded_and_start_in_order(furnished):
    house = furnished(clock=StandingClock(parse_instant("2026-10-12T10:00:00+08:00")), at_once=3)
    for number in range(20):
        house.create(f"task{number:02}", "@manual")
    guard, full, under_way, most = threading.Lock(), threading.Event(), [0], [0]

    def answer(command):
        with guard:
            under_way[0] += 1
            most[0] = max(most[0], under_way[0])
            if under_way[0] == 3:
                full.set()
        assert full.wait(PATIENCE)
        with guard:
            under_way[0] -= 1
        return printing(b"ok")(command)

    house.answer = answer
    wanted = [house.by_hand(f"task{number:02}").id for number in range(20)]
    house.app.engine.start()
    over = threading.Event()
    try:
        for _ in range(PATIENCE * 100):
            if not any(run.state.open for run in house.runs()):
                break
            over.wait(0.01)
    finally:
        house.app.engine.stop()
    assert [run.state for run in house.runs()] == [RunState.SUCCESS] * 20
    assert most == [3]
    # Three begin together, in whatever order; nobody overtakes those of three further on.
    assert all(abs(house.performed.index(run_id) - place) <= 3 for place, run_id in enumerate(wanted))


def test_twenty_due_in_one_second_all_run_once(house):
    for number in range(20):
        house.write(f"task{number}", "0 9 * * *")
    house.sync()
    house.run(TO_NINE)
    assert house.states() == [RunState.SUCCESS] * 20
    assert len({run.id for run in house.runs()}) == 20
    assert len(house.told) == 20
    assert house.performed == sorted(house.performed)


def test_a_run_that_waits_is_called_off_at_once(house):
    house.create("task", "@manual")
    house.by_hand("task")
    waiting = house.by_hand("task", queue=True)
    assert waiting.state is RunState.QUEUED
    assert house.app.documents.cancel(waiting.id, who="test").state is RunState.CANCELLED
    house.run()
    assert house.states("task") == [RunState.SUCCESS, RunState.CANCELLED]
    assert len(house.performed) == 1


def test_a_run_that_is_promised_is_called_off_before_it_does_anything(house):
    house.create("task", "@manual")
    run = house.by_hand("task")
    assert run.state is RunState.STARTING
    house.app.documents.cancel(run.id, who="test")
    house.run()
    assert house.states("task") == [RunState.CANCELLED]


def test_a_run_is_called_off_from_another_process(house):
    house.create("task", "@manual")
    run = house.by_hand("task")

    def happening() -> bool:
        house.beside().documents.cancel(run.id, who="b")
        return False

    Meanwhile(house, happening)
    house.run()
    assert house.states("task") == [RunState.CANCELLED]
    assert "取消" in house.told[0]
    assert house.record(run)["status"] == "cancelled"
    assert house.app.documents.cancel(run.id, who="b").state is RunState.CANCELLED
    house.by_hand("task")
    house.run()
    assert house.states("task") == [RunState.CANCELLED, RunState.SUCCESS]


def test_a_task_deleted_during_its_run_stops_it_and_tells_nothing(house):
    house.create("task", "@manual")
    run = house.by_hand("task")
    house.by_hand("task", queue=True)

    def happening() -> bool:
        house.beside().documents.delete(house.project, "task", who="b")
        return False

    Meanwhile(house, happening)
    house.run()
    house.run(DAY)
    assert house.states() == [RunState.CANCELLED] * 2
    assert house.app.documents.find_run(run.id).state is RunState.CANCELLED
    assert house.told == []
    assert len(house.performed) == 1


def test_pausing_lets_what_runs_end_and_takes_back_no_result(house):
    house.write("task", "*/10 * * * *")
    house.sync()
    Meanwhile(house, lambda: house.update("task", status="paused") and None)
    house.run(TEN)
    house.run(TEN)
    assert house.states("task") == [RunState.SUCCESS]
    assert house.told == ["ok"]


def test_a_task_runs_by_hand_whatever_its_status(house):
    for status in ("enabled", "paused", "disabled"):
        house.create(status, "0 9 * * *", status=status)
        house.by_hand(status, reason="试试")
    house.run()
    assert house.states() == [RunState.SUCCESS] * 3
    assert house.record(house.only("paused"))["trigger"]["reason"] == "试试"


def test_a_failure_is_tried_again_after_growing_pauses_and_told_once(house):
    house.write("task", "0 9 * * *", retries="2")
    house.sync()
    house.answer = printing(b"", b"no", code=1)
    house.run(TO_NINE)
    assert house.states("task") == [RunState.FAILURE, RunState.QUEUED]
    assert house.told == []
    house.run(PAUSES[0] - SECOND)
    assert len(house.performed) == 1
    house.run(SECOND)
    assert len(house.performed) == 2
    house.run(PAUSES[1])
    assert house.states("task") == [RunState.FAILURE] * 3
    assert [run.attempt for run in house.runs("task")] == [1, 2, 3]
    assert len(house.told) == 1
    assert house.outcomes("task")[0][0] == "failed"
    house.run(DAY)


def test_a_retry_that_succeeds_is_the_result_and_outlasts_a_restart(house):
    house.write("task", "time:2026-10-12T11:00:00+08:00", retries="1")
    house.sync()
    house.answer = printing(b"", code=1)
    house.run(timedelta(hours=1))
    house.answer = printing(b"second")
    house.restart()
    house.run(PAUSES[0])
    assert house.states("task") == [RunState.FAILURE, RunState.SUCCESS]
    assert house.told == ["second"]
    assert house.outcomes("task") == [("done", None, 1)]


def test_a_pause_calls_off_the_retry_of_an_instant(house):
    house.write("task", "0 9 * * *", retries="3")
    house.sync()
    house.answer = printing(b"", code=1)
    house.run(TO_NINE)
    house.update("task", status="paused")
    house.run(timedelta(hours=1))
    assert house.states("task") == [RunState.FAILURE, RunState.CANCELLED]
    assert len(house.performed) == 1


def test_the_newest_runs_are_kept(furnished):
    house = furnished(kept=3)
    house.create("task", "@manual")
    for _ in range(6):
        house.by_hand("task")
        house.run(MINUTE)
    runs = house.runs("task")
    assert len(runs) == 3
    folders = sorted(each.name for each in (house.project / ".downcity/task/task").iterdir() if each.is_dir())
    assert folders == [run.id for run in runs]


def test_the_newest_runs_are_kept_also_when_the_folder_gets_another_name_meanwhile(furnished):
    house = furnished(kept=1)
    house.write("task", "@manual")
    house.by_hand("task")
    house.run()
    folder = tasks_folder(house.project) / "task"
    renamed = folder.with_name("renamed")
    run = house.by_hand("task")
    Meanwhile(house, lambda: folder.rename(renamed))
    house.run()
    assert [each.name for each in renamed.iterdir() if each.is_dir()] == [run.id]


def test_who_calls_off_a_run_that_was_called_off_hears_the_first_reason(house):
    house.write("task", "@manual")
    run = house.by_hand("task")
    heard = []

    def twice():
        with house.home.store.write() as tx:
            heard.extend(ledger.ask_to_cancel(tx, run, why).why for why in ("cancelled", "replaced"))

    Meanwhile(house, twice)
    house.run()
    assert heard == ["cancelled", "cancelled"]


def test_a_task_runs_by_hand_for_whichever_chat_its_schedule_runs(house):
    """What joins emoji is invisible, and may stand in a file."""
    house.write("task", "@manual", sessionId="👨\u200d👩\u200d👧")
    house.by_hand("task")
    house.run()
    assert house.states("task") == [RunState.SUCCESS]


def test_a_crash_frees_the_place_that_a_run_had(furnished):
    house = furnished(at_once=1)
    house.create("one", "@manual")
    house.create("two", "@manual")
    house.by_hand("one")
    house.by_hand("two")
    house.answer = cut_off
    house.cut()
    house.answer = printing(b"ok")
    house.restart()
    house.run()
    assert house.states() == [RunState.INTERRUPTED, RunState.SUCCESS]


def test_a_one_shot_behind_a_run_by_hand_runs_afterwards_where_it_may_wait(house):
    tick_during_a_run(house, "time:2026-10-12T10:10:00+08:00", overlap="queue")
    assert [(run.cause, run.state) for run in house.runs("task")] == [
        (Cause.MANUAL, RunState.SUCCESS),
        (Cause.TIME, RunState.SUCCESS),
    ]
    assert house.view("task").definition.status is Standing.PAUSED


def test_a_promised_run_of_a_task_that_is_paused_meanwhile_does_not_begin(house):
    """The process ended between the instant and the run; by the next start its author has paused the task."""
    house.write("task", "*/10 * * * *")
    house.create("other", "@manual")
    house.sync()
    house.clock.advance(TEN)
    while not house.runs("task"):
        step(house)
    house.edit("task", "enabled", "paused")
    house.restart()
    house.run()
    assert house.states("task") == [RunState.CANCELLED]
    assert house.performed == []
    house.by_hand("other")
    house.run()
    assert house.states("other") == [RunState.SUCCESS]


def step(house) -> None:
    """Do one job."""
    engine = house.app.engine
    engine._timekeeper.begin()
    engine._timekeeper.tend()
    (held,) = engine._timekeeper.claim(1)
    engine._work(held, engine._write_down)


def test_a_task_is_not_renamed_under_its_run(house):
    house.create("task", "@manual")
    house.by_hand("task")
    with pytest.raises(Conflict):
        house.update("task", title="other")
    house.run()
    assert house.update("task", title="other").title == "other"


def test_a_run_that_is_called_off_while_it_fails_is_not_tried_again(house):
    house.create("task", "@manual", retries="3")
    run = house.by_hand("task")

    def answer(command):
        house.app.documents.cancel(run.id, who="test")
        return printing(b"", b"no", code=1)(command)

    house.answer = answer
    house.run()
    assert house.states("task") == [RunState.CANCELLED]


def test_a_task_that_expires_during_its_run_has_its_result_told(house):
    house.create("task", "*/10 * * * *", expiresAt="2026-10-12T10:10:02+08:00")

    def happening():
        house.clock.jump(3 * SECOND)
        house.beside().engine.drain()

    Meanwhile(house, happening)
    house.run(TEN)
    assert house.states("task") == [RunState.SUCCESS]
    assert house.told == ["ok"]
    assert house.view("task").definition.status is Standing.DISABLED
