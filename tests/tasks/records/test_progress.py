"""Counting: by period, past the target, back again; told once."""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.kernel.errors import BadInput, Conflict, NotFound
from zhixing.tasks import journal
from zhixing.tasks.journal import Kind
from zhixing.tasks.task import Lifecycle, Term, until

HOUR = timedelta(hours=1)
DAILY = {"target": 8, "unit": "杯", "window": "day", "recurring_pattern": {"window": "day"}}
WEEKLY = {"target": 5, "unit": "次", "window": "week", "recurring_pattern": {"window": "week"}}


def once(target: int = 8, end: str = "2026-10-12T23:59:59+08:00") -> dict:
    return {"target": target, "unit": "杯", "window": "day", "expires_at": end}


def test_a_record_begins_empty_and_is_told(ledger):
    task = ledger.task("progress", DAILY)
    shape = ledger.view(task).shape()
    now = "2026-10-12T10:00:00+08:00"
    assert shape == {
        "kind": "progress",
        "record": {
            "id": "rec1",
            "task_id": task.id,
            "target": 8,
            "current": 0,
            "unit": "杯",
            "window": "day",
            "recurring_pattern": {"window": "day"},
            "expires_at": None,
            "status": "active",
            "archived_at": None,
            "created_at": now,
            "updated_at": now,
        },
        "derived": {
            "kind": "progress",
            "current": 0,
            "target": 8,
            "remaining": 8,
            "progress_pct": 0.0,
            "ratio": 0.0,
            "reached": False,
            "reached_at": None,
            "period_start": "2026-10-12T00:00:00+08:00",
            "period_end": "2026-10-13T00:00:00+08:00",
        },
    }
    told = ledger.entries(task)[-1]
    assert (told.kind, told.who) == (Kind.RECORD_BEGUN, "小明")
    assert told.data == {"record": "rec1", "content": {"kind": "progress", **DAILY}}


def test_the_ninth_cup_of_eight_counts(ledger):
    task = ledger.task("progress", DAILY)
    answers = [ledger.write("increment", task, 1) for _ in range(9)]
    assert [(written.current, written.reached, written.first_reached) for written in answers[6:]] == [
        (7, False, False),
        (8, True, True),
        (9, True, False),
    ]
    derived = ledger.derived(task)
    assert (derived["current"], derived["remaining"], derived["progress_pct"], derived["ratio"]) == (9, 0, 1.0, 1.125)
    assert derived["reached_at"] == "2026-10-12T10:00:00+08:00"
    assert ledger.view(task).shape()["record"]["status"] == "active"


def test_one_write_may_pass_the_target(ledger):
    task = ledger.task("progress", DAILY)
    assert ledger.write("increment", task, 20).first_reached
    assert len(ledger.reached) == 1


def test_reaching_it_again_is_no_news(ledger, clock):
    task = ledger.task("progress", DAILY)
    first = ledger.write("increment", task, 8)
    at = clock.now()
    clock.advance(HOUR)
    back = ledger.write("increment", task, -3)
    again = ledger.write("increment", task, 3)
    assert (first.first_reached, back.first_reached, again.first_reached) == (True, False, False)
    assert (back.current, back.reached, again.current, again.reached) == (5, False, 8, True)
    assert ledger.reached == [(task.id, "2026-10-12", at)]
    assert ledger.view(task).reached_at == at
    assert [entry.kind for entry in ledger.entries(task)].count(Kind.TARGET_REACHED) == 1


def test_every_day_is_reached_for_itself(ledger):
    task = ledger.task("progress", DAILY)
    for day in ("10-12", "10-13", "10-14"):
        ledger.go_to(f"{day} 20:00")
        assert ledger.write("increment", task, 8).first_reached
    assert [day for _, day, _ in ledger.reached] == ["2026-10-12", "2026-10-13", "2026-10-14"]


def test_it_never_goes_below_zero(ledger):
    task = ledger.task("progress", DAILY)
    nothing = ledger.write("increment", task, -1)
    assert (nothing.applied, nothing.why, nothing.current) == (False, "zero", 0)
    ledger.write("increment", task, 2)
    assert ledger.write("increment", task, -5).current == 0
    assert ledger.write("increment", task, 1).current == 1


