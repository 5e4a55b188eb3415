"""rules: what is watched, and the contract of `rules replay`."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from zhixing.kernel.moments import parse_instant

START = parse_instant("2026-10-12T20:00:00+08:00")
NOBODY = "画面中无人"


def line(seconds: float, value: bool | None, **more: object) -> str:  # noqa: FBT001 - what the camera says
    at = (START + timedelta(seconds=seconds)).isoformat()
    said = {"source": "cam_living", "condition": NOBODY, "value": value, "at": at, **more}
    return json.dumps(said, ensure_ascii=False)


@pytest.fixture
def replay(terminal, tmp_path):
    """Replay a rule over verdicts; give what the command left."""

    def replayed(rule: object, lines: list[str], *options: str):
        (tmp_path / "rule.json").write_text(json.dumps(rule, ensure_ascii=False), encoding="utf-8")
        (tmp_path / "verdicts.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        files = ("--rule", str(tmp_path / "rule.json"), "--verdicts", str(tmp_path / "verdicts.jsonl"))
        return terminal("rules", "replay", *files, *options)

    return replayed


@pytest.fixture
def off(plan_of):
    return plan_of("living_room_off")["rules"][0]


@pytest.fixture
def phone(plan_of):
    return plan_of("phone_time_daily")["rules"][0] | {"condition": NOBODY}


def test_a_duration_is_met_to_the_second_and_what_came_close_is_told(replay, terminal, off):
    lines = [line(0, False), line(60, True), line(200, True), line(330, False), line(334, False)]
    lines += [line(600, True), line(750, True), line(899, True)]
    told = replay(off, lines, "--json").json
    assert [(one["kind"], one["at"]) for one in told["transitions"]] == [
        ("near_miss", told["transitions"][0]["at"]),
        ("enter", "2026-10-12T20:15:00+08:00"),
    ]
    missed, entered = told["transitions"]
    assert (missed["why"], missed["held"], missed["needed"]) == ("held", 270.0, 300.0)
    assert (entered["since"], entered["left"], entered["late"]) == ("2026-10-12T20:10:00+08:00", None, 0.0)
    assert told["end"] == {"at": "2026-10-12T20:20:59+08:00", "inside": False, "since": None, "stopped": False}
    # It needs no home, and makes none.
    assert not terminal.home.exists()


def test_a_state_rule_enters_and_leaves_after_its_debounce(replay, phone):
    lines = [line(second, second < 120) for second in range(0, 400, 4)]
    told = replay(phone, lines, "--json").json
    assert [(one["kind"], one["at"], one["left"]) for one in told["transitions"]] == [
        ("enter", "2026-10-12T20:01:30+08:00", None),
        ("exit", "2026-10-12T20:03:00+08:00", "2026-10-12T20:02:00+08:00"),
    ]


def test_a_rule_that_is_inside_at_the_end_says_since_when(replay, phone):
    told = replay(phone, [line(second, True) for second in range(0, 200, 4)], "--until", "2026-10-12T20:03:00+08:00")
    assert told.lines[-1] == "到 2026-10-12 20:03:00 为止；规则已进入，还没有离开。"
    again = replay(phone, [line(second, True) for second in range(0, 200, 4)], "--until", START.isoformat(), "--json")
    assert again.json["transitions"] == []


def test_a_target_comes_with_the_time_of_an_episode(replay, phone):
    lines = [line(second, True) for second in range(0, 700, 20)]
    told = replay(phone, lines, "--target-minutes", "10", "--json").json
    assert [(one["kind"], one["at"]) for one in told["transitions"]] == [
        ("enter", "2026-10-12T20:01:30+08:00"),
        ("target", "2026-10-12T20:10:00+08:00"),
    ]


def test_the_first_thing_that_is_seen_is_news(replay, off):
    off = {key: value for key, value in off.items() if key != "duration_seconds"}
    (entered,) = replay(off, [line(0, True)], "--json").json["transitions"]
    assert (entered["kind"], entered["at"]) == ("enter", "2026-10-12T20:00:00+08:00")


def test_the_order_of_the_lines_does_not_matter(replay, off):
    lines = [line(second, True) for second in range(0, 320, 20)]
    assert replay(off, lines[::-1], "--json").json == replay(off, lines, "--json").json


def test_instants_are_told_in_the_zone_that_is_asked_for(replay, off):
    lines = [line(second, True) for second in range(0, 320, 20)]
    told = replay(off, lines, "--zone", "Europe/Berlin", "--json").json
    assert told["transitions"][0]["at"] == "2026-10-12T14:05:00+02:00"


def test_for_people_it_is_a_line_each(replay, off):
    lines = [line(second, True) for second in range(0, 280, 20)] + [line(280, False), line(284, False)]
    done = replay(off, lines)
    assert done.lines[0].startswith("2026-10-12 20:04:")
    assert done.lines[0].endswith("差一点  没有持续够久（持续 280 秒，要 5 分钟）（晚 4 秒）")
    assert done.lines[-1].endswith("；规则在等待。")
    assert replay(off, [line(0, False)]).lines[0] == "什么也没有触发。"


def test_a_rule_may_be_one_of_a_list_of_rules(terminal, replay, off, plan_of):
    terminal("apply", "-", stdin=json.dumps(plan_of("living_room_off")).encode())
    (listed,) = terminal("rules", "list", "--json").json["rules"]
    lines = [line(second, True) for second in range(0, 320, 20)]
    assert replay(listed, lines, "--json").json == replay(off, lines, "--json").json
    flat = {**listed["rule"], "id": "r1", "task_id": "living_room_off", "enabled": True, "lifecycle": "permanent"}
    assert replay(flat, lines, "--json").json == replay(off, lines, "--json").json


def test_rules_are_listed_and_shown_in_words(terminal, plan_of):
    assert terminal("rules", "list").lines == ["没有规则。"]
    for name in ("living_room_off", "phone_time_daily"):
        terminal("apply", "-", stdin=json.dumps(plan_of(name)).encode())
    assert terminal("rules", "list", "living_room_off").lines == [
        "r1  [living_room_off] 客厅无人关灯",
        "  看 客厅摄像头：“画面中无人”，持续 5 分钟",
        "  发生时：客厅吸顶灯 on → false",
    ]
    assert terminal("rules", "show", "R2").lines[2:] == [
        "  进入时：记录计时起点",
        "  离开 1 分钟后：结束计时",
        "  达标时：使用手机推送通知：休息一下",
    ]
    told = terminal("rules", "show", "r1", "--json").json
    assert (told["enabled"], told["rule"]["duration_seconds"], told["words"][0][:5]) == (True, 300, "看 客厅摄")


@pytest.fixture
def files(terminal, tmp_path, monkeypatch):
    """Write the two files beside which the command is typed."""

    def written(rule: bytes, said: bytes):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "r").write_bytes(rule)
        (tmp_path / "v").write_bytes(said)
        return terminal

    return written


RULE = b'{"condition": "x", "action_desc": "y"}'


@pytest.mark.parametrize(
    ("rule", "said", "options", "told"),
    [
        (b"", b"", (), "不是可用的 JSON"),
        (b"[]", b"", (), "规则应是一个 JSON 对象。"),
        (b'{"rule": 3}', b"", (), None),
        (b"{}", b"", (), "缺少「condition」。"),
        (b'{"condition": "x"}', b"", (), None),
        (RULE[:-1] + b', "duraton_seconds": 3}', b"", (), "duraton_seconds"),
        (b"x" * 300_000, b"", (), "文件太大，最多 262144 字节。"),
        (RULE, b"", (), "没有判定也没有写 --until，不知道要看到什么时候。"),
        (RULE, b"{}", (), "第 1 行：缺少「source」。"),
        (RULE, b'\n{"source": "a"', (), "第 2 行：不是可用的 JSON 对象。"),
        (
            RULE,
            b'{"source": "a", "condition": "x", "value": true, "at": "2026-10-12T10:00:00"}',
            (),
            "字段「at」应是带时区",
        ),
        (RULE, b'{"source": "a", "condition": "x", "value": 1, "at": "2026-10-12T10:00:00Z"}', (), "字段「value」应是"),
        (
            RULE,
            b'{"source": "a", "condition": "x", "value": true, "at": "2026-10-12T10:00:00Z", "sure": 1}',
            (),
            "sure",
        ),
        (RULE, b"x" * 200_000, (), "第 1 行：太长"),
        (RULE, b"", ("--until", "tomorrow"), "看不懂时间「tomorrow」"),
        (RULE, b"", ("--until", "2026-10-12T10:00:00"), "缺少时区偏移"),
        (RULE, b"", ("--until", "9999-12-31T23:59:59Z"), "太远"),
        (RULE, b'{"source": "a", "condition": "x", "value": true, "at": "0001-01-01T00:00:00Z"}', (), "太远"),
        (RULE, b"", ("--zone", "Mars"), "不认识的时区「Mars」"),
        (RULE, b"", ("--target-minutes", "0"), "--target-minutes 应在 1 到 100000 之间，现在是 0。"),
    ],
)
def test_what_cannot_be_replayed_is_told_in_one_line(files, rule, said, options, told):
    line = files(rule, said).refused("rules", "replay", "--rule", "r", "--verdicts", "v", *options)
    assert told is None or told in line


def test_without_its_files_it_says_how_it_is_written(terminal):
    assert "zhixing rules replay" in terminal.refused("rules", "replay", code=2)


def test_a_target_without_an_answer_is_refused(replay, off):
    done = replay(off, [line(0, True)], "--target-minutes", "10")
    assert (done.code, done.err) == (1, "规则没有达标时的响应（on_target_desc），--target-minutes 用不上。\n")


def test_verdicts_of_something_else_are_told(replay, off):
    done = replay(off, [line(0, True, source="cam_study"), line(4, True, condition="画面中无人。")])
    assert done.lines[1] == "这些判定都和这条规则无关：条件（要一字不差）或来源对不上。"
    mixed = replay(off, [line(0, True, source="cam_study"), line(4, True)], "--json").json
    assert mixed["unheard"] == 1


def test_what_quiet_hours_hold_back_did_hold(replay, off):
    lines = [line(second, True) for second in range(0, 400, 20)]
    done = replay(off | {"quiet": ["00:00-23:59"]}, lines)
    assert done.lines[0].endswith("差一点  在免打扰时段")
