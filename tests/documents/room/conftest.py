"""A house with a project of document tasks, on both databases."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.documents.room.house import House

from zhixing.kernel.clock import ManualClock


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    made.mkdir()
    return made


@pytest.fixture
def furnished(home: Any, clock: ManualClock, project: Path) -> Callable[..., House]:
    """Make a house of one's own: other terms, another zone, a sandbox that is real."""
    return lambda **more: House(home, more.pop("clock", clock), project, **more)


@pytest.fixture
def house(furnished: Callable[..., House]) -> House:
    return furnished()
