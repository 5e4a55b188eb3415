"""What a hub says, read: devices, graphs, variables old and new, usage, contests, the log; all of it bounded."""

from __future__ import annotations

from typing import Any

import pytest
from tests.graphs.hubs.hub_home import HALL, LIGHT, OTHER, graph, hub, lamp, start, writes

from zhixing.graphs.hubs.asking import MOST_SILENT, Reader
from zhixing.graphs.hubs.calling import call_read
from zhixing.graphs.hubs.conflicts import find_contests
from zhixing.graphs.hubs.entries import MOST_GRAPHS, MOST_VARIABLES, devices_of, entries_of, scopes_of, variables_of
from zhixing.graphs.hubs.hub_log import MOST_BLOCKS, read_hub_log
from zhixing.graphs.hubs.usage import find_device_usage
from zhixing.graphs.logs import InfoLine, RuleLine
from zhixing.graphs.specs.home import NOTHING_KNOWN
from zhixing.kernel.errors import BadInput, Refused, TooLarge, Unavailable
from zhixing.world.hub.memory import Fault, MemoryHub
from zhixing.world.hub.port import Method
from zhixing.world.hub.state import Graph


def test_a_graph_gets_its_settings_from_the_list() -> None:
    rule = Reader(hub()).known_rule(HALL)
    assert (rule.name, rule.enabled, rule.cfg["id"], rule.tags) == ("楼道灯", False, HALL, ("楼道",))
    assert [node.id for node in rule.nodes] == ["start", "lamp"]


def test_a_graph_that_went_while_it_was_read_is_not_there() -> None:
    given = _Ghost(hub().state)
    assert Reader(given).rule("gone") is None
    assert Reader(given).rules().complete


def test_devices_read_as_those_of_a_home() -> None:
    home = Reader(hub()).home(NOTHING_KNOWN, ["global", f"R{HALL}"])
    lamp2 = home.device("lamp2")
    assert lamp2 is not None
    assert (lamp2.urn, lamp2.name, lamp2.room, lamp2.online, lamp2.pushes) == (LIGHT, "台灯", "书房", False, True)
    assert home.scopes is not None
    assert {name: sorted(scope.variables) for name, scope in home.scopes.items()} == {
        "global": ["seen", "word"],
        f"R{HALL}": [],
    }


def test_a_strange_device_hides_no_other() -> None:
    found = devices_of({"devList": {"a": None, "b": {"name": 5, "urn": "", "roomName": None}, "c": {"name": "灯"}}})
    assert [(each.did, each.name, each.urn) for each in found.values()] == [
        ("a", "", None),
        ("b", "", None),
        ("c", "灯", None),
    ]


def test_an_unknown_device_is_not_called_offline() -> None:
    found = Reader(hub()).find_devices(["lamp2", "nope", "lamp2"])
    assert [each.did for each in found.devices] == ["lamp2"]
    assert found.unknown == ("nope",)


@pytest.mark.parametrize("dids", [[], [str(number) for number in range(101)]])
def test_no_dids_and_too_many_are_refused(dids: list[str]) -> None:
    with pytest.raises(BadInput, match="100"):
        Reader(hub()).find_devices(dids)


def test_variables_of_older_firmware_are_a_list() -> None:
    row = {"type": "number", "value": 3, "userData": {"name": "次数"}}
    assert variables_of("global", [{"id": "n", **row}]) == variables_of("global", {"n": row})


@pytest.mark.parametrize(
    ("read", "answer"),
    [
        (entries_of, None), (entries_of, {}), (entries_of, [{"enable": True}]), (entries_of, ["1"]),
        (devices_of, []), (devices_of, {"devList": []}), (scopes_of, ["global"]), (scopes_of, {"scopes": [1]}),
        (lambda answer: variables_of("global", answer), "x"),
        (lambda answer: variables_of("global", answer), {"a": 1}),
        (lambda answer: variables_of("global", answer), {"a": {"type": "bool", "value": True}}),
        (lambda answer: variables_of("global", answer), [{"type": "number", "value": 1}]),
    ],
)  # fmt: skip
def test_a_strange_answer_is_told_and_not_taken_for_nothing(read, answer: Any) -> None:
    with pytest.raises(Unavailable):
        read(answer)


@pytest.mark.parametrize(
    ("read", "answer"),
    [
        (entries_of, [{"id": str(number)} for number in range(MOST_GRAPHS + 1)]),
        (
            lambda answer: variables_of("global", answer),
            {f"v{number}": {"type": "number", "value": 0} for number in range(MOST_VARIABLES + 1)},
        ),
    ],
)
def test_too_many_are_refused(read, answer: Any) -> None:
    with pytest.raises(TooLarge):
        read(answer)


def test_usage_names_devices_places_and_orphans() -> None:
    usage = find_device_usage(hub())
    assert [(each.did, [(place.rule, place.node) for place in each.places]) for each in usage.devices] == [
        ("lamp1", [(HALL, "lamp")])
    ]
    assert [(each.did, each.places[0].rule_name, each.device) for each in usage.orphans] == [("gone1", "计数", None)]
    assert usage.complete


