"""Lives of a home with household tasks, each up to the step at which it is killed.

    householder.py

Reads a line of JSON for each life (`database`, `log`, `step`, `begin`, `pause`, `company`), lives it in a process of
its own, and prints how that ended: 0, or less the signal. The days of a home are the `ACTS`: plans are applied, cameras
judge, people change their minds. A life begins with the act that the one before did not finish, `pause` seconds late,
and asks again for what nobody acknowledged. In the company of others it waits for the leases of the dead to end.

Every write transaction has a name: that of the act, or what the engine does with a job (`start`, `mark`, `done`), or
`home` for one of the virtual home, and the second. STEP is `before` or `after` such a name for its commit, `inside NAME
at TABLE` for a statement that was run and not committed, `commanding DEVICE SECOND` or `commanded DEVICE SECOND` around
a command, `sending CHANNEL SECOND` or `sent CHANNEL SECOND` around a letter, the number of one among all of these, or
`never`.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

from zhixing.app import App, build
from zhixing.engine import ledger
from zhixing.household.plan import read_plan
from zhixing.household.revisions import Kind
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.errors import Conflict, NotFound
from zhixing.kernel.moments import from_micros, parse_instant
from zhixing.settings import HomeZone, ZoneSource
from zhixing.store.connection import Store, Tx
from zhixing.store.opening import open_store
from zhixing.world.channels.port import Delivered, Letter
from zhixing.world.devices.homeplan import default_home
from zhixing.world.devices.port import Level, Result
from zhixing.world.devices.stored import StoreKeeper
from zhixing.world.devices.virtual import VirtualHome
from zhixing.world.perception.verdict import Value, Verdict

BEGIN = parse_instant("2026-10-12T10:00:00+08:00")
ZONE = HomeZone("Asia/Shanghai", ZoneSource.CONFIG)
CAMERA, LAMP, SPEAKER = "cam_living", "light_living", "speaker_living"
PHONE, CUP, PEOPLE = "用户手持手机", "用户举杯喝水", "客厅里有人"
LONGEST_WAIT = 3_600
"""Seconds after which what was lost again and again has been tried again."""
WHO = "chaos"

PLANS: dict[str, dict[str, Any]] = {
    "phone": {
        "task": {"task_id": "phone", "description": "玩手机够了提醒", "lifecycle": "permanent"},
        "record": {"kind": "duration", "content": {"target_minutes": 2, "recurring_pattern": {"window": "day"}}},
        "rules": [
            {
                "name": "玩手机",
                "mode": "state",
                "condition": PHONE,
                "source": CAMERA,
                "duration_seconds": 5,
                "exit_debounce_seconds": 4,
                "on_enter_desc": "记录计时起点",
                "on_exit_desc": "结束计时；使用手机推送通知：放下了",
                "on_target_desc": "使用手机推送通知：够了",
            }
        ],
    },
    "cups": {
        "task": {"task_id": "cups", "description": "喝够 3 杯水", "lifecycle": "permanent"},
        "record": {
            "kind": "progress",
            "content": {"target": 3, "unit": "杯", "window": "day", "recurring_pattern": {"window": "day"}},
        },
        "rules": [
            {
                "name": "喝水",
                "mode": "event",
                "condition": CUP,
                "source": CAMERA,
                "action_desc": "喝水次数加一；首次达标时使用手机推送通知：恭喜",
            }
        ],
    },
    "lamp": {
        "task": {"task_id": "lamp", "description": "有人开灯，没人关灯", "lifecycle": "permanent"},
        "record": None,
        "rules": [
            {
                "name": "开灯",
                "mode": "state",
                "condition": PEOPLE,
                "source": CAMERA,
                "exit_debounce_seconds": 4,
                "on_enter_actions": [
                    {"did": LAMP, "iid": "prop.on", "value": True},
                    {
                        "did": SPEAKER,
                        "iid": "action.play-text",
                        "params": ["欢迎"],
                        "idempotent": False,
                        "cooldown_minutes": 1,
                    },
                ],
                "on_exit_actions": [{"did": LAMP, "iid": "prop.on", "value": False}],
            }
        ],
    },
}


class Act(NamedTuple):
    """Something that happens `second` seconds after the beginning; `what` is a method of `Life`."""

    second: int
    what: str
    told: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What its transaction is called."""
        return f"verdicts {self.second}" if self.what == "see" else " ".join((self.what, *self.told))


