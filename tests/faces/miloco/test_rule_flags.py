"""The document's table of rule flags (§Rule flag 映射): what each says of a rule, made with it or changed to it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

OFF = {"did": "light_living", "iid": "prop.2.1", "value": False, "idempotent": True}
ACTION = json.dumps(OFF)
WORDS = "使用手机推送通知：好"
QUERY = "有人坐着；不含蹲，不含跪"
START, END = "记录计时起点", "结束计时"
EVENT = ("--mode", "event", "--action-desc", WORDS)
ACTING = ("--mode", "event", "--action", ACTION)
STATE = ("--mode", "state", "--on-enter-desc", START)
ENTERING = ("--mode", "state", "--on-enter-action", ACTION)
SAYING = (*STATE, "--on-exit-desc", END)
SWITCHING = (*STATE, "--on-exit-action", ACTION)
CAMERAS = ("--source", "cam_kids", "--source", "cam_living")


@dataclass(frozen=True)
class Row:
    """A flag of the table: a rule without it, what says it, what has to go for it, and the fields that say it back."""

    what: str
    before: tuple[str, ...]
    said: tuple[str, ...]
    shown: dict[str, Any]
    cleared: str = ""
    beside: tuple[str, ...] | None = None
    """The other flags of a rule that is made with it; None: those of the rule without it."""


TABLE = [
    Row("name", EVENT, ("--name", "[off] 别的"), {"name": "[off] 别的"}),
    Row("mode=event", STATE, EVENT, {"mode": "event", "action_descriptions": [WORDS]}, "on_enter_desc", ()),
    Row("mode=state", EVENT, STATE, {"mode": "state", "on_enter_desc": START}, "action_descriptions", ()),
    Row("condition.query", EVENT, ("--condition", QUERY), {"query": QUERY}),
    Row("event + action JSON", EVENT, ACTING[2:], {"actions": [OFF]}, "action_descriptions", EVENT[:2]),
    Row("event + desc", ACTING, EVENT[2:], {"action_descriptions": [WORDS]}, "actions", EVENT[:2]),
    Row("state + on_enter action JSON", STATE, ENTERING[2:], {"on_enter_actions": [OFF]}, "on_enter_desc", STATE[:2]),
    Row("state + on_enter desc", ENTERING, STATE[2:], {"on_enter_desc": START}, "on_enter_actions", STATE[:2]),
    Row("state + on_exit action JSON", SAYING, SWITCHING[4:], {"on_exit_actions": [OFF]}, "on_exit_desc", STATE),
    Row("state + on_exit desc", SWITCHING, SAYING[4:], {"on_exit_desc": END}, "on_exit_actions", STATE),
    Row("on_exit 留空", STATE, (), {"on_exit_desc": None, "on_exit_actions": []}),
    Row("duration_seconds=N", EVENT, ("--duration-seconds", "300"), {"duration_seconds": 300}),
    Row("exit_debounce_seconds=N", STATE, ("--exit-debounce-seconds", "1800"), {"exit_debounce_seconds": 1800}),
    Row("感知设备=<DID>", EVENT, CAMERAS[:2], {"sources": ["cam_kids"]}),
    Row("several --source", EVENT, CAMERAS, {"sources": ["cam_kids", "cam_living"]}),
    Row("感知设备=广播", EVENT, (), {"sources": []}),
]
FOLLOWS = {"condition", "agreement", "duration_ratio", "revision", "updated_at"}
"""What other fields bring with them."""


def made(terminal: Any, *flags: str) -> dict[str, Any]:
    """Make a task with one rule; give the fields of the rule."""
    terminal("task", "create", "--task-id", "off", "--description", "客厅没人关灯")
    needed = {"--name": "[off] 关灯", "--condition": "画面中无人"}
    words = [word for flag, value in needed.items() if flag not in flags for word in (flag, value)]
    assert terminal("rule", "create", "--task-id", "off", *words, *flags).code == 0
    return fields(terminal)


def fields(terminal: Any) -> dict[str, Any]:
    (rule,) = terminal("rule", "list").data
    condition = rule["condition"]
    return rule | {"query": condition["query"], "sources": condition["perceive_device_ids"]}


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.what)
def test_a_rule_that_is_made_with_a_flag_has_what_it_says(miloco, row):
    beside = row.before if row.beside is None else row.beside
    assert row.shown.items() <= made(miloco, *beside, *row.said).items()


@pytest.mark.parametrize("row", [row for row in TABLE if row.said], ids=lambda row: row.what)
def test_a_rule_that_is_changed_by_a_flag_has_what_it_says_and_keeps_the_rest(on_any_store, row):
    before = made(on_any_store, *row.before)
    assert not row.shown.items() <= before.items()
    cleared = ("--clear", row.cleared) if row.cleared else ()
    assert on_any_store("rule", "update", "r1", *row.said, *cleared).code == 0
    after = fields(on_any_store)
    assert row.shown.items() <= after.items()
    assert {key for key in after if after[key] != before[key]} - FOLLOWS == {*row.shown, row.cleared} - {""}


def test_words_for_a_target_have_a_flag_beside_the_table(on_any_store):
    on_any_store("task", "create", "--task-id", "off", "--description", "玩手机")
    content = '{"target_minutes":60,"recurring_pattern":{"window":"day"}}'
    on_any_store("task", "record", "init", "off", "--kind", "duration", "--content", content)
    named = ("--task-id", "off", "--name", "[off] 玩手机", "--condition", QUERY)
    assert on_any_store("rule", "create", *named, *STATE, "--on-target-desc", WORDS).code == 0
    assert fields(on_any_store)["on_target_desc"] == WORDS
