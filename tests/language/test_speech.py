from __future__ import annotations

import pytest

from zhixing.language.speech import hear


@pytest.mark.parametrize(
    ("said", "clear"),
    [
        ("嗯明天下午三点开会", "明天下午三点开会"),
        ("嗯，呃，明天下午三点，呃，开会", "明天下午三点，开会"),
        ("那个就是说明天下午那个三点开会", "明天下午三点开会"),
        ("明天嗯下午三点开会", "明天下午三点开会"),
        ("然后呢明天下午三点开会", "明天下午三点开会"),
        ("两小时后那个提醒我关火", "两小时后提醒我关火"),
        ("老师那个说明天下午三点开会", "老师说明天下午三点开会"),
        ("明天下午三点开会然后呢提醒我带电脑", "明天下午三点开会,提醒我带电脑"),
    ],
)
def test_fillers_go(said: str, clear: str) -> None:
    assert hear(said).clear == clear


@pytest.mark.parametrize(
    "said",
    [
        "把那个文件发给小王",
        "额度明天下午三点恢复",
        "天天向上",
        "完成百分之五十的报告",
        "先洗衣服然后晾起来",
        "去幺零幺会议室",
        "下午三点到三号楼",
        "讨论讨论方案",
        "明天一点一点收拾房间",
        "这个周五下午3点开会",
        "这个月15号下午3点开会",
    ],
)
def test_words_that_mean_something_stay(said: str) -> None:
    speech = hear(said)
    assert speech.clear == said
    assert not speech.doubtful


@pytest.mark.parametrize(
    ("said", "clear"),
    [
        ("明天明天下午三点开会", "明天下午三点开会"),
        ("明天，明天下午三点开会", "明天下午三点开会"),
        ("周三嗯周三下午三点开会", "周三下午三点开会"),
        ("下午三点三点开会", "下午三点开会"),
        ("我我明天下午三点开会", "我明天下午三点开会"),
        ("大后天大后天下午三点开会", "大后天下午三点开会"),
    ],
)
def test_a_stutter_is_said_once(said: str, clear: str) -> None:
    assert hear(said).clear == clear


@pytest.mark.parametrize(
    ("said", "clear"),
    [
        ("明天哦不后天下午三点开会", "后天下午三点开会"),
        ("明天下午三点，不对，四点开会", "明天下午四点开会"),
        ("下午三点说错了是四点开会", "下午四点开会"),
        ("明天下午三点哦不后天下午四点开会", "后天下午四点开会"),
        ("明天三点哦不下午四点开会", "明天下午四点开会"),
        ("明晚八点不对九点开会", "明晚九点开会"),
        ("今晚哦不明晚八点开会", "明晚八点开会"),
        ("周三哦不周四下午三点开会", "周四下午三点开会"),
        ("周三哦不下周四下午三点开会", "下周四下午三点开会"),
        ("十二月三号不对五号下午两点体检", "十二月五号下午两点体检"),
        ("后天下午三点半哦不三点开会", "后天下午三点开会"),
        ("明天哦不后天不对大后天下午三点开会", "大后天下午三点开会"),
    ],
)
def test_a_correction_between_times_of_one_kind_counts(said: str, clear: str) -> None:
    speech = hear(said)
    assert speech.clear == clear
    assert not speech.doubtful


@pytest.mark.parametrize(
    "said",
    [
        "明天下午三点哦不后天开会",  # is it still at three?
        "上午十一点哦不一点开会",  # surely not at night
        "下周三哦不周四下午三点开会",  # which week's?
        "明天下午三点哦不后天四点开会",  # in the afternoon again?
        "明晚八点哦不早上九点开会",  # of which day?
        "明天下午三点开会哦不看电影",
        "明天下午三点哦不对开会",
        "检查哪里不对明天下午三点",
    ],
)
def test_any_other_correction_is_a_doubt(said: str) -> None:
    assert hear(said).doubtful


@pytest.mark.parametrize(
    "said",
    [
        "下午三点那个半开会",
        "15那个:00开会",
        "2额4小时后提醒我复查",
        "10月20这个日开会",
        "一个额半小时后提醒我",
        "下那个周三开会",
    ],
)
def test_a_time_with_something_in_its_middle_is_a_doubt(said: str) -> None:
    assert hear(said).doubtful


@pytest.mark.parametrize(
    ("said", "clear"),
    [
        ("幺五点三零开会", "15点30开会"),
        ("今天二零点幺五开会", "今天20点15开会"),
        ("十五点三十开会", "十五点三十开会"),
        ("十二月二十一号", "十二月二十一号"),
        ("十二月二幺号", "十二月21号"),
        ("十二月幺号下午三点", "十二月一号下午三点"),
        ("两千零二十六年十二月十二号", "2026年十二月十二号"),
        ("二零二六年十二月十二号", "二零二六年十二月十二号"),
        ("三点二十开会", "三点二十开会"),
    ],
)
def test_spoken_numbers_become_what_they_are(said: str, clear: str) -> None:
    assert hear(said).clear == clear


def test_a_comma_that_was_only_heard_is_put_before_what_to_bring() -> None:
    assert hear("明天下午三点体检记得带身份证").clear == "明天下午三点体检,记得带身份证"


def test_a_stretch_of_clear_words_is_the_whole_of_what_was_said_there() -> None:
    speech = hear("嗯明天呃下午三点那个开会")
    assert speech.clear == "明天下午三点那个开会"
    assert speech.words((0, 6)) == "明天呃下午三点"


def test_what_was_taken_back_is_not_part_of_the_evidence_before_it() -> None:
    speech = hear("明天哦不后天下午三点开会")
    assert speech.verbatim("后天下午三点开会") == "后天下午三点开会"


def test_of_two_same_pieces_the_wanted_one_is_given() -> None:
    speech = hear("嗯带呃上书再去带上书")
    assert speech.verbatim("带上书") == "带呃上书"
    assert speech.verbatim("带上书", (5, 8)) == "带上书"


def test_only_fillers_leave_nothing() -> None:
    assert hear("嗯嗯呃").clear == ""
