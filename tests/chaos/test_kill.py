"""The program is killed (kill -9) at random moments while it tells of 500 occurrences over real HTTP."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from zhixing.store.opening import open_store

HERE = Path(__file__).parent
OCCURRENCES = 500
KILLS = 25
SEED = 20261130
PATIENCE = 60.0


class Receiver:
    """The receiving program and what it has on disk."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._process = subprocess.Popen(
            [sys.executable, HERE / "receiver.py", log, "--seed", str(SEED), "--trouble", "0.02"],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self.url = f"http://127.0.0.1:{int(self._process.stdout.readline())}"

    def lines(self) -> list[list[str]]:
        return [line.split() for line in self._log.read_text().splitlines()]

    def count(self) -> int:
        return self._log.read_bytes().count(b"\n")

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


@pytest.fixture
def receiver(tmp_path):
    with closing(Receiver(tmp_path / "received.log")) as receiver:
        yield receiver


@pytest.fixture
def run(home, receiver, tmp_path):
    """Start the sending program; whatever is still running in the end is killed."""
    started = []
    errors = (tmp_path / "errors.log").open("ab")

    def run():
        process = subprocess.Popen(
            [sys.executable, HERE / "sender.py", home.url, receiver.url, str(OCCURRENCES)], stderr=errors
        )
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.wait()
    errors.close()


def wait_for(condition, process) -> None:
    """Look often until `condition` holds or the process ends."""
    tick = threading.Event()
    for _ in range(int(PATIENCE / 0.002)):
        if condition() or process.poll() is not None:
            return
        tick.wait(0.002)
    pytest.fail("nothing happened for a minute")


def kill_again_and_again(run, receiver) -> int:
    """Kill the sender after a random number of further receptions and a random moment more; return how often."""
    chance = random.Random(SEED)
    pause = threading.Event()
    kills = 0
    for _ in range(KILLS):
        process = run()
        enough = receiver.count() + chance.choice([0, 0, 1, 5, 20, 40, 60])
        wait_for(lambda enough=enough: receiver.count() >= enough, process)
        pause.wait(chance.uniform(0, 0.03) if enough else chance.uniform(0, 0.6))
        if process.poll() is None:
            process.kill()
            kills += 1
        process.wait()
    return kills


def test_no_message_is_lost_and_none_is_delivered_twice_however_often_the_program_is_killed(home, run, receiver):
    kills = kill_again_and_again(run, receiver)
    assert run().wait(PATIENCE) == 0

    assert kills >= 20
    taken = Counter((path.split("/")[1], key) for verb, path, key, _ in receiver.lines() if verb == "taken")
    with closing(open_store(home.url)) as store, store.read() as tx:
        states = dict(tx.rows("SELECT key, state FROM messages"))
        settled = tx.row("SELECT count(*) FROM chaos_settled")
    plain = {key: state for key, state in states.items() if ":plain-" in key}
    keyed = {key: state for key, state in states.items() if ":keyed-" in key}
    inbox = {key: state for key, state in states.items() if key.endswith(":inbox")}
    assert len(plain) == len(keyed) == len(inbox) == OCCURRENCES
    assert settled == (3 * OCCURRENCES,)

    # Nothing twice.
    assert max(taken.values()) == 1
    # Nothing lost: what the receiver does not have is on record as of unknown fate, and nothing else is.
    assert set(inbox.values()) == {"sent"}
    assert set(plain.values()) == {"sent", "unknown"}
    assert all(taken["plain", key] == 1 for key, state in plain.items() if state == "sent")
    # Where the receiver drops doubles, everything arrives.
    assert set(keyed.values()) == {"sent"}
    assert all(taken["keyed", key] == 1 for key in keyed)
    # The kills hit what they were meant to hit.
    assert any(verb == "dropped" for verb, *_ in receiver.lines())
