"""External agents: a command gets the body and says the result."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from tests.documents.agent.playing import (
    BODY,
    LocalSandbox,
    Noted,
    ScriptedSandbox,
    finished,
    order_in,
    verdict,
    with_body,
)

from zhixing.documents.agent.commanding import CommandPerformer
from zhixing.documents.performing import Execution, Order, Outcome, Verdict
from zhixing.kernel.clock import ManualClock
from zhixing.world.models.port import Model
from zhixing.world.models.scripted import ScriptedModel
from zhixing.world.sandbox.port import Ended, Sandbox


@pytest.fixture
def order(tmp_path: Path) -> Order:
    return replace(order_in(tmp_path), agent_command="cat")


def run(order: Order, clock: ManualClock, sandbox: Sandbox | None = None, model: Model | None = None) -> Outcome:
    return CommandPerformer(sandbox or LocalSandbox(), clock, model).perform(order, Noted(), threading.Event())


def test_it_gets_exactly_the_body_and_what_it_prints_is_the_result(order: Order, clock: ManualClock) -> None:
    sandbox = LocalSandbox()
    outcome = run(order, clock, sandbox)
    assert outcome.succeeded
    assert outcome.output == BODY
    assert sandbox.commands[0].stdin == BODY.encode()
    assert sandbox.commands[0].cwd == order.folder
    assert outcome.exit is not None
    assert outcome.exit.code == 0
    assert outcome.rounds[0].output == BODY


def test_its_words_are_split_as_a_shell_would_and_pass_through_none(order: Order, clock: ManualClock) -> None:
    outcome = run(replace(order, agent_command="echo '$HOME  x' a\\ b ; true"), clock)
    assert outcome.output == "$HOME  x a b ; true"


def test_a_command_of_the_project_is_found_there(order: Order, clock: ManualClock) -> None:
    tool = order.project / "bin" / "agent"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\necho 来自项目\n", encoding="utf-8")
    tool.chmod(0o755)
    assert run(replace(order, agent_command="./bin/agent"), clock).output == "来自项目"
    tool.chmod(0o644)
    assert "找不到" in run(replace(order, agent_command="./bin/agent"), clock).error


@pytest.mark.parametrize(
    "command", ["no-such-agent-here --yes", "/no/such/agent", "", None, "echo 'unclosed", "x " * 200]
)
def test_a_command_that_is_not_there_is_said_to_be(order: Order, clock: ManualClock, command: str | None) -> None:
    sandbox = ScriptedSandbox()
    outcome = run(replace(order, agent_command=command), clock, sandbox)
    assert outcome.execution is Execution.FAILURE
    assert "外部执行器" in outcome.error
    assert sandbox.commands == []


@pytest.mark.parametrize("out", [b"", b"\n \n"])
def test_a_command_that_says_nothing_has_failed(order: Order, clock: ManualClock, out: bytes) -> None:
    outcome = run(order, clock, ScriptedSandbox(finished(out)))
    assert (outcome.execution, outcome.output) == (Execution.FAILURE, "")
    assert "没有输出成品" in outcome.error
    assert outcome.exit is not None


def test_a_command_that_fails_tells_why(order: Order, clock: ManualClock) -> None:
    outcome = run(order, clock, ScriptedSandbox(finished(b"half", b"no key", code=2)))
    assert outcome.error.splitlines()[0] == "外部执行器以退出码 2 结束。"
    assert "no key" in outcome.error
    cancelled = run(order, clock, ScriptedSandbox(finished(ended=Ended.CANCELLED, code=None, signal=15)))
    assert cancelled.cancelled is True


def test_a_review_sends_it_back_with_what_was_wrong(order: Order, clock: ManualClock) -> None:
    order = with_body(order, BODY, review=True)
    sandbox = ScriptedSandbox(finished("一".encode()), finished("二".encode()))
    model = ScriptedModel(clock, [verdict(False, "再长一点", "短"), verdict(True, "好", "好")])
    outcome = run(order, clock, sandbox, model)
    assert outcome.output == "二"
    assert [command.stdin == BODY.encode() for command in sandbox.commands] == [True, False]
    again = (sandbox.commands[1].stdin or b"").decode()
    assert [part in again for part in (BODY, "再长一点", "⟦一⟧")] == [True] * 3
    assert sandbox.commands[0].out != sandbox.commands[1].out


def test_a_review_without_a_model_is_a_failure_before_anything_runs(order: Order, clock: ManualClock) -> None:
    sandbox = ScriptedSandbox()
    outcome = run(with_body(order, BODY, review=True), clock, sandbox)
    assert "没有设置模型" in outcome.error
    assert outcome.verdict is Verdict.NOT_CHECKED
    assert sandbox.commands == []