SEEN = (
    (5, "TFT"),  # people enter at 5; the phone counts from 5, and enters at 10
    (16, "TTT"),  # the first cup
    (20, "TFF"),  # people leave at 20, which is told at 24
    (90, "TTT"),  # people enter at 90, long after 5; the third cup
    (96, "TFF"),  # people leave at 96, which is told at 100
    (110, "TFU"),
    (116, "TFF"),  # the target of the phone is reached at 125
    (170, "TFT"),  # people enter at 170
    (173, "FFF"),  # phone and people leave at 173: an end at 177, and no exit
    (250, "FFT"),  # people enter at 250
    (256, "FFF"),  # and leave at 256, which is told at 260
)
"""From which second on the camera sees what: a phone, a cup, people. It judges each change twice."""
CALM = (12, 27, 50, 102, 127, 150, 179, 210, 262, 267)
"""When it judges besides, among others after everything that comes of time alone."""
DECIDED = (
    *(Act(0, "apply", (slug,)) for slug in PLANS),
    Act(30, "count"),  # the second cup, by hand
    Act(98, "change"),  # the lamp goes out at 102 now,
    Act(99, "undo"),  # no, at 100 after all
    Act(175, "disable", ("lamp",)),
    Act(188, "enable", ("lamp",)),
    Act(263, "end", ("cups",)),
)
END = 270


def judged() -> list[Act]:
    """Return when the camera judges."""
    seconds = {*CALM, *(at + more for at, _ in SEEN for more in (0, 1))}
    return [Act(second, "see", (next(said for at, said in reversed(SEEN) if at <= second),)) for second in seconds]


ACTS: tuple[Act, ...] = tuple(sorted([*DECIDED, *judged()], key=lambda act: act.second))

_NAMES = {"household.act": "act", "rules.wake": "wake"}
_TABLE = re.compile(r"(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)")


class Killed:
    """Kills this very process at the step it was born for, the first time it comes to it."""

    def __init__(self, step: str) -> None:
        self._step = step
        self._passed = 0

    def at(self, step: str) -> None:
        self._passed += 1
        if self._step in (step, str(self._passed)):
            os.kill(os.getpid(), signal.SIGKILL)


class Names:
    """What is under way is called, by the act, by what is done and by when."""

    def __init__(self, clock: ManualClock) -> None:
        self.act = ""
        self._clock = clock
        self._jobs: dict[str, str] = {}
        self._counted: Counter[str] = Counter()

    def now(self, name: str) -> str:
        """Return a name with the second; what happens again in it is numbered."""
        at = f"{name} {(self._clock.now() - BEGIN) // timedelta(seconds=1)}"
        self._counted[at] += 1
        return at if self._counted[at] == 1 else f"{at} #{self._counted[at]}"

    def of_job(self, verb: str, key: str) -> str:
        """Return the name of the next transaction about a job."""
        return self.now(f"{verb} {self._jobs[key]}")

    def note(self, key: str, name: str) -> None:
        """Note what a job is for."""
        self._jobs[key] = _NAMES.get(name, name.rpartition(".")[2])