def test_what_is_taken_back_in_a_week_leaves_no_day_below_zero(ledger):
    task = ledger.task("progress", WEEKLY)
    ledger.write("increment", task, 2)  # Monday
    ledger.go_to("10-13 09:00")
    ledger.write("increment", task, 1)
    assert ledger.write("increment", task, -2).current == 1
    days = [ledger.ask("compute", task, day=f"2026-10-{day}")["derived"]["current"] for day in (12, 13)]
    assert days == [1, 0]
    assert ledger.derived(task)["current"] == 1


def test_the_new_day_begins_at_midnight_whatever_runs(ledger):
    task = ledger.task("progress", DAILY)
    ledger.write("increment", task, 3)
    ledger.go_to("10-12 23:59:59")
    assert ledger.write("increment", task, 1).current == 4
    ledger.go_to("10-13 00:00:00")
    assert ledger.derived(task)["current"] == 0
    assert ledger.write("increment", task, 1).current == 1


def test_after_an_outage_of_days_each_write_goes_where_it_belongs(ledger):
    task = ledger.task("progress", DAILY)
    ledger.go_to("10-16 08:00")
    assert ledger.write("increment", task, 2).current == 2
    late = ledger.write("increment", task, 8, at="10-13 21:00")
    assert (late.current, late.first_reached) == (8, True)
    assert ledger.derived(task)["current"] == 2
    assert ledger.derived(task)["reached_at"] is None
    assert ledger.reached == [(task.id, "2026-10-13", ledger.wall("10-13 21:00"))]
    lines = ledger.ask("archives", task)["archives"]
    assert [(line["date"], line["current"], line["target"], line["status"]) for line in lines] == [
        ("2026-10-15", 0, 8, "active"),
        ("2026-10-14", 0, 8, "active"),
        ("2026-10-13", 8, 8, "completed"),
        ("2026-10-12", 0, 8, "active"),
    ]
    assert lines[2]["reached_at"] == "2026-10-13T21:00:00+08:00"
    assert lines[2]["period_start"] == "2026-10-13T00:00:00+08:00"


def test_the_same_key_counts_once_and_is_answered_alike(ledger):
    task = ledger.task("progress", DAILY)
    ledger.write("increment", task, 7)
    first = ledger.write("increment", task, 1, key="o1")
    ledger.write("increment", task, 1)
    again = ledger.write("increment", task, 1, key="o1")
    assert (first.applied, first.why, first.current, first.first_reached) == (True, "", 8, True)
    assert (again.applied, again.why, again.current, again.first_reached) == (False, "again", 8, True)
    assert ledger.derived(task)["current"] == 9
    assert len(ledger.reached) == 1


def test_keys_are_each_records_own(ledger):
    one, other = ledger.task("progress", DAILY), ledger.task("progress", DAILY)
    assert ledger.write("increment", one, 1, key="o1").applied
    assert ledger.write("increment", other, 1, key="o1").applied


def test_a_write_that_was_refused_stays_refused_under_its_key(ledger):
    task = ledger.task("progress", DAILY)
    ledger.change("pause", task)
    assert ledger.write("increment", task, 1, key="o1").why == "paused"
    ledger.change("resume", task)
    again = ledger.write("increment", task, 1, key="o1")
    assert (again.applied, again.why, again.current) == (False, "again", 0)


def test_keys_are_forgotten_when_nobody_can_ask_again(ledger):
    task = ledger.task("progress", DAILY)
    ledger.write("increment", task, 1, key="old")
    ledger.clock.advance(timedelta(days=401))
    ledger.write("increment", task, 1, key="new")
    with ledger.store.read() as tx:
        assert tx.rows("SELECT key FROM record_writes") == [("new",)]


@pytest.mark.parametrize(("operation", "why"), [("pause", "paused"), ("complete", "ended"), ("delete", "ended")])
def test_a_task_that_is_not_active_counts_nothing(ledger, operation, why):
    task = ledger.task("progress", DAILY)
    ledger.write("increment", task, 3)
    told = len(ledger.entries(ledger.change(operation, task)))
    written = ledger.write("increment", task, 1)
    assert (written.applied, written.why, written.current, written.first_reached) == (False, why, 3, False)
    assert ledger.view(task).standing.current == 3
    assert len(ledger.entries(task)) == told


