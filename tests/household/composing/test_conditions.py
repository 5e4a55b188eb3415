"""What is looked for: three parts behind the right subject, in words that no check of wording refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.household.composing.writing import plan, request_of, rule, settle, site_of

from zhixing.household.assembling.draft import Condition, Objects, inferred
from zhixing.household.assembling.words import behaviours
from zhixing.household.checks import lint_condition
from zhixing.household.composing.composer import compose
from zhixing.household.composing.dictionary import entries, placed
from zhixing.household.composing.model import Unwritable

PEOPLE = ("用户", "妈妈", "任何人", "已注册成员")


def _written(condition, subject):
    tail = "；" + "，".join(f"不含{one}" for one in condition.counters) if condition.counters else ""
    return f"{subject}{condition.body}{tail}"


def test_every_behaviour_of_the_assembler_can_be_seen():
    assert set(behaviours()) - set(entries()) == set()


@pytest.mark.parametrize("key", sorted(entries()))
@pytest.mark.parametrize("covered", [True, False])
def test_every_entry_passes_the_checks_of_wording(key, covered):
    entry, behaviour = entries()[key], behaviours().get(key)
    own = (*behaviour.nouns, behaviour.subject) if behaviour is not None and behaviour.subject else ()
    for subject in own or PEOPLE:
        condition = placed(entry.seen(subject, "", covered=covered), "书房")
        text = _written(condition, subject)
        assert lint_condition(text, condition.kind, subject) == (), text
        for objects in condition.objects:
            assert all(item in text for item in objects.items), text
            assert len(objects.items) < 2 or (objects.category and objects.category in text), text


@pytest.mark.parametrize("key", sorted(key for key, entry in entries().items() if entry.variants))
def test_what_animals_and_cars_do_passes_them_too(key):
    for variant in entries()[key].variants:
        subject = {"animal": "猫", "car": "车"}.get(variant.who, variant.who)
        condition = placed(variant.condition, None)
        assert lint_condition(_written(condition, subject), condition.kind, subject) == ()


@pytest.mark.parametrize(
    ("text", "home", "subject", "source"),
    [
        ("久坐30分钟提醒我", "family", "用户", "implicit"),
        ("客厅有人抽烟就推送", "family", "任何人", "any"),
        ("家里人在客厅抽烟就推送", "family", "已注册成员", "abstract"),
        ("妈妈咳嗽就推送", "family", "妈妈", "person"),
        ("李梅咳嗽就推送", "family", "妈妈", "person"),
        ("陌生人在门口徘徊2分钟就推送", "family", "陌生人", "stranger"),
        ("猫上沙发就推送", "family", "猫", "animal"),
        ("客厅没人就关灯", "family", "画面", "scene"),
        ("屋里有烟雾就推送", "family", "烟雾", "object"),
        ("我看手机10分钟就推送", "alone", "陈晨", "first_person"),
    ],
)
def test_the_subject_is_who_is_meant(text, home, subject, source):
    query = rule(text, home)["query"]
    assert (query["subject"], query["subject_source"]) == (subject, source)
    assert query["text"].startswith(subject)


def test_a_stranger_is_never_one_of_the_family():
    for text in ("陌生人来了就推送", "陌生人在门口徘徊2分钟就推送", "有小偷撬门就推送"):
        assert "；不含家庭成员，" in rule(text)["query"]["text"]


def test_a_scene_needs_no_three_parts():
    assert rule("客厅没人就关灯")["query"]["text"] == "画面中无人"


def test_what_the_camera_does_not_see_happen_is_seen_afterwards():
    covered = rule("有人进书房就播报", "large", answers={"viewpoint": "A"})
    uncovered = rule("有人进书房就播报", "large", answers={"viewpoint": "B"})
    assert "跨过房门口" in covered["query"]["text"]
    assert covered["query"]["kind"] == "action"
    assert uncovered["query"]["text"] == "任何人的身体出现在书房画面中"
    assert uncovered["query"]["kind"] == "presence"
    assert covered["viewpoint"] == uncovered["viewpoint"] == "asked"


def test_leaving_unseen_is_being_in_no_picture():
    left = rule("妈妈从厨房出来就推送", "h2", answers={"viewpoint": "B"})
    assert left["query"]["text"].startswith("妈妈不在厨房画面中")
    assert left["agreement"] == "all"


def test_several_people_are_a_rule_each():
    rules = plan("妈妈和爸爸回家都播报一声").assembly["rules"]
    assert [one["query"]["subject"] for one in rules] == ["妈妈", "爸爸"]
    assert len({one["name"] for one in rules}) == 2


def test_words_say_where_they_come_from():
    words = {one["w"]: one["origin"] for one in rule("今天喝够8杯水提醒")["query"]["words"]}
    assert set(words.values()) == {"视觉常识"}
    assert rule("我看手机10分钟就推送", "alone")["query"]["words"] == [{"w": "手机", "origin": "用户原话"}]


def _drafted(text):
    assembly, request = settle(request_of(text))
    (draft,) = assembly.drafts
    return draft, site_of(request.home)


def test_a_condition_that_a_model_wrote_comes_first():
    draft, site = _drafted("久坐30分钟手机推送")
    body = "双手握着拼图块按向桌面的拼板，低头注视板面"
    draft.condition = inferred(Condition("action", body, (), ("握笔在纸上写字", "把拼图块收进盒子")), "H-SEG-02")
    query = compose(draft, site).assembly["rules"][0]["query"]
    assert query["text"] == f"用户{body}；不含握笔在纸上写字，不含把拼图块收进盒子"


def test_a_behaviour_that_no_dictionary_has_is_called_by_the_user_s_words():
    draft, site = _drafted("猫上沙发就手机推送")
    seen = Condition("animal", "前爪拨向桌沿的水杯，水杯倾倒落下", (Objects(("水杯",)),), ("低头舔水", "趴在桌边睡觉"))
    draft.behaviour = replace(draft.behaviour, key="spill_cup")
    draft.text, draft.message = "猫把杯子打翻了就手机提醒我收拾", "收拾"
    draft.condition = inferred(seen, "H-SEG-02")
    composed = compose(draft, site)
    assert composed.findings == ()
    assert composed.plan.slug == "cat_spill_cup"
    assert composed.assembly["rules"][0]["name"] == "[cat_spill_cup] 猫把杯子打翻提醒"
    assert composed.assembly["rules"][0]["action_desc"] == "使用手机推送通知：猫把杯子打翻了，记得收拾"
    assert composed.report.trigger == "猫把杯子打翻时启动。"


def test_nothing_is_made_up_for_what_nobody_has_words_for():
    draft, site = _drafted("久坐30分钟手机推送")
    draft.behaviour = None
    with pytest.raises(Unwritable, match="condition"):
        compose(draft, site)
