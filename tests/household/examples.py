"""The nine examples of document 000 as plans, over the default virtual home (placeholders filled)."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

LAMP, CURTAIN = "light_living", "curtain_bedroom"
LIVING, HALL = "cam_living", "cam_entrance"
TZ = "Asia/Shanghai"

DRINKING = (
    "手持水杯/水瓶/茶杯/保温杯等饮品容器，杯口贴近嘴边并伴随仰头吞咽动作；"
    "不含手持牙刷/麦克风/纸盒/食物/餐盒等非饮品物品，不含举杯凑近鼻子闻、吹凉、展示等动作"
)
REMAINING = "调 miloco-cli task record get {slug}，按 derived.remaining 决定是否催"


def fall() -> dict[str, Any]:
    return {
        "task": {"task_id": "fall_alert", "description": "家里有人摔倒报警", "lifecycle": "permanent"},
        "record": None,
        "schedules": [],
        "rules": [
            {
                "name": "[fall_alert] 摔倒报警",
                "mode": "event",
                "query": {"text": "任何人身体突然失去平衡倒地；不含主动卧倒，不含做仰卧起坐", "kind": "action"},
                "source": None,
                "action_desc": "使用音箱播报通知：有人摔倒了，立即报警",
                "trigger_class": "safety",
                "duration_origin": "none",
            }
        ],
    }


def curtain() -> dict[str, Any]:
    action = {"did": CURTAIN, "iid": "prop.target-position", "value": 100, "idempotent": True}
    return {
        "task": {"task_id": "wakeup_curtain", "description": "起床开窗帘", "lifecycle": "permanent"},
        "record": None,
        "schedules": [],
        "rules": [
            {
                "name": "[wakeup_curtain] 起床开窗帘",
                "mode": "state",
                "condition": "用户从卧床躺姿切换到坐起或离床站立姿态；不含翻身，不含坐起喝水后躺回",
                "exit_debounce_seconds": 60,
                "on_enter_action": action,
                "on_exit_desc": "检查开窗帘是否仍有效，若已结束则复位",
            }
        ],
    }


def medicine(at: str = "2026-10-13T09:00:00+08:00") -> dict[str, Any]:
    return {
        "task": {"task_id": "med_tomorrow_9am", "description": "明天 9 点提醒吃药", "lifecycle": "temporary"},
        "record": None,
        "rules": [],
        "schedules": [
            {
                "name": "[med_tomorrow_9am] 吃药提醒",
                "kind": "at",
                "at": at,
                "expr": None,
                "tz": None,
                "every_ms": None,
                "message": "提醒用户吃药",
                "purpose": "remind",
                "origin": "user",
                "linked": True,
            }
        ],
    }


def drink_today() -> dict[str, Any]:
    end = "2026-10-12T23:59:59+08:00"
    return {
        "op": "create",
        "tz": TZ,
        "task": {
            "task_id": "drink_8_today",
            "description": "今天喝够 8 杯水",
            "lifecycle": "temporary",
            "expires_at": end,
        },
        "record": {
            "kind": "progress",
            "task_type": "oneshot",
            "target_origin": "user",
            "content": {"target": 8, "unit": "杯", "window": "day", "expires_at": end},
        },
        "schedules": [
            reminder("drink_8_today"),
            {
                "name": "[drink_8_today] 到期销毁",
                "kind": "at",
                "at": end,
                "message": "到期销毁 task drink_8_today",
                "purpose": "terminate",
            },
        ],
        "rules": [drinking("drink_8_today", "用户")],
        "steps": ["task", "record", "cron:0", "link:0", "rule:0"],
        "questions": [],
        "tips": [{"kind": "subject", "value": "用户", "reason": "没说是谁", "how": "说“改成妈妈”"}],
        "final": {"task": "drink_8_today"},
    }


def phone() -> dict[str, Any]:
    return {
        "task": {"task_id": "phone_time_daily", "description": "每天累计玩手机超 1 小时提醒", "lifecycle": "permanent"},
        "record": {"kind": "duration", "content": {"target_minutes": 60, "recurring_pattern": {"window": "day"}}},
        "schedules": [],
        "rules": [
            {
                "name": "[phone_time_daily] 玩手机累计时长",
                "mode": "state",
                "condition": "用户手持手机，屏幕亮起朝向脸部；不含手持平板/书本，不含手机贴耳通话",
                "duration_seconds": 90,
                "exit_debounce_seconds": 60,
                "on_enter_desc": "记录计时起点",
                "on_exit_desc": "结束计时",
                "on_target_desc": "使用手机推送通知：今日累计玩手机已达目标时长，休息一下",
            }
        ],
    }


def lights_off() -> dict[str, Any]:
    return {
        "task": {"task_id": "living_room_off", "description": "客厅没人关灯", "lifecycle": "permanent"},
        "record": None,
        "schedules": [],
        "rules": [
            {
                "name": "[living_room_off] 客厅无人关灯",
                "mode": "event",
                "condition": "画面中无人",
                "source": [LIVING],
                "duration_seconds": 300,
                "action": {"did": LAMP, "iid": "prop.on", "value": False, "idempotent": True},
            }
        ],
    }


def sitting() -> dict[str, Any]:
    return {
        "task": {"task_id": "sit_30min", "description": "久坐 30 分钟提醒", "lifecycle": "permanent"},
        "rules": [
            {
                "name": "[sit_30min] 久坐 30 分钟提醒",
                "mode": "event",
                "condition": "用户臀部接触沙发/座椅，保持坐姿；不含蹲在地面，不含跪坐",
                "duration_seconds": 1800,
                "action_desc": "使用手机推送通知：已久坐 30 分钟，建议起身活动",
            }
        ],
    }


def mother() -> dict[str, Any]:
    return {
        "task": {"task_id": "mom_arrival", "description": "妈妈回家欢迎播报", "lifecycle": "permanent"},
        "rules": [
            {
                "name": "[mom_arrival] 妈妈回家欢迎",
                "mode": "state",
                "condition": "妈妈伴随开门动作从户外走入玄关画面；不含路过门口的短暂停留，不含其他家庭成员进门",
                "source": HALL,
                "exit_debounce_seconds": 1800,
                "on_enter_desc": "使用音箱播报通知：向妈妈说一段欢迎回家的话",
                "on_exit_desc": None,
            }
        ],
    }


def drink_daily() -> dict[str, Any]:
    return {
        "task": {"task_id": "drink_8_daily", "description": "妈妈每天喝 8 杯水", "lifecycle": "permanent"},
        "record": {
            "kind": "progress",
            "content": {"target": 8, "unit": "杯", "window": "day", "recurring_pattern": {"window": "day"}},
        },
        "schedules": [reminder("drink_8_daily")],
        "rules": [drinking("drink_8_daily", "妈妈")],
    }


def drinking(slug: str, who: str) -> dict[str, Any]:
    return {
        "name": f"[{slug}] 喝水计数",
        "mode": "event",
        "condition": f"{who}{DRINKING}",
        "action_desc": "喝水次数加一；首次达标时使用手机推送通知：恭喜达标",
    }


def reminder(slug: str) -> dict[str, Any]:
    return {
        "name": f"[{slug}] 喝水提醒",
        "kind": "cron",
        "expr": "0 10,12,14,16,18,20 * * *",
        "tz": TZ,
        "message": REMAINING.format(slug=slug),
        "purpose": "remind",
    }


EXAMPLES = (fall, curtain, medicine, drink_today, phone, lights_off, sitting, mother, drink_daily)


def changed(plan: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Give a plan with one value set at `a.0.b`."""
    copy = deepcopy(plan)
    *way, last = path.split(".")
    at: Any = copy
    for step in way:
        at = at[int(step)] if step.isdigit() else at[step]
    at[int(last) if last.isdigit() else last] = value
    return copy
