"""simulate: the real rooms on a virtual clock, and nothing outside of it is changed."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

import pytest

from zhixing.kernel.moments import parse_instant

START = parse_instant("2026-10-12T20:00:00+08:00")
NOBODY, DRINKS, PHONE = "画面中无人", "妈妈举杯喝水", "用户低头看手机"


def verdict(condition: str, at: datetime, value: bool | None, **more: object) -> str:  # noqa: FBT001 - what is seen
    said = {"source": "cam_living", "condition": condition, "value": value, "at": at.isoformat(), **more}
    return json.dumps(said, ensure_ascii=False)


@pytest.fixture
def simulate(terminal, plan_of, tmp_path):
    """Make a task and simulate it; give what the command left."""

    def simulated(name: str, lines: list[str], *options: str):
        if terminal("show", name).code:
            terminal("apply", "-", stdin=json.dumps(plan_of(name)).encode())
        file = tmp_path / "verdicts.jsonl"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        given = ("--verdicts", str(file)) if lines else ()
        return terminal("simulate", name, *given, *options)

    return simulated


def happened(told, *what: str) -> list[tuple]:
    return [(event["at"][11:19], event["what"]) for event in told["events"] if not what or event["what"] in what]


def test_the_light_goes_off_after_five_minutes_on_the_virtual_clock(simulate, terminal):
    terminal("home", "set", "light_living", "on", "true")
    lines = [verdict(NOBODY, START + timedelta(seconds=second), True) for second in range(0, 301, 20)]
    told = simulate("living_room_off", lines, "--json").json
    assert (told["from"], told["until"]) == ("2026-10-12T19:58:00+08:00", "2026-10-12T23:59:59+08:00")
    assert happened(told) == [("20:05:00", "rule"), ("20:05:00", "device")]
    rule, device = told["events"]
    assert (rule["part"], rule["direction"], rule["state"]) == ("r1", "enter", "done")
    assert (device["did"], device["wanted"], device["state"]) == ("light_living", False, "done")


def test_nothing_of_it_is_real(simulate, terminal):
    terminal("home", "set", "light_living", "on", "true")
    lines = [verdict(NOBODY, START + timedelta(seconds=second), True) for second in range(0, 301, 20)]
    simulate("living_room_off", lines)
    before = terminal("show", "living_room_off", "--json").json
    simulate("living_room_off", lines)
    assert terminal("show", "living_room_off", "--json").json == before
    assert before["occurrences"] == []
    assert [one["by"] for one in terminal("home", "log", "--json").json["log"]] == ["person"]
    assert terminal("inbox").lines == ["收件箱是空的。"]
    assert terminal.ring() == 0


def test_counts_reminders_and_the_one_congratulation_come_at_their_instants(simulate):
    morning = parse_instant("2026-10-12T09:00:00+08:00")
    lines = [verdict(DRINKS, morning + timedelta(hours=hour), True, event=f"cup {hour}") for hour in range(9)]
    told = simulate("drink_8_daily", lines, "--json").json
    assert happened(told, "job", "target") == [("12:00:00", "job"), ("16:00:00", "target"), ("18:00:00", "job")]
    assert [event["current"] for event in told["events"] if event["what"] == "record"] == list(range(1, 10))
    texts = [event["text"] for event in told["events"] if event["what"] == "told" and event["channel"] == "inbox"]
    assert [text[:4] for text in texts] == ["喝水", "恭喜达标", "喝水"]
    assert told["record"]["record"]["current"] == 9


def test_time_is_added_up_and_its_target_comes_in_the_middle_of_a_session(simulate):
    lines = [
        verdict(PHONE, START + timedelta(seconds=second), second < 2400 or 3000 <= second < 6000)
        for second in range(0, 6200, 20)
    ]
    told = simulate("phone_time_daily", lines, "--json").json
    rules = [(event["at"][11:19], event["direction"]) for event in told["events"] if event["what"] == "rule"]
    assert rules == [
        ("20:01:30", "enter"),
        ("20:41:00", "exit"),
        ("20:51:30", "enter"),
        ("21:10:00", "target"),
        ("21:41:00", "exit"),
    ]
    assert told["record"]["derived"]["accumulated_seconds"] == 2400 + 3000


def test_what_came_close_and_what_waits_for_judgement_are_among_it(simulate):
    lines = [verdict(NOBODY, START + timedelta(seconds=second), second < 280) for second in range(0, 300, 4)]
    (missed,) = simulate("living_room_off", lines, "--json").json["events"]
    assert (missed["what"], missed["why"], missed["part"]) == ("near_miss", "held", "r1")
    lines = [
        verdict("用户坐起或离床", START, True, firm=True),
        verdict("用户坐起或离床", START + timedelta(minutes=1), False, firm=True),
    ]
    told = simulate("wakeup_curtain", lines, "--json").json
    waits = [event for event in told["events"] if event["what"] == "waits"]
    assert [event["words"] for event in waits] == [["检查开窗帘是否仍有效，若已结束则复位"]]


def test_a_command_is_told_at_the_instant_it_is_given_and_when_it_was_confirmed(simulate):
    done = simulate("wakeup_curtain", [verdict("用户坐起或离床", START, True, firm=True, lasting=True)], "--json")
    assert done.err == ""
    (device,) = [event for event in done.json["events"] if event["what"] == "device"]
    assert (device["at"], device["state"]) == ("2026-10-12T20:00:00+08:00", "done")
    assert device["settled"] > device["at"]


def test_days_ahead_have_what_the_schedules_will_do(simulate):
    told = simulate("drink_8_daily", [], "--days", "2", "--json").json
    assert told["from"] == "2026-10-12T10:00:00+08:00"
    assert [event["at"] for event in told["events"] if event["what"] == "job"] == [
        "2026-10-12T12:00:00+08:00",
        "2026-10-12T18:00:00+08:00",
        "2026-10-13T12:00:00+08:00",
        "2026-10-13T18:00:00+08:00",
    ]


def test_it_ends_where_it_is_told_to(simulate):
    lines = [verdict(NOBODY, START + timedelta(seconds=second), True) for second in range(0, 301, 20)]
    told = simulate("living_room_off", lines, "--until", "2026-10-12T20:04:59+08:00", "--json").json
    assert (told["until"], told["events"]) == ("2026-10-12T20:04:59+08:00", [])
    told = simulate("drink_8_daily", [], "--until", "2026-10-12T12:00:00+08:00", "--json").json
    assert happened(told, "job") == [("12:00:00", "job")]


def test_an_end_is_lived_through(terminal, plan_of):
    plan = plan_of("drink_8_daily")
    plan["task"] |= {"lifecycle": "temporary", "expires_at": "2026-10-12T15:00:00+08:00"}
    terminal("apply", "-", stdin=json.dumps(plan).encode())
    told = terminal("simulate", "drink_8_daily", "--days", "3", "--json").json
    assert (told["status"], happened(told)[-1]) == ("expired", ("15:00:00", "ended"))


def test_a_rule_that_was_stopped_does_not_act_and_a_paused_task_is_shown_as_if_it_ran(simulate, terminal):
    lines = [verdict(NOBODY, START + timedelta(seconds=second), True) for second in range(0, 301, 20)]
    simulate("living_room_off", lines)
    terminal("pause", "living_room_off")
    assert happened(simulate("living_room_off", lines, "--json").json)[0] == ("20:05:00", "rule")


def test_for_people_it_is_a_line_each_with_the_names_of_things(simulate):
    lines = [verdict(NOBODY, START + timedelta(seconds=second), True) for second in range(0, 301, 20)]
    assert simulate("living_room_off", lines).lines == [
        "t1  客厅没人关灯：从 2026-10-12 19:58:00 到 2026-10-12 23:59:59，什么也没有真的发生",
        "2026-10-12 20:05:00  规则  [living_room_off] 客厅无人关灯：已完成",
        "2026-10-12 20:05:00  设备  客厅吸顶灯 on → false：不用做（已经是这样）",
    ]
    assert simulate("living_room_off", [], "--days", "1").lines[1:] == ["这段时间什么也不会发生。"]


def test_channels_of_the_settings_are_played_and_not_used(simulate, terminal):
    terminal("config", "set", "channels.phone.url", "http://127.0.0.1:9/nobody")
    morning = parse_instant("2026-10-12T09:00:00+08:00")
    lines = [verdict(DRINKS, morning + timedelta(minutes=each), True, event=f"cup {each}") for each in range(8)]
    told = simulate("drink_8_daily", lines, "--json").json
    sent = [event for event in told["events"] if event["what"] == "told" and event["channel"] == "phone"]
    assert [(event["text"], event["state"]) for event in sent][:1] == [("恭喜达标", "sent")]


def test_a_job_on_its_own_is_simulated_like_a_task(terminal):
    terminal("cron", "add", "--name", "早报", "--kind", "cron", "--expr", "0 8 * * *", "--message", "提醒看早报")
    told = terminal("simulate", "t1", "--days", "2", "--json").json
    assert (told["task"], happened(told, "job")) == ("t1", [("08:00:00", "job"), ("08:00:00", "job")])
    assert {event["part"] for event in told["events"] if event["what"] == "job"} == {"j1"}


def said_at(at: str) -> bytes:
    return f'{{"source": "a", "condition": "b", "value": true, "at": "{at}"}}\n'.encode()


@pytest.mark.parametrize(
    ("argv", "stdin", "line"),
    [
        ("t9 --days 1", b"", "没有编号为「t9」的任务。"),
        ("t1 --days 0", b"", "--days 应在 1 到 366 之间，现在是 0。"),
        ("t1 --days 367", b"", "--days 应在 1 到 366 之间，现在是 367。"),
        ("t1 --verdicts /nowhere/v", b"", "读不了 /nowhere/v"),
        ("t1 --verdicts -", b"{}", "第 1 行：缺少「source」。"),
        ("t1 --verdicts -", b"", "没有判定也没有写 --days 或 --until，不知道要看到什么时候。"),
        ("t1 --verdicts -", said_at("0001-01-01T00:00:00Z"), "太远"),
        ("t1 --verdicts -", said_at("9999-12-31T23:59:59Z"), "太远"),
        ("t1 --verdicts -", said_at("2026-01-01T00:00:00Z") + said_at("2028-01-01T00:00:00Z"), "一次最多看 366 天。"),
        ("t1 --until soon", b"", "看不懂时间「soon」"),
        ("t1 --until 2026-10-12T09:00:00+08:00", b"", "结束的时间比开始还早。"),
        ("t1 --until 9999-12-31T23:59:59Z", b"", "太远"),
        ("t2 --days 1", b"", "没有"),
    ],
)
def test_what_cannot_be_simulated_is_told_in_one_line(made, argv, stdin, line):
    assert line in made.refused("simulate", *argv.split(), stdin=stdin)


def test_without_verdicts_or_days_it_says_what_to_give(made):
    assert made.refused("simulate", "t1", "--days", "1", "--until", "x", code=2) == "--days 和 --until 只能写一个。"
    assert made.refused("simulate", "t1", code=2) == "要写 --verdicts 文件、--days 天数，或 --until 时刻。"


@pytest.fixture
def made(terminal, plan_of):
    """Give a terminal in whose home t1 is a household task and t2 a notice."""
    terminal("apply", "-", stdin=json.dumps(plan_of("living_room_off")).encode())
    terminal("say", "明晚九点提醒我交表")
    return terminal


def test_a_near_miss_is_told_in_the_zone_of_the_home_and_with_its_times(simulate):
    lines = [verdict(NOBODY, START + timedelta(seconds=second), True) for second in range(0, 280, 20)]
    lines.append(verdict(NOBODY, START + timedelta(seconds=280), False, firm=True))
    (missed,) = simulate("living_room_off", lines, "--json").json["events"]
    assert (missed["at"], missed["since"]) == ("2026-10-12T20:04:40+08:00", "2026-10-12T20:00:00+08:00")
    assert simulate("living_room_off", lines).lines[1].endswith("没有持续够久（持续 280 秒，要 5 分钟）")


def test_verdicts_that_no_rule_watches_are_told(simulate):
    done = simulate("living_room_off", [verdict("画面中没人", START, True)])
    assert "这些判定和这个任务的规则都无关：条件（要一字不差）或来源对不上。" in done.lines
