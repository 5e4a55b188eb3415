"""A new rule on a hub: what is written, what is not, and what is left when something goes wrong (mijia §4.3)."""

from __future__ import annotations

import pytest
from tests.graphs.hubs.hub_home import (
    HALL,
    MS,
    OTHER,
    clock,
    count,
    home,
    hub,
    lamp,
    nodes,
    rule_in,
    start,
    wait,
    writes,
)

from zhixing.graphs.hubs.creating import NewRule, Start, choose_id, create_rule
from zhixing.graphs.hubs.new_variables import NewVariable, new_variable
from zhixing.graphs.hubs.outcomes import InvalidRule, Outcome
from zhixing.kernel.errors import BadInput, Conflict, Unavailable
from zhixing.world.hub.memory import Fault, MemoryHub
from zhixing.world.hub.port import HubRefused, Method
from zhixing.world.hub.state import Graph

ID = str(MS)
OWN = f"R{ID}"
TIMES = NewVariable("times", new_variable("times", "number", 0).type, 0, "次数")
PLAIN = NewRule("开灯", nodes(start("lamp.trigger"), lamp()))
COUNTING = NewRule("数一数", nodes(start("count.input"), count("rule"), lamp()), (TIMES,))


def test_a_rule_is_written_with_places_and_read_back() -> None:
    """G-5.4, G-9.8."""
    given = hub()
    created = create_rule(given, PLAIN, home(), clock())
    held = rule_in(given, created.id)
    assert (created.id, created.outcome, created.start) == (ID, Outcome.APPLIED, Start.FRESH)
    assert writes(given) == [Method.SET_GRAPH]
    assert (held.name, held.enabled, held.cfg["uiType"], held.cfg["id"]) == ("开灯", True, "graph", ID)
    left, right = (node.position for node in held.nodes)
    assert left is not None
    assert right is not None
    assert left.x + left.width < right.x


def test_the_id_is_thirteen_digits_that_neither_a_rule_nor_a_scope_has() -> None:
    given = hub()
    given.state.graphs[f"graph_{MS}"] = Graph([], enable=False, ui_type="test", user_data={})
    given.state.variables[f"R{MS + 1}"] = dict(given.state.variables["global"])
    assert choose_id(given, clock()) == str(MS + 2)


def test_variables_are_made_between_a_shell_that_is_off_and_the_rule() -> None:
    """G-3.3."""
    given = hub()
    created = create_rule(given, COUNTING, home(), clock())
    assert created.outcome is Outcome.APPLIED
    assert writes(given) == [Method.SET_GRAPH, Method.CREATE_VARIABLE, Method.SET_GRAPH]
    shell = next(params for method, params in given.calls if method is Method.SET_GRAPH)
    assert [(node["id"], node["type"]) for node in shell["nodes"]] == [("setup", "onLoad")]
    assert shell["cfg"]["enable"] is False
    made = given.state.variables[OWN]["times"]
    assert (made.type, made.value, made.user_data) == ("number", 0, {"name": "次数"})
    props = rule_in(given, ID).nodes[1].props
    assert (props["scope"], props["elements"][0]["scope"]) == (OWN, OWN)


def test_timers_show_what_they_run() -> None:
    given = hub()
    create_rule(
        given, NewRule("等", nodes(start("wait.input"), wait(120_000, "lamp.trigger"), lamp())), home(), clock()
    )
    cfg = rule_in(given, ID).nodes[1].cfg
    assert (cfg["unit"], cfg["value"]) == ("min", 2)


@pytest.mark.parametrize(
    ("new", "code"),
    [
        (NewRule("断线", nodes(start("nowhere.trigger"), lamp())), "target_not_found"),
        (NewRule("没有变量", nodes(start("count.input"), count("rule"), lamp())), "unknown_variable"),
        (NewRule("抄来的", nodes(start("count.input"), count("R1600000000000"), lamp())), "scope_foreign"),
        (NewRule("别家的灯", nodes(start("lamp.trigger"), lamp(did="elsewhere"))), "unknown_device"),
        (NewRule("旧作用域", nodes(start("count.input"), count(f"Rgraph_{MS}"), lamp())), "scope_foreign"),
    ],
)
def test_a_rule_with_errors_is_not_written(new: NewRule, code: str) -> None:
    """G-9.7."""
    given = hub()
    with pytest.raises(InvalidRule) as refused:
        create_rule(given, new, home(), clock())
    assert code in {each.code for each in refused.value.verdict.errors}
    assert str(len(refused.value.verdict.errors)) in str(refused.value)
    assert writes(given) == []


@pytest.mark.parametrize(
    ("variable", "refusal"),
    [
        (NewVariable("seen", TIMES.type, 0, scope="global"), Conflict),
        (NewVariable("times", TIMES.type, 0, scope=f"R{OTHER}"), BadInput),
    ],
)
def test_a_variable_that_is_there_or_of_another_rule_is_refused(
    variable: NewVariable, refusal: type[Exception]
) -> None:
    given = hub()
    with pytest.raises(refusal):
        create_rule(given, NewRule("开灯", PLAIN.nodes, (variable,)), home(), clock())
    assert writes(given) == []


