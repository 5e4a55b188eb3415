from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zhixing.graphs.checks.finding import Level
from zhixing.graphs.times.durations import TIMER_TYPES, UNITS, Shown, read_duration, shown
from zhixing.graphs.times.findings import MOST_WHOLE

FIELD = {"delay": "timeout", "statusLast": "timeout", "eventSequence": "timeout", "loop": "interval"}

CASES = [
    # type, milliseconds, cfg, value, codes
    ("delay", 5000, {"unit": "s", "value": 5}, 5000, []),
    ("delay", 5000.0, {"unit": "s", "value": 5.0}, 5000, []),
    ("delay", 1500, {"unit": "s", "value": 1.5}, 1500, []),
    ("delay", 100, {"unit": "s", "value": 0.1}, 100, []),
    ("delay", 120_000, {"unit": "m", "value": 2}, 120_000, []),
    ("delay", 7_200_000, {"unit": "hour", "value": 2}, 7_200_000, []),
    ("delay", 7_200_000, {"unit": "h", "value": 2}, 7_200_000, ["duration_display_mismatch"]),
    ("delay", 5000, {"unit": "min", "value": 5}, 5000, ["duration_display_mismatch"]),
    ("delay", 5000, {"unit": "s", "value": "5"}, 5000, ["duration_display_mismatch"]),
    ("delay", 5000, {"unit": ["s"], "value": 5}, 5000, ["duration_display_mismatch"]),
    ("delay", 5000, {}, 5000, ["duration_display_mismatch"]),
    ("delay", 5000, None, 5000, ["duration_display_mismatch"]),
    ("delay", 0, {"unit": "s", "value": 0}, 0, ["non_positive_duration"]),
    ("delay", -5, {"unit": "ms", "value": -5}, -5, ["non_positive_duration"]),
    ("delay", "5000", {}, None, ["invalid_timeout"]),
    ("delay", 1500.5, {}, None, ["invalid_timeout"]),
    ("delay", True, {}, None, ["invalid_timeout"]),
    ("delay", None, {}, None, ["invalid_timeout"]),
    ("delay", MOST_WHOLE + 1, {}, None, ["invalid_timeout"]),
    pytest.param("delay", 10**6000, {}, None, ["invalid_timeout"], id="huge"),
    ("delay", float("inf"), {}, None, ["invalid_timeout"]),
    ("delay", float("nan"), {}, None, ["invalid_timeout"]),
    ("statusLast", 300_000, {"unit": "min", "value": 5}, 300_000, []),
    ("statusLast", 300_000, {}, 300_000, ["status_last_missing_display"]),
    ("statusLast", 300_000, {"unit": "min"}, 300_000, ["status_last_missing_display"]),
    ("statusLast", 300_000, {"unit": "s", "value": 5}, 300_000, ["status_last_display_mismatch"]),
    ("statusLast", 0, {"unit": "min", "value": 0}, None, ["status_last_invalid_timeout"]),
    ("eventSequence", 30_000, {}, 30_000, []),
    ("eventSequence", 30_000, {"unit": "s", "value": 31}, 30_000, ["duration_display_mismatch"]),
    ("eventSequence", 30_000, {"value": 30}, 30_000, ["duration_display_mismatch"]),
    ("eventSequence", 0, {}, None, ["invalid_timeout"]),
    ("loop", 60_000, {}, 60_000, []),
    ("loop", -5, {}, -5, ["non_positive_duration"]),
    ("loop", "1", {}, None, ["invalid_interval"]),
]


@pytest.mark.parametrize(("node_type", "duration", "cfg", "value", "codes"), CASES)
def test_a_duration_is_read_and_held_against_its_card(
    node_type: str, duration: object, cfg: object, value: int | None, codes: list[str]
) -> None:
    read = read_duration(node_type, {FIELD[node_type]: duration}, cfg)
    assert read.value == value
    assert [found.code for found in read.findings] == codes


def test_what_only_the_card_gets_wrong_is_a_warning() -> None:
    (found,) = read_duration("statusLast", {"timeout": 1000}, {"unit": "s", "value": 2}).findings
    assert (found.level, found.found) == (Level.WARN, "2 s")
    (found,) = read_duration("loop", {"interval": 0}).findings
    assert found.level is Level.ERROR


@pytest.mark.parametrize(
    ("duration", "unit", "value"),
    [(5000, "s", 5), (60_000, "min", 1), (90_000, "s", 90), (1500, "ms", 1500), (7_200_000, "hour", 2), (0, "s", 0)],
)
def test_a_card_shows_the_largest_whole_unit(duration: int, unit: str, value: int) -> None:
    assert shown(duration) == Shown(unit, value)


@settings(deadline=None)
@given(st.sampled_from(sorted(TIMER_TYPES)), st.integers(1, MOST_WHOLE))
def test_what_a_card_is_made_to_show_is_never_found_fault_with(node_type: str, duration: int) -> None:
    card = shown(duration)
    assert card.value * UNITS[card.unit] == duration
    read = read_duration(node_type, {FIELD[node_type]: duration}, {"unit": card.unit, "value": card.value})
    assert (read.value, read.findings) == (duration, ())
