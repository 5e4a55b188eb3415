"""Talking about the home at the command line: said, asked back, answered, listed, tried again."""

from __future__ import annotations

import pytest

SITTING = "久坐30分钟提醒一下"
ASKED = [
    f"s1  {SITTING}",
    f"  「{SITTING}」，用哪种方式通知？（A 音箱播报 / B 手机推送 / C AI 对话）",
    "  回答：zhixing answer s1 选项或内容（取消请答「取消」）",
]
SHAPE = {
    "id", "way", "text", "state", "op", "why", "revision", "zone", "saidAt", "prompt", "questions", "answers", "lines",
    "tasks",
}  # fmt: skip


def test_a_clear_sentence_is_done_and_told(terminal) -> None:
    done = terminal("say", "客厅没人就关灯")
    assert done.code == 0
    assert done.lines[0] == "s1  客厅没人就关灯"
    assert "living_room_off" in done.lines[1]
    assert "服务没有在运行" in done.lines[-1]
    assert "living_room_off" in terminal("list").out


def test_a_notice_stays_a_notice(terminal) -> None:
    assert terminal("say", "明晚九点提醒我交表").lines[0] == "t1  交表"
    assert terminal("talks").lines == ["还没有说过家里的事。"]


def test_what_is_missing_is_asked_with_the_command_that_answers_it(terminal) -> None:
    done = terminal("say", SITTING)
    assert (done.code, done.lines) == (0, ASKED)


@pytest.mark.parametrize("words", [("B",), ("2",), ("手机",), ("用", "手机推送")])
@pytest.mark.parametrize("named", ["s1", "S1", " s1 "])
def test_an_answer_goes_on_with_the_sentence(terminal, words, named) -> None:
    terminal("say", SITTING)
    done = terminal("answer", named, *words, "--json").json
    assert (done["state"], done["answers"]) == ("done", [{"kind": "channel", "value": "B"}])


def test_an_answer_that_says_nothing_is_one_line_and_leaves_the_question(terminal) -> None:
    terminal("say", SITTING)
    assert "用哪种方式通知" in terminal.refused("answer", "s1", "随便")
    assert terminal("talks", "s1").lines == ASKED


def test_a_question_that_is_closed_is_one_line(terminal) -> None:
    terminal("say", SITTING)
    terminal("answer", "s1", "A")
    assert "已经过期" in terminal.refused("answer", "s1", "B")
    terminal("say", SITTING)
    assert "已经过期" in terminal.refused("answer", "s2", "B", "-r", "9")


def test_it_is_called_off(terminal) -> None:
    terminal("say", SITTING)
    assert terminal("answer", "s1", "取消").lines == [ASKED[0], "  好，什么也没动。"]
    assert terminal("list", "--json").json["tasks"] == []


def test_programs_get_one_shape_whatever_became_of_it(terminal) -> None:
    texts = (SITTING, "客厅没人就关灯", "连续30小时没人就推送手机", "小宝在墙上乱画就提醒我")
    told = [terminal("say", text, "--json").json for text in texts]
    assert [set(one) for one in told] == [SHAPE] * 4
    assert [one["state"] for one in told] == ["asked", "done", "refused", "pending_ai"]
    assert {one["way"] for one in told} == {"household"}
    assert told[0]["questions"][0]["kind"] == "channel"
    assert [terminal("talks", one["id"], "--json").json for one in told] == told
    assert terminal("talks", "--json").json == {"talks": told[::-1]}


def test_those_that_are_open_are_listed_by_themselves(terminal) -> None:
    for text in (SITTING, "客厅没人就关灯", "小宝在墙上乱画就提醒我"):
        terminal("say", text)
    assert [line.split()[:2] for line in terminal("talks").lines] == [
        ["s3", "等模型"],
        ["s2", "已处理"],
        ["s1", "等回答"],
    ]
    assert [one["id"] for one in terminal("talks", "--open", "--json").json["talks"]] == ["s3", "s1"]
    assert [one["id"] for one in terminal("talks", "--limit", "1", "--json").json["talks"]] == ["s3"]


def test_what_waits_for_a_model_says_so_and_can_be_called_off(terminal) -> None:
    done = terminal("say", "小宝在墙上乱画就提醒我")
    assert done.lines[1:3] == ["  这句话规则读不准，已留着等模型来读。", "  还没有配置模型：配好之后会自动接着处理。"]
    assert terminal("retry", "s1", "--json").json["state"] == "pending_ai"
    assert terminal("answer", "s1", "算了", "--json").json["state"] == "cancelled"


def test_what_ended_is_not_tried_again(terminal) -> None:
    terminal("say", "客厅没人就关灯")
    assert "已经处理完了" in terminal.refused("retry", "s1")


@pytest.mark.parametrize(
    "command", [("talks", "s9"), ("answer", "s9", "A"), ("retry", "s9"), ("retry", "s" + "9" * 60)]
)
def test_a_sentence_nobody_said_is_one_line(terminal, command) -> None:
    assert "没有" in terminal.refused(*command)


@pytest.mark.parametrize(
    "command", [("talks", "t1"), ("talks", "x"), ("talks", "s"), ("talks", "s1x"), ("talks", "１")]
)
def test_what_is_no_sentence_is_one_line(terminal, command) -> None:
    terminal.refused(*command)


def test_a_camera_says_where_it_was_said(terminal) -> None:
    told = terminal("say", "没人就关灯", "--camera", "cam_kids", "--json").json
    assert told["way"] == "household"
    (rule,) = terminal("show", told["tasks"][0], "--json").json["rules"]
    assert "cam_kids" in str(rule)
    named = terminal("say", "有人摔倒就手机通知我", "--camera", "儿童房摄像头", "--json").json
    assert named["way"] == "household"


def test_a_camera_that_is_not_there_keeps_nothing(terminal) -> None:
    terminal.refused("say", "没人就关灯", "--camera", "cam_moon")
    assert terminal("talks", "--json").json == {"talks": []}


def test_the_same_key_is_the_same_sentence(terminal) -> None:
    first = terminal("say", "客厅没人就关灯", "--key", "k", "--json").json
    assert terminal("say", "客厅没人就关灯", "--key", "k", "--json").json == first
    assert terminal("say", "明晚九点提醒我交表", "--key", "k", "--json").json == first


def test_tasks_are_told_about_paused_and_ended_by_words(terminal) -> None:
    terminal("say", "客厅没人就关灯")
    assert "living_room_off" in terminal("say", "我有哪些任务").out
    assert "已暂停" in terminal("say", "先暂停客厅关灯那个任务").out
    assert "已恢复" in terminal("say", "恢复客厅关灯任务").out
    assert "已删除" in terminal("say", "删掉客厅关灯任务").out
    assert "没有家庭任务" in terminal("say", "我有哪些任务").out


def test_on_either_store_it_is_the_same(on_any_store) -> None:
    on_any_store("say", SITTING)
    assert on_any_store("answer", "s1", "B", "--json").json["state"] == "done"
