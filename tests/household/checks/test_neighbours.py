"""What lies beside a violation and is none: as many rows as there are ways to be too strict."""

from __future__ import annotations

from typing import Any

import pytest
from tests.household.checks.cases import changed, found, rows

NEIGHBOURS = rows("neighbours.jsonl")


@pytest.mark.parametrize("row", NEIGHBOURS, ids=[row["why"] for row in NEIGHBOURS])
def test_what_is_right_is_not_reported(row: dict[str, Any]) -> None:
    assert found(changed(row), row.get("home")) == ()
