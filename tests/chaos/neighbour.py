"""One of several programs that serve one home on one database: its engine runs, and a camera speaks to it.

    neighbour.py DATABASE LOG SEED TICKS BEGIN

Says `ready`, waits for `go`, tells everything the camera judges from BEGIN on as fast as it is taken, says `told`, and
works on until its standard input is closed. LOG has a line for each letter that a receiver took.
"""

from __future__ import annotations

import sys
from datetime import datetime
from itertools import islice
from pathlib import Path

from tests.chaos import camera
from tests.chaos.householder import ZONE, note

from zhixing.app import App, build
from zhixing.kernel.clock import Clock, SystemClock
from zhixing.store.connection import Store
from zhixing.store.opening import open_store
from zhixing.world.channels.port import Delivered, Letter


class Phone:
    """A receiver that several programs send to."""

    idempotent = False

    def __init__(self, name: str, log: Path) -> None:
        self.name = name
        self._log = log

    def send(self, letter: Letter) -> Delivered:
        """Write down what came."""
        note(self._log, f"{self.name} {letter.occurrence_id}")
        return Delivered()


def at_home(store: Store, clock: Clock, log: Path) -> App:
    """Wire the program over its own connection to the home."""
    return build(store, clock, ZONE, {name: Phone(name, log) for name in ("plain", "keyed")}, phone=("plain", "keyed"))


def main(database: str, log: Path, seed: int, ticks: int, begin: datetime) -> None:
    """Serve."""
    app = at_home(open_store(database), SystemClock(), log)
    app.engine.start()
    say("ready")
    sys.stdin.readline()
    coming = iter(camera.verdicts(seed, ticks, begin))
    while batch := list(islice(coming, 4 * camera.FLATS)):
        app.rules.ingest(batch)
    say("told")
    sys.stdin.read()
    app.engine.stop()
    app.store.close()


def say(word: str) -> None:
    """Say it at once."""
    print(word, flush=True)  # noqa: T201 - how the starter learns of it


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), datetime.fromisoformat(sys.argv[5]))
