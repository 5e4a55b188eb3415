"""Sentences said about a home, each in a process of its own that is killed at a commit.

    talker.py

Reads a line of JSON for each (`database`, `words`: what is said, then what is answered; `step`: `before` or `after` the
n-th write transaction from there on, or `never`) and prints how the process ended: 0, or less the signal.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from zhixing.app import build
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import parse_instant
from zhixing.settings import HomeZone, ZoneSource
from zhixing.store.connection import Store, Tx
from zhixing.store.opening import open_store
from zhixing.world.channels.memory import MemoryChannel

BEGIN = parse_instant("2026-10-12T10:00:00+08:00")


class Mortal:
    """A store at whose commits this very process is killed."""

    def __init__(self, inner: Store) -> None:
        self._inner = inner
        self._when, self._left = "", 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def die(self, step: str) -> None:
        self._when, _, number = step.partition(" ")
        self._left = int(number or 0)

    @contextmanager
    def write(self) -> Iterator[Tx]:
        self._left -= 1
        with self._inner.write() as tx:
            yield tx
            self._kill("before")
        self._kill("after")

    def _kill(self, when: str) -> None:
        if self._left == 0 and self._when == when:
            os.kill(os.getpid(), signal.SIGKILL)


def talk(database: str, words: list[str], step: str) -> None:
    store = Mortal(open_store(database))
    zone = HomeZone("Asia/Shanghai", ZoneSource.CONFIG)
    app = build(store, ManualClock(BEGIN), zone, {"phone": MemoryChannel("phone")}, phone=("phone",))
    app.recover()
    store.die(step)
    said, *answers = words
    found = app.talks.say(said, who="chaos")
    for answer in answers:
        found = app.talks.answer(found.id, answer, who="chaos")


def main() -> None:
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            try:
                talk(**json.loads(line))
            except BaseException:  # noqa: BLE001 - whatever it is, the one who asked has to see it
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)  # noqa: T201 - the answer


if __name__ == "__main__":
    main()
