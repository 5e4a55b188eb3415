"""What is no rule is refused in one line; whatever is inside a rule is kept, and its malformations are named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.graphs.reading import MOST_NODES, MOST_WIRES, node_from, read_rule, rule_from
from zhixing.graphs.rule import Oddity, Part, Position, Wire, is_whole
from zhixing.graphs.specs import jsontext
from zhixing.graphs.specs.jsontext import LARGEST_FILE, MOST_DEPTH
from zhixing.kernel.errors import BadInput, TooLarge, ZhixingError
from zhixing.kernel.wording import LANGUAGES, wording

SAMPLES = Path(__file__).parent / "samples"


def sample(name: str) -> Any:
    return read_rule((SAMPLES / f"{name}.json").read_bytes())


def node(**parts: Any) -> dict[str, Any]:
    sound = {"id": "n1", "type": "delay", "props": {}, "inputs": {}, "outputs": {}, "cfg": {"version": 1}}
    return {name: value for name, value in {**sound, **parts}.items() if value is not ...}


# Access


def test_a_rule_tells_what_the_editor_shows_of_it() -> None:
    rule = sample("hall_night_light")
    assert (rule.id, rule.name, rule.enabled, rule.tags) == ("1764550800001", "走廊夜灯", True, ("照明", "走廊"))
    assert rule.scope == "R1764550800001"
    assert len(rule.nodes) == 10
    assert rule.oddities == ()


def test_a_rule_of_an_old_tool_keeps_its_variables_under_the_digits() -> None:
    assert read_rule('{"id":"graph_1700000000000"}').scope == "R1700000000000"


def test_a_node_tells_what_its_card_shows() -> None:
    motion = sample("hall_night_light").node("motion")
    assert (motion.name, motion.did, motion.urn.rsplit(":", 2)[1]) == ("deviceInput", "blt.sample.motion", "sample-m1")
    assert motion.position == Position(100, 100, 584, 206)


@pytest.mark.parametrize("pos", [None, [], {"x": 1, "y": 2}, {"x": 1, "y": 2, "width": "9", "height": 4}])
def test_a_card_that_does_not_fully_say_where_it_is_lies_nowhere(pos: Any) -> None:
    assert node_from(node(cfg={"version": 1, "pos": pos})).position is None


def test_wires_come_in_the_order_they_are_served() -> None:
    rule = sample("bathroom_fan")
    assert [wire.end for wire in rule.node("wet").wires] == ["fanOn.trigger", "beat.start", "settled.input"]
    assert [wire.source for wire in rule.wires_to("fanOff", "trigger")] == ["rounds", "wait"]
    assert rule.wires[0] == Wire("hum", "output", "speed", "input")
    assert len(rule.wires) == 16


def test_a_wire_that_is_there_twice_is_two_wires() -> None:
    rule = sample("doorbell")
    assert len(rule.wires_into("b7Yt93KdWe")) == 2
    assert rule.wires_into("c1")[1] == Wire("c1", "output", "c1", "trigger")


def test_a_wire_to_nowhere_is_a_wire() -> None:
    rule = rule_from({"nodes": [node(outputs={"output": ["ghost.input"]})]})
    assert rule.wires_into("ghost") == (Wire("n1", "output", "ghost", "input"),)
    assert rule.node("ghost") is None


def test_of_two_nodes_with_one_id_the_first_is_found() -> None:
    rule = rule_from({"nodes": [node(type="first"), node(type="second"), node(id="")]})
    assert rule.node("n1") is rule.nodes[0]
    assert rule.node("") is None


def test_what_the_gateway_gives_without_settings_is_a_rule_that_is_off() -> None:
    rule = read_rule('{"id":"1","nodes":[]}')
    assert (rule.enabled, rule.name, rule.cfg) == (False, "", {})
    assert rule.oddities == (Oddity(Part.CFG, missing=True),)


@pytest.mark.parametrize("value", [1, "true", None])
def test_only_true_switches_a_rule_on(value: Any) -> None:
    assert not rule_from({"id": "1", "cfg": {"enable": value}}).enabled


def test_equal_means_written_alike() -> None:
    assert node_from(node(props={"value": 1})) != node_from(node(props={"value": True}))
    assert node_from(node(props={"value": 1})) != node_from(node(props={"value": 1.0}))
    assert node_from(node(props={"value": 1})) == node_from(node(props={"value": 1}))
    assert read_rule('{"id":"1","cfg":{}}') != read_rule('{"cfg":{},"id":"1"}')


# Malformations are kept and named


@pytest.mark.parametrize(
    ("raw", "odd"),
    [
        (node(), []),
        (7, [Oddity(Part.NODE, 7)]),
        (None, [Oddity(Part.NODE)]),
        (node(id=...), [Oddity(Part.ID, missing=True)]),
        (node(id=12), [Oddity(Part.ID, 12)]),
        (node(type=...), [Oddity(Part.TYPE, missing=True)]),
        (node(type=None), [Oddity(Part.TYPE)]),
        (node(props=None), [Oddity(Part.PROPS)]),
        (node(props=...), [Oddity(Part.PROPS, missing=True)]),
        (node(inputs=[]), [Oddity(Part.INPUTS, [])]),
        (node(outputs=[]), [Oddity(Part.OUTPUTS, [])]),
        (node(outputs="x.y"), [Oddity(Part.OUTPUTS, "x.y")]),
        (node(outputs={"output": None}), [Oddity(Part.PIN, None, "output")]),
        (node(outputs={"output": "x.y"}), [Oddity(Part.PIN, "x.y", "output")]),
        (node(outputs={"a": ["x"], "b": [7]}), [Oddity(Part.TARGET, "x", "a"), Oddity(Part.TARGET, 7, "b")]),
        (node(outputs={"output": ["a.b.c"]}), [Oddity(Part.TARGET, "a.b.c", "output")]),
        (node(outputs={"output": [".input"]}), [Oddity(Part.TARGET, ".input", "output")]),
        (node(outputs={"output": ["a."]}), [Oddity(Part.TARGET, "a.", "output")]),
        (node(cfg=[]), [Oddity(Part.CFG, [])]),
        (node(cfg={}), [Oddity(Part.VERSION, missing=True)]),
        (node(cfg={"version": "1"}), [Oddity(Part.VERSION, "1")]),
        (node(cfg={"version": True}), [Oddity(Part.VERSION, True)]),
        (node(cfg={"version": 1.5}), [Oddity(Part.VERSION, 1.5)]),
        (node(cfg={"version": 1.0}), []),
        (
            {},
            [
                Oddity(part, missing=True)
                for part in (Part.ID, Part.TYPE, Part.PROPS, Part.INPUTS, Part.OUTPUTS, Part.CFG)
            ],
        ),
    ],
)
def test_a_malformed_node_is_kept_and_says_what_is_wrong(raw: Any, odd: list[Oddity]) -> None:
    rule = rule_from({"id": "1", "nodes": [raw], "cfg": {}})
    assert rule.nodes[0].raw == raw
    assert list(rule.nodes[0].oddities) == odd


def test_who_follows_wires_meets_no_malformed_one() -> None:
    bent = rule_from({"nodes": [node(outputs={"a": [7, "x.y", "x", "z.z"], "b": None}), None]})
    assert [wire.end for wire in bent.wires] == ["x.y", "z.z"]
    assert bent.nodes[0].outputs["b"] == ()


@pytest.mark.parametrize(
    ("given", "odd"),
    [
        ({"id": "1", "nodes": {}, "cfg": {}}, [Oddity(Part.NODES, {})]),
        ({"id": "1", "cfg": {}}, [Oddity(Part.NODES, missing=True)]),
        ({"id": 1, "nodes": [], "cfg": None}, [Oddity(Part.ID, 1), Oddity(Part.CFG)]),
    ],
)
def test_a_malformed_rule_says_what_is_wrong(given: Any, odd: list[Oddity]) -> None:
    rule = rule_from(given)
    assert list(rule.oddities) == odd
    assert rule.nodes == ()


@pytest.mark.parametrize(
    ("value", "whole"), [(1, True), (1.0, True), (1.5, False), (True, False), ("1", False), (None, False)]
)
def test_a_whole_number_is_what_the_gateway_takes_for_one(value: Any, *, whole: bool) -> None:
    assert is_whole(value) is whole


# What is no rule


REFUSED = [
    ("", "graph_empty"),
    (" \n\t", "graph_empty"),
    ("[]", "graph_not_object"),
    ("null", "graph_not_object"),
    ('"text"', "graph_not_object"),
    ("{}", "graph_without_nodes"),
    ('{"type":"delay"}', "graph_without_nodes"),
    ("nodes: []", "graph_unreadable"),
    ('{"id":"1"', "graph_unreadable"),
    ('{"id":"1",}', "graph_unreadable"),
    ('{"id":"1"} {}', "graph_unreadable"),
    ("{'id':'1'}", "graph_unreadable"),
    ('{"id":"1","id":"2"}', "graph_key_twice"),
    ('{"id":"1","nodes":[{"props":{"a":1,"b":{"c":1,"c":1}}}]}', "graph_key_twice"),
    ('{"id":NaN}', "graph_number"),
    ('{"id":-Infinity}', "graph_number"),
    ('{"id":1e999}', "graph_number"),
    ('{"id":' + "9" * 301 + "}", "graph_number"),
    ('{"id":' + "9" * 100_000 + "}", "graph_number"),
    ('{"id":"\\ud83d"}', "text_unstorable"),
    ('{"id":"1","\\udc00":1}', "text_unstorable"),
    ('{"id":"\ud83d"}', "text_unstorable"),
    (b'{"id":"\xff"}', "graph_not_utf8"),
    ('{"id":"规则"}'.encode("gb18030"), "graph_not_utf8"),
    ('{"id":"1"}'.encode("utf-16"), "graph_not_utf8"),
]


@pytest.mark.parametrize(("given", "key"), REFUSED)
def test_what_is_no_rule_is_refused_in_one_line(given: str | bytes, key: str) -> None:
    with pytest.raises(BadInput) as raised:
        read_rule(given)
    assert raised.value.key == key
    for language in LANGUAGES:
        line = wording(f"errors.{key}", language, **raised.value.values)
        assert "\n" not in line
        assert "{" not in line


def test_the_place_is_named_where_the_text_is_wrong() -> None:
    with pytest.raises(BadInput, match="第 2 行第 9 个字符"):
        read_rule('{"id":"1",\n "cfg": x}')
    with pytest.raises(BadInput, match="第 3 行"):
        read_rule(b'{\n"id":\n"\xff"}')


def test_a_key_that_is_there_twice_is_named_shortly() -> None:
    with pytest.raises(BadInput) as raised:
        read_rule('{"id":1,"a\\nb' + "x" * 999 + '":1,"a\\nb' + "x" * 999 + '":2}')
    assert len(str(raised.value)) < 100
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("given", ["[" * LARGEST_FILE, '{"id":' * 300_000, '{"id":' + "[" * 2**20 + "]" * 2**20 + "}"])
def test_deep_nesting_is_refused(given: str) -> None:
    with pytest.raises(TooLarge) as raised:
        read_rule(given)
    assert raised.value.key == "graph_deep"


def test_nesting_counts_to_the_bound() -> None:
    inside = MOST_DEPTH - 1
    assert read_rule('{"id":' + "[" * inside + "]" * inside + "}")
    with pytest.raises(TooLarge):
        read_rule('{"id":' + "[" * (inside + 1) + "]" * (inside + 1) + "}")


def test_a_large_text_is_refused_by_its_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsontext, "LARGEST_FILE", 21)
    with pytest.raises(TooLarge) as raised:
        read_rule('{"id":"规则规则规则"}')
    assert raised.value.key == "graph_large"
    assert read_rule('{"id":"规则规则"}').id == "规则规则"


def test_too_many_nodes_are_refused() -> None:
    assert len(rule_from({"nodes": [{}] * MOST_NODES}).nodes) == MOST_NODES
    with pytest.raises(TooLarge) as raised:
        rule_from({"nodes": [{}] * (MOST_NODES + 1)})
    assert raised.value.key == "graph_nodes_many"


def test_too_many_wires_are_refused_wherever_they_end() -> None:
    ends = ["a.input", "ghost.input"] * (MOST_WIRES // 4)
    most = [{"id": "a", "outputs": {"output": ends}}, {"id": "b", "outputs": {"output": ends, "output2": []}}]
    assert len(rule_from({"nodes": most}).wires) == MOST_WIRES
    with pytest.raises(TooLarge) as raised:
        rule_from({"nodes": [*most, {"id": "c", "outputs": {"output": [7]}}]})
    assert raised.value.key == "graph_wires_many"


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert read_rule(b'\xef\xbb\xbf{"id":"1"}').id == "1"
    assert read_rule('\ufeff{"id":"1"}').id == "1"


@pytest.mark.parametrize(
    ("value", "key"),
    [
        ({"id": float("nan")}, "graph_number"),
        ({"id": 10**300}, "graph_number"),
        ({"id": {1: 2}}, "graph_value_foreign"),
        ({"id": (1, 2)}, "graph_value_foreign"),
        ({"id": b"x"}, "graph_value_foreign"),
        ([], "graph_not_object"),
    ],
)
def test_a_value_that_was_parsed_elsewhere_is_held_to_the_same(value: Any, key: str) -> None:
    with pytest.raises(BadInput) as raised:
        rule_from(value)
    assert raised.value.key == key


def test_a_node_on_its_own_is_an_object() -> None:
    with pytest.raises(BadInput):
        node_from([])
    with pytest.raises(BadInput):
        node_from({"props": {"value": float("inf")}})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just("a.b"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*Part, "a"]), inner, max_size=5),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(["id", "nodes", "cfg", "x"]), JSON | st.lists(JSON, max_size=4), max_size=4))
def test_no_value_breaks_the_reader(value: Any) -> None:
    try:
        rule = read_rule(json.dumps(value))
    except ZhixingError:
        return
    assert all(isinstance(each.oddities, tuple) and each.position is None for each in rule.nodes)
    assert all(rule.wires_to(wire.target, wire.target_pin) for wire in rule.wires)
    assert isinstance((rule.name, rule.tags, rule.oddities), tuple)


@given(st.text(max_size=60) | st.binary(max_size=60))
def test_no_text_breaks_the_reader(given: str | bytes) -> None:
    with pytest.raises(BadInput):
        read_rule(given)
