"""How many steps of goals a second are on disk, and how long a look at one takes meanwhile: ours and LangGraph.

    make bench-goals [ARGS='--goals 200 --rounds 3']

A goal has twenty nodes: its root is split into nineteen leaves, for each somebody is found, it is delivered, and its
result collected; then the root is closed. Bots answer at once, so that what is measured is the program alone. All goals
are handed in and under way together. A transition is an entry of the log of a goal, durable with the state it leads to
and the jobs of what is to be done next; the jobs themselves are marked as started and done on disk, and so is every
delivery before it leaves. Beside it a thread looks at a goal after another, every ten milliseconds, as a page does.

LangGraph (Python, MIT) runs a graph of as many steps for each goal, each step changing one of twenty nodes and kept by
its checkpointer for SQLite before the next begins, in as many threads as we have places for bots. It keeps no jobs, no
log of events and no marks. "The machine" writes what a transition of ours writes, the head of a goal, a node and an
entry of the same lengths, with plain sqlite3 in one thread. All three have a database in WAL mode with synchronous=FULL
on the same disk. We may commit for several threads at once; the machine commits for every transition.

Every subject runs in a process of its own, in turn; the table shows the median of the rounds. CPU is that of the whole
process, which says more than the clock when other programs run beside. Exit code 1 when ours misses a bar it prints.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

LEAVES = [f"part{n}" for n in range(1, 20)]
STEPS = 3 * len(LEAVES) + 3
"""Transitions of a goal: its begin, its plan, three of each leaf, its end."""
PEER_SHARE = 10
"""The peer gets a tenth of the goals, to keep the run short."""
THREADS = 10
LOOK_EVERY = 0.01
BAR_RATE, BAR_LOOK_MS = 500.0, 20.0

Measured = dict[str, float]


class Looking:
    """A thread that looks at goals while they are under way, and notes how long each look took."""

    def __init__(self, look: Callable[[int], object], goals: int) -> None:
        self._look = look
        self._goals = goals
        self._over = threading.Event()
        self._taken: list[float] = []
        self._thread = threading.Thread(target=self._go_on)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _go_on(self) -> None:
        chance = random.Random(8)
        while not self._over.wait(LOOK_EVERY):
            number = chance.randrange(self._goals)
            began = time.perf_counter()
            self._look(number)
            self._taken.append(1000 * (time.perf_counter() - began))

    @property
    def spread(self) -> Measured:
        ranked = sorted(self._taken)
        return {"looks": len(ranked), "p50": ranked[len(ranked) // 2], "p99": ranked[int(len(ranked) * 0.99)]}


def ours(folder: Path, goals: int) -> Measured:
    from zhixing.engine.embedded import EmbeddedEngine
    from zhixing.goals.loop.model import Criterion, TaskInfo, TaskSpec
    from zhixing.goals.running.room import opened
    from zhixing.goals.running.scripted import (
        ScriptedDeliverer,
        ScriptedPlanner,
        ScriptedTeller,
        planned,
        scripted_ports,
    )
    from zhixing.kernel.clock import SystemClock
    from zhixing.store.migrations import migrate
    from zhixing.store.opening import open_store

    class Everywhere(dict[str, Any]):
        """The same plan for every goal."""

        def __missing__(self, _task_id: str) -> list[str]:
            return [planned(*LEAVES), planned()]

    forgetful: Any = deque(maxlen=0)
    clock = SystemClock()
    store = open_store(f"sqlite://{folder}/ours.db")
    migrate(store, clock)
    engine = EmbeddedEngine(store, clock, owner="bench")
    planner, deliverer = ScriptedPlanner(Everywhere(), asked=forgetful), ScriptedDeliverer(delivered=forgetful)
    ports = scripted_ports(planner, deliverer, teller=ScriptedTeller())
    room = opened(store, engine, clock, ports, backend="https://goals.example")
    spec = TaskSpec("report", "write the report", "", "a report", (Criterion("ac1", "it is complete"),))

    def count(sql: str) -> int:
        with store.read() as tx:
            found = tx.row(sql)
        return int(found[0]) if found else 0

    cpu, began = time.process_time(), time.perf_counter()
    for n in range(goals):
        room.execute(TaskInfo(f"g{n}", spec, owner_user_id="u", owner_bot_id="owner"))
    engine.start()
    with Looking(lambda n: room.dashboard(f"g{n}"), goals) as looking:
        while count("SELECT COUNT(*) FROM goals WHERE status = 'RUNNING'"):
            time.sleep(0.2)
        cpu, taken = time.process_time() - cpu, time.perf_counter() - began
    engine.stop()
    if count("SELECT COUNT(*) FROM goals WHERE status = 'DONE'") != goals:
        sys.exit("not every goal came to a good end")
    done = count("SELECT COUNT(*) FROM goal_log")
    sizes = {
        "head": count("SELECT CAST(AVG(LENGTH(snapshot)) AS INTEGER) FROM goals"),
        "node": count("SELECT CAST(AVG(LENGTH(node)) AS INTEGER) FROM goal_nodes"),
        "entry": count("SELECT CAST(AVG(LENGTH(entry)) AS INTEGER) FROM goal_log"),
        "jobs": count("SELECT COUNT(*) FROM jobs") / done,
    }
    store.close()
    return {"rate": done / taken, "cpu": 1000 * cpu / done, "steps": done / goals, **sizes, **looking.spread}


def langgraph(folder: Path, goals: int) -> Measured:
    from langgraph.checkpoint.sqlite import SqliteSaver
    from langgraph.graph import END, START, StateGraph
    from typing_extensions import TypedDict

    class State(TypedDict):
        step: int
        nodes: dict[str, dict[str, Any]]

    def one_step(state: State) -> State:
        step, nodes = state["step"], dict(state["nodes"])
        leaf = LEAVES[step % len(LEAVES)]
        output = {"success": True, "data": f"work of {leaf}", "gaps": []} if step >= 2 * len(LEAVES) else {}
        nodes[leaf] = {"title": leaf, "instruction": f"do {leaf}", "status": step // len(LEAVES), "output": output}
        return {"step": step + 1, "nodes": nodes}

    connection = sqlite3.connect(folder / "langgraph.db", check_same_thread=False)
    saver = SqliteSaver(connection)
    saver.setup()
    connection.execute("PRAGMA synchronous = FULL")
    drawn = StateGraph(State)
    drawn.add_node("step", one_step)
    drawn.add_edge(START, "step")
    drawn.add_conditional_edges("step", lambda state: END if state["step"] >= STEPS - 1 else "step")
    graph = drawn.compile(checkpointer=saver)

    def config(n: int) -> Any:
        return {"configurable": {"thread_id": f"g{n}"}, "recursion_limit": STEPS + 10}

    def carried_out(n: int) -> None:
        nodes = {leaf: {"title": leaf, "instruction": f"do {leaf}"} for leaf in LEAVES}
        graph.invoke({"step": 0, "nodes": nodes}, config(n), durability="sync")

    cpu, began = time.process_time(), time.perf_counter()
    with Looking(lambda n: graph.get_state(config(n)), goals) as looking, ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(carried_out, range(goals)))
        cpu, taken = time.process_time() - cpu, time.perf_counter() - began
    done = connection.execute("SELECT COUNT(*) FROM checkpoints").fetchone()[0]
    connection.close()
    return {"rate": done / taken, "cpu": 1000 * cpu / done, "steps": done / goals, **looking.spread}


def machine(folder: Path, head: int, node: int, entry: int) -> Measured:
    connection = sqlite3.connect(folder / "machine.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE goals (id INTEGER PRIMARY KEY, head TEXT)")
    connection.execute("CREATE TABLE nodes (id INTEGER, place INTEGER, node TEXT, PRIMARY KEY (id, place))")
    connection.execute("CREATE TABLE log (id INTEGER, seq INTEGER, entry TEXT, PRIMARY KEY (id, seq))")
    places = [(n, place, "x" * node) for n in range(100) for place in range(len(LEAVES) + 1)]
    connection.executemany("INSERT INTO goals VALUES (?, ?)", [(n, "x" * head) for n in range(100)])
    connection.executemany("INSERT INTO nodes VALUES (?, ?, ?)", places)
    cpu, began, steps = time.process_time(), time.perf_counter(), 5_000
    for step in range(steps):
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE goals SET head = ? WHERE id = ?", ("y" * head, step % 100))
        connection.execute(
            "UPDATE nodes SET node = ? WHERE id = ? AND place = ?", ("y" * node, step % 100, step // 100 % len(LEAVES))
        )
        connection.execute("INSERT INTO log VALUES (?, ?, ?)", (step % 100, step, "z" * entry))
        connection.execute("COMMIT")
    cpu, taken = time.process_time() - cpu, time.perf_counter() - began
    connection.close()
    return {"rate": steps / taken, "cpu": 1000 * cpu / steps}


def measure(disk: str | None, *subject: str) -> Measured:
    """Run one subject in a process and a folder of its own."""
    with tempfile.TemporaryDirectory(dir=disk) as folder:
        done = subprocess.run(
            [sys.executable, __file__, "--disk", folder, "--subject", *subject],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    measured: Measured = json.loads(done.stdout)
    return measured


def one_round(disk: str | None, goals: int, *, alone: bool) -> dict[str, Measured]:
    found = {"ours": measure(disk, "ours", str(goals))}
    if not alone:
        found["langgraph"] = measure(disk, "langgraph", str(max(1, goals // PEER_SHARE)))
    sizes = [str(int(found["ours"][each])) for each in ("head", "node", "entry")]
    return found | {"machine": measure(disk, "machine", *sizes)}


def show(rounds: list[dict[str, Measured]], goals: int) -> bool:
    """Print the table, and whether the bars are reached."""
    middle = {
        subject: {key: statistics.median(one[subject][key] for one in rounds) for key in rounds[0][subject]}
        for subject in rounds[0]
    }
    our = middle["ours"]
    print(
        f"\n{goals:,} goals of {len(LEAVES) + 1} nodes, Python {sys.version.split()[0]}, {os.cpu_count()} cores,"
        f" load {os.getloadavg()[0]:.1f}, median of {len(rounds)} round(s)\n"
    )
    print("| subject | transitions/s, durable | CPU ms a transition | a look p50 / p99, ms |")
    print("|---|---|---|---|")
    names = {"ours": f"zhixing {version('zhixing')}", "machine": "the machine: the same bytes, plain sqlite3"}
    for subject, found in middle.items():
        name = names.get(subject) or f"LangGraph {version('langgraph')}, {version('langgraph-checkpoint-sqlite')}"
        looks = f"{found['p50']:.1f} / {found['p99']:.1f}" if "p50" in found else "–"
        print(f"| {name} | {found['rate']:,.0f} | {found['cpu']:.2f} | {looks} |")
    print(
        f"\n{our['steps']:.0f} transitions a goal, {our['jobs']:.2f} jobs a transition; at the end a head has"
        f" {our['head']:,.0f} characters, a node {our['node']:,.0f}, an entry {our['entry']:,.0f}.\n"
    )
    bars = {
        f"≥ {BAR_RATE:.0f} durable transitions/s": our["rate"] >= BAR_RATE,
        f"p99 of a look ≤ {BAR_LOOK_MS:.0f} ms": our["p99"] <= BAR_LOOK_MS,
    }
    for bar, reached in bars.items():
        print(f"- {bar}: {'reached' if reached else 'NOT REACHED'}")
    return all(bars.values())


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=1)
    options.add_argument("--goals", type=int, default=1_000)
    options.add_argument("--alone", action="store_true", help="leave LangGraph out")
    options.add_argument("--disk", help="folder to keep the databases in (default: the temporary one)")
    options.add_argument("--subject", nargs="+", help="measure one here and print JSON")
    chosen = options.parse_args()
    if chosen.subject:
        name, *sizes = chosen.subject
        subject: Callable[..., Measured] = {"ours": ours, "langgraph": langgraph, "machine": machine}[name]
        print(json.dumps(subject(Path(chosen.disk), *map(int, sizes))))
        return
    rounds = []
    for number in range(chosen.rounds):
        rounds.append(one_round(chosen.disk, chosen.goals, alone=chosen.alone))
        print(f"round {number + 1}: {json.dumps(rounds[-1])}", file=sys.stderr)
    sys.exit(not show(rounds, chosen.goals))


if __name__ == "__main__":
    main()
