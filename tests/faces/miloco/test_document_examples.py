"""The nine examples of document 000: every command line as it stands there, with the placeholders filled."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.faces.miloco.scripts import EXAMPLES, PLACEHOLDERS, run_example

from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import parse_instant

START = parse_instant("2026-10-12T10:00:00+08:00")
NUMBERS = range(1, 10)
SLUGS = {
    1: "fall_alert",
    2: "wakeup_curtain",
    3: "med_tomorrow_9am",
    4: "drink_8_today",
    5: "phone_time_daily",
    6: "living_room_off",
    7: "sit_30min",
    8: "mom_arrival",
    9: "drink_8_daily",
}


@pytest.mark.parametrize("number", NUMBERS)
def test_every_command_of_an_example_is_done(on_any_store, number):
    left = run_example(number, on_any_store)
    assert [done.code for done in left] == [0] * len(left), left
    task = on_any_store("task", "get", SLUGS[number]).data
    assert (task["status"], task["task_id"]) == ("active", SLUGS[number])
    assert [rule["name"].startswith(f"[{SLUGS[number]}]") for rule in task["rule_briefs"]] in ([True], [])


@pytest.fixture(scope="module")
def everything(tmp_path_factory, terminal_at):
    """Give a home in which all nine were done, one after the other; the tests only look at it."""
    terminal = terminal_at(tmp_path_factory.mktemp("nine") / "home", ManualClock(START))
    for number in NUMBERS:
        assert all(done.code == 0 for done in run_example(number, terminal))
    return terminal


def test_all_nine_live_side_by_side(everything):
    tasks = everything("task", "list", "--pretty")
    assert tasks.code == 0
    listed = {task["task_id"]: task for task in everything("task", "list").data}
    assert list(listed) == [SLUGS[number] for number in reversed(NUMBERS)]
    assert {slug: task["record_kind"] for slug, task in listed.items() if task["record_kind"]} == {
        "drink_8_today": "progress",
        "drink_8_daily": "progress",
        "phone_time_daily": "duration",
    }
    assert {slug: len(task["crons"]) for slug, task in listed.items() if task["crons"]} == {
        "med_tomorrow_9am": 1,
        "drink_8_today": 2,
        "drink_8_daily": 1,
    }


def test_what_the_examples_say_is_what_the_rules_are(everything):
    rules = {rule["task_id"]: rule for rule in everything("rule", "list").data}
    assert {
        slug: (rule["mode"], rule["duration_seconds"], rule["exit_debounce_seconds"]) for slug, rule in rules.items()
    } == {
        "fall_alert": ("event", None, 60),
        "wakeup_curtain": ("state", None, 60),
        "drink_8_today": ("event", None, 60),
        "phone_time_daily": ("state", 90, 60),
        "living_room_off": ("event", 300, 60),
        "sit_30min": ("event", 1800, 60),
        "mom_arrival": ("state", None, 1800),
        "drink_8_daily": ("event", None, 60),
    }
    assert rules["living_room_off"]["condition"] == {"perceive_device_ids": ["cam_living"], "query": "画面中无人"}
    assert rules["living_room_off"]["actions"] == [
        {"did": "light_living", "iid": "prop.2.1", "value": False, "idempotent": True}
    ]
    assert rules["wakeup_curtain"]["on_enter_actions"][0]["did"] == "curtain_living"
    assert rules["wakeup_curtain"]["on_exit_desc"] == "检查开窗帘是否仍有效，若已结束则复位"
    assert rules["mom_arrival"]["condition"]["perceive_device_ids"] == ["cam_entrance"]
    assert rules["phone_time_daily"]["on_target_desc"].startswith("使用手机推送通知：")
    assert rules["fall_alert"]["condition"]["perceive_device_ids"] == []


def test_what_is_for_today_ends_with_the_day(everything):
    task = everything("task", "get", "drink_8_today").data
    assert (task["lifecycle"], task["expires_at"]) == ("temporary", "2026-10-12T23:59:59+08:00")
    record = everything("task", "record", "get", "drink_8_today").data
    assert record["record"]["expires_at"] == "2026-10-12T23:59:59+08:00"


def test_a_half_built_task_is_rolled_back_as_the_document_says(miloco):
    run_example(9, miloco)
    ended = miloco("task", "delete", "drink_8_daily", "--reason", "abandoned").data
    assert ended["backend_synced"]["rules_deleted"] == ["r1"]
    assert ended["backend_synced"]["crons"] == [{"ref": "j1", "result": "ok"}]
    assert ended["agent_pending"] == []
    assert miloco("task", "list").data == []
    assert miloco("rule", "list").data == []
    assert all(done.code == 0 for done in run_example(9, miloco)), "the name is free again"


@pytest.mark.parametrize("number", [6])
def test_a_shell_runs_an_example_as_it_stands(number, tmp_path):
    script = (EXAMPLES / f"{number}.sh").read_text(encoding="utf-8")
    for placeholder, value in PLACEHOLDERS.items():
        script = script.replace(placeholder, value)
    env = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "ZHIXING_HOME": str(tmp_path / "home"),
        "TZ": "Asia/Shanghai",
    }
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], env=env, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert [
        re.match(r'\{"code":0,"message":"ok","data":\{', line) is not None for line in done.stdout.splitlines()
    ] == [
        True,
        True,
    ]


def test_a_shell_takes_the_instant_as_it_is_printed(tmp_path):
    script = (
        """AT_TIME=$(miloco-cli time-compute --anchor '{"kind":"tomorrow_at","time":"09:00:00"}'); echo "<$AT_TIME>" """
    )
    env = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "TZ": "Asia/Shanghai",
    }
    done = subprocess.run(["bash", "-c", script], env=env, capture_output=True, text=True, timeout=60, check=True)
    assert re.fullmatch(r"<\d{4}-\d\d-\d\dT09:00:00\+08:00>\n", done.stdout)
