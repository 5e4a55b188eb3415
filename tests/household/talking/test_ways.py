"""Which sentences are notices and which are the household's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.household.assembling.saying import FAMILY, TASKS, homes

from zhixing.household.assembling.request import Home
from zhixing.household.assembling.wire import read_request
from zhixing.household.talking.operations import LONGEST_TEXT
from zhixing.say import way_of
from zhixing.tasks.task import Way

CASES = Path(__file__).parents[2]
OTHER_OPS = ("list", "logs", "disable", "enable", "update", "delete")

NOTICES = """
明天下午三点提醒我开会
后天交房租
周五之前交报告
每天早上8点提醒我吃药
半小时后提醒我收衣服
今晚记得给妈妈打电话
12月3号体检
提醒我买牛奶
买牛奶
下周三飞北京
每周一例会前十分钟提醒我
每月15号还信用卡
明早七点叫我起床
周末大扫除
10点关火
三点到五点在图书馆自习
明天9点开窗通风
晚上八点关灯睡觉
记得关空调
明天爸爸生日
国庆回家的票要抢
孩子明天要带水彩笔
提醒我下班后去取快递
每隔两小时提醒我喝水
工作日早上6点半叫孩子起床
提醒我给奶奶打电话
下午3点喝水
明天晚上看电影
提前一天提醒我交电费
老师说周四之前把作业交上来
月底前提交总结
作业写完记得检查
后天上午十点奶奶复查
今天晚上十点提醒我关窗户
每天晚上十点提醒我关灯
睡觉前提醒我吃药
两点四十接孩子放学
周日提醒我给狗洗澡
明天提醒我擦窗帘上的灰
妈妈下周二到家
客厅的灯泡坏了，周六去买
电视机周三送货
快递员上午到
明天客厅打扫
提醒我明天带伞
吃饭
开会
谢谢你
早上好
现在几点了
别忘了给绿萝浇水
记得关窗
晚饭后散步
2小时后叫我
11月11日0点抢手机
三天后交论文
周五晚上和同学吃饭
明天上午9点半在客厅开家庭会议
每月最后一天提醒我抄水表
除夕晚上8点看春晚
明天下午快递来取件
""".strip().splitlines()

WISHES = """
客厅没人就关灯
有人摔倒就报警
妈妈回家就播放欢迎曲
起床后自动开窗帘
久坐30分钟提醒一下
今天喝够8杯水提醒
每天累计玩手机超1小时提醒
提醒我每天喝8杯水
记录孩子每天看电视多久
猫上桌就告诉我
听到门铃响就推送手机
孩子在墙上乱画就提醒我
宝宝哭了马上告诉我
厨房有烟雾就报警
陌生人来了通知我
爸爸抽烟就播报
客厅没人就关灯，妈妈回家播报欢迎
晚上十点后客厅有人就提醒
统计我每天做多少个仰卧起坐
奶奶进卫生间超过20分钟没出来告诉我
孩子写作业的时候开台灯
连续30小时没人就推送手机
客厅没人而且厨房也没人就关灯
阳台有人就开灯，没人就关灯
老人半小时没动静就通知我
宠物碰垃圾桶的时候播报一声
孩子看电视超过一小时就提醒他
[感知引擎] 语音指令 来源=cam_living 内容：没人的时候把灯关了
门口有快递就告诉我
孩子趴着写作业就提醒他坐直
窗户开着下雨就提醒我
今天孩子喝够五杯水就说一声
爸爸回来告诉我一声
有人进门就开玄关灯
洗完澡出来就开暖风
小狗在客厅拉屎就提醒我
妈妈打瞌睡就关电视
孩子不在书桌前超过10分钟就告诉我
每次有人按门铃都记录一下
一直没人就关空调
家里没人的时候有动静就推送手机
孩子一哭就告诉我
爷爷半夜起床就开夜灯
看到小猫在沙发上就播报
没人看电视就关掉电视
每次有人按门铃都推送到手机
统计孩子每天玩手机多久
""".strip().splitlines()

ABOUT_TASKS = """
我有哪些任务
家里有哪些自动化
把喝水改成10杯
暂停久坐提醒
恢复玩手机那个任务
删掉客厅关灯任务
久坐提醒触发了几次
那个提醒先停一停
把所有任务都删了
客厅关灯那个任务先停用
妈妈喝水的任务改成每天6杯
取消久坐提醒
久坐提醒改成45分钟
任务列表
把客厅关灯的规则删了
启用玩手机提醒
妈妈喝水提醒的记录
玩手机那个改成2小时
""".strip().splitlines()


def lines(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / path).read_text(encoding="utf-8").splitlines()]


def home_of(home: str = FAMILY, now: str = "2026-10-12T10:00:00+08:00", **more: Any) -> Home:
    context = {**homes()[home], "now": now, "tz": "Asia/Shanghai", "source_did": None, **more}
    return read_request({"id": "x", "text": "x", "context": context, "answers": None})[1].home


EMPTY, LIVED_IN = home_of(tasks=[]), home_of(tasks=TASKS)
SAID = [case for case in lines("notices/cases/notices.jsonl") if case["source"] in ("direct", "voice")]
REQUESTS = lines("household/cases/requests.jsonl")


def is_a_home_task(case: dict[str, Any]) -> bool:
    """Whether a case of the household needs the home; what the clock alone starts is a notice."""
    expected, has_tasks = case["expected"], "tasks" in homes()[case["home"]]
    if expected["op"] in OTHER_OPS:
        return has_tasks
    parts = expected.get("tasks") or []
    needs = any(part.get("rule") or part.get("record") for part in parts)
    return expected["op"] == "create" and (bool(expected.get("reject")) or needs)


def test_the_table_is_long() -> None:
    assert len(NOTICES) + len(WISHES) + len(ABOUT_TASKS) >= 120


@pytest.mark.parametrize("home", [EMPTY, LIVED_IN], ids=["empty", "lived in"])
@pytest.mark.parametrize("text", NOTICES)
def test_what_the_clock_or_nothing_starts_is_a_notice(text, home) -> None:
    assert way_of(text, home) is Way.NOTICE


@pytest.mark.parametrize("home", [EMPTY, LIVED_IN], ids=["empty", "lived in"])
@pytest.mark.parametrize("text", WISHES)
def test_what_has_to_be_seen_counted_or_switched_is_the_households(text, home) -> None:
    assert way_of(text, home) is Way.HOUSEHOLD


@pytest.mark.parametrize("text", ABOUT_TASKS)
def test_what_is_said_about_its_tasks_is_the_households(text) -> None:
    assert way_of(text, LIVED_IN) is Way.HOUSEHOLD


def test_no_notice_of_the_cases_is_taken_for_a_task_of_the_home() -> None:
    assert [(case["id"], case["text"]) for case in SAID for home in (EMPTY, LIVED_IN)
            if way_of(case["text"], home) is Way.HOUSEHOLD] == []  # fmt: skip


def test_every_task_of_the_household_cases_is_taken_for_one() -> None:
    missed = [
        (case["id"], case["text"])
        for case in REQUESTS
        if is_a_home_task(case) and way_of(case["text"], home_of(case["home"], case["now"])) is Way.NOTICE
    ]
    assert missed == []


SWITCHED = [("cron-10", "每天早上七点把客厅窗帘拉开"), ("cron-11", "每天晚上11点帮我关掉客厅灯")]


def test_a_reminder_of_the_household_cases_that_only_the_clock_starts_is_a_notice() -> None:
    """But for those that switch something: a notice could only tell of it."""
    clocked = [case for case in REQUESTS if case["expected"]["op"] == "create" and not is_a_home_task(case)]
    assert [
        (case["id"], case["text"])
        for case in clocked
        if "tasks" not in homes()[case["home"]]
        and way_of(case["text"], home_of(case["home"], case["now"])) is Way.HOUSEHOLD
    ] == SWITCHED


@pytest.mark.parametrize(
    "text", ["每天早上7点打开客厅窗帘", "晚上10点关客厅灯", "10分钟后关灯", "明天下午3点把空调调到26度"]
)
def test_what_the_clock_switches_is_the_households(text) -> None:
    assert way_of(text, LIVED_IN) is Way.HOUSEHOLD


@pytest.mark.parametrize("text", ["", " ", "\u200b", "。", "客厅没人就关灯" * LONGEST_TEXT, "\x00", "\ud800"])
def test_what_says_nothing_or_too_much_is_left_to_the_notices(text) -> None:
    assert way_of(text, LIVED_IN) is Way.NOTICE
