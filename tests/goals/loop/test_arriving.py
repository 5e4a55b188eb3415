"""The word that a leaf arrived comes after its executor was heard: where it runs is kept as long as it runs."""

from __future__ import annotations

import pytest
from tests.goals.loop.worlds import hit, passed, started

from zhixing.goals.loop.effects import Withdraw
from zhixing.goals.loop.events import Cancel, Delivered, Event, Started

ARRIVED = Delivered("a", run_id="run-7", session_id="s-7", attempt=1)


def place(world) -> tuple[str, str]:
    run = world.graph.nodes["a"].run
    return run.run_id, run.session_id


def test_a_leaf_that_began_before_it_is_known_to_have_arrived_can_be_stopped_where_it_runs() -> None:
    world = started("a").tell(hit("a"), Started("a", 1), ARRIVED)
    assert place(world) == ("run-7", "s-7")
    world.tell(Cancel())
    assert [each.run_id for each in world.effects if isinstance(each, Withdraw)] == ["run-7"]


def test_the_first_word_of_where_a_leaf_runs_counts() -> None:
    world = started("a").tell(hit("a"), ARRIVED, Delivered("a", run_id="other", attempt=1))
    assert place(world) == ("run-7", "s-7")


@pytest.mark.parametrize("ended", [passed("a"), Cancel()])
def test_what_ended_or_is_another_attempt_keeps_nothing(ended: Event) -> None:
    world = started("a").tell(hit("a"), Started("a", 1), Delivered("a", run_id="x", attempt=2))
    assert place(world) == ("", "")
    world.tell(ended, ARRIVED)
    assert place(world) == ("", "")
