"""One life of a house that has a notice read by a model and tells its reminder, up to the step at which it is killed.

    reader.py DATABASE LOG INSTANT say|go-on STEP

Every write transaction has a name, by what it does; those of the engine alone are numbered. STEP is `before NAME` or
`after NAME` for its commit, `asking` while the model thinks, `replied` when its answer is there, `sending` or `sent`
around the hand-over of the reminder, or `never`. LOG gets a line for each commit, each question to the model and each
letter taken by a receiver, and is all that outlives a kill beside the database. Time is moved by hand, from INSTANT
through that of the reminder.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from zhixing.app import build
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import parse_instant
from zhixing.notices.model import Source, Submission
from zhixing.settings import HomeZone, ZoneSource
from zhixing.store.connection import Store, Tx
from zhixing.store.opening import open_store
from zhixing.world.channels.port import Delivered, Letter
from zhixing.world.models.port import Prompt
from zhixing.world.models.scripted import FunctionModel

TEXT = "明天下午3点开会，地点在三楼会议室，请带上电脑。如果来不了，提前在群里请假。"
NODE = {"kind": "start", "expression": "明天下午3点", "evidence": "明天下午3点开会", "leadMinutes": None}
ITEM = {
    "title": "开会",
    "action": "到三楼会议室开会",
    "evidence": "明天下午3点开会，地点在三楼会议室",
    "speaker": "user",
}
REPLY = {
    "version": 1,
    "transcript": None,
    "items": [
        {
            **ITEM,
            "details": ["请带上电脑", "如果来不了，提前在群里请假"],
            "nodes": [{**NODE, "leadEvidence": None}],
            "ambiguities": [],
            "sentOn": None,
        }
    ],
}

NAMES = {
    "take up": r"INSERT INTO rule_book",
    "keep": r"INSERT INTO notices ",
    "reply": r"UPDATE notices SET reply",
    "understand": r"UPDATE notices SET (?!reply).*\bstate\b",
    "claim": r"INSERT INTO occurrences",
    "settle": r"UPDATE messages SET .*\bstate\b",
}
"""What a transaction does, by the first of its statements that says so."""


class Killed:
    """Kills this very process at the step it was born for, the first time it comes to it."""

    def __init__(self, step: str) -> None:
        self._step = step

    def at(self, step: str) -> None:
        if step == self._step:
            os.kill(os.getpid(), signal.SIGKILL)


class Watched:
    """A transaction that keeps in mind what was done in it."""

    def __init__(self, inner: Tx) -> None:
        self._inner = inner
        self.name = "job"

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def execute(self, sql: str, params: Any = ()) -> int:
        plain = " ".join(sql.split())
        found = next((name for name, pattern in NAMES.items() if re.match(pattern, plain)), None)
        if self.name == "job" and found is not None:
            self.name = found
        return self._inner.execute(sql, params)


class Mortal:
    """A store at whose commits the process may be killed."""

    def __init__(self, inner: Store, killed: Killed, log: Path) -> None:
        self._inner = inner
        self._killed = killed
        self._log = log
        self._jobs = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    @contextmanager
    def write(self) -> Iterator[Any]:
        with self._inner.write() as tx:
            watched = Watched(tx)
            yield watched
            self._jobs += watched.name == "job"
            name = f"job {self._jobs}" if watched.name == "job" else watched.name
            self._killed.at(f"before {name}")
        self._killed.at(f"after {name}")
        note(self._log, f"committed {name}")


class Phone:
    """A receiver that writes down what it takes, and drops what it has already if it is said to."""

    def __init__(self, name: str, log: Path, killed: Killed, *, idempotent: bool) -> None:
        self.name = name
        self.idempotent = idempotent
        self._log = log
        self._killed = killed

    def send(self, letter: Letter) -> Delivered:
        self._killed.at("sending")
        line = f"told {self.name} {letter.key}"
        if not (self.idempotent and line in self._log.read_text(encoding="utf-8").splitlines()):
            note(self._log, line)
        self._killed.at("sent")
        return Delivered()


def note(log: Path, line: str) -> None:
    """Write a line that outlives this process."""
    with log.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")


def main(database: str, log: Path, instant: str, act: str, step: str) -> None:
    """Live through the day, or as long as one is let."""
    killed = Killed(step)
    clock = ManualClock(parse_instant(instant))
    # The next life is somewhere else, which does not matter to what was said before.
    zone = HomeZone("Asia/Shanghai" if act == "say" else "Europe/Berlin", ZoneSource.CONFIG)

    def answer(_prompt: Prompt) -> dict[str, Any]:
        note(log, "asked")
        killed.at("asking")
        return REPLY

    class Answering(FunctionModel):
        def ask(self, *question: Any) -> Any:
            reply = super().ask(*question)
            killed.at("replied")
            return reply

    store = Mortal(open_store(database), killed, log)
    phones = {name: Phone(name, log, killed, idempotent=name == "keyed") for name in ("plain", "keyed")}
    app = build(store, clock, zone, phones, model=Answering(answer, clock))
    app.engine.reclaim_all()
    app.recover()
    if act == "say":
        app.notices.submit(Submission(TEXT, Source.DIRECT, clock.now(), zone.name), who="chaos", key="once")
    for pause in (timedelta(0), timedelta(minutes=1), timedelta(minutes=30), timedelta(hours=28), timedelta(days=2)):
        clock.advance(pause)
        app.engine.drain()
    store.close()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3], sys.argv[4], " ".join(sys.argv[5:]))
