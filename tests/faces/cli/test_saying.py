from __future__ import annotations

from datetime import timedelta

import pytest


def test_say_prints_what_was_understood_from_which_words_and_what_will_happen_when(terminal):
    done = terminal("say", "明晚九点提醒我交表")
    assert done.code == 0
    assert done.lines == [
        "t1  交表",
        "  理解：明天（10月13日 周二） 21:00（“明晚九点”，依据“明晚九点提醒我交表”）",
        "  已安排提醒。",
        "  将在 明天（10月13日 周二） 21:00 提醒：您指定的时刻",
        "服务没有在运行：提醒只在 zhixing serve 运行时响起。",
    ]


def test_say_takes_several_words_as_one_sentence(terminal):
    assert terminal("say", "明晚九点", "提醒我交表", "--json").json["text"] == "明晚九点 提醒我交表"


def test_say_reads_standard_input_for_a_hyphen(terminal):
    told = terminal("say", "-", "--json", stdin="\ufeff明晚九点提醒我交表\n".encode()).json
    assert told["text"] == "明晚九点提醒我交表\n"
    assert told["state"] == "scheduled"


def test_a_list_item_is_something_said_and_no_option(terminal):
    assert terminal("say", "- 明晚九点提醒我交表", "--json").json["text"] == "- 明晚九点提醒我交表"


def test_what_looks_like_an_option_is_something_said_behind_two_hyphens(terminal):
    assert terminal("say", "--json", "--", "--now").json["text"] == "--now"


def test_a_note_is_kept_and_not_read(terminal):
    assert terminal("say", "明晚九点提醒我交表", "--note").lines == [
        "t1  明晚九点提醒我交表",
        "  这是笔记，只保存，不提醒。",
    ]


def test_what_needs_a_model_is_kept_and_said_so(terminal):
    done = terminal("say", "每周三次提醒我倒垃圾")
    assert done.lines[1:] == ["  已保存，等待模型理解：是重复的安排。"]


def test_a_question_comes_with_numbered_options_and_the_command_that_answers_it(terminal):
    done = terminal("say", "明天三点开会")
    assert done.lines == [
        "t1  开会",
        "  等您回答：是上午还是下午？",
        "    1. 凌晨3:00",
        "    2. 下午3:00",
        "    3. 其他：写出来",
        "  回答：zhixing answer t1 1 -r 2（选第几个就写几，也可以直接写答案）",
    ]


def test_the_printed_command_answers_the_question(terminal):
    terminal("say", "明天三点开会")
    done = terminal("answer", "t1", "2", "-r", "2")
    assert "  将在 明天（10月13日 周二） 14:30 提醒：默认在开始前 30 分钟" in done.lines


@pytest.mark.parametrize("value", ["2", "下午", "15:00", "下午三点"])
def test_an_answer_is_a_number_or_words(terminal, value):
    terminal("say", "明天三点开会")
    told = terminal("answer", "1", value, "--json").json
    assert [each["at"] for each in told["reminders"]] == ["2026-10-13T14:30:00+08:00"]


def test_words_of_an_answer_may_come_one_by_one(terminal):
    terminal("say", "开会", "--source", "paste")
    terminal("edit", "t1", "下午三点开会")
    assert terminal("answer", "t1", "10月", "20日", "--json").json["nodes"][0]["at"] == "2026-10-20T15:00:00+08:00"


def test_the_number_of_an_answer_counts_for_the_question_it_was_printed_with(terminal):
    terminal("say", "周五三点开会")
    terminal("answer", "t1", "2", "-r", "2")
    before = terminal("show", "t1", "--json").json
    assert before["question"]["kind"] == "date"
    # The same line once more: its 2 would now be another Friday.
    assert "已经过期" in terminal.refused("answer", "t1", "2", "-r", "2")
    assert terminal("show", "t1", "--json").json == before


