"""rule …: what the flags become, what is refused where, and what the logs say."""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.kernel.wording import wording

LIGHT = '{"did":"light_living","iid":"prop.on","value":false,"idempotent":true}'
SPEAKER = '{"did":"speaker_living","iid":"play-text","params":["吃饭了"],"idempotent":false,"cooldown_minutes":5}'
FIELDS = {
    *("id", "name", "task_id", "mode", "lifecycle", "enabled", "condition", "actions", "action_descriptions"),
    *("on_enter_actions", "on_enter_desc", "on_exit_actions", "on_exit_desc", "on_target_desc", "terminate_when"),
    *("exit_debounce_seconds", "duration_seconds", "duration_ratio", "created_at", "updated_at"),
}


def begun(terminal):
    assert terminal("task", "create", "--task-id", "off", "--description", "客厅没人关灯").code == 0
    return terminal


def ruled(terminal):
    made = terminal(
        *("rule", "create", "--task-id", "off", "--name", "[off] 关灯", "--mode", "event", "--condition", "画面中无人"),
        *("--source", "cam_living", "--duration-seconds", "300", "--action", LIGHT),
    )
    assert made.data["rule_id"] == "r1"
    return terminal


@pytest.fixture
def home_with_task(on_any_store):
    return begun(on_any_store)


@pytest.fixture
def event(home_with_task):
    """Give a home with one event rule, r1."""
    return ruled(home_with_task)


@pytest.fixture
def quick(miloco):
    """Give a home with a task on one database, for what the database has no part in."""
    return begun(miloco)


@pytest.fixture
def quick_event(quick):
    return ruled(quick)


def test_what_is_made_is_given_back(home_with_task):
    made = home_with_task(
        *("rule", "create", "--task-id", "off", "--name", "[off] 说", "--condition", "有人坐着；不含蹲，不含跪"),
        *("--action", SPEAKER),
    ).data
    assert {key: made[key] for key in ("rule_id", "name", "task_id", "mode", "lifecycle")} == {
        "rule_id": "r1",
        "name": "[off] 说",
        "task_id": "off",
        "mode": "event",
        "lifecycle": "permanent",
    }
    (rule,) = home_with_task("rule", "list").data
    assert rule == made["rule"]
    assert set(rule) >= FIELDS
    assert rule["actions"] == [
        {
            "did": "speaker_living",
            "iid": "action.5.1",
            "params": ["吃饭了"],
            "idempotent": False,
            "cooldown_minutes": 5,
        }
    ]


def test_flags_that_may_be_repeated_are(home_with_task):
    home_with_task(
        *("rule", "create", "--task-id", "off", "--name", "n", "--condition", "画面中无人"),
        *(
            "--source",
            "cam_living",
            "--source",
            "cam_kids",
            "--action",
            LIGHT,
            "--action",
            LIGHT.replace("living", "kids"),
        ),
    )
    (rule,) = home_with_task("rule", "list").data
    assert rule["condition"]["perceive_device_ids"] == ["cam_kids", "cam_living"]
    assert [action["did"] for action in rule["actions"]] == ["light_living", "light_kids"]


def test_a_condition_may_begin_with_a_hyphen(quick):
    quick(
        *("rule", "create", "--task-id", "off", "--name", "--", "--condition", "-1 度", "--action-desc", "- 说一声"),
    )


BASE = ("rule", "create", "--task-id", "off", "--name", "n", "--condition", "画面中无人")


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (("--duration-seconds", "0"), "--duration-seconds out of range [1, 86400]"),
        (("--duration-seconds", "86401"), "--duration-seconds out of range [1, 86400]"),
        (("--duration-seconds", "-5"), "--duration-seconds out of range [1, 86400]"),
        (("--duration-seconds", "1.5"), "--duration-seconds 应为整数"),
        (("--duration-seconds", "五"), "--duration-seconds 应为整数"),
        (("--exit-debounce-seconds", "-1"), "--exit-debounce-seconds out of range [0, 86400]"),
        (("--duration-ratio", "0.5"), "--duration-ratio 要和 --duration-seconds 一起写"),
        (("--duration-seconds", "5", "--duration-ratio", "1.5"), "--duration-ratio 要大于 0、不超过 1"),
        (("--duration-seconds", "5", "--duration-ratio", "nan"), "--duration-ratio 要大于 0、不超过 1"),
        (("--action", "[]"), "--action 后面要写一个 JSON 对象（{…}），不能是列表"),
        (("--action", f"[{LIGHT}]"), "--action 后面要写一个 JSON 对象（{…}），不能是列表"),
        (("--action", "关灯"), "--action 后面要写一个 JSON 对象，读不懂：关灯"),
        (("--on-enter-action", "[]"), "--on-enter-action 后面要写一个 JSON 对象"),
        (("--on-exit-action", "1"), "--on-exit-action 后面要写一个 JSON 对象"),
        (("--mode", "both"), "--mode 不能是「both」，可用：event、state"),
    ],
)
def test_what_is_typed_wrongly_is_told_before_the_home_is_asked(miloco, given, line):
    assert miloco.wrong(*BASE, *given).startswith(line)
    assert not miloco.home.exists()