def test_a_oneshot_is_completed_by_its_target_and_counts_on(ledger):
    task = ledger.task("progress", once(), life=until(ledger.wall("10-12 23:59:59")))
    ledger.write("increment", task, 8)
    ledger.write("increment", task, 1)
    shape = ledger.view(task).shape()
    assert (shape["record"]["status"], shape["record"]["current"]) == ("completed", 9)
    assert shape["derived"]["period_end"] == "2026-10-12T23:59:59+08:00"
    ledger.write("increment", task, -4)
    assert ledger.view(task).shape()["record"]["status"] == "completed"


def test_a_oneshot_over_midnight_goes_on_counting(ledger):
    task = ledger.task("progress", once(end="2026-10-13T10:00:00+08:00"))
    ledger.write("increment", task, 5)
    ledger.go_to("10-13 08:00")
    assert ledger.write("increment", task, 3).first_reached
    assert ledger.ask("archives", task)["archives"] == []


@pytest.mark.parametrize(("at", "applied"), [("10-12 23:59:58", True), ("10-12 23:59:59", False)])
def test_after_its_end_nothing_is_counted(ledger, at, applied):
    task = ledger.task("progress", once())
    ledger.go_to("10-13 00:00:30")
    written = ledger.write("increment", task, 1, at=at)
    assert (written.applied, written.why) == (applied, "" if applied else "ended")


def test_the_end_of_the_task_ends_the_record_too(ledger):
    task = ledger.task("progress", DAILY, life=Lifecycle(Term.TARGET, ledger.wall("10-12 12:00")))
    ledger.go_to("10-12 12:00")
    assert ledger.write("increment", task, 1).why == "ended"


def test_two_kinds_of_records_do_not_mix(ledger):
    task = ledger.task("progress", DAILY)
    for operation in ("start_session", "end_session", "reach"):
        with pytest.raises(BadInput, match="这个任务的记录是 progress，这个操作只用于 duration。"):
            ledger.write(operation, task)
    with pytest.raises(BadInput, match="这个操作只用于 event"):
        ledger.write("append", task, "猫")


def test_a_task_has_at_most_one_record(ledger):
    task = ledger.task("progress", DAILY)
    content = ledger.view(task).record.content
    with pytest.raises(Conflict, match="已经有记录了"):
        ledger.do("init", task, content)
    ledger.do("remove", task)
    with pytest.raises(NotFound, match="这个任务没有记录。"):
        ledger.view(task)
    assert ledger.ask("snapshot", task) is None
    assert ledger.do("init", task, content).id == "rec2"


def test_an_ended_task_gets_no_record(ledger):
    task = ledger.task("progress", DAILY)
    content = ledger.view(task).record.content
    ledger.do("remove", task)
    ledger.change("complete", task)
    with pytest.raises(Conflict, match="已经完成了"):
        ledger.do("init", task, content)


def test_an_end_that_has_passed_is_refused(ledger):
    with pytest.raises(BadInput, match=r"截止时间 2026-10-12T09:00:00\+08:00 已经过去"):
        ledger.task("progress", once(end="2026-10-12T09:00:00+08:00"))


# Changing it


def test_a_lower_target_may_be_reached_at_once(ledger, clock):
    task = ledger.task("progress", DAILY)
    ledger.write("increment", task, 5)
    ledger.do("update", task, {"target": 6})
    assert ledger.reached == []
    ledger.do("update", task, {"target": 5})
    assert ledger.reached == [(task.id, "2026-10-12", clock.now())]
    assert not ledger.write("increment", task, 1).first_reached


def test_a_higher_target_keeps_that_the_period_was_reached(ledger, clock):
    task = ledger.task("progress", DAILY)
    ledger.write("increment", task, 8)
    at = clock.now()
    clock.advance(HOUR)
    ledger.do("update", task, {"target": 10})
    derived = ledger.derived(task)
    assert (derived["reached"], derived["remaining"], derived["reached_at"]) == (False, 2, "2026-10-12T10:00:00+08:00")
    assert not ledger.write("increment", task, 2).first_reached
    assert ledger.reached == [(task.id, "2026-10-12", at)]


def test_a_oneshot_that_is_to_do_more_is_not_completed_any_more(ledger):
    task = ledger.task("progress", once())
    ledger.write("increment", task, 8)
    ledger.do("update", task, {"target": 10})
    assert not ledger.view(task).completed
    ledger.write("increment", task, 2)
    assert ledger.view(task).completed


