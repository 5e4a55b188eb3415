from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.simulating.options import DEFAULTS, Options, options_from
from zhixing.graphs.simulating.reading import MOST_BYTES, read_event, read_script, read_script_in
from zhixing.graphs.simulating.script import (
    ClockSet,
    DeviceEvent,
    Property,
    PropertyReport,
    Reconnected,
    Switch,
    VariableSet,
)
from zhixing.kernel.errors import BadInput, TooLarge

NOW = datetime(2026, 5, 1, tzinfo=UTC)


def test_every_kind_of_line_is_read() -> None:
    text = """
{"setup": {"start": "2025-03-03T08:00:00+08:00", "tz": "Europe/Paris", "until_ms": 900, "options": {"seed": 4},
"""
    text = text.strip() + (
        ' "state": {"d": {"2.1": true}}, "variables": {"global.Vx": 1, "R1.Vs": "a"}}}\n\n'
        '{"at_ms": 0, "event": {"did": "d", "siid": 2, "piid": 1, "value": 5}}\n'
        '{"at_ms": 1, "event": {"did": "d", "siid": 3, "eiid": 4, "arguments": [{"piid": 1, "value": "x"}]}}\n'
        '{"at_ms": 2, "var_set": {"scope": "global", "id": "Vx", "value": 7}}\n'
        '{"at_ms": 3, "disable": true}\n{"at_ms": 3, "enable": true}\n'
        '{"at_ms": 4, "clock": "2025-03-03T00:00:00Z"}\n{"at_ms": 5, "reconnect": "d"}\n'
    )
    script = read_script(text.encode(), NOW)
    assert (script.start, script.tz.key, script.until_ms) == (datetime(2025, 3, 3, tzinfo=UTC), "Europe/Paris", 900)
    assert (script.options.seed, script.state) == (4, {Property("d", 2, 1): True})
    assert script.variables == {Variable("global", "Vx"): 1, Variable("R1", "Vs"): "a"}
    assert [line.event for line in script.lines] == [
        PropertyReport(Property("d", 2, 1), 5),
        DeviceEvent("d", 3, 4, {1: "x"}),
        VariableSet(Variable("global", "Vx"), 7),
        Switch(on=False),
        Switch(on=True),
        ClockSet(datetime(2025, 3, 3, tzinfo=UTC)),
        Reconnected("d"),
    ]


