"""What a thousand rules cost: ours, with every change on disk, beside Home Assistant, which keeps nothing there.

    make bench-rules [ARGS='--rounds 3']

The subjects take turns, each case in a process of its own; the table shows the median of the rounds. An event is what
one sensor says. Ours come in by batches, as a bridge hands on what it heard, and are on disk when the call returns.

- arm: each rule on a sensor of its own, whose condition must hold for an hour: every event arms or cancels, none fires.
- write, call: each rule on a sensor of its own, at once: every second event fires, and a property is written, or an
  action called. A fire is over when the device was told; ours counts only when its outcome is on disk, too. Late is
  from the event until the device is told, one event at a time. A call is not repeated, so that it is about to leave is
  on disk before it does: one durable write more.
- one: all rules on one sensor, whose condition must hold for an hour: every event arms or cancels all of them.
- due: each rule on a sensor of its own, whose condition must hold for a second, all at once: how late the last acts.

Exit code 1 when ours misses one of the bars it prints. `--alone` leaves Home Assistant out, and the bars that need it.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

BENCH = Path(__file__).parent
OURS = (sys.executable, str(BENCH / "our_rules.py"))
PEER = (str(BENCH.parent / ".services/ha-venv/bin/python"), str(BENCH / "ha_peer.py"))

Measured = dict[str, float]


@dataclass(frozen=True, slots=True)
class Case:
    """How many events a case takes of ours, and which case of the peer is beside it, with how many."""

    events: int
    peer: str
    events_of_peer: int


CASES = {
    "arm": Case(20_000, "arm", 20_000),
    "write": Case(8_000, "fire", 20_000),
    "call": Case(8_000, "fire", 20_000),
    "one": Case(1_000, "one", 40),
    "due": Case(0, "due", 0),
}


def apart(*command: str) -> dict[str, Any]:
    """Measure in a process of its own."""
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed")
    measured: dict[str, Any] = json.loads(done.stdout)
    return measured


def one_round(rules: int, share: float, disk: str | None, *, alone: bool) -> dict[str, dict[str, Any]]:
    """Measure every case of ours and, each right after it, of the peer."""
    found: dict[str, dict[str, Any]] = {}
    for name, case in CASES.items():
        at = ("--disk", disk) if disk else ()
        events = str(max(1, int(case.events * share)))
        found[name] = apart(*OURS, name, "--rules", str(rules), "--events", events, *at)
        peer = f"peer {case.peer}"
        if not alone and peer not in found:
            events = str(max(1, int(case.events_of_peer * share)))
            found[peer] = apart(*PEER, case.peer, "--rules", str(rules), "--events", events)
    return found


def middle(rounds: Sequence[dict[str, dict[str, Any]]]) -> dict[str, Measured]:
    """Return the median of each figure over the rounds."""
    return {
        case: {
            figure: statistics.median(one[case][figure] for one in rounds)
            for figure, value in figures.items()
            if isinstance(value, float)
        }
        for case, figures in rounds[0].items()
    }


def bars(found: dict[str, Measured]) -> list[tuple[str, bool]]:
    """Return every bar that can be looked at, and whether it is missed."""
    wanted = [
        ("p99 from the event to a written property ≤ 2 ms", found["write"]["p99"] > 2),
        ("p99 from the event to a called action ≤ 3 ms", found["call"]["p99"] > 3),
        ("1,000 deadlines acted on within 250 ms", found["due"]["last"] > 250),
        ("≥ 500 events/s with all rules on one sensor", found["one"]["batched"] < 500),
    ]
    if "peer arm" in found:
        theirs = found["peer arm"]["batched"]
        fires = min(found["write"]["fires"], found["call"]["fires"])
        wanted += [
            ("≥ 3 times Home Assistant's events/s without a fire", found["arm"]["batched"] < 3 * theirs),
            ("≥ Home Assistant's fires/s", fires < found["peer fire"]["fires"]),
        ]
    return wanted


def show(found: dict[str, Measured], rules: int, rounds: int, peer: str) -> None:
    """Print the table."""
    print(
        f"\n{rules:,} rules, Python {sys.version.split()[0]}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f},"
        f" one durable write {durable_write():.2f} ms, median of {rounds} round(s)\n"
    )
    ours = f"zhixing {version('zhixing')}, SQLite WAL, synchronous=FULL"
    print(f"| case | figure | {ours} | {peer} | ours / theirs |")
    print("|---|---|---|---|---|")
    for name, case in CASES.items():
        for figure, value in found[name].items():
            theirs = found.get(f"peer {case.peer}", {}).get(figure)
            row = f"| {name} | {FIGURES[figure]} | {written(value)} |"
            print(f"{row} – | – |" if theirs is None else f"{row} {written(theirs)} | {value / theirs:.2f} |")


FIGURES = {
    "batched": "events/s",
    "single": "events/s, one at a time",
    "fires": "fires/s",
    "p50": "late p50, ms",
    "p99": "late p99, ms",
    "max": "late max, ms",
    "last": "the last is late, ms",
    "memory": "memory, MB",
}


def written(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


def durable_write() -> float:
    """Return the milliseconds of one small write that is on disk, the median of 200."""
    with tempfile.NamedTemporaryFile() as file:
        taken = []
        for _ in range(200):
            began = time.perf_counter()
            os.pwrite(file.fileno(), b"x" * 4096, 0)
            os.fdatasync(file.fileno())
            taken.append(1000 * (time.perf_counter() - began))
    return statistics.median(taken)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--rules", type=int, default=1_000)
    options.add_argument("--share", type=float, default=1.0, help="part of the events to be sent, for a quick look")
    options.add_argument("--alone", action="store_true", help="leave Home Assistant out")
    options.add_argument("--disk", help="folder to keep the databases in (default: the temporary one)")
    chosen = options.parse_args()
    rounds = []
    for number in range(chosen.rounds):
        rounds.append(one_round(chosen.rules, chosen.share, chosen.disk, alone=chosen.alone))
        print(f"round {number + 1}: {json.dumps(rounds[-1])}", file=sys.stderr)
    found = middle(rounds)
    peer = "–" if chosen.alone else f"Home Assistant {rounds[0]['peer arm']['version']}, nothing on disk"
    show(found, chosen.rules, chosen.rounds, peer)
    wanted = bars(found)
    print()
    for bar, is_missed in wanted:
        print(f"- {bar}: {'NOT REACHED' if is_missed else 'reached'}")
    sys.exit(any(is_missed for _, is_missed in wanted))


if __name__ == "__main__":
    main()
