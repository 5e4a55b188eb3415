"""The operations on rules, from end to end, over the virtual gateway."""

from __future__ import annotations

import pytest
from tests.graphs.virtual.test_gateway import Flat, declared, is_on, light, pressed

from zhixing.graphs.checks.finding import Profile
from zhixing.graphs.explaining.comparing import Verdict
from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.hubs.creating import NewRule
from zhixing.graphs.hubs.new_variables import new_variable
from zhixing.graphs.hubs.outcomes import InvalidRule, Outcome
from zhixing.graphs.hubs.updating import Change
from zhixing.graphs.operations import Graphs, nodes_of
from zhixing.graphs.rule import Rule
from zhixing.graphs.session import Place, Session
from zhixing.graphs.simulating.run import simulate
from zhixing.graphs.simulating.script import Property
from zhixing.graphs.specs.home import NOTHING_KNOWN
from zhixing.graphs.virtual.homes import home_of_virtual
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.errors import BadInput, Conflict, NotFound, Refused, Unavailable
from zhixing.store.connection import Store
from zhixing.world.hub.memory import MemoryHub
from zhixing.world.hub.port import Method

LIGHT = "urn:miot-spec-v2:device:light:0000A001:zhixing-light-v1:1"


@pytest.fixture
def flat(store: Store, clock: ManualClock) -> Flat:
    return Flat(store, clock)


def no_real_hub(_address: str, _passcode: str) -> None:
    raise Unavailable("hub_unreachable")


def graphs_of(flat: Flat, address: str = "") -> Graphs:
    place = Place(flat.gateway, lambda: home_of_virtual(flat.home), flat.gateway.around)
    return Graphs(Session(place, no_real_hub, lambda: NOTHING_KNOWN, address), flat.store, flat.clock, holder="test")


@pytest.fixture
def graphs(flat: Flat) -> Graphs:
    return graphs_of(flat)


def rule(flat: Flat, name: str = "回家开灯", **lamp: object):
    urns = {"button": flat.call(Method.GET_DEVICES)["devList"]["button"]["urn"], "lamp": LIGHT}
    nodes = [declared(pressed("out.trigger")), declared(light(**lamp))]
    for node, did in zip(nodes, ("button", "lamp"), strict=True):
        node["cfg"] = {"name": node["type"], "version": 1, "urn": urns[did]}
    return NewRule(name, nodes_of(nodes))


def test_a_rule_that_is_made_is_listed_and_works(flat, graphs):
    made = graphs.create(rule(flat))
    assert made.outcome is Outcome.APPLIED
    assert [(each.id, each.name, each.enabled) for each in graphs.entries()] == [(made.id, "回家开灯", True)]
    flat.click()
    assert flat.value("lamp", "prop.2.1") is True


def test_a_rule_for_a_device_that_is_not_there_is_not_made(flat, graphs):
    with pytest.raises(InvalidRule):
        graphs.create(rule(flat, did="nowhere"))
    assert graphs.entries() == ()


def test_a_rule_brings_its_variables_and_takes_them_along_when_it_goes(flat, graphs):
    wanted = rule(flat)
    made = graphs.create(NewRule(wanted.name, wanted.nodes, (new_variable("n", "number", 0, "次数"),)))
    scope = f"R{made.id}"
    assert [each.id for each in graphs.variables.listed(scope)] == ["n"]
    graphs.delete(made.id)
    assert graphs.variables.listed(scope) == ()
    assert graphs.entries() == ()


def test_a_rule_is_checked_with_its_variables_as_it_would_be_made(flat, graphs):
    elements = [{"type": "const", "value": "1"}]
    count = {
        "id": "count",
        "type": "varSetNumber",
        "cfg": {"name": "varSetNumber", "version": 1},
        "props": {"scope": "rule", "id": "n", "elements": elements},
        "inputs": {"input": None},
        "outputs": {"output": []},
    }
    wanted = rule(flat)
    press = wanted.nodes[0].having(outputs={"output": ["out.trigger", "count.input"]})
    nodes = (press, *wanted.nodes[1:], *nodes_of([count]))
    number = new_variable("n", "number", 0)
    verdict = graphs.check_new(NewRule("计数", nodes, (number,)))
    assert (verdict.valid, graphs.entries()) == (True, ())
    assert [each.code for each in graphs.check_new(NewRule("计数", nodes)).errors] == ["unknown_variable"]
    night = {"start": {"hour": 22, "minute": 0, "second": 0}, "end": {"hour": 6, "minute": 0, "second": 0}}
    window = {
        "id": "night",
        "type": "timeRange",
        "cfg": {"name": "timeRange", "version": 1},
        "props": {**night, "filter": {}},
        "inputs": {},
        "outputs": {"output": ["out.trigger"]},
    }
    asked = NewRule("夜里", (*wanted.nodes[1:], *nodes_of([window])))
    assert graphs.check_new(asked).valid
    assert [each.code for each in graphs.check_new(asked, Profile.STRICT).errors] == ["tr_wrong_target"]


