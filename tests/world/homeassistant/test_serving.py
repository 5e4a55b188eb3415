"""A running zhixing over a real Home Assistant: a door that opens there turns on a lamp there, once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.faces.cli.test_serving import Served
from tests.world.homeassistant.place import wait_for

CONFIG = """
[homeassistant]
url = "{url}"
token = "{token}"
notify = "phone"

[homeassistant.facts.door]
condition = "大门开着"
entity = "binary_sensor.door"
state = "on"

[homeassistant.facts.lamp]
condition = "客厅灯开着"
entity = "light.lamp"
state = "on"
"""


def plan(task: str, source: str, condition: str, **answer: object) -> dict:
    rule = {"name": f"[{task}] {condition}", "mode": "state", "condition": condition, "source": [source], **answer}
    return {
        "task": {"task_id": task, "description": condition, "lifecycle": "permanent"},
        "record": None,
        "schedules": [],
        "rules": [rule],
    }


@pytest.fixture
def served(tmp_path: Path, assistant, house) -> Iterator[Served]:
    house.begin()
    (tmp_path / "config.toml").write_text(CONFIG.format(url=assistant.url, token=assistant.token), encoding="utf-8")
    (tmp_path / "config.toml").chmod(0o600)
    running = Served({"PATH": "/usr/bin:/bin", "ZHIXING_HOME": str(tmp_path), "TZ": "Asia/Shanghai"})
    yield running
    running.kill()


def test_a_door_that_opens_turns_on_a_lamp_and_the_lamp_tells_a_phone(served, house):
    home = served.ask("GET", "/home")
    assert {"客厅灯", "门磁"} <= {each["name"] for each in home["devices"]}
    on = {"did": "light.lamp", "iid": "prop.on", "value": True, "idempotent": True}
    served.ask("POST", "/household/tasks", plan("door_lamp", "binary_sensor.door", "大门开着", on_enter_action=on))
    served.ask(
        "POST", "/household/tasks", plan("lamp_tells", "lamp", "客厅灯开着", on_enter_desc="使用手机推送通知：灯开了")
    )
    house.let("binary_sensor.door", "is_on", True)
    wait_for(lambda: house.told("light.lamp"))
    wait_for(lambda: house.told("phone"))
    assert house.told("light.lamp") == [("turn_on", [])]
    assert [values[1] for _, values in house.told("phone")] == ["灯开了"]
    code, _, err = served.stop()
    assert (code, err) == (0, "")
