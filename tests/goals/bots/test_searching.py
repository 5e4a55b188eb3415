"""Who fits a leaf: ranking, reasons, exclusions and the four outcomes of taskloop §4.4."""

from __future__ import annotations

import random
from datetime import datetime
from typing import Any

import pytest

from zhixing.goals.bots.matching import clauses, folded, holds, outermost, pieces, same_words, tokens
from zhixing.goals.bots.profiles import Availability, Catalog, ModelSettings, Profile
from zhixing.goals.bots.ranking import Ground, reason_text
from zhixing.goals.bots.searching import (
    Bar,
    Demand,
    Found,
    KnownGroup,
    bar_text,
    offered,
    relays,
    search,
)
from zhixing.goals.contracts.searching import read_search
from zhixing.goals.loop.model import Criterion, Formation, Member, TaskSpec
from zhixing.goals.loop.values import CollabMode, SearchOutcome

NOW = datetime.fromisoformat("2026-12-01T10:00+08:00")


def bot(bot_id: str, name: str, *abilities: str, **members: Any) -> Profile:
    return Profile(bot_id, name, ModelSettings(), abilities, **members)


HOUSE = (
    bot("owner", "任务负责Bot", "任务规划"),
    bot("news", "行业信息员", "信息抓取", "行业概览", purpose="抓取公开资料，整理行业概览"),
    bot("market", "市场分析员", "市场分析", "需求预测", purpose="看一个行业要多少货、谁在买"),
    bot("capital", "投资顾问", "估值", "资本市场", purpose="算一家公司值多少钱", relay=True),
    bot("ssd", "固态硬盘专家", "企业级SSD", "接口协议"),
    bot("chain", "产业链专家", "供应链", "竞品对比"),
    bot("writer", "写手", "报告撰写", "文字润色", purpose="把材料写成报告", relay=True),
    bot("coder", "程序员", "Python 开发", "代码评审", "CI 维护", purpose="改代码、修缺陷"),
    bot("cook", "菜谱助手", "菜谱推荐", purpose="按冰箱里有的菜推荐晚饭"),
)
CATALOG = Catalog(HOUSE)


def look(
    objective: str, *, title: str = "", instruction: str = "", background: str = "", criteria: str = "", **members: Any
) -> Found:
    acceptances = (Criterion("ac1", criteria),) if criteria else ()
    spec = TaskSpec(title, instruction, background, objective, acceptances)
    demand = {"owner": "owner", **members}
    return search(CATALOG, Demand("n1", spec, NOW, **demand))


@pytest.mark.parametrize(
    ("objective", "bot_id"),
    [
        ("做一份存储行业的市场分析", "market"),
        ("对存储行业做市场研判", "market"),
        ("评估企业级 SSD 的技术路线", "ssd"),
        ("评估企业级ＳＳＤ的技术路线", "ssd"),
        ("梳理存储行业的上下游", "chain"),
        ("把材料汇成一篇，完成报告编写", "writer"),
        ("用报告编写收尾", "writer"),
        ("编写一份季度研报", "writer"),
        ("修一下脚本，需要 python 开发", "coder"),
        ("帮忙做代码审查", "coder"),
        ("今晚吃什么，给个食谱推荐", "cook"),
    ],
)
def test_the_bot_that_has_the_ability_is_proposed(objective: str, bot_id: str) -> None:
    """L-3.8."""
    found = look(objective)
    assert (found.proposal.outcome, found.proposal.bot_id) == (SearchOutcome.HIT_SINGLE, bot_id)
    assert found.candidates[0].profile.id == bot_id


@pytest.mark.parametrize(
    ("objective", "reason"),
    [
        ("到机房做现场访谈", "no_candidates"),
        ("acid 酸碱滴定", "no_candidates"),
        ("", "no_candidates"),
        ("的了和与", "no_candidates"),
        ("按冰箱大小选购", "候选 bot 均无法覆盖子任务需求"),
    ],
)
def test_nobody_is_proposed_where_nobody_fits(objective: str, reason: str) -> None:
    proposal = look(objective).proposal
    assert (proposal.outcome, proposal.reason, proposal.bot_id) == (SearchOutcome.MISS, reason, "")


def test_a_leaf_that_names_two_abilities_gets_a_group_led_by_the_best() -> None:
    found = look("从市场分析与资本市场双视角评估存储行业，并做需求预测")
    assert found.proposal.outcome is SearchOutcome.HIT_MULTI_BOTS
    assert found.proposal.formation == Formation(
        ("market", "capital"),
        CollabMode.MANAGER_WORKER,
        "市场分析员、投资顾问协作群",
        "market",
        (Member("market", "市场分析员", "市场分析、需求预测"), Member("capital", "投资顾问", "资本市场")),
    )


