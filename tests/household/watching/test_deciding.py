"""What is decided about looking, without cameras, models or rules."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from zhixing.household.watching import deciding
from zhixing.household.watching.breaker import CLOSED, Breaker
from zhixing.household.watching.model import (
    Answered,
    Ending,
    Eye,
    Failed,
    Frame,
    Look,
    Missed,
    Now,
    Plan,
    Same,
    Spent,
    State,
    Step,
    SwitchedOff,
    Terms,
)
from zhixing.world.models.failures import ModelGarbled, ModelRefused, ModelUnavailable, Why
from zhixing.world.perception.verdict import Value
from zhixing.world.vision.looking import MOST_QUERIES, Judgement, Looked

START = datetime(2026, 10, 12, 2, tzinfo=UTC)
CAMERA, QUERY = "cam", "有人"
TERMS = Terms()


def at(seconds: float) -> Now:
    return Now(START + timedelta(seconds=seconds), seconds)


def frame(name: str, seconds: float) -> Frame:
    return Frame(name, START + timedelta(seconds=seconds))


def judged(value: Value, picture: Frame, *queries: str, requests: int = 1) -> Answered:
    asked = queries or (QUERY,)
    return Answered(Plan(picture, asked), Looked({query: Judgement(value, "看到了") for query in asked}, requests))


class Story:
    """One camera, looked at again and again."""

    def __init__(self, terms: Terms = TERMS) -> None:
        self.state = State()
        self.terms = terms
        self.told: list[tuple[float, str]] = []

    def ends(self, seconds: float, ending: Ending, took: float = 0.0) -> Step:
        state = deciding.begin(self.state, CAMERA, seconds)
        if isinstance(ending, Answered | Failed):
            state = deciding.asking(state, seconds)
        step = deciding.end(state, Look(CAMERA, (QUERY,)), ending, self.terms, at(seconds + took))
        self.state = step.state
        self.told += [((one.at - START).total_seconds(), one.value.value) for one in step.told]
        return step

    @property
    def due(self) -> float:
        return self.state.eye(CAMERA).due


def test_the_camera_that_has_waited_longest_comes_first() -> None:
    state = State({"a": Eye(due=5.0), "b": Eye(due=3.0), "c": Eye(due=1.0, busy=True), "d": Eye(due=99.0)})
    assert deciding.next_look(state, ("a", "b", "c", "d"), 6.0) == "b"
    assert deciding.next_look(state, ("a", "d"), 4.0) is None
    assert deciding.next_due(state, ("a", "d"), 4.0) == 1.0
    assert deciding.next_due(state, ("c",), 4.0) == 1.0
    assert deciding.next_look(State(), ("new",), 0.0) == "new"


@pytest.mark.parametrize(
    ("before", "after", "soon"),
    [
        (None, Value.TRUE, True),
        (None, Value.FALSE, False),
        (None, Value.UNKNOWN, False),
        (Value.FALSE, Value.TRUE, True),
        (Value.FALSE, Value.FALSE, False),
        (Value.TRUE, Value.TRUE, False),
        (Value.TRUE, Value.FALSE, True),
        (Value.TRUE, Value.UNKNOWN, False),
        (Value.UNKNOWN, Value.TRUE, True),
    ],
)
def test_what_waits_for_a_second_opinion_is_looked_at_sooner(before: Value | None, after: Value, soon: bool) -> None:  # noqa: FBT001
    story = Story()
    if before is not None:
        story.ends(0, judged(before, frame("a", 0)))
    story.ends(10, judged(after, frame("b", 10)))
    assert story.due == 10 + (TERMS.soon if soon else TERMS.interval)


def test_the_pause_begins_with_the_look_and_there_is_always_one() -> None:
    story = Story()
    story.ends(0, judged(Value.FALSE, frame("a", 0)), took=4)
    assert story.due == 10
    story.ends(10, judged(Value.FALSE, frame("b", 10)), took=40)
    assert story.due == 51


def test_unknown_is_told_once() -> None:
    story = Story()
    story.ends(0, judged(Value.TRUE, frame("a", 0)))
    story.ends(3, Missed("断了"))
    story.ends(13, Missed("断了"))
    story.ends(33, SwitchedOff())
    assert story.told == [(0, "true"), (3, "unknown")]


def test_a_verdict_is_dated_by_its_picture_but_not_before_what_was_told_last() -> None:
    story = Story()
    story.ends(100, Missed("断了"))
    story.ends(110, judged(Value.TRUE, frame("old", 95)), took=5)
    story.ends(120, judged(Value.TRUE, frame("ahead", 900)))
    assert story.told == [(100, "unknown"), (100, "true"), (120, "true")]


def test_of_the_same_picture_nothing_is_asked_within_the_limit() -> None:
    story = Story()
    story.ends(0, judged(Value.FALSE, frame("a", 0)))
    eye = story.state.eye(CAMERA)
    assert deciding.plan(eye, frame("a", 30), (QUERY,), TERMS, 30).ask == ()
    assert deciding.plan(eye, frame("a", 61), (QUERY,), TERMS, 61).ask == (QUERY,)
    assert deciding.plan(eye, frame("b", 30), (QUERY,), TERMS, 30).ask == (QUERY,)
    assert deciding.plan(eye, frame("a", 30), (QUERY, "开着灯"), TERMS, 30).ask == ("开着灯",)
    # The same old file has nothing new to say, however long ago it was judged.
    assert deciding.plan(eye, frame("a", 0), (QUERY,), TERMS, 250).ask == ()


def test_what_failed_is_asked_again_of_the_same_picture() -> None:
    story = Story()
    story.ends(0, Failed(ModelGarbled(Why.UNREADABLE)))
    assert deciding.plan(story.state.eye(CAMERA), frame("a", 0), (QUERY,), TERMS, 10).ask == (QUERY,)


def test_the_same_picture_is_told_again_only_once_nothing_waits_for_a_second_opinion() -> None:
    story = Story()
    story.ends(0, judged(Value.TRUE, frame("a", 0)))
    for seconds in (3, 6, 9, 19):
        plan = deciding.plan(story.state.eye(CAMERA), frame("a", seconds), (QUERY,), TERMS, seconds)
        story.ends(seconds, Same(plan))
    assert story.told == [(0, "true"), (19, "true")]


def test_too_much_at_once_is_asked_in_turns() -> None:
    queries = tuple(f"第 {number} 件" for number in range(MOST_QUERIES + 5))
    plan = deciding.plan(Eye(), frame("a", 0), queries, TERMS, 0)
    assert (plan.ask, plan.later) == (queries[:MOST_QUERIES], queries[MOST_QUERIES:])
    long = tuple(f"{number:03}" + "长" * 997 for number in range(50))
    assert len(deciding.plan(Eye(), frame("a", 0), long, TERMS, 0).ask) == 30
    huge = "长" * 100_000
    assert deciding.plan(Eye(), frame("a", 0), (huge, QUERY), TERMS, 0).ask == (huge,)


@pytest.mark.parametrize(
    ("terms", "today", "asked", "why"),
    [
        (Terms(per_hour=2), Spent(), 1, None),
        (Terms(per_hour=2), Spent(), 2, "over_hour"),
        (Terms(per_hour=0), Spent(), 9, None),
        (Terms(per_day=5), Spent(calls=4), 0, None),
        (Terms(per_day=5), Spent(calls=5), 0, "over_day"),
        (Terms(per_day=0), Spent(calls=10**9), 0, None),
        (Terms(cost_per_day=100), Spent(cost=100), 0, "over_money"),
        (Terms(cost_per_day=0), Spent(cost=10**9), 0, None),
    ],
)
def test_budgets_shut(terms: Terms, today: Spent, asked: int, why: str | None) -> None:
    assert deciding.shut(State(asked=asked), terms, today, 10.0) == why
    assert deciding.shut(State(asked=asked), replace(terms, per_day=0, cost_per_day=0), today, 3_600.0) is None


def test_a_repair_counts_as_a_question() -> None:
    story = Story()
    story.ends(0, judged(Value.TRUE, frame("a", 0), requests=2))
    assert story.state.asked == 2
    story.ends(10, Failed(ModelGarbled(Why.UNREADABLE)))
    assert story.state.asked == 4
    story.ends(20, Failed(ModelGarbled(Why.TRUNCATED)))
    assert story.state.asked == 5
    story.ends(4_000, judged(Value.TRUE, frame("b", 4_000)))
    assert (story.state.hour, story.state.asked) == (4_000, 1)


class TestBreaker:
    def test_it_opens_after_some_failures_in_a_row_and_ever_longer(self) -> None:
        breaker, pauses, now = CLOSED, [], 0.0
        for _ in range(3):
            assert not breaker.is_open(now)
            breaker = breaker.asking().failed(now)
        for _ in range(7):
            assert breaker.until is not None
            assert breaker.is_open(now)
            pauses.append(breaker.until - now)
            now = breaker.until
            assert not breaker.is_open(now)
            breaker = breaker.asking()
            # One probe at a time.
            assert breaker.is_open(now + 1)
            breaker = breaker.failed(now)
        assert pauses == [30, 60, 120, 240, 480, 900, 900]

    def test_an_answer_closes_it(self) -> None:
        story = Story()
        for seconds in (0, 10, 20):
            story.ends(seconds, Failed(ModelUnavailable(Why.SERVER_FAILED, "500")))
        assert deciding.shut(story.state, TERMS, Spent(), 49) == "resting"
        assert deciding.shut(story.state, TERMS, Spent(), 50) is None
        story.ends(50, judged(Value.TRUE, frame("a", 50)))
        assert story.state.breaker == CLOSED

    def test_failures_that_were_under_way_when_it_opened_do_not_lengthen_the_pause(self) -> None:
        opened = Breaker(3, until=30.0, pause=30.0)
        assert opened.failed(5.0) == opened

    def test_what_the_server_asks_for_is_kept_within_an_hour(self) -> None:
        after = ModelUnavailable(Why.BUSY, "429", timedelta(days=9))
        story = Story()
        story.ends(0, Failed(after))
        assert story.state.breaker.until == 3_600

    def test_what_only_a_person_can_help_waits_long(self) -> None:
        story = Story()
        story.ends(0, Failed(ModelRefused(Why.KEY, "401")))
        assert story.state.breaker.until == 900

    def test_a_probe_that_was_not_put_frees_the_way(self) -> None:
        opened = Breaker(3, until=30.0, pause=30.0).asking()
        assert not opened.given_back().is_open(31.0)
        state = State(breaker=opened)
        step = deciding.end(state, Look(CAMERA, (QUERY,)), SwitchedOff(), TERMS, at(31))
        assert not step.state.breaker.is_open(31.0)
        broke = deciding.broke_off(state, CAMERA, TERMS, 31.0, asked=True)
        assert not broke.breaker.is_open(31.0)
