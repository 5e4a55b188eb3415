"""A home as it is lived in: what the program wires, cameras with their rhythm, a phone and a speaker that note when.

Time passes from one instant at which anything is due or seen to the next. What happens stands in scripts, a line each:

    10-12 20:00:00  0:04:50  living_room_off  yes  cam_living     cameras judge, for so long; unless named, those of the
                                                                  rule, or the one in the living room
    10-12 20:16:00  hand  light_living  on  true                  somebody sets a property
    10-12 20:17:00  type  task disable living_room_off            somebody types a command
    10-12 20:18:00  say   久坐30分钟提醒一下 | 手机                 somebody says something, and what is answered

Local times have a `*` where they come for the second time in a night. What no line tells of is seen by nobody.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import groupby
from typing import Any

from tests.faces.miloco.scripts import PLACEHOLDERS, run_example

from zhixing.app import App, build
from zhixing.engine import ledger
from zhixing.household.talking.talk import Talk
from zhixing.household.terminations import Termination
from zhixing.household.viewing import LineKind, Log, LogLine
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import Exact, Overlap, from_micros, locate, zone
from zhixing.settings import HomeZone, ZoneSource
from zhixing.store.connection import Store
from zhixing.tasks.rules.model import Trigger
from zhixing.world.channels.memory import MemoryChannel
from zhixing.world.channels.port import Letter, Receipt
from zhixing.world.devices.homeplan import default_home
from zhixing.world.devices.port import Done
from zhixing.world.devices.stored import StoreKeeper
from zhixing.world.devices.virtual import VirtualHome
from zhixing.world.perception.verdict import Value, Verdict

SHANGHAI = "Asia/Shanghai"
SPEAKER = "speaker_living"
RHYTHM = timedelta(seconds=4)
"""Between two verdicts of a camera while something happens."""
CALM = timedelta(seconds=100)
"""Between two in the middle of what goes on and on."""
EDGE = timedelta(seconds=20)
"""How long its beginning and its end are."""
VALUES = {"yes": Value.TRUE, "no": Value.FALSE, "unknown": Value.UNKNOWN}


class Phone(MemoryChannel):
    """A receiver outside of the home: it notes when each letter came."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__("phone")
        self.came: list[tuple[datetime, str]] = []
        self._clock = clock

    def send(self, letter: Letter) -> Receipt:
        receipt = super().send(letter)
        self.came.append((self._clock.now(), letter.text))
        return receipt


@dataclass(frozen=True)
class Seen:
    """What cameras see of one rule for a while; without a span, once."""

    slug: str
    start: datetime
    span: timedelta
    value: Value
    cameras: tuple[str, ...]

    def instants(self) -> Iterator[datetime]:
        """Yield when a camera judges: closely at both ends, now and then between."""
        at, end = self.start, self.start + self.span
        while True:
            yield at
            at += CALM if at >= self.start + EDGE and at + CALM <= end - EDGE else RHYTHM
            if at >= end:
                return


@dataclass(frozen=True)
class Act:
    """Something that somebody does."""

    at: datetime
    do: Callable[[], None]


