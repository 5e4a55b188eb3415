"""What is read of words that repeat; and, as important, what is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.language.repeats import (
    LAST,
    Elapsed,
    EveryDays,
    EveryLunar,
    EveryMonths,
    EveryWeeks,
    EveryYear,
    MonthlyWeekday,
    Statute,
    StatutoryDays,
    read_month_days,
    read_repeat,
    read_weekdays,
)
from zhixing.language.text import normalise
from zhixing.language.timex import CalendarDate, Duration, RelativeDay, WeekDay


def read(text: str):
    return read_repeat(normalise(text))


RULES = [
    ("每天早上8点提醒我吃药", EveryDays(), "每天"),
    ("每日早上8点吃药", EveryDays(), "每日"),
    ("天天早上8点吃药", EveryDays(), "天天"),
    ("每一天早上8点吃药", EveryDays(), "每一天"),
    ("每天都要早上8点吃药", EveryDays(), "每天都要"),
    ("每晚九点提醒我背单词", EveryDays(), "每"),
    ("每早7点跑步", EveryDays(), "每"),
    ("隔天晚上8点浇花", EveryDays(2), "隔天"),
    ("隔日晚上8点浇花", EveryDays(2), "隔日"),
    ("每隔一天晚上8点浇花", EveryDays(2), "每隔一天"),
    ("每两天晚上8点浇花", EveryDays(2), "每两天"),
    ("每3天浇一次花", EveryDays(3), "每3天"),
    ("每隔两天晚上8点浇花", EveryDays(2, gap=2), "每隔两天"),
    ("每隔三天晚上8点浇花", EveryDays(3, gap=3), "每隔三天"),
    ("每周三下午3点开会", EveryWeeks((3,)), "每周三"),
    ("每週三下午3點開會", EveryWeeks((3,)), "每週三"),
    ("每个星期天上午去教堂", EveryWeeks((7,)), "每个星期天"),
    ("每逢周五晚上6点聚餐", EveryWeeks((5,)), "每逢周五"),
    ("每周一三五下午3点开会", EveryWeeks((1, 3, 5)), "每周一三五"),
    ("每周一、三、五下午3点开会", EveryWeeks((1, 3, 5)), "每周一、三、五"),
    ("每周一、周三和周五下午3点开会", EveryWeeks((1, 3, 5)), "每周一、周三和周五"),
    ("每周一到周四晚上9点复习", EveryWeeks((1, 2, 3, 4)), "每周一到周四"),
    ("每周一至五早上8点打卡", EveryWeeks((1, 2, 3, 4, 5)), "每周一至五"),
    ("周一到周五早上8点打卡", EveryWeeks((1, 2, 3, 4, 5)), "周一到周五"),
    ("每周三3点开会", EveryWeeks((3,)), "每周三"),
    ("每周一二十点开会", EveryWeeks((1,)), "每周一"),
    ("每周一一起吃饭", EveryWeeks((1,)), "每周一"),
    ("每周五三人小组开会", EveryWeeks((5,)), "每周五"),
    ("每周末上午10点大扫除", EveryWeeks((6, 7)), "每周末"),
    ("双休日上午9点跑步", EveryWeeks((6, 7)), "双休日"),
    ("工作日早上9点打卡", EveryWeeks((1, 2, 3, 4, 5), plain_work_days=True), "工作日"),
    ("每个工作日18:00写日报", EveryWeeks((1, 2, 3, 4, 5), plain_work_days=True), "每个工作日"),
    ("工作日每天早上9点打卡", EveryWeeks((1, 2, 3, 4, 5), plain_work_days=True), "工作日每天"),
    ("周一到周五每天早上9点打卡", EveryWeeks((1, 2, 3, 4, 5)), "周一到周五每天"),
    ("隔周周五下午3点交周报", EveryWeeks((5,), 2), "隔周周五"),
    ("隔周三下午3点例会", EveryWeeks((3,), 2), "隔周三"),
    ("每两周的周三下午3点例会", EveryWeeks((3,), 2), "每两周的周三"),
    ("每隔一周周三下午3点例会", EveryWeeks((3,), 2), "每隔一周周三"),
    ("每隔两周周三下午3点例会", EveryWeeks((3,), 2, gap=2), "每隔两周周三"),
    ("每周提醒我浇水", EveryWeeks(()), "每周"),
    ("每两周换床单", EveryWeeks((), 2), "每两周"),
    ("每月15号交房租", EveryMonths((15,)), "每月15号"),
    ("每个月的15日交房租", EveryMonths((15,)), "每个月的15日"),
    ("每月一号交房租", EveryMonths((1,)), "每月一号"),
    ("每月1号和15号交房租", EveryMonths((1, 15)), "每月1号和15号"),
    ("每月1、15号交房租", EveryMonths((1, 15)), "每月1、15号"),
    ("每月最后一天交报表", EveryMonths((LAST,)), "每月最后一天"),
    ("每两个月1号抄水表", EveryMonths((1,), 2), "每两个月1号"),
    ("隔月5号抄水表", EveryMonths((5,), 2), "隔月5号"),
    ("每月提醒我交房租", EveryMonths(()), "每月"),
    ("每月第一个周一上午10点例会", MonthlyWeekday(1, 1), "每月第一个周一"),
    ("每个月最后一个周五下午4点开会", MonthlyWeekday(LAST, 5), "每个月最后一个周五"),
    ("每年10月1日提醒我升旗", EveryYear(10, 1), "每年10月1日"),
    ("每年的2月29号提醒我过生日", EveryYear(2, 29), "每年的2月29号"),
    ("每年国庆节提醒我升旗", EveryYear(10, 1), "每年国庆节"),
    ("每年农历八月十五提醒我赏月", EveryLunar(8, (15,)), "每年农历八月十五"),
    ("农历每年腊月廿三祭灶", EveryLunar(12, (23,)), "农历每年腊月廿三"),
    ("每年正月初一提醒我拜年", EveryLunar(1, (1,)), "每年正月初一"),
    ("每年中秋提醒我打电话", EveryLunar(8, (15,)), "每年中秋"),
    ("每年除夕上午10点贴春联", EveryLunar(12, (LAST,)), "每年除夕"),
    ("农历每月初一上香", EveryLunar(None, (1,)), "农历每月初一"),
    ("每月初一上香", EveryLunar(None, (1,)), "每月初一"),
    ("每逢初一十五上午8点上香", EveryLunar(None, (1, 15)), "每逢初一十五"),
    ("每逢农历初一、十五上午8点上香", EveryLunar(None, (1, 15)), "每逢农历初一、十五"),
    ("法定工作日早上8点打卡", StatutoryDays(Statute.WORKDAY), "法定工作日"),
    ("每个法定节假日上午10点打电话", StatutoryDays(Statute.HOLIDAY), "每个法定节假日"),
    ("每逢节假日上午10点打电话", StatutoryDays(Statute.HOLIDAY), "每逢节假日"),
    ("法定休息日上午10点打电话", StatutoryDays(Statute.DAYOFF), "法定休息日"),
    ("每小时提醒我喝水", Elapsed(3600), "每小时"),
    ("每两个小时提醒我喝水", Elapsed(7200), "每两个小时"),
    ("每隔两小时提醒我喝水", Elapsed(7200), "每隔两小时"),
    ("每半小时提醒我喝水", Elapsed(1800), "每半小时"),
    ("每一个半小时提醒我喝水", Elapsed(5400), "每一个半小时"),
    ("每45分钟提醒我站起来", Elapsed(2700), "每45分钟"),
    ("每刻钟提醒我看一眼", Elapsed(900), "每刻钟"),
]


@pytest.mark.parametrize(("text", "rule", "words"), RULES)
def test_a_rule_is_read_with_its_own_words(text, rule, words):
    found = read(text)
    assert found is not None
    assert found.rule == rule
    assert text[slice(*found.span)] == words


NO_RULES = [
    "明天早上8点提醒我吃药",
    "下周一到周五早上8点打卡",
    "本周一到周五早上8点打卡",
    "周一和周三开会",
    "3个工作日内提交材料",
    "工作日志今天交",
    "每次吃完饭提醒我吃药",
    "每当下雨提醒我收衣服",
    "每人交50元",
    "每日语报明天到",
    "天天向上学习",
    "大家好好学习",
]
NOT_WHOLE = [
    "每天三次吃药",
    "一日三次吃药",
    "每天吃3次药",
    "每天早晚提醒我刷牙",
    "每天早中晚各一次提醒我吃药",
    "每天晚上8点提醒我跑步，周末除外",
    "除了周三每天晚上8点跑步",
    "每天早上8点到9点提醒我读书",
    "每天8点左右提醒我吃药",
    "每天上班前提醒我带钥匙",
    "每小时整点提醒我喝水",
    "每两小时从早上8点开始提醒我喝水",
    "每周三点开会",
    "每周二次提醒我跑步",
    "每周1、3、5早上8点跑步",
    "每月底提醒我交报表",
    "每月中旬提醒我对账",
    "每月31、32号提醒我",
    "每月1号到5号提醒我交房租",
    "每季度第一天提醒我对账",
    "每年2月30日提醒我",
    "每年5月提醒我体检",
    "每年清明提醒我扫墓",
    "每年农历闰四月初一提醒我",
    "每年农历十三月初一提醒我",
    "每天早上8点吃药，到年底",
    "每天早上8点吃药，到12月31日，共10次",
    "每天早上8点吃药，共10次，共5次",
    "每天早上8点吃药，明天下午3点开会",
    "每100天提醒我",
    "每个月第一个工作日上午9点开会",
    "每月倒数第二天提醒我对账",
    "每月5提醒我对账",
]


@pytest.mark.parametrize("text", [*NO_RULES, *NOT_WHOLE])
def test_what_is_no_rule_or_more_than_one_is_not_read(text):
    assert read(text) is None


@pytest.mark.parametrize(
    ("text", "clocks"),
    [
        ("每天早上8点和晚上8点吃药", ["早上8点", "晚上8点"]),
        ("每天早上7点、中午12点、晚上6点提醒我吃药", ["早上7点", "中午12点", "晚上6点"]),
        ("每天提醒我晚上8点半吃药", ["晚上8点半"]),
        ("每晚九点提醒我背单词", ["晚九点"]),
        ("每天早上提醒我吃药", ["早上"]),
        ("每天提醒我喝8杯水", []),
    ],
)
def test_every_time_of_the_day_is_read(text, clocks):
    found = read(text)
    assert found is not None
    assert [text[slice(*clock.span)] for clock in found.clocks] == clocks


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("每天早上8点吃药，到12月31日", {"last": CalendarDate(None, 12, 31)}),
        ("每天早上8点吃药，一直到2026年12月31日为止", {"last": CalendarDate(2026, 12, 31)}),
        ("从明天开始每天早上8点吃药，共10次", {"first": RelativeDay(1), "count": 10}),
        ("明天起每天早上8点吃药", {"first": RelativeDay(1)}),
        ("从下周一开始每周三下午3点上课", {"first": WeekDay(1, 1)}),
        ("每天晚上8点背单词，为期一个月", {"length": Duration(months=1)}),
        ("连续7天每天早上8点量体温", {"length": Duration(days=7)}),
        (
            "从10月15日到10月20日每天早上8点量体温",
            {"first": CalendarDate(None, 10, 15), "last": CalendarDate(None, 10, 20)},
        ),
        ("每天早上8点吃药", {}),
    ],
)
def test_bounds_are_read_only_where_they_are_said(text, bounds):
    found = read(text)
    assert found is not None
    said = {name: getattr(found, name) for name in ("first", "last", "length", "count")}
    assert {name: value for name, value in said.items() if value is not None} == bounds


def test_an_answer_names_weekdays_or_days_of_the_month():
    assert read_weekdays("周二和周五") == (2, 5)
    assert read_weekdays("一三五") == (1, 3, 5)
    assert read_weekdays("周一到周三") == (1, 2, 3)
    assert read_weekdays("随便") == ()
    assert read_month_days("15") == (15,)
    assert read_month_days("1号和15号") == (1, 15)
    assert read_month_days("最后一天") == (LAST,)
    assert read_month_days("月底") == ()


@given(
    st.sampled_from([text for text, *_ in RULES]),
    st.sampled_from(["，除了下雨天", "，明天下午3点也要", "，周末除外", "，分别两次", "3次", "到9点半到10点"]),
)
def test_nothing_that_is_added_about_time_is_overlooked(text, more):
    assert read(text + more) is None


@given(st.text(alphabet="每隔天周月年一三五两日号初最后个第点早晚上8点15到起共次工作法定农历节和、， ", max_size=24))
def test_whatever_is_typed_is_read_or_not_without_an_error(text):
    found = read(text)
    assert found is None or text[slice(*found.span)].strip()
