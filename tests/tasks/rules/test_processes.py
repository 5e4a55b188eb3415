"""Several processes on one database, and processes that are killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from tests.tasks.rules.conftest import SHANGHAI, START, House, at, frames, plan, verdict
from tests.tasks.rules.watcher_process import frame

from zhixing.kernel.clock import ManualClock
from zhixing.tasks import occurrences
from zhixing.tasks.rules import store
from zhixing.tasks.rules.replay import replay

ROOT = Path(__file__).parents[3]
LAST = 240


class Neighbour:
    """The same database, as another process opened it."""

    def __init__(self, home) -> None:
        self._home = home
        self.store = home.open()

    def reopen(self):
        self.store.close()
        self.store = self._home.open()
        return self.store


@pytest.fixture
def other(home, clock: ManualClock) -> House:
    return House(Neighbour(home), clock, restarts=False)


def test_what_another_process_disables_is_stopped_at_once(steady_house: House, other: House):
    rule = steady_house.add("state")
    steady_house.play(frames("F T F F"))
    other.do("disable", rule)
    steady_house.pass_until(at(200))
    steady_house.play(frames("T T", first=200))
    assert steady_house.said == ["r1 enter 4"]


def test_a_rule_that_another_process_made_is_watched_at_once(steady_house: House, other: House):
    steady_house.play(frames("F"))
    other.add(duration=20)
    steady_house.play(frames("F T T T T T T T", first=4), 60)
    assert steady_house.said == ["r1 enter 28"]


def test_verdicts_may_come_to_either_process(steady_house: House, other: House):
    steady_house.add("state")
    for number, each in enumerate(frames("F T T F T F F F F")):
        steady_house.clock.advance(each.at - steady_house.clock.now())
        (steady_house, other)[number % 2].take([each])
    steady_house.clock.advance(timedelta(seconds=200))
    other.engine.drain()
    steady_house.engine.drain()
    both = sorted(steady_house.fired + other.fired, key=lambda fired: fired.at)
    assert [str(fired.direction) for fired in both] == ["enter", "exit"]
    assert both[1].left == at(20)


def test_a_deadline_is_met_by_one_of_them(steady_house: House, other: House):
    steady_house.add(duration=20)
    steady_house.take([verdict("F", 0)])
    other.take([verdict("T", 0.5, lasting=True)])
    steady_house.clock.advance(timedelta(seconds=30))
    other.engine.drain()
    steady_house.engine.drain()
    assert len(steady_house.fired + other.fired) == 1


def test_a_change_that_another_process_rolled_back_is_not_seen(steady_house: House, other: House):
    rule = steady_house.add()
    steady_house.take([verdict("F", 0)])
    with pytest.raises(KeyError), other.store.write() as tx:
        raise KeyError(other.rules.disable(tx, rule.id, who="小明").id)
    steady_house.play(frames("T", first=4))
    assert steady_house.said == ["r1 enter 4"]


def test_a_process_that_is_killed_again_and_again_loses_nothing_and_doubles_nothing(home, clock: ManualClock):
    """What it does is what one that lived would have done: pending durations and exits, with their instants."""
    plans = [
        plan("state", name="进出", exit_debounce=5),
        plan(name="坐了很久", duration=8),
        plan(name="两台都", sources=("cam1", "cam2"), agreement="all"),
        plan("state", name="随便哪台", sources=("cam1", "cam2"), duration=4, exit_debounce=3),
    ]
    house = House(home, clock, restarts=False)
    task = house.add_task()
    with house.store.write() as tx:
        rules = [house.rules.create(tx, task.id, each, who="小明") for each in plans]
    home.store.close()
    number, kills = 0, 0
    while number < LAST:
        # The killer is faster the more it has killed, so that every place is hit in the long run.
        until = number + 7 + 13 * (kills % 3)
        number = live(home.url, number, until, killed=kills < 12)
        kills += 1
    home.reopen()
    verdicts = [each for second in range(LAST) for each in frame(second)]
    with home.store.read() as tx:
        for rule in rules:
            told = replay(rule.plan, SHANGHAI, verdicts, at(LAST), made=START)
            for direction in ("enter", "exit"):
                found = occurrences.of_part(tx, task.id, f"rule:{rule.id}:{direction}", limit=1_000)
                # The last of them may be killed before it looks at the clock once more.
                expected = [each.at for each in told if each.what == direction and each.at < at(LAST)]
                done = [each.due for each in found if each.due < at(LAST)]
                assert done[::-1] == expected, (rule.plan.name, direction)
            assert store.get(tx, rule.id).enabled


def live(url: str, first: int, until: int, *, killed: bool) -> int:
    """Let a process watch from a frame on, and kill it at another; return the first frame it may not have taken."""
    command = [sys.executable, "-m", "tests.tasks.rules.watcher_process", url, str(first), str(LAST)]
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment) as process:
        assert process.stdout is not None
        number = first
        for line in process.stdout:
            number = int(line) + 1
            if killed and number >= until:
                process.send_signal(signal.SIGKILL)
                break
        process.stdout.read()
    return number
