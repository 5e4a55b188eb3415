"""A room of talks without a model, on both databases."""

from __future__ import annotations

import pytest
from tests.goals.talking.room import Room


@pytest.fixture
def room(home, clock) -> Room:
    return Room(home, clock)


@pytest.fixture
def reading_room(home, clock):
    """Open a room whose model answers as it is told."""
    return lambda model: Room(home, clock, model)
