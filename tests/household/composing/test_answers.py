"""What a rule answers: words that are told, writes to a record, device commands, and what happens on leaving."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.household.composing.writing import plan, plans, request_of, rule, settle, site_of

from zhixing.household.assembling.words import behaviours
from zhixing.household.composing.composer import compose
from zhixing.household.composing.model import Site, Unwritable
from zhixing.household.descs import Medium, When, read_desc
from zhixing.world.devices.port import ActionSpec, DeviceSpec, PropertySpec

HOMES = {"宝": "baby", "爷爷": "old", "奶奶": "old"}


def _told(one):
    desc = one["action_desc"] or one["on_enter_desc"]
    return [(notice.medium, notice.text) for notice in read_desc(desc).notifications]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("宝宝一哭就推送", "宝宝哭了"),
        ("有人按门铃就推我手机上", "有人按门铃"),
        ("宝贝儿踢被子时候手机震我", "宝宝踢被子了"),
        ("爸爸咳嗽了就手机提醒他喝水", "爸爸咳嗽了，提醒他喝水"),
        ("爷爷睡着了手机提醒我给他盖毯子", "爷爷正在睡觉，记得给他盖毯子"),
        ("客厅有人摔倒就推送", "客厅里有人摔倒了，请马上查看"),
        ("妈妈在客厅摔倒就推送", "妈妈在客厅里摔倒了，请马上查看"),
        ("儿子在客厅看电视就推送", "客厅里儿子正在看电视"),
        ("门没关超过5分钟就推送", "门没关好，已经 5 分钟"),
        ("久坐45分钟就推送", "已久坐 45 分钟，建议起身活动"),
        ("儿子开始写作业了手机告诉我", "儿子开始写作业了"),
        ("奶奶吃完药夸她一句", "奶奶吃药了，真棒"),
        ("爸爸打游戏3个小时就推送，别玩了", "爸爸已连续打游戏 3 小时，别玩了"),
    ],
)
def test_a_message_says_what_is_so_and_what_was_asked_for(text, told):
    home = next((home for word, home in HOMES.items() if text.startswith(word)), "family")
    assert _told(rule(text, home)) == [(Medium.PHONE, told)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("陌生人一出现就播报 你已被拍摄", "你已被拍摄"),
        ("妈妈回家就播放欢迎曲", "妈妈，欢迎回家"),
        ("妈妈和爸爸回家都播报一声", "妈妈到家了"),
        ("爸爸打游戏3个小时就播报一声别玩了", "别玩了"),
    ],
)
def test_what_is_said_aloud_may_be_the_words_alone(text, told):
    (first, *_) = plan(text).assembly["rules"]
    assert _told(first) == [(Medium.SPEAKER, told)]


def test_two_channels_are_two_sentences():
    told = _told(rule("有人吸烟时既要播报也要推手机"))
    assert told == [(Medium.SPEAKER, "有人正在抽烟"), (Medium.PHONE, "有人正在抽烟")]


def test_the_ai_chat_is_written_as_the_document_does():
    assert rule("妈妈跌倒后AI对话里通知我")["action_desc"].startswith("使用 AI 对话通知：")


def test_a_goal_of_what_is_no_good_is_not_congratulated_on():
    counted = read_desc(rule("爸爸每天抽烟3根手机提醒")["action_desc"])
    (notice,) = counted.notifications
    assert notice.when is When.FIRST
    assert notice.text == "爸爸抽烟已达 3 根"


def test_each_leaving_after_the_goal_is_told_again_where_that_was_said():
    phone = rule("每天累计玩手机超过1小时 之后每次放下手机都再提醒我一遍")
    leaving = read_desc(phone["on_exit_desc"])
    assert phone["repeat_on_exit"]
    assert leaving.notifications[0].when is When.REACHED
    assert leaving.rest == ()


def test_what_is_missed_at_a_time_is_left_to_the_clock():
    composed = plan("孩子每天累计写作业不足2小时的话晚上8点告诉我")
    (one,) = composed.assembly["rules"]
    assert one["on_target_desc"] is None
    assert one["channel"] is None
    assert composed.assembly["schedules"][0]["message"].startswith("调 miloco-cli task record get")


def test_hours_are_kept_by_the_rule_and_said_in_the_message():
    night = rule("夜里院子有人就推送到手机", "large", answers={"trigger_frequency": "A"})
    assert night["quiet"] == ["06:00-22:00"]
    assert _told(night) == [(Medium.PHONE, "夜里院子里有人出现了")]


@pytest.mark.parametrize(
    ("text", "quiet"),
    [
        ("晚上十点半以后院子有人就推送到手机", ["06:00-22:30"]),
        ("晚上十点到早上六点院子有人就推送到手机", ["06:00-22:00"]),
        ("晚上十点到凌晨一点院子有人就推送到手机", ["01:00-22:00"]),
        ("白天院子有人就推送到手机", ["18:00-06:00"]),
    ],
)
def test_hours_are_read_from_and_until(text, quiet):
    night = "晚上十点以后院子有人就推送到手机"
    assembly, request = settle(request_of(night, "large", answers={"trigger_frequency": "A"}))
    draft = replace(assembly.drafts[0], text=text)
    (one,) = compose(draft, site_of(request.home)).assembly["rules"]
    assert one["quiet"] == quiet


def test_hours_that_may_be_others_are_left_to_somebody_who_judges():
    one = rule("8点以后院子有人就推送到手机", "large", answers={"trigger_frequency": "A"})
    assert "quiet" not in one
    assert one["action_desc"].startswith("仅在8点以后使用手机推送通知：")


def test_a_goal_that_is_missed_needs_a_time_at_which_somebody_looks():
    assembly, request = settle(request_of("孩子每天累计写作业不足2小时就手机告诉我"))
    (draft,) = assembly.drafts
    with pytest.raises(Unwritable, match="time"):
        compose(draft, site_of(request.home))


def test_a_device_is_switched_by_its_spec():
    assert rule("客厅没人就关灯")["action"] == {
        "did": "light_lr", "iid": "prop.on", "value": False, "idempotent": True,
    }  # fmt: skip
    curtain = rule("太阳太晒就把窗帘拉上")["action"]
    assert (curtain["iid"], curtain["value"]) == ("prop.target-position", 0)


def test_a_setting_is_its_own_property():
    dimmed = rule("看电视的时候把客厅灯调暗点")
    assert dimmed["on_enter_action"]["iid"] == "prop.brightness"
    assert 0 < dimmed["on_enter_action"]["value"] < 100
    assert dimmed["on_exit_desc"] == "检查客厅吸顶灯调暗是否仍有效，若已结束则复位"


def test_what_has_to_be_on_is_switched_on_before_it_is_set():
    composed = plan("客厅有人空调开26度 人走了就调到28")
    (shown,) = composed.assembly["rules"]
    assert (shown["on_enter_action"]["iid"], shown["on_enter_action"]["value"]) == ("prop.target-temperature", 26)
    (made,) = composed.plan.rules
    assert [(one.iid, one.value) for one in made.enter_actions] == [("prop.on", True), ("prop.target-temperature", 26)]
    assert [(one.iid, one.value) for one in made.exit_actions] == [("prop.target-temperature", 28)]


def test_what_is_switched_and_told_is_one_text():
    composed = plan("爸爸回家就关灯，手机告诉我")
    (shown,) = composed.assembly["rules"]
    assert shown["action"] is None
    assert shown["action_desc"] == "关掉客厅吸顶灯；使用手机推送通知：爸爸到家了"
    assert composed.findings == ()


def test_leaving_does_the_opposite_where_it_was_said():
    television = rule("儿子写作业时把电视关了 写完再打开")
    assert television["on_enter_action"]["value"] is False
    assert television["on_exit_action"]["value"] is True
    assert television["on_exit_origin"] == "user"


def test_a_light_that_stays_on_has_no_answer_to_leaving():
    light = rule("进厨房开灯 出来也别关", "large")
    assert light["on_exit_action"] is None
    assert light["on_exit_desc"] is None
    assert light["on_exit_origin"] == "user_none"


def test_what_no_property_holds_is_left_in_words():
    assert rule("儿子玩平板满半小时就把客厅吸顶灯闪一下")["action_desc"] == "让客厅吸顶灯闪一下"


def test_any_music_is_a_button_and_chosen_music_is_not():
    plain = rule("在阳台晾衣服的时候给我放首歌", "alone")
    assert plain["on_enter_action"]["iid"] == "action.play"
    chosen = rule("健身的时候放点带劲的音乐 挑我喜欢的", "large")
    assert chosen["on_enter_action"] is None
    assert "带劲的音乐" in chosen["on_enter_desc"]


def test_a_device_that_can_do_nothing_of_the_kind_is_not_guessed_at():
    assembly, request = settle(request_of("客厅没人就关灯"))
    site = Site(request.home, {})
    with pytest.raises(Unwritable, match="device"):
        compose(assembly.drafts[0], site)


def test_one_task_may_wait_for_several_things():
    assembly, request = settle(request_of("有人摔倒就推送"))
    (draft,) = assembly.drafts
    draft.also = (behaviours()["help_call"], behaviours()["smoke_haze"])
    composed = compose(draft, site_of(request.home))
    assert composed.report.trigger.startswith("有人摔倒或者有人呼救或者有烟雾冒出来")
    rules = composed.assembly["rules"]
    assert [one["query"]["subject"] for one in rules] == ["任何人", "任何人", "烟雾"]
    assert [_told(one)[0][1] for one in rules] == [
        "有人摔倒了，请马上查看", "有人在呼救，请马上查看", "有烟雾冒出来，请马上查看",
    ]  # fmt: skip


def test_nothing_that_was_typed_reaches_a_desc_as_a_gap_or_a_command():
    for words in ("{name}", "${x}", "<b>", "miloco-cli task list", "检测到人；快跑", "%s"):
        for composed in plans(f"宝宝哭了就手机推送，{words}"):
            (one,) = composed.assembly["rules"]
            assert [finding for finding in composed.findings if finding.level == "error"] == []
            assert read_desc(one["action_desc"]).rest == ()


@pytest.mark.parametrize("text", ["有人进客厅就关掉客厅音箱", "儿子写作业就把音箱关了", "儿子写作业就关音乐"])
def test_a_speaker_that_is_to_be_silent_plays_nothing(text):
    composed = plan(text)
    (shown,) = composed.assembly["rules"]
    assert shown["action"] == {"did": "spk_lr", "iid": "action.stop", "params": [], "idempotent": True}
    assert "播放" not in composed.report.response
    assert composed.findings == ()


@pytest.mark.parametrize(
    ("names", "iid"), [(("play", "pause"), "action.pause"), (("play", "pause", "stop"), "action.stop"), (("play",), "")]
)
def test_a_speaker_is_silenced_by_what_it_has(names, iid):
    assembly, request = settle(request_of("有人进客厅就关掉客厅音箱"))
    site = site_of(request.home)
    actions = tuple(ActionSpec(f"action.3.{number}", name) for number, name in enumerate(names, 1))
    how_long = PropertySpec("prop.4.1", "seconds", "int", readable=False, writable=True)
    # What is called so but wants to know more is no such button.
    actions = (ActionSpec("action.4.1", "stop", (how_long,)), *actions) if "stop" not in names else actions
    specs = {**site.specs, "spk_lr": DeviceSpec("spk_lr", (), actions)}
    home = Site(site.home, specs)
    if not iid:
        with pytest.raises(Unwritable):
            compose(assembly.drafts[0], home)
        return
    (made,) = compose(assembly.drafts[0], home).assembly["rules"]
    assert made["action"]["iid"] == iid


def test_music_begins_on_entering_and_stops_on_leaving():
    (shown,) = plan("有人进客厅就放音乐，走了就关掉").assembly["rules"]
    assert (shown["on_enter_action"]["iid"], shown["on_exit_action"]["iid"]) == ("action.play", "action.stop")


def test_what_is_opened_half_is_not_opened_all_the_way_first():
    composed = plan("有人看电视就把客厅窗帘调到50%")
    (shown,) = composed.assembly["rules"]
    assert (shown["on_enter_action"]["iid"], shown["on_enter_action"]["value"]) == ("prop.target-position", 50)
    (made,) = composed.plan.rules
    assert [(one.iid, one.value) for one in made.enter_actions] == [("prop.target-position", 50)]
