"""What stays here, piece by piece, with the reason; nothing of a task disappears."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from tests.compiling.plans import BUTTON, DOOR, MOTION, OFF, ON, WARM, cron, rule, state, switch, task

from zhixing import compiling
from zhixing.compiling.model import Compiled
from zhixing.kernel.wording import section

OPEN = "大门开着"
CAMERA = "cam_living"
PHONE = "使用手机推送通知：门开了"
COUNT = {
    "kind": "progress",
    "content": {"target": 8, "unit": "次", "window": "day", "recurring_pattern": {"window": "day"}},
}
MINUTES = {"kind": "duration", "content": {"target_minutes": 60, "recurring_pattern": {"window": "day"}}}
LIT = cron("0 8 * * *", "打开客厅吸顶灯", "早上")
TOGGLE = {"did": "light_living", "iid": "action.toggle", "idempotent": False, "cooldown_minutes": 2}


def at(when: str, message: str) -> dict[str, Any]:
    return {"name": "一次", "kind": "at", "at": when, "message": message}


def left(compiled: Compiled) -> list[str]:
    """Write what is left in short: what of it, in which direction, and why."""
    return [" ".join(filter(None, (each.about.what, each.about.direction, each.code))) for each in compiled.left]


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        (task(rule("画面中无人", CAMERA, action=ON)), ["rule camera"]),
        (task(rule("画面中无人", action=ON)), ["rule cameras"]),
        (task(rule(OPEN, DOOR, CAMERA, action=ON)), ["rule camera"]),
        (task(rule("妈妈打开大门", DOOR, action=ON)), ["rule words"]),
        (task(rule("大门开着；不含快递员", DOOR, action=ON)), ["rule words"]),
        (task(rule("玄关有人", DOOR, action=ON)), ["rule meaning"]),
        (task(rule("温度高于 28.05 度", WARM, action=ON)), ["rule value"]),
        (task(rule("温度高于 200 度", WARM, action=ON)), ["rule value"]),
        (task(rule("双击床头按钮", BUTTON, action=ON, duration_seconds=5)), ["rule moment"]),
        (task(state("双击床头按钮", BUTTON)), ["rule moment"]),
        (task(rule(OPEN, DOOR, action=ON, quiet=["00:00-12:00", "12:00-00:00"])), ["rule always_quiet"]),
        (task(rule(OPEN, DOOR, action_desc=PHONE)), ["answer enter tells"]),
        (task(rule(OPEN, DOOR, action_desc="如果爸爸在家就开灯")), ["answer enter agent"]),
        (task(rule(OPEN, DOOR, action_desc="打开客厅的投影仪")), ["answer enter device_unclear"]),
        (task(rule(OPEN, DOOR, action_desc=f"计数加一；{PHONE}"), record=COUNT),
         ["task record", "answer enter writes_record", "answer enter tells"]),
        (task(cron("0 8 * * *", "提醒用户吃药")), ["job tells"]),
        (task(cron("0 8 * * *", PHONE)), ["job tells"]),
        (task(cron("0 8 * * *", "看看天气再决定要不要开窗")), ["job agent"]),
        (task(cron("0 8 * * *", "若今天是本月最后一天，打开客厅吸顶灯")), ["job turn"]),
        (task(cron("0 8 1 * *", "打开客厅吸顶灯")), ["job days"]),
        (task(cron("0 8 * 6 *", "打开客厅吸顶灯")), ["job days"]),
        (task(cron("0 8 * * 1#2", "打开客厅吸顶灯")), ["job days"]),
        (task(cron("0 8 */2 * *", "打开客厅吸顶灯")), ["job days"]),
        (task(cron("*/5 * * * *", "打开客厅吸顶灯")), ["job many_instants"]),
        (task(cron("0 8 * * *", "打开客厅吸顶灯", tz="Europe/Berlin")), ["job zone"]),
        (task(at("2026-10-13T09:00:00+08:00", "打开客厅吸顶灯")), ["job once"]),
        (task(cron("0 8 * * *", "打开客厅的投影仪")), ["job device_unclear"]),
    ],
    ids=lambda value: " + ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_a_task_of_which_nothing_can_run_has_reasons_and_no_rule(plan, expected, both):
    compiled = both.of(plan)
    assert compiled.rule is None
    assert left(compiled) == expected
    assert (compiled.lines, compiled.remarks, compiled.trials) == ((), (), ())


@pytest.mark.parametrize(
    ("plan", "runs", "expected"),
    [
        (task(rule(OPEN, DOOR, name="门", action=ON), rule("有人跳舞", CAMERA, name="舞", action=OFF)),
         ["门 enter"], ["rule camera"]),
        (task(rule(OPEN, DOOR, name="门", action_desc=f"打开客厅吸顶灯；{PHONE}")),
         ["门 enter"], ["answer enter tells"]),
        (task(rule(OPEN, DOOR, name="门", action_desc="计数加一；打开客厅吸顶灯"), record=COUNT),
         ["门 enter"], ["task record", "answer enter writes_record"]),
        (task(rule(OPEN, DOOR, name="门", mode="state", on_enter_actions=[ON], on_exit_desc="看看要不要关灯")),
         ["门 enter"], ["answer exit agent"]),
        (task(rule("玄关没人", MOTION, name="人", mode="state", on_enter_desc="开始计时", on_exit_actions=[ON],
                   on_target_desc=PHONE), record=MINUTES),
         ["人 exit"], ["task record", "answer enter writes_record", "answer target target"]),
        (task(LIT, cron("0 9 * * *", "提醒用户吃药")), ["早上 alarm"], ["job tells"]),
        (task(cron("0 8 * * *", f"打开客厅吸顶灯；{PHONE}", "早上")), ["早上 alarm"], ["job tells"]),
        (task(LIT, at("2026-10-20T09:00:00+08:00", "到期销毁 task probe")),
         ["早上 alarm"], ["task task_ends", "job ends_task"]),
        (task(LIT, lifecycle="temporary", expires_at="2026-10-20T09:00:00+08:00"),
         ["早上 alarm"], ["task task_ends"]),
        (task(rule(OPEN, DOOR, name="门", mode="state", on_enter_actions=[TOGGLE, switch("fan_study", value=True)],
                   on_exit_actions=[TOGGLE])),
         ["门 enter"], ["answer enter pause_shared", "answer exit pause_shared"]),
    ],
    ids=lambda value: " + ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_what_can_run_runs_and_the_rest_is_left(plan, runs, expected, both):
    compiled = both.of(plan)
    assert compiled.rule is not None
    assert compiled.verdict.valid
    assert [f"{each.about.name} {each.code}" for each in compiled.lines] == runs
    assert left(compiled) == expected


def test_a_rule_that_somebody_stopped_stays_stopped(both):
    plan = task(rule(OPEN, DOOR, name="甲", action=ON), rule(OPEN, DOOR, name="乙", action=OFF), slug="half")
    slug = both.apply(plan)
    both.app.household.disable_rule(both.app.household.get(slug).rules[0].id, who="test")
    compiled = both.compiled(slug)
    assert left(compiled) == ["rule stopped"]
    assert [each.about.name for each in compiled.lines] == ["乙"]


def test_a_paused_task_becomes_a_rule_that_is_switched_off(both):
    slug = both.apply(task(rule(OPEN, DOOR, name="停", action=ON), LIT, slug="paused"))
    both.app.household.disable(slug, who="test")
    compiled = both.compiled(slug)
    assert compiled.rule is not None
    assert not compiled.rule.enabled
    assert left(compiled) == []
    assert "paused" in {each.code for each in compiled.remarks}


def test_what_the_hub_does_otherwise_is_said(both):
    beat = {"name": "常开", "kind": "every", "every_ms": 300_000, "message": "打开客厅吸顶灯"}
    compiled = both.of(task(state("开着", DOOR, "window_balcony"), beat))
    assert [each.code for each in compiled.remarks] == [
        "limit", "already", "offline", "beat", "missed", "unverified", "twice",
    ]  # fmt: skip


def test_every_sentence_is_there_in_both_languages(both):
    plan = task(state(OPEN, DOOR, quiet=["22:00-06:00"]), rule("有人跳舞", CAMERA, name="舞", action=ON), LIT)
    compiled = both.of(plan)
    notes = [*compiled.lines, *compiled.remarks, *compiled.left]
    assert [each.text() for each in notes][:2] == [
        "规则「规则」：「大门开着」（入户门门磁）→ 客厅吸顶灯 on=true",
        "规则「规则」：「大门开着」结束 60 秒后 → 客厅吸顶灯 on=false",
    ]
    assert notes[2].text() == "定时「早上」：每天 08:00 → 客厅吸顶灯 on=true"
    assert [each.text("en") for each in notes][-1] == (
        "rule '舞': camera '客厅摄像头' judges '有人跳舞'; the hub cannot read pictures"
    )


CALLS = {"leave": "left", "Untold": "left", "Unset": "left", "NotOnHub": "left", "Left": "left", "remark": "remark",
         "Remark": "remark", "Line": "line"}  # fmt: skip


def test_every_reason_that_the_code_gives_has_words_and_all_words_have_a_use():
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in Path(compiling.__file__).parent.glob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    written = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    calls = [node for node in nodes if isinstance(node, ast.Call) and node.args]
    said = {
        f"{CALLS[name]}_{call.args[0].value}"
        for call in calls
        if (name := getattr(call.func, "attr", getattr(call.func, "id", ""))) in CALLS
        and isinstance(call.args[0], ast.Constant)
    }
    words = {key for key in section("compiling", "zh") if key.startswith(("left_", "remark_", "line_"))}
    assert len(said) > 30
    assert said <= words
    assert {key for key in words if key.partition("_")[2] not in written} == set()
