"""Places for the cards of whole rules."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from zhixing.graphs.layout.model import Direction, Existing, Options
from zhixing.graphs.placing import placed
from zhixing.graphs.reading import read_rule
from zhixing.graphs.rule import Position, Rule
from zhixing.graphs.writing import with_positions

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.json"))
ANEW = Options(existing=Existing.MOVE)


def rule_of(sample: Path) -> Rule:
    return read_rule(sample.read_bytes())


def place_of(rule: Rule, name: str) -> Position:
    node = rule.node(name)
    assert node is not None
    assert node.position is not None
    return node.position


def overlap(one: Position, other: Position) -> bool:
    across = one.x < other.x + other.width and other.x < one.x + one.width
    return across and one.y < other.y + other.height and other.y < one.y + one.height


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.stem)
@pytest.mark.parametrize("direction", Direction)
def test_no_card_lies_on_another_and_nothing_but_places_changes(sample, direction):
    before = rule_of(sample)
    rule = placed(before, Options(existing=Existing.MOVE, direction=direction))
    places = [place_of(rule, node.id) for node in rule.nodes]
    assert not [pair for pair in combinations(places, 2) if overlap(*pair)]
    assert rule.wires == before.wires
    assert [node.raw["props"] for node in rule.nodes] == [node.raw["props"] for node in before.nodes]
    assert placed(rule, Options(existing=Existing.MOVE, direction=direction)) == rule


def test_of_a_branch_what_is_met_lies_above_what_is_not():
    rule = placed(
        read_rule(
            '{"id": "1", "cfg": {"id": "1", "enable": true}, "nodes": ['
            '{"id": "c", "type": "condition", "outputs": {"unmet": ["b.trigger"], "met": ["a.trigger"]}},'
            '{"id": "b", "type": "deviceOutput"}, {"id": "a", "type": "deviceOutput"}]}'
        )
    )
    assert place_of(rule, "a").y < place_of(rule, "b").y
    assert place_of(rule, "c").x < place_of(rule, "a").x == place_of(rule, "b").x


def test_a_card_that_has_a_place_keeps_it_and_its_size():
    rule = rule_of(SAMPLES[0])
    first, last = rule.nodes[0].id, rule.nodes[-1].id
    held = with_positions(placed(rule, ANEW), {first: Position(5000.5, 40, 528, 164)})
    assert place_of(placed(held), first) == Position(5000.5, 40, 528, 164)
    assert place_of(placed(held), last) == place_of(held, last)


def test_what_is_malformed_is_laid_out_as_far_as_it_goes():
    rule = placed(
        read_rule(
            '{"id": "1", "nodes": [7, {"id": "a", "type": "x", "outputs": {"output": ["gone.input", "a", 3]}},'
            '{"id": "a"}, {"type": "nop"}]}'
        )
    )
    assert [node.position is not None for node in rule.nodes] == [False, True, True, False]