def _is_as_before(given: MemoryHub) -> bool:
    return given.state.graphs == hub().state.graphs and given.state.variables == hub().state.variables


@pytest.mark.parametrize("fault", [Fault.CALL_LOST, Fault.UNREACHABLE])
@pytest.mark.parametrize("which", [1, 2, 3])
def test_when_a_write_fails_everything_is_taken_away_again(fault: Fault, which: int) -> None:
    given = _Failing(fault, which)
    with pytest.raises(Unavailable):
        create_rule(given, COUNTING, home(), clock())
    assert _is_as_before(given)


def test_when_the_hub_refuses_the_rule_everything_is_taken_away_again() -> None:
    given = _Refusing(hub().state)
    with pytest.raises(HubRefused):
        create_rule(given, COUNTING, home(), clock())
    assert writes(given)[:2] == [Method.SET_GRAPH, Method.CREATE_VARIABLE]
    assert _is_as_before(given)


def test_a_shared_variable_that_was_made_for_the_rule_goes_with_it_and_no_other_does() -> None:
    given = _Refusing(hub().state)
    shared = NewVariable("total", TIMES.type, 0, scope="global")
    with pytest.raises(HubRefused):
        create_rule(given, NewRule("数一数", COUNTING.nodes, (TIMES, shared)), home(), clock())
    assert Method.CREATE_VARIABLE in writes(given)
    assert _is_as_before(given)


@pytest.mark.parametrize("which", [1, 2, 3])
def test_a_lost_answer_is_read_back_and_nothing_is_written_twice(which: int) -> None:
    given = _Failing(Fault.ANSWER_LOST, which)
    assert create_rule(given, COUNTING, home(), clock()).outcome is Outcome.APPLIED
    assert writes(given) == [Method.SET_GRAPH, Method.CREATE_VARIABLE, Method.SET_GRAPH]


def test_when_even_the_look_fails_it_is_unknown_and_asking_again_goes_on() -> None:
    given = hub()
    new = NewRule(COUNTING.name, COUNTING.nodes, COUNTING.variables, id=ID)
    blind = _Blind(given.state)
    assert create_rule(blind, new, home(), clock()).outcome is Outcome.UNKNOWN
    again = create_rule(given, new, home(), clock())
    assert (again.start, again.outcome) == (Start.SHELL, Outcome.APPLIED)
    assert rule_in(given, ID).enabled


def test_a_rule_that_is_there_already_is_not_written_again() -> None:
    given = hub()
    new = NewRule(COUNTING.name, COUNTING.nodes, COUNTING.variables, id=ID)
    create_rule(given, new, home(), clock())
    given.calls.clear()
    del given.state.devices["lamp1"]
    given.state.graphs[ID].user_data["name"] = "新名字"
    again = create_rule(given, new, home(), clock())
    assert (again.start, again.outcome, writes(given)) == (Start.DONE, Outcome.APPLIED, [])


def test_another_rule_under_the_id_is_left_alone() -> None:
    given = hub()
    with pytest.raises(Conflict, match="楼道灯"):
        create_rule(given, NewRule("开灯", PLAIN.nodes, id=HALL), home(), clock())
    assert _is_as_before(given)


def test_variables_stay_when_the_rule_is_not_seen_to_be_gone() -> None:
    given = hub()
    given.inject(Fault.CALL_LOST, Method.CREATE_VARIABLE)
    given.inject(Fault.CALL_LOST, Method.DELETE_GRAPH)
    with pytest.raises(Unavailable, match=OWN):
        create_rule(given, COUNTING, home(), clock())
    assert ID in given.state.graphs


class _Failing(MemoryHub):
    """A hub where the n-th write goes wrong."""

    def __init__(self, fault: Fault, which: int) -> None:
        super().__init__(hub().state)
        self._what, self._which = fault, which

    def call(self, method, params, *, seconds=10.0):
        if len(writes(self)) + 1 == self._which and method in WRITES_OF_CREATION:
            self._which = 0
            self.inject(self._what, method)
        return super().call(method, params, seconds=seconds)


WRITES_OF_CREATION = {Method.SET_GRAPH, Method.CREATE_VARIABLE}


class _Refusing(MemoryHub):
    """A hub that takes shells only."""

    def call(self, method, params, *, seconds=10.0):
        if method is Method.SET_GRAPH and len(params["nodes"]) > 1:
            raise HubRefused("hub_refused", text="Invalid node parameter:count,Invalid id")
        return super().call(method, params, seconds=seconds)


class _Blind(MemoryHub):
    """A hub whose connection is gone after the variable was made."""

    def call(self, method, params, *, seconds=10.0):
        if Method.CREATE_VARIABLE in writes(self):
            raise Unavailable("hub_away")
        if method is Method.CREATE_VARIABLE:
            self.inject(Fault.ANSWER_LOST, method)
        return super().call(method, params, seconds=seconds)
