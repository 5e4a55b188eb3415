"""Graphs as rows: only what changed is written, memory is never ahead of the store, and goals written whole go on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.goals.running.houses import TASK, House, goal

from zhixing.goals.loop.coding import UnreadableGoal, decode_parts, encode_head, encode_node, encode_state
from zhixing.goals.loop.events import Budget, Cancel, Report
from zhixing.goals.loop.limits import Limits
from zhixing.goals.loop.model import Graph, Head, Node, TaskInfo, TaskSpec
from zhixing.goals.loop.values import GraphStatus
from zhixing.goals.running import rows
from zhixing.goals.running.listing import Listing
from zhixing.goals.running.recent import Recent
from zhixing.goals.running.rows import LostUpdate
from zhixing.goals.running.scripted import MISSED, ScriptedDeliverer, ScriptedPlanner, planned, scripted_ports
from zhixing.store.connection import Store, Tx

PLANS = {TASK: [planned("a", "b", "c"), planned()]}


@pytest.fixture
def house(store, clock) -> House:
    return House(store, clock, scripted_ports(ScriptedPlanner(PLANS), ScriptedDeliverer({"b": [None]})))


def nodes(store: Store) -> list[tuple[int, str]]:
    with store.read() as tx:
        return [tuple(row) for row in tx.rows("SELECT place, node FROM goal_nodes ORDER BY place")]


def on_disk(store: Store) -> Graph | None:
    with store.read() as tx:
        return rows.graph_of(tx, TASK)


def write_whole(store: Store) -> Graph:
    """Put the goal as it was kept before nodes had rows."""
    graph = on_disk(store)
    assert graph is not None
    with store.write() as tx:
        tx.execute("UPDATE goals SET snapshot = ?", (encode_state(graph).decode(),))
        tx.execute("DELETE FROM goal_nodes")
    return graph


class Spied:
    """A transaction that tells which nodes are written."""

    def __init__(self, tx: Tx) -> None:
        self._tx = tx
        self.places: list[object] = []

    def many(self, sql: str, given) -> int:
        batch = list(given)
        if "goal_nodes" in sql:
            self.places += [row[1] for row in batch]
        return self._tx.many(sql, batch)

    def __getattr__(self, name: str):
        return getattr(self._tx, name)


def test_a_graph_has_a_row_for_each_node_in_their_order_and_its_head_apart(house, store):
    house.run()
    found = nodes(store)
    assert [place for place, _ in found] == [0, 1, 2, 3]
    assert [node for _, node in found] == [encode_node(each) for each in house.graph.nodes.values()]
    head = encode_head(house.graph.head)
    with store.read() as tx:
        assert tx.row("SELECT snapshot FROM goals") == (head,)
    house.check_log()


def test_only_the_nodes_that_changed_are_written(house, store):
    house.run()
    with store.write() as tx:
        spied = Spied(tx)
        house.goals.happen(spied, TASK, Budget(cost=7))
        house.goals.happen(spied, TASK, Report("b", success=True, data="x", gaps=[]))
        assert spied.places == [0, 0, 2]
    house.check_log()


def test_what_is_remembered_is_what_is_kept(house, store):
    house.run()
    assert house.goals.graph(TASK) == on_disk(store)
    assert house.goals.graph(TASK) is house.goals.graph(TASK)


def test_a_change_that_was_rolled_back_is_not_remembered(house, store):
    house.run()
    before = house.goals.graph(TASK)

    def break_off() -> None:
        with store.write() as tx:
            house.goals.happen(tx, TASK, Cancel())
            raise KeyError

    with pytest.raises(KeyError):
        break_off()
    assert house.goals.graph(TASK) == before == on_disk(store)
    assert house.goals.budget(TASK, Budget(cost=7)).status == 200
    assert house.goals.graph(TASK) == on_disk(store)
    house.check_log()


def test_what_another_process_changed_is_read_anew(house, store, clock):
    house.run()
    other = House(store, clock, house.ports)
    assert house.goals.graph(TASK) == other.goals.graph(TASK)
    assert other.goals.cancel(TASK).status == 200
    assert house.goals.graph(TASK).head.status is GraphStatus.CANCELLED
    assert house.goals.dashboard(TASK).data["status"] == "CANCELLED"
    assert house.goals.retry(TASK).status == 409
    house.check_log()


def test_one_transaction_sees_its_own_changes(house, store):
    house.run()
    with store.write() as tx:
        for cost in (3, 4, 5):
            assert house.goals.happen(tx, TASK, Budget(cost=cost)).status == 200
    assert house.graph.head.info.limits.cost == 5
    house.check_log()


def test_what_was_made_of_another_version_is_refused(house, store):
    house.run()
    with store.read() as tx:
        entry = rows.entries(tx, TASK)[-1]
    stale = house.graph

    def save_again() -> None:
        with store.write() as tx:
            rows.save(tx, stale, stale, entry)

    with pytest.raises(LostUpdate):
        save_again()
    house.check_log()


class Reading:
    """A transaction that reads graphs of one node, and tells of which goals all was read."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def row(self, sql: str, params) -> tuple[object, ...]:
        return (0, None) if "version" in sql else (encode_head(self._graph(params[0]).head),)

    def rows(self, _sql: str, params) -> list[tuple[str]]:
        self.read.append(params[0])
        return [(encode_node(node),) for node in self._graph(params[0]).nodes.values()]

    @staticmethod
    def _graph(task_id: str) -> Graph:
        info = TaskInfo(task_id, TaskSpec("t"))
        return Graph(Head(info, GraphStatus.RUNNING, 0), {task_id: Node(task_id, info.spec)})


