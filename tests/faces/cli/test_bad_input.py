"""Input that cannot be used, and homes that cannot: one line, the right exit code, nothing lost."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from zhixing.faces.cli.log import LARGEST

SAID = "明晚九点提醒我交表"


@pytest.mark.parametrize(
    ("argv", "stdin", "line"),
    [
        (("say", ""), b"", "内容是空的，请说点什么。"),
        (("say", " \n "), b"", "内容是空的，请说点什么。"),
        (("say", "-"), b"", "内容是空的，请说点什么。"),
        (("say", "-"), "好".encode() * 20_001, "内容太长，最多 20000 个字符。"),
        (("say", "-"), b"x" * 10_000_000, "内容太长，最多 20000 个字符。"),
        (("say", "好" * 20_001), b"", "内容太长，最多 20000 个字符。"),
        (("say", "-"), b"a\0b", "内容里有不能保存的空字符（NUL）。"),
        (("say", "-"), b"a\n\xff", "标准输入第 2 行不是 UTF-8 编码，没有保存；请转成 UTF-8 再试。"),
        (("say", "\udcff"), b"", "文字里有无法保存的字符，请去掉后再试。"),
        (("say", SAID, "--zone", "Mars"), b"", "不认识的时区「Mars」，请用 IANA 名称，如 Asia/Shanghai。"),
        (("say", SAID, "--zone", ""), b"", "不认识的时区「」，请用 IANA 名称，如 Asia/Shanghai。"),
        (("say", SAID, "--message-date", "10月"), b"", "看不懂日期「10月」，请写成 2026-10-12 这样的形式。"),
        (
            ("say", SAID, "--source", "radio"),
            b"",
            "--source 不能是「radio」，可用：direct、voice、paste、share、quote。",
        ),
        (("say", SAID, "--key", "k" * 201), b"", "幂等键的长度应在 1 到 200 个字符之间。"),
        (("list", "--limit", "x"), b"", "--limit 应为整数，现在是「x」。"),
        (("list", "--limit", "0"), b"", "--limit 应在 1 到 200 之间，现在是 0。"),
        (("list", "--before", "x"), b"", "看不懂翻页位置「x」。"),
        (("list", "--state", "x"), b"", None),
        (("inbox", "--after", "x"), b"", "没有编号为「x」的消息。"),
        (("inbox", "--dismiss", "m9"), b"", "没有编号为「m9」的消息。"),
        (("show", "t9"), b"", "没有编号为「t9」的任务。"),
        (("explain", "o9"), b"", "没有编号为「o9」的触发记录。"),
        (("answer", "t9", "1"), b"", "没有编号为「t9」的任务。"),
        (("next", "61 * * * *"), b"", None),
        (("next", "@daily", "--tz", "Mars"), b"", "不认识的时区「Mars」，请用 IANA 名称，如 Asia/Shanghai。"),
        (
            ("next", "@daily", "--after", "2026-10-12T10:00:00"),
            b"",
            "时间「2026-10-12T10:00:00」缺少时区偏移，请写成 2026-10-12T10:00:00+08:00 这样的形式。",
        ),
        (("next", "@daily", "-n", "1001"), b"", "-n 应在 1 到 1000 之间，现在是 1001。"),
        (("understand", ""), b"", "内容是空的，请说点什么。"),
        (("understand", "--batch", "/nowhere/x"), b"", None),
        (("understand", "--batch", "/"), b"", None),
    ],
)
def test_words_and_values_that_cannot_be_used(terminal, argv, stdin, line):
    told = terminal.refused(*argv, stdin=stdin)
    assert line is None or told == line


def test_the_owner_may_set_a_smaller_bound(terminal):
    terminal("config", "set", "limits.text_chars", "100")
    assert terminal.refused("say", "好" * 101) == "内容太长，最多 100 个字符。"
    terminal("say", SAID)
    assert terminal.refused("edit", "t1", "好" * 101) == "内容太长，最多 100 个字符。"


@pytest.mark.parametrize(
    ("at", "line"),
    [
        ("2026-10-13T18:30:00", "缺少时区偏移"),
        ("3点", "「3点」还不够清楚：是上午还是下午？请写完整，如 明天下午3点。"),
        ("明天", "「明天」没有说几点，请写完整，如 明天下午3点。"),
        ("晚点", "看不懂时间「晚点」"),
        ("明天下午3点半左右", "看不懂时间"),
        ("明天3点到5点", "看不懂时间"),
        ("昨天下午3点", "已经过去了"),
        ("2月30日下午3点", "没有这一天"),
        ("", "看不懂时间「」"),
    ],
)
def test_a_reminder_at_a_time_that_is_not_clear_is_not_set(terminal, at, line):
    terminal("say", "交表")
    assert line in terminal.refused("remind", "t1", at)
    assert terminal("show", "t1", "--json").json["reminders"] == []


def test_a_wrong_settings_file_is_told_with_its_line_and_left_alone(terminal):
    terminal("say", SAID)
    file = terminal.home / "config.toml"
    file.write_text("zone = 'Asia/Tokyo'\nserver = [\n")
    for argv in (("list",), ("say", SAID), ("serve",), ("config", "show"), ("config", "set", "zone", "Asia/Seoul")):
        assert f"{file} 第 2 行写法不对" in terminal.refused(*argv)
    assert file.read_text() == "zone = 'Asia/Tokyo'\nserver = [\n"
    file.unlink()
    assert len(terminal("list", "--json").json["tasks"]) == 1


def test_a_file_that_is_no_database_is_told_and_left_alone(terminal):
    terminal.home.mkdir()
    file = terminal.home / "zhixing.db"
    file.write_bytes(b"precious " * 1000)
    for argv in (("list",), ("say", SAID)):
        assert "已损坏或不是数据库，没有改动它" in terminal.refused(*argv, code=2)
    assert file.read_bytes() == b"precious " * 1000


def test_a_database_with_a_broken_page_is_told(terminal):
    for _ in range(30):
        terminal("say", SAID)
    file = terminal.home / "zhixing.db"
    data = bytearray(file.read_bytes())
    data[4096:] = b"\xaa" * (len(data) - 4096)
    file.write_bytes(data)
    assert "已损坏" in terminal.refused("list", code=2)


def test_a_database_of_a_newer_program_is_told_and_left_alone(terminal):
    terminal("list")
    with closing(sqlite3.connect(terminal.home / "zhixing.db")) as database, database:
        database.execute("INSERT INTO migrations SELECT '9999_future', max(applied_at) FROM migrations")
    assert "更新版本的程序" in terminal.refused("list", code=2)


def test_a_home_that_is_a_file_is_told(terminal):
    terminal.home.write_text("mine")
    assert "不是文件夹" in terminal.refused("say", SAID, code=2)
    assert terminal.home.read_text() == "mine"


class Strange:
    """A clock that breaks in a way nobody thought of."""

    def now(self):
        raise LookupError("boom")

    def monotonic(self):
        raise LookupError("boom")


def test_an_error_nobody_expected_is_one_line_and_leaves_its_traceback_in_the_log(terminal):
    terminal("list")
    terminal.clock = Strange()
    log = terminal.home / "zhixing.log"
    line = terminal.refused("say", SAID, code=2)
    assert line == f"出了意料之外的错（LookupError），经过记在 {log}。"
    assert "Traceback" in log.read_text()
    assert "boom" in log.read_text()
    assert log.stat().st_mode & 0o777 == 0o600


def test_without_a_home_an_unexpected_error_is_still_one_line(terminal):
    terminal.clock = Strange()
    assert terminal.refused("next", "@daily", code=2) == "出了意料之外的错（LookupError），请把做了什么告诉我们。"
    assert not terminal.home.exists()


def test_the_log_does_not_grow_without_end(terminal):
    terminal("list")
    log = terminal.home / "zhixing.log"
    log.write_bytes(b"x" * LARGEST)
    terminal.clock = Strange()
    terminal.refused("say", SAID, code=2)
    assert log.stat().st_size < LARGEST
    assert (terminal.home / "zhixing.log.1").stat().st_size == LARGEST
