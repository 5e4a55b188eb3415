"""Chapters 21 to 24 of the clauses: channels, how often, whether it is seen, cameras and devices."""

from __future__ import annotations

import pytest
from tests.household.assembling.saying import ALONE, BABY, COUPLE, FAMILY, LARGE, OLD, decided, flat
from tests.household.checks.cases import changed, found, rows
from tests.household.clauses.telling import Row, differs, named
from tests.household.composing.writing import plan, request_of, rule, settle, site_of

from zhixing.household.assembling.assembler import assemble
from zhixing.household.checks import refused
from zhixing.household.composing.asking import ask
from zhixing.household.composing.composer import compose
from zhixing.household.composing.model import Site, Unwritable

VIOLATIONS = {row["id"]: row for row in rows("violations.jsonl")}

CHANNELS: list[Row] = [
    ("H-CHAN-01", FAMILY, "爸爸抽烟就提醒", {"channel": "ask", "questions": ["channel"]}),
    ("H-CHAN-02", FAMILY, "爸爸抽烟就告诉我", {"questions": ["channel"]}),
    ("H-CHAN-02", FAMILY, "爸爸抽烟就告知我", {"questions": ["channel"]}),
    ("H-CHAN-02", FAMILY, "爸爸抽烟就喊我", {"questions": ["channel"]}),
    ("H-CHAN-02", FAMILY, "爸爸抽烟就让我知道", {"questions": ["channel"]}),
    ("H-CHAN-02", FAMILY, "爸爸抽烟就通知我", {"questions": ["channel"]}),
    ("H-CHAN-03", FAMILY, "爸爸看书的时候夸夸他", {"questions": ["channel"]}),
    ("H-CHAN-03", FAMILY, "妈妈咳嗽了安慰一下她", {"questions": ["channel"]}),
    ("H-CHAN-03", FAMILY, "儿子每天做20个俯卧撑 做完表扬他", {"questions": ["channel"]}),
    ("H-CHAN-04", FAMILY, "爸爸抽烟就朗读别抽烟", {"channel": "speaker", "questions": []}),
    ("H-CHAN-04", FAMILY, "爸爸抽烟用喇叭说别抽", {"channel": "speaker", "questions": []}),
    ("H-CHAN-04", FAMILY, "爸爸抽烟发消息给我", {"channel": "phone", "questions": []}),
    ("H-CHAN-06", FAMILY, "爸爸抽烟就用手机提醒我", {"channel": "phone", "questions": []}),
    ("H-CHAN-06", FAMILY, "爸爸抽烟就用音箱提醒他", {"channel": "speaker", "questions": []}),
    ("H-CHAN-08", FAMILY, "每天早上8点提醒我吃药", {"channel": None, "questions": []}),
    ("H-CHAN-08", FAMILY, "每天早上8点用音箱提醒我吃药", {"channel": "speaker", "questions": []}),
    ("H-CHAN-09", FAMILY, "客厅没人就关空调", {"channel": None, "questions": []}),
    ("H-CHAN-09", FAMILY, "妈妈每天做20个深蹲", {"channel": None, "questions": []}),
    ("H-EVF-01", FAMILY, "玄关有人就推送", {"questions": ["trigger_frequency"]}),
    ("H-EVF-01", FAMILY, "陌生人进门就推送", {"questions": []}),  # the fourth of §10, not the fifth
    ("H-EVF-01", FAMILY, "爸爸抽烟就推送", {"questions": []}),
    ("H-EVF-02", FAMILY, "玄关一有人就推送", {"mode": "event", "questions": []}),
    ("H-EVF-02", FAMILY, "一看到陌生人就推送", {"mode": "event", "questions": []}),
    ("H-EVF-03", FAMILY, "出门后客厅有人就推送", {"mode": "state", "exit_debounce_seconds": 1800, "questions": []}),
    ("H-EVF-04", FAMILY, "儿童房有人就推送", {"questions": ["trigger_frequency"]}),
    ("H-EVF-06", FAMILY, "儿童房有人就推送", {"mode": None}),
]
VIEWS: list[Row] = [
    ("H-VIEW-01", FAMILY, "儿子进儿童房就播报", {"questions": ["viewpoint"]}),
    ("H-VIEW-01", COUPLE, "妈妈出门就播报", {"questions": ["viewpoint"]}),
    ("H-VIEW-01", FAMILY, "儿童房有人抽烟就播报", {"questions": []}),
    ("H-VIEW-02", FAMILY, "儿子在儿童房看书就播报", {"questions": []}),
    ("H-VIEW-03", FAMILY, "儿童房有人咳嗽就播报", {"questions": []}),
    ("H-VIEW-03", BABY, "宝宝哭了就播报", {"questions": []}),
    ("H-VIEW-04", FAMILY, "儿子进儿童房就关电视", {"questions": []}),
    ("H-VIEW-05", FAMILY, "玄关摄像头看得到门 妈妈进门就播报", {"questions": [], "tips-": "viewpoint_default"}),
    ("H-VIEW-05", FAMILY, "玄关摄像头看不到门 妈妈回家就播报", {"questions": [], "tips-": "viewpoint_default"}),
    ("H-VIEW-06", FAMILY, "爸爸回家就播报", {"source": ["cam_ent"], "tips+": "viewpoint_default", "questions": []}),
    ("H-VIEW-06", FAMILY, "妈妈出门就播报", {"source": ["cam_ent"], "tips+": "viewpoint_default"}),
    ("H-VIEW-07", FAMILY, "妈妈进客厅就播报", {"questions": ["viewpoint"]}),
    ("H-SRC-02", "h9", "客厅有人咳嗽就播报", {"questions": ["camera"]}),
    ("H-SRC-02", "h9", "每天早上8点提醒我吃药", {"questions": []}),
    ("H-SRC-03", FAMILY, "爸爸打喷嚏就播报", {"source": None, "tips+": "source_broadcast"}),
    ("H-SRC-03", FAMILY, "全家没人就关灯", {"source": None, "tips+": "source_broadcast"}),
    ("H-SRC-04", FAMILY, "儿童房有人咳嗽就播报", {"source": ["cam_kid"], "tips-": "source_broadcast"}),
    ("H-SRC-05", BABY, "客厅有人咳嗽就播报", {"source": ["cam_lr1", "cam_lr2"], "tips+": "source_multi"}),
    ("H-SRC-06", FAMILY, "书房有人咳嗽就播报", {"source": None, "questions": ["camera_name"]}),
    ("H-SRC-07", FAMILY, "妈妈开始看电视就播报", {"mode": "state", "source": None, "tips+": "source_broadcast"}),
    ("H-SRC-07", FAMILY, "有人在客厅就开灯", {"mode": "state", "source": ["cam_lr"]}),
    ("H-SRC-08", OLD, "老人房有人咳嗽就播报", {"source": ["cam_bed"]}),  # its name, not its room
    ("H-SRC-08", FAMILY, "主卧有人咳嗽就播报", {"questions": ["camera_name"]}),  # there, and not in use
    ("H-DEV-03", BABY, "猫上餐桌就用婴儿房音箱播报", {"target_device": "spk_baby", "tips-": "device_first_candidate"}),
    ("H-DEV-04", BABY, "猫上餐桌就播报", {"target_device": "spk_lr", "tips+": "device_first_candidate"}),
    ("H-DEV-01", FAMILY, "客厅没人就关加湿器", {"questions": ["device"], "target_device": None}),
    ("H-DEV-01", FAMILY, "客厅没人就关空调", {"questions": [], "target_device": "ac_lr"}),
    ("H-DEV-05", FAMILY, "儿童房有人咳嗽就推送", {"source": ["cam_kid"], "target_device": None}),
    ("H-DEV-05", FAMILY, "儿童房没人就关灯", {"source": ["cam_kid"], "target_device": "lamp_kid"}),
]
ROWS = [*CHANNELS, *VIEWS]


