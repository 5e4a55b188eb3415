"""What people ran into with rule graphs (mijia §8), as it shows with a hub. Each test bears its number."""

from __future__ import annotations

import pytest
from tests.graphs.hubs.hub_home import HALL, OTHER, clock, graph, home, hub, lamp, nodes, placed, rule_in, start, writes

from zhixing.graphs.hubs.asking import Reader
from zhixing.graphs.hubs.conflicts import find_contests
from zhixing.graphs.hubs.outcomes import Outcome
from zhixing.graphs.hubs.updating import Change, update_rule
from zhixing.graphs.hubs.usage import find_device_usage
from zhixing.world.hub.memory import Fault
from zhixing.world.hub.port import Method


def test_case_04_a_rule_that_gets_a_name_stays_off_and_its_cards_where_they_lay() -> None:
    given = hub()
    before = rule_in(given, HALL)
    update_rule(given, Change(HALL, name="走廊灯"), home(), clock())
    after = rule_in(given, HALL)
    assert (after.name, after.enabled, before.enabled) == ("走廊灯", False, False)
    assert [each.position for each in after.nodes] == [each.position for each in before.nodes]


def test_case_05_a_device_that_is_not_there_is_not_called_offline() -> None:
    found = Reader(hub()).find_devices(["lamp2", "nope"])
    assert ([(each.did, each.online) for each in found.devices], found.unknown) == ([("lamp2", False)], ("nope",))


def test_case_08_devices_that_are_gone_and_rules_that_cannot_be_read_are_listed() -> None:
    given = hub()
    given.inject(Fault.CALL_LOST, Method.GET_GRAPH)
    usage = find_device_usage(given)
    assert [(each.did, [place.rule for place in each.places]) for each in usage.orphans] == [("gone1", [OTHER])]
    assert [each.id for each in usage.unread] == [HALL]


@pytest.mark.parametrize(
    ("fault", "outcome"), [(Fault.ANSWER_LOST, Outcome.APPLIED), (Fault.CALL_LOST, Outcome.NOT_APPLIED)]
)
def test_case_28_a_write_whose_answer_was_lost_is_looked_up_and_not_repeated(fault: Fault, outcome: Outcome) -> None:
    given = hub()
    given.inject(fault, Method.SET_GRAPH)
    changed = nodes(placed(start("lamp.trigger"), 900, 50), placed(lamp(on=False), 2000, 70))
    assert update_rule(given, Change(HALL, nodes=changed), home(), clock()).outcome is outcome
    assert writes(given) == [Method.SET_GRAPH]


def test_case_36_two_rules_that_fight_over_a_lamp_are_told() -> None:
    given = hub()
    given.state.graphs = {
        HALL: graph("起床", start("lamp.trigger"), lamp(on=True)),
        OTHER: graph("睡觉", start("lamp.trigger"), lamp(on=False)),
    }
    (contest,) = find_contests(Reader(given).rules().rules)
    assert [(each.rule_name, each.value) for each in contest.writers] == [("起床", True), ("睡觉", False)]