def test_a_script_without_setup_starts_now_and_ends_with_its_last_line() -> None:
    script = read_script('{"at_ms": 70, "enable": true}', NOW)
    assert (script.start, script.tz.key, script.until_ms) == (NOW, "Asia/Shanghai", 70)
    assert read_script("", NOW).lines == ()


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("nonsense", "graph_script_json"),
        ("[1]", "graph_script_json"),
        ('{"at_ms": 1, "clock": NaN}', "graph_script_json"),
        ('{"at_ms": 1, "var_set": {"scope": "g", "id": "\\ud800", "value": 1}}', "graph_script_json"),
        ("[" * 100_000, "graph_script_json"),
        ('{"at_ms": 1, "setup": {}}', "graph_script_setup_late"),
        ('{"at_ms": 0, "enable": true}', "graph_script_order"),
        ('{"at_ms": 1}', "graph_script_kind"),
        ('{"at_ms": 1, "enable": true, "disable": true}', "graph_script_kind"),
        ('{"at_ms": 1, "enable": 1}', "graph_script_kind"),
        ('{"enable": true}', "graph_script_time"),
        ('{"at_ms": -1, "enable": true}', "graph_script_time"),
        ('{"at_ms": 1.5, "enable": true}', "graph_script_time"),
        ('{"at_ms": 1e18, "enable": true}', "graph_script_time"),
        ('{"at_ms": 1, "event": {"did": "d", "siid": 1, "value": 1}}', "graph_script_field"),
        ('{"at_ms": 1, "event": {"did": "", "siid": 1, "piid": 1, "value": 1}}', "graph_script_field"),
        ('{"at_ms": 1, "event": {"did": "d", "siid": 1, "piid": 1}}', "graph_script_value"),
        ('{"at_ms": 1, "event": {"did": "d", "siid": 1, "piid": 1, "value": 1e999}}', "graph_script_value"),
        ('{"at_ms": 1, "event": {"did": "d", "siid": 1, "eiid": 1, "arguments": {}}}', "graph_script_field"),
        ('{"at_ms": 1, "reconnect": true}', "graph_script_field"),
        ('{"at_ms": 1, "clock": "noon"}', "graph_script_instant"),
        ('{"at_ms": 1, "clock": "2025-01-01T00:00:00"}', "graph_script_instant"),
        ('{"at_ms": 1, "clock": "9999-01-01T00:00:00Z"}', "graph_script_instant"),
    ],
)
def test_a_bad_line_is_refused_in_one_sentence_that_names_it(line: str, key: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_script('{"setup": {}}\n{"at_ms": 1, "enable": true}\n' + line, NOW)
    assert (caught.value.key, caught.value.values["line"]) == (key, 3)
    assert "3" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("setup", "key"),
    [
        ({"tz": "Mars/Base"}, "zone_unknown"),
        ({"tz": 8}, "graph_script_field"),
        ({"start": "today"}, "graph_script_instant"),
        ({"until_ms": "long"}, "graph_script_time"),
        ({"state": {"d": {"2": 1}}}, "graph_script_field"),
        ({"state": {"d": {"2.1": []}}}, "graph_script_value"),
        ({"variables": {"Vx": 1}}, "graph_script_variable"),
        ({"variables": []}, "graph_script_field"),
        ({"options": {"speed": 1}}, "graph_script_option"),
        ({"options": {"delay_retrigger": "often"}}, "graph_script_option_choice"),
        ({"options": {"replayed_events": "sometimes"}}, "graph_script_option_choice"),
        ({"options": {"suppress_self_echo": "no"}}, "graph_script_option_choice"),
        ({"options": {"property_staleness_ms": -1}}, "graph_script_option_number"),
        ({"options": {"max_steps_per_instant": True}}, "graph_script_option_number"),
        (7, "graph_script_field"),
    ],
)
def test_a_bad_setup_is_refused_in_one_sentence(setup: Any, key: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_script(json.dumps({"setup": setup}), NOW)
    assert caught.value.key == key
    assert "\n" not in str(caught.value)


def test_a_huge_script_is_refused() -> None:
    with pytest.raises(TooLarge):
        read_script(b" " * (MOST_BYTES + 1), NOW)


def test_bytes_that_are_no_utf8_name_their_line() -> None:
    with pytest.raises(BadInput) as caught:
        read_script(b'{"setup": {}}\n\xff', NOW)
    assert caught.value.values["line"] == 2


@pytest.mark.parametrize(
    ("given", "options"),
    [
        ({}, DEFAULTS),
        ({"state_without_preload": False}, DEFAULTS),
        ({"state_without_preload": "read_cache"}, Options(state_without_preload="read_cache")),
        ({"event_queue_interval_ms": None}, DEFAULTS),
        ({"event_queue_interval_ms": 1000.0}, Options(event_queue_interval_ms=1000)),
        ({"loop_first_tick": "immediately", "seed": 3}, Options(loop_first_tick="immediately", seed=3)),
    ],
)
def test_options_are_read_by_name(given: dict[str, object], options: Options) -> None:
    assert options_from(given) == options


@given(st.text(max_size=200) | st.binary(max_size=200))
def test_any_text_is_a_script_or_refused(text: str | bytes) -> None:
    with suppress(BadInput):
        assert read_script(text, NOW).until_ms >= 0


def test_what_a_setup_does_not_say_is_as_it_is_around() -> None:
    lamp = {"lamp": {"2.1": True, "2.2": 5}}
    around = {"start": "2026-10-12T20:00:00+08:00", "tz": "Europe/Berlin", "variables": {"global.n": 1, "global.m": 2}}
    known = read_script(json.dumps({"setup": {**around, "state": lamp, "options": {"seed": 7}}}), NOW)
    assert read_script_in("", known) == known
    given = {"setup": {"variables": {"global.n": 9}, "state": {"lamp": {"2.2": 6}}, "tz": "Asia/Tokyo"}}
    found = read_script_in(json.dumps(given), known)
    assert found.variables == {Variable("global", "n"): 9, Variable("global", "m"): 2}
    assert found.state == {Property("lamp", 2, 1): True, Property("lamp", 2, 2): 6}
    assert (found.start, found.tz.key, found.options.seed) == (known.start, "Asia/Tokyo", 7)


@pytest.mark.parametrize("given", [{}, {"setup": {}}, {"did": "lamp"}, {"enable": True, "disable": True}])
def test_what_is_no_event_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        read_event(given)


def test_an_event_is_read_bare_or_by_name() -> None:
    said = {"did": "lamp", "siid": 2, "piid": 1, "value": True}
    assert read_event(said) == read_event({"event": said}) == PropertyReport(Property("lamp", 2, 1), True)
    assert read_event({"disable": True}) == Switch(on=False)
