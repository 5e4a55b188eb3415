"""What a run may do, and when it is over."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.documents.agent.playing import declare, order_in, with_body

from zhixing.documents.agent.deciding import (
    Ask,
    Ended,
    Finished,
    asks_to_send,
    is_meta,
    letters,
    names_session,
    next_step,
    powers_of,
    taken,
)
from zhixing.documents.agent.model import BUDGET, MOST_LETTERS, Arguments, Tool, Turn, TurnState
from zhixing.documents.model import Declared
from zhixing.documents.performing import Letter
from zhixing.world.models.usage import Tokens

TEMPLATE = """# 输出要求

- 最后一条 assistant 返回直接作为最终结果，不要附带冗长日志。
- 不要使用“我来为你…… / 首先让我…… / 已发送……”这类元话术。
- 默认不要再次调用 `city chat send`。

# 注意事项

- 仅在明确需要跨会话或额外通知时，才调用 `city chat send`。
"""


@pytest.mark.parametrize(
    "body",
    [
        "完成后用 city chat send --chat-key ops-1 发一份",
        "结果抄送 ops-1",
        "如果有异常，抄送给会话 ops-1",
        "另外通知 tg-9：构建失败",
        "并且发到运维会话 ops-1",
        "把结果转发给群 family",
        "额外通知会话 ops-1。",
        "不要写过程。另外通知 tg-9",
        "请同步一份到 session ops-1",
    ],
)
def test_a_body_that_asks_for_other_messages_may_send(body: str) -> None:
    assert asks_to_send(body)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "写一份日报",
        TEMPLATE,
        "默认不要再次调用 `city chat send`",
        "禁止抄送",
        "无需另外通知任何人",
        "只有在“跨会话发送”“额外抄送”这类场景下，才显式要求 city chat send",
        "do not use city chat send",
        "统计昨天发送到各个渠道的邮件数量",
        "结果用表格返回",
    ],
)
def test_a_body_that_does_not_may_not(body: str) -> None:
    assert not asks_to_send(body)


@pytest.mark.parametrize(
    ("body", "session", "named"),
    [
        ("抄送 ops-1", "ops-1", True),
        ("抄送到会话ops-1。", "ops-1", True),
        ("抄送 ops-12", "ops-1", False),
        ("抄送 my-ops-1", "ops-1", False),
        ("抄送", "ops-1", False),
        ("抄送 a.c", "abc", False),
        ("抄送 ops-1", "", False),
    ],
)
def test_only_a_chat_that_the_body_names_can_be_sent_to(body: str, session: str, named: bool) -> None:  # noqa: FBT001
    assert names_session(body, session) is named


def test_the_allow_list_is_of_the_order_alone(tmp_path: Path) -> None:
    order = declare(order_in(tmp_path), Declared("docs"), Declared("out", writable=True))
    powers = powers_of(order)
    assert Tool.FETCH in powers.tools
    assert Tool.SEND not in powers.tools
    assert (powers.readable, powers.writable) == (("docs", "out"), ("out",))
    assert Tool.FETCH not in powers_of(replace(order, network=False)).tools
    assert Tool.SEND in powers_of(with_body(order, "抄送 ops-1")).tools


def called(tool: Tool, number: int = 1, state: TurnState = TurnState.CALLED, **arguments: object) -> Turn:
    return Turn(number, tool, state, arguments=Arguments(**arguments))  # type: ignore[arg-type]


def test_a_tool_that_is_not_allowed_is_refused_and_one_that_is_goes_on(tmp_path: Path) -> None:
    order = replace(order_in(tmp_path), network=False)
    powers = powers_of(order)
    assert taken(order, powers, [], called(Tool.FETCH, url="https://a.cn")).state is TurnState.REFUSED
    assert taken(order, powers, [], called(Tool.SEND, session="tg-1", text="x")).state is TurnState.REFUSED
    assert taken(order, powers, [], called(Tool.SHELL, command="ls")).state is TurnState.CALLED
    assert taken(order, powers, [], called(Tool.LIST_FILES)).state is TurnState.CALLED


@pytest.mark.parametrize("tool", [Tool.READ_FILE, Tool.WRITE_FILE, Tool.SHELL, Tool.FETCH])
def test_a_tool_without_what_it_needs_is_not_worked(tmp_path: Path, tool: Tool) -> None:
    order = order_in(tmp_path)
    turn = taken(order, powers_of(order), [], called(tool))
    assert (turn.state, turn.result != "") == (TurnState.FAILED, True)


def test_messages_are_noted_within_bounds_and_none_twice(tmp_path: Path) -> None:
    order = with_body(order_in(tmp_path), "每条结果抄送 ops-1")
    powers = powers_of(order)
    turns: list[Turn] = []
    for number in range(MOST_LETTERS + 2):
        turns.append(taken(order, powers, turns, called(Tool.SEND, session="ops-1", text=f"第 {number} 条")))
    assert letters(turns) == tuple(Letter("ops-1", f"第 {number} 条") for number in range(MOST_LETTERS))
    again = taken(order, powers, turns[:1], called(Tool.SEND, session="ops-1", text="第 0 条"))
    assert again.state is TurnState.FAILED
    stranger = taken(order, powers, [], called(Tool.SEND, session="evil-7", text="x"))
    assert stranger.state is TurnState.REFUSED
    long = taken(order, powers, [], called(Tool.SEND, session="ops-1", text="长" * 4_001))
    assert long.state is TurnState.FAILED


@pytest.mark.parametrize("text", ["", "  \n\t", "\u200b\u200b", "\u00a0"])
def test_a_blank_final_text_is_refused(tmp_path: Path, text: str) -> None:
    order = order_in(tmp_path)
    assert taken(order, powers_of(order), [], called(Tool.FINISH, text=text)).state is not TurnState.DONE


@pytest.mark.parametrize(
    "text",
    [
        "任务已完成。",
        "已完成",
        "已发送给用户。",
        "结果已写入 output.md",
        "好的，我来为你生成今天的晨读",
        "首先让我看看",
        "任务已经成功完成！✅",
        "我已按要求完成任务",
        "Done.",
        "Task completed successfully.",
        "报告已生成，内容见 report.md",
    ],
)
def test_a_text_that_only_tells_how_it_stands_is_no_product(text: str) -> None:
    assert is_meta(text, "写一份晨读")


@pytest.mark.parametrize(
    "text",
    [
        "OK",
        "好的",
        "无异常。",
        "今天的晨读：……",
        "任务已完成。\n- 修了三个测试\n- 发了一版",
        "今天共发送 12 封邮件",
        "我来自北京，今年三十岁",
        "网站正常",
        "没有做成：缺少 data.csv",
        "3",
        "任务已完成" * 40,
    ],
)
def test_a_product_may_be_short(text: str) -> None:
    assert not is_meta(text, "写一份晨读")


def test_what_the_body_asks_to_say_is_a_product() -> None:
    assert not is_meta("已完成。", "一切正常时只回复“已完成”")


def test_it_asks_until_there_is_a_final_text() -> None:
    assert next_step([], used=Tokens(), left=10) == Ask()
    assert next_step([called(Tool.SHELL, state=TurnState.FAILED)], used=Tokens(), left=10) == Ask()
    done = called(Tool.FINISH, state=TurnState.DONE, text="成品")
    # What is finished is finished, also in the last second.
    assert next_step([done], used=Tokens(10**9), left=-1) == Finished("成品")


@pytest.mark.parametrize(
    ("turns", "used", "left", "why"),
    [
        ([], Tokens(), 0, "out_of_time"),
        ([], Tokens(150_000, 50_000), 10, "out_of_tokens"),
        ([called(Tool.SHELL, state=TurnState.DONE)] * BUDGET.steps, Tokens(), 10, "out_of_steps"),
        ([called(Tool.SEND, state=TurnState.REFUSED)] * BUDGET.refusals, Tokens(), 10, "overreached"),
        ([called(Tool.FINISH, state=TurnState.REFUSED)] * BUDGET.refusals, Tokens(), 10, "final_unusable"),
    ],
)
def test_every_budget_ends_a_run(turns: list[Turn], used: Tokens, left: float, why: str) -> None:
    assert next_step(turns, used=used, left=left) == Ended(why)
