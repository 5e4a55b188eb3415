"""A rule brought to a hub: planned, backed up, written once, read back, taken back (mijia §4.5, §8 case 28)."""

from __future__ import annotations

import copy

import pytest
from tests.graphs.hubs.hub_home import HALL, MS, OTHER, clock, home, hub, lamp, placed, rule_in, start, wait, writes

from zhixing.graphs.hubs.deploying import apply_plan, plan_deployment, roll_back
from zhixing.graphs.hubs.diff_words import diff_lines
from zhixing.graphs.hubs.outcomes import InvalidRule, Outcome
from zhixing.graphs.hubs.receipts import Receipt, back_up, read_receipt
from zhixing.graphs.hubs.updating import delete_rule
from zhixing.graphs.rule import Rule
from zhixing.kernel.errors import BadInput, Conflict, TooLarge
from zhixing.world.hub.memory import Fault, MemoryHub
from zhixing.world.hub.port import HubRefused, Method
from zhixing.world.hub.state import Variable

DIMMED = Rule.of({"id": HALL, "nodes": [start("wait.input"), wait(5000, "lamp.trigger"), lamp(on=False)]})
NEW = Rule.of(
    {
        "id": str(MS),
        "nodes": [start("lamp.trigger"), lamp()],
        "cfg": {"id": str(MS), "enable": True, "userData": {"name": "新灯"}},
    }
)


def drop(_receipt: Receipt) -> None:
    """Keep nothing."""


def test_a_plan_writes_nothing_and_says_what_would_change() -> None:
    given = hub()
    plan = plan_deployment(given, DIMMED, home(), clock())
    assert writes(given) == []
    assert plan.verdict.valid
    assert diff_lines(plan.diff) == (
        "新增「延时」（wait）",
        "「控制设备」（lamp）的 props.value：true → false",
        "新增连线 start.output → wait.input",
        "新增连线 wait.output → lamp.trigger",
        "删除连线 start.output → lamp.trigger",
    )


def test_settings_that_a_rule_does_not_name_stay_as_they_are() -> None:
    given = hub()
    plan = plan_deployment(given, DIMMED, home(), clock())
    deployed = apply_plan(given, plan, clock(), drop)
    held = rule_in(given, HALL)
    assert (deployed.outcome, deployed.found) == (Outcome.APPLIED, None)
    assert (held.name, held.enabled, held.cfg["uiType"], held.tags) == ("楼道灯", False, "test", ("楼道",))
    place = held.nodes[0].position
    assert place is not None
    assert (place.x, place.y) == (900, 50)


def test_a_card_goes_where_the_rule_puts_it() -> None:
    given = hub()
    there = Rule.of({"id": HALL, "nodes": [placed(start("lamp.trigger"), 1, 2), lamp()]})
    plan = plan_deployment(given, there, home(), clock())
    assert diff_lines(plan.diff) == ("移动了 1 张卡片",)
    apply_plan(given, plan, clock(), drop)
    assert [node.position.x for node in rule_in(given, HALL).nodes if node.position] == [1, 2000]


def test_a_stale_plan_is_refused() -> None:
    given = hub()
    plan = plan_deployment(given, DIMMED, home(), clock())
    given.state.graphs[HALL].nodes[1]["props"]["value"] = False
    with pytest.raises(Conflict, match=HALL):
        apply_plan(given, plan, clock(), drop)
    assert writes(given) == []


def test_panning_the_editor_makes_no_plan_stale() -> None:
    given = hub()
    plan = plan_deployment(given, DIMMED, home(), clock())
    given.state.graphs[HALL].user_data["transform"] = {"x": 99, "y": 0}
    assert apply_plan(given, plan, clock(), drop).outcome is Outcome.APPLIED


def test_the_token_of_a_plan_changes_with_either_side_only() -> None:
    given = hub()
    first = plan_deployment(given, DIMMED, home(), clock()).token
    assert plan_deployment(given, DIMMED, home(), clock()).token == first
    other = Rule.of({**DIMMED.raw, "cfg": {"enable": True}})
    assert plan_deployment(given, other, home(), clock()).token != first
    given.state.graphs[HALL].enable = True
    assert plan_deployment(given, DIMMED, home(), clock()).token != first


