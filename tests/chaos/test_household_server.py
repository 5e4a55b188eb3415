"""The real server is killed (kill -9) at random moments while durations, exits, targets and sessions are pending.

A camera judges four conditions all the while. What should have come of it says the pure replay of what it judged.
"""

from __future__ import annotations

import http.client
import json
import random
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.chaos import camera
from tests.chaos.camera import CUP, DOOR, FLATS, NAME, PEOPLE, PHONE
from tests.chaos.test_server import Theatre, greeted

from zhixing.app import App, opened
from zhixing.kernel.clock import SystemClock
from zhixing.kernel.moments import from_micros
from zhixing.settings import home_zone, load, token_file
from zhixing.store.opening import open_store
from zhixing.tasks.rules.model import Plan
from zhixing.tasks.rules.replay import Interlude, Step, Transition, replay
from zhixing.world.perception.verdict import Verdict

HERE = Path(__file__).parent
CLOCK = SystemClock()
SEED = 20261130
PATIENCE = 60
WHO = "chaos"
LAMPS = ("light_living", "light_entrance", "light_bedroom", "light_kids", "lamp_study")
BELL, SPEAKER = "speaker_kids", "speaker_living"
BEFORE = timedelta(seconds=52)
"""How long somebody had looked at a phone before the camera began: of the minute that is allowed."""
CLOSE = timedelta(seconds=0.7)
"""What is closer together than this may come in another order from a program that is busy."""

SAY_ON_PHONE, SAY_ALOUD = "使用手机推送通知：", "使用音箱播报通知："
FOR_GOOD = "2999-01-01T00:00:00+08:00"


def plans_of(flat: int) -> list[dict[str, Any]]:
    """Return what one flat is to do: tell of a minute on the phone, and of two cups; light its lamp; hear its door."""
    state = {"mode": "state", "source": NAME, "exit_debounce_seconds": 3}
    event = {"mode": "event", "source": NAME}
    bell = {"did": BELL, "iid": "action.play-text", "params": ["叮咚"], "idempotent": False, "cooldown_minutes": 1}
    minutes = {"kind": "duration", "content": {"target_minutes": 1, "expires_at": FOR_GOOD}}
    cups = {"kind": "progress", "content": {"target": 2, "unit": "杯", "window": "longterm", "expires_at": FOR_GOOD}}
    rules: dict[str, dict[str, Any]] = {
        "phone": {
            **state,
            "condition": f"{PHONE} {flat}",
            "duration_seconds": 3,
            "on_enter_desc": "记录计时起点",
            "on_exit_desc": f"结束计时；{SAY_ON_PHONE}放下了",
            "on_target_desc": f"{SAY_ON_PHONE}够了",
        },
        "cups": {
            **event,
            "condition": f"{CUP} {flat}",
            "action_desc": f"喝水次数加一；首次达标时{SAY_ON_PHONE}恭喜",
        },
        "lamp": {
            **state,
            "condition": f"{PEOPLE} {flat}",
            "on_enter_actions": [{"did": LAMPS[flat], "iid": "prop.on", "value": True}, bell],
            "on_exit_actions": [{"did": LAMPS[flat], "iid": "prop.on", "value": False}],
        },
        "door": {
            **event,
            "condition": f"{DOOR} {flat}",
            "duration_seconds": 3,
            "action_desc": f"{SAY_ON_PHONE}门口有人；{SAY_ALOUD}有人敲门",
        },
    }
    records = {"phone": minutes, "cups": cups}
    return [
        {
            "task": {"task_id": f"{name}_{flat}", "description": f"{name} {flat}"},
            "record": records.get(name),
            "rules": [{"name": f"{name} {flat}", **rule}],
        }
        for name, rule in rules.items()
    ]


class Play(NamedTuple):
    """How long a camera judges, what it sees, and how often the server is killed meanwhile."""

    seconds: float
    seed: int
    kills: int


