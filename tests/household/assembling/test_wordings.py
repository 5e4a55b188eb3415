"""However something is put, it is the same; and whatever is added to it is never passed over."""

from __future__ import annotations

import pytest
from tests.household.assembling.saying import ALONE, BABY, FAMILY, LARGE, OLD, decided

FRAMES = [
    "{}就{}", "{}的时候{}", "如果{}就{}", "要是{}了 {}", "当{}时{}", "{}的话{}", "只要{}就{}", "发现{}就{}", "看到{}{}", "一旦{}就{}",
    "以后{}就{}", "假如{}，{}", "{}了{}", "{}时，请{}", "留意{}，{}", "麻烦你在{}的时候{}", "我想让你在{}时{}", "能不能{}的时候{}",
    "有没有办法{}就{}", "但凡{}，就{}", "每当{}的时候{}", "碰到{}就{}", "若{}则{}", "检测到{}就{}", "摄像头看到{}就{}", "帮我盯着，{}就{}",
    "请问可以在{}的时候{}吗", "你好，{}就{}，谢谢", "帮我设个提醒：{}就{}",
]  # fmt: skip
WHEN = {
    "爸爸抽烟": FAMILY, "王小明玩手机": FAMILY, "奶奶摔倒": OLD, "陈晨打游戏": ALONE, "客厅没人": FAMILY, "豆豆踢被子": BABY,
    "有人按门铃": FAMILY, "林可弹钢琴": LARGE, "儿子看电视超过半小时": FAMILY, "我妈回家": FAMILY,
}  # fmt: skip
THEN = {
    "ask": ["提醒我", "告诉我一声", "跟我说一声", "喊我", "让我知道", "通知我", "给我提个醒", "提示我一下", "发个通知", "给我说一声", "第一时间告诉我"],
    "phone": ["推送给我", "推我手机", "手机通知我", "给我手机发消息", "给我发个推送", "弹个手机通知", "往我手机推一条", "用手机推送告诉我"],
    "speaker": ["播报一下", "用音箱提醒", "语音提醒一下", "用喇叭喊一声", "朗读一句提醒", "广播一下", "大声播报"],
    "chat": ["在对话里告诉我", "AI对话通知我", "在聊天里说"],
}  # fmt: skip


def essence(text: str, home: str) -> tuple:
    found = decided(text, home)
    keys = ("behavior", "mode", "subject", "channel", "duration_seconds", "exit_debounce_seconds", "source", "record")
    return found["op"], *[tuple(str(task[key]) for key in keys) for task in found["tasks"]]


@pytest.mark.parametrize("when", WHEN)
def test_a_frame_changes_nothing(when) -> None:
    plain = essence(f"{when}就推送", WHEN[when])
    assert plain[0] == "create"
    other = [each for each in FRAMES if essence(each.format(when, "推送"), WHEN[when]) != plain]
    assert other == []


@pytest.mark.parametrize("channel", THEN)
def test_a_channel_is_heard_in_all_its_words(channel) -> None:
    heard = {then: decided(f"爸爸咳嗽就{then}")["tasks"][0]["channel"] for then in THEN[channel]}
    assert heard == dict.fromkeys(THEN[channel], channel)


INSIDE = ["没", "不", "没有", "第二次", "偷偷", "和同学", "香蕉", "忘了", "假装", "差点"]
BEHIND = [
    "除非有人", "如果他没睡", "但是周末不要", "晚上不用", "每隔五分钟一次", "一共提醒两次", "直到他停下", "再打开空调", "只在工作日", "从下周开始",
    "到月底为止", "先问问我", "十分钟后关掉", "两分钟后再说一遍", "周末除外", "白天不算", "并且记录下来", "要是没人应就打电话", "晚上十点以后别提醒",
]  # fmt: skip
SAID = [
    ("爸爸", "抽烟", "就提醒他", FAMILY), ("王小明", "玩手机", "超过20分钟就推送我", FAMILY), ("奶奶", "摔倒", "了马上通知我", OLD),
    ("妈妈", "回家", "就播报欢迎", FAMILY), ("儿子每天", "做20个俯卧撑", "就告诉我", FAMILY), ("宝宝", "哭", "了就推送我", BABY),
    ("爷爷每天", "看电视", "累计超过3小时就提醒", OLD), ("阿姨", "做饭", "的时候告诉我", BABY),
]  # fmt: skip


@pytest.mark.parametrize("said", SAID, ids=lambda said: "".join(said[:3]))
def test_no_word_is_passed_over(said) -> None:
    who, does, then, home = said
    assert decided(who + does + then, home)["op"] == "create"
    inside = [f"{who}{word}{does}{then}" for word in INSIDE] + [f"{who}{does}{word}{then}" for word in INSIDE]
    behind = [f"{who}{does}{then}{comma}{words}" for words in BEHIND for comma in ("，", "")]
    assert [text for text in inside + behind if decided(text, home)["outcome"] != "needs_model"] == []


@pytest.mark.parametrize("text", ["明天9点提醒我吃药", "每天早上8点提醒我跑步", "每2小时提醒我喝水"])
def test_nothing_behind_a_reminder_is_passed_over(text) -> None:
    kept = [words for words in BEHIND if decided(f"{text}，{words}")["outcome"] != "needs_model"]
    assert kept == []
