"""What comes next in a run of the household agent: pure.

Every turn a model says one thing that it wants. It is done where the run's powers allow it, and otherwise refused: told
to the model once, counted, and at the second time the end. A run ends at its deadline, however it stands.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from msgspec import structs

from zhixing.household.agent.model import (
    BUDGET,
    LONGEST_ASK,
    Arguments,
    Budget,
    Ending,
    State,
    Tool,
    Turn,
    TurnState,
    Who,
)
from zhixing.household.descs import Medium, one_line
from zhixing.household.doing.model import RunState
from zhixing.kernel.errors import ZhixingError
from zhixing.kernel.moments import micros
from zhixing.kernel.wording import wording
from zhixing.tasks.rules.model import DeviceAction
from zhixing.world.devices.names import check_value, fitting, parse_value, resolve
from zhixing.world.devices.port import ActionSpec, DeviceSpec
from zhixing.world.models.usage import Tokens

LONGEST_SAID = 200
"""Characters of what is told."""
_S = TurnState


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the model, for at most so many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Do:
    """Do what a turn is about, or find out what became of it."""

    turn: Turn


@dataclass(frozen=True, slots=True)
class End:
    """The run is over. `why` is a code of `tasks.reason_…`, empty where there is nothing more to say."""

    state: RunState
    why: str = ""


Next = Ask | Do | End


def next_step(state: State, now: datetime, budget: Budget = BUDGET) -> Next:
    """Decide what comes next."""
    pending = next((turn for turn in state.turns if turn.open), None)
    if pending is not None:
        return Do(pending)
    if state.powers.who is Who.RULE:
        return _end_of_rule(state)
    last = state.turns[-1] if state.turns else None
    if last is not None and last.tool is Tool.FINISH and last.state is _S.DONE:
        return _finished(state, last.arguments.outcome)
    left = (state.powers.until - micros(now)) / 1_000_000
    if left <= 0:
        return End(RunState.EXPIRED, "agent_late")
    why = _used_up(state, budget)
    if why:
        return End(RunState.FAILED, why)
    # A moment too short to think in would only look like a model that does not answer.
    return Ask(max(1.0, min(LONGEST_ASK, left, budget.seconds - state.seconds)))


def taken(
    state: State,
    wanted: tuple[Tool, str, Arguments],
    spec: DeviceSpec | None,
    *,
    tokens: Tokens,
    elapsed: float,
    now: datetime,
    budget: Budget = BUDGET,
) -> Turn:
    """Return the turn that a reply makes: to be done, or what else became of it. `spec` is of the device it names."""
    tool, thought, arguments = wanted
    number = state.turns[-1].number + 1 if state.turns else 1
    turn = Turn(number, Who.MODEL, tool, _S.CALLED, now, thought, arguments, "", tokens, elapsed)
    if tool is Tool.FINISH:
        return replace(turn, state=_S.DONE)
    if micros(now) >= state.powers.until:
        return replace(turn, state=_S.DROPPED, result=wording("tasks.reason_agent_late"))
    refused = _refused(state, tool, arguments)
    if refused:
        return replace(turn, state=_S.REFUSED, result=wording(f"agent.{refused}"))
    worked = sum(each.state is not _S.REFUSED for each in state.by_model)
    if worked >= budget.calls:
        return replace(turn, state=_S.FAILED, result=wording("agent.calls_used_up"))
    if tool is Tool.ACT_DEVICE:
        return _commanding(state, turn, spec)
    fault = _telling_fault(state, turn, budget) if tool is Tool.NOTIFY else ""
    return replace(turn, state=_S.FAILED, result=fault) if fault else turn


def media_of(state: State, arguments: Arguments) -> tuple[Medium, ...]:
    """Return the ways in which a notification goes: the one that was asked for, else all that are allowed."""
    asked = tuple(medium for medium in state.powers.media if medium.value == arguments.medium)
    return asked or state.powers.media


def command_of(arguments: Arguments) -> DeviceAction:
    """Return the command of a turn that is to be done: its names are resolved, and its value fits."""
    if arguments.property.startswith("prop."):
        return DeviceAction(arguments.device, arguments.property, arguments.value)
    given = () if arguments.value is None else (arguments.value,)
    return DeviceAction(arguments.device, arguments.property, None, given, idempotent=False)


def _refused(state: State, tool: Tool, arguments: Arguments) -> str:
    powers = state.powers
    if tool not in powers.tools:
        return "tool_refused"
    if tool is Tool.NOTIFY and arguments.medium and not any(arguments.medium == each.value for each in powers.media):
        return "medium_refused"
    if tool is Tool.ACT_DEVICE and arguments.device not in powers.devices:
        return "device_refused"
    if tool is Tool.READ_RECORD and all(arguments.task != name for name, _ in powers.records):
        return "record_refused"
    return ""


def _telling_fault(state: State, turn: Turn, budget: Budget) -> str:
    told = [each for each in state.by_model if each.tool is Tool.NOTIFY and each.state is _S.DONE]
    if not turn.arguments.text:
        return wording("agent.text_missing")
    if any(each.arguments.text == turn.arguments.text for each in told):
        return wording("agent.told_already")
    return wording("agent.told_enough") if len(told) >= budget.notifications else ""


def _commanding(state: State, turn: Turn, spec: DeviceSpec | None) -> Turn:
    """Return the turn of a command with its names resolved, or failed because it cannot be given."""
    if spec is None:
        return replace(turn, state=_S.FAILED, result=wording("agent.device_missing"))
    try:
        resolved = _resolved(turn.arguments, spec)
    except ZhixingError as error:
        return replace(turn, state=_S.FAILED, result=str(error))
    if resolved is None:
        return replace(turn, state=_S.FAILED, result=wording("agent.action_unusable"))
    given = [each.arguments for each in state.by_model if each.state in (_S.DONE, _S.UNKNOWN)]
    # What is given once is given once, whatever became of it.
    if resolved in given and not resolved.property.startswith("prop."):
        return replace(turn, state=_S.FAILED, result=wording("agent.acted_already"))
    return replace(turn, arguments=resolved)


def _resolved(arguments: Arguments, spec: DeviceSpec) -> Arguments | None:
    """Return the arguments of a command with numbers for names; None for an action that takes more, or words.

    Words would be a way around the channels, and what a speaker is told to carry out a way around everything.
    """
    member = resolve(spec, arguments.property)
    bare = Arguments(device=arguments.device, property=member.iid)
    if not isinstance(member, ActionSpec):
        value = arguments.value
        typed = isinstance(value, str) and member.format != "string"
        fits = parse_value(member, str(value)) if typed else check_value(member, value)
        return structs.replace(bare, value=fits)
    if len(member.arguments) > 1 or any(each.format == "string" for each in member.arguments):
        return None
    values = [fitting(each, arguments.value) for each in member.arguments]
    return structs.replace(bare, value=values[0] if values else None)


def _used_up(state: State, budget: Budget) -> str:
    if sum(turn.state is _S.REFUSED for turn in state.turns) >= budget.refusals:
        return "agent_overreached"
    if len(state.by_model) >= budget.turns:
        return "agent_turns"
    if state.tokens >= budget.tokens:
        return "agent_tokens"
    return "agent_seconds" if state.seconds >= budget.seconds else ""


def _finished(state: State, outcome: str) -> End:
    if outcome == Ending.CANNOT:
        return End(RunState.FAILED, "agent_cannot")
    acts = [turn for turn in state.turns if turn.tool is Tool.ACT_DEVICE and turn.state is not _S.REFUSED]
    if acts and acts[-1].state is _S.UNKNOWN:
        return End(RunState.FAILED, "acts_unsure")
    if acts and not state.acted:
        return End(RunState.FAILED, "acts_failed")
    # Whatever it calls it: where nothing was told or done, nothing was.
    return End(RunState.DONE, "" if state.acted else "agent_nothing")


def _end_of_rule(state: State) -> End:
    acts = [turn for turn in state.turns if turn.tool is Tool.ACT_DEVICE]
    if not acts:
        why = state.turns[-1].arguments.outcome if state.turns else "reset_nothing"
        return End(RunState.DONE, why)
    states = {turn.state for turn in acts}
    if states == {_S.DROPPED}:
        return End(RunState.DONE, "reset_dropped")
    if states <= {_S.DONE, _S.DROPPED}:
        return End(RunState.DONE, "reset_done")
    if _S.UNKNOWN in states:
        return End(RunState.FAILED, "acts_unsure")
    return End(RunState.FAILED, "acts_failed" if states == {_S.FAILED} else "partial")


def said(text: str) -> str:
    """Return what is to be told as one bounded line."""
    line = one_line(text)
    return line if len(line) <= LONGEST_SAID else line[: LONGEST_SAID - 1] + "…"
