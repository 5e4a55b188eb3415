from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.faces.cli.layout import columns


@pytest.fixture
def three(terminal, said):
    """One task of each kind: scheduled, asked about, completed."""
    return (
        said("明晚九点提醒我交表"),
        said("明天三点开会"),
        terminal("done", said("明天下午三点看牙"), "--json").json["id"],
    )


@pytest.mark.usefixtures("three")
def test_list_shows_open_tasks_in_columns_the_newest_first(terminal):
    assert terminal("list").lines == [
        "t2  等您回答  -                            开会",
        "t1  已安排    明天（10月13日 周二） 21:00  交表",
    ]


def test_columns_stand_under_one_another_whatever_is_in_them(terminal, said):
    said("明晚九点提醒我 call Bob")
    said("一个待办")
    first, second = terminal("list").lines
    assert columns(first[: first.index("一个")]) == columns(second[: second.index("call")])


@pytest.mark.usefixtures("three")
def test_list_all_has_those_that_have_ended_too(terminal):
    assert [line.split()[:2] for line in terminal("list", "--all").lines] == [
        ["t3", "已完成"],
        ["t2", "等您回答"],
        ["t1", "已安排"],
    ]


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        (("--status", "completed"), ["t3"]),
        (("--status", "deleted"), []),
        (("--state", "needs_confirmation"), ["t2"]),
        (("--state", "scheduled"), ["t3", "t1"]),
        (("--state", "scheduled", "--status", "active"), ["t1"]),
        (("--limit", "1"), ["t2"]),
        (("--before", "t2"), ["t1"]),
    ],
)
@pytest.mark.usefixtures("three")
def test_list_takes_what_is_asked_for(terminal, options, ids):
    assert [each["id"] for each in terminal("list", *options, "--json").json["tasks"]] == ids


@pytest.mark.usefixtures("three")
def test_a_list_that_goes_on_says_how(terminal):
    assert terminal("list", "--limit", "1").lines[-1] == "还有更早的：zhixing list --before t2"
    assert terminal("list", "--limit", "1", "--json").json["more"] == "t2"


def test_an_empty_list_says_what_to_do(terminal):
    assert terminal("list").lines == ["还没有事项。说一句试试：zhixing say 明晚九点提醒我交表"]
    assert terminal("list", "--all").lines == ["没有这样的事项。"]


@pytest.mark.parametrize("written", ["t1", "1", "T1", " t1 ", "01"])
def test_a_task_is_found_by_its_id_or_its_number(terminal, said, written):
    said("明晚九点提醒我交表")
    assert terminal("show", written, "--json").json["id"] == "t1"


def test_show_has_the_words_as_they_came_in_and_what_happened_since(terminal, said):
    said("明天下午3点开会\n带上电脑")
    terminal("edit", "t1", "明天下午4点开会")
    assert terminal("show", "t1").lines == [
        "t1  开会",
        "  今天（10月12日 周一） 10:00 记下（直接输入，Asia/Shanghai）",
        "  最初的原话：",
        "    明天下午3点开会",
        "    带上电脑",
        "  改成（今天（10月12日 周一） 10:00）：",
        "    明天下午4点开会",
        "  理解：明天（10月13日 周二） 16:00 开始（“明天下午4点”，依据“明天下午4点开会”）",
        "  已安排提醒。",
        "  将在 明天（10月13日 周二） 15:30 提醒：默认在开始前 30 分钟",
        "  经过：",
        "    今天（10月12日 周一） 10:00 新建（命令行）",
        "    今天（10月12日 周一） 10:00 已理解（命令行）",
        "    今天（10月12日 周一） 10:00 已修改（命令行）",
        "    今天（10月12日 周一） 10:00 已理解（命令行）",
    ]


def test_show_for_programs_has_the_journal_and_the_occurrences(terminal, said):
    said("明天下午3点开会")
    terminal.clock.advance(timedelta(days=2))
    terminal.ring()
    told = terminal("show", "t1", "--json").json
    assert [each["kind"] for each in told["journal"]][:2] == ["created", "understood"]
    assert [each["task"] for each in told["occurrences"]] == ["t1"]


def test_what_somebody_said_cannot_steer_the_terminal(terminal):
    terminal("say", "明晚九点提醒我\x1b[31m交表\u202e", "--note")
    for command in (("list",), ("show", "t1"), ("explain", "t1")):
        assert not {"\x1b", "\u202e"} & set(terminal(*command).out)


def test_preview_shows_when_it_will_remind(terminal, said):
    said("后天上午10点提醒我交表")
    terminal("remind", "t1", "11月20日上午9点")
    assert terminal("preview", "t1").lines == [
        "t1  交表：30 天内有 1 次提醒",
        "  后天（10月14日 周三） 10:00  您指定的时刻",
        "服务没有在运行：提醒只在 zhixing serve 运行时响起。",
    ]
    assert len(terminal("preview", "t1", "--days", "60", "--json").json["reminders"]) == 2


def test_a_preview_without_a_reminder_says_why(terminal, said):
    said("明天三点开会")
    assert terminal("preview", "t1").lines[:2] == ["t1  开会：30 天内没有提醒", "  等您回答：是上午还是下午？"]


def test_explain_says_from_which_words_and_what_will_come(terminal, said):
    said("明晚九点提醒我交表")
    assert terminal("explain", "t1").lines == [
        "t1  交表",
        "  原话：明晚九点提醒我交表",
        "  理解：明天（10月13日 周二） 21:00（“明晚九点”，依据“明晚九点提醒我交表”）",
        "  已安排提醒。",
        "  将在 明天（10月13日 周二） 21:00 提醒：您指定的时刻",
    ]


def test_explain_says_when_it_was_told_and_through_which_channel(terminal, said):
    said("10分钟后提醒我关火")
    terminal.clock.advance(timedelta(minutes=10))
    terminal.ring()
    told = terminal("explain", "t1", "--json").json
    (occurrence,) = told["occurrences"]
    lines = terminal("explain", occurrence["id"]).lines
    assert lines[0] == "t1  关火"
    assert lines[1].startswith(f"  {occurrence['id']}：应在 今天（10月12日 周一） 10:10，已完成")
    assert lines[2] == "    inbox：已送达 今天（10月12日 周一） 10:10"
    assert terminal("explain", "t1").lines[-2:] == lines[1:]
    assert [each["channel"] for each in occurrence["messages"]] == ["inbox"]


def test_explain_says_why_nothing_comes(terminal, said):
    said("明晚九点提醒我交表")
    terminal("done", "t1")
    assert "  已完成，之后不再提醒。" in terminal("explain", "t1").lines


def test_explain_says_what_was_missed_while_nobody_served(terminal, said):
    said("10分钟后提醒我关火")
    terminal.clock.advance(timedelta(days=3))
    terminal.ring()
    assert any("错过了" in line for line in terminal("explain", "t1").lines)