def test_what_a_rule_was_before_a_change_can_be_had_back(flat, graphs):
    made = graphs.create(rule(flat))
    graphs.update(Change(made.id, name="晚上回家开灯"))
    kept = graphs.receipts(made.id)[0]
    assert graphs.roll_back(kept.number).outcome is Outcome.APPLIED
    assert graphs.rule(made.id).name == "回家开灯"


def test_a_deleted_rule_can_be_had_back(flat, graphs):
    made = graphs.create(rule(flat))
    graphs.delete(made.id)
    graphs.roll_back(graphs.receipts(made.id)[0].number)
    flat.click()
    assert flat.value("lamp", "prop.2.1") is True


def test_a_plan_whose_rule_has_changed_since_is_refused(flat, graphs):
    made = graphs.create(rule(flat))
    mine = Rule.of({**graphs.rule(made.id).raw})
    token = graphs.plan(mine).token
    graphs.update(Change(made.id, enable=False))
    with pytest.raises(Conflict):
        graphs.deploy(mine, token)


def test_the_shelf_keeps_the_last_receipts_only(flat, graphs, monkeypatch):
    monkeypatch.setattr("zhixing.graphs.shelf.KEPT", 2)
    made = graphs.create(rule(flat))
    for name in ("一", "二", "三", "四"):
        graphs.update(Change(made.id, name=name))
    assert [each.receipt.rule.name for each in graphs.receipts(made.id)] == ["三", "二"]


def test_only_reading_methods_may_be_called_raw(graphs):
    assert graphs.call("getGraphList", {}) == []
    with pytest.raises(Refused):
        graphs.call("deleteGraph", {"id": "1"})
    with pytest.raises(BadInput):
        graphs.call("nothing", {})


def test_what_devices_can_do_is_known(graphs):
    known = graphs.known(graphs.find_devices(["lamp", "nope"]).devices)
    assert [(each.device.did, each.spec.kind) for each in known] == [("lamp", "light")]
    assert graphs.find_devices(["lamp", "nope"]).unknown == ("nope",)


def test_where_the_owner_named_a_real_hub_nothing_goes_elsewhere(flat):
    graphs = graphs_of(flat, "ws://192.168.1.2:8086")
    with pytest.raises(Unavailable) as refused:
        graphs.entries()
    assert refused.value.key == "gateway_not_connected"
    assert not graphs.session.status().connected
    with pytest.raises(Unavailable):
        graphs.session.connect("123456")


def test_a_receipt_that_is_not_there(graphs):
    with pytest.raises(NotFound):
        graphs.roll_back(99)


def watching(lamp: str = "out.trigger") -> Rule:
    """Give a rule that looks at the lamp, which is on nobody's list."""
    cfg = {"id": "1700000000009", "enable": True, "uiType": "graph", "userData": {"name": "看灯"}}
    return Rule.of({"id": cfg["id"], "nodes": [is_on("lamp", lamp), light("other")], "cfg": cfg})


def test_now_is_what_the_hub_holds_for_a_rule(flat, graphs):
    mine = watching()
    flat.put(is_on("lamp", "out.trigger"), light("other"), enable=False, name=mine.id)
    for scope, name in (("global", "n"), (mine.scope, "m"), ("R1700000000001", "x")):
        flat.call(Method.CREATE_VARIABLE, scope=scope, id=name, type="number", value=3, userData={"name": name})
    now = graphs.now(mine)
    assert (now.start, now.tz.key, now.lines) == (flat.clock.now(), "Asia/Shanghai", ())
    assert now.variables == {Variable("global", "n"): 3, Variable(mine.scope, "m"): 3}
    assert now.state == {Property("lamp", 2, 1): False}
    # Nothing is on, so the hub hears of nothing; the device is asked.
    flat.hands("lamp", "on", True)
    assert graphs.now(mine).state == {Property("lamp", 2, 1): True}


class Connected(MemoryHub):
    """A real hub, as far as a session can tell."""

    is_open = True

    def close(self) -> None:
        """Nothing was opened."""


def test_of_devices_behind_a_real_hub_nothing_is_known_now(flat):
    real = Connected()
    real.call(Method.CREATE_VARIABLE, {"scope": "global", "id": "n", "type": "number", "value": 7, "userData": {}})
    place = Place(flat.gateway, lambda: home_of_virtual(flat.home), flat.gateway.around)
    there = Graphs(Session(place, lambda *_: real, lambda: NOTHING_KNOWN, "192.168.1.2"), flat.store, flat.clock)
    there.session.connect("123456")
    now = there.now(watching())
    assert (now.state, now.variables) == ({}, {Variable("global", "n"): 7})


def test_the_log_of_the_hub_is_held_against_a_rule(flat, graphs):
    made = graphs.create(rule(flat))
    flat.click()
    mine = graphs.rule(made.id)
    assert (graphs.replay(mine).agrees, graphs.replay(mine).count(Verdict.SAME)) == (True, 1)
    cut = mine.having_nodes([mine.nodes[0].having(outputs={"output": []}), mine.nodes[1]])
    assert [each.watchpoint for each in graphs.replay(cut).drift] == ["link:in.output->out.trigger"]
    assert simulate(mine, graphs.now(mine)).outputs == ()