def test_a_day_counter_becomes_a_week_counter_and_nothing_is_lost(ledger):
    task = ledger.task("progress", DAILY)
    ledger.write("increment", task, 3)
    ledger.go_to("10-14 10:00")
    ledger.write("increment", task, 2)
    ledger.do("update", task, {"window": "week", "recurring_pattern": {"window": "week"}, "target": 20})
    derived = ledger.derived(task)
    assert (derived["current"], derived["remaining"], derived["period_end"]) == (5, 15, "2026-10-19T00:00:00+08:00")


def test_archives_show_the_target_that_held_then(ledger):
    task = ledger.task("progress", DAILY)
    ledger.write("increment", task, 8)
    ledger.go_to("10-14 10:00")
    ledger.do("update", task, {"target": 10})
    ledger.go_to("10-15 10:00")
    lines = ledger.ask("archives", task)["archives"]
    assert [(line["date"][-2:], line["target"]) for line in lines] == [("14", 10), ("13", 8), ("12", 8)]
    ledger.do("update", task, {"window": "month"})
    ledger.go_to("11-02 10:00")
    (line,) = ledger.ask("archives", task)["archives"]
    assert (line["date"], line["current"], line["target"]) == ("2026-10-01", 8, 10)


def test_a_change_is_told_and_the_same_again_is_none(ledger):
    task = ledger.task("progress", DAILY)
    before = len(ledger.entries(task))
    assert ledger.do("update", task, {"target": 8}).revision == 1
    assert len(ledger.entries(task)) == before
    assert ledger.do("update", task, {"target": 9}).revision == 2
    told = ledger.entries(task)[-1]
    assert (told.kind, told.data["record"]["from"]["target"], told.data["record"]["to"]["target"]) == (
        Kind.REVISED,
        8,
        9,
    )


def test_a_paused_task_can_be_changed_and_counts_when_it_goes_on(ledger):
    task = ledger.task("progress", DAILY)
    ledger.write("increment", task, 5)
    ledger.change("pause", task)
    ledger.do("update", task, {"target": 4})
    assert ledger.reached == []
    ledger.change("resume", task)
    assert ledger.write("increment", task, 1).first_reached


def test_what_cannot_be_changed(ledger):
    task = ledger.task("progress", DAILY)
    with pytest.raises(BadInput, match="不能改「current」"):
        ledger.do("update", task, {"current": 4})
    with pytest.raises(BadInput, match="截止时间"):
        ledger.do("update", task, {"expires_at": "2026-10-12T09:00:00+08:00"})
    other = ledger.view(ledger.task("event", {})).record.content
    with pytest.raises(BadInput, match="记录的种类（progress）不能改"):
        ledger.do("set_content", task, other)
    ledger.change("delete", task)
    with pytest.raises(Conflict, match="已经删除"):
        ledger.do("update", task, {"target": 9})


def test_a_transaction_that_fails_leaves_nothing(ledger):
    task = ledger.task("progress", DAILY)

    def fail(*_: object) -> None:
        raise RuntimeError

    ledger.records._first_reached = fail
    with pytest.raises(RuntimeError), ledger.store.write() as tx:
        ledger.records.increment(tx, task.id, 8, at=ledger.clock.now(), key="o1", who="小明")
    ledger.open()
    assert ledger.derived(task)["current"] == 0
    assert ledger.write("increment", task, 8, key="o1").first_reached


def test_what_the_target_sets_off_happens_in_the_same_transaction(steady):
    """A task that is meant to live until its target is completed by the write that reaches it."""
    steady.records._first_reached = lambda tx, task_id, _period, _at: steady.tasks.complete(tx, task_id, who="记录")
    task = steady.task("progress", once(2), life=Lifecycle(Term.TARGET))
    steady.write("increment", task, 1)
    assert steady.write("increment", task, 1).first_reached
    assert steady.write("increment", task, 1).why == "ended"
    with steady.store.read() as tx:
        kinds = [entry.kind for entry in journal.of_task(tx, task.id)][::-1]
    assert kinds[-3:] == [Kind.RECORDED, Kind.TARGET_REACHED, Kind.COMPLETED]
