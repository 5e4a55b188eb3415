"""Random streams of verdicts, restarts, edits and stops: what must hold whatever happens.

One enter for each exit, no exit without an enter, nothing while stopped; the operations do what the replay says; many
rules on one condition do what each would do alone.
"""

from __future__ import annotations

import shutil
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conftest import Home
from tests.tasks.rules.conftest import SAY, SHANGHAI, START, House, at, plan, verdict

from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import micros
from zhixing.store.opening import sqlite_url
from zhixing.tasks.rules.machine import decide, first_state, terms_of
from zhixing.tasks.rules.model import Plan
from zhixing.tasks.rules.ranks import Member
from zhixing.tasks.rules.replay import Interlude, Step, Transition, replay
from zhixing.tasks.rules.truth import condition_of
from zhixing.tasks.rules.watch import Kept, Watch
from zhixing.world.perception.verdict import Verdict

pytestmark = pytest.mark.filterwarnings("ignore::hypothesis.errors.NonInteractiveExampleWarning")
UNTIL = 700

SECONDS = st.integers(0, 400).map(lambda number: number / 2)
VERDICTS = st.lists(
    st.builds(
        verdict,
        st.sampled_from("TTTFFFU"),
        SECONDS,
        st.sampled_from(["cam1", "cam2"]),
        firm=st.sampled_from([False, False, False, True]),
        lasting=st.sampled_from([False, False, True]),
    ),
    max_size=40,
).map(lambda verdicts: sorted(verdicts, key=lambda each: each.at))
RULES = st.fixed_dictionaries(
    {
        "mode": st.sampled_from(["event", "state"]),
        "duration": st.sampled_from([0, 0, 1, 10, 20, 60]),
        "tolerance": st.sampled_from([0, 5, 30]),
        "expiry": st.sampled_from([None, 5, 30, 180]),
        "exit_debounce": st.sampled_from([0, 3, 10, 60]),
        "cooldown": st.sampled_from([0, 0, 30]),
        "sources": st.sampled_from([("cam1",), ("cam1", "cam2")]),
        "agreement": st.sampled_from(["any", "all"]),
        "limit": st.just(None),
        "on_target": st.just(SAY),
    }
)
STEPS = st.lists(st.builds(Interlude, SECONDS.map(at), st.sampled_from(list(Step))), max_size=6).map(
    lambda steps: sorted(steps, key=lambda each: each.at)
)


def made_of(rule: dict[str, Any], **rest: Any) -> Plan:
    return plan(**(rule | rest))


@given(rule=RULES, verdicts=VERDICTS, steps=STEPS, target=st.sampled_from([None, 5, 30]))
@settings(max_examples=400, deadline=None)
def test_the_invariants(rule, verdicts, steps, target):
    done = replay(made_of(rule), SHANGHAI, verdicts, at(UNTIL), made=START, interludes=steps, target_after=target)
    inside: Transition | None = None
    spans = stopped_spans(steps)
    for transition in done:
        match transition.what:
            case "enter":
                # A stop ends an episode without an exit; so does the end of an event.
                if inside is not None and rule["mode"] == "state":
                    assert any(inside.decided <= start <= transition.decided for start, _ in spans)
                assert transition.at <= transition.decided
                assert transition.since <= transition.at
                inside = transition
            case "exit":
                assert rule["mode"] == "state"
                assert inside is not None
                assert transition.since == inside.since
                assert transition.left is not None
                assert transition.left >= inside.since
                assert (transition.at - transition.left).total_seconds() == rule["exit_debounce"]
                inside = None
            case "target":
                assert inside is not None
                assert transition.since == inside.since
                assert transition.at >= inside.since
        if transition.what != "near_miss":
            # At the very instant of a stop, what was due then may have happened before.
            assert not any(start < transition.decided < end for start, end in spans)
    episodes = [transition.since for transition in done if transition.what == "enter"]
    assert len(set(episodes)) == len(episodes)


def stopped_spans(steps):
    spans, since = [], None
    for step in steps:
        if step.step is Step.STOP and since is None:
            since = step.at
        elif step.step is Step.START and since is not None:
            spans.append((since, step.at))
            since = None
    return spans if since is None else [*spans, (since, at(UNTIL + 1))]


