"""task record …: the shapes of miloco.md §4 from the command line, and what a record refuses."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

CONTENTS = {
    "water": ("progress", '{"target":3,"unit":"杯","window":"day","recurring_pattern":{"window":"day"}}'),
    "once": ("progress", '{"target":2,"unit":"次","window":"week","expires_at":"2026-10-18T23:59:59+08:00"}'),
    "phone": ("duration", '{"target_minutes":60,"recurring_pattern":{"window":"day"}}'),
    "cough": ("event", "{}"),
}


def filled(terminal):
    for slug, (kind, content) in CONTENTS.items():
        terminal("task", "create", "--task-id", slug, "--description", slug)
        assert terminal("task", "record", "init", slug, "--kind", kind, "--content", content).code == 0
    return terminal


@pytest.fixture
def recorded(on_any_store):
    """Give a home with a task for each kind of record."""
    return filled(on_any_store)


@pytest.fixture
def quick(miloco):
    """Give the same on one database, for what the database has no part in."""
    return filled(miloco)


def test_a_progress_record_has_its_shape(recorded):
    shown = recorded("task", "record", "get", "water").data
    record = shown["record"]
    assert (shown["kind"], record["task_id"], record["target"], record["current"]) == ("progress", "water", 3, 0)
    assert (record["unit"], record["window"], record["recurring_pattern"]) == ("杯", "day", {"window": "day"})
    assert (record["status"], record["expires_at"], record["archived_at"]) == ("active", None, None)
    assert record["created_at"] == "2026-10-12T10:00:00+08:00"
    derived = shown["derived"]
    assert (derived["kind"], derived["remaining"], derived["progress_pct"]) == ("progress", 3, 0)
    assert (derived["period_start"], derived["period_end"]) == (
        "2026-10-12T00:00:00+08:00",
        "2026-10-13T00:00:00+08:00",
    )


def test_counting_goes_on_past_the_target_and_says_once_that_it_is_reached(recorded):
    said = [recorded("task", "record", "progress-inc", "water").data for _ in range(4)]
    assert [one["current"] for one in said] == [1, 2, 3, 4]
    assert [one["first_reached"] for one in said] == [False, False, True, False]
    assert [one["derived"]["remaining"] for one in said] == [2, 1, 0, 0]
    assert said[3]["derived"]["progress_pct"] == 1.0
    assert {(one["ok"], one["target"], one["status"]) for one in said} == {(True, 3, "active")}
    assert recorded("task", "record", "progress-inc", "water", "--delta", "-1").data["current"] == 3
    assert recorded("task", "record", "get", "water").data["derived"]["reached_at"] == "2026-10-12T10:00:00+08:00"


def test_what_is_to_be_reached_once_is_completed_by_it(recorded):
    recorded("task", "record", "progress-inc", "once")
    assert recorded("task", "record", "progress-inc", "once").data["status"] == "completed"


def test_the_same_fire_id_counts_once(recorded):
    first = recorded("task", "record", "progress-inc", "water", "--fire-id", "f1").data
    again = recorded("task", "record", "progress-inc", "water", "--fire-id", "f1").data
    assert (first["current"], "noop" in first) == (1, False)
    assert (again["ok"], again["noop"], again["reason"], again["current"]) == (True, True, "duplicate", 1)
    recorded("task", "record", "event-append", "cough", "--description", "咳", "--fire-id", "f1")
    same = recorded("task", "record", "event-append", "cough", "--description", "咳", "--fire-id", "f1").data
    assert same["derived"]["count_total"] == 1


def test_of_a_paused_task_nothing_is_recorded(recorded):
    for slug in CONTENTS:
        recorded("task", "disable", slug)
    for argv in (
        ("progress-inc", "water"),
        ("event-append", "cough", "--description", "咳"),
        ("session-start", "phone"),
        ("session-end", "phone"),
    ):
        said = recorded("task", "record", *argv).data
        assert (said["ok"], said["noop"], said["reason"]) == (True, True, "task_paused"), argv


def test_a_session_is_begun_and_ended(recorded, clock):
    begun = recorded("task", "record", "session-start", "phone").data
    assert (begun["ok"], begun["start_at"], begun["status"]) == (True, "2026-10-12T10:00:00+08:00", "active")
    clock.advance(timedelta(minutes=30, milliseconds=500))
    again = recorded("task", "record", "session-start", "phone").data
    assert (again["already_active"], again["start_at"]) == (True, "2026-10-12T10:00:00+08:00")
    ended = recorded("task", "record", "session-end", "phone").data
    assert (ended["ok"], ended["this_session_minutes"], ended["first_reached"]) == (True, 30, False)
    assert ended["derived"]["remaining_minutes"] == 30
    shown = recorded("task", "record", "get", "phone").data
    (session,) = shown["sessions"]
    assert (session["task_id"], session["start_at"], session["end_at"], session["duration_seconds"]) == (
        "phone",
        "2026-10-12T10:00:00+08:00",
        "2026-10-12T10:30:00+08:00",
        1800,
    )
    assert (shown["derived"]["accumulated_minutes_today"], shown["derived"]["active_session_start_at"]) == (30, None)


def test_no_instant_has_a_fraction(quick, clock):
    clock.advance(timedelta(milliseconds=123))
    for argv in (
        ("session-start", "phone"),
        ("event-append", "cough", "--description", "12:00:00.5"),
        ("progress-inc", "water", "--delta", "3"),
    ):
        assert not re.search(r"\d\.\d+\+", quick("task", "record", *argv).out)
        assert not re.search(r"\d\.\d+\+", quick("task", "record", "get", argv[1]).out)
    assert not re.search(r"\d\.\d+\+", quick("task", "list").out)
    assert not re.search(r"\d\.\d+\+", quick("task", "summary").out)
    assert not re.search(r"\d\.\d+\+", quick("task", "logs", "water").out)


@pytest.mark.parametrize(
    ("written", "at"),
    [
        ("2026-10-12T09:00:00+08:00", "2026-10-12T09:00:00+08:00"),
        ("2026-10-12T01:00:00Z", "2026-10-12T09:00:00+08:00"),
        ("2026-10-12T09:00:00", "2026-10-12T09:00:00+08:00"),
        ("'2026-10-12T09:00:00+08:00'", "2026-10-12T09:00:00+08:00"),
        ('"2026-10-12T09:00:00+08:00"', "2026-10-12T09:00:00+08:00"),
    ],
)
def test_when_it_happened_may_be_said_with_the_quotes_of_a_caller_without_a_shell(quick, written, at):
    quick("task", "record", "event-append", "cough", "--description", "咳嗽", "--at", written)
    (entry,) = quick("task", "record", "get", "cough").data["entries"]
    assert (entry["at"], entry["description"], entry["task_id"]) == (at, "咳嗽", "cough")


@pytest.mark.parametrize("written", ["", "''", "昨天", "2026-10-32", "''2026-10-12T09:00:00''"])
def test_an_instant_nobody_can_read_is_a_matter_of_typing(quick, written):
    quick.wrong("task", "record", "event-append", "cough", "--description", "x", f"--at={written}")


@pytest.mark.parametrize(
    ("argv", "code", "start"),
    [
        (("get", "nobody"), 2001, "task_not_found: "),
        (("get", "plain"), 2001, "no_active_record: "),
        (("compute", "plain"), 2001, "no_active_record: "),
        (("archive", "list", "plain"), 2001, "no_active_record: "),
        (("update", "plain", "--patch", '{"target":1}'), 2001, "no_active_record: "),
        (("progress-inc", "plain"), 2001, "no_active_record: "),
        (("progress-inc", "phone"), 1002, "wrong_kind: "),
        (("event-append", "water", "--description", "x"), 1002, "wrong_kind: "),
        (("session-start", "water"), 1002, "wrong_kind: "),
        (("session-end", "cough"), 1002, "wrong_kind: "),
        (("session-end", "phone"), 1002, "schema_invalid: 任务「phone」"),
        (("progress-inc", "water", "--delta", "0"), 1002, ""),
        (("progress-inc", "water", "--fire-id", ""), 1002, ""),
        (("event-append", "cough", "--description", " "), 1002, ""),
        (("event-append", "cough", "--description", "x", "--at", "2026-10-13T00:00:00+08:00"), 1002, ""),
        (("init", "water", "--kind", "event", "--content", "{}"), 2002, "record_already_exists: "),
        (("init", "plain", "--kind", "progress", "--content", '{"target":0,"unit":"杯","window":"day"}'), 1002, ""),
        (("init", "plain", "--kind", "progress", "--content", '{"target":1,"unit":"杯","window":"day"}'), 1002, ""),
        (("init", "plain", "--kind", "duration", "--content", '{"window":"day"}'), 1002, ""),
        (("update", "water", "--patch", "{}"), 1002, ""),
        (("update", "water", "--patch", '{"current":5}'), 1002, ""),
        (("update", "cough", "--patch", '{"target":5}'), 1002, ""),
        (("compute", "water", "--date", "2026-13-01"), 1002, ""),
    ],
)
def test_what_a_record_refuses_has_its_code(quick, argv, code, start):
    quick("task", "create", "--task-id", "plain", "--description", "没有记录")
    refused = quick.refused("task", "record", *argv)
    assert refused[0] == code
    assert refused[1].startswith(start), refused


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (("init", "a", "--kind", "event", "--content", "["), "--content 后面要写一个 JSON 对象，读不懂"),
        (("init", "a", "--kind", "event", "--content", "[]"), "--content 后面要写一个 JSON 对象（{…}），不能是列表"),
        (("init", "a", "--kind", "event", "--content", '"x"'), "--content 后面要写一个 JSON 对象（{…}），不能是列表"),
        (("init", "a", "--kind", "event", "--content", "{" + " " * 20_000), "--content 的 JSON 太长"),
        (("update", "a", "--patch", "1"), "--patch 后面要写一个 JSON 对象"),
        (("compute", "a", "--from", "2026-10-01"), "from 和 to 要一起给"),
        (("compute", "a", "--date", "today", "--window", "day"), "window、date 和 from/to 只能给一种"),
        (("compute", "a", "--window", "year"), "--window 不能是「year」"),
    ],
)
def test_what_is_typed_wrongly_is_told_before_the_home_is_asked(miloco, argv, line):
    assert miloco.wrong("task", "record", *argv).startswith(line)
    assert not miloco.home.exists()


def test_a_record_is_added_up_by_window_day_and_range(recorded, clock):
    recorded("task", "record", "progress-inc", "water", "--delta", "2")
    clock.advance(timedelta(days=1))
    recorded("task", "record", "progress-inc", "water")
    now = recorded("task", "record", "compute", "water").data
    assert (now["kind"], now["window"], now["derived"]["current"]) == ("progress", "all", 1)
    assert recorded("task", "record", "compute", "water", "--date", "yesterday").data["derived"]["current"] == 2
    assert recorded("task", "record", "compute", "water", "--date", "2026-10-12").data["date"] == "2026-10-12"
    ranged = recorded("task", "record", "compute", "water", "--from", "2026-10-12", "--to", "'2026-10-13'").data
    assert (ranged["from"], ranged["to"]) == ("2026-10-12", "2026-10-13")
    assert ranged["derived"] == {
        "kind": "progress_range",
        "days_with_data": 2,
        "total_current": 3,
        "target_recent": 3,
    }
    archived = recorded("task", "record", "archive", "list", "water").data
    assert (archived["kind"], [(one["date"], one["current"], one["status"]) for one in archived["archives"]]) == (
        "progress",
        [("2026-10-12", 2, "active")],
    )


def test_a_target_is_changed_and_the_task_remembers(recorded):
    shown = recorded("task", "record", "update", "water", "--patch", '{"target":10}').data
    assert (shown["record"]["target"], shown["record"]["task_id"]) == (10, "water")
    recorded("task", "undo", "water")
    assert recorded("task", "record", "get", "water").data["record"]["target"] == 3


def test_a_record_with_an_end_ends_its_task(recorded, clock):
    assert recorded("task", "get", "once").data["expires_at"] == "2026-10-18T23:59:59+08:00"
    clock.advance(timedelta(days=7))
    recorded.ring()
    assert recorded.refused("task", "get", "once")[0] == 2001
