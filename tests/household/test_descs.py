"""What the engine does with a desc by itself, and as many near forms that it leaves alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.household.descs import LONGEST_CONTENT, Desc, Medium, Notification, Phrase, RecordPhrase, When, read_desc

SPEAKER, PHONE, CHAT = Medium.SPEAKER, Medium.PHONE, Medium.CHAT

DOCUMENT = {
    "使用音箱播报通知：有人摔倒了，立即报警": Desc(notifications=(Notification(SPEAKER, "有人摔倒了，立即报警"),)),
    "检查开窗帘是否仍有效，若已结束则复位": Desc(rest=("检查开窗帘是否仍有效，若已结束则复位",)),
    "喝水次数加一；首次达标时使用手机推送通知：恭喜达标": Desc(
        RecordPhrase(Phrase.COUNT), (Notification(PHONE, "恭喜达标", When.FIRST),)
    ),
    "记录计时起点": Desc(RecordPhrase(Phrase.START)),
    "结束计时": Desc(RecordPhrase(Phrase.END)),
    "使用手机推送通知：今日累计玩手机已达目标时长，休息一下": Desc(
        notifications=(Notification(PHONE, "今日累计玩手机已达目标时长，休息一下"),)
    ),
    "使用手机推送通知：已久坐 30 分钟，建议起身活动": Desc(
        notifications=(Notification(PHONE, "已久坐 30 分钟，建议起身活动"),)
    ),
    "使用音箱播报通知：向妈妈说一段欢迎回家的话": Desc(
        notifications=(Notification(SPEAKER, "向妈妈说一段欢迎回家的话"),)
    ),
}


@pytest.mark.parametrize("text", DOCUMENT)
def test_every_desc_of_the_document_s_examples(text):
    assert read_desc(text) == DOCUMENT[text]


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("计数加一", Phrase.COUNT),
        ("+1", Phrase.COUNT),
        ("＋１", Phrase.COUNT),
        ("喝水次数加一", Phrase.COUNT),
        ("喝水次数 +1", Phrase.COUNT),
        ("杯数加1。", Phrase.COUNT),
        ("当天喝水次数加一", Phrase.COUNT),
        ("开始计时", Phrase.START),
        (" 记录 起点 ", Phrase.START),
        ("记录计时起点。", Phrase.START),
        ("结束计时", Phrase.END),
        ("记录终点", Phrase.END),
    ],
)
def test_a_record_phrase(text, phrase):
    assert read_desc(text) == Desc(RecordPhrase(phrase))


@pytest.mark.parametrize(
    "text",
    [
        "计数减一",
        "计数加二",
        "计数加一次",
        "计数",
        "+10",
        "-1",
        "不要计数加一",
        "如果是妈妈，喝水次数加一",
        "若在客厅喝水次数加一",
        "取消计数加一",
        "喝水加一",
        "开始计时吧",
        "记录",
        "停止开始计时",
        "请结束计时",
        "事件追加",
        "事件追加：",
        "事件追加 咳嗽",
        "追加事件：咳嗽",
    ],
)
def test_nearly_a_record_phrase(text):
    assert read_desc(text) == Desc(rest=(text,))


@pytest.mark.parametrize(
    ("text", "description"),
    [
        ("事件追加：咳嗽", "咳嗽"),
        ("事件追加: 妈妈吃药：两片", "妈妈吃药：两片"),
        ("事件追加：有人\n经过  门口", "有人 经过 门口"),
    ],
)
def test_an_event_keeps_its_words_on_one_line(text, description):
    assert read_desc(text) == Desc(RecordPhrase(Phrase.EVENT, description))


@pytest.mark.parametrize(
    ("text", "medium", "said", "when"),
    [
        ("使用音箱播报通知：水开了", SPEAKER, "水开了", When.ALWAYS),
        ("使用 手机推送 通知: 水开了", PHONE, "水开了", When.ALWAYS),
        ("使用AI对话通知：水开了", CHAT, "水开了", When.ALWAYS),
        ("使用ＡＩ　对话通知：水开了", CHAT, "水开了", When.ALWAYS),
        ("使用ai 对话通知：水开了", CHAT, "水开了", When.ALWAYS),
        ("使用音箱播报通知：注意：水开了", SPEAKER, "注意：水开了", When.ALWAYS),
        ("首次达标时使用手机推送通知：好", PHONE, "好", When.FIRST),
        ("首次达标时，使用手机推送通知：好", PHONE, "好", When.FIRST),
        ("达标时使用手机推送通知：好", PHONE, "好", When.FIRST),
        ("若已达标使用手机推送通知：够了", PHONE, "够了", When.REACHED),
        ("若今日已达标，使用手机推送通知：够了", PHONE, "够了", When.REACHED),
        ("如果本周已达标则使用手机推送通知：够了", PHONE, "够了", When.REACHED),
        ("每次退出且已达标使用音箱播报通知：够了", SPEAKER, "够了", When.REACHED),
    ],
)
def test_a_notification(text, medium, said, when):
    assert read_desc(text) == Desc(notifications=(Notification(medium, said, when),))


@pytest.mark.parametrize(
    "text",
    [
        "使用音箱播报：水开了",
        "使用音箱通知：水开了",
        "使用播报通知：水开了",
        "用音箱播报通知：水开了",
        "请使用音箱播报通知：水开了",
        "使用短信通知：水开了",
        "使用音箱播报通知 水开了",
        "使用音箱播报通知：",
        "使用音箱播报通知妈妈：水开了",
        "使用手机推送和音箱播报通知：水开了",
        "通知：水开了",
        "提醒用户：水开了",
        "不使用手机推送通知：水开了",
        "未达标时使用手机推送通知：加油",
        "若未达标使用手机推送通知：加油",
        "首次未达标时使用手机推送通知：加油",
        "快达标时使用手机推送通知：加油",
        "若下雨使用手机推送通知：带伞",
        "检查窗户，使用手机推送通知：关窗",
        "每次退出使用手机推送通知：再见",
        "水开了就使用音箱播报通知：水开了",
    ],
)
def test_nearly_a_notification_is_left_to_somebody_with_judgement(text):
    assert read_desc(text) == Desc(rest=(text,))


def test_a_record_phrase_counts_only_where_the_document_has_it_in_front():
    assert read_desc("使用手机推送通知：又一杯；计数加一") == Desc(
        None, (Notification(PHONE, "又一杯"),), ("计数加一",)
    )


def test_clauses_keep_their_order_and_empty_ones_are_nothing():
    desc = read_desc("；计数加一；；使用手机推送通知：甲;使用音箱播报通知：乙；看看天气；")
    assert desc == Desc(
        RecordPhrase(Phrase.COUNT), (Notification(PHONE, "甲"), Notification(SPEAKER, "乙")), ("看看天气",)
    )


@pytest.mark.parametrize("text", ["", " ", "；；", "\n"])
def test_nothing_asks_for_nothing(text):
    assert read_desc(text) == Desc()


def test_words_are_one_bounded_line():
    (told,) = read_desc("使用手机推送通知：" + "长" * 5_000).notifications
    assert len(told.text) == LONGEST_CONTENT
    assert told.text.endswith("…")


@given(
    st.text(
        alphabet="使用音箱播报手机推送AI对话通知首次达标时若已计数加一事件追加：；:;+1，。 \n\u3000\x00", max_size=80
    )
)
def test_whatever_comes_in_every_clause_ends_up_somewhere(text):
    desc = read_desc(text)
    clauses = [clause for clause in text.replace("；", ";").split(";") if clause.strip()]
    assert (desc.record is not None) + len(desc.notifications) + len(desc.rest) == len(clauses)
