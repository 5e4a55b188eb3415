"""Cards get ids and wires; what would be dead or refused at the gateway cannot be drawn."""

from __future__ import annotations

import pytest
from tests.graphs.building.things import BRIGHTNESS, CLICK, LIGHT, MADE, MOTION, MOVES, ON, REMOTE, RULE, built, found

from zhixing.graphs.building import cards
from zhixing.graphs.building.builder import GLOBAL, MOST_VARIABLES, Builder, Card
from zhixing.graphs.building.device_cards import device_event, device_input, device_output
from zhixing.graphs.building.sketch import Span, equals
from zhixing.graphs.building.time_cards import delay, status_last
from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.rule import Wire
from zhixing.kernel.errors import BadInput, NotFound, TooLarge


@pytest.fixture
def builder() -> Builder:
    return Builder(RULE)


@pytest.fixture
def seen(builder: Builder) -> Card:
    return builder.add(device_input(MOTION, MOVES, equals(True)))


def test_a_rule_is_written_as_the_document_says(builder: Builder, seen: Card) -> None:
    """G-5.4."""
    off = builder.add(device_output(LIGHT, ON, False), "off")
    builder.chain(seen.out(), builder.add(status_last(Span(2, "min"))), off)
    rule = builder.rule("有人就关灯", MADE, enabled=False)
    assert (rule.id, rule.cfg["id"], rule.enabled, rule.cfg["uiType"]) == (RULE, RULE, False, "graph")
    assert rule.user_data["lastUpdateTime"] == MADE
    assert [node.id for node in rule.nodes] == ["deviceInput1", "off", "statusLast1"]
    assert rule.wires == (
        Wire("deviceInput1", "output", "statusLast1", "input"),
        Wire("statusLast1", "output", "off", "trigger"),
    )
    assert found(builder) == ()


def test_the_same_calls_give_the_same_rule() -> None:
    def draw() -> Builder:
        builder = Builder(RULE)
        pressed = [builder.add(device_event(REMOTE, CLICK)).out() for _ in range(3)]
        builder.chain(builder.merged(pressed), builder.add(device_output(LIGHT, ON, True)))
        return builder

    assert built(draw()) == built(draw())


def test_wires_keep_the_order_in_which_they_were_drawn(builder: Builder, seen: Card) -> None:
    first, second = (builder.add(device_output(LIGHT, BRIGHTNESS, value)) for value in (10, 20))
    builder.wire(seen.out(), second.pin(), first.pin())
    assert [wire.target for wire in built(builder).wires] == [second.id, first.id]


def test_a_pulse_reaches_no_state(builder: Builder) -> None:
    pressed = builder.add(device_event(REMOTE, CLICK))
    with pytest.raises(BadInput, match=r"statusLast1\.input"):
        builder.wire(pressed.out(), builder.add(status_last(Span(2))).pin())


def test_an_input_has_one_wire(builder: Builder, seen: Card) -> None:
    off = builder.add(device_output(LIGHT, ON, False))
    builder.wire(seen.out(), off.pin())
    with pytest.raises(BadInput, match=r"deviceOutput1\.trigger"):
        builder.wire(builder.add(cards.on_load()).out(), off.pin())


def test_pins_that_are_not_there_are_named(builder: Builder, seen: Card) -> None:
    with pytest.raises(NotFound, match="output2"):
        seen.out("output2")
    with pytest.raises(NotFound, match="start"):
        builder.add(delay(Span(1))).pin("start")
    with pytest.raises(NotFound):
        seen.pin()
    with pytest.raises(NotFound):
        builder.add(cards.nop("便签")).out()


def test_cards_of_another_builder_are_not_wired(builder: Builder) -> None:
    other = Builder(RULE).add(device_output(LIGHT, ON, False))
    with pytest.raises(NotFound):
        builder.wire(builder.add(cards.on_load()).out(), other.pin())


def test_several_sources_are_joined_by_one_card_and_one_by_none(builder: Builder, seen: Card) -> None:
    assert builder.merged([seen.out()]) == seen.out()
    assert builder.merged([seen.out(), builder.add(cards.on_load()).out()]).card == "signalOr1"
    assert builder.all_of([seen.out(), builder.add(cards.register()).out()]).card == "logicAnd1"
    assert builder.any_of([seen.out(), builder.add(cards.register()).out()]).card == "logicOr1"
    with pytest.raises(BadInput):
        builder.merged([])


def test_a_constant_stands_where_a_state_may(builder: Builder) -> None:
    asked = builder.add(cards.condition())
    builder.hold(asked.pin("condition"), True)
    assert built(builder).nodes[0].inputs == {"trigger": None, "condition": True}
    with pytest.raises(BadInput):
        builder.hold(asked.pin("condition"), False)
    with pytest.raises(BadInput):
        builder.hold(asked.pin("trigger"), True)


def test_variables_are_of_the_rule_unless_shared(builder: Builder) -> None:
    own, shared = builder.declare("count", 0, "次数"), builder.declare("mode", "家", scope=GLOBAL)
    assert (own, shared) == (Variable(f"R{RULE}", "count"), Variable(GLOBAL, "mode"))
    assert [(each.initial, each.type, each.name) for each in builder.variables] == [
        (0, "number", "次数"),
        ("家", "string", "mode"),
    ]
    assert builder.declare("count", 0, "次数") == own
    with pytest.raises(BadInput, match="count"):
        builder.declare("count", 1, "次数")


@pytest.mark.parametrize("name", ["", "a_b", "次数", "a-b", "a" * 65])
def test_ids_are_letters_and_digits(builder: Builder, name: str) -> None:
    with pytest.raises(BadInput):
        builder.declare(name, 0)
    if name:
        with pytest.raises(BadInput):
            builder.add(cards.on_load(), name)


def test_an_id_is_that_of_one_card(builder: Builder, seen: Card) -> None:
    with pytest.raises(BadInput):
        builder.add(cards.on_load(), seen.id)
    builder.add(cards.on_load(), "onLoad1")
    assert builder.add(cards.on_load()).id == "onLoad2"


@pytest.mark.parametrize("rule_id", ["", "graph_1764550800001", "176455080000", "17645508000012"])
def test_a_rule_has_thirteen_digits(rule_id: str) -> None:
    with pytest.raises(BadInput):
        Builder(rule_id)
    with pytest.raises(BadInput):
        Builder(RULE).declare("count", 0, scope="R1764550800002")


def test_a_rule_has_so_many_variables_and_no_more(builder: Builder) -> None:
    for number in range(MOST_VARIABLES):
        builder.declare(f"v{number}", 0)
    assert builder.declare("v0", 0) == Variable(builder.scope, "v0")
    with pytest.raises(TooLarge):
        builder.declare("more", 0)
    assert len(builder.variables) == MOST_VARIABLES