def test_one_bot_that_has_all_abilities_needs_no_group() -> None:
    proposal = look("做市场分析和需求预测").proposal
    assert (proposal.outcome, proposal.bot_id) == (SearchOutcome.HIT_SINGLE, "market")


def test_an_ability_inside_a_longer_one_asks_for_nobody_else() -> None:
    catalog = Catalog((bot("a", "甲", "数据架构设计"), bot("b", "乙", "数据架构")))
    found = search(catalog, Demand("n", TaskSpec(objective="完成数据架构设计"), NOW))
    assert found.proposal.bot_id == "a"


def test_the_background_brings_nobody_into_a_group() -> None:
    proposal = look("做市场分析", background="公司另有人做报告撰写与代码评审").proposal
    assert proposal.bot_id == "market"


def test_what_is_to_be_accepted_counts_like_the_goal() -> None:
    assert look("收尾", criteria="报告撰写完毕").proposal.bot_id == "writer"


def test_a_group_that_exists_is_used_again() -> None:
    spec = TaskSpec(objective="从市场分析与资本市场双视角评估")
    groups = (KnownGroup("g1", ("market",)), KnownGroup("g2", ("capital", "market")))
    proposal = search(CATALOG, Demand("n", spec, NOW), groups).proposal
    assert (proposal.outcome, proposal.group_id, proposal.formation) == (SearchOutcome.HIT_GROUP, "g2", None)


def test_a_group_that_is_proposed_stays_small() -> None:
    catalog = Catalog(tuple(bot(f"b{n}", f"成员{n}", f"{n}号手艺") for n in range(9)))
    spec = TaskSpec(objective="、".join(f"{n}号手艺" for n in range(9)))
    formation = search(catalog, Demand("n", spec, NOW)).proposal.formation
    assert formation is not None
    assert formation.bot_ids == ("b0", "b1", "b2", "b3", "b4")


@pytest.mark.parametrize(
    ("members", "bar"),
    [
        ({"owner": "market"}, Bar.OWNER),
        ({"tried": {"market"}}, Bar.TRIED),
        ({"unreachable": {"market"}}, Bar.UNREACHABLE),
    ],
)
def test_who_may_not_do_a_leaf_is_left_out_with_a_reason(members: dict[str, Any], bar: Bar) -> None:
    found = look("做一份市场分析", **members)
    assert found.proposal.outcome is SearchOutcome.MISS
    assert bar in {each.bar for each in found.excluded if each.bot_id == "market"}
    assert "market" not in {each.profile.id for each in found.candidates}


def test_who_takes_no_work_now_is_left_out() -> None:
    catalog = Catalog((bot("a", "甲", "翻译", availability=Availability(enabled=False)), bot("b", "乙", "翻译")))
    found = search(catalog, Demand("n", TaskSpec(objective="翻译一页"), NOW))
    assert found.proposal.bot_id == "b"
    assert [(each.bot_id, each.bar) for each in found.excluded] == [("a", Bar.UNAVAILABLE)]


def test_a_miss_says_who_could_relay_best_first() -> None:
    assert look("到机房做现场访谈").relays == ("capital", "writer")
    assert look("到机房做现场访谈", background="把材料写成报告").relays == ("writer", "capital")
    assert look("做一份市场分析").relays == ()


def test_only_who_opted_in_and_is_there_is_asked_to_relay() -> None:
    demand = Demand("n", TaskSpec(objective="收尾"), NOW, owner="capital", tried={"writer"})
    assert relays(CATALOG, demand) == ("writer",)
    assert relays(CATALOG, Demand("n", TaskSpec(), NOW, unreachable={"writer", "capital"})) == ()


def test_at_most_ten_are_asked_to_relay() -> None:
    catalog = Catalog(tuple(bot(f"b{n}", "某", relay=True) for n in range(12)))
    assert relays(catalog, Demand("n", TaskSpec(objective="收尾"), NOW)) == tuple(f"b{n}" for n in range(10))


@pytest.mark.parametrize(
    ("objective", "ground", "told"),
    [
        ("做市场分析", Ground.ABILITY, "会需求里说的「市场分析」"),
        ("做市场研判", Ground.ALIKE, "会「市场分析」，和需求里说的意思相同"),
        ("把供需里的需求预估核算一遍", Ground.ALIKE, "会「需求预测」，和需求里说的意思相同"),
        ("对市场容量作分析", Ground.APART, "会「市场分析」，需求里分开说到了"),
        ("先看市场，再看需求，最后分析", Ground.PART, "会「市场分析」，和需求部分相符"),
        ("找个市场分析员", Ground.NAME, "名字「市场分析员」和需求相符"),
        ("这个行业谁在买、要多少货", Ground.PURPOSE, "用途里提到：要多、少货、行业、多少"),
    ],
)
def test_each_candidate_says_why(objective: str, ground: Ground, told: str) -> None:
    market = next(each for each in look(objective).candidates if each.profile.id == "market")
    texts = {each.ground: reason_text(each) for each in market.reasons}
    assert texts[ground].startswith(told)


