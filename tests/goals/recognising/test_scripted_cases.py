"""The cases that take a model, with the reply that a model which reads well would give: they end as the case says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.goals.recognising.comparing import differences
from tests.goals.recognising.replying import reply, task

from zhixing.goals.recognising.batch import to_wire
from zhixing.goals.recognising.model import Message, NeedsModel, Role
from zhixing.goals.recognising.modelling import SHAPE, complaint, read_by_model
from zhixing.goals.recognising.recognising import recognise

LINES = (Path(__file__).parent / "cases" / "recognise.jsonl").read_text(encoding="utf-8").splitlines()
CASES = {each["id"]: each for each in map(json.loads, LINES)}
SIGNED, DATED = ["主管确认", "评审通过"], ["本周内", "月底前"]
REPLIES: dict[str, dict[str, Any]] = {
    "cue-7": reply(
        task(
            "产出一份云厂商对比表",
            said={
                "deliverables": ["云厂商对比表（Excel）"],
                "acceptance_criteria": ["架构组评审通过"],
                "constraints": ["周五前完成", "只看国内厂商"],
            },
        )
    ),
    "mod-1": reply(
        task(
            "调研一下三家国内云厂商", deliverables=["调研报告", "对比表"], acceptance_criteria=SIGNED, constraints=DATED
        )
    ),
    "mod-2": reply(
        task("组织下周三的新人培训", deliverables=["培训材料"], acceptance_criteria=["全员签到", "问卷 4 分"])
    ),
    "mod-5": reply(
        task("统计上个季度各渠道的获客成本", deliverables=["统计表"], acceptance_criteria=SIGNED, constraints=DATED)
    ),
    "mod-6": reply(
        task("旧脚本从 Python 2 迁到 Python 3", deliverables=["代码 PR"], acceptance_criteria=SIGNED, constraints=DATED)
    ),
    "mod-7": reply(task("把上周用户访谈的录音整理出来", acceptance_criteria=SIGNED, constraints=DATED)),
    "mod-8": reply(
        task("设计一套会员积分规则", deliverables=["规则文档"], acceptance_criteria=SIGNED, constraints=DATED)
    ),
    "mod-11": reply(task("准备给投资人看的融资材料", acceptance_criteria=SIGNED, constraints=DATED)),
    "mod-12": reply(
        task(
            "翻译产品手册成英文", said={"acceptance_criteria": ["术语要统一"]}, deliverables=["译稿"], constraints=DATED
        )
    ),
    "mod-14": reply(task("用 Go 重写日志采集模块", deliverables=["代码 PR"], acceptance_criteria=SIGNED)),
    "vague-object": reply(task()),
    "multi2-en": reply(task("fix the login button layout"), task("generate this month's report")),
    "ind-shunbian-1": reply(task("修复登录接口超时"), task("订一下周五团建的餐厅")),
    "ind-tongshi-1": reply(task("整理竞品功能清单"), task("把打印机的墨盒换了")),
    "ind-yiqi-1": reply(task("翻译产品手册"), task("会议室预订系统的故障也一起处理了")),
    "ind-shundai-1": reply(task("升级测试环境数据库"), task("给新来的同事办入职")),
    "single-repeat": reply(task("修复登录页按钮错位")),
    "ans-new-intent": reply(task(said={"acceptance_criteria": [], "constraints": ["不动接口逻辑"]})),
    "en-fix-full": reply(
        task(
            "fix the naming in PR #1243",
            said={"acceptance_criteria": ["CI must pass"], "constraints": ["don't touch the API"]},
            deliverables=["PR"],
        )
    ),
}


def asked(case: dict[str, Any]) -> NeedsModel | None:
    found = recognise([Message(Role(each["role"]), each["text"]) for each in case["messages"]], case["context"])
    return found if isinstance(found, NeedsModel) else None


def test_every_case_that_takes_a_model_has_a_reply() -> None:
    assert {name for name, case in CASES.items() if asked(case)} == set(REPLIES)


@pytest.mark.parametrize("name", REPLIES)
def test_a_right_reply_leads_to_what_the_case_says(name: str) -> None:
    case, value = CASES[name], REPLIES[name]
    question = asked(case)
    assert question is not None
    assert not SHAPE.mismatch(value)
    assert complaint(value, question) == ""
    ours = to_wire(read_by_model(value, question), name)
    first = differences(case["expected"], ours)
    assert not first or any(not differences(each, ours) for each in case.get("accept", [])), first
