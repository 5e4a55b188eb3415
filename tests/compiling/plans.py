"""Plans of household tasks over the default virtual home."""

from __future__ import annotations

from typing import Any

TZ = "Asia/Shanghai"
DOOR, WINDOW, MOTION, BUTTON = "door_entrance", "window_balcony", "motion_entrance", "button_bedside"
WARM, DAMP = "climate_living", "climate_kids"


def switch(did: str, value: Any, prop: str = "on", **more: Any) -> dict[str, Any]:
    return {"did": did, "iid": f"prop.{prop}", "value": value, **more}


ON, OFF = switch("light_living", value=True), switch("light_living", value=False)
HALL_ON, HALL_OFF = switch("light_entrance", value=True), switch("light_entrance", value=False)


def rule(condition: str, *sources: str, name: str = "规则", **more: Any) -> dict[str, Any]:
    return {"name": name, "condition": condition, "source": list(sources) or None, **more}


def state(condition: str, *sources: str, enter: Any = ON, leave: Any = OFF, debounce: int = 60, **more: Any) -> Any:
    return rule(
        condition,
        *sources,
        mode="state",
        on_enter_actions=[enter] if enter else None,
        on_exit_actions=[leave] if leave else None,
        exit_debounce_seconds=debounce,
        **more,
    )


def cron(expr: str, message: str, name: str = "定时", tz: str = TZ) -> dict[str, Any]:
    return {"name": name, "kind": "cron", "expr": expr, "tz": tz, "message": message}


def task(*parts: dict[str, Any], slug: str = "probe", record: Any = None, **more: Any) -> dict[str, Any]:
    """Make a plan of rules and schedules."""
    return {
        "task": {"task_id": slug, "description": "试一试", **more},
        "record": record,
        "rules": [each for each in parts if "condition" in each],
        "schedules": [each for each in parts if "message" in each],
    }
