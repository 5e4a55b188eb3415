"""What requirement document 002 says a rule must be: what it marks ❌ is refused, what it marks ✅ is not.

Each row bears the clause of `docs/requirements/graphs.md` that it shows.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.graphs.cases.drawn import (
    HOME,
    LOCAL,
    NUM,
    PERCENT,
    Card,
    ask,
    at,
    call,
    card,
    codes_of,
    counted,
    drawn,
    hear,
    judged,
    sent,
    watch,
    write,
)
from tests.graphs.checks.capability_home import RULE, home
from tests.graphs.simulating.small import codes, commands, ran, rests_on

from zhixing.graphs.checks.finding import Profile
from zhixing.graphs.placing import placed
from zhixing.graphs.reading import rule_from
from zhixing.graphs.rule import Rule
from zhixing.graphs.specs.home import Home
from zhixing.graphs.writing import write_rule

ERROR, WARN = "error", "warn"
KEY, LAMP, DIM, WARMTH = "remote_single.3.1012", "light.2.1", "light.2.2", "climate_sensor.2.1"
OUT = write("out", LAMP)
WARM = {"did": "climate_sensor", "siid": 2, "piid": 1, **NUM}
NIGHT = {"start": at(22), "end": at(6), "filter": {"day": [0, 1, 2, 3, 4, 5, 6]}}


def pressed(to: str = "output>out.trigger") -> Card:
    return hear("key", to, KEY)


def night(to: str, **props: Any) -> Card:
    return card("night", "timeRange", to, **NIGHT | props)


def when(to: str = "met>out.trigger", **parts: Any) -> Card:
    return card("when", "condition", to, **parts)


def fed(kind: str, pin: str = "input", to: str = "output>out.trigger", **props: Any) -> Rule:
    """Draw a card `it` behind the key, in front of the lamp."""
    return drawn(pressed(f"output>it.{pin}"), card("it", kind, to, **props), OUT)


def begun(kind: str, **props: Any) -> Rule:
    """Draw a source `it` in front of the lamp."""
    return drawn(card("it", kind, "output>out.trigger", **props), OUT)


def conditioned(to: str, **props: Any) -> Rule:
    """Draw a time range that a condition asks."""
    return drawn(night(to, **props), pressed("output>when.trigger"), when(), OUT)


def renamed(name: str) -> Rule:
    return drawn(pressed(f"output>{name}.trigger"), write(name, LAMP))


def outputs(**given: Any) -> Rule:
    """Draw a lamp that declares other outputs."""
    return drawn(pressed(), OUT | {"outputs": given})


def spoken(**props: Any) -> Rule:
    """Draw a volume that a variable sets."""
    given = {"value": ..., **NUM, **PERCENT} | props
    return drawn(pressed(), card("out", "deviceOutput", did="speaker", siid=2, piid=1, **given))


def constant(kind: str, value: object) -> Rule:
    """Draw logic with one wire and one value, asked by a condition."""
    it = card("it", kind, "output>when.condition", inputs={"input0": None, "input1": value})
    return drawn(night("output>it.input0"), it, pressed("output>when.trigger"), when(), OUT)


def read_in(to: str) -> Rule:
    """Draw a query that stores what it reads."""
    it = card("it", "deviceGetSetVar", to, **WARM, dtype="number")
    return drawn(pressed("output>it.input"), it, OUT)


# The clause, what is refused, its code, level and card, and what is right instead.
PAIRS: list[tuple[str, Rule, tuple[str, str, str], Rule | None]] = [
    ("G-5.1 the id stands in two places", drawn(pressed(), OUT).having(id="1710000000009"),
     ("rule_id_mismatch", ERROR, "(graph)"), drawn(pressed(), OUT)),
    ("G-5.1 the id is thirteen digits", drawn(pressed(), OUT, id_="graph_1710000000000"),
     ("legacy_rule_id", WARN, "(graph)"), drawn(pressed(), OUT, id_="1710000000000")),
    ("G-5.2 enable is true or false", drawn(pressed(), OUT).having(cfg={"id": RULE, "enable": "yes"}),
     ("cfg_enable_not_bool", ERROR, "(graph)"), drawn(pressed(), OUT)),
    ("G-6.1 no underscore in the id of a card", renamed("out_1"), ("invalid_id", ERROR, "out_1"), renamed("out1")),
    ("G-6.1 no hyphen in the id of a card", renamed("out-1"), ("invalid_id", ERROR, "out-1"), renamed("OUT1")),
    ("G-6.2 a wire names the pin where it ends", drawn(pressed() | {"outputs": {"output": ["out"]}}, OUT),
     ("invalid_format", ERROR, "key"), drawn(pressed() | {"outputs": {"output": ["out.trigger"]}}, OUT)),
    ("G-6.3 the wires of a pin are a list", outputs(output=None), ("invalid_output", ERROR, "out"), outputs(output=[])),
    ("G-6.4 a pin is declared though unwired", outputs(), ("missing_output", ERROR, "out"), outputs(output=[])),
    ("G-6.5 deviceGet has a second output", drawn(pressed("output>get.input"),
     ask("get", "output>out.trigger", LAMP) | {"outputs": {"output": ["out.trigger"]}}, OUT),
     ("missing_output2", ERROR, "get"),
     drawn(pressed("output>get.input"), ask("get", "output>out.trigger", LAMP), OUT)),
    ("G-6.6 deviceGet is fed at input", drawn(pressed("output>get.trigger"),
     ask("get", "output>out.trigger", LAMP) | {"inputs": {"trigger": None}}, OUT),
     ("target_port_not_found", ERROR, "key"), None),
    ("G-6.6 varGet is fed at input", drawn(pressed("output>get.trigger"),
     card("get", "varGet", "output>out.trigger", **NUM, inputs={"trigger": None}), OUT),
     ("target_port_not_found", ERROR, "key"), fed("varGet", **NUM)),
    ("G-6.6 delay is fed at input", fed("delay", "trigger", inputs={"trigger": None}),
     ("delay_wrong_input", ERROR, "it"), fed("delay")),
    ("G-6.6 statusLast is fed at input", drawn(watch("in1", "output>it.trigger", LAMP),
     card("it", "statusLast", "output>out.trigger", inputs={"trigger": None}), OUT),
     ("status_last_no_input", ERROR, "it"),
     drawn(watch("in1", "output>it.input", LAMP), card("it", "statusLast", "output>out.trigger"), OUT)),
    ("G-6.6 deviceOutput is fed at trigger", drawn(pressed("output>out.input"), OUT | {"inputs": {"input": None}}),
     ("device_output_wrong_input", ERROR, "out"), drawn(pressed(), OUT)),
    ("G-6.6 a source has no input", begun("alarmClock", inputs={"trigger": None}),
     ("state_has_inputs", ERROR, "it"), begun("alarmClock", inputs={})),
    ("G-6.7 a truth value is boolean", drawn(watch("in1", "output>out.trigger", LAMP, dtype="bool"), OUT),
     ("invalid_dtype", ERROR, "in1"), drawn(watch("in1", "output>out.trigger", LAMP), OUT)),
    ("G-6.7 a whole number is int", drawn(watch("in1", "output>out.trigger", DIM, ">", 5, dtype="uint8"), OUT),
     ("invalid_dtype", ERROR, "in1"), drawn(watch("in1", "output>out.trigger", DIM, ">", 5), OUT)),
    ("G-6.7 what the specification calls float is float",
     drawn(watch("in1", "output>out.trigger", WARMTH, ">", 5, dtype="int"), OUT),
     ("dtype_mismatch", ERROR, "in1"), drawn(watch("in1", "output>out.trigger", WARMTH, ">", 5.0), OUT)),
    ("G-6.8 props are never left out",
     drawn({key: value for key, value in card("it", "onLoad", "output>out.trigger").items() if key != "props"}, OUT),
     ("missing_props", ERROR, "it"), begun("onLoad")),
    ("G-6.10 a delay need not say what its card shows", fed("delay", cfg={"unit": "min", "value": 9}),
     ("duration_display_mismatch", WARN, "it"), None),
    ("G-7.3 a wire ends at a card", drawn(pressed("output>gone.trigger")), ("target_not_found", ERROR, "key"), None),
    ("G-7.4 a wire ends at a pin that is declared", drawn(pressed("output>out.input"), OUT),
     ("target_port_not_found", ERROR, "key"), drawn(pressed(), OUT)),
    ("G-8.1 nothing is wired to an alarm", drawn(pressed("output>it.trigger"), card("it", "alarmClock")),
     ("state_has_incoming", ERROR, "it"), None),
    ("G-8.1 nothing is wired to a time range", drawn(pressed("output>night.trigger"), night("")),
     ("state_has_incoming", ERROR, "night"), None),
    ("G-8.1 nothing is wired to a start", drawn(pressed("output>it.trigger"), card("it", "onLoad")),
     ("state_has_incoming", ERROR, "it"), None),
    ("G-8.1 nothing is wired to a watched variable", drawn(pressed("output>it.trigger"), card("it", "varChange")),
     ("state_has_incoming", ERROR, "it"), None),
    ("G-8.1 nothing is wired to a device that sets a variable",
     drawn(pressed("output>it.trigger"), card("it", "deviceInputSetVar")), ("state_has_incoming", ERROR, "it"), None),
    ("G-8.2 a time range has one output", conditioned("output2>when.condition"),
     ("tr_has_output2", ERROR, "night"), conditioned("output>when.condition")),
    ("G-8.3 a condition asks a state", drawn(pressed("output>when.trigger"), when(), OUT),
     ("cond_no_condition", ERROR, "when"), conditioned("output>when.condition")),
    ("G-8.3 a condition waits for an event", drawn(night("output>when.condition"), when(), OUT),
     ("cond_no_trigger", ERROR, "when"), conditioned("output>when.condition")),
    ("G-8.4 the second output is no state", drawn(pressed("output>get.input"),
     ask("get", "output2>night.trigger", LAMP), night("")), ("output2_to_state", ERROR, "get"), None),
    ("G-8.4 nor does it feed one", drawn(pressed("output>get.input output>when.trigger"),
     ask("get", "output2>when.condition", LAMP), when(), OUT), ("cross_color", ERROR, "get"), None),
    ("G-9.4 there is no third output for what is unknown", drawn(pressed("output>get.input"),
     ask("get", "output3>out.trigger", LAMP), OUT), ("source_port_not_declared_type", ERROR, "get"), None),
    ("G-3.1 variables of a rule bear its number", fed("varGet", **NUM | {"scope": f"graph_{RULE}"}),
     ("scope_foreign", ERROR, "it"), fed("varGet", **NUM | {"scope": LOCAL})),
    ("G-3.1 and those of another rule are not its own", fed("varGet", **NUM | {"scope": "R1710000000009"}),
     ("scope_foreign", ERROR, "it"), None),
    ("G-3.2 the word rule is not left in a rule", fed("varGet", **NUM | {"scope": "rule"}),
     ("scope_placeholder", ERROR, "it"), fed("varGet", **NUM | {"scope": LOCAL})),
    ("G-10.4 a variable has its bounds with it", spoken(max=...), ("invalid_range_fields", ERROR, "out"), spoken()),
    ("G-10.4 and they are those of the property", spoken(max=99), ("range_mismatch", ERROR, "out"), spoken()),
    ("G-10.11 inputs are numbered", fed("signalOr", "inputa", inputs={"inputa": None}),
     ("invalid_indexed_input", ERROR, "it"), fed("signalOr", "input0", inputs={"input0": None})),
    ("G-10.11 from 0 and without a gap", fed("signalOr", "input0", inputs={"input0": None, "input2": None}),
     ("non_contiguous_inputs", WARN, "it"), None),
    ("G-10.12 an input of an or is a truth value or null", constant("logicOr", 1), ("input_value_invalid", ERROR, "it"),
     constant("logicOr", True)),
    ("G-10.15 a loop is started and stopped", fed("loop", inputs={"input": None}), ("loop_wrong_inputs", ERROR, "it"),
     fed("loop", "start")),
    ("G-10.16 a limit can be set back", fed("onlyNTimes", inputs={"input": None}), ("missing_input", ERROR, "it"),
     fed("onlyNTimes")),
    ("G-10.17 a counter can be set back", fed("counter", inputs={"input": None}), ("missing_input", ERROR, "it"),
     fed("counter")),
    ("G-10.18 outputs of modes have no gap",
     fed("modeSwitch", outputs={"output0": ["out.trigger"], "output2": []}, to=""), ("mode_outputs_gap", ERROR, "it"),
     fed("modeSwitch", outputs={"output0": ["out.trigger"], "output1": []}, to="")),
    ("G-10.23 a sum is fed at input", fed("varSetNumber", "trigger", **NUM, inputs={"trigger": None}),
     ("missing_input", ERROR, "it"), None),
    ("G-10.25 a number is number", begun("deviceInputSetVar", **WARM, dtype="float"),
     ("var_dtype", ERROR, "it"), begun("deviceInputSetVar", **WARM, dtype="number")),
    ("G-10.26 a query that stores has one output", read_in("output2>out.trigger"),
     ("source_port_not_declared_type", ERROR, "it"), read_in("output>out.trigger")),
    ("G-10.27 a watched variable says whether it looks at once", begun("varChange", **NUM, preload=...),
     ("preload_required", ERROR, "it"), begun("varChange", **NUM, preload=True)),
    ("G-10.28 a query of a variable has a second output", fed("varGet", **NUM, outputs={"output": ["out.trigger"]}),
     ("missing_output2", ERROR, "it"), fed("varGet", **NUM)),
    ("G-11.1 a float is never equal", drawn(watch("in1", "output>out.trigger", WARMTH, "=", 20.5), OUT),
     ("operator_not_allowed", ERROR, "in1"), drawn(watch("in1", "output>out.trigger", WARMTH, "<", 20.5), OUT)),
    ("G-11.1 a truth value is only equal", drawn(watch("in1", "output>out.trigger", LAMP, "!="), OUT),
     ("operator_not_allowed", ERROR, "in1"), drawn(watch("in1", "output>out.trigger", LAMP, "="), OUT)),
    ("G-11.1 a text is only equal", fed("varGet", **NUM, varType="string", operator=">", v1="a"),
     ("operator_not_allowed", ERROR, "it"), None),
    ("G-11.1 between has two ends", drawn(watch("in1", "output>out.trigger", DIM, "between", 5), OUT),
     ("invalid_v2", ERROR, "in1"), drawn(watch("in1", "output>out.trigger", DIM, "between", 5, v2=9), OUT)),
    ("G-12.1 a lamp is switched by true and false", drawn(pressed(), write("out", LAMP, "on")),
     ("action_input_type", ERROR, "out"), drawn(pressed(), write("out", LAMP, False))),
    ("G-12.2 brightness is 1 to 100", drawn(pressed(), write("out", DIM, 0)),
     ("action_input_range", ERROR, "out"), drawn(pressed(), write("out", DIM, 100))),
    ("G-12.3 a curtain opens where its specification says, not where the document does",
     drawn(pressed(), write("out", "curtain.2.1", 50)), ("action_input_enum", ERROR, "out"),
     drawn(pressed(), write("out", "curtain.2.4", 50))),
]  # fmt: skip


@pytest.mark.parametrize(("refused", "finding", "right"), [pytest.param(*row[1:], id=row[0]) for row in PAIRS])
def test_what_the_document_forbids_is_found_and_what_it_wants_is_not(
    refused: Rule, finding: tuple[str, str, str], right: Rule | None
) -> None:
    """G-9.2: connections and shapes are checked though the gateway does not."""
    assert finding in codes_of(judged(refused))
    if right is not None:
        verdict = judged(right)
        assert verdict.errors == ()
        assert finding[0] not in {each.code for each in verdict.warnings}


CAPABLE = [
    ("a device", card("out", "deviceOutput", did="nobody"), "unknown_device"),
    ("a field", write("out", "light.2.99"), "unknown_property"),
    ("a right", write("out", WARMTH, 5.0), "access_denied"),
    ("a type", write("out", DIM, "hell"), "action_input_type"),
    ("a range", write("out", DIM, 101), "action_input_range"),
    ("an argument", call("out", "speaker.7.3"), "missing_action_input"),
    ("a variable", counted("it", "1", variable={"scope": "global", "id": "none"}), "unknown_variable"),
]


@pytest.mark.parametrize(("given", "code"), [pytest.param(*row[1:], id=row[0]) for row in CAPABLE])
def test_what_a_device_or_variable_cannot_do_bars_the_rule(given: Card, code: str) -> None:
    """G-9.1, G-9.3: devices, fields, rights, types, ranges, arguments and variables; one error is enough."""
    verdict = judged(drawn(pressed(f"output>{given['id']}.{next(iter(given['inputs']))}"), given), home())
    assert (verdict.valid, [each.code for each in verdict.errors]) == (False, [code])


LOGIC = [
    ("logicOr", "input0", {"input0": None}),
    ("logicAnd", "input0", {"input0": None}),
    ("logicNot", "input", {"input": None}),
]


@pytest.mark.parametrize("profile", Profile)
@pytest.mark.parametrize(("kind", "pin", "inputs"), LOGIC)
def test_a_state_may_pass_logic_before_it_is_asked(
    kind: str, pin: str, inputs: dict[str, None], profile: Profile
) -> None:
    """G-8.2."""
    given = drawn(
        night(f"output>it.{pin}"),
        card("it", kind, "output>when.condition", inputs=inputs),
        pressed("output>when.trigger"),
        when(),
        OUT,
    )
    assert judged(given, profile=profile).errors == ()


def test_what_nobody_proved_is_an_option_and_a_note_and_never_an_error() -> None:
    """G-1.1: only what was seen to happen may be demanded."""
    round_ = card("round", "loop", "output>out.trigger output>round.stop", interval=1000)
    given = drawn(pressed("output>round.start"), round_, OUT)
    assert judged(given).errors == ()
    for tick, at_ms in (("after_interval", 1000), ("immediately", 0)):
        result = ran(given, sent(0, KEY), until_ms=9000, options={"loop_first_tick": tick})
        assert (commands(result)[0][0], rests_on(result)) == (at_ms, {"loop_first_tick"})


def test_a_condition_that_nobody_answers_never_takes_the_first_way() -> None:
    """G-8.3: the gateway saves it; met never runs."""
    result = ran(
        drawn(pressed("output>when.trigger"), when("met>out.trigger unmet>no.trigger"), OUT, write("no", DIM, 1)),
        sent(1, KEY),
    )
    assert commands(result) == [(1, "no")]


@pytest.mark.parametrize(("constants", "moved"), [({"trigger": None}, 1), ({}, 0)])
def test_null_at_an_input_declares_it_and_is_no_wire(constants: dict[str, None], moved: int) -> None:
    """G-7.1: without the declaration the wire is one to a pin that is not there."""
    given = drawn(pressed(), OUT | {"inputs": constants})
    assert len({code for code, _, _ in codes_of(judged(given)) if code == "target_port_not_found"}) == 1 - moved


def test_what_stands_at_an_input_makes_no_wire() -> None:
    """G-7.2: wires are those of the outputs."""
    given = drawn(pressed(""), OUT | {"inputs": {"trigger": "key.output"}})
    assert (given.wires, ran(given, sent(1, KEY)).outputs) == ((), ())
    assert drawn(pressed(), OUT).wires_to("out", "trigger")[0].source == "key"


def test_what_is_unknown_is_told_beside_the_second_output() -> None:
    """G-9.4: the second output means no more than that the comparison does not hold."""
    given = drawn(
        pressed("output>get.input"),
        ask("get", "output>out.trigger output2>no.trigger", DIM, ">", 9),
        OUT,
        write("no", LAMP),
    )
    for state, unknown in (({"light": {"2.2": 5}}, False), ({}, True)):
        result = ran(given, sent(1, KEY), state=state)
        assert (commands(result), "value_unknown" in codes(result)) == ([(1, "no")], unknown)


def test_a_card_sets_only_variables_that_exist() -> None:
    """G-2.1, G-4.1: a rule makes no variable."""
    given = drawn(pressed("output>it.input"), counted("it", "1", "output>out.trigger"), OUT)
    result = ran(given, sent(1, KEY))
    assert (dict(result.variables), result.outputs, codes(result)) == ({}, (), {"variable_missing"})


@pytest.mark.parametrize(("held", "kind"), [(0, "varSetString"), ("", "varSetNumber")])
def test_a_variable_stays_of_its_type(held: float | str, kind: str) -> None:
    """G-2.2: a number takes no text and a text no number."""
    elements = [{"type": "const", "value": "1"}]
    given = drawn(pressed("output>it.input"), card("it", kind, "output>out.trigger", **NUM, elements=elements), OUT)
    result = ran(given, sent(1, KEY), variables={"global.num": held})
    assert (list(result.variables.values()), codes(result)) == ([held], {"variable_kind"})


@pytest.mark.parametrize(
    ("id_", "scope"), [("graph_1700000000000", "R1700000000000"), ("1700000000000", "R1700000000000")]
)
def test_the_scope_of_a_rule_is_its_number_behind_an_r(id_: str, scope: str) -> None:
    """G-3.1."""
    assert drawn(pressed(), OUT, id_=id_).scope == scope


def test_cards_get_places_from_left_to_right_with_branches_below_one_another() -> None:
    """G-5.3: nobody has to write a position."""
    given = drawn(
        pressed("output>get.input"),
        ask("get", "output>yes.trigger output2>no.trigger", LAMP),
        write("yes", DIM, 100),
        write("no", DIM, 1),
    )
    where = {each.id: each.position for each in placed(given).nodes if each.position is not None}
    assert where["key"].x + where["key"].width <= where["get"].x
    assert where["get"].x + where["get"].width <= min(where["yes"].x, where["no"].x)
    assert where["yes"].y + where["yes"].height <= where["no"].y


def test_what_the_editor_keeps_about_a_rule_is_kept() -> None:
    """G-5.2: name, time of change, the piece of canvas that is seen, and what comes with later versions."""
    data = {"name": "夜灯", "lastUpdateTime": 1710000000000, "transform": {"x": 0, "y": 0, "scale": 1, "rotate": 0}}
    cfg = {"id": RULE, "enable": False, "uiType": "graph", "userData": data | {"tags": ["灯"], "later": 1}}
    given = rule_from({"id": RULE, "nodes": [], "cfg": cfg})
    assert (given.name, given.enabled, given.tags) == ("夜灯", False, ("灯",))
    assert rule_from({"id": RULE, "nodes": [], "cfg": cfg}) == given
    assert '"later": 1' in write_rule(given).replace('"later":1', '"later": 1')


# §2.6: what published validators say falsely, and what is true.
TRUE_VERDICTS: list[tuple[str, Rule, Home | None, bool]] = [
    ("a time range may last", drawn(night("output>last.input"), card("last", "statusLast", "output>out.trigger"), OUT),
     None, True),
    ("logic over a time range may act", drawn(night("output>and.input0"), watch("in1", "output>and.input1", LAMP),
     card("and", "logicAnd", "output>out.trigger"), OUT), None, True),
    ("a property is a state for logic", drawn(watch("in1", "output>or.input0", LAMP),
     card("or", "logicOr", "output>out.trigger", inputs={"input0": None}), OUT), None, True),
    ("a pin that is not there is a dead wire", drawn(pressed("output>out.input"), OUT), None, False),
    ("a float is not equal", drawn(watch("in1", "output>out.trigger", WARMTH, "=", 20.5), OUT), None, False),
    ("one value of an enum is right for an action",
     drawn(pressed(), call("out", "speaker_stepped.5.5", {"piid": 1, "value": "x"}, {"piid": 2, "value": 1})),
     HOME, True),
    ("a number variable may set a volume", spoken(), HOME, True),
    ("16.1 is on a step of 0.1", drawn(pressed(), write("out", "odd.2.6", 16.1)), HOME, True),
    ("25.5 is on a step of 0.5", drawn(pressed(), write("out", "air_conditioner.2.4", 25.5)), HOME, True),
    ("25.3 is not", drawn(pressed(), write("out", "air_conditioner.2.4", 25.3)), HOME, False),
]  # fmt: skip


@pytest.mark.parametrize(("given", "known", "valid"), [pytest.param(*row[1:], id=row[0]) for row in TRUE_VERDICTS])
def test_what_published_validators_get_wrong_is_judged_rightly(given: Rule, known: Home | None, *, valid: bool) -> None:
    assert judged(given, known).valid is valid
