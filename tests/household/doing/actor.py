"""The program that acts, to be killed: works on what is due in a home until every answer has ended.

Its devices live in a folder: a switch is a file, and every command that is given once is a line of `once.log`.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from zhixing.delivery.operations import Delivery
from zhixing.engine.embedded import EmbeddedEngine
from zhixing.household.doing.model import Household
from zhixing.household.doing.operations import Doing
from zhixing.kernel.clock import SystemClock
from zhixing.store.connection import Store
from zhixing.store.opening import open_store
from zhixing.tasks.records.operations import Records
from zhixing.tasks.scheduling import Scheduling
from zhixing.world.devices.port import Camera, Device, DeviceSpec, Done, Level, Person, PropertySpec, Result


class FolderHub:
    """Devices that survive whatever happens to the program."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def devices(self) -> Sequence[Device]:
        return ()

    def spec(self, did: str) -> DeviceSpec:
        return DeviceSpec(did, (PropertySpec("prop.2.1", "on", "string", readable=True, writable=True),), ())

    def cameras(self) -> Sequence[Camera]:
        return ()

    def people(self) -> Sequence[Person]:
        return ()

    def use_camera(self, did: str, *, in_use: bool) -> Camera:
        raise NotImplementedError

    def read(self, did: str, iid: str) -> Result:  # noqa: ARG002
        file = self._folder / did
        return Done(file.read_text(encoding="utf-8") if file.exists() else "")

    def write(self, did: str, iid: str, value: Level) -> Result:  # noqa: ARG002
        (self._folder / did).write_text(str(value), encoding="utf-8")
        return Done()

    def act(self, did: str, iid: str, params: Sequence[Level]) -> Result:  # noqa: ARG002
        log = os.open(self._folder / "once.log", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(log, f"{params[0]}\n".encode())
        os.close(log)
        return Done()


def build(store: Store, folder: Path) -> tuple[EmbeddedEngine, Doing]:
    """Wire what acts."""
    clock = SystemClock()
    engine = EmbeddedEngine(store, clock, owner=str(os.getpid()))
    scheduling = Scheduling(store, engine, clock)
    delivery = Delivery(engine, clock, {}, lambda _tx, _message: None)
    doing = Doing(
        store,
        engine,
        clock,
        hub=FolderHub(folder),
        records=Records(engine, clock),
        delivery=delivery,
        scheduling=scheduling,
        channels={},
        household=Household(lambda *_: None, lambda *_: None, lambda *_: None),
    )
    return engine, doing


def left(store: Store) -> int:
    """Count the answers that have not ended."""
    with store.read() as tx:
        row = tx.row("SELECT count(*) FROM occurrences WHERE state IN ('claimed', 'running')")
    return 0 if row is None else int(row[0])


def main(url: str, folder: Path) -> None:
    store = open_store(url)
    engine, _ = build(store, folder)
    engine.reclaim_all()
    engine.start()
    tick = threading.Event()
    while left(store):
        tick.wait(0.02)
    engine.stop()
    store.close()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