def test_the_number_of_the_other_answer_asks_for_words(terminal):
    terminal("say", "明天三点开会")
    assert terminal.refused("answer", "t1", "3") == "请写出具体的回答：是上午还是下午？"


def test_a_value_nobody_said_is_told_with_the_words_and_the_command_that_change_it(terminal):
    done = terminal("say", "晚上九点提醒我交表")
    assert "  没写日期，按今天（2026-10-12）理解" in done.lines
    assert "  要改：zhixing edit t1 '…'（写出新的说法）" in done.lines


def test_edit_understands_the_new_words_and_keeps_the_old(terminal):
    terminal("say", "明晚九点提醒我交表")
    told = terminal("edit", "t1", "后天晚上八点提醒我交表", "--json").json
    assert told["originalText"] == "明晚九点提醒我交表"
    assert [each["at"] for each in told["reminders"] if each["state"] == "planned"] == ["2026-10-14T20:00:00+08:00"]


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("2026-10-13T18:30:00+08:00", "2026-10-13T18:30:00+08:00"),
        ("2026-10-13T10:30:00Z", "2026-10-13T18:30:00+08:00"),
        ("明天下午6点半", "2026-10-13T18:30:00+08:00"),
        ("半小时后", "2026-10-12T10:30:00+08:00"),
        ("18:30", "2026-10-12T18:30:00+08:00"),
    ],
)
def test_remind_takes_an_instant_or_words(terminal, at, expected):
    terminal("say", "交表")
    assert [each["at"] for each in terminal("remind", "t1", at, "--json").json["reminders"]] == [expected]


def test_retry_understands_once_more(terminal):
    terminal("say", "每周三次提醒我倒垃圾")
    assert terminal("retry", "t1", "--json").json["state"] == "pending_ai"


def test_the_same_key_says_it_once(terminal):
    first = terminal("say", "明晚九点提醒我交表", "--key", "k1", "--json").json
    assert terminal("say", "明晚九点提醒我交表", "--key", "k1", "--json").json == first
    assert len(terminal("list", "--json").json["tasks"]) == 1


def test_say_takes_where_the_words_come_from(terminal):
    told = terminal(
        *(
            "say",
            "明天下午三点开会",
            "--source",
            "paste",
            "--message-date",
            "2026-10-20",
            "--zone",
            "Asia/Tokyo",
            "--json",
        )
    ).json
    assert (told["source"], told["messageDate"], told["zone"]) == ("paste", "2026-10-20", "Asia/Tokyo")
    assert told["nodes"][0]["at"] == "2026-10-21T15:00:00+09:00"


def test_on_a_machine_whose_zone_is_unknown_a_reminder_comes_with_a_warning(terminal):
    terminal.env["TZ"] = "CST-8"
    assert any("TZ「CST-8」不是 IANA 时区名" in line for line in terminal("say", "明晚九点提醒我交表").lines)


def test_a_machine_set_to_utc_is_told_of_because_people_seldom_live_there(terminal):
    terminal.env["TZ"] = "UTC"
    line = "时间按 UTC 理解（来自环境变量 TZ）；不对就运行：zhixing config set zone 时区名"
    assert line in terminal("say", "明晚九点提醒我交表").lines
    terminal("config", "set", "zone", "UTC")
    assert line not in terminal("say", "明晚九点提醒我交表").lines


def test_json_is_one_line_without_hints(terminal):
    assert set(terminal("say", "明晚九点提醒我交表", "--json").json) >= {
        "id",
        "state",
        "nodes",
        "reminders",
        "question",
    }


def test_the_way_from_words_to_a_told_reminder_is_the_same_on_both_databases(on_any_store):
    terminal = on_any_store
    known = terminal("say", "10分钟后提醒我关火", "--json").json["id"]
    terminal.clock.advance(timedelta(minutes=10))
    assert terminal.ring() > 0
    (message,) = terminal("inbox", "--json").json["messages"]
    assert (message["task"], message["title"]) == (known, "关火")
    assert terminal.ring() == 0
