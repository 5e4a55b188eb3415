"""Cues only route: each row says which words are one, and which words only look like one."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from zhixing.language.cues import _CUES, _DOUBLED, _HARMLESS, _SIGNS, Cue, find_cue, is_about_time
from zhixing.language.text import normalise


def cue(text: str) -> Cue | None:
    return find_cue(normalise(text))


REPEAT = [
    "每天早上8点提醒我吃药", "每周一开会", "每月5号还款", "每晚10点睡觉", "每逢周五加班", "每隔两天浇水",
    "每个工作日打卡", "每次下课", "每3天一次", "天天跑步", "周周清", "逢周三开会", "工作日9点打卡", "双休日加班",
    "隔天浇花", "周一到周五上课", "周一至周五", "周一、周三上课", "周一和周三上课", "定期复查", "循环提醒",
    "一日三次", "一天3次", "长期吃药", "一直提醒我",
]  # fmt: skip
CONDITION = [
    "如果明天下雨就提醒我", "要是没去就提醒我", "假如下雨", "万一堵车", "除非下雨", "否则算了", "一旦到货通知我",
    "只要有票就提醒我", "下雨的话提醒我", "当温度过高的时候提醒我", "等他到了再提醒我", "等妈妈回家后提醒我",
    "没人就关灯", "有人来提醒我", "视情况提醒我",
]  # fmt: skip
CHANGE = [
    "会议改到明天下午3点", "改成3点", "改为线上", "改期了", "改签机票", "会议推迟", "延期到周五", "活动延后",
    "延长一周", "顺延", "提前到3点", "提前至2点", "挪到周五", "移到下周", "调到3点", "时间调整", "时间变更",
    "原定3点", "原计划明天", "原来是3点", "取消会议", "上一条作废", "撤销", "更正一下", "时间不变",
]  # fmt: skip
QUOTE = [
    "老师说明天下午3点交作业", "班主任要求明天交", "领导让我明天开会", "妈妈叫我买菜", "王总说明天开会",
    "小王说3点集合", "张三说明天开会", "客户提到下周三", "转发：明天开会", "转自班级群", "原通知如下",
    "通知：明天开会", "据说明天停电", "听说明天停课", "各位家长请注意", "同学们明天集合", "家长们好", "大家注意",
    "尊敬的用户", "亲爱的家长", "【通知】明天开会", "「明天开会」", "“明天开会”", "收到请回复", "@所有人 明天开会",
    "@张三 明天开会", "学校发通知明天放假", "同事在群里说明天聚餐",
]  # fmt: skip
OPEN = ["时间待定", "时间另行通知", "等通知", "时间未定", "尚未确定", "择日再聚", "视天气而定"]
TENTATIVE = [
    "预计10月20日发放", "暂定3点", "大概3点", "大约3点", "明天约3点", "3点左右", "3点前后", "3点上下", "可能明天去",
    "也许明天", "估计3点到", "应该是明天", "拟于10月20日", "3点或4点", "明天还是后天",
]  # fmt: skip
OTHERS = [
    "老师将于10月25日前完成", "系统将在3点升级", "已于10月1日发放", "他已经到了", "曾于2024年获奖",
    "统计2024年10月的消费记录", "客服时间9:00-18:00", "营业时间9点", "办公时间9:00",
]  # fmt: skip
NEGATION = [
    "明天不开会", "明天不用交作业", "别提醒我", "请勿迟到", "莫忘", "没空开会", "无需参加", "无须参加", "未交的同学",
    "免交作业", "停课一天", "暂停营业", "不是明天", "并非今天", "除了周五", "周五除外", "甭来了",
]  # fmt: skip
ASKING = ["明天开会吗", "明天开会呢", "几点开会", "哪天开会", "什么时候开会", "多久开会", "是否开会", "明天开会？"]

CUES = {
    Cue.REPEAT: REPEAT,
    Cue.CONDITION: CONDITION,
    Cue.CHANGE: CHANGE,
    Cue.QUOTE: QUOTE,
    Cue.OPEN: OPEN,
    Cue.TENTATIVE: TENTATIVE,
    Cue.OTHERS: OTHERS,
    Cue.NEGATION: NEGATION,
    Cue.ASKING: ASKING,
}


@pytest.mark.parametrize(("text", "expected"), [(text, kind) for kind, texts in CUES.items() for text in texts])
def test_a_cue_is_seen(text: str, expected: Cue):
    assert cue(text) is expected


PLAIN = [
    # Not repeated.
    "每股收益报告", "周末聚餐", "日程表", "工作汇报", "周一上课", "重点复习",
    # No condition.
    "若干材料", "当然要去", "当面交流", "当地医院", "等人", "等快递", "等级考试", "等候通知", "约好的", "只有我",
    # No change.
    "改善伙食", "改天吃饭", "改卷", "改作业", "改稿", "修改论文", "更改密码", "取消息", "改进方案",
    "提前10分钟提醒我", "提前完成",
    # Nobody else speaks.
    "给老师打电话", "同学会", "听说课", "说明书", "参加说明会", "看小说", "解说比赛", "传说中的店", "演说比赛",
    "老地方见", "小区门口", "小时工", "老时间见", "问候大家", "班长会议", "家长会", "和妈妈吃饭", "通知大家开会",
    "告诉妈妈",
    # Settled.
    "约会", "约定", "预约挂号", "约饭", "约牙医", "签合约", "节约用水", "飞纽约", "左边的门", "上下班", "前台",
    "或者", "应付账款", "差点忘了",
    # The user's own.
    "将军见面会", "已读", "开放时间表", "统计员", "时间管理",
    # No negation.
    "别忘了开会", "不要忘了开会", "不见不散", "不锈钢杯", "不动产登记", "不晚于周五", "不得晚于周五", "不少于两人",
    "不超过3个", "不错的店", "不同的人", "不仅如此", "不断练习", "要不要", "能不能", "别墅看房", "特别展", "级别考试",
    "区别一下", "分别通知", "告别会", "没收", "未来科技展", "未央区", "非常重要", "免税店", "免费领取", "免疫针",
    "无锡出差", "无线耳机", "无人机飞行", "莫斯科航班", "没关系", "没事", "没问题", "停车场见", "除夕", "除湿机",
    "对不起", "不好意思",
    # No question.
    "吗啡", "呢子大衣", "几个人", "多买菜", "哪吒电影",
    "", "买菜", "明天下午3点开会", "提醒我喝水",
]  # fmt: skip


@pytest.mark.parametrize("text", PLAIN)
def test_a_word_that_only_looks_like_a_cue_is_none(text: str):
    assert cue(text) is None


@pytest.mark.parametrize(
    ("kind", "about_time"),
    [
        (Cue.REPEAT, True),
        (Cue.CONDITION, True),
        (Cue.CHANGE, True),
        (Cue.OPEN, True),
        (Cue.QUOTE, False),
        (Cue.TENTATIVE, False),
        (Cue.OTHERS, False),
        (Cue.NEGATION, False),
        (Cue.ASKING, False),
    ],
)
def test_some_cues_mean_a_time_without_naming_one(kind: Cue, *, about_time: bool):
    assert is_about_time(kind) is about_time


def test_a_cue_is_seen_in_any_spelling():
    assert cue("每個禮拜一開會") is Cue.REPEAT
    assert cue("预计３点") is Cue.TENTATIVE
    assert cue("明天開會？") is Cue.ASKING


def test_the_signs_of_cues_only_save_time():
    """What is looked for first leaves no cue out: the patterns alone find the same, in everything people were heard to say."""
    cases = Path(__file__).parents[1] / "notices" / "cases"
    files = [(cases / f"{name}.jsonl").read_text(encoding="utf-8") for name in ("notices", "judged", "golden")]
    said = [json.loads(line)["text"] for text in files for line in text.splitlines()]
    for text in [*said, *(text for texts in CUES.values() for text in texts)]:
        plain = normalise(text)
        bare = _HARMLESS.sub("", plain)
        expected = next((kind for kind, pattern in _CUES if pattern.search(bare)), None)
        looked_for = any(pattern.search(plain) for _, pattern in _CUES)
        assert find_cue(plain) == (expected if looked_for else None), text


@pytest.mark.parametrize(("text", "expected"), [(text, kind) for kind, texts in CUES.items() for text in texts])
def test_no_cue_is_left_alone_for_want_of_a_sign(text: str, expected: Cue):
    plain = normalise(text)
    for found in re.finditer(dict(_CUES)[expected], plain):
        doubled = expected is Cue.REPEAT and found[0] in _DOUBLED
        assert doubled or not _SIGNS[expected].isdisjoint(found[0]), found[0]
