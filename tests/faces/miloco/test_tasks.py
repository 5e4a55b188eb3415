"""task …: the life of a task from the command line, with the shapes and codes of the contract."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

WATER = '{"target":8,"unit":"杯","window":"day","recurring_pattern":{"window":"day"}}'
VIEW = {"task_id", "description", "status", "paused_at", "created_at", "rule_briefs", "links"}


def begun(terminal):
    assert terminal("task", "create", "--task-id", "drink_8", "--description", "每天喝 8 杯水").code == 0
    return terminal


@pytest.fixture
def with_task(on_any_store):
    return begun(on_any_store)


@pytest.fixture
def quick(miloco):
    """Give the same on one database, for what the database has no part in."""
    return begun(miloco)


@pytest.fixture
def with_rules(with_task):
    """Give a home with one event rule that commands a light and one state rule in words."""
    light = '{"did":"light_living","iid":"prop.on","value":false,"idempotent":true}'
    with_task(
        *("rule", "create", "--task-id", "drink_8", "--name", "[drink_8] 关灯", "--condition", "画面中无人"),
        *("--source", "cam_living", "--source", "cam_kids", "--duration-seconds", "300", "--action", light),
    )
    with_task(
        *("rule", "create", "--task-id", "drink_8", "--name", "[drink_8] 看电视", "--mode", "state"),
        *("--condition", "用户看电视；不含路过，不含背对", "--exit-debounce-seconds", "0"),
        *("--on-enter-desc", "使用手机推送通知：开始看电视", "--on-exit-action", light),
    )
    return with_task


def test_a_task_is_made_and_shown(on_any_store):
    assert on_any_store("task", "create", "--task-id", "a_1", "--description", "描述").data == {
        "task_id": "a_1",
        "id": "t1",
    }
    task = on_any_store("task", "get", "a_1").data
    assert set(task) >= VIEW
    assert task["created_at"] == "2026-10-12T10:00:00+08:00"
    assert (task["status"], task["paused_at"], task["rule_briefs"], task["links"]) == ("active", None, [], [])
    assert on_any_store("task", "get", "t1").data == task


@pytest.mark.parametrize(
    ("argv", "code", "start"),
    [
        (("task", "create", "--task-id", "Drink", "--description", "x"), 1002, ""),
        (("task", "create", "--task-id", "", "--description", "x"), 1002, ""),
        (("task", "create", "--task-id", "a" * 33, "--description", "x"), 1002, ""),
        (("task", "create", "--task-id", "a", "--description", ""), 1002, ""),
        (("task", "create", "--task-id", "a", "--description", "字" * 201), 1002, ""),
        (("task", "create", "--task-id", "drink_8", "--description", "x"), 2002, "task_already_exists: "),
        (("task", "get", "nobody"), 2001, "task_not_found: "),
        (("task", "get", "t99"), 2001, "task_not_found: "),
        (("task", "update", "nobody", "--description", "x"), 2001, "task_not_found: "),
        (("task", "disable", "nobody"), 2001, "task_not_found: "),
        (("task", "enable", "nobody"), 2001, "task_not_found: "),
        (("task", "delete", "nobody"), 2001, "task_not_found: "),
        (("task", "undo", "nobody"), 2001, "task_not_found: "),
        (("task", "undo", "drink_8"), 2000, ""),
        (("task", "logs", "nobody"), 2001, "task_not_found: "),
        (("task", "link", "--task", "nobody", "--kind", "cron", "--ref", "j1"), 2001, "task_not_found: "),
        (("task", "link", "--task", "drink_8", "--kind", "cron", "--ref", "j99"), 2001, ""),
        (("task", "link", "--task-id", "drink_8", "--kind", "rule", "--ref", "r1"), 1002, "wrong_kind: "),
        (("task", "create", "--task-id", "b", "--description", "x", "--lifecycle", "permanent", "--expires-at",
          "2026-10-13T00:00:00+08:00"), 1002, ""),
        (("task", "create", "--task-id", "b", "--description", "x", "--expires-at", "2026-10-11T00:00:00"), 1002, ""),
    ],
)  # fmt: skip
def test_what_the_home_refuses_has_its_code(quick, argv, code, start):
    assert quick.refused(*argv)[0] == code
    assert quick.refused(*argv)[1].startswith(start)


def test_a_task_may_have_an_end_of_its_own(quick, clock):
    quick("task", "create", "--task-id", "b", "--description", "x", "--expires-at", "'2026-10-12T11:00:00'")
    task = quick("task", "get", "b").data
    assert (task["lifecycle"], task["expires_at"]) == ("temporary", "2026-10-12T11:00:00+08:00")
    clock.advance(timedelta(hours=1))
    quick.ring()
    assert quick.refused("task", "get", "b")[0] == 2001


def test_lists_have_paused_tasks_too_and_the_newest_first(with_task):
    with_task("task", "create", "--task-id", "second", "--description", "又一个")
    with_task("task", "disable", "drink_8")
    listed = [(task["task_id"], task["status"]) for task in with_task("task", "list").data]
    assert listed == [("second", "active"), ("drink_8", "paused")]


def test_pretty_may_stand_anywhere(quick):
    plain = json.loads(quick("task", "list").out)
    for argv in (("--pretty", "task", "list"), ("task", "--pretty", "list"), ("task", "list", "--pretty")):
        done = quick(*argv)
        assert done.out.startswith('{\n  "code": 0,')
        assert json.loads(done.out) == plain


def test_characters_are_given_as_they_are_on_one_line(quick):
    quick("task", "update", "drink_8", "--description", 'a"b\\ 杯 😀')
    out = quick("task", "get", "drink_8").out
    assert "杯 😀" in out
    assert out.startswith('{"code":0,"message":"ok","data":{"task_id":"drink_8","description":"a\\"b\\\\ 杯 😀",')


def test_a_description_may_begin_with_a_hyphen(quick):
    assert quick("task", "update", "drink_8", "--description", "-10 杯").data["description"] == "-10 杯"
    assert quick("task", "update", "drink_8", "--description=--pretty").data["description"] == "--pretty"


def test_briefs_are_enough_to_see_whether_two_rules_do_the_same(with_rules):
    event, state = with_rules("task", "get", "drink_8").data["rule_briefs"]
    assert (event["rule_id"], event["query"], event["actions_desc"]) == ("r1", "画面中无人", ["prop.2.1=false"])
    assert (event["mode"], event["sources"], event["duration_seconds"]) == ("event", ["cam_kids", "cam_living"], 300)
    assert event["actions"][0]["did"] == "light_living"
    assert state["actions_desc"] == ["on_enter:使用手机推送通知：开始看电视", "on_exit:prop.2.1"]
    assert (state["exit_debounce_seconds"], state["enabled"]) == (0, True)
    assert with_rules("task", "get", "drink_8").data["links"] == [
        {"kind": "rule", "ref": "r1"},
        {"kind": "rule", "ref": "r2"},
    ]


def test_a_pause_stops_and_its_end_starts_only_what_the_pause_stopped(with_rules):
    with_rules("rule", "disable", "r1")
    paused = with_rules("task", "disable", "drink_8").data
    assert (paused["task_id"], paused["status"]) == ("drink_8", "paused")
    assert paused["backend_synced"]["meta_status"] == "ok"
    assert [(rule["rule_id"], rule["result"]) for rule in paused["backend_synced"]["rules"]] == [
        ("r1", "ok"),
        ("r2", "ok"),
    ]
    assert paused["agent_pending"] == []
    assert with_rules("task", "get", "drink_8").data["paused_at"] == "2026-10-12T10:00:00+08:00"
    assert [rule["enabled"] for rule in with_rules("rule", "list").data] == [False, False]
    assert with_rules("task", "disable", "drink_8").data["backend_synced"]["meta_status"] == "noop"
    resumed = with_rules("task", "enable", "drink_8").data
    assert (resumed["status"], resumed["paused_at"]) == ("active", None)
    assert [rule["enabled"] for rule in with_rules("rule", "list").data] == [False, True]
    assert with_rules("task", "enable", "drink_8").data["backend_synced"]["meta_status"] == "noop"


@pytest.mark.parametrize(
    ("given", "reason"),
    [((), "completed"), (("--reason", "expired"), "expired"), (("--reason", "abandoned"), "abandoned")],
)
def test_a_task_ends_for_a_reason_with_the_record_as_it_was(with_rules, given, reason):
    with_rules("task", "record", "init", "drink_8", "--kind", "progress", "--content", WATER)
    with_rules("task", "record", "progress-inc", "drink_8", "--delta", "3")
    ended = with_rules("task", "delete", "drink_8", *given).data
    assert ended["task_id"] == "drink_8"
    assert ended["backend_synced"]["rules_deleted"] == ["r1", "r2"]
    assert ended["backend_synced"]["task_link_rows_deleted"] == 2
    assert ended["agent_pending"] == []
    assert ended["reason"] == reason
    assert ended["final_snapshot"] == {"target": 8, "current": 3, "unit": "杯", "window": "day"}
    assert with_rules("task", "list").data == []
    assert with_rules.refused("task", "record", "get", "drink_8")[0] == 2001
    assert with_rules("task", "logs", "drink_8").data["task_id"] == "drink_8"


def test_a_summary_says_how_far_every_record_is(with_task, clock):
    with_task("task", "record", "init", "drink_8", "--kind", "progress", "--content", WATER)
    with_task("task", "record", "progress-inc", "drink_8", "--delta", "3")
    with_task("task", "create", "--task-id", "phone", "--description", "玩手机")
    content = '{"target_minutes":60,"recurring_pattern":{"window":"day"}}'
    with_task("task", "record", "init", "phone", "--kind", "duration", "--content", content)
    with_task("task", "record", "session-start", "phone")
    clock.advance(timedelta(minutes=90, seconds=59))
    phone, water = with_task("task", "summary").data
    assert water["record"]["derived"]["remaining"] == 5
    assert water["record"]["window_remaining"] == {"seconds": 44_941, "display": "12h 29m"}
    assert (water["record"]["kind"], water["record"]["completed"], water["record"]["active_session"]) == (
        "progress",
        False,
        None,
    )
    assert phone["record"]["active_session"] == {"started_at": "2026-10-12T10:00:00+08:00", "elapsed_minutes": 90}
    assert "total" not in water["record"]


def test_a_summary_of_everything_has_what_was_ever_recorded(with_task, clock):
    with_task("task", "record", "init", "drink_8", "--kind", "progress", "--content", WATER)
    with_task("task", "record", "progress-inc", "drink_8", "--delta", "3")
    clock.advance(timedelta(days=1))
    with_task("task", "record", "progress-inc", "drink_8", "--delta", "2")
    with_task("task", "create", "--task-id", "nothing", "--description", "没有记录")
    with_task("task", "disable", "nothing")
    nothing, water = with_task("task", "summary", "--window", "all").data
    assert (nothing["task_id"], nothing["record"]) == ("nothing", None)
    assert water["record"]["derived"]["current"] == 2
    assert (water["record"]["total"]["total_current"], water["record"]["total"]["days_with_data"]) == (5, 2)


def test_a_change_is_taken_back_and_done_again(with_task):
    with_task("task", "update", "drink_8", "--description", "每天喝 10 杯水")
    back = with_task("task", "undo", "drink_8").data
    assert back["changes"] == [{"part": "description", "before": "每天喝 10 杯水", "after": "每天喝 8 杯水"}]
    assert with_task("task", "get", "drink_8").data["description"] == "每天喝 8 杯水"
    with_task("task", "undo", "drink_8")
    assert with_task("task", "get", "drink_8").data["description"] == "每天喝 10 杯水"


PLAN = {
    "task": {"task_id": "sit_30min", "description": "久坐 30 分钟提醒"},
    "rules": [
        {
            "name": "[sit_30min] 久坐",
            "mode": "event",
            "condition": "用户坐着；不含蹲，不含跪",
            "duration_seconds": 1800,
            "action_desc": "使用手机推送通知：起身活动",
        }
    ],
}


def test_a_whole_task_is_made_at_once(on_any_store, tmp_path):
    file = tmp_path / "plan.json"
    file.write_text(json.dumps(PLAN), encoding="utf-8")
    made = on_any_store("task", "apply", str(file)).data
    assert (made["task_id"], len(made["rule_briefs"])) == ("sit_30min", 1)
    assert on_any_store.refused("task", "apply", str(file))[0] == 2002


def test_a_plan_comes_over_standard_input_too(miloco):
    assert miloco("task", "apply", "-", stdin=json.dumps(PLAN).encode()).data["task_id"] == "sit_30min"


@pytest.mark.parametrize(
    ("content", "typed"),
    [
        (b"", True),
        (b"{", True),
        (b"\xff", True),
        (b"[" * 100_000, True),
        (b"{}", False),
        (b"[]", False),
        (b'{"task":{"task_id":"X","description":"x"}}', False),
        (json.dumps({**PLAN, "rules": []}).encode(), False),
        (json.dumps({**PLAN, "rules": [{**PLAN["rules"][0], "mode": "both"}]}).encode(), False),
        (json.dumps({**PLAN, "surprise": 1}).encode(), False),
    ],
)
def test_of_a_plan_that_is_wrong_anywhere_nothing_is_made(miloco, content, typed):
    if typed:
        miloco.wrong("task", "apply", "-", stdin=content)
    else:
        assert miloco.refused("task", "apply", "-", stdin=content)[0] == 1002
    assert miloco("task", "list").data == []


def test_a_plan_that_cannot_be_read_is_a_matter_of_typing(miloco, tmp_path):
    assert "plan.json" in miloco.wrong("task", "apply", str(tmp_path / "plan.json"))
    miloco.wrong("task", "apply", str(tmp_path))
    miloco.wrong("task", "apply", "\ud800")
    miloco.wrong("task", "apply", "-", stdin=b" " * 200_001)
    assert not miloco.home.exists()


def test_a_task_may_be_called_like_the_id_of_another(quick):
    quick("task", "create", "--task-id", "t1", "--description", "叫 t1 的任务")
    assert quick("task", "get", "t1").data["id"] == "t2"
    assert quick("task", "get", "t2").data["task_id"] == "t1"
    assert quick("task", "get", "drink_8").data["id"] == "t1"


def test_text_that_nothing_can_keep_is_refused(quick):
    assert quick.refused("task", "update", "drink_8", "--description", "\udcff")[0] == 1002
    assert quick.refused("task", "get", "\udcff")[0] in (1002, 2001)
