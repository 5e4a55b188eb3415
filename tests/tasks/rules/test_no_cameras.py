"""A rule that names no source while no camera is in use: nobody looks, so nothing is so, least of all an empty room."""

from __future__ import annotations

import pytest
from tests.tasks.rules.conftest import House, at, frames


@pytest.mark.parametrize("agreement", ["any", "all"])
@pytest.mark.parametrize("mode", ["event", "state"])
@pytest.mark.parametrize("duration", [0, 20])
def test_nothing_holds_where_nobody_looks(house: House, agreement: str, mode: str, duration: int):
    house.cameras = []
    house.add(mode, sources=(), agreement=agreement, duration=duration)
    house.play(frames("F T T T T T T T T T"), 400)
    assert house.fired == []


def test_it_begins_to_hold_when_a_camera_is_put_to_use(house: House):
    house.cameras = []
    house.add(sources=(), agreement="all")
    house.play(frames("F F T T"))
    house.cameras = ["cam1"]
    house.play(frames("F F T T", first=100), 200)
    assert house.said == ["r1 enter 108"]


def test_what_held_has_not_ended_because_the_last_camera_was_taken_out_of_use(house: House):
    house.cameras = ["cam1"]
    house.add("state", sources=(), exit_debounce=0)
    house.play(frames("F T T"))
    house.cameras = []
    house.play(frames("F F F", first=12))
    house.pass_until(at(4_000))
    assert house.said == ["r1 enter 4"]