@pytest.mark.parametrize(
    ("asked", "dids"),
    [
        ({"query": "书房"}, ["lamp2"]), ({"query": " 灯 "}, ["lamp1", "lamp2"]), ({"query": "GONE"}, ["gone1"]),
        ({"query": "没有"}, []), ({"dids": ["nope", "lamp1"]}, ["nope", "lamp1"]),
    ],
)  # fmt: skip
def test_usage_can_be_asked_by_did_and_by_words(asked: dict[str, Any], dids: list[str]) -> None:
    assert [each.did for each in find_device_usage(hub(), **asked).devices] == dids


@pytest.mark.parametrize("asked", [{"dids": ["a"], "query": "b"}, {"query": " "}, {"query": "a" * 101}, {"dids": []}])
def test_a_question_about_usage_that_is_none_is_refused(asked: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        find_device_usage(hub(), **asked)


def test_a_graph_that_cannot_be_read_makes_the_answer_incomplete() -> None:
    given = hub()
    given.inject(Fault.CALL_LOST, Method.GET_GRAPH)
    usage = find_device_usage(given, ["lamp1"])
    assert not usage.complete
    assert [(each.id, each.name) for each in usage.unread] == [(HALL, "楼道灯")]


def test_a_silent_hub_is_not_asked_for_every_graph() -> None:
    given = hub()
    for number in range(20):
        given.state.graphs[f"17645509000{number:02}"] = Graph([], enable=True, ui_type="test", user_data={})
    for _ in range(MOST_SILENT):
        given.inject(Fault.CALL_LOST, Method.GET_GRAPH)
    found = Reader(given).rules()
    assert (len(found.rules), len(found.unread)) == (0, 22)
    assert sum(method is Method.GET_GRAPH for method, _ in given.calls) == MOST_SILENT


def test_rules_that_set_one_lamp_to_different_values_are_told() -> None:
    given = hub()
    given.state.graphs = {
        "1764550800011": graph("起床", start("lamp.trigger"), lamp(on=True)),
        "1764550800012": graph("睡觉", start("lamp.trigger"), lamp(on=False)),
        "1764550800013": graph("旧的", start("lamp.trigger"), lamp(on=False), enable=False),
        "1764550800014": graph("台灯", start("lamp.trigger"), lamp(did="lamp2")),
    }
    (contest,) = find_contests(Reader(given).rules().rules)
    assert (contest.did, contest.siid, contest.piid) == ("lamp1", 2, 1)
    assert [(each.rule_name, each.value) for each in contest.writers] == [("起床", True), ("睡觉", False)]


def test_the_log_is_read_from_its_newest_block_and_told_in_the_order_of_time() -> None:
    given = hub()
    given.state.log([f'3|1000|r|{HALL}|{{"enable":true}}', "not a line"])
    given.state.log([f"3|2000|i|{HALL}|lamp|on", f"3|2500|i|{OTHER}|lamp|on"])
    log = read_hub_log(given, HALL)
    assert log.lines == (RuleLine(1000, HALL, enable=True), InfoLine(2000, HALL, "lamp", "on"))
    assert (log.unread, log.blocks, log.complete) == (1, 2, True)
    assert len(read_hub_log(given).lines) == 3


def test_a_log_that_repeats_its_last_block_has_an_end() -> None:
    given = _Echoing(hub().state)
    given.state.log([f"3|2000|i|{HALL}|lamp|on"])
    log = read_hub_log(given)
    assert (len(log.lines), log.blocks, log.complete) == (1, 1, True)


def test_a_log_without_an_end_is_read_so_far_only() -> None:
    given = hub()
    for number in range(MOST_BLOCKS + 5):
        given.state.log([f"3|{number}|i|{HALL}|lamp|on"])
    log = read_hub_log(given)
    assert (log.blocks, log.lines[-1].at_ms, log.complete) == (MOST_BLOCKS, MOST_BLOCKS + 4, False)


def test_any_read_may_be_called_by_name_and_no_write() -> None:
    """G-4.2."""
    given = hub()
    assert call_read(given, "getVarScopeList", {})["scopes"] == ["global", f"R{OTHER}"]
    with pytest.raises(Refused, match="createVar"):
        call_read(given, "createVar", {"scope": "global", "id": "a", "type": "number", "value": 0})
    with pytest.raises(BadInput, match="getVarList"):
        call_read(given, "readDevice", {})
    with pytest.raises(BadInput, match="60"):
        call_read(given, "getVarScopeList", {}, seconds=0)
    assert writes(given) == []


class _Ghost(MemoryHub):
    """A hub whose list has a graph that is gone."""

    def call(self, method, params, *, seconds=10.0):
        answer = super().call(method, params, seconds=seconds)
        return [*answer, {"id": "gone", "enable": True}] if method is Method.GET_GRAPHS else answer


class _Echoing(MemoryHub):
    """A hub that gives its oldest block for every number past it."""

    def call(self, method, params, *, seconds=10.0):
        return super().call(method, {"num": 0} if method is Method.GET_LOG else params, seconds=seconds)
