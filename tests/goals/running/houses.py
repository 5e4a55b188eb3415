"""A house of goals with scripted twins: run by hand, restarted at will; the twins outlive it."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.goals.loop.folding import folded
from zhixing.goals.loop.limits import Limits
from zhixing.goals.loop.model import Criterion, Graph, TaskInfo, TaskSpec
from zhixing.goals.loop.values import GraphStatus
from zhixing.goals.running import rows
from zhixing.goals.running.operations import Goals
from zhixing.goals.running.ports import Ports
from zhixing.goals.running.room import opened
from zhixing.kernel.clock import ManualClock
from zhixing.store.connection import Store

TASK = "g"
BACKEND = "https://goals.example"


def goal(task_id: str = TASK, limits: Limits | None = None, **members) -> TaskInfo:
    spec = TaskSpec("report", "write the report", "", "a report", (Criterion("ac1", "it is complete"),))
    return TaskInfo(task_id, spec, owner_user_id="u", owner_bot_id="owner", limits=limits or Limits(), **members)


class House:
    """One start of the program on a store."""

    def __init__(self, store: Store, clock: ManualClock, ports: Ports) -> None:
        self.store = store
        self.clock = clock
        self.ports = ports
        self.engine = EmbeddedEngine(store, clock, owner="甲")
        self.goals: Goals = opened(store, self.engine, clock, ports, backend=BACKEND)

    @property
    def graph(self) -> Graph:
        found = self.goals.graph(TASK)
        assert found is not None
        return found

    def states(self) -> dict[str, str]:
        return {node.id: node.status.value for node in self.graph.nodes.values()}

    def run(self, info: TaskInfo | None = None) -> None:
        """Hand a goal in and do what is ready."""
        assert self.goals.execute(info or goal()).status == 200
        self.engine.drain()

    def later(self, seconds: float) -> None:
        """Let time pass, all of it at once, and do what is ready then."""
        self.clock.advance(timedelta(seconds=seconds))
        self.engine.drain()

    def check_log(self) -> None:
        """Check that the snapshot is the fold of the log."""
        with self.store.read() as tx:
            assert folded(None, rows.entries(tx, TASK)) == rows.graph_of(tx, TASK)


def shape(graph: Graph) -> dict[str, object]:
    """Return what must be the same however often the power failed."""
    return {
        "status": graph.head.status,
        "output": graph.head.output,
        "relations": graph.head.relations,
        "nodes": {n.id: (n.status, n.run.output, n.run.acceptance, n.run.attempt) for n in graph.nodes.values()},
    }


def is_done(graph: Graph | None) -> bool:
    return graph is not None and graph.head.status is GraphStatus.DONE


def twice(keys) -> list[str]:
    return [key for key, count in Counter(keys).items() if count > 1]
