"""Reading and writing loses nothing, and an edit changes what it is about and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.graphs.reading import node_from, read_rule, rule_from
from zhixing.graphs.rule import Node, Position, Rule, Wire
from zhixing.graphs.writing import (
    connect,
    disconnect,
    with_cfg,
    with_id,
    with_node,
    with_nodes,
    with_positions,
    with_props,
    with_user_data,
    without_node,
    write_rule,
)
from zhixing.kernel.errors import NotFound

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.json"))
BY_NAME = {file.stem: file for file in SAMPLES}


def exact(text: str) -> str:
    """Spell out a JSON text with the order of its keys and the kinds of its numbers."""
    return repr(json.loads(text, object_pairs_hook=lambda pairs: ("object", pairs)))


def sample(name: str = "bathroom_fan") -> Rule:
    return read_rule(BY_NAME[name].read_bytes())


def node(name: str, **parts: Any) -> Node:
    base = {"id": name, "type": "delay", "cfg": {"version": 1}, "props": {}, "inputs": {}, "outputs": {"output": []}}
    return node_from({**base, **parts})


def changed(before: Rule, after: Rule) -> set[str]:
    """Name the nodes that are new, gone or different."""
    old, new = ({each.id: each for each in rule.nodes} for rule in (before, after))
    return {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}


# Writing


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: file.stem)
def test_a_rule_is_written_as_it_was_read(file: Path, indent: int | None) -> None:
    text = file.read_text(encoding="utf-8")
    written = write_rule(read_rule(text), indent=indent)
    assert exact(written) == exact(text)
    assert read_rule(written) == read_rule(text)


def test_without_indent_a_rule_is_one_line() -> None:
    assert "\n" not in write_rule(sample())


NUMBERS = st.integers(-(10**299), 10**299) | st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=15,
)
ENDS = st.sampled_from(["n1.input", "n2.trigger", "n3.input0", "n3", "a.b.c", "", ".x"])
NODES = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["delay", "condition", "logicOr", "modeSwitch", "unheard"]) | JSON,
        "id": st.sampled_from(["n1", "n2", "n3"]) | JSON,
        "outputs": st.dictionaries(st.sampled_from(["output", "met", "output2"]), st.lists(ENDS | JSON)) | JSON,
        "cfg": st.dictionaries(st.sampled_from(["name", "pos", "version"]), JSON) | JSON,
        "props": JSON,
        "inputs": JSON,
        "later": JSON,
    },
)
RULES = st.fixed_dictionaries(
    {"nodes": st.lists(NODES | JSON, max_size=6)}, optional={"id": TEXTS | JSON, "cfg": JSON, "more": JSON}
)


@given(RULES)
def test_any_rule_is_written_as_it_was_read(value: Any) -> None:
    text = json.dumps(value)
    assert exact(write_rule(read_rule(text))) == exact(text)


@given(RULES, st.sampled_from(["n1", "n2", "n3"]), st.sampled_from(["n1", "n2", "n3"]))
def test_edits_of_any_rule_leave_the_rule_before_untouched(value: Any, one: str, other: str) -> None:
    rule = rule_from(value)
    before = write_rule(rule)
    wire = Wire(one, "output", other, "input")
    for edit in (
        lambda: connect(rule, wire),
        lambda: disconnect(rule, wire),
        lambda: without_node(rule, one),
        lambda: with_props(rule, one, {"timeout": 1}),
        lambda: with_positions(rule, {one: Position(1, 2, 3, 4)}),
        lambda: with_user_data(rule, {"name": "x"}),
    ):
        try:
            after = edit()
        except NotFound:
            assert rule.node(one) is None or rule.node(other) is None or wire not in rule.wires
        else:
            assert read_rule(write_rule(after)) == after
            assert Rule.of(after.raw).wires == after.wires
    assert write_rule(rule) == before


# Nodes


def test_a_node_takes_the_place_of_the_one_with_its_id() -> None:
    rule = sample()
    after = with_node(rule, node("beat", type="loop"))
    assert [each.id for each in after.nodes] == [each.id for each in rule.nodes]
    assert changed(rule, after) == {"beat"}


def test_new_nodes_stand_behind_the_others_in_their_order() -> None:
    rule = sample()
    after = with_nodes(rule, [node("z"), node("dry"), node("a"), node("z", type="loop")])
    assert [each.id for each in after.nodes[-2:]] == ["a", "z"]
    assert after.node("z") == node("z", type="loop")
    assert changed(rule, after) == {"z", "a", "dry"}


def test_nodes_without_an_id_are_never_taken_for_one_another() -> None:
    after = with_nodes(rule_from({"nodes": [{"id": ""}]}), [node("", type="a"), node("", type="b")])
    assert [each.type for each in after.nodes] == ["", "a", "b"]


def test_a_node_goes_with_the_wires_that_end_at_it() -> None:
    rule = sample()
    after = without_node(rule, "fanOff")
    assert changed(rule, after) == {"fanOff", "rounds", "wait"}
    assert after.wires_into("fanOff") == ()
    assert [wire.end for wire in after.node("rounds").wires] == ["beat.stop"]
    assert [wire.end for wire in after.node("wait").wires] == ["rounds.zero", "warnOnce.zero"]


def test_taking_a_node_away_leaves_what_is_unusable_at_others() -> None:
    rule = rule_from({"nodes": [{"id": "a", "outputs": {"x": [7, "b.input", "b"], "y": None}}, {"id": "b"}]})
    assert without_node(rule, "b").raw == {"nodes": [{"id": "a", "outputs": {"x": [7, "b"], "y": None}}]}


def test_props_of_a_node_are_set_one_by_one() -> None:
    after = with_props(sample(), "beat", {"interval": 5000})
    assert after.node("beat").props == {"interval": 5000}
    assert changed(sample(), after) == {"beat"}


# Wires


def test_a_new_wire_is_served_last() -> None:
    after = connect(sample(), Wire("wet", "output", "wait", "input"))
    assert [wire.end for wire in after.node("wet").wires][-1] == "wait.input"
    assert changed(sample(), after) == {"wet"}


def test_a_wire_that_is_there_is_not_doubled() -> None:
    rule = sample()
    assert connect(rule, rule.wires[0]) == rule


def test_the_pins_of_a_new_wire_are_declared() -> None:
    rule = rule_from({"nodes": [node("a", outputs=None).raw, node("b", type="logicOr", inputs={"input0": None}).raw]})
    after = connect(rule, Wire("a", "output", "b", "input1"))
    assert after.node("a").raw["outputs"] == {"output": ["b.input1"]}
    assert after.node("b").raw["inputs"] == {"input0": None, "input1": None}


def test_a_pin_the_target_cannot_have_is_not_made_up() -> None:
    rule = rule_from({"nodes": [node("a").raw, node("b").raw, node("c", type="unheard").raw]})
    assert connect(rule, Wire("a", "output", "b", "trigger")).node("b").inputs == {}
    assert connect(rule, Wire("a", "output", "c", "lens")).node("c").inputs == {"lens": None}


def test_a_node_can_be_wired_to_itself() -> None:
    rule = rule_from({"nodes": [node("a").raw]})
    after = connect(rule, Wire("a", "output", "a", "input"))
    assert after.node("a").raw == node("a", inputs={"input": None}, outputs={"output": ["a.input"]}).raw


def test_a_wire_is_taken_away_however_often_it_is_there() -> None:
    rule = sample("doorbell")
    after = disconnect(rule, Wire("a8Kx02LmQp", "output", "b7Yt93KdWe", "input"))
    assert after.node("a8Kx02LmQp").raw["outputs"] == {"output": []}


def test_what_was_connected_can_be_disconnected() -> None:
    rule, wire = sample(), Wire("hum", "output", "dry", "input")
    assert disconnect(connect(rule, wire), wire) == rule


@pytest.mark.parametrize(
    "edit",
    [
        lambda rule: without_node(rule, "ghost"),
        lambda rule: with_props(rule, "ghost", {}),
        lambda rule: connect(rule, Wire("ghost", "output", "wet", "input")),
        lambda rule: connect(rule, Wire("wet", "output", "ghost", "input")),
    ],
)
def test_a_node_that_is_not_there_is_named(edit: Any) -> None:
    with pytest.raises(NotFound, match="ghost"):
        edit(sample())


def test_a_wire_that_is_not_there_is_named() -> None:
    with pytest.raises(NotFound, match=r"wet\.output.*hum\.input"):
        disconnect(sample(), Wire("wet", "output", "hum", "input"))


# The rule


def test_settings_change_where_they_stand() -> None:
    rule = sample("doorbell")
    after = with_user_data(with_cfg(rule, {"enable": False}), {"name": "门铃", "note": 1})
    assert (after.enabled, after.name) == (False, "门铃")
    assert list(after.cfg) == list(rule.cfg)
    assert list(after.user_data) == [*rule.user_data, "note"]
    assert after.nodes == rule.nodes


def test_a_rule_has_its_id_in_both_places() -> None:
    after = with_id(sample(), "1764550809999")
    assert (after.id, after.cfg["id"], after.scope) == ("1764550809999", "1764550809999", "R1764550809999")
    assert list(after.raw) == ["id", "nodes", "cfg"]


def test_moving_a_card_keeps_the_rest_of_it() -> None:
    after = with_positions(sample("doorbell"), {"a8Kx02LmQp": Position(5, 6, 7, 8), "ghost": Position(0, 0, 0, 0)})
    moved = after.node("a8Kx02LmQp")
    assert moved.cfg["pos"] == {"height": 8, "width": 7, "y": 6, "x": 5, "exprHeight": 0}
    assert moved.cfg["futureKey"] == {"deep": [[], {}]}
    assert changed(sample("doorbell"), after) == {"a8Kx02LmQp"}
