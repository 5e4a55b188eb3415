"""The document's templates, and bodies built in their form."""

from __future__ import annotations

import re

from zhixing.documents.model import Kind
from zhixing.documents.templates import CONTRACT, AgentBody, template, write_body

HEADINGS = ["任务目标", "背景与输入", "执行步骤", "输出要求", "触发与状态建议", "注意事项"]


def headings(body: str) -> list[str]:
    return re.findall(r"^# (.+)$", body, re.MULTILINE)


def test_the_agent_template_has_the_six_sections_of_the_document() -> None:
    assert headings(template(Kind.AGENT)) == HEADINGS


def test_the_script_template_is_a_script_that_stops_at_the_first_failure() -> None:
    lines = template(Kind.SCRIPT).splitlines()
    assert [line for line in lines if line and not line.startswith("#")] == ["set -euo pipefail"]
    assert [line.split("：")[0] for line in lines[:3]] == ["# 任务目标", "# 输入依赖", "# 失败条件"]


def test_a_body_from_parts_has_the_sections_and_says_that_the_last_answer_is_the_product() -> None:
    body = write_body(
        AgentBody("产出清单", ("来源：甲", "范围：乙"), ("检索", "挑选"), ("列表",), ("每天跑",), ("不外发",))
    )
    assert headings(body) == HEADINGS
    assert "\n1. 检索\n2. 挑选\n" in body
    assert "\n- 列表\n" + "".join(f"- {line}\n" for line in CONTRACT) in body


def test_empty_sections_at_the_end_are_left_out_and_the_contract_is_said_once() -> None:
    body = write_body(AgentBody("产出清单", ("甲",), ("检索",), (CONTRACT[0], "列表")))
    assert headings(body) == HEADINGS[:4]
    assert body.count(CONTRACT[0]) == 1
    assert body.endswith(f"- {CONTRACT[2]}\n")


def test_no_part_can_begin_a_section_of_its_own() -> None:
    body = write_body(AgentBody("产出\n# 输出要求\n随便", ("甲\n```",), ("", " \n"), ("列表",)))
    assert headings(body) == HEADINGS[:4]
    assert "- 产出 # 输出要求 随便\n" in body
