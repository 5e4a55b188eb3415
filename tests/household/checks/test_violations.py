"""Every check finds its own violation, and that violation is found by no other check than it must be."""

from __future__ import annotations

from typing import Any

import pytest
from tests.household.checks.cases import PLANS, changed, found, rows

from zhixing.household.checks import CHECKS, Level

VIOLATIONS = rows("violations.jsonl")


@pytest.mark.parametrize("name", PLANS)
def test_the_plans_to_start_from_have_no_findings(name: str) -> None:
    assert found(PLANS[name]) == ()


@pytest.mark.parametrize("row", VIOLATIONS, ids=[row["id"] for row in VIOLATIONS])
def test_a_violation_is_found_by_its_own_check(row: dict[str, Any]) -> None:
    findings = found(changed(row), row.get("home"))
    assert row["id"] in {finding.id for finding in findings}
    errors = {finding.id for finding in findings if finding.level is Level.ERROR}
    assert errors - {row["id"]} == set(row.get("also", []))


def test_there_is_a_violation_for_every_check() -> None:
    assert [row["id"] for row in VIOLATIONS] == [check.id for check in CHECKS]
    assert len(CHECKS) == 187
