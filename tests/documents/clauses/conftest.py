"""A house with a project of document tasks, and both command lines, each in a project of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.documents.room.house import House
from tests.faces.city.conftest import Terminal as City
from tests.faces.cli.conftest import Terminal as Zhixing
from tests.machine import walls

from zhixing.kernel.clock import ManualClock


@pytest.fixture
def dialect() -> str:
    return "sqlite"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "project"
    made.mkdir()
    monkeypatch.chdir(made)
    return made


@pytest.fixture
def furnished(home: Any, clock: ManualClock, project: Path) -> Callable[..., House]:
    """Make a house of one's own: a model, a sandbox that is real."""
    return lambda **more: House(home, clock, project, **more)


@pytest.fixture
def house(furnished: Callable[..., House]) -> House:
    return furnished()


@pytest.fixture
def walled(furnished: Callable[..., House]) -> House:
    """Give a house whose scripts are run by bash within real walls."""
    return furnished(sandbox=walls())


@pytest.fixture
def city(tmp_path: Path, project: Path, clock: ManualClock) -> City:
    return City(tmp_path / "city", project, clock)


@pytest.fixture
def zhixing(tmp_path: Path, project: Path, clock: ManualClock) -> Zhixing:
    (project / ".downcity" / "task").mkdir(parents=True)
    return Zhixing(tmp_path / "zhixing", clock)
