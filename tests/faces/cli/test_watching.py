"""home watched, verdict, verdicts: the eyes of whoever tries a home out."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

NOBODY = "画面中无人"
TAKEN = {"taken": 1, "fired": 0, "changed": 0, "unheard": 0, "stale": 0, "future": 0}


@pytest.fixture
def watching(terminal, plan_of):
    """Give a terminal in whose home the living room is watched."""
    terminal("apply", "-", stdin=json.dumps(plan_of("living_room_off")).encode())
    terminal.clock.advance(timedelta(minutes=2))
    return terminal


def line(at: str, value: object = "unknown", **more: object) -> bytes:
    said = {"source": "cam_living", "condition": NOBODY, "value": value, "at": at, **more}
    return json.dumps(said, ensure_ascii=False).encode() + b"\n"


def test_what_is_to_be_judged_is_told_with_who_and_for_which_rules(watching, plan_of):
    watching("apply", "-", stdin=json.dumps(plan_of("drink_8_daily")).encode())
    told = watching("home", "watched", "--json").json["conditions"]
    assert {each["condition"]: each["rules"] for each in told} == {NOBODY: ["r1"], "妈妈举杯喝水": ["r2"]}
    lines = watching("home", "watched").lines
    assert "  看：客厅摄像头（规则 r1）" in lines
    assert "妈妈举杯喝水" in lines


@pytest.mark.parametrize("source", ["cam_living", "客厅摄像头"])
@pytest.mark.parametrize("condition", [NOBODY, "r1"])
def test_a_camera_is_named_and_a_rule_stands_for_what_it_watches(watching, source, condition):
    told = watching("home", "verdict", source, condition, "true", "--lasting", "--json").json
    assert told == TAKEN | {"changed": 1}
    watching.clock.advance(timedelta(minutes=5))
    watching.ring()
    assert watching("logs", "living_room_off", "--json").json["counts"] == {"done": 1}


def test_what_nobody_watches_is_told_and_costs_nothing(watching):
    assert watching("home", "verdict", "cam_living", "有人唱歌", "true").lines == [
        "已收下 1 条判定，触发 0 次。",
        "  1 条没有规则在看",
    ]


def test_a_verdict_may_be_older_but_not_older_than_what_is_known(watching):
    assert watching("home", "verdict", "cam_living", "r1", "true", "--ago", "30s", "--json").json["changed"] == 1
    assert watching("home", "verdict", "cam_living", "r1", "false", "--ago", "1m", "--json").json["stale"] == 1
    later = (watching.clock.now() + timedelta(minutes=5)).isoformat()
    assert watching("home", "verdict", "cam_living", "r1", "true", "--at", later, "--json").json["future"] == 1


def test_unknown_changes_neither_way(watching):
    watching("home", "verdict", "cam_living", "r1", "true", "--lasting")
    watching.clock.advance(timedelta(minutes=2))
    watching("home", "verdict", "cam_living", "r1", "unknown", "--reason", "画面模糊")
    watching.clock.advance(timedelta(seconds=10))
    watching("home", "verdict", "cam_living", "r1", "true", "--lasting")
    watching.clock.advance(timedelta(minutes=3))
    watching.ring()
    assert watching("logs", "living_room_off", "--json").json["counts"] == {"done": 1}


def test_what_fires_says_that_somebody_has_to_serve(watching, plan_of):
    watching("apply", "-", stdin=json.dumps(plan_of("drink_8_daily")).encode())
    watching.clock.advance(timedelta(minutes=2))
    assert watching("home", "verdict", "cam_living", "r2", "true", "--event", "cup").lines == [
        "已收下 1 条判定，触发 1 次。",
        "服务没有在运行：规则和定时任务只在 zhixing serve 运行时起作用。",
    ]


def test_without_a_server_nothing_is_waited_for(watching):
    before = watching.clock.now()
    watching("home", "verdict", "cam_living", "r1", "true", "--lasting", "--wait", "3600")
    assert watching.clock.now() == before
    told = watching("home", "verdict", "cam_living", "r1", "true", "--lasting", "--wait", "3600", "--json").json
    assert told["answers"] == []


def test_a_recording_is_handed_over_as_a_whole(watching, tmp_path):
    now = watching.clock.now()
    lines = [line((now - timedelta(seconds=second)).isoformat(), second > 0) for second in (80, 60, 40, 20, 0)]
    (tmp_path / "seen.jsonl").write_bytes(b"\n".join(lines))
    told = watching("home", "verdicts", str(tmp_path / "seen.jsonl"), "--json").json
    assert (told["taken"], told["unheard"], told["stale"]) == (5, 0, 0)
    again = watching("home", "verdicts", "-", "--json", stdin=b"".join(lines)).json
    assert again["stale"] >= 4


def test_thousands_are_taken_a_thousand_at_a_time(watching):
    start = watching.clock.now() - timedelta(seconds=2500)
    lines = [line((start + timedelta(seconds=second)).isoformat(), second % 2 == 0) for second in range(2500)]
    told = watching("home", "verdicts", "-", "--json", stdin=b"".join(lines)).json
    assert (told["taken"], told["future"]) == (2500, 0)


def test_more_than_a_hundred_thousand_are_too_many_for_one_file(watching):
    many = line(watching.clock.now().isoformat()) * 100_001
    assert watching.refused("home", "verdicts", "-", stdin=many) == "一次最多 100000 条。"
    assert watching.refused("simulate", "t1", "--verdicts", "-", stdin=many) == "一次最多 100000 条。"


def test_a_recording_with_a_fault_is_not_begun(watching):
    now = watching.clock.now().isoformat()
    assert watching.refused("home", "verdicts", "-", stdin=line(now) + b"{}\n") == "第 2 行：缺少「source」。"
    assert watching("home", "verdicts", "-", "--json", stdin=line(now)).json["changed"] == 1


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (("cam_living", "r1", "maybe"), "SAYS 不能是「maybe」，可用：true、false、unknown。"),
        (("cam_living", "r9", "true"), "r9"),
        (("cam_living", "r1", "true", "--at", "now"), "看不懂时间「now」"),
        (("cam_living", "r1", "true", "--at", "2026-10-12T10:00:00"), "缺少时区偏移"),
        (("cam_living", "r1", "true", "--ago", "soon"), "看不懂「soon」"),
        (("cam_living", "r1", "true", "--ago", "1m", "--at", "2026-10-12T10:00:00Z"), "--at 和 --ago 只能写一个。"),
        (("cam_living", "r1", "true", "--wait", "3601"), "--wait 应在 0 到 3600 之间，现在是 3601。"),
        (("", "r1", "true"), "source"),
        (("cam_living", "", "true"), "condition"),
        (("c" * 65, "r1", "true"), "source"),
        (("cam_living", "x" * 1001, "true"), "condition"),
        (("cam_living", "a\nb", "true"), "condition"),
        (("cam_living", "r1", "true", "--event", ""), "event"),
        (("cam_living", "r1", "true", "--event", "e" * 200), "event"),
    ],
)
def test_a_verdict_that_is_none_is_told_in_one_line(watching, argv, told):
    assert told in watching.refused("home", "verdict", *argv)


def test_a_reason_of_any_length_is_taken_as_one_line(watching):
    assert (
        watching("home", "verdict", "cam_living", "r1", "true", "--reason", "x\n" * 5000, "--json").json["taken"] == 1
    )
