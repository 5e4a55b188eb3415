"""Commands of the virtual gateway on their way to devices: what they are, and their rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import msgspec

from zhixing.graphs.simulating.result import Called, Written
from zhixing.graphs.simulating.script import Property
from zhixing.store.connection import Row, Tx
from zhixing.store.counters import next_number

MOST_COMMANDS = 5_000
"""Commands that are kept, about."""

MOST_A_MINUTE = 600
"""Commands of one rule within a minute; what it wants beyond is dropped, so that rules which set each other off end."""

_PRUNED_EACH = 100
_MINUTE_MS = 60_000
_COUNTER = "gateway_commands"
_COLUMNS = "number, graph_id, node, did, iid, vals, at, state"


class CommandState(StrEnum):
    """Where a command is on its way to a device."""

    WAITING = "waiting"
    SENDING = "sending"
    """It may have left; a process that finds this did not see what became of it."""
    DONE = "done"
    FAILED = "failed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Command:
    """What a rule wants a device to do. `iid` is `prop.2.1` or `action.2.1`, `at_ms` by the clock of the gateway."""

    number: int
    graph: str
    node: str
    did: str
    iid: str
    values: tuple[Any, ...]
    at_ms: int
    state: CommandState = CommandState.WAITING

    @property
    def repeatable(self) -> bool:
        """Whether giving it twice is as good as once: a property that is set again stays as it is."""
        return self.iid.startswith("prop.")


def command_of(graph: str, output: Written | Called) -> Command:
    """Return what a rule wants done as a command without a number."""
    match output:
        case Written(at_ms, node, about, value):
            return Command(0, graph, node, about.did, f"prop.{about.siid}.{about.piid}", (value,), at_ms)
        case Called(at_ms, node, did, siid, aiid, values):
            return Command(0, graph, node, did, f"action.{siid}.{aiid}", tuple(values), at_ms)


def add_command(tx: Tx, command: Command) -> Command:
    """Keep a command that waits; returns it with its number."""
    number = next_number(tx, _COUNTER)
    tx.execute(
        "INSERT INTO gateway_commands (number, graph_id, node, did, iid, vals, at, state, awaited)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            number,
            command.graph,
            command.node,
            command.did,
            command.iid,
            _json(command.values),
            command.at_ms,
            command.state.value,
            int(command.repeatable),
        ),
    )
    if number % _PRUNED_EACH == 0:
        tx.execute("DELETE FROM gateway_commands WHERE number <= ?", (number - MOST_COMMANDS,))
    return replace(command, number=number)


def given_lately(tx: Tx, graph: str, now_ms: int) -> int:
    """Return how many commands a rule has given within the last minute."""
    row = tx.row("SELECT COUNT(*) FROM gateway_commands WHERE graph_id = ? AND at > ?", (graph, now_ms - _MINUTE_MS))
    return 0 if row is None else int(row[0])


def command(tx: Tx, number: int) -> Command | None:
    """Return a command."""
    row = tx.row(f"SELECT {_COLUMNS} FROM gateway_commands WHERE number = ?", (number,))
    return None if row is None else _command(row)


def recent_commands(tx: Tx, limit: int) -> list[Command]:
    """Return the last commands, the newest first."""
    rows = tx.rows(f"SELECT {_COLUMNS} FROM gateway_commands ORDER BY number DESC LIMIT ?", (limit,))
    return [_command(row) for row in rows]


def set_state(tx: Tx, number: int, state: CommandState) -> None:
    """Write down how far a command is; one that came to nothing is no longer awaited."""
    gone = state is CommandState.FAILED
    awaited = ", awaited = 0" if gone else ""
    tx.execute(f"UPDATE gateway_commands SET state = ?{awaited} WHERE number = ?", (state.value, number))


def echoed(tx: Tx, about: Property, value: object, since_ms: int) -> list[str]:
    """Return the graphs that set a property to a value and have not seen it reported since; now they have."""
    iid, written = f"prop.{about.siid}.{about.piid}", _json([value])
    where = "did = ? AND iid = ? AND vals = ? AND awaited = 1"
    bound = (about.did, iid, written)
    rows = tx.rows(f"SELECT DISTINCT graph_id FROM gateway_commands WHERE {where} AND at >= ?", (*bound, since_ms))
    tx.execute(f"UPDATE gateway_commands SET awaited = 0 WHERE {where}", bound)
    return [row[0] for row in rows]


def _command(row: Row) -> Command:
    number, graph, node, did, iid, values, at_ms, state = row
    return Command(number, graph, node, did, iid, tuple(msgspec.json.decode(values)), at_ms, CommandState(state))


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
