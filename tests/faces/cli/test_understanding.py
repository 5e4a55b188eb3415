from __future__ import annotations

import json
import os

import pytest

LINE = {"id": "a", "text": "明晚九点提醒我交表", "submittedAt": "2026-10-12T10:00:00+08:00", "tz": "Asia/Shanghai"}


def lines(*rows: object) -> bytes:
    return b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)


def test_understand_shows_what_would_come_of_some_words(terminal):
    assert terminal("understand", "明晚九点提醒我交表").lines == [
        "理解：明天（10月13日 周二） 21:00（“明晚九点”，依据“明晚九点提醒我交表”）",
        "将在 明天（10月13日 周二） 21:00 提醒：您指定的时刻",
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("明天三点开会", "会问：是上午还是下午？（凌晨3:00、下午3:00、其他）"),
        ("每周三晚上八点提醒我倒垃圾", "要等模型理解：是重复的安排。"),
        ("买牛奶", "不会提醒：没有提到时间，保存为待办。"),
        ("今天交表", "将在 尽快 提醒：只有日期且已过 09:00，尽快提醒"),
    ],
)
def test_understand_says_what_would_happen(terminal, text, line):
    assert terminal("understand", text).lines[-1] == line


def test_understand_keeps_nothing(terminal):
    terminal("understand", "明晚九点提醒我交表")
    assert not terminal.home.exists()


def test_understand_counts_from_the_given_instant_in_the_given_zone(terminal):
    told = terminal(
        "understand", "明天下午三点开会", "--submitted-at", "2026-12-31T23:30:00Z", "--zone", "Asia/Tokyo", "--json"
    ).json
    assert told["nodes"][0]["at"] == "2027-01-02T15:00:00+09:00"


def test_a_batch_answers_line_by_line_in_the_order_given(terminal, tmp_path):
    (tmp_path / "in.jsonl").write_bytes(lines(LINE, {**LINE, "id": 2, "text": "明天三点开会"}) + b"\n")
    done = terminal("understand", "--batch", str(tmp_path / "in.jsonl"))
    first, second = map(json.loads, done.lines)
    assert (first["id"], first["outcome"]) == ("a", "scheduled")
    assert first["reminders"] == [{"at": "2026-10-13T21:00:00+08:00", "reason": "specified"}]
    assert (second["id"], second["question"]["kind"]) == (2, "meridiem")


def test_a_batch_comes_from_standard_input_too(terminal):
    assert len(terminal("understand", "--batch", "-", stdin=lines(LINE, LINE)).lines) == 2


def test_a_line_that_cannot_be_used_is_rejected_and_the_others_are_answered(terminal):
    broken = [
        b"{",
        b'{"id": 1}',
        b'{"id": 2, "text": "\xff\xfe"}',
        b"[" * 100_000,
        lines({**LINE, "tz": "Mars"})[:-1],
        lines({**LINE, "submittedAt": "2026-10-12T10:00:00"})[:-1],
        lines({**LINE, "text": "好" * 3_000_000})[:-1],
    ]
    done = terminal("understand", "--batch", "-", stdin=b"\n".join([*broken, lines(LINE)]))
    assert done.code == 0
    outcomes = [json.loads(line)["outcome"] for line in done.lines]
    assert outcomes == ["rejected"] * len(broken) + ["scheduled"]


def test_a_byte_order_mark_and_windows_line_ends_do_not_matter(terminal):
    windows = b"\xef\xbb\xbf" + lines(LINE, LINE).replace(b"\n", b"\r\n")
    done = terminal("understand", "--batch", "-", stdin=windows)
    assert [json.loads(line)["outcome"] for line in done.lines] == ["scheduled", "scheduled"]


def test_results_go_into_a_file_when_asked_for(terminal, tmp_path):
    out = tmp_path / "out.jsonl"
    out.write_text("old")
    done = terminal("understand", "--batch", "-", "--out", str(out), stdin=lines(LINE))
    assert (done.code, done.out) == (0, "")
    assert json.loads(out.read_text())["id"] == "a"
    assert os.listdir(tmp_path) == ["out.jsonl"]  # noqa: PTH208 - names only


def test_results_may_go_where_nothing_is_kept(terminal):
    assert terminal("understand", "--batch", "-", "--out", "/dev/null", stdin=lines(LINE)).code == 0


def test_a_file_that_cannot_be_written_is_told_and_nothing_is_left(terminal, tmp_path):
    line = terminal.refused("understand", "--batch", "-", "--out", str(tmp_path / "no/out"), code=2, stdin=lines(LINE))
    assert "写不了" in line
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("argv", [(), ("明天", "--batch", "x"), ("明天", "--out", "x")])
def test_one_text_or_one_batch(terminal, argv):
    assert "二者选一" in terminal.refused("understand", *argv, code=2)