class Watched:
    """A transaction that keeps in mind what was done in it, and in which the process may be killed."""

    def __init__(self, inner: Tx, names: Names, killed: Killed) -> None:
        self._inner = inner
        self._names = names
        self._killed = killed
        self.name = ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def execute(self, sql: str, params: Any = ()) -> int:
        if sql == ledger.DONE:
            self._call(self._names.of_job("done", params[1]))
        changed = self._inner.execute(sql, params)
        self._done(sql)
        return changed

    def many(self, sql: str, rows: Any) -> int:
        given = list(rows)
        if sql == ledger.EXTEND and given:
            self._call(self._names.of_job("mark", given[0][1]))
        changed = self._inner.many(sql, given)
        self._done(sql)
        return changed

    def rows(self, sql: str, params: Any = ()) -> Any:
        found = self._inner.rows(sql, params)
        if sql.startswith("UPDATE jobs SET state = 'running'") and found:
            self._names.note(*found[0][:2])
            self._call(self._names.of_job("start", found[0][0]))
        return found

    def _call(self, name: str) -> None:
        self.name = self.name or name

    def _done(self, sql: str) -> None:
        table = _TABLE.match(sql)
        if table is None:
            return
        if table[1].startswith("virtual_"):
            self.name = self.name or self._names.now("home")
        self._killed.at(f"inside {self.name or self._names.act} at {table[1]}")


class Mortal:
    """A store at whose commits the process may be killed."""

    def __init__(self, inner: Store, names: Names, killed: Killed, log: Path) -> None:
        self._inner = inner
        self._names = names
        self._killed = killed
        self._log = log

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    @contextmanager
    def write(self) -> Iterator[Any]:
        with self._inner.write() as tx:
            watched = Watched(tx, self._names, self._killed)
            yield watched
            name = watched.name or self._names.act or self._names.now("engine")
            self._killed.at(f"before {name}")
        self._killed.at(f"after {name}")
        note(self._log, f"committed {name}")


class Home(VirtualHome):
    """The virtual home, on whose doorstep the process may be killed."""

    def __init__(self, keeper: StoreKeeper, names: Names, killed: Killed) -> None:
        super().__init__(default_home(), keeper)
        self._names = names
        self._killed = killed

    def write(self, did: str, iid: str, value: Level) -> Result:
        return self._around(did, lambda: super(Home, self).write(did, iid, value))

    def act(self, did: str, iid: str, params: Sequence[Level]) -> Result:
        return self._around(did, lambda: super(Home, self).act(did, iid, params))

    def _around(self, did: str, command: Callable[[], Result]) -> Result:
        self._killed.at(self._names.now(f"commanding {did}"))
        result = command()
        self._killed.at(self._names.now(f"commanded {did}"))
        return result


class Phone:
    """A receiver that writes down what it takes, and drops what it has already if it is said to."""

    def __init__(self, name: str, log: Path, names: Names, killed: Killed) -> None:
        self.name = name
        self.idempotent = name == "keyed"
        self._log = log
        self._names = names
        self._killed = killed

    def send(self, letter: Letter) -> Delivered:
        self._killed.at(self._names.now(f"sending {self.name}"))
        line = f"told {self.name} {letter.key} {letter.text}"
        if not (self.idempotent and line in self._log.read_text(encoding="utf-8").splitlines()):
            note(self._log, line)
        self._killed.at(self._names.now(f"sent {self.name}"))
        return Delivered()


def note(log: Path, line: str) -> None:
    """Write a line that outlives this process."""
    with log.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")


