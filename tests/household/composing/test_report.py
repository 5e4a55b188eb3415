"""What is said when a task is made: five parts, nothing that was not made, a sentence for each tip."""

from __future__ import annotations

from dataclasses import replace

from tests.household.composing.writing import plan

from zhixing.household.composing.composer import self_check, sound


def test_a_report_has_its_parts():
    report = plan("客厅没人就关灯").report
    assert report.task == "任务「living_room_off」：客厅没人就关灯。"
    assert report.trigger == "客厅里没有人，持续 5 分钟（看客厅的摄像头）时启动。"
    assert report.response == "关掉客厅吸顶灯；不记录。"
    assert report.lifecycle == "长期有效，直到你停用或删除。"
    assert len(report.tips) == 1


def test_a_count_says_what_is_told_and_what_is_written_down():
    report = plan("今天喝够8杯水提醒").report
    assert "第一次达标时用手机推送说「恭喜达标」" in report.response
    assert "还没到目标就催一句" in report.response
    assert "记录喝水的次数，每天目标 8 杯" in report.response
    assert report.lifecycle.startswith("限时有效，到 6月13日")


def test_a_moment_is_over_when_it_has_rung():
    report = plan("明天9点提醒吃药").report
    assert report.trigger == "6月13日上午9点启动。"
    assert report.response == "提醒用户吃药；不记录。"
    assert report.lifecycle == "单次有效，响过就结束。"


def test_leaving_is_told_where_something_happens_then():
    assert "结束后看情况恢复原样" in plan("妈妈回家就开灯").report.response
    assert "离开后打开客厅电视" in plan("儿子写作业时把电视关了 写完再打开").report.response


def test_each_tip_is_a_sentence_with_words_to_say():
    composed = plan("每天累计玩手机超1小时提醒")
    assert len(composed.report.tips) == len(composed.tips) >= 4
    assert all("「" in line and line.endswith("。") for line in composed.report.tips)


def test_the_self_check_has_three_lines():
    assert self_check(plan("客厅没人就关灯")) == (
        ("order", None),
        ("response_and_record", True),
        ("tips_sayable", True),
    )
    assert self_check(plan("每天累计玩手机超1小时提醒"))[0] == ("order", True)


def test_what_only_somebody_with_judgement_can_do_is_said():
    said = plan("每天睡觉前念一段故事给宝宝 用音箱").report.response
    assert said == "到时请管家来办「用音箱念一段故事给宝宝」，没有管家就转告这句话；不记录。"
    assert "管家" in plan("每天早上7点打开客厅窗帘", "flat").report.response


def test_what_comes_sometimes_needs_nobody():
    assert "管家" not in plan("每月最后一天晚上九点提醒我记账").report.response


def test_a_plan_that_fails_its_own_check_is_not_sound():
    """H-CHK-01, H-CHK-03: a report without an answer, a tip that cannot be said back, a record made too late."""
    made = plan("每天累计玩手机超1小时提醒")
    assert sound(made)
    assert not sound(replace(made, report=replace(made.report, response=" ")))
    assert not sound(replace(made, tips=(replace(made.tips[0], how="随便改"), *made.tips[1:])))
    late = {**made.assembly, "steps": ["task", *reversed(made.assembly["steps"][1:])]}
    assert not sound(replace(made, assembly=late))
