"""What people ran into with rule graphs (mijia §8), as far as a validator tells them before it happens.

Each test bears the number of its case. What only shows when a rule runs is in `test_user_cases_run.py`.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.graphs.cases.drawn import (
    HOME,
    LOCAL,
    NUM,
    PERCENT,
    TXT,
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
    watch,
    write,
)
from tests.graphs.checks.capability_home import RULE, URNS, home, raw_sample

from zhixing.graphs.checks.finding import Profile
from zhixing.graphs.placing import placed
from zhixing.graphs.reading import read_rule
from zhixing.graphs.specs.home import Home
from zhixing.graphs.writing import with_props, write_rule

ERROR, WARN, INFO = "error", "warn", "info"
KEY, LAMP, MOTION, DIM, OUTLET = "remote_single.3.1012", "light.2.1", "motion_sensor.2.1", "light.2.2", "outlet.2.1"
LUX, WARMTH = "motion_sensor.2.6", "climate_sensor.2.1"
FILLED = home()
FOREIGN = "R1764000000002"
NIGHT = {"start": at(22), "end": at(6), "filter": {}}


def pressed(to: str = "output>out.trigger") -> Card:
    return hear("key", to, KEY)


def mirrored(source: str, end: str, name: str, **more: Any) -> list[Card]:
    """Draw the two branches that copy one switch to another, nobody asking what it is already."""
    return [
        card
        for value in (True, False)
        for card in (
            watch(f"{name}{value}", f"output>to{name}{value}.trigger", source, v1=value, **more),
            write(f"to{name}{value}", end, value),
        )
    ]


def asked(source: str, end: str, name: str) -> list[Card]:
    """Draw the same, asking first."""
    return [
        card
        for value in (True, False)
        for card in (
            watch(f"{name}{value}", f"output>ask{name}{value}.input", source, v1=value),
            ask(f"ask{name}{value}", f"output2>to{name}{value}.trigger", end, v1=value),
            write(f"to{name}{value}", end, value),
        )
    ]


UNCONDITIONAL = [*mirrored(LAMP, OUTLET, "a"), *mirrored(OUTLET, LAMP, "b")]
GUARDED = [*asked(LAMP, OUTLET, "a"), *asked(OUTLET, LAMP, "b")]
FIGHTING = [*mirrored(LAMP, OUTLET, "a", preload=True), *mirrored(OUTLET, LAMP, "b", preload=True)]

# Number and title of the case, its cards, the home, and what must be found at which card.
FOUND: list[tuple[str, list[Card], Home, list[tuple[str, str, str]]]] = [
    (
        "case_01 an enum is compared by its order",
        [watch("still", "output>out.trigger", "motion_sensor_listed.2.2", ">=", 50), write("out", LAMP)],
        HOME,
        [("enum_filter", ERROR, "still")],
    ),
    (
        "case_02 a variable was never created",
        [
            pressed("output>get.input"),
            card("get", "varGet", "output>out.trigger", scope="global", id="never", varType="number"),
            write("out", LAMP),
        ],
        FILLED,
        [("unknown_variable", ERROR, "get")],
    ),
    (
        "case_12 many sensors share a delay",
        [
            *(hear(f"m{n}", f"output>any.input{n}", f"motion_sensor.2.{n + 1}") for n in range(2)),
            card("any", "signalOr", "output>wait.input"),
            card("wait", "delay", "output>out.trigger"),
            write("out", LAMP, False),
        ],
        HOME,
        [("shared_delay", INFO, "wait")],
    ),
    (
        "case_14 a register works once",
        [pressed("output>once.setTrue"), card("once", "register", "output>out.trigger"), write("out", LAMP)],
        HOME,
        [("register_never_reset", WARN, "once")],
    ),
    (
        "case_17 a loop is never stopped",
        [pressed("output>round.start"), card("round", "loop", "output>out.trigger"), call("out", "light.2.1")],
        HOME,
        [("loop_never_stops", WARN, "round")],
    ),
    ("case_19 two mirrors without a question", UNCONDITIONAL, HOME, [("unconditional_mirror", WARN, "aTrue")]),
    (
        "case_21 a delay says nothing on its card",
        [
            pressed("output>wait.input"),
            card("wait", "delay", "output>out.trigger", cfg={"unit": None, "value": None}),
            write("out", LAMP),
        ],
        HOME,
        [("duration_display_mismatch", WARN, "wait")],
    ),
    (
        "case_22 a wire is there twice",
        [pressed("output>out.trigger output>out.trigger"), write("out", LAMP)],
        HOME,
        [("duplicate_edge", ERROR, "key")],
    ),
    (
        "case_23 an event where a state belongs",
        [
            card("seven", "alarmClock", "output>last.input"),
            card("last", "statusLast", "output>out.trigger"),
            write("out", LAMP),
        ],
        HOME,
        [("cross_color", ERROR, "seven"), ("never_fires", WARN, "out")],
    ),
    (
        "case_24 a rule is half built",
        [pressed("output>when.trigger"), card("when", "condition"), write("out", LAMP)],
        HOME,
        [("cond_no_condition", ERROR, "when"), ("required_input_unwired", ERROR, "out")],
    ),
    (
        "case_26 a change wiped what the card is about",
        [pressed(), write("out", LAMP) | {"props": {"value": False}}],
        HOME,
        [("invalid_did", ERROR, "out"), ("invalid_siid", ERROR, "out"), ("no_piid_or_aiid", ERROR, "out")],
    ),
    (
        "case_27 no day of the week",
        [
            card("seven", "alarmClock", "output>out.trigger", filter={"day": []}),
            card("night", "timeRange", "output>dark.trigger", **NIGHT | {"filter": {"day": []}}),
            write("out", LAMP),
            write("dark", LAMP, False),
        ],
        HOME,
        [("empty_day_filter", ERROR, "seven"), ("empty_day_filter", ERROR, "night")],
    ),
    (
        "case_32 a lamp is lit and put out at one brightness",
        [
            watch("dark", "output>out.trigger", LUX, "<", 50.0),
            watch("bright", "output>off.trigger", LUX, ">", 50.0),
            write("out", LAMP),
            write("off", LAMP, False),
        ],
        HOME,
        [("no_hysteresis", INFO, "dark")],
    ),
    (
        "case_33 a cooler is switched at one temperature",
        [
            watch("warm", "output>out.trigger", WARMTH, ">", 26.0),
            watch("cool", "output>off.trigger", WARMTH, "<", 26.0),
            write("out", "air_conditioner.2.1"),
            write("off", "air_conditioner.2.1", False),
        ],
        HOME,
        [("no_hysteresis", INFO, "cool")],
    ),
    (
        "case_34 a number where a text is spoken",
        [pressed(), call("out", "speaker.7.3", {"piid": 1, **NUM, **PERCENT})],
        FILLED,
        [("action_input_type", ERROR, "out")],
    ),
    (
        "case_39 a time range at its end",
        [card("night", "timeRange", "output>out.trigger", **NIGHT), write("out", LAMP, False)],
        HOME,
        [("time_range_event_start_only", INFO, "night")],
    ),
    (
        "case_40 holidays and days of the week",
        [
            card("seven", "alarmClock", "output>out.trigger", filter={"day": [1, 2], "inHoliday": False}),
            write("out", LAMP),
        ],
        HOME,
        [("double_filter", ERROR, "seven")],
    ),
    (
        "case_41 a template of another home",
        [
            pressed("output>get.input"),
            card("get", "varGet", "output>out.trigger", scope=FOREIGN, id="num", varType="number"),
            card("out", "deviceOutput", did="elsewhere", cfg={"urn": URNS["light"]}),
        ],
        FILLED,
        [("scope_foreign", ERROR, "get"), ("unknown_device", ERROR, "out")],
    ),
    ("case_42 four mirrors that look when enabled", FIGHTING, HOME, [("preload_conflict", WARN, "aTrue")]),
]


@pytest.mark.parametrize(("cards", "known", "wanted"), [pytest.param(*each[1:], id=each[0]) for each in FOUND])
def test_the_case_is_found_before_it_happens(
    cards: list[Card], known: Home, wanted: list[tuple[str, str, str]]
) -> None:
    verdict = judged(drawn(*cards), known)
    assert set(wanted) <= codes_of(verdict)
    assert verdict.valid is all(level != ERROR for _, level, _ in wanted)


# Rules in which nothing may be found that bars them.
ALLOWED: list[tuple[str, list[Card], Home]] = [
    (
        "case_06 the volume from a variable",
        [pressed(), card("out", "deviceOutput", did="speaker", siid=2, piid=1, value=..., **NUM, **PERCENT)],
        FILLED,
    ),
    (
        "case_07 an action takes one value of an enum",
        [
            pressed(),
            call("out", "speaker_stepped.5.5", {"piid": 1, "value": "打开空调"}, {"piid": 2, "value": 1}),
        ],
        HOME,
    ),
    (
        "case_09 a time range over an or",
        [
            card("night", "timeRange", "output>or.input0", **NIGHT),
            watch("dark", "output>or.input1", MOTION),
            card("or", "logicOr", "output>when.condition"),
            pressed("output>when.trigger"),
            card("when", "condition", "met>out.trigger"),
            write("out", LAMP),
        ],
        HOME,
    ),
    ("case_19 two mirrors that ask first", GUARDED, HOME),
    (
        "case_34 a text that a number was put into",
        [
            pressed("output>say.input"),
            card("say", "varSetString", "output>out.trigger", **TXT, elements=[{"type": "var", **NUM}]),
            call("out", "speaker.7.3", {"piid": 1, **TXT, "dtype": "string"}),
        ],
        FILLED,
    ),
    (
        "case_40 an alarm for each kind of day",
        [
            card("work", "alarmClock", "output>any.input0", filter={"inHoliday": False}),
            card("monday", "alarmClock", "output>any.input1", filter={"day": [1]}),
            card("any", "signalOr", "output>out.trigger"),
            write("out", LAMP),
        ],
        HOME,
    ),
]


@pytest.mark.parametrize("profile", Profile)
@pytest.mark.parametrize(("cards", "known"), [pytest.param(*each[1:], id=each[0]) for each in ALLOWED])
def test_the_way_out_of_the_case_is_allowed(cards: list[Card], known: Home, profile: Profile) -> None:
    verdict = judged(drawn(*cards), known, profile)
    assert (verdict.errors, codes_of(verdict) & {("unconditional_mirror", WARN, "aTrue")}) == ((), set())


def test_case_01_an_enum_is_offered_as_a_choice() -> None:
    still = watch("still", "output>out.trigger", "motion_sensor_listed.2.2", "=", 5)
    (finding,) = judged(drawn(still, write("out", LAMP))).errors
    assert {fix.path[-1]: fix.value for fix in finding.fixes} == {"operator": "include", "v1": [5]}


def test_case_03_an_old_id_spoils_the_scope_and_the_right_one_is_named() -> None:
    cards = [
        pressed("output>get.input"),
        card("get", "varGet", "output>out.trigger", scope=f"Rgraph_{RULE}", id="num", varType="number"),
        write("out", LAMP),
    ]
    verdict = judged(drawn(*cards, id_=f"graph_{RULE}"))
    found = {each.code: each for each in (*verdict.errors, *verdict.warnings)}
    assert {"scope_foreign", "legacy_rule_id"} <= found.keys()
    assert LOCAL in found["scope_foreign"].text()


def test_case_21_a_delay_gets_what_its_card_shows() -> None:
    wait = card("wait", "delay", "output>out.trigger", timeout=120_000, cfg={"unit": None, "value": None})
    (finding,) = judged(drawn(pressed("output>wait.input"), wait, write("out", LAMP))).warnings
    assert {fix.path: fix.value for fix in finding.fixes} == {("cfg", "unit"): "min", ("cfg", "value"): 2}


@pytest.mark.parametrize(("profile", "level"), [(Profile.EDITOR, WARN), (Profile.STRICT, ERROR)])
def test_case_24_what_hangs_on_half_a_sequence_never_happens(profile: Profile, level: str) -> None:
    half = card("half", "eventSequence", "output>out.trigger")
    given = drawn(pressed("output>half.input1"), half, write("out", LAMP))
    assert ("never_fires", level, "out") in codes_of(judged(given, profile=profile))


def test_case_25_reading_laying_out_and_writing_leave_the_order_of_wires() -> None:
    ends = ["c.trigger", "a.trigger", "b.trigger"]
    given = drawn(pressed(" ".join(f"output>{end}" for end in ends)), *(write(name, LAMP) for name in "bca"))
    text = write_rule(given)
    after = json.loads(write_rule(placed(read_rule(text))))["nodes"]
    assert [each["outputs"] for each in after] == [each["outputs"] for each in json.loads(text)["nodes"]]
    assert after[0]["outputs"]["output"] == ends


def test_case_26_changing_one_prop_keeps_the_others() -> None:
    changed = with_props(drawn(pressed(), write("out", LAMP)), "out", {"value": False})
    assert judged(changed).errors == ()
    out = changed.node("out")
    assert out is not None
    assert out.props == {"did": "light", "siid": 2, "piid": 1, "value": False}


def test_case_29_one_specification_that_changed_its_meaning_is_told() -> None:
    other = json.loads(raw_sample("light"))
    levels = other["services"][1]["properties"][3]["value-list"]
    levels[1]["description"] = "换了意思"
    verdict = judged(drawn(pressed(), write("out", LAMP)), home(variables=..., light_later=other))
    assert [(each.code, each.level.value) for each in verdict.warnings] == [("same_urn_spec_changed", WARN)]


def test_case_35_a_local_that_no_card_uses_is_told() -> None:
    known = home(variables={"global": {}, LOCAL: {"used": {"type": "number", "value": 0}, "left": {"type": "number"}}})
    local = {"scope": LOCAL, "id": "used"}
    given = drawn(
        pressed("output>count.input"), counted("count", "# + 1", "output>out.trigger", local), write("out", LAMP)
    )
    unused = [each for each in judged(given, known).warnings if each.code == "unused_local_variable"]
    assert [each.level.value for each in unused] == [WARN]
    assert "left" in unused[0].text()
    assert "used" not in unused[0].text().replace("unused", "")


def test_case_39_at_the_end_of_a_time_range_an_alarm_is_what_rings() -> None:
    given = drawn(card("night", "timeRange", "output>out.trigger", **NIGHT), write("out", LAMP, False))
    (hint,) = judged(given).warnings
    assert "结束时不触发" in hint.text()


def test_case_40_the_way_out_is_said() -> None:
    both = card("seven", "alarmClock", "output>out.trigger", filter={"day": [1], "inHoliday": False})
    (finding,) = judged(drawn(both, write("out", LAMP))).errors
    assert "两个时间卡片" in finding.text()
