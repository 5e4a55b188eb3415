"""The numbers in docs/household.md are those of the rule machine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from zhixing.household.rulebook import DEFAULTS, RuleFields, make_plan, write_rule
from zhixing.tasks.rules import hearing
from zhixing.tasks.rules.machine import NEAR
from zhixing.tasks.rules.model import Limit

PAGE = (Path(__file__).parents[2] / "docs" / "household.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", PAGE, re.MULTILINE))


@pytest.mark.parametrize(
    ("field", "usual"),
    [
        ("duration_seconds", DEFAULTS.trigger.duration),
        ("unknown_tolerance_seconds", DEFAULTS.trigger.tolerance),
        ("source_expiry_seconds", DEFAULTS.trigger.expiry),
        ("exit_debounce_seconds", DEFAULTS.exit_debounce),
        ("cooldown_seconds", DEFAULTS.cooldown),
    ],
)
def test_what_a_rule_has_where_nothing_was_said(field, usual):
    assert ROWS[field].strip() == str(usual)


def test_the_limit_is_the_one_that_is_named():
    assert DEFAULTS.limit == Limit(*map(int, re.findall(r"\d+", ROWS["limit"])))


def test_every_field_of_the_table_is_one_of_a_rule():
    names = PAGE[PAGE.index("## When a rule counts") : PAGE.index("## For programs")]
    written = write_rule(make_plan(RuleFields(name="a", query="b", descs=("使用手机推送通知：c",))))
    assert set(re.findall(r"^\| `(\w+)` \|", names, re.MULTILINE)) <= set(written)


def test_the_instants_below_it():
    assert f"for {hearing.SETTLED_AFTER // hearing.SECOND} seconds" in PAGE
    assert f"{NEAR * 100:.0f} % of its duration" in PAGE
    assert f"more than {hearing.LONGEST_OUTAGE // hearing.SECOND // 60} minutes" in PAGE
