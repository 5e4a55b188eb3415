"""The rows of what the agent did: turn 0 says what a run may do, the others what became of each turn."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from zhixing.household.agent.model import Arguments, Powers, Tool, Turn, TurnState, Who
from zhixing.kernel.moments import from_micros, micros
from zhixing.store.connection import Row, Tx
from zhixing.world.models.usage import Tokens

_COLUMNS = "run_id, number, who, tool, thought, arguments, state, result, at, tokens_read, tokens_written, millis"
_ADD = f"INSERT INTO agent_turns ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_POWERS = "powers"
_arguments = msgspec.json.Decoder(Arguments).decode
_powers = msgspec.json.Decoder(Powers).decode


def begin(tx: Tx, run_id: str, powers: Powers, at: int) -> None:
    """Write down what a run may do; once."""
    allowed = msgspec.json.encode(powers).decode()
    tx.execute(_ADD, (run_id, 0, powers.who.value, _POWERS, "", allowed, TurnState.DONE.value, "", at, 0, 0, 0))


def add(tx: Tx, run_id: str, turns: Iterable[Turn]) -> None:
    """Append turns."""
    tx.many(_ADD, [_row(run_id, turn) for turn in turns])


def settle(tx: Tx, run_id: str, turn: Turn) -> None:
    """Write down what became of a turn."""
    tx.execute(
        "UPDATE agent_turns SET state = ?, result = ? WHERE run_id = ? AND number = ?",
        (turn.state.value, turn.result, run_id, turn.number),
    )


def powers(tx: Tx, run_id: str) -> Powers | None:
    """Return what a run may do; None where it has not begun."""
    row = tx.row("SELECT arguments FROM agent_turns WHERE run_id = ? AND number = 0", (run_id,))
    return None if row is None else _powers(row[0])


def turns(tx: Tx, run_id: str) -> tuple[Turn, ...]:
    """Return the turns of a run, in order; there are few."""
    rows = tx.rows(f"SELECT {_COLUMNS} FROM agent_turns WHERE run_id = ? AND number > 0 ORDER BY number", (run_id,))
    return tuple(_read(row) for row in rows)


def _row(run_id: str, turn: Turn) -> Row:
    return (
        run_id,
        turn.number,
        turn.who.value,
        turn.tool.value,
        turn.thought,
        msgspec.json.encode(turn.arguments).decode(),
        turn.state.value,
        turn.result,
        micros(turn.at),
        turn.tokens.read,
        turn.tokens.written,
        round(turn.elapsed * 1000),
    )


def _read(row: Row) -> Turn:
    _, number, who, tool, thought, arguments, state, result, at, read, written, millis = row
    return Turn(
        number=number,
        who=Who(who),
        tool=Tool(tool),
        state=TurnState(state),
        at=from_micros(at),
        thought=thought,
        arguments=_arguments(arguments),
        result=result,
        tokens=Tokens(read, written),
        elapsed=millis / 1000,
    )
