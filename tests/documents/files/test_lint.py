"""Remarks about bodies: each rule of the document speaks where it should, and is silent where it should be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.documents.lint import MOST_FINDINGS, lint
from zhixing.documents.model import Kind
from zhixing.documents.templates import AgentBody, template, write_body

GOOD = write_body(
    AgentBody(
        goal="产出一份 5 条以内的行业要闻清单。",
        inputs=("来源：公开新闻网站；范围：近 24 小时。",),
        steps=("检索近 24 小时的新闻。", "挑出 5 条，各写一句话。"),
        output=("Markdown 列表，每条不超过 60 字。",),
    )
)
SCRIPT = """#!/usr/bin/env bash
# 任务目标：统计磁盘用量
# 输入依赖：df
# 失败条件：df 失败时 exit 1

set -euo pipefail

df -h | awk 'NR > 1 {print $1, $5}'
"""


def codes(kind: Kind, body: str) -> list[tuple[int, str]]:
    return [(finding.line, finding.code) for finding in lint(kind, body, first_line=1)]


def of_agent(line: str) -> list[str]:
    """Return the codes for one step more in a body that is fine."""
    return [code for _, code in codes(Kind.AGENT, GOOD.replace("1. 检索", f"- {line}\n1. 检索"))]


def of_script(line: str) -> list[tuple[int, str]]:
    return codes(Kind.SCRIPT, SCRIPT + line + "\n")


def test_bodies_that_follow_the_document_get_no_remark() -> None:
    assert codes(Kind.AGENT, GOOD) == []
    assert codes(Kind.SCRIPT, SCRIPT) == []


def test_of_the_documents_templates_only_the_places_to_fill_in_are_remarked_upon() -> None:
    assert codes(Kind.AGENT, template(Kind.AGENT)) == [(7, "placeholder")]
    assert codes(Kind.SCRIPT, template(Kind.SCRIPT)) == [(1, "placeholder"), (2, "placeholder"), (3, "placeholder")]


def test_lines_are_those_of_the_file() -> None:
    found = lint(Kind.AGENT, template(Kind.AGENT), first_line=12)
    assert [finding.line for finding in found] == [18]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("我来为你整理新闻", "chat_opening"),
        ("首先让我看一遍", "chat_opening"),
        ("我先检查一下来源", "chat_opening"),
        ("我看到已经有一个同名任务", "chat_opening"),
        ("好的，马上整理", "chat_opening"),
        ("I'll collect the news", "chat_opening"),
        ("如果任务已存在则更新，否则创建", "management_step"),
        ("先检查有没有同名任务", "management_step"),
        ("先 list 再 run", "management_step"),
        ("完成后告诉用户任务已启动", "management_step"),
        ("再创建任务", "management_step"),
        ("然后触发任务。", "management_step"),
        ("运行 `city task run 晨报`", "management_step"),
        ("任务状态总结", "status_report"),
        ("当前任务配置如下", "status_report"),
        ("已发送", "status_report"),
        ("按上面说的做", "dangling_reference"),
        ("继续刚才那个", "dangling_reference"),
        ("把这个发出去", "dangling_reference"),
        ("格式同上", "dangling_reference"),
        ("as discussed above", "dangling_reference"),
        ("去搜集一些资料", "action_without_product"),
        ("生成一个内容看看", "action_without_product"),
        ("做完后反馈结果", "action_without_product"),
        ("适当精简", "weak_word"),
        ("尽量不要太长", "weak_word"),
        ("看情况补充", "weak_word"),
        ("开头写明 sessionId", "meta_information"),
        ("末尾附上执行时间", "meta_information"),
        ("用 `city chat send` 发给用户", "sends_itself"),
        ("分别让用户确认：我来为你整理", "chat_opening"),
        ("待补充", "placeholder"),
    ],
)
def test_what_the_document_forbids_is_remarked_upon(line: str, code: str) -> None:
    assert of_agent(line) == [code]


@pytest.mark.parametrize(
    "line",
    [
        "不要使用“我来为你……”这类话术",
        "开头不写“好的，”",
        "不要先检查有没有同名任务",
        "禁止输出任务状态总结",
        "不要复述 sessionId 和执行时间",
        "默认不要再次调用 `city chat send`",
        "另外用 `city chat send` 抄送到会话 tg-1（跨会话）",
        "避免使用“尽量”“适当”等词",
        "删去不适当的评论",
        "读取项目里的任务看板，列出未完成的条目",
        "根据上面两步的结果写清单",
        "输出里写明数据的更新时间",
        "已发送的邮件不再统计",
    ],
)
def test_what_only_looks_like_it_is_left_alone(line: str) -> None:
    assert of_agent(line) == []


def test_samples_between_fences_are_nobodys_words() -> None:
    body = GOOD + "\n```md\n# 输出\n我来为你\n尽量\n~~~\n```\n"
    assert codes(Kind.AGENT, body) == []
    assert codes(Kind.AGENT, body + "尽量短\n")[0][1] == "weak_word"


def test_missing_and_empty_sections_are_named() -> None:
    (first, *_) = lint(Kind.AGENT, "# 任务目标\n\n产出一份清单\n", first_line=5)
    assert (first.line, first.code) == (5, "sections_missing")
    assert "背景与输入、执行步骤、输出要求" in first.text()
    assert "background and inputs, steps, output requirements" in first.text("en")
    empty = GOOD.replace("- 来源：公开新闻网站；范围：近 24 小时。\n", "")
    assert codes(Kind.AGENT, empty) == [(5, "section_empty")]
    assert codes(Kind.AGENT, " \n") == [(1, "body_empty")]


@pytest.mark.parametrize(
    "headings",
    [
        ("## 一、目标", "## 二、背景", "## 三、步骤", "## 四、交付物"),
        ("# Goal", "# Inputs", "# Steps", "# Output"),
        ("**任务目标**", "**输入：**", "**执行流程**：", "**输出要求**"),
    ],
)
def test_headings_may_be_worded_otherwise(headings: tuple[str, ...]) -> None:
    body = GOOD
    for old, new in zip(("# 任务目标", "# 背景与输入", "# 执行步骤", "# 输出要求"), headings, strict=True):
        body = body.replace(old, new)
    assert codes(Kind.AGENT, body) == []


def test_a_heading_inside_a_section_belongs_to_it() -> None:
    assert codes(Kind.AGENT, GOOD.replace("- 检索", "### 第一步\n- 检索").replace("1. 检索", "### 检索\n1. 检索")) == []


@pytest.mark.parametrize("goal", ["看一下", "研究一下。", "处理一下邮件", "帮我看看新闻", "请检查一下"])
def test_a_goal_without_a_product_is_vague(goal: str) -> None:
    body = GOOD.replace("产出一份 5 条以内的行业要闻清单。", goal)
    assert codes(Kind.AGENT, body) == [(3, "goal_vague")]


@pytest.mark.parametrize("goal", ["看一下昨天的销售数据，产出一张对比表", "检查三台服务器的磁盘并列出超过 80% 的分区"])
def test_a_goal_with_a_product_is_not(goal: str) -> None:
    assert codes(Kind.AGENT, GOOD.replace("产出一份 5 条以内的行业要闻清单。", goal)) == []


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("- 返回结果", ["output_without_shape", "output_without_limits"]),
        ("- Markdown 表格", ["output_without_limits"]),
        ("- 不要解释", ["output_without_shape"]),
        ("- 三条，每条一句，不要解释", []),
        ("不要解释，照这个样子：\n```\n| a |\n```", []),
    ],
)
def test_the_output_section_says_what_comes_and_what_does_not(output: str, expected: list[str]) -> None:
    body = GOOD[: GOOD.index("# 输出要求")] + f"# 输出要求\n\n{output}\n"
    assert [code for _, code in codes(Kind.AGENT, body)] == [*expected, "output_without_product"]


@pytest.mark.parametrize(
    "said", ["最后一条 assistant 返回就是成品", "最终回答直接发给用户", "the last message is the product"]
)
def test_a_body_says_that_its_last_answer_is_the_product(said: str) -> None:
    """D-9.6."""
    body = GOOD[: GOOD.index("# 输出要求")] + f"# 输出要求\n\n- 三条，每条一句，不要解释\n- {said}\n"
    assert codes(Kind.AGENT, body) == []


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("请运行以下命令：", "script_prose"),
        ("1. 准备输入", "script_prose"),
        ("- 打印结果", "script_prose"),
        ("This script will print the report.", "script_prose"),
        ("```bash", "script_prose"),
        ("sudo rm -rf /tmp/x", "script_sudo"),
        ("if true; then sudo ls; fi", "script_sudo"),
        ("sleep 5 &", "script_background"),
        ("read -r name", "script_reads"),
        ("if read name; then :; fi", "script_reads"),
        ("while read -r line; do echo $line; done", "script_reads"),
        ("# 待补充", "placeholder"),
    ],
)
def test_what_cannot_work_in_a_script_is_remarked_upon(line: str, code: str) -> None:
    assert of_script(line) == [(9, code)]


@pytest.mark.parametrize(
    "lines",
    [
        "echo 今日完成 3 项",
        'echo "第一行\n请看第二行\nsudo 第三行"',
        "echo 'it''s' '\n请看'",
        'echo "a\\"\n请看"',
        "cat <<EOF\n请看以下内容\nsudo\nEOF",
        "cat <<-'结束' <<-EOF\n\t请看\n\tEOF",
        "生成日报() {\n  echo a\n}\n生成日报",
        "function 汇总 {\n  echo a\n}\n汇总 1",
        "names=(\n  张三\n  李四\n)",
        "case $x in\n  今日) echo a ;;\nesac",
        "printf '%s\\n' \\\n  中文参数",
        "echo a && echo b",
        "echo a 2>&1",
        "sleep 1 &\nwait",
        "while read -r line; do\n  echo $line\ndone < in.txt",
        "ls | while read -r line; do echo $line; done",
        "read -r first < in.txt",
        "echo 1 | read -r one",
        "echo $((1 << 2))\n# 请看注释",
        "echo a # 请看 sudo",
        "echo ${#names[@]} a#b",
        "grep sudo log.txt",
    ],
)
def test_what_only_looks_like_it_in_a_script_is_left_alone(lines: str) -> None:
    assert of_script(lines) == []


def test_the_head_of_a_script_says_what_why_and_when_it_fails() -> None:
    (found,) = lint(Kind.SCRIPT, SCRIPT.replace("# 输入依赖：df\n", ""), first_line=1)
    assert (found.code, "输入依赖" in found.text()) == ("script_comments", True)
    late = SCRIPT.replace("# 失败条件：df 失败时 exit 1\n", "") + "# 失败时 exit 1\n"
    assert codes(Kind.SCRIPT, late) == [(1, "script_comments")]


@pytest.mark.parametrize(
    "line", ["set -euo pipefail", "set -eu\nset -o pipefail", "set -o errexit -o nounset -o pipefail"]
)
def test_a_script_stops_at_the_first_failure(line: str) -> None:
    assert codes(Kind.SCRIPT, SCRIPT.replace("set -euo pipefail", line)) == []


@pytest.mark.parametrize("line", ["set -e", "set -eo pipefail", "# set -euo pipefail", "echo 'set -euo pipefail'"])
def test_a_script_that_goes_on_after_a_failure_is_remarked_upon(line: str) -> None:
    assert "script_set" in [code for _, code in codes(Kind.SCRIPT, SCRIPT.replace("set -euo pipefail", line))]


def test_windows_line_ends_are_said_once_and_confuse_nothing() -> None:
    assert codes(Kind.SCRIPT, SCRIPT.replace("\n", "\r\n")) == [(1, "script_crlf")]
    assert codes(Kind.AGENT, GOOD.replace("\n", "\r\n")) == []


def test_there_is_an_end_to_remarks() -> None:
    assert len(lint(Kind.AGENT, "尽量\n" * 1_000, first_line=1)) == MOST_FINDINGS


@given(
    st.sampled_from(Kind),
    st.lists(
        st.sampled_from(
            [
                "# 目标\n",
                "```\n",
                "我来为你",
                "\n",
                "<<EOF\n",
                "EOF\n",
                '"',
                "'",
                "\\",
                "(",
                ")",
                "=(",
                "# ",
                "set ",
                "{x}",
                "&",
            ]
        )
        | st.text(max_size=20),
        max_size=40,
    ).map("".join),
)
def test_every_body_can_be_looked_at_and_every_remark_said(kind: Kind, body: str) -> None:
    lines = body.count("\n") + 1
    for finding in lint(kind, body, first_line=1):
        assert 1 <= finding.line <= lines
        assert finding.text("zh") != finding.text("en")
