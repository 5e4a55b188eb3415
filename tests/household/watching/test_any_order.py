"""Whatever happens in whatever order: what must hold of every look."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

import hypothesis.strategies as st
from hypothesis import given, settings

from zhixing.household.watching import deciding
from zhixing.household.watching.model import (
    Answered,
    Ending,
    Failed,
    Frame,
    Look,
    Missed,
    NotAllowed,
    Now,
    Outdated,
    Same,
    Spent,
    State,
    SwitchedOff,
    Terms,
)
from zhixing.kernel.moments import parse_instant
from zhixing.world.models.failures import ModelFailure, ModelGarbled, ModelRefused, ModelUnavailable, Why
from zhixing.world.perception.verdict import Value
from zhixing.world.vision.looking import Judgement, Looked

START = parse_instant("2026-10-12T10:00:00+08:00")
CAMERAS = ("甲", "乙")
TERMS = Terms(per_hour=20)
FAILURES = [
    ModelGarbled(Why.UNREADABLE),
    ModelRefused(Why.KEY, "401"),
    ModelRefused(Why.DECLINED),
    ModelUnavailable(Why.BUSY, "429", timedelta(seconds=70)),
    ModelUnavailable(Why.NO_ANSWER),
]

values = st.sampled_from(list(Value))
seen = st.tuples(st.lists(values, min_size=3, max_size=3), st.sampled_from("abc"), st.integers(0, 60))
failed = st.tuples(st.sampled_from(FAILURES), st.sampled_from("abc"), st.integers(0, 60))
ENDINGS: dict[str, Ending] = {"missed": Missed("断了"), "outdated": Outdated("旧了"), "off": SwitchedOff()}
happenings = st.one_of(seen, failed, st.tuples(st.sampled_from([*ENDINGS, "rest", "broke"])))
jumps = st.just(0) | st.integers(-7_200, 7_200)
steps = st.lists(
    st.tuples(st.integers(0, 40), jumps, st.sets(st.sampled_from("123"), min_size=1), happenings), max_size=40
)


class Life:
    """Two cameras that live through whatever comes."""

    def __init__(self) -> None:
        self.state = State()
        self.seconds, self.wall = 0.0, START
        self.told: dict[tuple[str, str], Value] = {}

    def pass_time(self, seconds: float, jump: float = 0.0) -> None:
        self.seconds += seconds
        self.wall += timedelta(seconds=seconds + jump)

    def look(self, wanted: Collection[str], happens: tuple) -> None:
        camera = deciding.next_look(self.state, CAMERAS, self.seconds)
        if camera is None:
            assert deciding.next_due(self.state, CAMERAS, self.seconds) > 0
            return
        self.state = deciding.begin(self.state, camera, self.seconds)
        assert deciding.next_look(self.state, (camera,), self.seconds) is None
        look = Look(camera, tuple(sorted(wanted)))
        if happens == ("rest",):
            self.state = deciding.rest(self.state, camera, TERMS, self.seconds)
        elif happens == ("broke",):
            self.state = deciding.broke_off(self.state, camera, TERMS, self.seconds, asked=False)
        else:
            self.end(look, self.see(look, happens))
        eye = self.state.eye(camera)
        assert not eye.busy
        # The call of an answer that needed a repair is the only one beyond the budget.
        assert self.state.asked <= TERMS.per_hour + 1
        assert self.seconds < eye.due <= self.seconds + 300
        assert set(eye.known) <= set(wanted)

    def see(self, look: Look, happens: tuple) -> Ending:
        why = deciding.shut(self.state, TERMS, Spent(), self.seconds)
        if why is not None:
            return NotAllowed(why)
        if len(happens) == 1:
            return ENDINGS[happens[0]]
        what, fingerprint, took = happens
        plan = deciding.plan(
            self.state.eye(look.camera), Frame(fingerprint, self.wall), look.wanted, TERMS, self.seconds
        )
        assert sorted((*plan.ask, *plan.hold, *plan.later)) == list(look.wanted)
        if not plan.ask:
            return Same(plan)
        self.state = deciding.asking(self.state, self.seconds)
        self.pass_time(took)
        if isinstance(what, ModelFailure):
            return Failed(what)
        judged = {query: Judgement(value, "") for query, value in zip(plan.ask, what, strict=False)}
        return Answered(plan, Looked(judged, 1))

    def end(self, look: Look, ending: Ending) -> None:
        step = deciding.end(self.state, look, ending, TERMS, Now(self.wall, self.seconds))
        judged = ending.looked.judgements if isinstance(ending, Answered) else {}
        for one in step.told:
            assert one.at <= self.wall
            if one.query in judged:
                assert one.value is judged[one.query].value
            elif one.value is not Value.UNKNOWN:
                assert self.told[look.camera, one.query] is one.value
            self.told[look.camera, one.query] = one.value
        self.state = step.state


@given(steps)
@settings(max_examples=60, deadline=None)
def test_every_look_ends_and_nothing_is_made_up(story: list[tuple[int, int, set[str], tuple]]) -> None:
    life = Life()
    for gap, jump, wanted, happens in story:
        life.pass_time(gap, jump)
        life.look(wanted, happens)