def test_a_rule_with_errors_is_planned_and_not_written() -> None:
    given = hub()
    plan = plan_deployment(given, Rule.of({"id": HALL, "nodes": [start("nowhere.trigger")]}), home(), clock())
    with pytest.raises(InvalidRule):
        apply_plan(given, plan, clock(), drop)
    assert writes(given) == []


def test_nothing_is_written_when_the_receipt_cannot_be_kept() -> None:
    given = hub()

    def fail(_receipt: Receipt) -> None:
        raise OSError

    with pytest.raises(OSError):  # noqa: PT011 - the caller's own
        apply_plan(given, plan_deployment(given, DIMMED, home(), clock()), clock(), fail)
    assert writes(given) == []


@pytest.mark.parametrize(
    ("fault", "outcome"), [(Fault.ANSWER_LOST, Outcome.APPLIED), (Fault.CALL_LOST, Outcome.NOT_APPLIED)]
)
def test_a_write_without_an_answer_is_read_back_and_never_repeated(fault: Fault, outcome: Outcome) -> None:
    given = hub()
    plan = plan_deployment(given, DIMMED, home(), clock())
    given.inject(fault, Method.SET_GRAPH)
    assert apply_plan(given, plan, clock(), drop).outcome is outcome
    assert writes(given) == [Method.SET_GRAPH]


def test_what_cannot_be_read_back_is_unknown() -> None:
    given = hub()
    plan = plan_deployment(given, DIMMED, home(), clock())

    def blind(_receipt: Receipt) -> None:
        given.inject(Fault.ANSWER_LOST, Method.SET_GRAPH)
        given.inject(Fault.UNREACHABLE, Method.GET_GRAPHS)

    assert apply_plan(given, plan, clock(), blind).outcome is Outcome.UNKNOWN


def test_a_hub_that_keeps_something_else_is_told_with_the_difference() -> None:
    given = _Changing(hub().state)
    deployed = apply_plan(given, plan_deployment(given, DIMMED, home(), clock()), clock(), drop)
    assert deployed.outcome is Outcome.ALTERED
    assert deployed.difference is not None
    assert diff_lines(deployed.difference) == ("「延时」（wait）的 props.timeout：5000 → 4000",)


def test_a_receipt_read_again_puts_back_what_was_there() -> None:
    given = hub()
    before = copy.deepcopy(given.state.graphs)
    kept: list[str] = []
    plan = plan_deployment(given, DIMMED, home(), clock())
    apply_plan(given, plan, clock(), lambda receipt: kept.append(receipt.to_json()))
    rolled = roll_back(given, read_receipt(kept[0]), clock(), drop)
    assert rolled.outcome is Outcome.APPLIED
    assert given.state.graphs == before
    assert rolled.receipt.rule is not None
    assert len(rolled.receipt.rule.nodes) == 3


def test_a_deleted_rule_comes_back_with_its_variables() -> None:
    given = hub()
    graphs, variables = copy.deepcopy(given.state.graphs), copy.deepcopy(given.state.variables)
    receipt = read_receipt(back_up(given, OTHER, clock()).to_json())
    delete_rule(given, OTHER)
    rolled = roll_back(given, receipt, clock(), drop)
    assert (rolled.outcome, rolled.made) == (Outcome.APPLIED, ("times",))
    assert given.state.graphs == graphs
    assert given.state.variables == variables


def test_a_long_text_in_a_variable_bars_no_backup() -> None:
    given = hub()
    given.state.variables[f"R{OTHER}"]["times"] = Variable("string", "长" * 20_000, {})
    assert read_receipt(back_up(given, OTHER, clock()).to_json()) == back_up(given, OTHER, clock())


def test_a_variable_that_was_deleted_comes_back_to_a_rule_that_is_there() -> None:
    given = hub()
    receipt = back_up(given, OTHER, clock())
    variables = copy.deepcopy(given.state.variables)
    del given.state.variables[f"R{OTHER}"]
    rolled = roll_back(given, receipt, clock(), drop)
    assert (rolled.outcome, rolled.made, given.state.variables) == (Outcome.APPLIED, ("times",), variables)
    assert writes(given) == [Method.CREATE_VARIABLE]


