"""Variables of a rule against those of the home: each must exist and be of the type that is asked."""

from __future__ import annotations

from typing import Any

import pytest
from tests.graphs.checks.capability_home import RULE, VARIABLES, home, node, rule

from zhixing.graphs.checks.finding import GRAPH, Level
from zhixing.graphs.checks.variables import Use, check_variables, uses_of
from zhixing.graphs.specs.model import Dtype

LOCAL = f"R{RULE}"
HOME = home(variables={"global": VARIABLES["global"], "R1764000000009": VARIABLES["R1764000000009"]})
NUM, TXT, NONE = ({"scope": "global", "id": each} for each in ("num", "txt", "none"))


def codes(kind: str, props: dict[str, Any]) -> list[str]:
    return [each.code for each in check_variables(rule(node("n1", kind, props)), HOME)]


def elements(*variables: dict[str, Any]) -> dict[str, Any]:
    return {"elements": [{"type": "const", "value": "1"}, *({"type": "var", **each} for each in variables)]}


@pytest.mark.parametrize(
    ("kind", "props", "expected"),
    [
        ("varSetNumber", {**NUM, **elements(NUM)}, []),
        ("varSetNumber", {**TXT, **elements()}, ["variable_type_mismatch"]),
        ("varSetNumber", {**NUM, **elements(TXT)}, ["variable_type_mismatch"]),
        ("varSetNumber", {**NUM, **elements(NONE)}, ["unknown_variable"]),
        ("varSetString", {**TXT, **elements(NUM, TXT)}, []),
        ("varSetString", {**NUM, **elements()}, ["variable_type_mismatch"]),
        ("varSetString", {**TXT, **elements(NONE)}, ["unknown_variable"]),
        ("varGet", {**NUM, "varType": "number"}, []),
        ("varGet", {**NUM, "varType": "string"}, ["variable_type_mismatch"]),
        ("varGet", {**NUM, "varType": "bool"}, []),
        ("varGet", {**NONE, "varType": "number"}, ["unknown_variable"]),
        ("varGet", {"scope": "R1", "id": "num", "varType": "number"}, ["unknown_variable"]),
        ("varGet", {"scope": "rule", "id": "num", "varType": "number"}, []),
        ("varGet", {"scope": 5, "id": None}, []),
        ("varChange", {**TXT, "varType": "string"}, []),
        ("varChange", {**TXT, "varType": "number"}, ["variable_type_mismatch"]),
        ("deviceGetSetVar", {**NUM, "dtype": "boolean"}, []),
        ("deviceGetSetVar", {**TXT, "dtype": "boolean"}, ["variable_type_mismatch"]),
        ("deviceInputSetVar", {**NUM, "dtype": "string"}, ["variable_type_mismatch"]),
        ("deviceInputSetVar", {"arguments": [{**NUM, "dtype": "number"}, {**NONE}, 7]}, ["unknown_variable"]),
        ("deviceOutput", {**NUM, "dtype": "number"}, []),
        ("deviceOutput", {**TXT, "dtype": "number"}, ["variable_type_mismatch"]),
        ("deviceOutput", {**NONE, "dtype": "number", "value": 1}, []),
        ("deviceOutput", {"ins": [{**TXT, "dtype": "string"}, {**NONE, "dtype": "string"}]}, ["unknown_variable"]),
        ("deviceOutput", {"ins": "x"}, []),
        ("varSetNumber", {**NUM, "elements": None}, []),
        ("delay", {**NONE}, []),
    ],
)
def test_every_place_that_names_a_variable(kind: str, props: dict[str, Any], expected: list[str]) -> None:
    assert codes(kind, props) == expected


def test_nothing_is_said_where_the_variables_are_not_known() -> None:
    assert check_variables(rule(node("n1", "varGet", NONE)), home(variables=...)) == ()


def test_a_scope_that_cannot_be_read_is_told_once_and_its_variables_are_not_unknown() -> None:
    lost = {"scope": "R1764000000009", "varType": "number"}
    asked = rule(node("n1", "varGet", {**lost, "id": "a"}), node("n2", "varGet", {**lost, "id": "b"}))
    (only,) = check_variables(asked, HOME)
    assert (only.code, only.level, only.node) == ("variable_scope_unavailable", Level.ERROR, GRAPH)
    assert only.text() == "读不到作用域 R1764000000009 里的变量：timeout"


def test_a_local_variable_that_no_card_uses_is_a_warning() -> None:
    known = home(variables={LOCAL: VARIABLES[LOCAL], "R1764000000002": VARIABLES[LOCAL]})
    used = node("n1", "varGet", {"scope": LOCAL, "id": "used", "varType": "number"})
    (only,) = check_variables(rule(used), known)
    assert (only.code, only.level) == ("unused_local_variable", Level.WARN)
    assert f"{LOCAL}.left" in only.text()
    foreign = node("n1", "varGet", {"scope": "R1764000000002", "id": "left", "varType": "number"})
    assert [each.code for each in check_variables(rule(foreign), known)] == ["unused_local_variable"] * 2


def test_globals_that_no_card_uses_belong_to_others() -> None:
    assert check_variables(rule(), HOME) == ()


def test_a_message_names_the_variable_as_people_and_rules_do() -> None:
    (only,) = check_variables(rule(node("n1", "varGet", {**NUM, "varType": "string"})), HOME)
    assert only.text() == "变量「设定温度 (global.num)」是数值，这里要的是文字"


def test_uses_are_listed_for_who_asks_where_a_variable_is() -> None:
    asked = rule(node("n1", "varSetString", {**TXT, **elements(NUM)}))
    assert uses_of(asked) == (Use("n1", "global", "txt", Dtype.STRING), Use("n1", "global", "num", None))
