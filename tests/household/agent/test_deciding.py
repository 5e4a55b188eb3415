"""What comes next in a run, given what has been."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.conftest import START

from zhixing.household.agent.deciding import Ask, Do, End, next_step
from zhixing.household.agent.model import Arguments, Powers, Purpose, State, Tool, Turn, TurnState, Who
from zhixing.household.doing.model import AgentRun, Origin, Prompt, RunState
from zhixing.kernel.moments import micros
from zhixing.world.models.usage import Tokens

MINUTE = timedelta(minutes=1)
RUN = AgentRun("h1", "t1", "o1", Origin.RULE, Prompt(("看看",), ""), RunState.RUNNING, START, START + 15 * MINUTE)
S, FAILED, DONE = TurnState, RunState.FAILED, RunState.DONE


def state(*turns, who=Who.MODEL):
    powers = Powers(Purpose.JUDGE, who, (), (), (), (), micros(START + 5 * MINUTE))
    return State(RUN, powers, tuple(turns))


def turn(number, tool=Tool.LOOK, state=S.DONE, *, who=Who.MODEL, outcome="", tokens=0, elapsed=1.0):
    arguments = Arguments(outcome=outcome)
    return Turn(number, who, tool, state, START, "", arguments, "", Tokens(tokens, 0), elapsed)


ACT, TELL, END = Tool.ACT_DEVICE, Tool.NOTIFY, Tool.FINISH


@pytest.mark.parametrize(
    ("turns", "then"),
    [
        ([], Ask(60.0)),
        ([turn(1)], Ask(60.0)),
        ([turn(1, elapsed=100.0)], Ask(20.0)),
        ([turn(1, elapsed=120.0)], End(FAILED, "agent_seconds")),
        ([turn(1, tokens=24_000)], End(FAILED, "agent_tokens")),
        ([turn(number) for number in range(1, 9)], End(FAILED, "agent_turns")),
        ([turn(1, state=S.REFUSED)], Ask(60.0)),
        ([turn(1, state=S.REFUSED), turn(2), turn(3, state=S.REFUSED)], End(FAILED, "agent_overreached")),
        ([turn(1, END, outcome="nothing")], End(DONE, "agent_nothing")),
        ([turn(1, END, outcome="done")], End(DONE, "agent_nothing")),
        ([turn(1, END, outcome="cannot")], End(FAILED, "agent_cannot")),
        ([turn(1, TELL), turn(2, END, outcome="done")], End(DONE)),
        ([turn(1, TELL), turn(2, END, outcome="nothing")], End(DONE)),
        ([turn(1, ACT, S.UNKNOWN), turn(2, END, outcome="done")], End(FAILED, "acts_unsure")),
        ([turn(1, ACT, S.FAILED), turn(2, END, outcome="done")], End(FAILED, "acts_failed")),
        ([turn(1, ACT, S.FAILED), turn(2, ACT), turn(3, END, outcome="done")], End(DONE)),
        ([turn(1, ACT, S.REFUSED), turn(2, END, outcome="done")], End(DONE, "agent_nothing")),
    ],
)
def test_a_model_goes_on_until_it_ends_or_is_ended(turns, then):
    assert next_step(state(*turns), START) == then


def test_what_is_open_comes_first_also_past_the_deadline():
    pending = turn(1, ACT, S.CALLED)
    assert next_step(state(pending), START + 60 * MINUTE) == Do(pending)


@pytest.mark.parametrize(("left", "then"), [(30, Ask(30.0)), (0.2, Ask(1.0)), (0, End(RunState.EXPIRED, "agent_late"))])
def test_a_deadline_is_one(left, then):
    assert next_step(state(turn(1)), START + 5 * MINUTE - timedelta(seconds=left)) == then


@pytest.mark.parametrize(
    ("states", "then"),
    [
        ([S.DONE, S.DONE], End(DONE, "reset_done")),
        ([S.DONE, S.DROPPED], End(DONE, "reset_done")),
        ([S.DROPPED, S.DROPPED], End(DONE, "reset_dropped")),
        ([S.FAILED, S.FAILED], End(FAILED, "acts_failed")),
        ([S.FAILED, S.DONE], End(FAILED, "partial")),
        ([S.UNKNOWN, S.DONE], End(FAILED, "acts_unsure")),
    ],
)
def test_a_reset_by_rule_ends_as_its_commands_did(states, then):
    turns = [turn(number, ACT, each, who=Who.RULE) for number, each in enumerate(states, 1)]
    assert next_step(state(*turns, who=Who.RULE), START + 60 * MINUTE) == then
