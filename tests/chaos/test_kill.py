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

    def run(company):
        program = [sys.executable, HERE / "sender.py", home.url, receiver.url, str(OCCURRENCES), company]
        started.append(subprocess.Popen(program, stderr=errors))
        return started[-1]

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


def kill_some_time(process, receiver, chance, more) -> bool:
    """Kill a sender a random moment after `more` further receptions; return whether it was still at work."""
    enough = receiver.count() + more
    wait_for(lambda: receiver.count() >= enough, process)
    threading.Event().wait(chance.uniform(0, 0.03 if more else 0.6))
    at_work = process.poll() is None
    process.kill()
    process.wait()
    return at_work


def check(home, receiver, kills) -> None:
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
    # Nothing lost: what the receiver does not have is on record as of unknown fate, and there is little of that.
    assert set(inbox.values()) == {"sent"}
    assert set(plain.values()) == {"sent", "unknown"}
    assert all(taken["plain", key] == 1 for key, state in plain.items() if state == "sent")
    assert list(plain.values()).count("unknown") <= kills * 2 + OCCURRENCES // 10
    # Where the receiver drops doubles, everything arrives.
    assert set(keyed.values()) == {"sent"}
    assert all(taken["keyed", key] == 1 for key in keyed)
    # The kills hit what they were meant to hit.
    assert any(verb == "dropped" for verb, *_ in receiver.lines())


@pytest.mark.parametrize("dialect", ["sqlite"])
def test_no_message_is_lost_or_delivered_twice_however_often_the_program_is_killed(home, run, receiver):
    chance = random.Random(SEED)
    # Every third life may end before anything is sent. The same job is not to be hit too often in a row, because the
    # engine gives one that loses its process time and again longer and longer pauses.
    kills = sum(
        kill_some_time(run("alone"), receiver, chance, chance.randint(1, 45) if turn % 3 else 0) for turn in range(22)
    )
    assert run("alone").wait(PATIENCE) == 0

    assert kills >= 20
    check(home, receiver, kills)


@pytest.mark.parametrize("dialect", ["postgresql"])
def test_no_message_is_lost_or_delivered_twice_when_one_of_two_programs_is_killed(home, run, receiver):
    chance = random.Random(SEED)
    one, other = run("together"), run("together")
    kills = 0
    for _ in range(8):
        kills += kill_some_time(one, receiver, chance, chance.randint(1, 60))
        one, other = other, run("together")
    assert one.wait(PATIENCE) == 0
    assert other.wait(PATIENCE) == 0

    assert kills >= 6
    check(home, receiver, kills)