class Life:
    """Everything that runs in one home, and whoever lives there.

    Where it `restarts`, everything is closed and opened anew before each step of a script, and in its middle. Verdicts
    come `lag` after the instant they are about.
    """

    def __init__(
        self,
        home: Any,
        clock: ManualClock,
        *,
        terminal: Any = None,
        zone_name: str = SHANGHAI,
        restarts: bool = False,
        lag: timedelta = timedelta(0),
    ) -> None:
        self.clock = clock
        self.terminal = terminal
        self.zone = zone(zone_name)
        self.phone = Phone(clock)
        self._home = home
        self._zone_name = zone_name
        self._restarts = restarts
        self._lag = lag
        self.talked: list[str] = []
        self._triggers: dict[str, Trigger] = {}
        self._open(home.store)

    def _open(self, store: Store) -> None:
        self.hub = VirtualHome(default_home(), StoreKeeper(store, self.clock))
        self.app: App = build(
            store,
            self.clock,
            HomeZone(self._zone_name, ZoneSource.CONFIG),
            {"phone": self.phone},
            hub=self.hub,
            phone=("phone",),
            speaker=SPEAKER,
        )
        self.app.recover()

    def restart(self) -> None:
        """Close everything and open it again, as after the end of the process."""
        self._open(self._home.reopen())

    def script(self, number: int) -> None:
        """Type an example of the document."""
        done = run_example(number, self.terminal, {**PLACEHOLDERS, "<家庭时区>": self._zone_name})
        assert all(each.code == 0 for each in done), done

    def say(self, text: str, *answers: str) -> Talk:
        """Say something, and answer what is asked."""
        talk = self.app.talks.say(text, who="family")
        for answer in answers:
            talk = self.app.talks.answer(talk.id, answer, who="family")
        self._note(talk)
        return talk

    def _note(self, talk: Talk) -> None:
        """Write down what was said, and what was said back."""
        self.talked.append(
            f"{self.local(self.clock.now())} {talk.text} → {talk.state.value} {' '.join(talk.tasks)}".rstrip()
        )
        self.talked.extend(f"    {line}" for line in (*talk.prompt.splitlines(), *talk.lines))

    # Time passes

    def at(self, local: str) -> datetime:
        """Return the instant of a local time of the year it is in the home."""
        year = self.clock.now().astimezone(self.zone).year
        found = locate(datetime.fromisoformat(f"{year}-{local.removesuffix('*').replace(' ', 'T')}"), self.zone)
        if isinstance(found, Overlap):
            return (found.second if local.endswith("*") else found.first).astimezone(UTC)
        assert isinstance(found, Exact), f"{local} never comes"
        return found.at.astimezone(UTC)

    def local(self, at: datetime) -> str:
        """Write an instant as `at` reads it, with what it has below the second."""
        here = at.astimezone(self.zone)
        twice = isinstance(locate(here.replace(tzinfo=None, fold=0), self.zone), Overlap) and here.fold
        below = f".{here:%f}".rstrip("0").rstrip(".")
        return f"{here:%m-%d %H:%M:%S}{below}{'*' if twice else ''}"

    def play(self, script: str, until: str | None = None) -> None:
        """Live through a script."""
        steps = [self._read(line) for line in script.strip().splitlines()]
        seen = [step for step in steps if isinstance(step, Seen)]
        acts = [step for step in steps if isinstance(step, Act)]
        ends = [one.start + one.span for one in seen] + [act.at for act in acts]
        if self._restarts:
            breaks = {at for one in seen for at in (one.start, one.start + one.span / 2)}
            acts = [*(Act(at, self.restart) for at in sorted(breaks)), *acts]
        verdicts = [verdict for one in seen for verdict in self._judged(one)]
        self.live(verdicts, acts, self.at(until) if until is not None else max(ends))

    def until(self, local: str) -> None:
        """Let time pass in which no camera sees anything."""
        self.live((), (), self.at(local))

    def live(self, verdicts: Iterable[Verdict], acts: Iterable[Act], end: datetime) -> None:
        """Live until an instant, with what is due at it; what is done at an instant comes before what is seen then."""
        in_order = sorted(verdicts, key=lambda verdict: verdict.at)
        seen = [
            Act(at + self._lag, partial(self._ingest, list(group)))
            for at, group in groupby(in_order, lambda verdict: verdict.at)
        ]
        coming = sorted((*acts, *seen), key=lambda act: act.at)
        coming.reverse()
        due = self._settle()
        while coming or self.clock.now() < end:
            at = min(filter(None, (due, coming[-1].at if coming else end)))
            self.clock.advance(max(at - self.clock.now(), timedelta(0)))
            while coming and coming[-1].at <= at:
                coming.pop().do()
            due = self._settle()

    def _ingest(self, verdicts: list[Verdict]) -> None:
        self.app.rules.ingest(verdicts)

    def _settle(self) -> datetime | None:
        """Do what is due; return when the next thing is."""
        while (due := self._due()) is not None and due <= self.clock.now():
            self.app.engine.drain()
        return due

    def _due(self) -> datetime | None:
        with self.app.store.read() as tx:
            slots = ledger.pending(tx, None, 1)
        return from_micros(slots[0].ready) if slots else None

    def _read(self, line: str) -> Seen | Act:
        day, clock, first, *rest = line.split()
        at = self.at(f"{day} {clock}")
        if first == "hand":
            did, name, value = rest
            return Act(at, lambda: self.hub.set_property(did, name, json.loads(value)) and None)
        if first == "type":
            argv = shlex.split(line)[3:]
            return Act(at, lambda: self.terminal(*argv).data and None)
        if first == "say":
            said = [part.strip() for part in line.split("say", 1)[1].split("|")]
            return Act(at, lambda: self.say(*said) and None)
        hours, minutes, seconds = map(int, first.split(":"))
        slug, value, *cameras = rest
        span = timedelta(hours=hours, minutes=minutes, seconds=seconds)
        return Seen(slug, at, span, VALUES[value], tuple(cameras))

    def _judged(self, seen: Seen) -> Iterable[Verdict]:
        if seen.slug not in self._triggers:
            # Cameras may go on judging it when the task has ended.
            (rule, *_) = self.app.household.get(seen.slug).rules
            self._triggers[seen.slug] = rule.plan.trigger
        trigger = self._triggers[seen.slug]
        for at in seen.instants():
            for camera in seen.cameras or trigger.sources or ("cam_living",):
                yield Verdict(camera, trigger.query, seen.value, at)

    # What became of it

    def log(self, slug: str) -> Log:
        """Return what happened to the last task of a name."""
        return self.app.household.logs(slug, limit=500)

    def books(self, slug: str) -> list[str]:
        """Write what was due of a task, in order: instant, direction of the rule or name of the job, state, reason."""
        lines = sorted(self.log(slug).lines, key=lambda line: (line.at, line.part))
        return [self._of_book(line) for line in lines if line.kind is LineKind.OCCURRENCE]

    def near_misses(self, slug: str) -> list[str]:
        """Write what came close, in order: when that was over, why, how long it held and how long it should have."""
        lines = sorted(self.log(slug).lines, key=lambda line: line.at)
        return [self._of_near_miss(line) for line in lines if line.kind is LineKind.NEAR_MISS]

    def record(self, slug: str) -> str:
        """Write how the present period of a record stands, as `days` does."""
        shape = self.terminal("task", "record", "get", slug).data
        return self._amount({**shape["record"], **shape["derived"]})

    def days(self, slug: str) -> list[str]:
        """Write the periods of a record that are over, in order: day, amount, target, and when that was reached."""
        lines = self.terminal("task", "record", "archive", "list", slug).data["archives"]
        return [f"{line['date'][5:]} {self._amount(line)}" for line in reversed(lines)]

    def told(self) -> list[str]:
        """Write what reached anybody, in order: instant, where, and the words."""
        spoken = [(at, f"speaker {text}") for at, text in self.hub.said(SPEAKER, 1_000)]
        came = [(at, f"phone {text}") for at, text in self.phone.came]
        return [f"{self.local(at)} {words}" for at, words in sorted(came + spoken)]

    def ends(self) -> list[str]:
        """Write how tasks ended, in order, and with what in the record."""
        return [self._of_end(end) for end in sorted(self.app.household.ended(), key=lambda end: end.at)]

    def value(self, did: str, iid: str) -> Any:
        """Return what a property shows."""
        read = self.hub.read(did, iid)
        assert isinstance(read, Done), read
        return read.value

    def commands(self, did: str) -> list[str]:
        """Write what devices were told to do, in order."""
        done = [one for one in self.hub.happenings(1_000, did) if one.by.value == "command"]
        return [f"{self.local(one.at)} {one.iid}={json.dumps(one.value)}" for one in done]

    def open_jobs(self) -> list[str]:
        """Return the names of the jobs that would still be started."""
        with self.app.store.read() as tx:
            return sorted(name for (name,) in tx.rows("SELECT name FROM jobs WHERE state IN ('pending', 'running')"))

    def _of_book(self, line: LogLine) -> str:
        assert line.occurrence is not None
        part = line.direction.value if line.direction is not None else line.name.partition("] ")[2]
        return " ".join(filter(None, (self.local(line.at), part, line.occurrence.state.value, line.why)))

    def _of_near_miss(self, line: LogLine) -> str:
        data = line.data or {}
        return f"{self.local(line.at)} {line.why} {data.get('held', 0):g}/{data.get('needed', 0):g}"

    def _of_end(self, end: Termination) -> str:
        last = end.snapshot or {}
        amount = last.get("current", last.get("accumulated_minutes"))
        return f"{self.local(end.at)} {end.slug} {end.reason.value}{'' if amount is None else f' with {amount}'}"

    def _amount(self, line: dict[str, Any]) -> str:
        if "target_minutes" in line:
            amount = f"{timedelta(seconds=line['accumulated_seconds'])} of {line['target_minutes']} min"
        else:
            amount = f"{line['current']} of {line['target']}"
        at = line["reached_at"]
        return f"{amount} reached {self.local(datetime.fromisoformat(at))}" if at else amount
