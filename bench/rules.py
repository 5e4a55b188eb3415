"""What a thousand rules cost: ours, with every change on disk, beside Home Assistant, which keeps nothing there.

    make bench-rules [ARGS='--rounds 3']

The subjects take turns, each case in a process of its own; the table shows the median of the rounds. An event is what
one sensor says. Ours come in by batches, as a bridge hands on what it heard, and are on disk when the call returns.

- arm: each rule on a sensor of its own, whose condition must hold for an hour: every event arms or cancels, none fires.
- write, call: each rule on a sensor of its own, at once: every second event fires, and a property is written, or an
  action called. A fire is over when the device was told; ours counts only when its outcome is on disk, too. Late is
  from the event until the device is told, one event at a time.
- one: all rules on one sensor, whose condition must hold for an hour: every event arms or cancels all of them.
- due: each rule on a sensor of its own, whose condition must hold for a second, all at once: how late the last acts.

Exit code 1 when ours misses one of the bars it prints. `--alone` leaves Home Assistant out, and the bars that need it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from zhixing.delivery.operations import Delivery
from zhixing.engine.embedded import EmbeddedEngine
from zhixing.household.doing.model import Household
from zhixing.household.doing.operations import Doing
from zhixing.kernel.clock import SystemClock
from zhixing.store.connection import Store
from zhixing.store.migrations import migrate
from zhixing.store.opening import open_store, sqlite_url
from zhixing.tasks.operations import Tasks
from zhixing.tasks.records.operations import Records
from zhixing.tasks.rules.model import DeviceAction, Mode, Plan, Response, Trigger
from zhixing.tasks.rules.operations import Rules
from zhixing.tasks.scheduling import Scheduling
from zhixing.tasks.task import Way
from zhixing.world.devices.port import ActionSpec, Camera, Device, DeviceSpec, Done, Level, Person, PropertySpec, Result
from zhixing.world.perception.verdict import Value, Verdict

BENCH = Path(__file__).parent
PEER = (str(BENCH.parent / ".services/ha-venv/bin/python"), str(BENCH / "ha_peer.py"))
BATCH = 256
"""Events handed in at once."""
QUERY = "有人"
ZONE = "Asia/Shanghai"
PATIENCE = 60.0

SWITCH, FLASH = "prop.2.1", "action.2.1"
WRITE = DeviceAction("", SWITCH, value=True)
CALL = DeviceAction("", FLASH, idempotent=False)
LAMP = DeviceSpec(
    "", (PropertySpec(SWITCH, "on", "bool", readable=True, writable=True),), (ActionSpec(FLASH, "flash"),)
)

Measured = dict[str, float]
Event = tuple[str, Value]


class Lamps:
    """A hub with a lamp for each rule, in memory. It notes when a lamp is told something.

    A lamp goes out again as soon as somebody has seen it lit, so that the next rule that lights it finds it dark.
    """

    def __init__(self, count: int) -> None:
        self.told: list[float] = []
        self._lit = dict.fromkeys((f"d{n}" for n in range(count)), False)
        self._wanted = 0
        self._enough = threading.Event()

    def devices(self) -> Sequence[Device]:
        return [Device(did, did, "客厅", "light", "bench.light", online=True) for did in self._lit]

    def spec(self, did: str) -> DeviceSpec:
        return DeviceSpec(did, LAMP.properties, LAMP.actions)

    def cameras(self) -> Sequence[Camera]:
        return ()

    def people(self) -> Sequence[Person]:
        return ()

    def read(self, did: str, _iid: str) -> Result:
        lit, self._lit[did] = self._lit[did], False
        return Done(lit)

    def write(self, did: str, _iid: str, value: Level) -> Result:
        self._lit[did] = bool(value)
        return self._note()

    def act(self, _did: str, _iid: str, _params: Sequence[Level]) -> Result:
        return self._note()

    def _note(self) -> Result:
        self.told.append(time.perf_counter())
        if len(self.told) == self._wanted:
            self._enough.set()
        return Done()

    def expect(self, count: int) -> None:
        """Count anew, up to as many."""
        self.told.clear()
        self._wanted = count
        self._enough.clear()

    def wait(self) -> None:
        """Wait until as many were told as are expected."""
        if not self._enough.wait(PATIENCE):
            sys.exit(f"only {len(self.told)} of {self._wanted} devices were told")


@dataclass(frozen=True, slots=True)
class Home:
    """A home of rules: our rooms wired as the program wires them, without its faces."""

    store: Store
    clock: SystemClock
    rules: Rules
    lamps: Lamps

    def hear(self, events: list[Event]) -> None:
        """Hand in what sensors say now. It is on disk when this returns."""
        now = self.clock.now
        self.rules.ingest([Verdict(source, QUERY, value, now(), firm=True, lasting=True) for source, value in events])

    def warm(self, sources: Sequence[str]) -> None:
        """Let everything happen once before it is measured."""
        for value in (Value.FALSE, Value.TRUE, Value.FALSE):
            self.hear([(source, value) for source in sources])
        self.settle()

    def react(self, source: str) -> float:
        """Return the milliseconds from an event until the device is told."""
        self.lamps.expect(1)
        began = time.perf_counter()
        self.hear([(source, Value.TRUE)])
        self.lamps.wait()
        self.hear([(source, Value.FALSE)])
        return 1000 * (self.lamps.told[0] - began)

    def rate(self, events: list[Event], batch: int) -> float:
        """Return events per second."""
        began = time.perf_counter()
        for first in range(0, len(events), batch):
            self.hear(events[first : first + batch])
        return len(events) / (time.perf_counter() - began)

    def settle(self) -> None:
        """Wait until every occurrence has ended, and see that it ended well."""
        until = time.perf_counter() + PATIENCE
        while (states := self.states()).keys() - {"done"}:
            if time.perf_counter() > until:
                sys.exit(f"occurrences are left over: {states}")
            time.sleep(0.005)

    def states(self) -> dict[str, int]:
        """Return how many occurrences are in each state."""
        with self.store.read() as tx:
            return dict(tx.rows("SELECT state, count(*) FROM occurrences GROUP BY state"))


@contextmanager
def home(folder: Path, sources: Sequence[str], *, hold: int, answer: DeviceAction = WRITE) -> Iterator[Home]:
    """Open a home with a task and a rule for each of `sources`, and start it. Rules on one source wait differently."""
    clock = SystemClock()
    store = open_store(sqlite_url(folder / "rules.db"))
    migrate(store, clock)
    lamps = Lamps(len(sources))
    engine = EmbeddedEngine(store, clock, owner="bench")
    tasks, rules = wire(store, engine, clock, lamps)
    for number, source in enumerate(sources):
        with store.write() as tx:
            task = tasks.create(tx, title=f"任务{number}", way=Way.HOUSEHOLD, zone_name=ZONE, who="bench")
            wait = hold + number if sources[0] == sources[-1] else hold
            rules.create(tx, task.id, plan(number, source, wait, answer), who="bench")
    rules.take_up()
    engine.start()
    try:
        yield Home(store, clock, rules, lamps)
    finally:
        engine.stop()
        store.close()


def wire(store: Store, engine: EmbeddedEngine, clock: SystemClock, hub: Lamps) -> tuple[Tasks, Rules]:
    """Wire the rooms as the program does, without faces, channels and records."""
    scheduling = Scheduling(store, engine, clock)
    records = Records(engine, clock)
    delivery = Delivery(engine, clock, {}, lambda _tx, _message: None)
    doing = Doing(
        store,
        engine,
        clock,
        hub=hub,
        records=records,
        delivery=delivery,
        scheduling=scheduling,
        channels={},
        household=Household(lambda _tx, _id: None, lambda _tx, _slug: None, lambda _tx, _id: None),
    )
    rules = Rules(store, engine, clock, cameras=lambda: (), fired=doing.fired, target_at=records.target_at)
    return Tasks(engine, clock, (rules.on_status_change, doing.on_status_change)), rules


def plan(number: int, source: str, hold: int, answer: DeviceAction) -> Plan:
    """Make a rule that nothing holds back: no cooldown, and not stopped however often it fires."""
    trigger = Trigger(QUERY, (source,), mode=Mode.EVENT, duration=hold, expiry=None)
    response = Response((DeviceAction(f"d{number}", answer.iid, answer.value, (), answer.idempotent, 0),))
    return Plan(f"规则{number}", trigger, on_enter=response, limit=None)


def sensors(count: int) -> list[str]:
    return [f"s{number}" for number in range(count)]


def flips(sources: Sequence[str], events: int) -> list[Event]:
    """Every source true, then every one false, and again."""
    return [(sources[n % len(sources)], Value.FALSE if n // len(sources) % 2 else Value.TRUE) for n in range(events)]


def arm(folder: Path, rules: int, events: int) -> Measured:
    sources = sensors(rules)
    with home(folder, sources, hold=3600) as ours:
        ours.warm(sources)
        batched = ours.rate(flips(sources, events), BATCH)
        single = ours.rate(flips(sources, events // 4), 1)
        if ours.states():
            sys.exit("something fired that should not have")
    return {"batched": batched, "single": single}


def fire(folder: Path, rules: int, events: int, answer: DeviceAction) -> Measured:
    sources = sensors(rules)
    sent = flips(sources, events)
    fires = sum(value is Value.TRUE for _, value in sent)
    with home(folder, sources, hold=0, answer=answer) as ours:
        ours.warm(sources)
        before = ours.states().get("done", 0)
        ours.lamps.expect(fires)
        began = time.perf_counter()
        ours.rate(sent, BATCH)
        ours.lamps.wait()
        ours.settle()
        batched = events / (time.perf_counter() - began)
        if ours.states() != {"done": before + fires}:
            sys.exit(f"{ours.states()} are not {before + fires} fires")
        ours.hear([(source, Value.FALSE) for source in sources])
        late = [ours.react(source) for source in sources[: events // 4]]
    return {"batched": batched, "fires": batched * fires / events} | spread(late)


def write(folder: Path, rules: int, events: int) -> Measured:
    return fire(folder, rules, events, WRITE)


def call(folder: Path, rules: int, events: int) -> Measured:
    return fire(folder, rules, events, CALL)


def one(folder: Path, rules: int, events: int) -> Measured:
    sources = ["s"]
    with home(folder, sources * rules, hold=3600) as ours:
        ours.warm(sources)
        batched = ours.rate(flips(sources, events), 1)
        if ours.states():
            sys.exit("something fired that should not have")
    return {"batched": batched}


def due(folder: Path, rules: int, _events: int) -> Measured:
    sources = sensors(rules)
    with home(folder, sources, hold=1) as ours:
        ours.hear([(source, Value.FALSE) for source in sources])
        ours.lamps.expect(rules)
        began = time.perf_counter()
        ours.hear([(source, Value.TRUE) for source in sources])
        ours.lamps.wait()
        last = max(ours.lamps.told) - began - 1
        ours.settle()
    return {"last": 1000 * last}


@dataclass(frozen=True, slots=True)
class Case:
    """One case: what measures ours, how many events it takes, and the same of the peer."""

    ours: Callable[[Path, int, int], Measured]
    events: int
    peer: str
    events_of_peer: int


CASES = {
    "arm": Case(arm, 20_000, "arm", 20_000),
    "write": Case(write, 8_000, "fire", 20_000),
    "call": Case(call, 8_000, "fire", 20_000),
    "one": Case(one, 1_000, "one", 40),
    "due": Case(due, 0, "due", 0),
}


def spread(late: list[float]) -> Measured:
    ranked = sorted(late)
    return {"p50": ranked[len(ranked) // 2], "p99": ranked[int(len(ranked) * 0.99)], "max": ranked[-1]}


def here(case: str, rules: int, events: int, disk: str | None) -> Measured:
    """Measure ours in this process, in a folder of its own."""
    with tempfile.TemporaryDirectory(dir=disk) as folder:
        measured = CASES[case].ours(Path(folder), rules, events)
    return measured | {"memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


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
        events = str(int(case.events * share))
        found[name] = apart(sys.executable, __file__, "--case", name, "--rules", str(rules), "--events", events, *at)
        peer = f"peer {case.peer}"
        if not alone and peer not in found:
            events = str(int(case.events_of_peer * share))
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
    late = max(found["write"]["p99"], found["call"]["p99"])
    wanted = [
        ("p99 from the event to the device ≤ 2 ms", late > 2),
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
    options.add_argument("--case", choices=CASES, help="measure one case of ours here and print JSON")
    options.add_argument("--events", type=int, help="of that case")
    chosen = options.parse_args()
    if chosen.case:
        events = CASES[chosen.case].events if chosen.events is None else chosen.events
        print(json.dumps(here(chosen.case, chosen.rules, events, chosen.disk)))
        return
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