def question(text: str, kind: str, home: str = FAMILY):
    request = request_of(text, home)
    return next(one for one in ask(assemble(request), site_of(request.home)).questions if one.kind == kind)


@pytest.mark.parametrize("row", ROWS, ids=named(ROWS))
def test_it_is_decided(row) -> None:
    assert differs(row) == {}


@pytest.mark.parametrize(
    ("clause", "check"),
    [
        ("H-CHAN-05", "V-205"), ("H-CHAN-06", "V-045"), ("H-CHAN-07", "V-208"), ("H-EVF-05", "V-205"),
        ("H-EVF-06", "V-200"), ("H-VIEW-06", "V-139"), ("H-SRC-01", "V-113"), ("H-SRC-02", "V-112"),
        ("H-SRC-03", "V-110"), ("H-SRC-03", "V-137"), ("H-SRC-05", "V-138"), ("H-CAM-01", "V-111"),
        ("H-DEV-01", "V-037"), ("H-DEV-02", "V-037"),
    ],
)  # fmt: skip
def test_a_plan_that_decides_it_otherwise_is_refused(clause, check) -> None:
    row = VIOLATIONS[check]
    findings = found(changed(row), row.get("home"))
    assert check in {one.id for one in findings}, clause
    assert refused(findings)


def test_the_channel_is_one_of_three_and_only_the_answer_writes_it_down() -> None:
    """H-CHAN-05, H-CHAN-07."""
    assert question("爸爸抽烟就告诉我", "channel").options == ("音箱播报", "手机推送", "AI 对话")
    request = request_of("爸爸抽烟就告诉我")
    (draft,) = assemble(request).drafts
    with pytest.raises(Unwritable):
        compose(draft, site_of(request.home))
    for letter, words in (("A", "音箱播报"), ("B", "手机推送"), ("C", "AI 对话")):
        desc = rule("爸爸抽烟就告诉我", answers={"channel": letter})["action_desc"]
        assert f"使用{words}通知：" in desc.replace("使用 ", "使用")


