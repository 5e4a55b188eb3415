"""What was decided without the user is told with its value, one reason, and words that change it (H-TIP)."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from tests.household.updating.made import drafted, home_of, sample

from zhixing.household.advising import advise, sentence
from zhixing.household.advising.topics import LONGEST, topic
from zhixing.household.assembling.draft import Draft, default
from zhixing.household.assembling.request import Home
from zhixing.household.assembling.tips import _BY_CLAUSE, _MILD, mild_tips, tips
from zhixing.household.checks.lexicon import pattern, says
from zhixing.household.checks.model import Tip
from zhixing.kernel.wording import LANGUAGES, section

OTHERS = {
    "metric_unverifiable", "single_continuous", "duration_long_restart", "duration_deviation",
    "exit_debounce_deviation", "exit_debounce_capped", "room_empty_any_camera",
}  # fmt: skip
KINDS = {*_BY_CLAUSE.values(), *_MILD.values(), *OTHERS}


def tip(kind: str, text: str, home: str = "family", **answers: str) -> Tip:
    """Give the tip of a kind about a sentence."""
    known = home_of(home)
    return next(one for one in advise(drafted(text, known, **answers), known) if one.kind == kind)


def test_there_is_one_tip_for_everything_that_was_decided_and_nothing_else() -> None:
    for name, draft, home in sample():
        told = [one.kind for one in advise(draft, home)]
        assert sorted(told) == sorted({*tips(draft), *mild_tips(draft)}), name


def test_every_tip_has_a_value_a_reason_and_a_phrase_to_say_back() -> None:
    for name, draft, home in sample():
        for one in advise(draft, home):
            assert all(part.strip() for part in one.parts), name
            assert pattern("talk.repeatable_pattern").search(one.how), one
            assert len(re.findall("「[^「」]+」", one.how)) == 1, one
            assert not any("{" in part for part in one.parts), one


def test_no_tip_shows_the_name_of_a_field_or_an_id() -> None:
    for _, draft, home in sample():
        ids = [thing.did for thing in (*home.cameras, *home.devices)]
        for one in advise(draft, home):
            assert not any(says("talk.internal_patterns", part) for part in one.parts), one
            assert not any(did in part for part in one.parts for did in ids), one


def test_each_tip_is_a_sentence_of_its_own() -> None:
    for _, draft, home in sample():
        said = [sentence(one) for one in advise(draft, home)]
        assert len(set(said)) == len(said)
        assert all(line.endswith("。") and line.count("。") == 1 for line in said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_words_for_every_kind_of_tip(language: str) -> None:
    words = section("advising", language)  # type: ignore[arg-type]
    assert [kind for kind in KINDS if f"{kind}_reason" not in words or f"{kind}_value" not in words] == []
    assert [kind for kind in KINDS if "{" in words[f"{kind}_reason"]] == []


def test_every_kind_of_tip_can_be_told_of_any_draft() -> None:
    """Whoever makes a draft, a tip must never break the report."""
    home = home_of("family")
    bare = Draft("什么都没有")
    for clause in (*_BY_CLAUSE, *_MILD):
        draft = replace(
            bare, subject=default("用户", clause), gate=default("desc", clause), source=default(None, "H-SRC-03")
        )
        assert all(all(one.parts) for one in advise(draft, home)), clause


VALUES = [
    ("duration_default", "看电视的时候把客厅灯调暗点", "90 秒"),
    ("exit_debounce_default", "妈妈回家就播放欢迎曲", "30 分钟"),
    ("source_broadcast", "家里有人摔倒就推送我手机", "客厅、玄关、儿童房"),
    ("schedule_default", "工作日每天喝8杯水 到了手机提醒我", "工作日上午10点、中午12点"),
    ("time_default", "后天提醒我交电费", "6月14日上午9点"),
    ("lifecycle_conflict", "这周每天晚上9点提醒我抹药膏", "6月14日当天"),
    ("device_first_candidate", "妈妈回家就开灯", "客厅吸顶灯"),
    ("subject_any_person", "有人按门铃就推我手机上", "任何人"),
    ("duration_long_restart", "爸爸连续躺13个小时没起就推送我手机", "13 小时"),
    ("single_continuous", "久坐30分钟手机提醒我", "30 分钟"),
    ("duration_deviation", "久坐10秒就手机提醒我", "持续 10 秒就算，这类情况一般是 1 分钟"),
    ("exit_debounce_capped", "爸爸回家播报一声 两小时内别重复播报", "1 小时"),
    ("safety_duration_dropped", "家里有人摔倒30秒没起来就手机推送我", "30 秒"),
    ("subject_registered_members", "家里人回家就播报一声", "登记过的家人"),
    ("window_default", "做够50个俯卧撑手机告诉我", "按天"),
    ("metric_unverifiable", "每天走10000步 手机提醒我", "看得到"),
    ("room_empty_any_camera", "没人就关灯", "摄像头里都没有人"),
]


@pytest.mark.parametrize(("kind", "text", "value"), VALUES, ids=[kind for kind, *_ in VALUES])
def test_the_value_is_what_was_decided(kind: str, text: str, value: str) -> None:
    assert value in tip(kind, text).value


PHRASES = [
    ("source_broadcast", "家里有人摔倒就推送我手机", "把家里摔倒改成只看客厅摄像头"),
    ("schedule_default", "每天喝8杯水", "把喝水的提醒改成每天上午9点和下午3点"),
    ("single_continuous", "久坐30分钟手机提醒我", "把久坐改成每天累计 30 分钟"),
    ("exit_debounce_default", "妈妈回家就播放欢迎曲", "把妈妈回家的间隔改成 10 分钟"),
    ("duration_default", "看电视的时候把客厅灯调暗点", "把看电视改成持续 3 分钟才算"),
    ("on_exit_reset_default", "起床后自动开窗帘", "把起床改成离开后不用管"),
    ("device_first_candidate", "妈妈回家就开灯", "把妈妈回家改成用儿童房台灯"),
    ("safety_duration_dropped", "家里有人摔倒30秒没起来就手机推送我", "暂停家里摔倒的任务"),
    ("metric_unverifiable", "每天走10000步 手机提醒我", "删掉走10000步的任务"),
    ("record_kind_duration", "妈妈看电视帮我记录下来", "删掉妈妈看电视的任务"),
]


@pytest.mark.parametrize(("kind", "text", "phrase"), PHRASES, ids=[kind for kind, *_ in PHRASES])
def test_the_phrase_names_the_task_and_another_value(kind: str, text: str, phrase: str) -> None:
    assert f"「{phrase}」" in tip(kind, text).how


def test_a_reminder_soon_is_moved_by_hours_and_never_into_the_past() -> None:
    """The phrase must still be worth saying when it is read."""
    home = home_of("family")
    for hours in (1, 5, 7, 20, 40, 24 * 30):
        draft = drafted("后天提醒我交电费", home)
        assert draft.schedule is not None
        at = home.now + timedelta(hours=hours)
        moved = replace(draft, schedule=default(replace(draft.schedule.value, at=at), "A-46"))
        (one,) = advise(moved, home)
        assert "小时后" in one.how or f"{at.astimezone(home.zone):%-m月%-d日}" in one.how


TOPICS = [
    ("每天喝8杯水", "喝水"), ("每天累计玩手机超1小时提醒", "玩手机"), ("妈妈回家就播放欢迎曲", "妈妈回家"),
    ("客厅没人就关灯", "客厅没人"), ("后天提醒我交电费", "交电费"), ("周末提醒我洗车", "洗车"),
    ("有人进车库就开灯", "有人进车库"), ("起床后自动开窗帘", "起床"),
    ("每2小时提醒我喝水", "喝水"), ("久坐30分钟提醒一下", "久坐"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "name"), TOPICS)
def test_a_task_is_called_by_words_of_its_own_sentence(text: str, name: str) -> None:
    home = home_of("large")
    assert topic(drafted(text, home_of("family") if "妈妈" in text else home), home) == name


HOSTILE = ["{0}{person}%s${x}", "「」「」", "把" * 400, "改成" * 100, "\\d+(", "🙂" * 50, " ", "cron json did source"]


@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_the_sentence_is_a_tip_stays_bounded_and_quotes_one_phrase(text: str) -> None:
    home = home_of("family")
    draft = Draft(text, rule=True, source=default(None, "H-SRC-03"), subject=default("用户", "H-SUBJ-09"))
    for one in advise(draft, home):
        assert len(sentence(one)) < 300
        assert len(re.findall("「[^「」]*」", one.how)) == 1
    assert len(topic(draft, home)) <= LONGEST


def test_a_home_without_cameras_people_or_devices_still_gets_tips() -> None:
    home = home_of("family")
    empty = replace(home, cameras=(), devices=(), persons=())
    for _, draft, _ in sample():
        assert all(all(one.parts) for one in advise(draft, empty))


def test_two_cameras_of_one_room_are_told_apart_by_their_names() -> None:
    home = home_of("baby")
    (one,) = [each for each in advise(drafted("客厅有人抽烟就推送", home), home) if each.kind == "source_multi"]
    assert "只看客厅左摄像头」" in one.how


def test_an_instant_is_read_in_the_zone_of_the_home() -> None:
    home: Home = home_of("family")
    draft = drafted("后天提醒我交电费", home)
    assert draft.schedule is not None
    assert draft.schedule.value.at is not None
    moved = datetime.fromisoformat("2026-06-14T01:00:00+00:00")
    again = replace(draft, schedule=default(replace(draft.schedule.value, at=moved), "A-46"))
    assert "上午9点" in advise(again, home)[0].value
