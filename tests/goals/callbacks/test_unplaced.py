"""Messages that name no leaf: found by the session in which it runs, or kept for who looks for them."""

from __future__ import annotations

import pytest
from tests.goals.running.houses import TASK, House, goal

from zhixing.goals.callbacks import operations
from zhixing.goals.callbacks.operations import LONGEST_KEPT, Callbacks
from zhixing.goals.running.ports import Arrived
from zhixing.goals.running.scripted import ScriptedDeliverer, ScriptedPlanner, planned, scripted_ports

ODD = 's_%!"中\\'


class InSession(ScriptedDeliverer):
    """Executors whose runs share a session, or have one each."""

    def deliver(self, delivery) -> Arrived:
        super().deliver(delivery)
        return Arrived(session_id=ODD if delivery.node_id == "a" else "shared")


@pytest.fixture
def house(store, clock) -> House:
    planner = ScriptedPlanner({TASK: [planned("a", "b", "c")]})
    deliverer = InSession({each: [None] for each in "abc"})
    found = House(store, clock, scripted_ports(planner, deliverer))
    found.run(goal())
    return found


@pytest.fixture
def callbacks(store, clock) -> Callbacks:
    return Callbacks(store, clock)


@pytest.mark.usefixtures("house")
def test_a_leaf_is_found_by_the_session_it_runs_in(callbacks) -> None:
    assert callbacks.place_of(ODD) == (TASK, "a", 1)
    for other in ("", "%", "s%", "s__!", ODD[:-1], ODD.upper(), "none"):
        assert callbacks.place_of(other) is None, other


@pytest.mark.usefixtures("house")
def test_a_session_of_several_leaves_tells_nothing(callbacks) -> None:
    assert callbacks.place_of("shared") is None


def test_what_ended_is_not_found_any_more(house, callbacks) -> None:
    house.goals.cancel(TASK)
    assert callbacks.place_of(ODD) is None


def test_the_same_message_is_kept_once_and_counted(callbacks) -> None:
    for body in ({"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 2}):
        callbacks.keep(body)
    callbacks.keep({"a": 2}, "bot")
    assert sorted((each.times, each.bot_id) for each in callbacks.kept()) == [(1, ""), (1, "bot"), (2, "")]


def test_messages_are_kept_cut_and_only_the_latest_of_them(callbacks, clock, monkeypatch) -> None:
    monkeypatch.setattr(operations, "MOST_KEPT", 3)
    for number in range(5):
        callbacks.keep({"number": number, "text": "x" * 100_000})
        clock.advance(clock.now().resolution * 1000)
    kept = callbacks.kept()
    assert [f'"number": {n}' in each.body for n, each in zip((4, 3, 2), kept, strict=True)] == [True] * 3
    assert {len(each.body) for each in kept} == {LONGEST_KEPT}