def test_nothing_is_made_before_the_channel_is_known(talking) -> None:
    """H-CHAN-07, H-EVF-06."""
    home = talking()
    for words in ("爸爸抽烟就告诉我", "客厅有人就推送手机"):
        assert home.say(words).questions
    assert home.slugs == []


def test_how_often_is_asked_in_the_words_that_were_said() -> None:
    """H-EVF-05."""
    often = question("儿童房有人就推送", "trigger_frequency")
    assert "「儿童房有人」" in often.text
    assert len(often.options) == 2
    assert "每次" in often.options[0]
    assert "30 分钟" in often.options[1]


@pytest.mark.parametrize(
    ("text", "home", "place"),
    [
        ("儿子进儿童房就播报", FAMILY, "儿童房的门口"),
        ("宝宝爬出围栏就推送", BABY, "围栏边上"),
        ("妈妈回家就播报", COUPLE, "门"),
    ],
)
def test_whether_it_is_seen_is_asked_of_a_place_and_not_of_a_room(text, home, place) -> None:
    """H-VIEW-07, H-VIEW-08."""
    view = question(text, "viewpoint", home)
    assert place in view.text
    assert view.options == ("看得到", "看不到")


def test_what_is_seen_happen_is_an_action_and_what_is_not_is_being_there() -> None:
    """H-VIEW-09, H-VIEW-10, H-QRY-09."""
    seen = rule("儿子进儿童房就播报", answers={"viewpoint": "A"})["query"]
    unseen = rule("儿子进儿童房就播报", answers={"viewpoint": "B"})["query"]
    assert (seen["kind"], unseen["kind"]) == ("action", "presence")
    assert "跨过" in seen["text"]
    assert unseen["text"].startswith("儿子的身体出现在儿童房画面中")


def test_the_camera_that_heard_it_is_the_one_that_looks() -> None:
    """H-SRC-01."""
    locked = flat("宝宝踢被子就播报", BABY, source=["cam_lr1", "cam_baby"])
    assert locked["source"] == ["cam_lr1", "cam_baby"]


def test_no_camera_is_two_ways_and_calling_it_off_makes_nothing() -> None:
    """H-SRC-02."""
    assert question("客厅有人咳嗽就播报", "camera", "h9").options == ("开启摄像头感知再建", "取消")
    assert decided("客厅有人咳嗽就播报", "h9", answers={"camera": "B"})["tasks"] == []


def test_a_room_without_a_camera_gets_another_name_or_all_of_them() -> None:
    """H-SRC-06."""
    assert question("书房有人咳嗽就播报", "camera_name").options == ("换个名字", "用全屋的摄像头")
    assert flat("书房有人咳嗽就播报", answers={"camera_name": "客厅"})["source"] == ["cam_lr"]
    everywhere = flat("书房有人咳嗽就播报", answers={"camera_name": "B"})
    assert (everywhere["source"], everywhere["questions"]) == (None, [])


def test_every_rule_says_where_it_looks_and_only_commands_name_a_device() -> None:
    """H-DEV-05, H-SRC-07."""
    told, switched = rule("儿童房有人咳嗽就推送"), rule("儿童房没人就关灯")
    assert told["source"] == switched["source"] == ["cam_kid"]
    assert told["action"] is None
    assert switched["action"]["did"] == "lamp_kid"


def test_a_command_is_a_property_of_the_spec_of_the_device() -> None:
    """H-DEV-02: what the list of devices has no spec for is not guessed at."""
    assembly, request = settle(request_of("客厅没人就关空调"))
    (draft,) = assembly.drafts
    site = site_of(request.home)
    written = compose(draft, site).plan.rules[0].actions[0]
    assert written.did == "ac_lr"
    assert written.iid == "prop.on"
    with pytest.raises(Unwritable, match="device"):
        compose(draft, Site(request.home, {}))


def test_of_several_devices_the_room_of_the_words_decides() -> None:
    """H-DEV-03, H-DEV-04."""
    assert plan("妈妈回家就开儿童房的灯").assembly["rules"][0]["on_enter_action"]["did"] == "lamp_kid"
    first = plan("妈妈回家就开灯")
    assert first.assembly["rules"][0]["on_enter_action"]["did"] == "light_lr"
    assert "device_first_candidate" in {tip.kind for tip in first.tips}


def test_homes_of_one_camera_and_of_many_are_told_apart() -> None:
    """H-SRC-03, H-SRC-04."""
    assert flat("书房有人咳嗽就播报", ALONE)["source"] == ["cam_st"]
    assert flat("有人咳嗽就播报", LARGE)["source"] is None
