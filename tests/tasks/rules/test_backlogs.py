"""What sources said while we were away comes in afterwards: it counts as if it had come in time.

Nothing is decided of what they may still have to tell. A case says what is judged, and from which second to which we
are away; what was said meanwhile is told in one go, or verdict by verdict, when we are back.
"""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.tasks.rules.conftest import SAY, SHANGHAI, START, House, at, frames, plan, seconds, verdict

from zhixing.kernel.moments import from_micros, micros
from zhixing.tasks.rules.hearing import SECOND
from zhixing.tasks.rules.machine import Happening, first_state, terms_of
from zhixing.tasks.rules.model import Plan
from zhixing.tasks.rules.ranks import Member
from zhixing.tasks.rules.replay import replay
from zhixing.tasks.rules.truth import condition_of
from zhixing.tasks.rules.watch import Kept, Watch
from zhixing.world.perception.verdict import Verdict

STATE = {"mode": "state", "exit_debounce": 10, "on_exit": SAY}
CASES = {
    "an exit that was called off": (STATE, frames("T T F F T T T T T T"), 12, 30),
    "an exit that was not": (STATE, frames("T T F F F F F F F T T"), 12, 30),
    "an exit that was certain before it was seen to be so again": (STATE, frames("T T F F F F F T T T"), 12, 23),
    "a duration that came to nothing": ({"duration": 20}, frames("T T T F F T F F F"), 6, 26),
    "a duration that was over before it came to an end": ({"duration": 20}, frames("T T T T T T T F F"), 6, 30),
    "two episodes": (STATE | {"exit_debounce": 4}, frames("T T F F F F T T F F F F T T"), 6, 50),
    "an episode between": ({"mode": "event"}, frames("F F T T F F F F T F F F"), 6, 44),
    "a doubt that held": (STATE | {"exit_debounce": 4}, [*frames("T T F"), *frames("T T", first=30)], 6, 33),
    "a doubt that did not": (STATE, frames("T T T F T T T T"), 6, 31),
}


@pytest.mark.parametrize("told", ["in one go", "one by one", "one by one while the clock is looked at"])
@pytest.mark.parametrize("case", CASES)
def test_what_was_said_meanwhile_counts_as_if_it_had_come_in_time(steady_house: House, case, told):
    rest, everything, away, back = CASES[case]
    verdicts = [each for each in everything if each.at <= at(back)]
    house = steady_house
    rule = house.add(**rest)
    house.play([each for each in verdicts if each.at <= at(away)], away)
    house.clock.advance(at(back) - house.clock.now())
    house.restart()

    backlog = [each for each in verdicts if at(away) < each.at]
    for part in [backlog] if told == "in one go" else [[each] for each in backlog]:
        house.take(part)
        if told.endswith("looked at"):
            house.engine.drain()
    house.play(frames("F F F F F F", first=back + 1), back + 100)

    assert house.said == expected(rule.plan, [*verdicts, *frames("F F F F F F", first=back + 1)], back + 100)


def expected(made: Plan, verdicts: list[Verdict], until: float) -> list[str]:
    """Write what the replay of everything says, had we never been away."""
    moves = replay(made, SHANGHAI, verdicts, at(until), made=START)
    answered = {"enter": made.on_enter, "exit": made.on_exit}
    return [f"r1 {move.what} {seconds(move.at)}" for move in moves if answered.get(move.what)]


PERIOD = 0.7
"""Seconds between two verdicts: nothing that takes whole seconds is due at the instant of one."""


@given(
    runs=st.lists(st.tuples(st.sampled_from("TFU"), st.integers(1, 70)), min_size=1, max_size=8),
    rest=st.sampled_from([STATE, STATE | {"duration": 5}, {"duration": 5}, {"mode": "event"}]),
    absences=st.lists(st.tuples(st.floats(0, 30), st.floats(0.1, 20)), min_size=1, max_size=4),
    looks=st.booleans(),
    target=st.none() | st.integers(1, 40),
)
@settings(max_examples=200, deadline=None)
def test_absences_make_no_difference_where_everything_is_told_afterwards(runs, rest, absences, looks, target):
    letters = "".join(letter * number for letter, number in runs) + "F" * 300
    verdicts = [verdict(letter, index * PERIOD) for index, letter in enumerate(letters)]
    end = len(letters) * PERIOD
    made = plan(**rest, on_target=SAY)
    moves = replay(made, SHANGHAI, verdicts, at(end), made=START, target_after=target)
    player = Absentee(made, target)
    clock = 0.0
    for present, away in absences:
        player.live(verdicts, at(clock), at(clock + present))
        clock += present
        # What is due between the last verdict before and the first one after cannot be told from what ended meanwhile.
        last = max(each.at for each in verdicts if each.at <= at(clock))
        first = min(each.at for each in verdicts if each.at > at(clock))
        assume(not any(last <= move.at <= first or last <= move.decided <= first for move in moves))
        missed = [each for each in verdicts if at(clock) < each.at <= at(clock + away)]
        clock += away
        player.come_back(missed, at(clock), looks)
    assume(clock < end)
    player.live(verdicts, at(clock), at(end))
    assert player.told == [(move.what, move.at, move.since, move.left) for move in moves if move.what != "near_miss"]


class Absentee:
    """A watch with one rule, whose owner is away now and then."""

    def __init__(self, made: Plan, target: int | None) -> None:
        self.told: list[tuple[str, datetime, datetime, datetime | None]] = []
        self._target = None if target is None else target * SECOND
        self._watch = Watch("c1", condition_of(made.trigger), Kept(now=micros(START)), None)
        terms = terms_of(made, SHANGHAI)
        self._watch.start(Member("r1", 1, terms, first_state(micros(START)), enabled=True), micros(START))

    def live(self, verdicts: list[Verdict], start: datetime, end: datetime) -> None:
        """Take what comes in, and look at the clock whenever there is a reason."""
        for each in verdicts:
            if start < each.at <= end or each.at == start == START:
                self._look(each.at)
                self._take(each)
        self._look(end)

    def come_back(self, backlog: list[Verdict], now: datetime, looks: bool) -> None:  # noqa: FBT001
        """Take what was said meanwhile; with or without looking at the clock after each."""
        before = self._watch
        member = before.members["r1"]
        self._watch = Watch("c1", before.condition, before.kept(), None)
        self._watch.put(Member("r1", 1, member.terms, member.state, enabled=True))
        self._watch.come_back(micros(now))
        for each in backlog:
            self._take(each)
            if looks:
                self._look(now)

    def _take(self, each: Verdict) -> None:
        self._watch.take(each.source, each.value, micros(each.at), firm=False, lasting=False, reason="")
        self._note()

    def _look(self, until: datetime) -> None:
        self._watch.advance(micros(until))
        while self._note():
            self._watch.advance(micros(until))

    def _note(self) -> bool:
        happened, self._watch.effects = self._watch.effects, []
        for _, effect in happened:
            if effect.what is not Happening.NEAR_MISS:
                left = None if effect.left is None else from_micros(effect.left)
                self.told.append((effect.what.value, from_micros(effect.at), from_micros(effect.since), left))
            if effect.what is Happening.ENTER and self._target is not None:
                self._watch.aim("r1", effect.since + self._target)
        return bool(happened)
