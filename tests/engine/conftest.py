"""An engine on either database, run by hand or in the background, also with restarts in the middle."""

from __future__ import annotations

import logging
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.engine.model import GaveUp, Handler, Job, JobState, Retry, Share
from zhixing.kernel.clock import Clock, ManualClock, SystemClock

SOON = 20
"""Seconds a test waits at most for another thread or process before it fails."""


class Works:
    """An engine with its handlers. Where `restarts`, it and its database are opened anew before every step."""

    def __init__(self, home: Any, clock: Clock, *, restarts: bool) -> None:
        self.clock = clock
        self._home = home
        self._restarts = restarts
        self._settings: dict[str, Any] = {"owner": "甲"}
        self._duties: dict[str, tuple[Handler, Retry | None, GaveUp | None, Share | None]] = {}
        self.engine = EmbeddedEngine(home.store, clock, **self._settings)

    def register(
        self,
        name: str,
        handler: Handler,
        retry: Retry | None = None,
        gave_up: GaveUp | None = None,
        share: Share | None = None,
    ) -> None:
        self._duties[name] = (handler, retry, gave_up, share)
        self.engine.register(name, handler, retry, gave_up, share)

    def dismiss(self, name: str) -> None:
        """Be a version of the program that does not know jobs of that name."""
        del self._duties[name]
        self.restart()

    def restart(self, **settings: Any) -> EmbeddedEngine:
        self._settings |= settings
        self.engine = EmbeddedEngine(self._home.reopen(), self.clock, **self._settings)
        for name, duty in self._duties.items():
            self.engine.register(name, *duty)
        return self.engine

    def enqueue(self, *jobs: Job) -> int:
        self._step()
        with self._home.store.write() as tx:
            return self.engine.enqueue(tx, *jobs)

    def drain(self) -> int:
        self._step()
        return self.engine.drain()

    def cancel(self, key: str) -> bool:
        self._step()
        with self._home.store.write() as tx:
            return self.engine.cancel(tx, key)

    def row(self, key: str):
        with self._home.store.read() as tx:
            return self.engine.get(tx, key)

    def state(self, key: str) -> JobState:
        return self.row(key).state

    def job(self, name: str, key: str | None = None, after: float = 0, **rest: Any) -> Job:
        """Give a job of that name and key, due `after` seconds."""
        return Job(name, key or name, self.clock.now() + timedelta(seconds=after), **rest)

    def _step(self) -> None:
        if self._restarts:
            self.restart()


@pytest.fixture(params=["in one go", "with restarts"])
def works(request: pytest.FixtureRequest, home, clock: ManualClock) -> Works:
    """Give an engine to be drained by hand, whose clock is moved by hand."""
    return Works(home, clock, restarts=request.param == "with restarts")


@pytest.fixture
def steady_works(home, clock: ManualClock) -> Works:
    """Give the same, where nothing restarts unless the test says so."""
    return Works(home, clock, restarts=False)


@pytest.fixture
def engines(home) -> Iterator[Callable[..., EmbeddedEngine]]:
    """Make engines for the background, each on a store of its own; they are stopped at the end."""
    with ExitStack() as stops:

        def make(clock: Clock | None = None, store=None, **settings: Any) -> EmbeddedEngine:
            settings = {"owner": "乙", "patience": timedelta(seconds=SOON)} | settings
            engine = EmbeddedEngine(store or home.open(), clock or SystemClock(), **settings)
            stops.callback(engine.stop)
            return engine

        yield make


class Log(queue.Queue):
    """What handlers in other threads did, in order; a test waits for the next entry."""

    def next(self):
        return self.get(timeout=SOON)

    def take(self, count: int) -> list:
        return [self.next() for _ in range(count)]


@pytest.fixture
def log() -> Log:
    return Log()


class Messages(logging.Handler):
    """What the engine logs; a test waits for what it needs to hear."""

    def __init__(self) -> None:
        super().__init__()
        self._said = Log()

    def emit(self, record: logging.LogRecord) -> None:
        self._said.put(record.getMessage())

    def until(self, beginning: str) -> None:
        while not self._said.next().startswith(beginning):
            pass


@pytest.fixture
def messages() -> Iterator[Messages]:
    logger, handler = logging.getLogger("zhixing.engine"), Messages()
    before = logger.level
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    yield handler
    logger.removeHandler(handler)
    logger.setLevel(before)


class Worker:
    """Another process that works on the same database; see worker_process.py. It speaks and listens in lines."""

    def __init__(self, url: str, owner: str, lease: float, heard: Log) -> None:
        self._heard = heard
        program = Path(__file__).with_name("worker_process.py")
        self.process = subprocess.Popen(
            [sys.executable, "-W", "error", str(program), url, owner, str(lease)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._listener = threading.Thread(target=self._listen)
        self._listener.start()

    def hear(self) -> str:
        return self._heard.next()

    def hear_all(self, count: int) -> list[str]:
        return sorted(self._heard.take(count))

    def pause(self) -> None:
        """Stop the process as a debugger or a laptop's lid does; it knows nothing of it."""
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def tell(self, line: str) -> None:
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        self.kill()
        self._listener.join()
        self.process.stdin.close()
        self.process.stdout.close()

    def _listen(self) -> None:
        for line in self.process.stdout:
            self._heard.put(line.strip())


@pytest.fixture
def worker(home) -> Iterator[Callable[..., Worker]]:
    with ExitStack() as workers:

        def start(owner: str, lease: float, heard: Log | None = None) -> Worker:
            started = workers.enter_context(closing(Worker(home.url, owner, lease, heard or Log())))
            assert started.hear() == "ready"
            return started

        yield start


@pytest.fixture
def effects(home) -> Iterator[Callable[[], list[tuple[str, str, int]]]]:
    """Give what handlers wrote in the transactions that finished their jobs: key, owner, attempt."""
    with home.store.write() as tx:
        tx.execute("CREATE TABLE IF NOT EXISTS effects (key TEXT, owner TEXT, attempt INTEGER)")

    def read() -> list[tuple[str, str, int]]:
        with home.store.read() as tx:
            return tx.rows("SELECT key, owner, attempt FROM effects ORDER BY key")

    yield read
    with home.store.write() as tx:
        tx.execute("DROP TABLE effects")