def test_memory_is_bounded_by_nodes_and_forgets_what_was_wanted_longest_ago():
    recent, tx = Recent(most_nodes=2), Reading()
    for task_id in "ababcabb":
        assert recent.seen(tx, task_id).head.info.task_id == task_id
    assert tx.read == ["a", "b", "c", "a", "b"]


Deed = Callable[[House], object]


@pytest.mark.parametrize(
    "deed",
    [
        lambda home: home.goals.cancel(TASK),
        lambda home: home.goals.take_up(),
        lambda home: home.goals.report(TASK, Report("b", success=True, data="x", gaps=[])),
    ],
    ids=["cancel", "take_up", "report"],
)
def test_a_goal_that_was_written_whole_is_read_and_goes_on(house, store, clock, deed: Deed):
    house.run()
    whole = write_whole(store)
    home = House(store, clock, house.ports)
    assert home.graph == whole
    assert nodes(store) == []
    deed(home)
    assert [place for place, _ in nodes(store)] == [0, 1, 2, 3]
    home.check_log()
    home.goals.report(TASK, Report("b", success=True, data="x", gaps=[]))
    home.engine.drain()
    assert home.graph.head.status in {GraphStatus.DONE, GraphStatus.CANCELLED}
    home.check_log()


def test_relays_are_found_in_goals_of_either_kind(store, clock):
    ports = scripted_ports(ScriptedPlanner({TASK: [planned("a")]}, {"a": [MISSED]}))
    home = House(store, clock, ports)
    home.run(goal(limits=Limits(max_depth=1)))
    assert home.goals.claim(TASK, "bot").status == 200
    node = home.goals.attach(TASK, "bot", TASK, TaskSpec("rest", "do the rest"), key="k").data["node_id"]
    assert [each.node.id for each in Listing(store).relayed()] == [node]
    write_whole(store)
    assert [each.node.id for each in Listing(store).relayed()] == [node]


@pytest.mark.parametrize(
    ("head", "node"),
    [("", "{}"), ("{}", "{}"), ('{"v": 1, "head": {}}', "{}"), ('{"v": 2, "head": {}}', "{}"), ("[]", "]")],
)
def test_parts_that_are_no_goal_are_refused(head: str, node: str):
    with pytest.raises(UnreadableGoal):
        decode_parts(head, [node])
