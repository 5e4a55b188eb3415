"""Several who watch goals, as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zhixing.goals.loop.model import Graph, TaskInfo
from zhixing.goals.running.ports import Watcher
from zhixing.store.connection import Tx


class Together:
    """A `Watcher` that hands on what it sees, in their order; `watchers` is asked when something happens."""

    def __init__(self, watchers: Callable[[], Sequence[Watcher]]) -> None:
        self._watchers = watchers

    def handed_in(self, tx: Tx, info: TaskInfo) -> None:
        """Note a new goal."""
        for each in self._watchers():
            each.handed_in(tx, info)

    def changed(self, tx: Tx, before: Graph, after: Graph) -> None:
        """Note that a goal was changed."""
        for each in self._watchers():
            each.changed(tx, before, after)
