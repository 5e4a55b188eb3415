"""The real server is killed (kill -9) at random moments while 500 reminders ring that several processes asked for."""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from zhixing.settings import put, token_file
from zhixing.store.opening import open_store, sqlite_url

HERE = Path(__file__).parent
COMMAND = Path(sys.executable).parent / "zhixing"
ASKERS = {"store-1": 175, "store-2": 175, "http": 160}
REMINDERS = sum(ASKERS.values())
SPREAD = 30.0
KILLS = 20
SEED = 20261130
PATIENCE = 120


class Theatre:
    """A home, a receiver that outlives everything, and the processes around them; all are killed in the end."""

    def __init__(self, folder: Path, processes: ExitStack) -> None:
        self.home = folder / "home"
        self._processes = processes
        self._log = folder / "received.log"
        self.env = {"PATH": os.environ["PATH"], "ZHIXING_HOME": str(self.home), "TZ": "Asia/Shanghai"}
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        receiver = self.start(HERE / "receiver.py", self._log, "--seed", SEED)
        address = f"http://127.0.0.1:{int(receiver.stdout.readline())}"
        for kind in ("plain", "keyed"):
            put(self.home, f"channels.{kind}.url", f"{address}/{kind}")
        put(self.home, "channels.keyed.idempotent", "true")

    def start(self, *argv: object) -> subprocess.Popen[str]:
        """Start a Python program, or the command itself."""
        program = [COMMAND] if argv[0] == "zhixing" else [sys.executable, argv[0]]
        process = subprocess.Popen(
            [*program, *map(str, argv[1:])], env=self.env, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self._processes.callback(self.end, process)
        return process

    @staticmethod
    def end(process: subprocess.Popen[str]) -> None:
        process.kill()
        process.wait()
        process.stdout.close()

    def serve(self) -> subprocess.Popen[str]:
        """Start the server, without waiting for it."""
        return self.start("zhixing", "serve", "--port", self.port)

    def await_settled(self, count: int) -> None:
        """Follow the journal until `count` messages are settled."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"Authorization": f"Bearer {token_file(self.home).read_text().strip()}"}
        settled = set()
        with closing(connection):
            connection.request("GET", "/api/v1/events?after=0", headers=headers)
            stream = connection.getresponse()
            while len(settled) < count:
                line = stream.readline()
                assert line, "the stream ended"
                entry: Any = json.loads(line[6:]) if line.startswith(b"data: ") else {"kind": ""}
                if entry["kind"].startswith("deliver"):
                    settled.add(entry["data"]["message"])

    def taken(self) -> Counter[tuple[str, str]]:
        """Count what the receiver took, by channel and occurrence."""
        lines = [line.split() for line in self._log.read_text().splitlines()]
        return Counter((path.strip("/"), key.split(":")[0]) for verb, path, key, _ in lines if verb == "taken")


@pytest.fixture
def theatre(tmp_path: Path) -> Iterator[Theatre]:
    with ExitStack() as processes:
        yield Theatre(tmp_path, processes)


def greeted(server: subprocess.Popen[str]) -> None:
    """Read what the server says when it is ready."""
    while line := server.stdout.readline():
        if line.startswith("按 Ctrl-C"):
            return
    raise AssertionError("the server ended before it was ready")


def kill_again_and_again(theatre: Theatre, chance: random.Random) -> None:
    """Start the server and kill it at a random moment: of its start, or of its work."""
    pause = threading.Event()
    for _ in range(KILLS):
        server = theatre.serve()
        if chance.random() < 0.75:
            greeted(server)
            pause.wait(chance.uniform(0, 0.9))
        else:
            pause.wait(chance.uniform(0, 1.2))
        assert server.poll() is None, "it ended by itself"
        theatre.end(server)


def test_no_reminder_is_lost_and_none_is_told_twice_however_often_the_server_is_killed(theatre: Theatre) -> None:
    # The first start makes the home, so that all can begin at once.
    server = theatre.serve()
    greeted(server)
    asked = {
        name: theatre.start(
            HERE / "asker.py", theatre.home, name, count, SPREAD, SEED + number, *([theatre.port] * (name == "http"))
        )
        for number, (name, count) in enumerate(ASKERS.items())
    }
    theatre.end(server)
    kill_again_and_again(theatre, random.Random(SEED))

    server = theatre.serve()
    greeted(server)
    tasks = {
        line.strip() for process in asked.values() for line in process.communicate(timeout=PATIENCE)[0].splitlines()
    }
    assert [process.returncode for process in asked.values()] == [0] * len(asked)
    assert len(tasks) == REMINDERS
    theatre.await_settled(3 * REMINDERS)
    server.send_signal(signal.SIGTERM)
    server.communicate(timeout=PATIENCE)
    assert server.returncode == 0

    with closing(open_store(sqlite_url(theatre.home / "zhixing.db"))) as store, store.read() as tx:
        reminders = tx.rows("SELECT task_id, state FROM reminders")
        occurrences = dict(tx.rows("SELECT id, task_id FROM occurrences WHERE state = 'done'"))
        messages = tx.rows("SELECT channel, occurrence_id, state FROM messages")
        told = tx.rows("SELECT task_id FROM journal WHERE kind = 'occurrence_claimed'")
        unfinished = tx.row("SELECT count(*) FROM jobs WHERE state IN ('pending', 'running')")

    # Nothing lost: every reminder rang, once, and nothing is left to do.
    assert sorted(reminders) == sorted((task, "told") for task in tasks)
    assert sorted(occurrences.values()) == sorted(tasks)
    assert sorted(task for (task,) in told) == sorted(tasks)
    assert unfinished == (0,)
    states = {channel: {} for channel in ("inbox", "plain", "keyed")}
    for channel, occurrence, state in messages:
        assert occurrence not in states[channel]
        states[channel][occurrence] = state
    assert all(told.keys() == occurrences.keys() for told in states.values())

    # Nothing twice; what the receiver does not have for certain is on record as of unknown fate.
    taken = theatre.taken()
    assert max(taken.values()) == 1
    assert set(states["inbox"].values()) == {"sent"}
    assert set(states["plain"].values()) <= {"sent", "unknown"}
    assert all(taken["plain", occurrence] == 1 for occurrence, state in states["plain"].items() if state == "sent")
    # Where the receiver drops doubles, all of them arrive.
    assert set(states["keyed"].values()) == {"sent"}
    assert {occurrence for channel, occurrence in taken if channel == "keyed"} == occurrences.keys()
