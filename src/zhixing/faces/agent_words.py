"""What a person reads, and a program gets, about the turns of a run of the household agent. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

import msgspec

from zhixing.faces.rule_words import single_line
from zhixing.faces.wire import Wire
from zhixing.household.agent.model import Powers, Tool, Turn
from zhixing.kernel.moments import from_micros, iso
from zhixing.kernel.wording import wording

INDENT = "  "


def turn_lines(powers: Powers | None, turns: Sequence[Turn]) -> list[str]:
    """Say what a run was allowed, what was done in it turn by turn, and what that cost; nothing before it began."""
    if powers is None:
        return []
    between = wording("doing.list_separator")
    tools = between.join(wording(f"agent.tool_{tool.value}") for tool in powers.tools)
    lines = [wording("agent.powers", who=wording(f"agent.who_{powers.who.value}"), tools=tools or "-")]
    if powers.devices:
        lines.append(wording("agent.powers_devices", devices=between.join(map(single_line, powers.devices))))
    if powers.media:
        media = between.join(wording(f"agent.medium_{medium.value}") for medium in powers.media)
        lines.append(wording("agent.powers_media", media=media))
    for turn in turns:
        lines.extend(_turn_lines(turn))
    tokens = sum(turn.tokens.read + turn.tokens.written for turn in turns)
    if tokens:
        lines.append(wording("agent.tokens", tokens=tokens, seconds=sum(turn.elapsed for turn in turns)))
    return [INDENT + line for line in lines]


def of_turns(powers: Powers | None, turns: Sequence[Turn], zone: ZoneInfo) -> Wire:
    """Write what a run was allowed, and its turns."""
    return {
        "powers": None if powers is None else _of_powers(powers, zone),
        "turns": [_of_turn(turn, zone) for turn in turns],
        "tokens": sum(turn.tokens.read + turn.tokens.written for turn in turns),
    }


def _turn_lines(turn: Turn) -> list[str]:
    given = msgspec.to_builtins(turn.arguments)
    shown = " ".join(str(value) for key, value in given.items() if key != "outcome" or turn.tool is Tool.FINISH)
    tool = f"{wording(f'agent.tool_{turn.tool.value}')} {single_line(shown)}".rstrip()
    head = wording("agent.turn", number=turn.number, tool=tool, state=wording(f"agent.state_{turn.state.value}"))
    return [head, *(INDENT + single_line(text) for text in (turn.thought, turn.result) if text)]


def _of_powers(powers: Powers, zone: ZoneInfo) -> Wire:
    return {
        "purpose": powers.purpose.value,
        "who": powers.who.value,
        "tools": [tool.value for tool in powers.tools],
        "media": [medium.value for medium in powers.media],
        "devices": list(powers.devices),
        "records": [task_id for _, task_id in powers.records],
        "until": iso(from_micros(powers.until), zone),
    }


def _of_turn(turn: Turn, zone: ZoneInfo) -> Wire:
    return {
        "number": turn.number,
        "who": turn.who.value,
        "tool": turn.tool.value,
        "thought": turn.thought,
        "arguments": msgspec.to_builtins(turn.arguments),
        "state": turn.state.value,
        "result": turn.result,
        "at": iso(turn.at, zone),
        "tokens": {"read": turn.tokens.read, "written": turn.tokens.written},
        "seconds": round(turn.elapsed, 3),
    }
