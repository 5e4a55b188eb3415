"""The life of a variable: made, read, set, renamed, deleted, and what is refused on the way (mijia §4.1)."""

from __future__ import annotations

import math

import pytest
from tests.graphs.hubs.hub_home import HALL, OTHER, hub, start, writes

from zhixing.graphs.hubs.new_variables import new_variable
from zhixing.graphs.hubs.scopes import checked_scope
from zhixing.graphs.hubs.variables import Variables
from zhixing.kernel.errors import BadInput, Conflict, NotFound, Unavailable
from zhixing.world.hub.memory import Fault
from zhixing.world.hub.port import Method, Unconfirmed

OWN = f"R{OTHER}"
SCORE = new_variable("score", "number", 1, "得分", "global")


def test_a_variable_goes_through_its_whole_life() -> None:
    """G-2.8."""
    given = hub()
    variables = Variables(given)
    variables.create(SCORE)
    assert variables.config("global", "score").name == "得分"
    assert variables.set("global", "score", 2.5).value == 2.5
    assert variables.value("global", "score") == 2.5
    assert variables.rename("global", "score", "总分").name == "总分"
    assert [each.name for each in variables.listed("global")] == ["看见", "词", "总分"]
    variables.delete("global", "score")
    with pytest.raises(NotFound):
        variables.value("global", "score")


def test_the_name_goes_where_the_editor_looks_for_it_even_when_none_is_given() -> None:
    """G-2.6."""
    given = hub()
    Variables(given).create(new_variable("plain", "string", "", scope="global"))
    assert given.calls[-1][1] == {
        "scope": "global", "id": "plain", "type": "string", "value": "", "userData": {"name": "plain"}
    }  # fmt: skip


def test_renaming_leaves_the_rest_of_the_editors_data() -> None:
    given = hub()
    Variables(given).rename(OWN, "times", "回数")
    assert given.state.variables[OWN]["times"].user_data == {"name": "回数", "icon": "star"}


@pytest.mark.parametrize("id_", ["", "a_b", "a-b", "变量", "a b", "a" * 65, "é"])
def test_an_id_has_letters_and_digits_only(id_: str) -> None:
    """G-2.4."""
    with pytest.raises(BadInput):
        new_variable(id_, "number", 0)


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        ("number", "1"), ("number", True), ("number", None), ("number", math.nan), ("number", math.inf),
        ("number", 10**400), ("string", 1), ("string", None), ("string", "a" * 10_001), ("string", "\ud83d"),
        ("boolean", True), ("int", 1), ("", ""),
    ],
)  # fmt: skip
def test_a_value_fits_its_type(type_: str, value: object) -> None:
    """G-2.5."""
    with pytest.raises(BadInput):
        new_variable("a", type_, value)


@pytest.mark.parametrize(
    ("scope", "said"),
    [
        ("rule", "R 加"), ("Rgraph_1764550800001", "R1764550800001"), ("1764550800001", "R1764550800001"),
        ("graph_1764550800001", "R1764550800001"), ("", "global"), ("Global", "global"), ("R", "global"),
        ("R12x", "R12x"),
    ],
)  # fmt: skip
def test_a_scope_that_is_none_is_refused_with_the_right_form(scope: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        checked_scope(scope)


def test_an_id_that_is_there_is_refused() -> None:
    """G-2.3."""
    given = hub()
    with pytest.raises(Conflict, match="seen"):
        Variables(given).create(new_variable("seen", "string", "", scope="global"))
    assert writes(given) == []


def test_a_scope_without_its_rule_is_refused() -> None:
    given = hub()
    with pytest.raises(NotFound, match="R1600000000000"):
        Variables(given).create(new_variable("a", "number", 0, scope="R1600000000000"))
    assert Variables(given).create(new_variable("a", "number", 0, scope=f"R{HALL}")).scope == f"R{HALL}"


def test_setting_what_is_not_there_says_to_make_it_first() -> None:
    """G-2.3."""
    given = hub()
    with pytest.raises(NotFound, match="新建"):
        Variables(given).set("global", "nothing", 1)
    with pytest.raises(NotFound):
        Variables(given).set(f"R{HALL}", "nothing", 1)
    assert writes(given) == []


def test_a_value_of_another_type_is_not_set() -> None:
    """G-2.5."""
    given = hub()
    with pytest.raises(BadInput, match="word"):
        Variables(given).set("global", "word", 1)
    assert writes(given) == []


def test_where_a_variable_is_used_is_told_by_rule_and_card() -> None:
    usage = Variables(hub()).uses("global", "seen")
    assert usage.complete
    assert [(place.rule, place.rule_name, place.node) for place in usage.places] == [(OTHER, "计数", "count")]


def test_a_card_of_a_type_nobody_knows_uses_what_it_names() -> None:
    given = hub()
    future = {**start(), "id": "future", "type": "weatherSetVar", "props": {"to": [{"scope": "global", "id": "word"}]}}
    given.state.graphs[HALL].nodes.append(future)
    with pytest.raises(Conflict, match="楼道灯"):
        Variables(given).delete("global", "word")


def test_a_variable_in_use_is_not_deleted() -> None:
    """G-2.7."""
    given = hub()
    with pytest.raises(Conflict, match="计数"):
        Variables(given).delete(OWN, "times")
    assert writes(given) == []


@pytest.mark.parametrize("fault", [Fault.CALL_LOST, Fault.UNREACHABLE])
def test_when_a_rule_cannot_be_read_nothing_is_deleted(fault: Fault) -> None:
    """G-2.7."""
    given = hub()
    given.inject(fault, Method.GET_GRAPH)
    with pytest.raises(Conflict, match="不知道"):
        Variables(given).delete("global", "word")
    assert writes(given) == []


def test_a_write_whose_answer_was_lost_is_found_to_be_done() -> None:
    given = hub()
    variables = Variables(given)
    for method in (
        Method.CREATE_VARIABLE,
        Method.SET_VARIABLE_VALUE,
        Method.SET_VARIABLE_CONFIG,
        Method.DELETE_VARIABLE,
    ):
        given.inject(Fault.ANSWER_LOST, method)
    variables.create(SCORE)
    variables.set("global", "score", 5)
    variables.rename("global", "score", "总分")
    variables.delete("global", "score")
    assert len(writes(given)) == 4
    assert "score" not in given.state.variables["global"]


@pytest.mark.parametrize(
    ("method", "act"),
    [
        (Method.CREATE_VARIABLE, lambda variables: variables.create(SCORE)),
        (Method.SET_VARIABLE_CONFIG, lambda variables: variables.rename("global", "word", "字")),
        (Method.DELETE_VARIABLE, lambda variables: variables.delete("global", "word")),
    ],
)
def test_a_write_that_never_arrived_is_told_and_not_repeated(method: Method, act) -> None:
    given = hub()
    given.inject(Fault.CALL_LOST, method)
    with pytest.raises(Unavailable, match="没有改成") as told:
        act(Variables(given))
    assert not isinstance(told.value, Unconfirmed)
    assert writes(given) == [method]


def test_a_value_that_reads_otherwise_proves_nothing_as_a_rule_may_have_set_it_back() -> None:
    given = hub()
    given.inject(Fault.CALL_LOST, Method.SET_VARIABLE_VALUE)
    with pytest.raises(Unconfirmed, match="还不知道"):
        Variables(given).set("global", "seen", 3)
    assert writes(given) == [Method.SET_VARIABLE_VALUE]
