"""A home that the tests of a module share, for tasks that are only looked at."""

from __future__ import annotations

import pytest
from tests.compiling.lived import Both


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Both:
    return Both(tmp_path_factory.mktemp("home"))
