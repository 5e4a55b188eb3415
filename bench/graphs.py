"""How long it takes to check a rule graph, how fast one runs, and how long the drawing takes.

    make bench-graphs [ARGS='--rounds 3 --json']

Checked, 500 cards each: `right`, fifty times ten cards of a household; `at home`, the same held against devices; and
`wrong`, the same with a fault in every card. jsonschema (Python, MIT) beside it, in the same run, only looks at the
shape of nodes (mijia §1.2), which is a small part of ours.

Run: `chain`, a key and two hundred gates behind it; `household`, the fifty, with their sensors reporting; `timers`,
two hundred loops that count. An activation is a card that is told something: a wire carried a pulse or a state, a
source heard of something, a timer was due. Beside it in the same run is SimPy (Python, MIT), whose events are handed on
along the same chain, and wait as long as the same loops, and nothing is written down of it.

Drawn: the fifty, as `zhixing graph layout` does it; bench/layout.py has more of that, and its peers.

The subjects take turns; the median of the rounds counts, in milliseconds of this process alone: all of it is work of
one thread, so that other programs beside disturb it less. Exit code 1 when ours misses a bar that is printed.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from zhixing.graphs.checks.checking import check
from zhixing.graphs.logs import LinkLine
from zhixing.graphs.placing import placed
from zhixing.graphs.reading import rule_from
from zhixing.graphs.rule import Rule
from zhixing.graphs.simulating.reading import read_script
from zhixing.graphs.simulating.run import simulate
from zhixing.graphs.simulating.script import Script
from zhixing.graphs.specs.home import Home, home_of
from zhixing.graphs.specs.packaged import samples

CARDS, GATES, LOOPS = 500, 200, 200
BAR_CHECK_MS, BAR_RUN, BAR_DRAW_MS = 50.0, 200_000, 1_000.0
ID = "1764550800001"
NOW = datetime(2026, 12, 1, tzinfo=UTC)
START = "2026-12-01T20:00:00+08:00"
LIGHT, MOTION = "light", "motion_sensor"
NODE = {
    "type": "object",
    "required": ["id", "type", "props", "inputs", "outputs", "cfg"],
    "properties": {
        "id": {"type": "string", "pattern": "^[0-9|a-zA-Z]+$"},
        "type": {"type": "string"},
        "props": {"type": "object"},
        "inputs": {"type": "object"},
        "outputs": {
            "type": "object",
            "additionalProperties": {"type": "array", "items": {"type": "string", "pattern": r"^[^.]+\.[^.]+$"}},
        },
        "cfg": {"type": "object", "required": ["version"], "properties": {"version": {"type": "integer"}}},
    },
}
SHAPE = {"type": "object", "required": ["id", "nodes"], "properties": {"nodes": {"type": "array", "items": NODE}}}

Row = dict[str, Any]
Node = dict[str, Any]
Subject = Callable[[], int]
"""Does it once; gives how much it did."""


def card(name: str, kind: str, props: Node, inputs: str, **outputs: str) -> Node:
    urn = {"cfg": {"urn": str(samples()[SPEC_OF[props["did"][0]]].urn)}} if "did" in props else {"cfg": {}}
    duration = props.get("timeout", props.get("interval"))
    shown = {} if duration is None else {"unit": "ms", "value": duration}
    return {
        "id": name,
        "type": kind,
        "props": props,
        "inputs": dict.fromkeys(inputs.split()),
        "outputs": {pin: ends.split() for pin, ends in outputs.items()},
        "cfg": {"name": kind, "version": 1, **urn["cfg"], **shown},
    }


SPEC_OF = {"l": LIGHT, "m": MOTION}


def room(n: int) -> list[Node]:
    """Draw ten cards: light when somebody moves by night, more of it when it is off, and none when nobody is left."""
    lamp = {"did": f"l{n}", "siid": 2, "piid": 1}
    moving = {"did": f"m{n}", "siid": 2, "piid": 1, "dtype": "boolean", "operator": "=", "preload": False}
    night = {"start": clock(18), "end": clock(7), "filter": {}}
    off = {"dtype": "boolean", "operator": "=", "v1": False}
    return [
        card(f"m{n}", "deviceInput", moving | {"v1": True}, "", output=f"c{n}.trigger"),
        card(f"w{n}", "timeRange", night, "", output=f"c{n}.condition"),
        card(f"c{n}", "condition", {}, "trigger condition", met=f"g{n}.input", unmet=""),
        card(f"g{n}", "deviceGet", lamp | off, "input", output=f"o{n}.trigger", output2=f"k{n}.input"),
        card(f"o{n}", "deviceOutput", lamp | {"value": True}, "trigger", output=""),
        card(f"k{n}", "onlyNTimes", {"n": 3}, "input zero", output=f"b{n}.trigger"),
        card(f"b{n}", "deviceOutput", lamp | {"piid": 2, "value": 80}, "trigger", output=""),
        card(f"s{n}", "deviceInput", moving | {"v1": False}, "", output=f"t{n}.input"),
        card(f"t{n}", "statusLast", {"timeout": 5000}, "input", output=f"x{n}.trigger k{n}.zero"),
        card(f"x{n}", "deviceOutput", lamp | {"value": False}, "trigger", output=""),
    ]


def clock(hour: int) -> Node:
    return {"hour": hour, "minute": 0, "second": 0}


def rule(nodes: list[Node]) -> Rule:
    return rule_from({"id": ID, "nodes": nodes, "cfg": {"id": ID, "enable": True, "uiType": "graph", "userData": {}}})


def household() -> list[Node]:
    return [node for n in range(CARDS // 10) for node in room(n)]


def wrong() -> list[Node]:
    return [
        node | {"props": {"did": 1}, "inputs": {"other": None}, "outputs": {"output": ["gone.input"]}}
        for node in household()
    ]


def home() -> Home:
    devices = {
        f"{letter}{n}": {"urn": str(samples()[name].urn), "name": f"{name} {n}", "room": "", "online": True}
        for n in range(CARDS // 10)
        for letter, name in SPEC_OF.items()
    }
    known = home_of([("devices.json", json.dumps(devices).encode())])
    return Home(known.devices, {str(each.urn): each for each in samples().values()}, frozenset(), None)


def key(end: str) -> Node:
    return card("key", "deviceInput", {"did": "m0", "siid": 2, "eiid": 1}, "", output=end)


def chain() -> tuple[Rule, Script]:
    gates = [card(f"n{n}", "signalOr", {}, "input0", output=f"n{n + 1}.input0") for n in range(GATES)]
    last = card(f"n{GATES}", "signalOr", {}, "input0", output="")
    event = {"did": "m0", "siid": 2, "eiid": 1, "arguments": []}
    return rule([key("n0.input0"), *gates, last]), script({"at_ms": 1000 * n, "event": event} for n in range(1, 401))


def rooms() -> tuple[Rule, Script]:
    def lines() -> Iterator[Node]:
        for at_ms in range(0, 400_000, 2000):
            for n in range(CARDS // 10):
                # every fourth time the room stays empty long enough
                moves = at_ms // 2000 % 8 in {0, 2, 4}
                yield {"at_ms": at_ms, "event": {"did": f"m{n}", "siid": 2, "piid": 1, "value": moves}}

    return rule(household()), script(lines(), state={f"l{n}": {"2.1": False} for n in range(CARDS // 10)})


def loops() -> tuple[Rule, Script]:
    nodes = [card("start", "onLoad", {}, "", output=" ".join(f"r{n}.start" for n in range(LOOPS)))]
    for n in range(LOOPS):
        nodes.append(card(f"r{n}", "loop", {"interval": 1000}, "start stop", output=f"k{n}.input"))
        nodes.append(card(f"k{n}", "counter", {"n": 1000}, "input zero", output=""))
    return rule(nodes), script([], until_ms=150_000)


def script(lines: Any, **setup: Any) -> Script:
    return read_script("\n".join(map(json.dumps, [{"setup": {"start": START, **setup}}, *lines])), NOW)


def activations(given: Rule, events: Script) -> int:
    """Count what cards are told: along wires, by signals and by timers."""
    result = simulate(given, events)
    carried = sum(isinstance(line, LinkLine) for line in result.trace)
    timers = {"loop", "delay", "statusLast"}
    due = sum(count for name, count in result.fired.items() if (node := given.node(name)) and node.type in timers)
    sources = {"deviceInput"}
    heard = {node.did: 0 for node in given.nodes if node.type in sources}
    for node in given.nodes:
        if node.type in sources:
            heard[node.did] += 1
    signals = sum(heard.get(getattr(line.event, "did", "") or line.event.property.did, 0) for line in events.lines)
    return carried + due + signals


def ours(given: Rule, events: Script) -> Subject:
    count = activations(given, events)

    def run() -> int:
        simulate(given, events)
        return count

    return run


def simpy_chain() -> Subject:
    import simpy

    def run() -> int:
        env = simpy.Environment()
        count = 0

        def hand_on(at: int) -> Callable[[Any], None]:
            def told(_event: Any) -> None:
                nonlocal count
                count += 1
                if at < GATES:
                    event = env.event()
                    event.callbacks.append(links[at + 1])
                    event.succeed()

            return told

        links = [hand_on(at) for at in range(GATES + 1)]
        for second in range(1, 401):
            env.timeout(second).callbacks.append(links[0])
        env.run()
        return count

    return run


def simpy_loops() -> Subject:
    import simpy

    def run() -> int:
        env = simpy.Environment()
        counts = [0] * LOOPS

        def loop(at: int) -> Iterator[Any]:
            while True:
                yield env.timeout(1)
                event = env.event()
                event.callbacks.append(lambda _event: counts.__setitem__(at, counts[at] + 1))
                event.succeed()

        for at in range(LOOPS):
            env.process(loop(at))
        env.run(until=150.5)
        return 2 * sum(counts)

    return run


def checking() -> dict[str, dict[str, Subject]]:
    from jsonschema import Draft202012Validator

    shape = Draft202012Validator(SHAPE)
    right, at_home, faulty = rule(household()), home(), rule(wrong())
    assert check(right, home=at_home).valid, [each.text() for each in check(right, home=at_home).errors][:3]
    assert check(faulty).errors

    def peer(given: Rule) -> Subject:
        return lambda: len([*shape.iter_errors(given.raw)]) + CARDS

    def of(given: Rule, known: Home | None = None) -> Subject:
        # read anew each time: what a rule knows about its wires is part of the price
        return lambda: len(check(Rule.of(given.raw), home=known).errors) + CARDS

    name = f"jsonschema {version('jsonschema')}"
    return {
        "right": {"ours": of(right), name: peer(right)},
        "at home": {"ours": of(right, at_home)},
        "wrong": {"ours": of(faulty), name: peer(faulty)},
    }


def running() -> dict[str, dict[str, Subject]]:
    found = {
        "chain": {"ours": ours(*chain())},
        "household": {"ours": ours(*rooms())},
        "timers": {"ours": ours(*loops())},
    }
    try:
        name = f"simpy {version('simpy')}"
        found["chain"][name] = simpy_chain()
        found["timers"][name] = simpy_loops()
    except ModuleNotFoundError:
        print("simpy is not installed and is left out (pip install simpy)", file=sys.stderr)
    return found


def drawing() -> dict[str, dict[str, Subject]]:
    given = rule(household())
    return {"household": {"ours": lambda: len(placed(given).nodes)}}


PARTS = {"check": checking, "run": running, "draw": drawing}


def measure(part: str, rounds: int) -> list[Row]:
    rows = []
    for what, subjects in PARTS[part]().items():
        took: dict[str, list[float]] = {name: [] for name in subjects}
        did: dict[str, int] = {}
        for _ in range(rounds):
            for name, run in subjects.items():
                begin = time.process_time_ns()
                did[name] = run()
                took[name].append((time.process_time_ns() - begin) / 1e6)
        for name, times in took.items():
            ms = statistics.median(times)
            rows.append({"part": part, "what": what, "subject": name, "ms": ms, "did": did[name], "best": min(times)})
    for row in rows:
        mine = next(each for each in rows if (each["what"], each["subject"]) == (row["what"], "ours"))
        row["per_second"] = row["did"] / row["ms"] * 1000
        row["ratio"] = row["per_second"] / (mine["did"] / mine["ms"] * 1000)
    return rows


def missed(rows: list[Row]) -> Iterator[str]:
    for row in rows:
        if row["subject"] != "ours":
            continue
        match row["part"]:
            case "check" if row["ms"] >= BAR_CHECK_MS:
                yield f"check of {row['what']}: {row['ms']:.1f} ms, bar {BAR_CHECK_MS:.0f}"
            case "run" if row["per_second"] < BAR_RUN:
                yield f"run of {row['what']}: {row['per_second']:,.0f} activations/s, bar {BAR_RUN:,}"
            case "draw" if row["ms"] >= BAR_DRAW_MS:
                yield f"drawing of {row['what']}: {row['ms']:.0f} ms, bar {BAR_DRAW_MS:.0f}"


def main() -> int:
    arguments = argparse.ArgumentParser(description="How fast rule graphs are checked, run and drawn.")
    arguments.add_argument("--rounds", type=int, default=7)
    arguments.add_argument("--part", choices=PARTS, action="append", help="only this part")
    arguments.add_argument("--json", action="store_true", help="print the figures as JSON")
    chosen = arguments.parse_args()
    rows = [row for part in chosen.part or PARTS for row in measure(part, chosen.rounds)]
    if chosen.json:
        print(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        print(f"Python {platform.python_version()}, median of {chosen.rounds}; ratio: times as fast as ours\n")
        print("| part | what | subject | ms | best ms | done | per second | ratio |\n|---|---|---|---|---|---|---|---|")
        for row in rows:
            print(
                f"| {row['part']} | {row['what']} | {row['subject']} | {row['ms']:,.1f} | {row['best']:,.1f} "
                f"| {row['did']:,} | {row['per_second']:,.0f} | {row['ratio']:.2f} |"
            )
    misses = [*missed(rows)]
    for line in misses:
        print(f"MISSED: {line}")
    return 1 if misses else 0


if __name__ == "__main__":
    sys.exit(main())
