"""What devices can do, held against what cards ask of them: each code where it belongs and nowhere else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.graphs.checks.capability_home import DEVICES, RULE, SAMPLES, URNS, home, node, odd_spec, raw_sample, rule

from zhixing.graphs.checks.capability import MOST_ERRORS, MOST_FINDINGS, MOST_SOUGHT, check_capability
from zhixing.graphs.checks.finding import GRAPH, Finding, Level, verdict
from zhixing.graphs.reading import rule_from
from zhixing.graphs.specs.home import NOTHING_KNOWN, home_of
from zhixing.graphs.specs.model import DEVICE_INFORMATION
from zhixing.kernel.errors import ZhixingError
from zhixing.kernel.wording import LANGUAGES

HOME = home(variables=...)


def found(kind: str, did: str, props: dict[str, Any], **cfg: Any) -> list[str]:
    return [each.code for each in check_capability(rule(node("n1", kind, {"did": did, **props}, **cfg)), HOME)]


def one(kind: str, did: str, props: dict[str, Any], **cfg: Any) -> Finding:
    (only,) = check_capability(rule(node("n1", kind, {"did": did, **props}, **cfg)), HOME)
    return only


def fixed(kind: str, did: str, props: dict[str, Any]) -> dict[str, Any]:
    """Give the props after every fix of the only finding, which must then be gone."""
    changed = dict(props)
    for fix in one(kind, did, props).fixes:
        changed[fix.path[1]] = fix.value
    assert found(kind, did, changed) == []
    return changed


def compared(siid: int, piid: int, dtype: str, operator: str, *operands: Any) -> dict[str, Any]:
    return {
        "siid": siid, "piid": piid, "dtype": dtype, "operator": operator,
        **dict(zip(("v1", "v2"), operands, strict=False)),
    }  # fmt: skip


# Devices


def test_nothing_is_said_of_a_home_that_is_not_known() -> None:
    asked = rule(node("n1", "deviceGet", {"did": "9", "siid": 1}), node("n2", "varGet", {"scope": "global", "id": "x"}))
    assert check_capability(asked, NOTHING_KNOWN) == ()


@pytest.mark.parametrize(
    ("did", "cfg", "codes"),
    [
        ("light", {}, []),
        ("nobody", {}, ["unknown_device"]),
        ("nobody", {"urn": URNS["light"]}, ["unknown_device"]),
        ("old", {}, ["unknown_device"]),
        ("offline", {}, ["device_offline"]),
        ("no_spec", {}, ["spec_unavailable"]),
        ("light", {"urn": URNS["curtain"]}, ["urn_mismatch"]),
        ("light", {"urn": None}, ["urn_mismatch"]),
        ("", {}, []),
    ],
)
def test_the_device_itself(did: str, cfg: dict[str, Any], codes: list[str]) -> None:
    assert found("deviceOutput", did, {"siid": 2, "piid": 1, "value": True}, **cfg) == codes


def test_a_card_of_another_model_is_not_checked_further() -> None:
    assert found("deviceOutput", "light", {"siid": 9, "piid": 9, "value": 1}, urn=URNS["curtain"]) == ["urn_mismatch"]


def test_a_missing_urn_is_filled_in_and_a_wrong_one_is_not() -> None:
    lamp = {"siid": 2, "piid": 1, "value": True}
    assert one("deviceOutput", "light", lamp, urn=None).fixes[0].value == URNS["light"]
    assert one("deviceOutput", "light", lamp, urn=URNS["curtain"]).fixes == ()


def test_a_device_that_does_not_push_is_never_heard_but_can_be_asked() -> None:
    moved = compared(2, 1, "boolean", "=", True)
    assert found("deviceInput", "silent", moved) == ["push_unavailable"]
    assert found("deviceInputSetVar", "silent", {"siid": 2, "eiid": 1, "arguments": []}) == ["push_unavailable"]
    assert found("deviceGet", "silent", moved) == []


def test_a_missing_specification_is_told_once_for_the_rule() -> None:
    cards = [node(f"n{at}", "deviceOutput", {"did": "no_spec", "siid": 2, "piid": 1, "value": 1}) for at in (1, 2)]
    (only,) = check_capability(rule(*cards), HOME)
    assert (only.code, only.level, only.node) == ("spec_unavailable", Level.ERROR, GRAPH)


def test_a_specification_that_is_broken_says_why() -> None:
    broken = {"type": URNS["no_spec"], "services": 5}
    card = rule(node("n1", "deviceOutput", {"did": "no_spec", "siid": 2, "piid": 1, "value": 1}))
    (only,) = check_capability(card, home(variables=..., broken=broken))
    (bare,) = check_capability(card, HOME)
    assert only.code == bare.code == "spec_unavailable"
    assert "（" in only.text()
    assert "（" not in bare.text()
    assert "(" in only.text("en")


def test_without_a_device_list_a_card_is_taken_for_what_its_urn_says() -> None:
    known = home(devices=..., variables=...)
    card = node("n1", "deviceOutput", {"did": "anything", "siid": 2, "piid": 2, "value": 150}, urn=URNS["light"])
    assert [each.code for each in check_capability(rule(card), known)] == ["action_input_range"]


def test_two_readings_of_one_specification_that_differ_are_told() -> None:
    other = json.loads(raw_sample("light"))
    other["services"][1]["properties"][3]["value-list"][0]["value"] = 1
    known = home(variables=..., light_2026=other)
    lamp = rule(node("n1", "deviceOutput", {"did": "light", "siid": 2, "piid": 1, "value": True}))
    (only,) = check_capability(lamp, known)
    assert (only.code, only.level) == ("same_urn_spec_changed", Level.WARN)
    unused = rule(node("n1", "deviceOutput", {"did": "curtain", "siid": 2, "piid": 4, "value": 50}))
    assert check_capability(unused, known) == ()


def test_the_service_that_only_informs_is_told_by_its_name_and_not_by_its_number() -> None:
    assert DEVICE_INFORMATION in str(raw_sample("light"))
    assert found("deviceGet", "light", compared(1, 2, "string", "=", "x")) == ["device_info_service"]
    assert found("deviceInput", "remote_single", {"siid": 1, "eiid": 1001}) == []


# Members


@pytest.mark.parametrize(
    ("kind", "did", "props", "codes"),
    [
        ("deviceOutput", "light", {"siid": "2", "piid": 1, "value": True}, ["missing_siid"]),
        ("deviceOutput", "light", {"piid": 1, "value": True}, ["missing_siid"]),
        ("deviceInput", "remote_double", {"eiid": 1012}, ["missing_siid"]),
        ("deviceOutput", "light", {"siid": 2.0, "piid": 1.0, "value": True}, []),
        ("deviceOutput", "light", {"siid": 2, "piid": 88, "value": True}, ["unknown_property"]),
        ("deviceOutput", "light", {"siid": 9, "piid": 1, "value": True}, ["unknown_property"]),
        ("deviceOutput", "light", {"siid": 2, "piid": "1", "value": True}, ["unknown_property"]),
        ("deviceInput", "remote_double", {"siid": 2, "eiid": 9}, ["unknown_event"]),
        ("deviceInput", "remote_double", {"siid": 2, "eiid": None}, ["unknown_event"]),
        ("deviceOutput", "light", {"siid": 2, "aiid": 1}, []),
        ("deviceOutput", "light", {"siid": 2, "aiid": 1, "ins": []}, []),
        ("deviceOutput", "light", {"siid": 2, "aiid": "1"}, ["missing_action"]),
        ("deviceOutput", "light", {"aiid": 1}, ["missing_action"]),
        ("deviceOutput", "light", {"siid": 2, "aiid": 0}, ["unknown_action"]),
        ("deviceOutput", "light", {"siid": 0, "piid": 1, "value": True}, ["unknown_property"]),
        ("deviceInput", "remote_double", {"siid": 2**31, "eiid": 1}, ["unknown_event"]),
        ("deviceOutput", "light", {"siid": 2, "aiid": 9}, ["unknown_action"]),
        ("deviceInput", "remote_double", {"siid": 2}, []),
    ],
)
def test_a_card_names_a_member_of_the_specification(
    kind: str, did: str, props: dict[str, Any], codes: list[str]
) -> None:
    assert found(kind, did, props) == codes


@pytest.mark.parametrize(
    ("kind", "props", "codes"),
    [
        ("deviceOutput", {"siid": 2, "piid": 3, "value": 50}, ["access_denied"]),
        ("deviceGet", compared(2, 1, "int", "include", [0]), ["access_denied"]),
        ("deviceGetSetVar", {"siid": 2, "piid": 1, "dtype": "number"}, ["access_denied"]),
        (
            "deviceInput",
            compared(2, 1, "int", "include", [0]),
            ["access_denied", "trigger_property_not_notify_hint"],
        ),
        (
            "deviceInputSetVar",
            {"siid": 2, "piid": 1, "dtype": "number"},
            ["access_denied", "trigger_property_not_notify_hint"],
        ),
        ("deviceInputSetVar", {"siid": 2, "piid": 3, "dtype": "number"}, []),
        ("deviceGet", compared(2, 3, "int", "<", 50), []),
    ],
)
def test_a_property_allows_what_is_done_with_it(kind: str, props: dict[str, Any], codes: list[str]) -> None:
    assert found(kind, "curtain", props) == codes


# Comparisons


@pytest.mark.parametrize(
    ("did", "props", "codes"),
    [
        ("motion_sensor", compared(2, 1, "boolean", "=", True), []),
        ("motion_sensor", compared(2, 1, "boolean", "=", 1), ["value_type"]),
        ("motion_sensor", compared(2, 1, "int", "=", True), ["dtype_mismatch"]),
        ("occupancy_sensor", compared(2, 2, "float", ">", 50), ["dtype_mismatch"]),
        ("occupancy_sensor", compared(2, 2, "int", ">", 50.5), ["value_type"]),
        ("occupancy_sensor", compared(2, 2, "int", ">", 50.0), []),
        ("occupancy_sensor", compared(2, 2, "int", ">", True), ["value_type"]),
        ("occupancy_sensor", compared(2, 2, "int", ">", 60001), ["range_value"]),
        ("occupancy_sensor", compared(2, 2, "int", ">", -1), ["range_value"]),
        ("occupancy_sensor", compared(2, 2, "int", "include", [10, 20]), []),
        ("occupancy_sensor", compared(2, 2, "int", "include", [10, 60001]), ["range_value"]),
        ("occupancy_sensor", compared(2, 2, "int", "include", []), ["include_empty"]),
        ("occupancy_sensor", compared(2, 2, "int", "include", 10), []),
        ("occupancy_sensor", compared(2, 2, "int", ">"), []),
        ("occupancy_sensor", compared(2, 2, "int", "between", 20, 80), []),
        ("occupancy_sensor", compared(2, 2, "int", "between", 20), ["range_between"]),
        ("occupancy_sensor", compared(2, 2, "int", "between", 80, 20), ["range_order"]),
        ("occupancy_sensor", compared(2, 2, "int", "between", 20, 60001), ["range_value"]),
        ("occupancy_sensor", compared(2, 2, "int", "between", 20, "80"), ["value_type"]),
        ("climate_sensor", compared(2, 1, "float", ">", 26), []),
        ("climate_sensor", compared(2, 1, "float", ">", "26"), ["value_type"]),
        ("climate_sensor", compared(2, 1, "float", ">", 26.25), ["range_value"]),
        ("climate_sensor", compared(2, 1, "float", ">", -40.1), ["range_value"]),
        ("odd", compared(2, 6, "float", ">", 20.3), []),
        ("odd", compared(2, 6, "float", "between", 26, 18), ["range_order"]),
        ("odd", compared(2, 5, "string", "=", "x"), []),
        ("odd", compared(2, 7, "string", "=", "red"), []),
        ("odd", compared(2, 7, "string", "=", "blue"), ["enum_value"]),
        ("odd", compared(2, 9, "boolean", "=", True), []),
        ("odd", compared(2, 8, "int", "=", "anything"), []),
        ("odd", compared(2, 3, "int", ">", 2**53 - 1), []),
        ("odd", compared(2, 3, "int", ">", 2**53), ["unsafe_integer"]),
        ("odd", compared(2, 3, "int", ">", -(2**53)), ["unsafe_integer"]),
    ],
)
def test_a_comparison_fits_the_property(did: str, props: dict[str, Any], codes: list[str]) -> None:
    assert found("deviceInput", did, props) == codes
    assert found("deviceGet", did, props) == codes


@pytest.mark.parametrize(
    ("did", "props", "codes"),
    [
        ("occupancy_sensor", compared(2, 1, "int", "include", [0, 4]), []),
        ("occupancy_sensor", compared(2, 1, "int", "include", [0, 9]), ["enum_value"]),
        ("occupancy_sensor", compared(2, 1, "int", "include", ["0"]), ["enum_value"]),
        ("occupancy_sensor", compared(2, 1, "int", "include", []), ["include_empty"]),
        ("occupancy_sensor", compared(2, 1, "int", "include", 1), ["enum_filter"]),
        ("occupancy_sensor", compared(2, 1, "int", "=", 1), ["enum_filter"]),
        ("occupancy_sensor", compared(2, 1, "int", "=", 9), ["enum_filter", "enum_value"]),
        ("motion_sensor_listed", compared(2, 2, "int", ">=", 50), ["enum_filter"]),
        ("odd", compared(2, 4, "int", "include", [0, 1]), []),
        ("odd", compared(2, 4, "float", "include", [0, 1]), ["dtype_mismatch"]),
    ],
)
def test_a_property_with_a_list_is_compared_by_its_entries(did: str, props: dict[str, Any], codes: list[str]) -> None:
    assert found("deviceInput", did, props) == codes


@pytest.mark.parametrize(
    ("operator", "operands", "meant"),
    [
        ("=", [1], [1]),
        ("=", [[1, 2]], [1, 2]),
        ("include", [3], [3]),
        ("!=", [1], [0, 2, 3, 4]),
        (">=", [2.5], [3, 4]),
        (">", [3], [4]),
        ("<", [2], [0, 1]),
        ("<=", [0], [0]),
        ("between", [1, 3], [1, 2, 3]),
    ],
)
def test_any_comparison_with_a_list_can_be_said_with_include(
    operator: str, operands: list[Any], meant: list[int]
) -> None:
    changed = fixed("deviceInput", "occupancy_sensor", compared(2, 1, "int", operator, *operands))
    assert (changed["operator"], changed["v1"]) == ("include", meant)


@pytest.mark.parametrize("operands", [[50], ["2"], [None], [[2]], []])
def test_a_comparison_that_no_entry_passes_has_no_fix(operands: list[Any]) -> None:
    assert one("deviceInput", "motion_sensor_listed", compared(2, 2, "int", ">=", *operands)).fixes == ()


def test_a_wrong_dtype_is_put_right() -> None:
    changed = fixed("deviceInput", "occupancy_sensor", compared(2, 2, "float", ">", 50))
    assert changed["dtype"] == "int"


def test_variables_are_filled_by_the_type_of_the_property() -> None:
    for kind in ("deviceInputSetVar", "deviceGetSetVar"):
        assert found(kind, "light", {"siid": 2, "piid": 1, "dtype": "boolean"}) == []
        assert found(kind, "light", {"siid": 2, "piid": 2, "dtype": "number"}) == []
        assert found(kind, "light", {"siid": 2, "piid": 2, "dtype": "int"}) == ["dtype_mismatch"]
        assert found(kind, "light", {"siid": 2, "piid": 2, "dtype": "string"}) == ["dtype_mismatch"]


@pytest.mark.parametrize(
    ("piid", "value", "codes"),
    [
        (1, 50, ["spec_range_invalid"]),
        (2, 50, ["spec_range_invalid"]),
        (2, 150, ["spec_range_invalid", "action_input_range"]),
    ],
)
def test_a_broken_range_is_told_and_says_nothing_else_than_it_can(piid: int, value: int, codes: list[str]) -> None:
    assert found("deviceOutput", "odd", {"siid": 2, "piid": piid, "value": value}) == codes


@pytest.mark.parametrize("kind", ["deviceInputSetVar", "deviceGetSetVar"])
def test_a_broken_range_is_told_where_the_value_goes_into_a_variable(kind: str) -> None:
    assert found(kind, "odd", {"siid": 2, "piid": 1, "dtype": "number"}) == ["spec_range_invalid"]


# Writing


@pytest.mark.parametrize(
    ("did", "siid", "piid", "value", "codes"),
    [
        ("light", 2, 1, True, []),
        ("light", 2, 1, 1, ["literal_number_for_bool"]),
        ("light", 2, 1, 0.0, ["literal_number_for_bool"]),
        ("light", 2, 1, 2, ["action_input_type"]),
        ("light", 2, 1, "on", ["action_input_type"]),
        ("light", 2, 1, None, ["action_input_type"]),
        ("light", 2, 2, 100, []),
        ("light", 2, 2, 0, ["action_input_range"]),
        ("light", 2, 2, 101, ["action_input_range"]),
        ("light", 2, 2, 50.5, ["action_input_type"]),
        ("light", 2, 2, True, ["action_input_type"]),
        ("light", 2, 2, [50], ["action_input_type"]),
        ("light", 2, 2, float("nan"), ["action_input_type"]),
        ("light", 2, 2, 10**400, ["unsafe_integer"]),
        ("light", 2, 7, 4, []),
        ("light", 2, 7, 6, ["action_input_enum"]),
        ("light", 2, 7, "4", ["action_input_type"]),
        ("speaker_stepped", 3, 1, 36, []),
        ("speaker_stepped", 3, 1, 7, ["action_input_range"]),
        ("air_conditioner", 2, 4, 25.5, []),
        ("air_conditioner", 2, 4, 25.3, ["action_input_range"]),
        ("odd", 2, 5, "文字", []),
        ("odd", 2, 5, 5, ["action_input_type"]),
        ("odd", 2, 6, 16.7, []),
    ],
)
def test_a_literal_that_is_written_fits_the_property(
    did: str, siid: int, piid: int, value: Any, codes: list[str]
) -> None:
    assert found("deviceOutput", did, {"siid": siid, "piid": piid, "value": value}) == codes


def test_a_number_for_a_switch_is_a_warning_with_a_fix() -> None:
    lamp = {"siid": 2, "piid": 1, "value": 1}
    assert one("deviceOutput", "light", lamp).level is Level.WARN
    assert fixed("deviceOutput", "light", lamp)["value"] is True


VARIABLE = {"scope": "global", "id": "num", "dtype": "number"}


@pytest.mark.parametrize(
    ("did", "piid", "given", "codes"),
    [
        ("light", 2, {**VARIABLE, "min": 1, "max": 100, "step": 1}, []),
        ("light", 2, {**VARIABLE, "min": 1.0, "max": 100, "step": 1}, []),
        ("light", 2, {**VARIABLE, "min": 0, "max": 100, "step": 1}, ["range_mismatch"]),
        ("light", 2, VARIABLE, ["range_mismatch"]),
        ("light", 2, {**VARIABLE, "dtype": "string"}, ["dtype_mismatch"]),
        ("light", 2, {"scope": "global", "id": "num"}, ["incomplete_variable_reference"]),
        ("light", 2, {"dtype": "number"}, ["incomplete_variable_reference"]),
        ("light", 2, {"scope": "global", "id": "", "dtype": "number"}, ["incomplete_variable_reference"]),
        ("light", 2, {}, []),
        ("light", 1, {**VARIABLE, "dtype": "boolean"}, ["dynamic_bool_or_enum"]),
        ("light", 7, VARIABLE, ["dynamic_bool_or_enum"]),
        ("odd", 3, {**VARIABLE, "min": 0, "max": 9, "step": 1}, ["dynamic_no_range"]),
        ("odd", 5, {**VARIABLE, "dtype": "string"}, []),
        ("odd", 6, {**VARIABLE, "min": 16, "max": 31, "step": 0.1}, []),
        ("odd", 1, VARIABLE, ["spec_range_invalid"]),
    ],
)
def test_a_variable_that_is_written_fits_the_property(
    did: str, piid: int, given: dict[str, Any], codes: list[str]
) -> None:
    assert found("deviceOutput", did, {"siid": 2, "piid": piid, **given}) == codes


def test_the_range_of_a_variable_is_put_right() -> None:
    changed = fixed("deviceOutput", "odd", {"siid": 2, "piid": 6, **VARIABLE, "min": 0, "max": 1, "step": 1})
    assert (changed["min"], changed["max"], changed["step"]) == (16, 31, 0.1)


TEXT, QUIET = {"piid": 1, "value": "打开投影"}, {"piid": 2, "value": True}


@pytest.mark.parametrize(
    ("ins", "codes"),
    [
        ([TEXT, QUIET], []),
        (..., ["missing_action_input", "missing_action_input"]),
        ("x", ["missing_action_input", "missing_action_input"]),
        ([TEXT], ["missing_action_input"]),
        ([QUIET, TEXT], ["action_input_order"]),
        ([TEXT, TEXT, QUIET], ["action_input_duplicate"]),
        ([TEXT, QUIET, {"piid": 9, "value": 1}], ["unknown_action_input"]),
        ([TEXT, QUIET, {"value": 1}], ["unknown_action_input"]),
        ([TEXT, "静默", QUIET], ["invalid_action_input"]),
        ([{"piid": 1, "value": 5}, QUIET], ["action_input_type"]),
        ([TEXT, {"piid": 2, "value": 1}], ["literal_number_for_bool"]),
        ([TEXT, {"piid": 2}], []),
        ([{"piid": 1, **VARIABLE}, QUIET], ["action_input_type"]),
        ([{"piid": 1, "scope": "global", "id": "txt", "dtype": "string"}, QUIET], []),
        ([{"piid": 1, "scope": "global", "id": "txt"}, QUIET], ["incomplete_variable_reference"]),
        ([TEXT, {"piid": 2, **VARIABLE}], ["dynamic_bool_or_enum"]),
    ],
)
def test_the_inputs_of_an_action(ins: Any, codes: list[str]) -> None:
    given = {} if ins is ... else {"ins": ins}
    assert found("deviceOutput", "speaker", {"siid": 7, "aiid": 4, **given}) == codes


def test_inputs_that_are_all_there_are_put_in_order() -> None:
    assert fixed("deviceOutput", "speaker", {"siid": 7, "aiid": 4, "ins": [QUIET, TEXT]})["ins"] == [TEXT, QUIET]


def test_an_input_from_a_list_is_a_plain_value() -> None:
    told = {"piid": 1, "value": "播放"}
    assert (
        found("deviceOutput", "speaker_stepped", {"siid": 5, "aiid": 5, "ins": [told, {"piid": 2, "value": 1}]}) == []
    )
    wrong = {"siid": 5, "aiid": 5, "ins": [told, {"piid": 2, "value": 5}]}
    assert found("deviceOutput", "speaker_stepped", wrong) == ["action_input_enum"]


def test_an_input_that_the_specification_does_not_describe_is_taken_as_it_is() -> None:
    ins = [{"piid": 3, "value": 1}, {"piid": 6, "value": 16.55}, {"piid": 99, "value": "?"}]
    assert found("deviceOutput", "odd", {"siid": 2, "aiid": 1, "ins": ins}) == ["action_input_range"]


# Events


def filtered(piid: Any, operator: Any = ..., *operands: Any, dtype: Any = "int") -> dict[str, Any]:
    named = {"piid": piid, **({} if dtype is ... else {"dtype": dtype})}
    return (
        named if operator is ... else {**named, "operator": operator, **dict(zip(("v1", "v2"), operands, strict=False))}
    )


@pytest.mark.parametrize(
    ("did", "eiid", "arguments", "codes"),
    [
        ("remote_double", 1012, [], []),
        ("remote_double", 1012, "none", []),
        ("remote_double", 1012, [filtered(2)], []),
        ("remote_double", 1012, [filtered(2, dtype=...)], []),
        ("remote_double", 1012, [filtered(2, "=", 1)], []),
        ("remote_double", 1012, [filtered(2, "include", [0, 1])], []),
        ("remote_double", 1012, [filtered(2, "=", 8)], ["event_argument_filter_list"]),
        ("remote_double", 1012, [filtered(2, "include", [])], ["include_empty"]),
        ("remote_double", 1012, [filtered(2, "~", 1)], ["event_argument_filter_operator"]),
        ("remote_double", 1012, [filtered(2, 5, 1)], ["event_argument_filter_operator"]),
        ("remote_double", 1012, [filtered(9, "=", 1)], ["event_argument_filter_unknown"]),
        ("remote_double", 1012, [filtered("2", "=", 1)], ["event_argument_filter_unknown"]),
        ("remote_double", 1012, ["2"], ["event_argument_filter_invalid"]),
        ("remote_double", 1012, [filtered(2, "=", "1")], ["event_argument_filter_type"]),
        ("remote_double", 1012, [filtered(2, "=", 1, dtype="string")], ["event_argument_filter_dtype"]),
        ("motion_sensor_listed", 1, [filtered(1, ">", 50, dtype="float")], []),
        ("motion_sensor_listed", 1, [filtered(1, "=", 50, dtype="float")], ["event_argument_filter_operator"]),
        ("motion_sensor_listed", 1, [filtered(1, ">", 90000, dtype="float")], ["event_argument_filter_range"]),
        ("motion_sensor_listed", 1, [filtered(1, "between", 9, 5, dtype="float")], ["event_argument_filter_order"]),
        ("motion_sensor_listed", 1, [filtered(1, "between", 9, dtype="float")], ["event_argument_filter_between"]),
    ],
)
def test_filters_on_the_arguments_of_an_event(did: str, eiid: int, arguments: Any, codes: list[str]) -> None:
    assert found("deviceInput", did, {"siid": 2, "eiid": eiid, "arguments": arguments}) == codes


def kept(piid: Any, **changed: Any) -> dict[str, Any]:
    given = {"piid": piid, "dtype": "number", "scope": "global", "id": "num", **changed}
    return {name: value for name, value in given.items() if value is not ...}


@pytest.mark.parametrize(
    ("arguments", "codes"),
    [
        ([kept(2), kept(5)], []),
        ([], []),
        (..., ["missing_event_arguments"]),
        ({}, ["missing_event_arguments"]),
        ([5], ["invalid_event_argument"]),
        ([kept(4)], ["unknown_event_argument"]),
        ([kept("5")], ["unknown_event_argument"]),
        ([kept(5), kept(5)], ["duplicate_event_argument"]),
        ([kept(5, id=...)], ["missing_event_argument_variable"]),
        ([kept(5, scope="")], ["missing_event_argument_variable"]),
        ([kept(5, dtype="string")], ["event_argument_type"]),
        ([kept(5, dtype=...)], ["event_argument_type"]),
    ],
)
def test_arguments_of_an_event_that_are_kept(arguments: Any, codes: list[str]) -> None:
    given = {} if arguments is ... else {"arguments": arguments}
    assert found("deviceInputSetVar", "lock", {"siid": 2, "eiid": 1020, **given}) == codes


# Messages and bounds


def test_a_message_names_the_device_its_room_and_the_property() -> None:
    told = one("deviceOutput", "light", {"siid": 2, "piid": 2, "value": 150})
    assert told.text() == "设备「客厅 我的light」的「亮度 2.2」不能写 150。可取：1, 2 … 100"
    listed = one("deviceInput", "occupancy_sensor", compared(2, 1, "int", "=", 1))
    assert "0 无人, 1 有人" in listed.text()
    denied = one("deviceOutput", "curtain", {"siid": 2, "piid": 3, "value": 50})
    assert denied.text() == "设备「客厅 我的curtain」的「当前位置 2.3」不支持写入，不能这样用"
    assert "writing" in denied.text("en")


def test_a_member_that_is_not_there_is_answered_with_those_that_are() -> None:
    assert "开关 2.1, 亮度 2.2" in one("deviceOutput", "light", {"siid": 2, "piid": 88, "value": 1}).text()
    assert "2.1012" in one("deviceInput", "remote_double", {"siid": 2, "eiid": 9}).text()
    assert "7.4" in one("deviceOutput", "speaker", {"siid": 7, "aiid": 9}).text()
    assert "—" in one("deviceInput", "light", {"siid": 2, "eiid": 9}).text()


@pytest.mark.parametrize(
    ("did", "siid", "piid", "said"),
    [("curtain", 2, 1, "无从得知"), ("lock", 2, 5, "2.1020"), ("light", 1, 1, "循环"), ("motion_sensor", 1, 1, "；")],
)
def test_a_property_that_is_not_reported_is_heard_of_otherwise(did: str, siid: int, piid: int, said: str) -> None:
    cards = rule(node("n1", "deviceInputSetVar", {"did": did, "siid": siid, "piid": piid, "dtype": "string"}))
    hints = [each.text() for each in check_capability(cards, HOME) if each.level is Level.INFO]
    assert len(hints) == 1
    assert said in hints[0]


def test_a_room_that_the_name_says_already_is_not_said_twice() -> None:
    known = home_of([("devices.json", json.dumps({"1": {"urn": None, "name": "客厅主灯", "room": "客厅"}}).encode())])
    (only,) = check_capability(rule(node("n1", "deviceOutput", {"did": "1"})), known)
    assert "「客厅主灯」" in only.text()


def test_a_card_has_so_many_findings_at_most() -> None:
    card = node("n1", "deviceInputSetVar", {"did": "lock", "siid": 2, "eiid": 1020, "arguments": [1] * 10_000})
    assert len(check_capability(rule(card), HOME)) == MOST_FINDINGS


SOUND = {
    "id": RULE,
    "nodes": [
        node("a", "deviceInput", {"did": "occupancy_sensor", **compared(2, 2, "int", "between", 20, 80)}),
        node("b", "deviceInput", {"did": "remote_double", "siid": 2, "eiid": 1012, "arguments": [filtered(2, "=", 1)]}),
        node("c", "deviceInputSetVar", {"did": "lock", "siid": 2, "eiid": 1020, "arguments": [kept(2)]}),
        node("d", "deviceOutput", {"did": "speaker", "siid": 7, "aiid": 4, "ins": [TEXT, QUIET]}),
        node("e", "deviceOutput", {"did": "light", "siid": 2, "piid": 2, **VARIABLE, "min": 1, "max": 100, "step": 1}),
        node("f", "deviceGet", {"did": "odd", **compared(2, 4, "int", "include", [0, 1])}),
        node("g", "varSetNumber", {"scope": f"R{RULE}", "id": "used", "elements": [{"type": "const", "value": "1"}]}),
        node("h", "varGet", {"scope": "global", "id": "num", "varType": "number", "operator": ">", "v1": 1}),
    ],
    "cfg": {"id": RULE, "enable": True, "uiType": "graph", "userData": {"name": "规则"}},
}
"""A sound rule with every kind of card that is checked here, but for a local variable that no card uses."""
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**250, -(10**45), 2**53, 0, 2, 1e300, -0.0])
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from([*DEVICES, "include", "between", "=", "number", "global", "\ud800", "{x}", "\n"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["piid", "value", "id"]), inner),
    max_leaves=5,
)
WHOLE = home()


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for step, inner in steps for place in places(inner, (*path, step)))][0 if path else 1 :]


def changed_at(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    step, *rest = path
    if isinstance(value, list):
        return [changed_at(each, tuple(rest), new) if at == step else each for at, each in enumerate(value)]
    kept_on = {name: each for name, each in value.items() if name != step or rest or new is not ...}
    return {name: changed_at(each, tuple(rest), new) if name == step else each for name, each in kept_on.items()}


PLACES = places(SOUND)


def test_the_sound_rule_is_sound() -> None:
    (only,) = check_capability(rule_from(SOUND), WHOLE)
    assert only.code == "unused_local_variable"


@given(st.lists(st.tuples(st.sampled_from(PLACES), VALUES), min_size=1, max_size=3))
@settings(max_examples=400, deadline=None)
def test_no_rule_of_any_shape_is_too_much(changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    raw: Any = SOUND
    for path, value in changes:
        if path in places(raw):
            raw = changed_at(raw, path, value)
    try:
        asked = rule_from(raw)
    except ZhixingError:
        return
    for each in (*(told := verdict(check_capability(asked, WHOLE))).errors, *told.warnings):
        for language in LANGUAGES:
            text = each.text(language)
            assert text.isprintable()
            assert len(text) < 1_000


def test_the_packaged_specifications_are_those_of_the_home() -> None:
    assert set(HOME.specs) == {URNS[name] for name in SAMPLES} | {odd_spec()["type"]}


def test_fixes_inside_lists_say_where() -> None:
    (fix,) = one("deviceOutput", "speaker", {"siid": 7, "aiid": 4, "ins": [TEXT, {"piid": 2, "value": 1}]}).fixes
    assert (fix.path, fix.value) == (("props", "ins", "1", "value"), True)
    listened = {"siid": 2, "eiid": 1020, "arguments": [kept(2), kept(5, dtype="string")]}
    (fix,) = one("deviceInputSetVar", "lock", listened).fixes
    assert (fix.path, fix.value) == (("props", "arguments", "1", "dtype"), "number")
    heard = {"siid": 2, "eiid": 1012, "arguments": [filtered(2, "=", 1, dtype="string")]}
    (fix,) = one("deviceInput", "remote_double", heard).fixes
    assert (fix.path, fix.value) == (("props", "arguments", "0", "dtype"), "int")


def test_errors_and_warnings_of_a_card_are_bounded_apart() -> None:
    ins = [{"piid": 2, "value": 1}] * (2 * MOST_FINDINGS)
    card = node("n1", "deviceOutput", {"did": "speaker", "siid": 7, "aiid": 4, "ins": ins})
    levels = [each.level for each in check_capability(rule(card), HOME)]
    assert levels == [Level.ERROR] * MOST_FINDINGS + [Level.WARN] * MOST_FINDINGS


def test_in_a_card_that_is_wrong_all_over_nothing_more_is_looked_for() -> None:
    ins = [5] * MOST_SOUGHT + [TEXT, {"piid": 2, "value": 1}]
    card = node("n1", "deviceOutput", {"did": "speaker", "siid": 7, "aiid": 4, "ins": ins})
    levels = [each.level for each in check_capability(rule(card), HOME)]
    assert levels == [Level.ERROR] * MOST_FINDINGS


def test_a_value_that_an_include_names_often_is_told_once() -> None:
    assert found("deviceInput", "occupancy_sensor", compared(2, 1, "int", "include", [9, 9, 0, 9])) == ["enum_value"]
    assert (
        found("deviceInput", "occupancy_sensor", compared(2, 1, "int", "include", [True, 1, [9], [9]]))
        == ["enum_value"] * 3
    )


def test_a_rule_that_is_wrong_everywhere_is_not_checked_to_its_end() -> None:
    cards = [
        node(f"n{at}", "deviceOutput", {"did": "light", "siid": 2, "piid": 88, "value": 1})
        for at in range(MOST_ERRORS + 5)
    ]
    *errors, last = check_capability(rule(*cards), HOME)
    assert len(errors) == MOST_ERRORS
    assert (last.code, last.level, last.values["count"]) == ("cards_unchecked", Level.INFO, 5)
