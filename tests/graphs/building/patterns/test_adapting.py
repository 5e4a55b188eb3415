"""PAT-ADAPT-01."""

from __future__ import annotations

import pytest
from tests.graphs.building.things import (
    CLICK,
    DOUBLE,
    HUB,
    LIGHT,
    LOCK,
    MOTION,
    MOVES,
    ON,
    REMOTE,
    RULE,
    event,
    held,
    levels,
    lit,
    pressed,
    prop,
    ran,
    says,
    sends,
    sound,
    values,
)

from zhixing.graphs.building.builder import Builder
from zhixing.graphs.building.patterns.adapting import (
    UNKNOWN,
    adapted_input,
    adapted_output,
    announced,
    contract,
    overheard,
    probe,
)
from zhixing.graphs.simulating.result import Called
from zhixing.graphs.specs.meanings import Happening, Meaning
from zhixing.kernel.errors import BadInput, NotFound

OPENED = event(LOCK, Happening.LOCK)
MODE = prop(LIGHT, Meaning.MODE)
KNOWN, OTHER_VALUE = 1, 2


def core() -> Builder:
    """Let the light's mode in words decide whether it is on: adapters on both sides, and nothing of devices between."""
    builder = Builder(RULE)
    scene = contract(builder, "scene")
    into = adapted_input(builder, (LIGHT, MODE), {4: "day", 5: "night"}, scene)
    out = adapted_output(builder, scene, {"day": (LIGHT, ON, True), "night": (LIGHT, ON, False)})
    builder.wire(into.out("known"), *out.into("act"))
    lit(builder, into.out("unknown"), OTHER_VALUE)
    lit(builder, out.out("sent"), KNOWN)
    return builder


def test_adapters_pass_the_checks() -> None:
    sound(core())


@pytest.mark.parametrize(
    ("mode", "word", "level", "written"),
    [(4, "day", KNOWN, [True]), (5, "night", KNOWN, [False]), (9, UNKNOWN, OTHER_VALUE, [])],
)
def test_what_a_value_means_is_said_in_words_and_one_that_nobody_foresaw_too(
    mode: int, word: str, level: int, written: list[bool]
) -> None:
    result = ran(core(), says(1000, LIGHT, MODE, mode), variables={f"R{RULE}.scene": "day"})
    assert held(result)["scene"] == word
    assert levels(result) == [(1000, level)]
    assert values(result, LIGHT) == written


def test_bools_are_told_apart_too() -> None:
    builder = Builder(RULE)
    room = contract(builder, "room")
    adapted_input(builder, (MOTION, MOVES), {True: "busy", False: "quiet"}, room)
    words = [held(ran(builder, says(1000, MOTION, MOVES, value)))["room"] for value in (True, False)]
    assert words == ["busy", "quiet"]


def test_a_probe_keeps_what_an_event_carries_and_does_nothing_else() -> None:
    builder = Builder(RULE)
    fragment = probe(builder, LOCK, OPENED, "seen")
    assert {each.type for each in (builder.rule("", 0).node(card) for card in fragment.cards) if each} == {
        "deviceInputSetVar",
        "varSetNumber",
    }
    sound(builder)
    given = {f"p{piid}": 2 for piid in OPENED.arguments[:1]}
    result = ran(builder, sends(1000, LOCK, OPENED, **given))
    assert held(result)[f"seen{OPENED.arguments[0]}"] == 2
    assert held(result)["seen"] == 1
    assert result.outputs == ()


def test_one_rule_announces_and_another_hears_just_that_name() -> None:
    sender, hearer = Builder(RULE), Builder("1764550800002")
    call = announced(sender, HUB, "回家")
    sender.wire(pressed(sender), *call.into("send"))
    lit(hearer, overheard(hearer, HUB, "回家").out("heard"), KNOWN)
    sound(sender)
    sound(hearer)
    (sent,) = ran(sender, sends(1000, REMOTE, CLICK)).outputs
    assert isinstance(sent, Called)
    virtual = event(HUB, Happening.VIRTUAL)
    heard = [
        levels(ran(hearer, sends(1000, HUB, virtual, **{f"p{virtual.arguments[0]}": name})))
        for name in (sent.values[0], "回家 ")
    ]
    assert heard == [[(1000, KNOWN)], []]


def test_what_is_no_contract_is_refused() -> None:
    builder = Builder(RULE)
    room = contract(builder, "room")
    for make in (
        # seen to begin, never to end
        lambda: adapted_input(builder, (MOTION, MOVES), {True: "busy"}, room),
        lambda: adapted_input(builder, (MOTION, MOVES), {True: "busy", False: UNKNOWN}, room),
        lambda: probe(builder, REMOTE, DOUBLE, "seen"),
        lambda: announced(builder, HUB, " 回家"),
        lambda: announced(builder, HUB, ""),
        lambda: overheard(builder, HUB, "x" * 65),
        lambda: adapted_output(builder, room, {}),
    ):
        with pytest.raises(BadInput):
            make()
    for nothing in (lambda: announced(builder, LIGHT, "回家"), lambda: overheard(builder, LIGHT, "回家")):
        with pytest.raises(NotFound):
            nothing()