PLAYS = {"sqlite": Play(30, 20261115, 18), "postgresql": Play(15, 20261115, 4)}


class Household:
    """A theatre in which a home is lived in."""

    def __init__(self, theatre: Theatre, url: str | None) -> None:
        self.theatre = theatre
        if url is not None:
            theatre.env["ZHIXING_STORE_URL"] = url
        self.url = load(theatre.home, theatre.env).store_url

    def post(self, path: str, body: Any) -> None:
        """Ask the server to do something."""
        headers = {"Authorization": f"Bearer {token_file(self.theatre.home).read_text().strip()}"}
        connection = http.client.HTTPConnection("127.0.0.1", self.theatre.port, timeout=PATIENCE)
        with closing(connection):
            connection.request("POST", path, json.dumps(body), {**headers, "Content-Type": "application/json"})
            answer = connection.getresponse()
            assert answer.status == 201, answer.read()

    def begin(self) -> dict[str, tuple[Plan, datetime]]:
        """Give the home its tasks, and records a past; return the plan of each rule, and when it was made."""
        for flat in range(FLATS):
            for plan in plans_of(flat):
                self.post("/api/v1/household/tasks", plan)
        configuration = load(self.theatre.home, self.theatre.env)
        with opened(configuration, CLOCK, home_zone("Asia/Shanghai", {}), self.theatre.home, {}) as app:
            begin_records(app)
            return {rule.plan.name: (rule.plan, rule.created_at) for _, rule in app.household.rules()}

    def rows(self, sql: str) -> list[Any]:
        with closing(open_store(self.url)) as store, store.read() as tx:
            return tx.rows(sql)

    def await_settled(self) -> None:
        """Wait until nothing is left to do but to look at the clock."""
        tick = threading.Event()
        unfinished = "SELECT 1 FROM jobs WHERE finished_at IS NULL AND name NOT IN ('rules.wake', 'task.expire')"
        with closing(open_store(self.url)) as store:
            for _ in range(int(PATIENCE / 0.05)):
                with store.read() as tx:
                    jobs = tx.row(unfinished)
                    waiting = tx.row("SELECT 1 FROM occurrences WHERE state IN ('due', 'claimed', 'running')")
                if jobs is None and waiting is None:
                    return
                tick.wait(0.05)
        pytest.fail(
            f"left to do: {self.rows('SELECT name, key, state, attempt, error FROM jobs WHERE finished_at IS NULL')}"
        )


def begin_records(app: App) -> None:
    """Let somebody have looked at each phone, for so long that the minute is nearly full."""
    at = CLOCK.now() - timedelta(minutes=5)
    phones = [app.household.get(f"phone_{flat}").task.id for flat in range(FLATS)]
    with app.store.write() as tx:
        for task_id in phones:
            app.records.start_session(tx, task_id, at=at, key="before", who=WHO)
            app.records.end_session(tx, task_id, at=at + BEFORE, key="before too", who=WHO)


@pytest.fixture
def household(dialect: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Household]:
    url = None if dialect == "sqlite" else request.getfixturevalue("fresh_url")
    with ExitStack() as processes:
        yield Household(Theatre(tmp_path, processes), url)


def kill_again_and_again(household: Household, judging: Any, chance: random.Random, most: int) -> int:
    """Start the server and kill it at a random moment, while the camera judges; return how often."""
    pause = threading.Event()
    kills = 0
    while kills < most and judging.poll() is None:
        server = household.theatre.serve()
        if chance.random() < 0.8:
            greeted(server)
        pause.wait(chance.uniform(0, 1.0))
        assert server.poll() is None, "it ended by itself"
        household.theatre.end(server)
        kills += 1
    return kills


