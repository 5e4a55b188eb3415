"""Several programs on one database: what one decides the others follow at once, and nothing happens twice."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.chaos import camera
from tests.chaos.householder import CAMERA, PEOPLE, PHONE, PLANS, WHO
from tests.chaos.neighbour import at_home
from tests.chaos.test_household_server import FLATS, PATIENCE, SEED, Expected, Play, begin_records, plans_of

from zhixing.app import App
from zhixing.household.plan import read_plan
from zhixing.kernel.clock import ManualClock, SystemClock
from zhixing.kernel.moments import from_micros
from zhixing.world.perception.verdict import Value, Verdict

ROOT = Path(__file__).parents[2]
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
PLAY = Play(30, 20261115, 0)


class Street:
    """A home that two programs serve, on one clock."""

    def __init__(self, home: Any, clock: ManualClock, log: Path) -> None:
        self.clock = clock
        self.one = at_home(home.store, clock, log)
        self.other = at_home(home.open(), clock, log)
        self._start = clock.now()

    def see(self, app: App, query: str, *values: bool) -> None:
        """Let a camera judge, for sure, second by second, and speak to one of the two."""
        for value in values:
            said = Verdict(CAMERA, query, Value.TRUE if value else Value.FALSE, self.clock.now(), firm=True)
            app.rules.ingest([said])
            self.pass_time(SECOND)

    def pass_time(self, span: timedelta) -> None:
        """Let time pass, in which each of them works."""
        end = self.clock.now() + span
        while self.clock.now() < end:
            self.clock.advance(min(SECOND, end - self.clock.now()))
            self.one.engine.drain()
            self.other.engine.drain()

    def said(self) -> list[str]:
        """Write what was answered in short."""
        with self.one.store.read() as tx:
            rows = tx.rows("SELECT part, due, state FROM occurrences ORDER BY due, part")
        return [f"{part} {(from_micros(due) - self._start) // SECOND} {state}" for part, due, state in rows]

    def sessions(self) -> list[tuple[int, int | None]]:
        """Give the beginnings and ends of sessions, in seconds."""
        with self.one.store.read() as tx:
            rows = tx.rows("SELECT start_at, end_at FROM record_sessions ORDER BY start_at")
        return [tuple(None if at is None else (from_micros(at) - self._start) // SECOND for at in row) for row in rows]


@pytest.fixture
def street(home, clock, tmp_path) -> Street:
    (tmp_path / "log").touch()
    return Street(home, clock, tmp_path / "log")


def apply(app: App, slug: str) -> None:
    app.household.apply(read_plan(PLANS[slug]), who=WHO)


def rule_of(app: App, slug: str) -> str:
    return app.household.get(slug).rules[0].id


STOPS: dict[str, Callable[[App, str], Any]] = {
    "disable the task": lambda app, slug: app.household.disable(slug, who=WHO),
    "disable the rule": lambda app, slug: app.household.disable_rule(rule_of(app, slug), who=WHO),
    "delete the rule": lambda app, slug: app.household.delete_rule(rule_of(app, slug), who=WHO),
    "end the task": lambda app, slug: app.household.delete(slug, who=WHO),
    "watch something else": lambda app, slug: app.household.update_rule(
        rule_of(app, slug), {"condition": "别的"}, who=WHO
    ),
}


@pytest.mark.parametrize("stop", STOPS)
def test_a_duration_that_pends_ends_with_what_the_other_decides(street, stop):
    apply(street.one, "phone")
    street.see(street.one, PHONE, True, True, True)
    STOPS[stop](street.other, "phone")
    street.see(street.one, PHONE, True, True, True, True, True, True)
    street.pass_time(MINUTE)
    assert street.said() == []


@pytest.mark.parametrize("stop", STOPS)
def test_an_exit_that_pends_ends_with_what_the_other_decides(street, stop):
    apply(street.one, "lamp")
    street.see(street.one, PEOPLE, True, True, False, False)
    STOPS[stop](street.other, "lamp")
    street.see(street.one, PEOPLE, False, False, False, False)
    street.pass_time(MINUTE)
    assert street.said() == ["rule:r1:enter 0 done"]


@pytest.mark.parametrize("stop", STOPS)
def test_a_session_and_its_target_end_with_what_the_other_decides(street, stop):
    apply(street.one, "phone")
    street.see(street.one, PHONE, *[True] * 60)
    STOPS[stop](street.other, "phone")
    street.see(street.one, PHONE, *[True] * 90)
    street.pass_time(MINUTE)
    assert street.said() == ["rule:r1:enter 5 done"]
    assert street.sessions() == [(0, 60)]


def test_what_the_other_applies_is_watched_at_once(street):
    street.see(street.one, PEOPLE, False)
    apply(street.other, "lamp")
    street.see(street.one, PEOPLE, False, True, False, False)
    street.pass_time(MINUTE)
    assert street.said() == ["rule:r1:enter 2 done", "rule:r1:exit 7 done"]


def test_an_exit_that_pends_moves_with_what_the_other_changes_and_takes_back(street):
    apply(street.one, "lamp")
    street.see(street.one, PEOPLE, True, False)
    street.other.household.update_rule(rule_of(street.other, "lamp"), {"exit_debounce_seconds": 9}, who=WHO)
    street.see(street.one, PEOPLE, False, False, False, False, False)
    assert street.said() == ["rule:r1:enter 0 done"]
    street.other.household.undo("lamp", who=WHO)
    street.pass_time(MINUTE)
    assert street.said() == ["rule:r1:enter 0 done", "rule:r1:exit 5 done"]


def test_a_camera_may_speak_to_either(street):
    apply(street.one, "phone")
    for number in range(140):
        street.see((street.one, street.other)[number % 2], PHONE, number < 130)
    assert street.said() == ["rule:r1:enter 5 done", "rule:r1:target 120 done", "rule:r1:exit 134 done"]
    assert street.sessions() == [(0, 130)]


def test_a_clock_that_is_put_back_moves_what_pends_once_though_both_notice(street):
    apply(street.one, "lamp")
    apply(street.one, "phone")
    for app in (street.one, street.other, street.one):
        street.see(app, PEOPLE, True)
        street.see(app, PHONE, True)
    street.see(street.other, PEOPLE, False)
    street.see(street.one, PEOPLE, False)
    street.clock.jump(-60 * MINUTE)
    for app in (street.one, street.other) * 4:
        street.see(app, PEOPLE, False)
    street.clock.jump(-60 * MINUTE)
    for app in (street.one, street.other) * 4:
        street.see(app, PHONE, False)
    street.pass_time(MINUTE)
    hour = 60 * 60
    assert street.said() == [
        f"rule:r2:exit {20 - 2 * hour} done",
        f"rule:r1:exit {10 - hour} done",
        "rule:r1:enter 0 done",
        "rule:r2:enter 6 done",
    ]


class Neighbours:
    """Programs on the database of a test; all are killed in the end."""

    def __init__(self, url: str, log: Path, processes: ExitStack) -> None:
        self.url = url
        self.log = log
        self._processes = processes
        self._all: list[subprocess.Popen[str]] = []

    def move_in(self, number: int, ticks: int, begin: datetime) -> None:
        """Start so many, and wait until they are ready."""
        program = [sys.executable, "-m", "tests.chaos.neighbour", self.url, str(self.log), str(PLAY.seed), str(ticks)]
        for _ in range(number):
            process = subprocess.Popen(
                [*program, begin.isoformat()], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            self._processes.enter_context(process)
            self._processes.callback(process.kill)
            self._all.append(process)
        self.hear("ready")

    def say(self, word: str) -> None:
        for process in self._all:
            print(word, file=process.stdin, flush=True)

    def hear(self, word: str) -> None:
        assert [process.stdout.readline().strip() for process in self._all] == [word] * len(self._all)

    def move_out(self) -> None:
        for process in self._all:
            process.stdin.close()
        assert [process.wait(PATIENCE) for process in self._all] == [0] * len(self._all)


@pytest.fixture
def neighbours(home, tmp_path) -> Iterator[Neighbours]:
    (tmp_path / "log").touch()
    with ExitStack() as processes:
        yield Neighbours(home.url, tmp_path / "log", processes)


def await_settled(app: App) -> None:
    """Wait until nothing is left to do but to look at the clock."""
    tick = threading.Event()
    unfinished = "SELECT name FROM jobs WHERE finished_at IS NULL AND name NOT IN ('rules.wake', 'task.expire')"
    for _ in range(int(PATIENCE / 0.02)):
        with app.store.read() as tx:
            left = tx.rows(unfinished) or tx.rows("SELECT part FROM occurrences WHERE state IN ('claimed', 'running')")
        if not left:
            return
        tick.wait(0.02)
    pytest.fail(f"left to do: {left}")


def test_two_that_hear_the_same_do_everything_once_while_a_third_comes_and_goes(home, neighbours):
    """The camera judges half a minute ahead of the clock, so that nothing comes of time alone."""
    clock = SystemClock()
    app = at_home(home.store, clock, neighbours.log)
    for flat in range(FLATS):
        for plan in plans_of(flat):
            app.household.apply(read_plan(plan), who=WHO)
    begin_records(app)
    plans = {rule.plan.name: (rule.plan, rule.created_at) for _, rule in app.household.rules()}
    begin = clock.now()
    ticks = round(timedelta(seconds=PLAY.seconds) / camera.TICK)
    neighbours.move_in(2, ticks, begin)
    neighbours.say("go")
    for number in range(12):
        visit(app, number)
    neighbours.hear("told")
    await_settled(app)
    neighbours.move_out()

    expected = Expected(plans, PLAY, begin)
    with home.store.read() as tx:
        names = dict(tx.rows("SELECT id, name FROM rules"))
        rows = tx.rows("SELECT part, key, due, state FROM occurrences WHERE part LIKE 'rule:%'")
        titles = dict(tx.rows("SELECT records.id, title FROM records JOIN tasks ON tasks.id = task_id"))
        amounts = tx.rows("SELECT record_id, sum(amount) FROM record_days GROUP BY record_id")
        marks = tx.rows("SELECT record_id, at FROM record_reached")
        letters = tx.rows("SELECT channel, occurrence_id FROM messages WHERE channel IN ('plain', 'keyed')")
        lamps = tx.rows("SELECT value FROM virtual_values WHERE iid = 'prop.2.1'")
    found = Counter(
        (names[part.split(":")[1]], part.split(":")[2], key, from_micros(due)) for part, key, due, _ in rows
    )
    assert found == Counter(expected.answers)
    assert {state for *_, state in rows} == {"done"}
    assert {titles[record]: amount for record, amount in amounts} == expected.amounts
    assert {titles[record]: from_micros(at) for record, at in marks} == expected.reached
    sent = Counter(tuple(line.split()) for line in neighbours.log.read_text("utf-8").splitlines())
    assert sent == Counter(letters)
    assert max(sent.values()) == 1
    assert lamps == [("false",)] * FLATS


def visit(app: App, number: int) -> None:
    """Make a task that watches what others watch, change it, stop it, and end it."""
    (plan, *_) = plans_of(number % FLATS)
    slug = f"visit_{number}"
    rule = {**plan["rules"][0], "name": slug, "duration_seconds": 3_000, "on_exit_desc": None, "on_target_desc": None}
    rule["on_enter_desc"] = "使用AI对话通知：来过"
    app.household.apply(read_plan({"task": {"task_id": slug, "description": slug}, "rules": [rule]}), who=WHO)
    app.household.update_rule(rule_of(app, slug), {"duration_seconds": 4_000}, who=WHO)
    app.household.undo(slug, who=WHO)
    app.household.disable(slug, who=WHO)
    app.household.enable(slug, who=WHO)
    app.household.delete(slug, who=WHO)


def test_a_rule_that_is_stopped_while_it_falls_due_fires_before_or_never(home, neighbours):
    clock = SystemClock()
    app = at_home(home.store, clock, neighbours.log)
    for number in range(60):
        rule = {"name": f"{number}", "condition": f"条件 {number}", "source": CAMERA, "duration_seconds": 1}
        rule["action"] = {"did": "light_living", "iid": "prop.on", "value": bool(number % 2)}
        task = {"task_id": f"t_{number}", "description": f"{number}"}
        app.household.apply(read_plan({"task": task, "rules": [rule]}), who=WHO)
    rules = [rule.id for _, rule in app.household.rules()]
    neighbours.move_in(2, 0, clock.now())
    now = clock.now()
    app.rules.ingest([Verdict(CAMERA, f"条件 {number}", Value.TRUE, now, firm=True) for number in range(60)])
    random.Random(SEED).shuffle(rules)
    pause = threading.Event()
    for rule in rules:
        pause.wait(0.025)
        app.household.disable_rule(rule, who=WHO)
    neighbours.say("go")
    neighbours.hear("told")
    await_settled(app)
    neighbours.move_out()

    with home.store.read() as tx:
        fired = Counter(part.split(":")[1] for (part,) in tx.rows("SELECT part FROM occurrences"))
        entries = tx.rows("SELECT kind, data FROM journal ORDER BY seq")
    assert 0 < len(fired) < len(rules)
    assert max(fired.values()) == 1
    stopped: set[str] = set()
    for kind, data in entries:
        if kind == "rule_stopped":
            stopped.add(json.loads(data)["rule"])
        elif kind == "occurrence_claimed":
            assert json.loads(data)["rule"] not in stopped
    assert stopped == set(rules)