def test_words_for_people_are_there_in_both_languages() -> None:
    reason = look("做市场分析").candidates[0].reasons[0]
    assert reason_text(reason, "en") == "can do what is asked for: 市场分析"
    assert [bar_text(each, "en") for each in Bar] != [bar_text(each) for each in Bar]


def test_a_long_list_of_abilities_is_no_merit() -> None:
    stuffed = bot("stuffed", "万能", *[f"市场分析{n}" for n in range(20)], "市场", "分析", "行业")
    catalog = Catalog((stuffed, bot("market", "市场分析员", "市场分析")))
    found = search(catalog, Demand("n", TaskSpec(objective="市场分析"), NOW))
    assert found.proposal.bot_id == "market"


def test_candidates_are_few_ranked_and_scored_below_one() -> None:
    catalog = Catalog(tuple(bot(f"b{n:02}", f"译员{n}", "翻译") for n in range(30)))
    found = search(catalog, Demand("n", TaskSpec(objective="翻译"), NOW))
    assert [each.profile.id for each in found.candidates] == [f"b{n:02}" for n in range(10)]
    assert all(0 < each.score < 1 for each in found.candidates)


def test_the_same_question_has_the_same_answer_in_any_order_of_bots() -> None:
    spec = TaskSpec(objective="从市场分析与资本市场双视角评估企业级 SSD，完成报告撰写")
    first = search(CATALOG, Demand("n", spec, NOW))
    for seed in range(5):
        shuffled = random.Random(seed).sample(HOUSE, len(HOUSE))
        again = search(Catalog(tuple(shuffled)), Demand("n", spec, NOW))
        assert {each.profile.id: each.score for each in again.candidates} == {
            each.profile.id: each.score for each in first.candidates
        }
    assert search(CATALOG, Demand("n", spec, NOW)) == first


def test_the_owner_is_asked_about_the_candidates_and_may_decide_otherwise() -> None:
    catalog = offered(look("做一份市场分析报告"))
    assert catalog[0].bot_id == "market"
    assert catalog[0].reasons[0] == "会需求里说的「市场分析」"
    other = read_search("n1", f'{{"outcome": "HIT_SINGLE", "bot_id": "{catalog[1].bot_id}"}}', catalog)
    assert (other.outcome, other.bot_id) == (SearchOutcome.HIT_SINGLE, catalog[1].bot_id)


def test_an_empty_catalog_is_a_miss() -> None:
    found = search(Catalog(), Demand("n", TaskSpec(objective="翻译"), NOW))
    assert (found.proposal.outcome, found.proposal.reason) == (SearchOutcome.MISS, "no_candidates")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("存储行业", ("存储", "储行", "行业")),
        ("存储的行业", ("存储", "行业")),
        ("评估 SSD 选型", ("评估", "ssd", "选型")),
        ("c++ 和 node.js。", ("c++", "node.js")),
        ("一个任务", ()),
        ("a 我", ()),
    ],
)
def test_texts_become_tokens(text: str, found: tuple[str, ...]) -> None:
    assert tokens(folded(text)) == found


@pytest.mark.parametrize(
    ("word", "cut"),
    [
        ("市场分析", ("市场", "分析")),
        ("ssd选型", ("ssd", "选型")),
        ("菜谱推荐员", ("菜谱", "推荐", "员")),
        ("node.js", ("node.js",)),
    ],
)
def test_words_fall_into_pieces(word: str, cut: tuple[str, ...]) -> None:
    assert pieces(word) == cut


def test_texts_fall_into_clauses() -> None:
    assert clauses(folded("先看市场，再用 node.js。最后(分析)")) == ("先看市场", "再用node.js", "最后", "分析")


@pytest.mark.parametrize(
    ("text", "word", "there"),
    [("要过ci门禁", "ci", True), ("acid", "ci", False), ("ci", "ci", True), ("市场分析", "市场", True)],
)
def test_letters_are_found_as_words(text: str, word: str, *, there: bool) -> None:
    assert holds(text, word) is there


def test_words_that_mean_the_same_become_one() -> None:
    assert same_words(folded("市场研判 与 Code Review")) == "市场分析与代码 评审"


def test_words_inside_longer_ones_are_passed_over() -> None:
    assert outermost("先做数据架构设计再做数据", ["数据", "数据架构", "架构设计", "数据架构设计"]) == (
        "数据架构设计",
        "数据",
    )