def test_every_word_of_an_action_may_hold_braces_and_percent_signs(miloco):
    assert "{x[0]}" in miloco.wrong(*BASE, "--action", "{x[0]}")


@pytest.mark.parametrize(
    "given",
    [
        (),
        ("--action", LIGHT, "--action-desc", "关灯"),
        ("--on-enter-desc", "x"),
        ("--action-desc", "x", "--on-target-desc", "x"),
        ("--mode", "state"),
        ("--mode", "state", "--action-desc", "x"),
        ("--mode", "state", "--on-enter-desc", "x", "--on-enter-action", LIGHT),
        ("--mode", "state", "--on-enter-desc", "x", "--on-target-desc", "使用手机推送通知：到了"),
        ("--action", LIGHT.replace("true", "false")),
        ("--action", LIGHT.replace("light_living", "light_attic")),
        ("--action", LIGHT.replace("prop.on", "prop.off")),
        ("--action", LIGHT.replace("false", '"dim"')),
        ("--action", '{"did":"light_living"}'),
        ("--action-desc", "x", "--source", "cam_attic"),
        ("--action-desc", "x", "--lifecycle", "temporary"),
        ("--action-desc", "x", "--terminate-when", "天黑"),
        ("--action-desc", "x", "--duration-seconds", "5", "--duration-ratio", "0.6"),
    ],
)
def test_what_does_not_fit_together_is_refused_by_the_home(quick, given):
    assert quick.refused(*BASE, *given)[0] == 1002
    assert quick("rule", "list").data == []


@pytest.mark.parametrize(
    ("argv", "code", "start"),
    [
        ((*BASE[:3], "nobody", *BASE[4:], "--action-desc", "x"), 2001, "task_not_found: "),
        ((*BASE[:5], "[off] 关灯", *BASE[6:], "--action-desc", "x"), 2002, "rule_already_exists: "),
        (("rule", "update", "r9", "--name", "x"), 2001, "rule_not_found: "),
        (("rule", "enable", "r9"), 2001, "rule_not_found: "),
        (("rule", "disable", "无"), 2001, "rule_not_found: "),
        (("rule", "delete", "r9"), 2001, "rule_not_found: "),
        (("rule", "logs", "--rule", "r9"), 2001, "rule_not_found: "),
        (("rule", "trigger", "r9"), 2000, "Rule 'r9' not found or disabled"),
        (("rule", "update", "r1", "--clear", "actions"), 1002, ""),
        (("rule", "update", "r1", "--duration-seconds", "5", "--clear", "duration_seconds"), 1002, ""),
    ],
)
def test_what_the_home_refuses_has_its_code(quick_event, argv, code, start):
    refused = quick_event.refused(*argv)
    assert refused[0] == code
    assert refused[1].startswith(start), refused


def test_a_rule_is_changed_in_what_was_named(event):
    changed = event("rule", "update", "r1", "--duration-seconds", "600", "--source", "cam_kids").data
    assert (changed["rule_id"], changed["duration_seconds"]) == ("r1", 600)
    assert changed["condition"] == {"perceive_device_ids": ["cam_kids"], "query": "画面中无人"}
    assert changed["actions"][0]["did"] == "light_living"
    cleared = event("rule", "update", "r1", "--clear", "duration_seconds").data
    assert cleared["duration_seconds"] is None
    swapped = event("rule", "update", "r1", "--clear", "actions", "--action-desc", "关灯").data
    assert (swapped["actions"], swapped["action_descriptions"]) == ([], ["关灯"])
    event("task", "undo", "off")
    assert event("rule", "list").data[0]["action_descriptions"] == []


def test_nothing_named_is_nothing_to_change(quick_event):
    assert quick_event.wrong("rule", "update", "r1").startswith("no fields to update")
    assert quick_event.wrong("rule", "update", "r1", "--clear", "name").startswith("--clear 不能是「name」")


def test_a_rule_is_stopped_started_and_removed(event):
    assert event("rule", "disable", "r1").data["enabled"] is False
    assert event("rule", "list", "--enabled-only").data == []
    assert event.refused("rule", "trigger", "r1")[0] == 2000
    assert event("rule", "enable", "r1").data["enabled"] is True
    assert len(event("rule", "list", "--enabled-only").data) == 1
    assert event("rule", "delete", "r1").data == {
        "rule_id": "r1",
        "name": "[off] 关灯",
        "task_id": "off",
        "deleted": True,
    }
    assert event("rule", "list").data == []