@pytest.mark.parametrize("dialect", PLAYS)
def test_nothing_pending_is_lost_and_nothing_happens_twice_however_often_the_server_is_killed(household, dialect):
    play = PLAYS[dialect]
    server = household.theatre.serve()
    greeted(server)
    plans = household.begin()
    judging = household.theatre.start(
        HERE / "camera.py", household.theatre.home, household.theatre.port, play.seed, play.seconds
    )
    household.theatre.end(server)
    kills = kill_again_and_again(household, judging, random.Random(SEED), play.kills)
    server = household.theatre.serve()
    greeted(server)
    told, _ = judging.communicate(timeout=PATIENCE + play.seconds)
    assert judging.returncode == 0
    household.await_settled()
    server.send_signal(signal.SIGTERM)
    server.communicate(timeout=PATIENCE)
    assert server.returncode == 0
    assert kills >= play.kills // 2

    begin, tries, doubts = told.split()
    check(household, plans, play, datetime.fromisoformat(begin))
    assert int(tries) > kills
    assert int(doubts) > 0


def check(household: Household, plans: dict[str, tuple[Plan, datetime]], play: Play, begin: datetime) -> None:
    """See that everything happened that the camera saw, once, and nothing else."""
    expected = Expected(plans, play, begin)

    # Every answer once, with its episode and its instant.
    names = dict(household.rows("SELECT id, name FROM rules"))
    rows = household.rows("SELECT part, key, due, state FROM occurrences")
    parts = [part.split(":") for part, *_ in rows]
    found = [
        (names[rule], way, key, from_micros(at)) for (_, rule, way), (_, key, at, _) in zip(parts, rows, strict=True)
    ]
    assert Counter(found) == Counter(expected.answers)
    assert {state for *_, state in rows} == {"done"}

    # The records are what the camera saw, to the microsecond.
    titles = dict(household.rows("SELECT records.id, title FROM records JOIN tasks ON tasks.id = task_id"))
    sessions: dict[str, list[tuple[datetime, datetime]]] = {}
    for record, *span in household.rows("SELECT record_id, start_at, end_at FROM record_sessions ORDER BY start_at"):
        sessions.setdefault(titles[record], []).append((from_micros(span[0]), from_micros(span[1])))
    assert {name: of_it[1:] for name, of_it in sessions.items()} == expected.sessions
    amounts = household.rows("SELECT record_id, sum(amount) FROM record_days GROUP BY record_id")
    assert {titles[record]: amount for record, amount in amounts} == expected.amounts
    marks = household.rows("SELECT record_id, at FROM record_reached")
    assert {titles[record]: from_micros(at) for record, at in marks} == expected.reached
    assert len(marks) == len(expected.reached)

    ways = Counter((name.split()[0], way) for name, way, *_ in expected.answers)
    goals = sum(name.startswith("cups") for name in expected.reached)
    check_letters(household, ways, goals)
    check_devices(household, ways["lamp", "enter"])


class Expected:
    """What is to come of what the camera saw."""

    def __init__(self, plans: dict[str, tuple[Plan, datetime]], play: Play, begin: datetime) -> None:
        ticks = round(timedelta(seconds=play.seconds) / camera.TICK)
        said = camera.verdicts(play.seed, ticks, begin)
        until = begin + ticks * camera.TICK
        self.answers: list[tuple[str, str, str, datetime]] = []
        self.sessions: dict[str, list[tuple[datetime, datetime]]] = {}
        self.amounts: dict[str, int] = {}
        self.reached: dict[str, datetime] = {}
        for name, (plan, made) in plans.items():
            of_it = [verdict for verdict in said if verdict.query == plan.trigger.query]
            moves = replay(plan, "Asia/Shanghai", of_it, until, made=made)
            answers = answers_of(name, plan, moves)
            assert unambiguous(name, plan, made, of_it, until) == answers, "the seed tells of something too close"
            self.answers += answers
            if name.startswith("phone"):
                self._time(name, [(move.since, move.left) for move in moves if move.what == "exit" and move.left])
            elif name.startswith("cups"):
                self.amounts[name] = len(answers)
                if len(answers) > 1:
                    self.reached[name] = answers[1][-1]

    def _time(self, name: str, sessions: list[tuple[datetime, datetime]]) -> None:
        """Time what a phone was looked at, and see when the minute is full."""
        full, spent = timedelta(minutes=1), BEFORE
        self.sessions[name] = sessions
        for start, end in sessions:
            at = start + full - spent
            assert spent >= full or abs(at - end) > CLOSE, "the seed reaches a target too close to an edge"
            if spent < full and at < end:
                self.reached[name] = at
                self.answers.append((name, "target", at.isoformat(), at))
            spent += end - start
        self.amounts[name] = spent // timedelta(microseconds=1)