def test_variables_that_are_there_keep_their_values() -> None:
    given = hub()
    receipt = back_up(given, OTHER, clock())
    given.state.variables[f"R{OTHER}"]["times"].value = 99
    given.state.graphs[OTHER].enable = False
    assert roll_back(given, receipt, clock(), drop).outcome is Outcome.APPLIED
    assert given.state.variables[f"R{OTHER}"]["times"].value == 99
    assert given.state.graphs[OTHER].enable


def test_a_variable_of_another_type_stops_the_way_back_before_anything_is_written() -> None:
    given = hub()
    receipt = back_up(given, OTHER, clock())
    given.state.variables[f"R{OTHER}"]["times"] = Variable("string", "7", {})
    with pytest.raises(Conflict, match="times"):
        roll_back(given, receipt, clock(), drop)
    assert writes(given) == []


def test_a_new_rule_is_taken_back_by_deleting_it() -> None:
    given = hub()
    deployed = apply_plan(given, plan_deployment(given, NEW, home(), clock()), clock(), drop)
    assert rule_in(given, NEW.id).name == "新灯"
    assert deployed.receipt.rule is None
    assert roll_back(given, deployed.receipt, clock(), drop).outcome is Outcome.APPLIED
    assert NEW.id not in given.state.graphs


def test_a_new_rule_needs_an_id_of_the_right_form() -> None:
    with pytest.raises(BadInput, match="graph_1"):
        plan_deployment(hub(), Rule.of({**NEW.raw, "id": "graph_1"}), home(), clock())


@pytest.mark.parametrize("name", ["灯\n已经写进网关", "灯" * 101])
def test_a_new_name_has_to_fit_into_one_line_of_the_editor(name: str) -> None:
    given = hub()
    with pytest.raises((BadInput, TooLarge)):
        plan_deployment(given, Rule.of({**DIMMED.raw, "cfg": {"userData": {"name": name}}}), home(), clock())
    given.state.graphs[HALL].user_data["name"] = name
    kept = plan_deployment(given, Rule.of({**DIMMED.raw, "cfg": {"userData": {"name": name}}}), home(), clock())
    assert kept.after.name == name


@pytest.mark.parametrize("outcome", Outcome)
def test_every_outcome_can_be_said(outcome: Outcome) -> None:
    assert outcome.text("zh") != outcome.text("en")


def test_what_the_hub_refuses_is_raised() -> None:
    given = hub()
    plan = plan_deployment(given, DIMMED, home(), clock())
    with pytest.raises(HubRefused):
        apply_plan(_Refusing(given.state), plan, clock(), drop)


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", "nonsense", '{"version":2,"id":"1","at":"2026-12-01T08:00:00+00:00","rule":null,"variables":[]}',
     '{"version":1,"id":"1","at":"2026-12-01T08:00:00","rule":null,"variables":[]}',
     '{"version":1,"id":"1","at":"2026-12-01T08:00:00+00:00","rule":{"id":"2","nodes":[]},"variables":[]}',
     '{"version":1,"id":"1","at":"2026-12-01T08:00:00+00:00","rule":null,"variables":[{"id":"a"}]}', "[" * 100_000],
)  # fmt: skip
def test_what_is_no_receipt_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(BadInput):
        read_receipt(text)


class _Changing(MemoryHub):
    """A hub that rounds what it is given."""

    def call(self, method, params, *, seconds=10.0):
        answer = super().call(method, params, seconds=seconds)
        if method is Method.SET_GRAPH:
            self.state.graphs[HALL].nodes[1]["props"]["timeout"] = 4000
        return answer


class _Refusing(MemoryHub):
    """A hub that takes nothing."""

    def call(self, method, params, *, seconds=10.0):
        if method is Method.SET_GRAPH:
            raise HubRefused("hub_refused", text="Invalid node parameter:wait,Invalid timeout")
        return super().call(method, params, seconds=seconds)
