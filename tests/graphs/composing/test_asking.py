"""Bounds, answers, and what is told of what nobody said."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.graphs.composing.homes import NOW, RULE, ZONE, flat, house, outcome, virtual

from zhixing.graphs.composing.composing import LONGEST_TEXT, Asked, Composed, NeedsModel, compose
from zhixing.graphs.rule import Rule
from zhixing.graphs.specs.model import Spec
from zhixing.kernel.errors import BadInput, TooLarge


def composed(text: str, home=None, answers=None) -> Composed:
    found = outcome(text, home or flat(), answers or {})
    assert isinstance(found, Composed), found
    return found


def told(text: str, home=None) -> list[str]:
    return [each.removeprefix("默认：") for each in composed(text, home).lines if each.startswith("默认：")]


def written(rule: Rule) -> list[str]:
    return [node.did for node in rule.nodes if node.type == "deviceOutput"]


def test_a_text_has_bounds():
    with pytest.raises(BadInput):
        outcome("  ", flat())
    with pytest.raises(TooLarge):
        outcome("灯" * (LONGEST_TEXT + 1), flat())
    many = "，".join(["把客厅灯打开"] * 21)
    assert isinstance(outcome(f"客厅有人就{many}", flat()), NeedsModel)
    assert isinstance(outcome("或".join(["客厅温度高于28度"] * 11) + "就打开空调", flat()), NeedsModel)


@pytest.mark.parametrize(
    "text", ["灯" * LONGEST_TEXT, "就" * LONGEST_TEXT, "客厅有人" * 125, "1" * LONGEST_TEXT, "和客厅" * 160]
)
def test_no_text_breaks_it(text):
    assert not isinstance(outcome(text, flat()), Composed)


def test_candidates_of_a_question_are_the_devices_that_are_meant():
    found = outcome("单击床头开关打开主卧灯，双击关掉", virtual())
    assert isinstance(found, Asked)
    assert [each.label for each in found.question.options] == ["主卧吸顶灯", "主卧床头灯"]


@pytest.mark.parametrize("answer", ["lamp_bedside", "主卧床头灯"])
def test_an_answer_is_a_value_or_the_name(answer):
    found = composed("单击床头开关打开主卧灯，双击关掉", virtual(), {"device:主卧灯": answer})
    assert written(found.rule) == ["lamp_bedside", "lamp_bedside"]


def test_an_answer_that_names_nothing_is_asked_again():
    assert isinstance(outcome("晚上10点关灯", flat(), {"device:灯": "冰箱"}), Asked)


def test_a_key_of_a_remote_and_of_a_wall_switch_can_be_answered():
    text = "单击双键开关就打开三键开关"
    found = composed(text, house(), {"press:双键开关": "h16#1", "device:三键开关": "h17#3"})
    event, switch = found.rule.nodes
    assert event.props["arguments"] == [{"piid": 2, "dtype": "int", "operator": "=", "v1": 1}]
    assert switch.props["siid"] == 3


def test_a_value_out_of_range_is_asked_with_the_range_and_the_answer_is_used():
    text = "客厅有人就把空调调到40度"
    found = outcome(text, flat())
    assert isinstance(found, Asked)
    assert "16–31" in found.question.prompt
    node = composed(text, answers={found.question.subject: "26"}).rule.nodes[1]
    assert node.props["value"] == 26.0


def test_a_bare_time_may_be_meant_once_so_the_days_are_asked():
    found = outcome("下午3点关闭窗帘", flat())
    assert isinstance(found, Asked)
    assert [each.value for each in found.question.options] == ["每天", "工作日", "周末"]
    alarm = composed("下午3点关闭窗帘", answers={"days": "周末"}).rule.nodes[0]
    assert alarm.props["filter"] == {"day": [0, 6]}


def test_the_sun_needs_the_place_of_the_home():
    text = "日落时打开阳台灯"
    found = outcome(text, flat(), place=None)
    assert isinstance(found, Asked)
    assert found.question.kind == "place"
    alarm = outcome(text, flat(), {"place": "31.2,121.5"}, place=None).rule.nodes[0]
    assert (alarm.props["latitude"], alarm.props["longitude"]) == (31.2, 121.5)


def test_what_nobody_said_is_told():
    assert "没有说哪一天，按每天" in told("日落时打开阳台灯")
    assert "没有说上午下午，按 07:30" in told("法定工作日7点半打开书房台灯")
    assert any("工作日按周一到周五" in each for each in told("工作日早上7点打开窗帘"))
    assert any("18:00 到 24:00" in each for each in told("晚上玄关有人就开玄关灯"))
    assert any("玄关灯" in each for each in told("玄关有人就开灯"))
    assert any("门没关" in each for each in told("门没关超过3分钟就提醒"))
    assert told("客厅灯关了阳台灯也关") == []


def test_the_summary_says_what_it_looks_at_and_what_it_does():
    lines = composed("玄关有人移动就开玄关灯，2分钟没人就关").lines
    assert lines == (
        "当玄关有人移动（看玄关人体传感器）：打开玄关灯",
        "当2分钟没人（看玄关人体传感器）：关闭玄关灯",
    )


def test_what_one_piece_says_of_several_sensors_is_told_once():
    first = composed("客厅和卧室都没人就关空调").lines[0]
    assert first == "当客厅和卧室都没人（看客厅人体传感器、卧室人体传感器）：关闭客厅空调"


def test_a_door_whose_specification_says_which_way_round_is_watched_by_its_state():
    found = composed("入户门打开超过5分钟就用客厅音箱说门没关", virtual())
    watch = next(node for node in found.rule.nodes if node.type == "deviceInput")
    assert watch.props["v1"] is True


def test_a_door_whose_bool_says_nothing_of_which_way_round_is_watched_by_its_events():
    home = virtual()
    silent = {urn: silenced(spec) for urn, spec in home.specs.items()}
    found = composed("入户门打开超过5分钟就用客厅音箱说门没关", replace(home, specs=silent))
    assert {node.type for node in found.rule.nodes} == {"deviceInput", "register", "statusLast", "deviceOutput"}
    assert any("启用规则前的状态不知道" in each for each in found.lines)


def silenced(spec: Spec) -> Spec:
    """Make a specification that describes none of its properties."""
    return replace(
        spec,
        services=tuple(
            replace(service, properties=tuple(replace(each, description="") for each in service.properties))
            for service in spec.services
        ),
    )


def test_devices_that_rules_may_not_use_are_not_found():
    home = flat()
    barred = replace(home, devices={did: replace(each, usable=False) for did, each in home.devices.items()})
    assert not isinstance(outcome("客厅温度高于28度就打开空调", barred), Composed)


def test_a_home_of_which_nothing_is_known_composes_nothing():
    from zhixing.graphs.specs.home import NOTHING_KNOWN

    found = compose("客厅有人就开灯", NOTHING_KNOWN, rule_id=RULE, now=NOW, zone=ZONE)
    assert isinstance(found, Asked)
    assert found.question.options == ()


def test_the_same_sentence_gives_the_same_rule():
    first, second = (composed("三个传感器里至少两个有人就打开客厅灯") for _ in range(2))
    assert first.rule == second.rule
    assert {each.type.value for each in first.variables} == {"number"}
