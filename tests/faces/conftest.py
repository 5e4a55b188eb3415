"""Household tasks that both faces are tried with, over the home that comes with the program."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

NOBODY = "画面中无人"
DRINKS = "妈妈举杯喝水"
PHONE = "用户低头看手机"

_PLANS: dict[str, dict[str, Any]] = {
    "living_room_off": {
        "task": {"task_id": "living_room_off", "description": "客厅没人关灯"},
        "rules": [
            {
                "name": "[living_room_off] 客厅无人关灯",
                "condition": NOBODY,
                "source": ["cam_living"],
                "duration_seconds": 300,
                "action": {"did": "light_living", "iid": "prop.on", "value": False},
            }
        ],
    },
    "drink_8_daily": {
        "task": {"task_id": "drink_8_daily", "description": "妈妈每天喝 8 杯水"},
        "record": {
            "kind": "progress",
            "content": {"target": 8, "unit": "杯", "window": "day", "recurring_pattern": {"window": "day"}},
        },
        "schedules": [
            {
                "name": "[drink_8_daily] 喝水提醒",
                "kind": "cron",
                "expr": "0 12,18 * * *",
                "tz": "Asia/Shanghai",
                "message": "提醒用户喝水",
            }
        ],
        "rules": [
            {
                "name": "[drink_8_daily] 喝水计数",
                "condition": DRINKS,
                "action_desc": "喝水次数加一；首次达标时使用手机推送通知：恭喜达标",
            }
        ],
    },
    "phone_time_daily": {
        "task": {"task_id": "phone_time_daily", "description": "每天玩手机超 1 小时提醒"},
        "record": {"kind": "duration", "content": {"target_minutes": 60, "recurring_pattern": {"window": "day"}}},
        "rules": [
            {
                "name": "[phone_time_daily] 玩手机",
                "mode": "state",
                "condition": PHONE,
                "duration_seconds": 90,
                "exit_debounce_seconds": 60,
                "on_enter_desc": "记录计时起点",
                "on_exit_desc": "结束计时",
                "on_target_desc": "使用手机推送通知：休息一下",
            }
        ],
    },
    "wakeup_curtain": {
        "task": {"task_id": "wakeup_curtain", "description": "起床开窗帘"},
        "rules": [
            {
                "name": "[wakeup_curtain] 起床开窗帘",
                "mode": "state",
                "condition": "用户坐起或离床",
                "exit_debounce_seconds": 0,
                "on_enter_action": {"did": "curtain_bedroom", "iid": "target-position", "value": 100},
                "on_exit_desc": "检查开窗帘是否仍有效，若已结束则复位",
            }
        ],
    },
}


@pytest.fixture(scope="session")
def plan_of() -> Callable[[str], dict[str, Any]]:
    """Give the plan of a task by its name, to be changed at will."""
    return lambda name: deepcopy(_PLANS[name])