def test_a_rule_triggered_by_hand_does_what_it_would_and_is_in_the_logs(event):
    event("device", "control", "light_living", "on", "true")
    told = event("rule", "trigger", "r1", "--context", "试一下").data
    assert (told["rule_id"], told["event"]) == ("r1", "ENTERED")
    event.ring()
    assert event("device", "props", "light_living", "on").data["props"][0]["value"] is False
    logs = event("rule", "logs", "--rule", "r1", "--since", "1h").data
    (line,) = logs["rule_logs"]
    assert logs["total_items"] == 1
    assert (line["id"], line["timestamp"], line["kind"]) == (
        told["execute_id"],
        "2026-10-12T10:00:00+08:00",
        "RULE_TRIGGER_SUCCESS",
    )
    assert (line["rule_id"], line["rule_name"], line["rule_query"]) == ("r1", "[off] 关灯", "画面中无人")
    assert (line["trigger_context"], line["task_id"], line["state"]) == ("试一下", "off", "done")
    result = line["execute_result"]
    assert (result["event"], result["dynamic_rule_event_sent"]) == ("ENTERED", False)
    (action,) = result["action_results"]
    assert (action["action"]["iid"], action["result"], action["skipped"], action["error"]) == (
        "prop.2.1",
        True,
        False,
        None,
    )


def test_asking_for_the_logs_twice_gives_the_same(event):
    event("rule", "trigger", "r1")
    event.ring()
    first = event("rule", "logs").data
    assert len(first["rule_logs"]) == 1
    assert event("rule", "logs").data == first


def test_logs_are_chosen_by_kind_time_and_number(event, clock):
    for _ in range(3):
        event("rule", "trigger", "r1")
        event.ring()
        clock.advance(timedelta(minutes=20))
    assert [line["timestamp"][11:16] for line in event("rule", "logs").data["rule_logs"]] == ["10:40", "10:20", "10:00"]
    assert len(event("rule", "logs", "--since", "30").data["rule_logs"]) == 1
    assert len(event("rule", "logs", "--since", "45m").data["rule_logs"]) == 2
    assert len(event("rule", "logs", "--since", "0d1h").data["rule_logs"]) == 3
    limited = event("rule", "logs", "--limit", "2").data
    assert (len(limited["rule_logs"]), limited["total_items"]) == (2, 3)
    assert event("rule", "logs", "--kind", "RULE_TRIGGER_FAILURE").data == {"rule_logs": [], "total_items": 0}
    assert event("rule", "logs", "--kind", "RULE_TRIGGER_SUCCESS").data["total_items"] == 3


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (("--since", "gestern"), "看不懂「gestern」这么久"),
        (("--since=",), "看不懂「」这么久"),
        (("--since", "-1h"), "看不懂「-1h」这么久"),
        (("--since", "1h1d"), "看不懂「1h1d」这么久"),
        (("--limit", "0"), "--limit out of range [1, 500]"),
        (("--limit", "501"), "--limit out of range [1, 500]"),
        (("--kind", "success"), "--kind 不能是「success」"),
    ],
)
def test_logs_are_not_asked_for_in_any_other_way(miloco, given, line):
    assert miloco.wrong("rule", "logs", *given).startswith(line)


def test_cleaning_up_leaves_the_books_of_the_task_alone(event, clock):
    event("rule", "trigger", "r1")
    event.ring()
    clock.advance(timedelta(days=8))
    event("rule", "trigger", "r1")
    event.ring()
    assert event("rule", "logs-cleanup").data == {"deleted": 1}
    assert event("rule", "logs-cleanup").data == {"deleted": 0}
    assert event("rule", "logs").data["total_items"] == 1
    assert event("task", "logs", "off").data["counts"] == {"done": 2}
    assert event.wrong("rule", "logs-cleanup", "--keep-days", "0").startswith("--keep-days out of range [1, ")


def test_logs_outlive_their_rule(event):
    event("rule", "trigger", "r1")
    event.ring()
    event("rule", "delete", "r1")
    (line,) = event("rule", "logs", "--rule", "r1").data["rule_logs"]
    assert (line["rule_id"], line["task_id"]) == ("r1", "off")


def test_a_task_says_what_happened_to_it(quick_event):
    quick_event("rule", "trigger", "r1", "--context", "试")
    quick_event.ring()
    logs = quick_event("task", "logs", "off", "--since", "1h", "--limit", "5").data
    assert (logs["task_id"], logs["since"], logs["near_misses"]) == ("off", "2026-10-12T09:00:00+08:00", 0)
    (line,) = logs["logs"]
    assert (line["kind"], line["part"], line["rule_id"], line["direction"], line["state"]) == (
        "occurrence",
        "rule:r1:enter",
        "r1",
        "enter",
        "done",
    )


def test_the_command_that_starts_a_rule_again_is_one(miloco):
    ruled(begun(miloco))
    miloco("rule", "disable", "r1")
    told = wording("doing.rule_stopped", rule="关灯", seconds=60, fires=12, id="r1")
    program, *argv = told.rpartition("：")[2].split()
    assert program == "miloco-cli"
    assert miloco(*argv).data["enabled"] is True