@given(rule=RULES, verdicts=VERDICTS)
@settings(max_examples=200, deadline=None)
def test_what_is_kept_is_all_there_is_to_it(rule, verdicts):
    """Writing everything down and reading it again between all steps changes nothing."""
    from msgspec import json

    def run(*, copied: bool) -> list[Any]:
        made = made_of(rule)
        condition = condition_of(made.trigger)
        watch = Watch("c1", condition, Kept(now=micros(START)), None)
        watch.start(Member("r1", 1, terms_of(made, SHANGHAI), first_state(micros(START)), enabled=True), micros(START))
        effects: list[Any] = []
        for each in verdicts:
            if each.source not in condition.sources:
                continue
            if copied:
                member = watch.members["r1"]
                kept = json.decode(json.encode(watch.kept()), type=Kept)
                state = json.decode(json.encode(member.state), type=type(member.state))
                watch = Watch("c1", condition, kept, None)
                watch.put(Member("r1", 1, member.terms, state, enabled=True))
            watch.take(
                each.source, each.value, micros(each.at), firm=each.firm, lasting=each.lasting, reason=each.reason
            )
            effects += watch.effects
            watch.effects = []
        watch.advance(micros(at(UNTIL)))
        return effects + watch.effects

    assert run(copied=False) == run(copied=True)


@given(
    rules=st.lists(RULES, min_size=2, max_size=6),
    shared=st.tuples(st.sampled_from([0, 5, 30]), st.sampled_from([None, 30]), st.sampled_from(["any", "all"])),
    verdicts=VERDICTS,
    made=st.lists(SECONDS, min_size=6, max_size=6),
)
@settings(max_examples=200, deadline=None)
def test_many_rules_on_one_condition_do_what_each_would_do_alone(rules, shared, verdicts, made):
    tolerance, expiry, agreement = shared
    same = {"tolerance": tolerance, "expiry": expiry, "agreement": agreement, "sources": ("cam1", "cam2")}
    plans = [made_of(rule | same, name=f"r{number}") for number, rule in enumerate(rules, start=1)]

    def run(chosen: list[int]) -> dict[str, list[Any]]:
        watch = Watch("c1", condition_of(plans[0].trigger), Kept(now=micros(START)), None)
        steps: list[tuple[float, int, Any]] = [
            ((each.at - START).total_seconds(), 1, each) for each in verdicts
        ]  # fmt: skip
        steps += [(made[number - 1], 0, number) for number in range(1, len(plans) + 1)]
        for second, _, step in sorted(steps, key=lambda step: step[:2]):
            instant = micros(at(second))
            watch.advance(instant)
            if isinstance(step, Verdict):
                watch.take(step.source, step.value, instant, firm=step.firm, lasting=step.lasting, reason="")
            elif step in chosen:
                terms = terms_of(plans[step - 1], SHANGHAI)
                watch.start(Member(f"r{step}", step, terms, first_state(instant), enabled=True), instant)
        watch.advance(micros(at(UNTIL)))
        found: dict[str, list[Any]] = {f"r{number}": [] for number in chosen}
        for rule_id, effect in watch.effects:
            found[rule_id].append(effect)
        for member in watch.members.values():
            assert decide(member.terms, member.state, watch.truth, watch._view, watch.now).effects == ()
        return found

    everybody = list(range(1, len(plans) + 1))
    together = run(everybody)
    for number in everybody:
        assert run([number])[f"r{number}"] == together[f"r{number}"]


@pytest.fixture(scope="module")
def empty(request: pytest.FixtureRequest) -> Path:
    return request.getfixturevalue("migrated_file")


@given(rule=RULES, verdicts=VERDICTS, steps=STEPS)
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_the_operations_do_what_the_replay_says(empty, rule, verdicts, steps):
    made = made_of(rule, on_target=SAY.__class__())
    expected = replay(made, SHANGHAI, verdicts, at(UNTIL), made=START, interludes=steps)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(empty, Path(folder) / "home.db")
        with closing(Home(sqlite_url(Path(folder) / "home.db"))) as home:
            house = House(home, ManualClock(START), restarts=False)
            task = house.add_task()
            with house.store.write() as tx:
                the_rule = house.rules.create(tx, task.id, made, who="小明")
            for each in sorted([*steps, *verdicts], key=lambda step: (step.at, isinstance(step, Verdict))):
                house.pass_until(each.at)
                if isinstance(each, Verdict):
                    house.take([each])
                elif each.step is Step.RESTART:
                    house.take([])  # it was there until then
                    house.restart()
                else:
                    house.do("disable" if each.step is Step.STOP else "enable", the_rule)
            house.pass_until(at(UNTIL))
            fired = [(each.direction.value, each.at, each.since, each.left) for each in house.fired]
            near = house.near_misses(the_rule)
    told = [transition for transition in expected if transition.what != "near_miss"]
    answered = [each for each in told if not (each.what == "exit" and not made.on_exit)]
    assert fired == [(each.what, each.at, each.since, each.left) for each in answered]
    # What nobody waits for is looked at on a coarse grid: a stop may come before it.
    if not any(step.step is Step.STOP for step in steps):
        assert near == [each.why for each in expected if each.what == "near_miss"]
