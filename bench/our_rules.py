"""One case of bench/rules.py for ours: the rooms of a home wired as the program wires them, on a database of its own.

    .services/bench-venv/bin/python bench/our_rules.py arm [--rules 1000] [--events 20000] [--disk FOLDER]

Prints one line of JSON. The engine runs in the background; the devices are lamps in memory.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

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


CASES: dict[str, Callable[[Path, int, int], Measured]] = {
    "arm": arm,
    "write": write,
    "call": call,
    "one": one,
    "due": due,
}


def spread(late: list[float]) -> Measured:
    ranked = sorted(late)
    return {"p50": ranked[len(ranked) // 2], "p99": ranked[int(len(ranked) * 0.99)], "max": ranked[-1]}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("case", choices=CASES)
    options.add_argument("--rules", type=int, default=1_000)
    options.add_argument("--events", type=int, default=8_000)
    options.add_argument("--disk", help="folder to keep the database in (default: the temporary one)")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(dir=chosen.disk) as folder:
        measured = CASES[chosen.case](Path(folder), chosen.rules, chosen.events)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(measured | {"memory": memory}))


if __name__ == "__main__":
    main()
