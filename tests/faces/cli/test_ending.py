from __future__ import annotations

from datetime import timedelta


def test_a_task_that_is_done_reminds_no_more(terminal, said):
    said("10分钟后提醒我关火")
    assert terminal("done", "t1").lines == ["已完成：t1  关火"]
    terminal.clock.advance(timedelta(minutes=11))
    terminal.ring()
    assert terminal("inbox").lines == ["收件箱是空的。"]


def test_done_twice_is_told(terminal, said):
    said("明晚九点提醒我交表")
    terminal("done", "t1")
    assert terminal.refused("done", "t1") == "「交表」已经完成了；还要用它，请先恢复。"


def test_restoring_brings_back_what_lies_ahead_and_says_when(terminal, said):
    said("明晚九点提醒我交表")
    terminal("done", "t1")
    assert terminal("restore", "t1").lines == [
        "已恢复：t1  交表",
        "  理解：明天（10月13日 周二） 21:00（“明晚九点”，依据“明晚九点提醒我交表”）",
        "  已安排提醒。",
        "  将在 明天（10月13日 周二） 21:00 提醒：您指定的时刻",
        "服务没有在运行：提醒只在 zhixing serve 运行时响起。",
    ]


def test_a_deleted_task_is_gone_from_the_list_and_says_how_to_get_it_back(terminal, said):
    said("明晚九点提醒我交表")
    assert terminal("delete", "t1").lines == ["已删除：t1  交表（找回：zhixing restore t1）"]
    assert terminal("list", "--json").json["tasks"] == []
    assert terminal("restore", "t1", "--json").json["status"] == "active"


def test_the_end_of_a_task_is_told_to_programs_as_the_task(terminal, said):
    said("明晚九点提醒我交表")
    assert terminal("done", "t1", "--json").json["status"] == "completed"
    assert terminal("delete", "t1", "--json").json["status"] == "deleted"


def test_one_time_of_what_repeats_is_done_and_the_rest_goes_on(terminal, said):
    said("每天早上8点提醒我吃药")
    lines = terminal("done", "t1", "--once").lines
    assert lines == [
        "这一次已完成（明天（10月13日 周二） 08:00）：t1  吃药",
        "  重复：每天 08:00",
        "  下一次：后天（10月14日 周三） 08:00（您指定的时刻）",
        "  您已完成：明天（10月13日 周二） 08:00 那一次",
    ]
    series = terminal("show", "t1", "--json").json["series"]
    assert (series["next"], series["done"]) == ("2026-10-14T08:00:00+08:00", ["2026-10-13T08:00:00+08:00"])


def test_a_day_of_what_repeats_is_left_out_and_put_back(terminal, said):
    said("每天早上8点提醒我吃药")
    assert terminal("skip", "t1", "明天").lines == [
        "已跳过 明天（10月13日 周二）：t1  吃药",
        "  重复：每天 08:00，2026-10-13 除外",
        "  下一次：后天（10月14日 周三） 08:00（您指定的时刻）",
    ]
    assert terminal("unskip", "t1", "2026-10-13", "--json").json["series"]["leftOut"] == []
    assert terminal.refused("skip", "t1", "改天") == "看不懂日期「改天」，请写成 2026-10-12 这样的形式。"
    assert terminal.refused("unskip", "t1", "明天") == "「吃药」2026-10-13 没有被跳过。"


def test_what_does_not_repeat_has_no_single_times(terminal, said):
    said("明晚九点提醒我交表")
    assert terminal.refused("done", "t1", "--once") == "「交表」不是重复的提醒。"