def answers_of(name: str, plan: Plan, moves: tuple[Transition, ...]) -> list[tuple[str, str, str, datetime]]:
    """Return what a rule answers: which way, with its episode, and for which instant."""
    ways = {"enter": plan.on_enter, "exit": plan.on_exit}
    return [(name, move.what, move.since.isoformat(), move.at) for move in moves if ways.get(move.what)]


def unambiguous(
    name: str, plan: Plan, made: datetime, said: list[Verdict], until: datetime
) -> list[tuple[str, str, str, datetime]]:
    """Return what a rule answers where the program is away now and then; raise where it matters when."""
    chance = random.Random(SEED)
    span = until - said[0].at
    found = []
    for _ in range(5):
        breaks = [Interlude(at, Step.RESTART) for at in sorted(said[0].at + chance.random() * span for _ in range(8))]
        moves = replay(plan, "Asia/Shanghai", said, until, made=made, interludes=breaks)
        found.append(answers_of(name, plan, moves))
    assert all(each == found[0] for each in found)
    return found[0]


def check_letters(household: Household, ways: Counter[tuple[str, str]], goals: int) -> None:
    """Each letter is there once; where it is not certain that it arrived, that is on record."""
    expected = {
        "够了": ways["phone", "target"],
        "恭喜": goals,
        "放下了": ways["phone", "exit"],
        "门口有人": ways["door", "enter"],
    }
    letters = household.rows("SELECT channel, text, state, occurrence_id, key FROM messages")
    for channel in ("plain", "keyed", "inbox"):
        of_it = Counter(text for name, text, *_ in letters if name == channel)
        assert {text: of_it[text] for text in expected} == expected
    assert {state for channel, _, state, *_ in letters if channel in ("inbox", "keyed")} == {"sent"}
    assert {state for channel, _, state, *_ in letters if channel in ("plain", "speaker")} <= {"sent", "unknown"}
    taken = household.theatre.taken()
    assert max(taken.values()) == 1
    known = {(channel, occurrence): state for channel, _, state, occurrence, _ in letters}
    assert set(taken) <= set(known)
    assert all(
        taken[place] == 1 for place, state in known.items() if place[0] in ("plain", "keyed") and state == "sent"
    )
    # The speaker is one of the home: whether it spoke is known for certain there, too.
    spoken = len(household.rows(f"SELECT 1 FROM virtual_happenings WHERE did = '{SPEAKER}'"))
    aloud = Counter(state for (channel, _), state in known.items() if channel == "speaker")
    assert aloud.total() == ways["door", "enter"]
    assert aloud["sent"] <= spoken <= aloud.total()


def check_devices(household: Household, enters: int) -> None:
    """Every lamp is as it ought to be, and the bell rang no more often than anybody said."""
    lamps = household.rows("SELECT did, value FROM virtual_values WHERE iid = 'prop.2.1'")
    assert sorted(lamps) == sorted((lamp, "false") for lamp in LAMPS)
    steps = household.rows("SELECT did, state FROM household_steps")
    assert {state for did, state in steps if did in LAMPS} <= {"done", "skipped"}
    bells = Counter(state for did, state in steps if did == BELL)
    assert bells.total() == enters
    rung = len(household.rows(f"SELECT 1 FROM virtual_happenings WHERE did = '{BELL}'"))
    assert bells["done"] <= rung <= bells["done"] + bells["unknown"]
