"""When a fact holds, when it does not, and when nobody knows; and what is an event."""

from __future__ import annotations

import pytest

from zhixing.world.homeassistant.facts import Fact, judged, moment_of, moment_on_bus
from zhixing.world.homeassistant.wire import Changed, Context, Happened, State
from zhixing.world.perception.verdict import Value

DOOR = Fact("binary_sensor.door", "大门开着", "binary_sensor.door", states=("on", "open"))
WARM = Fact("sensor.t", "热", "sensor.t", above=28.0)
MILD = Fact("sensor.t", "不冷不热", "sensor.t", above=18.0, below=28.0)
CLICK = Fact("event.button", "按了按钮", "event.button")
DOUBLE = Fact("event.button", "双击了按钮", "event.button", states=("double_click",))


@pytest.mark.parametrize(
    ("fact", "state", "value"),
    [
        (DOOR, "on", Value.TRUE),
        (DOOR, "Open", Value.TRUE),
        (DOOR, "off", Value.FALSE),
        (DOOR, "", Value.FALSE),
        (DOOR, "unavailable", Value.UNKNOWN),
        (DOOR, "unknown", Value.UNKNOWN),
        (WARM, "28.1", Value.TRUE),
        (WARM, "28", Value.FALSE),
        (WARM, "1e3", Value.TRUE),
        (WARM, "nan", Value.UNKNOWN),
        (WARM, "inf", Value.UNKNOWN),
        (WARM, "很热", Value.UNKNOWN),
        (WARM, "9" * 10_000, Value.UNKNOWN),
        (WARM, "unknown", Value.UNKNOWN),
        (MILD, "20", Value.TRUE),
        (MILD, "18", Value.FALSE),
        (MILD, "28", Value.FALSE),
    ],
)
def test_a_state_is_judged(fact, state, value):
    assert judged(fact, State(fact.entity, state)) is value


def test_an_entity_that_is_not_there_says_nothing():
    assert judged(DOOR, None) is Value.UNKNOWN


@pytest.mark.parametrize(
    ("told", "value"),
    [(26, Value.TRUE), (24.9, Value.FALSE), (None, Value.UNKNOWN), ("x", Value.UNKNOWN), (True, Value.UNKNOWN)],
)
def test_an_attribute_counts_instead_of_the_state(told, value):
    fact = Fact("hot", "空调设得高", "climate.ac", attribute="temperature", above=25.0)
    assert judged(fact, State("climate.ac", "unknown", {"temperature": told})) is value
    assert judged(fact, State("climate.ac", "unavailable", {"temperature": told})) is Value.UNKNOWN


def test_an_attribute_that_is_true_or_false_is_written_so():
    fact = Fact("muted", "静音", "media_player.a", attribute="is_volume_muted", states=("true",))
    assert judged(fact, State("media_player.a", "idle", {"is_volume_muted": True})) is Value.TRUE
    assert judged(fact, State("media_player.a", "idle", {"is_volume_muted": False})) is Value.FALSE


def pressed(before: str | None, after: str | None, kind: str = "click", context: str = "c") -> Changed:
    def state(text: str | None) -> State | None:
        return None if text is None else State("event.button", text, {"event_type": kind}, "", Context(context))

    return Changed("event.button", state(before), state(after))


@pytest.mark.parametrize(
    ("before", "after"),
    [("2026-01-01T00:00:00", "2026-01-01T00:00:01"), ("unknown", "2026-01-01T00:00:01")],
)
def test_a_button_that_is_pressed_is_an_event(before, after):
    assert moment_of(CLICK, pressed(before, after)) == f"c {after}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, "2026-01-01T00:00:01"),
        ("unavailable", "2026-01-01T00:00:01"),
        ("2026-01-01T00:00:01", "2026-01-01T00:00:01"),
        ("2026-01-01T00:00:01", "unavailable"),
        ("2026-01-01T00:00:01", "unknown"),
        ("2026-01-01T00:00:01", None),
        (None, None),
    ],
)
def test_a_button_of_which_one_only_hears_again_is_none(before, after):
    assert moment_of(CLICK, pressed(before, after)) is None


def test_only_the_type_that_is_named_counts():
    times = ("2026-01-01T00:00:00", "2026-01-01T00:00:01")
    assert moment_of(DOUBLE, pressed(*times, "double_click")) is not None
    assert moment_of(DOUBLE, pressed(*times, "click")) is None


def test_the_same_event_has_the_same_name_and_another_one_another():
    first = moment_of(CLICK, pressed("unknown", "2026-01-01T00:00:01", context="a"))
    assert first == moment_of(CLICK, pressed("unknown", "2026-01-01T00:00:01", context="a"))
    assert first != moment_of(CLICK, pressed("2026-01-01T00:00:01", "2026-01-01T00:00:02", context="a"))
    assert len(moment_of(CLICK, pressed("unknown", "9" * 999, context="c" * 999))) <= 128


def test_an_event_of_the_bus_counts_where_it_says_what_it_has_to():
    fact = Fact("remote", "按了遥控器", event="zha_event", data=(("command", "on"), ("endpoint", "1")))
    event = Happened("zha_event", time_fired="t", context=Context("c"))
    assert moment_on_bus(fact, event, {"command": "ON", "endpoint": 1, "more": []}) == "c t"
    assert moment_on_bus(fact, event, {"command": "off", "endpoint": 1}) is None
    assert moment_on_bus(fact, event, {}) is None
    assert moment_on_bus(fact, Happened("other"), {"command": "on", "endpoint": 1}) is None
    assert fact.is_moment
    assert CLICK.is_moment
    assert not DOOR.is_moment
