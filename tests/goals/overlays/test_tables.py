"""Every row of the tables of taskloop §5, as replies that the contracts accept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from tests.goals.overlays.playing import ARCH, STORAGE, catalog_of, said_of

from zhixing.goals.contracts.extracting import is_bare, json_values
from zhixing.goals.contracts.planning import read_plan
from zhixing.goals.contracts.searching import Candidate, read_search
from zhixing.goals.loop.model import Criterion
from zhixing.goals.loop.values import CollabMode, SearchOutcome
from zhixing.goals.overlays.answering import answer, result
from zhixing.goals.overlays.model import Overlay
from zhixing.goals.overlays.planning import plan
from zhixing.goals.overlays.searching import search

R, T, D = "给出 3 位架构师的姓名", "给出技术栈概览", "给出业务与数据双视角分析"
TECH, DUAL, ARCHITECTS = "N_tech_stack", "N_dual_view", "N_architects"
ROSTER = {"bbs-00000001": {"architects": [{"name": "工程师甲"}]}}
FOUR = ("N_market", "N_tech", "N_compete", "N_customer")


def shown(done: dict[str, Any] | Sequence[str] = (), wanted: Sequence[str] = (), **members: Any) -> dict[str, Any]:
    outputs = done if isinstance(done, dict) else dict.fromkeys(done, "产出")
    return {
        "node_id": "t_case",
        "status": "PLANNING",
        "acceptances": [{"id": f"a{n}", "description": each} for n, each in enumerate(wanted)],
        "done_children": [{"node_id": name, "output": output} for name, output in outputs.items()],
        "gaps": [],
        **members,
    }


@pytest.mark.parametrize(
    ("done", "children", "has_gap"),
    [
        ([], ["N_overview"], True),
        (["N_overview"], [*FOUR, "N_field_interview"], True),
        (["N_overview", *FOUR], ["N_practice_bbs", "N_report"], True),
        (["bbs-00000001", *reversed(FOUR), "N_overview"], ["N_practice_bbs", "N_report"], True),
        (["N_overview", *FOUR, "N_practice_bbs"], ["N_report"], True),
        (["N_overview", *FOUR, "N_report"], ["N_practice_bbs"], True),
        (["N_overview", "N_market"], ["N_tech", "N_compete", "N_customer", "N_field_interview"], True),
        (["N_overview", *FOUR, "N_practice_bbs", "N_report"], [], False),
    ],
)
def test_storage_plans_by_what_is_done(done: list[str], children: list[str], has_gap: bool) -> None:  # noqa: FBT001
    """L-2.13."""
    found, gap, _ = said_of(plan(STORAGE, "t_case", shown(done)))
    assert (found, gap) == (children, has_gap)


@pytest.mark.parametrize(
    ("wanted", "done", "reply"),
    [
        ([R], {}, ([ARCHITECTS], True, "")),
        ([R], ROSTER, ([], False, "done")),
        ([R], {ARCHITECTS: "三位"}, ([], False, "done")),
        ([R], {"bbs-00000001": "别的"}, ([], True, "缺架构师名册")),
        ([R], {"bbs-00000001": {"architects": []}}, ([], True, "缺架构师名册")),
        ([R], {"bbs-00000001": '{"architects": [{"name": "工程师甲"}]}'}, ([], False, "done")),
        ([R], {"bbs-00000001": '{"architects": [{"name": "工程…'}, ([], False, "done")),
        ([R], {"bbs-00000001": "还缺 architects"}, ([], True, "缺架构师名册")),
        ([T, R], {}, ([TECH, ARCHITECTS], True, "")),
        ([R, T], {TECH: "分层", **ROSTER}, ([], False, "done")),
        ([T, R], {TECH: "分层"}, ([], True, "缺架构师名册")),
        ([T, R], ROSTER, ([], True, "缺技术栈概览")),
        ([T, D, R], {}, ([TECH, DUAL, ARCHITECTS], True, "")),
        ([T, D, R], {TECH: "分层", DUAL: "两面", **ROSTER}, ([], False, "done")),
        ([T, D, R], {TECH: "分层"}, ([], True, "缺双视角分析、架构师名册")),
        ([f"{T};{D};{R}"], {DUAL: "两面", **ROSTER}, ([], True, "缺技术栈概览")),
        ([T], {}, ([], True, "剧本里没有这种情形")),
        ([], {}, ([], True, "剧本里没有这种情形")),
    ],
)
def test_arch_plans_by_what_the_root_wants_and_what_outputs_hold(
    wanted: list[str], done: dict[str, Any], reply: tuple[list[str], bool, str]
) -> None:
    """L-7.2, L-7.3, L-7.4, L-7.5, L-7.8, L-7.10."""
    assert said_of(plan(ARCH, "g", shown(done, wanted))) == reply


@pytest.mark.parametrize(("overlay", "leaf"), [(ARCH, TECH), (ARCH, DUAL), (STORAGE, "N_compete"), (ARCH, "other")])
def test_a_leaf_that_failed_gets_one_remedy_with_its_gaps_and_closes_with_it(overlay: Overlay, leaf: str) -> None:
    """L-7.9."""
    reply = plan(overlay, leaf, shown(status="FAILED", gaps=["缺网络层", "缺例子"]))
    assert reply is not None
    (child,) = read_plan(leaf, reply).children
    assert child.id == f"{leaf}_remediate"
    assert "缺网络层；缺例子" in child.spec.instruction
    assert child.spec.acceptances == (Criterion("ac_remediate", "补齐：缺网络层；缺例子"),)
    after = shown([child.id], gaps=["缺网络层", "缺例子"])
    assert said_of(plan(overlay, leaf, after)) == ([], False, "done")


@pytest.mark.parametrize(("overlay", "target"), [(STORAGE, "N_field_interview"), (ARCH, f"{TECH}_remediate")])
def test_a_leaf_that_nobody_does_is_not_split_and_never_closed(overlay: Overlay, target: str) -> None:
    assert said_of(plan(overlay, target, shown())) == ([], True, "剧本里没有这种情形")


def test_the_tasks_of_arch_are_those_of_the_document() -> None:
    assert ARCH.planning is not None
    spec = ARCH.planning.tasks[TECH]
    assert spec.instruction == (
        "给出某某某公司基础架构方向的技术栈概览:列出计算/存储/网络等分层与每层核心组件,简要说明。基于自身知识即可,不联网。"
    )
    assert [each.acceptances[0].id for each in ARCH.planning.tasks.values()] == ["ac_tech", "ac_dual", "ac_arch"]


SINGLE = [
    (STORAGE, "N_overview", "行业信息抓取Bot"),
    (STORAGE, "N_compete", "存储行业供应链专家"),
    (STORAGE, "N_practice_bbs", "实践bbs专家Bot"),
    (STORAGE, "N_report", "报告聚合Bot"),
    (STORAGE, "N_compete_remediate", "存储行业供应链专家"),
    (STORAGE, "N_market_remediate", "市场需求分析Bot"),
    (ARCH, TECH, "技术栈概览Bot"),
    (ARCH, f"{TECH}_remediate", "技术栈概览Bot"),
    (ARCH, f"{DUAL}_remediate_remediate", "业务架构视角Bot"),
]
GROUPS = [
    (STORAGE, "N_market", "存储行业市场发展趋势研究群", ["市场需求分析Bot", "资本市场投资Bot"]),
    (STORAGE, "N_tech", "存储技术发展总结和预测", ["数据中心存储架构师", "企业级SSD专家"]),
    (STORAGE, "N_customer", "存储行业客户分析群", ["ToG方案专家", "ToB方案专家", "采购决策专家"]),
    (ARCH, DUAL, "业务与数据架构双视角分析群", ["业务架构视角Bot", "数据架构视角Bot"]),
]
NOBODY = "候选 bot 均无法覆盖子任务需求"
MISSES = [
    (STORAGE, "N_field_interview", f"{NOBODY}(现场访谈无对应专家 bot)"),
    (STORAGE, "N_field_interview_remediate", f"{NOBODY}(现场访谈无对应专家 bot)"),
    (STORAGE, TECH, NOBODY),
    (STORAGE, "_remediate", NOBODY),
    (ARCH, ARCHITECTS, f"{NOBODY}(架构师名册无对应现成 bot,走 BBS 中继)"),
    (ARCH, "N_market", NOBODY),
]


def searched(overlay: Overlay, node_id: str, catalog: Sequence[Candidate]) -> Any:
    reply = search(overlay, node_id, catalog)
    assert reply is not None
    return read_search(node_id, reply, catalog)


@pytest.mark.parametrize(("overlay", "node_id", "bot"), SINGLE)
def test_one_bot_is_found_by_its_name(overlay: Overlay, node_id: str, bot: str) -> None:
    """L-3.9, L-3.10, L-3.11."""
    catalog = catalog_of(overlay)
    found = searched(overlay, node_id, catalog)
    ids = {each.bot_id: each.bot_name for each in catalog}
    assert (found.outcome, ids[found.bot_id]) == (SearchOutcome.HIT_SINGLE, bot)


@pytest.mark.parametrize(("overlay", "node_id", "group", "bots"), GROUPS)
def test_a_group_is_formed_with_its_manager(overlay: Overlay, node_id: str, group: str, bots: list[str]) -> None:
    catalog = catalog_of(overlay)
    found = searched(overlay, node_id, catalog)
    ids = {each.bot_id: each.bot_name for each in catalog}
    assert found.outcome is SearchOutcome.HIT_MULTI_BOTS
    assert [ids[each] for each in found.formation.bot_ids] == bots
    assert (found.formation.group_name, ids[found.formation.manager_bot_id]) == (group, bots[0])
    assert found.formation.collab_mode is CollabMode.MANAGER_WORKER
    assert all(each.role and each.responsibility for each in found.formation.members)


@pytest.mark.parametrize(("overlay", "node_id", "reason"), MISSES)
def test_nobody_is_found_for_what_the_table_gives_to_nobody(overlay: Overlay, node_id: str, reason: str) -> None:
    found = searched(overlay, node_id, catalog_of(overlay))
    assert (found.outcome, found.reason) == (SearchOutcome.MISS, reason)


@pytest.mark.parametrize(("overlay", "node_id", "bot"), [*SINGLE, (ARCH, DUAL, "数据架构视角Bot")])
def test_a_bot_that_is_missing_or_there_twice_is_not_replaced(overlay: Overlay, node_id: str, bot: str) -> None:
    catalog = catalog_of(overlay)
    without = tuple(each for each in catalog if each.bot_name != bot)
    for given in (without, (*catalog, Candidate("again", bot))):
        assert searched(overlay, node_id, given).reason == NOBODY


def test_no_executor_of_arch_is_called_an_architect() -> None:
    assert not [each for each in catalog_of(ARCH) if "架构师" in each.bot_name]


@pytest.mark.parametrize(
    ("asked", "direction"),
    [
        ("整理某某某公司基础架构方向的 3 位架构师", "基础架构"),
        ("某某某公司的中间件架构方向有哪些架构师", "中间件架构"),
        ("某某某公司数据架构谁负责", "数据架构"),
        ("某某某公司", "技术架构"),
    ],
)
def test_the_roster_is_one_block_in_which_only_the_direction_varies(asked: str, direction: str) -> None:
    """L-6.2."""
    said = answer(ARCH, asked)
    assert said is not None
    assert said.startswith("```json\n")
    (roster,) = json_values(said)
    assert is_bare(said, roster)
    assert list(roster) == ["domain", "architects", "note"]
    assert roster["domain"] == direction
    assert [each["name"] for each in roster["architects"]] == ["工程师甲", "工程师乙", "工程师丙"]
    assert [each["role"] for each in roster["architects"]] == [
        f"{direction}首席架构师",
        f"{direction}高级架构师",
        f"{direction}技术负责人",
    ]
    assert roster["architects"][0]["responsibility"] == f"mock:负责某某某公司{direction}的整体技术架构与演进规划"


def test_there_is_no_answer_without_the_signal_or_in_a_scenario_without_one() -> None:
    """L-6.1."""
    assert answer(ARCH, "整理基础架构方向的架构师") is None
    assert answer(STORAGE, "案例 gwqie46v7hzr1w6h") is None
    assert result(ARCH, ARCHITECTS) is None
