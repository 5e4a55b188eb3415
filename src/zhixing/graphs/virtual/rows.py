"""The rows of the virtual gateway: graphs with what their runs remember, variables, reports, the log, backups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.rule import Rule
from zhixing.graphs.simulating.memory import Memory, read_memory, write_memory
from zhixing.graphs.simulating.script import Property, Value
from zhixing.graphs.virtual.ensemble import GatewayClock
from zhixing.store.connection import Row, Tx
from zhixing.store.counters import next_number, next_numbers
from zhixing.world.hub.state import Graph
from zhixing.world.hub.state import Variable as Held

MOST_LINES = 20_000
"""Lines of the log that are kept, about."""
LINES_PER_BLOCK = 200
"""Lines that one answer of getLog has."""

_CLOCK = 1
_PRUNED_EACH = 100
_LOG, _GRAPHS, _BACKUPS = "gateway_log", "gateway_graphs", "gateway_backups"


@dataclass(frozen=True, slots=True)
class Kept:
    """A graph as it is kept; `memory` is None while it is off."""

    graph: Graph
    memory: Memory | None


def lock(tx: Tx) -> GatewayClock:
    """Return the clock as it was left, 0 at first. Nobody else changes the gateway until `tx` ends."""
    found = tx.rows(
        "INSERT INTO gateway_clock (id, now_ms, wall_off_ms) VALUES (?, 0, 0)"
        " ON CONFLICT (id) DO UPDATE SET now_ms = gateway_clock.now_ms RETURNING now_ms, wall_off_ms",
        (_CLOCK,),
    )
    return GatewayClock(*found[0])


def keep_clock(tx: Tx, clock: GatewayClock) -> None:
    """Keep the clock."""
    tx.execute(
        "INSERT INTO gateway_clock (id, now_ms, wall_off_ms) VALUES (?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET now_ms = excluded.now_ms, wall_off_ms = excluded.wall_off_ms",
        (_CLOCK, clock.now_ms, clock.wall_off_ms),
    )


def is_anything_on(tx: Tx) -> bool:
    """Whether any graph is on."""
    return tx.row("SELECT 1 FROM gateway_graphs WHERE memory IS NOT NULL LIMIT 1") is not None


def graphs(tx: Tx) -> dict[str, Kept]:
    """Return the graphs by id, in the order in which they were made."""
    found = tx.rows("SELECT id, nodes, cfg, memory FROM gateway_graphs ORDER BY number")
    return {row[0]: _kept(row) for row in found}


def keep_graph(tx: Tx, name: str, graph: Graph) -> None:
    """Keep a graph as it is now; what its run remembers stays."""
    cfg = {"enable": graph.enable, "uiType": graph.ui_type, "userData": graph.user_data}
    nodes, settings = _json(graph.nodes), _json(cfg)
    if tx.execute("UPDATE gateway_graphs SET nodes = ?, cfg = ? WHERE id = ?", (nodes, settings, name)) == 0:
        tx.execute(
            "INSERT INTO gateway_graphs (id, number, nodes, cfg) VALUES (?, ?, ?, ?)",
            (name, next_number(tx, _GRAPHS), nodes, settings),
        )


def drop_graph(tx: Tx, name: str) -> None:
    """Forget a graph."""
    tx.execute("DELETE FROM gateway_graphs WHERE id = ?", (name,))


def keep_memory(tx: Tx, name: str, memory: Memory | None, due_ms: int | None) -> None:
    """Keep what a run remembers, and when something of it is due next."""
    text = None if memory is None else write_memory(memory)
    tx.execute("UPDATE gateway_graphs SET memory = ?, due_at = ? WHERE id = ?", (text, due_ms, name))


def rule_of(name: str, graph: Graph) -> Rule:
    """Return a graph as a rule."""
    cfg = {"id": name, "enable": graph.enable, "uiType": graph.ui_type, "userData": graph.user_data}
    return Rule.of({"id": name, "nodes": graph.nodes, "cfg": cfg})


# Variables


def variables(tx: Tx) -> dict[str, dict[str, Held]]:
    """Return the variables by scope and id."""
    found: dict[str, dict[str, Held]] = {}
    for scope, name, kind, value, user_data in tx.rows(
        "SELECT scope, id, kind, value, user_data FROM gateway_variables ORDER BY scope, id"
    ):
        held = Held(kind, msgspec.json.decode(value), msgspec.json.decode(user_data))
        found.setdefault(scope, {})[name] = held
    return found


def keep_variable(tx: Tx, scope: str, name: str, held: Held) -> None:
    """Keep a variable as it is now."""
    tx.execute(
        "INSERT INTO gateway_variables (scope, id, kind, value, user_data) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (scope, id) DO UPDATE SET kind = excluded.kind, value = excluded.value,"
        " user_data = excluded.user_data",
        (scope, name, held.type, _json(held.value), _json(held.user_data)),
    )


def drop_variable(tx: Tx, scope: str, name: str) -> None:
    """Forget a variable."""
    tx.execute("DELETE FROM gateway_variables WHERE scope = ? AND id = ?", (scope, name))


def keep_value(tx: Tx, variable: Variable, value: float | str) -> None:
    """Keep what a variable holds now."""
    tx.execute(
        "UPDATE gateway_variables SET value = ? WHERE scope = ? AND id = ?",
        (_json(value), variable.scope, variable.id),
    )


# Reports


def reports(tx: Tx) -> dict[Property, Value]:
    """Return what devices last said."""
    found = tx.rows("SELECT did, siid, piid, value FROM gateway_reports")
    return {Property(did, siid, piid): msgspec.json.decode(value) for did, siid, piid, value in found}


def keep_report(tx: Tx, about: Property, value: object) -> None:
    """Keep what a device said."""
    tx.execute(
        "INSERT INTO gateway_reports (did, siid, piid, value) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (did, siid, piid) DO UPDATE SET value = excluded.value",
        (about.did, about.siid, about.piid, _json(value)),
    )


# The log


def add_lines(tx: Tx, lines: Iterable[str]) -> None:
    """Write lines into the log."""
    written = list(lines)
    if not written:
        return
    first = next_numbers(tx, _LOG, len(written))
    tx.many("INSERT INTO gateway_log (number, line) VALUES (?, ?)", enumerate(written, first))
    last = first + len(written) - 1
    if first // _PRUNED_EACH != (last + 1) // _PRUNED_EACH:
        tx.execute("DELETE FROM gateway_log WHERE number <= ?", (last - MOST_LINES,))


def block(tx: Tx, number: int) -> str:
    """Return a block of the log, 0 the newest; "" behind the end."""
    rows = tx.rows(
        "SELECT line FROM gateway_log ORDER BY number DESC LIMIT ? OFFSET ?",
        (LINES_PER_BLOCK, number * LINES_PER_BLOCK),
    )
    return "".join(f"{row[0]}\n" for row in reversed(rows))


# Backups


def backups(tx: Tx) -> list[dict[str, Any]]:
    """Return the backups, the newest first."""
    rows = tx.rows("SELECT number, content FROM gateway_backups ORDER BY number DESC")
    return [{"id": str(number), **msgspec.json.decode(content)} for number, content in rows]


def add_backup(tx: Tx, content: Mapping[str, Any], most: int) -> None:
    """Keep a backup; of more than `most` the oldest goes."""
    number = next_number(tx, _BACKUPS)
    tx.execute("INSERT INTO gateway_backups (number, content) VALUES (?, ?)", (number, _json(content)))
    tx.execute("DELETE FROM gateway_backups WHERE number <= ?", (number - most,))


def _kept(row: Row) -> Kept:
    _, nodes, settings, memory = row
    cfg = msgspec.json.decode(settings)
    graph = Graph(msgspec.json.decode(nodes), cfg["enable"], cfg["uiType"], cfg["userData"])
    return Kept(graph, None if memory is None else read_memory(memory))


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
