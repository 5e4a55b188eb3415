"""What is asked: one short sentence in the user's own words, with the options that the document fixes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.household.assembling.saying import TASKS
from tests.household.composing.writing import cases, request_of, request_of_case, site_of

from zhixing.household.assembling.assembler import Outcome, assemble
from zhixing.household.assembling.draft import Draft
from zhixing.household.checks import check
from zhixing.household.checks.model import AssemblyPlan, Level
from zhixing.household.composing.asking import ask
from zhixing.household.composing.context import context_of

WORDING = ("V-205", "V-206", "V-207")


def _asked(text, home="family", **more):
    request = request_of(text, home, **more)
    assembly = assemble(request)
    assert assembly.outcome is Outcome.ASKED, assembly
    return ask(assembly, site_of(request.home))


def _wrong(open_, site):
    plan = AssemblyPlan(questions=open_.questions)
    return [one for one in check(plan, context_of(site, Draft(""))) if one.id in WORDING and one.level is Level.ERROR]


def test_the_channel_has_three_options():
    (question,) = _asked("宝宝一哭就告诉我", "baby").questions
    assert question.kind == "channel"
    assert question.options == ("音箱播报", "手机推送", "AI 对话")
    assert "「宝宝一哭就告诉我」" in question.text


def test_how_often_quotes_what_was_said():
    (question,) = _asked("门口出现陌生人就推送我", "baby").questions
    assert question.kind == "trigger_frequency"
    assert len(question.options) == 2
    assert "「门口出现陌生人」" in question.text
    assert "30 分钟" in question.options[1]


def test_the_view_is_asked_of_a_very_place():
    open_ = _asked("进书房开灯", "large")
    (question,) = open_.questions
    assert question.options == ("看得到", "看不到")
    assert question.text == "「书房」那个摄像头能不能看到书房的门口有人进出？"
    fence = _asked("宝宝爬出围栏就推送", "baby").questions[0]
    assert "围栏边上" in fence.text


def test_nobody_of_that_name_is_registered():
    question = next(one for one in _asked("外公吃药了告诉我").questions if one.kind == "person")
    assert question.text == "家里还没有登记「外公」，要先登记吗？"
    assert question.options == ("先登记「外公」再建", "不指定，任何人都算")


def test_several_may_be_meant():
    question = next(one for one in _asked("孩子咳嗽了告诉我", "large").questions if one.kind == "person")
    assert question.text == "「孩子」说的是哪一位？"
    assert question.options == ("女儿", "儿子", "不指定，任何人都算")


def test_i_am_asked_which_of_them_i_am():
    question = next(one for one in _asked("我玩手机超过一小时就提醒我").questions if one.kind == "person")
    assert question.text == "选哪位是你自己？"
    assert question.options == ("爸爸", "妈妈", "儿子", "不指定，任何人都算")


def test_who_is_reminded_of_what_is_me():
    question = next(one for one in _asked("提醒我每天喝8杯水").questions if one.kind == "person")
    assert question.text == "选哪位是你自己？"


def test_a_camera_that_is_not_there():
    question = next(one for one in _asked("地下室有人就推送", "large").questions if one.kind == "camera_name")
    assert question.options == ("换个名字", "用全屋的摄像头")
    assert "「地下室」" in question.text


def test_no_camera_at_all_is_asked_first_and_alone():
    home = {"persons": [], "cameras": [], "devices": []}
    open_ = _asked("有人按门铃告诉我", home)
    assert [(one.kind, one.options) for one in open_.questions] == [("camera", ("开启摄像头感知再建", "取消"))]


def test_a_task_that_is_there_already():
    (same,) = _asked("久坐30分钟提醒", tasks=TASKS).questions
    assert same.options == ("替换原来的", "仍然新建", "取消")
    (changed,) = _asked("久坐45分钟提醒一下", tasks=TASKS).questions
    assert len(changed.options) == 3
    assert "不可恢复" in changed.options[0]
    assert "可恢复" in changed.options[1]


def test_a_paused_task_is_enabled_or_goes():
    (question,) = _asked("每天累计玩手机超1小时提醒", tasks=TASKS).questions
    assert question.kind == "paused"
    assert question.options == ("启用它", "删掉它再建新的")


def test_an_end_that_cannot_be_told_is_asked_for_in_words():
    question = _asked("暑假期间孩子看电视超1小时提醒").questions[0]
    assert question.kind == "expiry"
    assert question.options == ()


def test_several_things_are_one_text_and_answered_one_by_one():
    open_ = _asked("陌生人来了告诉我")
    assert [one.kind for one in open_.questions] == ["trigger_frequency", "channel"]
    assert open_.prompt.startswith("还有 2 件事要确认：1. ")
    assert "2. " in open_.prompt
    assert "\n" not in open_.prompt


def test_a_device_that_is_not_there_is_chosen_from_those_that_are():
    question = next(one for one in _asked("客厅没人就关加湿器").questions if one.kind == "device")
    assert "客厅吸顶灯" in question.options
    assert len(question.options) <= 6


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_no_question_of_the_sample_is_worded_wrongly(case):
    request = request_of_case(case)
    assembly = assemble(replace(request, answers={}))
    if assembly.op != "create" or assembly.outcome is not Outcome.ASKED:
        return
    site = site_of(request.home)
    open_ = ask(assembly, site)
    assert [one.kind for one in open_.questions] == list(assembly.questions)
    assert _wrong(open_, site) == []
    assert all(1 <= len(one.text) <= 80 for one in open_.questions)
    assert "_" not in open_.prompt