class Life:
    """One life, from an act on."""

    def __init__(self, database: str, log: Path, killed: Killed, begin: int = 0, pause: float = 0) -> None:
        self._log = log
        self._begin = begin
        self._acknowledged = max((act.second for act in ACTS[:begin] if act.what == "see"), default=-1)
        self.clock = ManualClock(BEGIN + timedelta(seconds=(ACTS[begin].second if begin < len(ACTS) else END) + pause))
        self._names = Names(self.clock)
        self._store = Mortal(open_store(database), self._names, killed, log)
        phones = {name: Phone(name, log, self._names, killed) for name in ("plain", "keyed")}
        hub = Home(StoreKeeper(self._store, self.clock), self._names, killed)
        self.app: App = build(self._store, self.clock, ZONE, phones, hub=hub, phone=tuple(phones))

    def live(self, company: str) -> None:
        """Live to the end of the days, or as long as one is let."""
        if company == "alone":
            self.app.engine.reclaim_all()
        self.app.recover()
        for number in range(self._begin, len(ACTS)):
            self.pass_until(ACTS[number].second)
            self.do(number)
            self.app.engine.drain()
        self.pass_until(END + LONGEST_WAIT)

    def close(self) -> None:
        """Close the database."""
        self._store.close()

    def do(self, number: int) -> None:
        """Do what comes next; say when it is done."""
        act = ACTS[number]
        self._names.act = act.name
        try:
            getattr(self, act.what)(*act.told)
        finally:
            self._names.act = ""
        note(self._log, f"did {number}")

    # Acts

    def apply(self, slug: str) -> None:
        with suppress(Conflict):  # it was not told that it had been done
            self.app.household.apply(read_plan(PLANS[slug]), who=WHO)

    def see(self, _values: str) -> None:
        """Send all verdicts up to now that nobody acknowledged, as a camera does."""
        now = int((self.clock.now() - BEGIN).total_seconds())
        self.app.rules.ingest([verdict for at, verdict in all_verdicts() if self._acknowledged < at <= now])
        self._acknowledged = now

    def count(self) -> None:
        task_id = self.app.household.get("cups").task.id
        with self._store.write() as tx:
            self.app.records.increment(tx, task_id, 1, at=BEGIN + timedelta(seconds=30), key="by hand", who=WHO)

    def change(self) -> None:
        self.app.household.update_rule(self._lamp_rule(), {"exit_debounce_seconds": 6}, who=WHO)

    def undo(self) -> None:
        if self.app.household.revisions("lamp")[0].kind is not Kind.UNDO:
            self.app.household.undo("lamp", who=WHO)

    def disable(self, slug: str) -> None:
        self.app.household.disable(slug, who=WHO)

    def enable(self, slug: str) -> None:
        self.app.household.enable(slug, who=WHO)

    def end(self, slug: str) -> None:
        with suppress(NotFound):
            self.app.household.delete(slug, who=WHO)

    # Time

    def pass_until(self, second: float) -> None:
        """Let time pass, stopping wherever the engine has something to do."""
        end = BEGIN + timedelta(seconds=second)
        self.app.engine.drain()
        while self.clock.now() < end:
            due = self._next_job()
            stop = end if due is None else min(end, max(due, self.clock.now()))
            # Something is due that cannot be started: a lease has to end.
            self.clock.advance(stop - self.clock.now() or timedelta(seconds=1))
            self.app.engine.drain()

    def _next_job(self) -> Any:
        with self._store.read() as tx:
            slots = ledger.pending(tx, None, 1)
        return from_micros(slots[0].ready) if slots else None

    def _lamp_rule(self) -> str:
        return self.app.household.get("lamp").rules[0].id


def all_verdicts() -> list[tuple[int, Verdict]]:
    """Return everything that is judged in the days of the home, with its second."""
    meanings = {"T": Value.TRUE, "F": Value.FALSE, "U": Value.UNKNOWN}
    return [
        (act.second, Verdict(CAMERA, query, meanings[letter], BEGIN + timedelta(seconds=act.second)))
        for act in ACTS
        if act.what == "see"
        for query, letter in zip((PHONE, CUP, PEOPLE), act.told[0], strict=True)
    ]


def main() -> None:
    """Live the lives that are asked for, one after the other."""
    for line in sys.stdin:
        asked = json.loads(line)
        born = os.fork()
        if born == 0:
            ended = 1
            try:
                killed = Killed(asked["step"])
                life = Life(asked["database"], Path(asked["log"]), killed, asked["begin"], asked["pause"])
                life.live(asked["company"])
                life.close()
                ended = 0
            except BaseException:  # noqa: BLE001 - whatever it is, the one who asked has to see it
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(ended)
        _, status = os.waitpid(born, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)  # noqa: T201 - the answer


if __name__ == "__main__":
    main()
