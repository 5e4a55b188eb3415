"""What a bot may see and say of a goal when it comes with a token of its own. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from zhixing.goals.bots.searching import KnownGroup
from zhixing.goals.loop.model import Graph, Node
from zhixing.goals.loop.values import GraphStatus

OFFERED = frozenset({GraphStatus.RUNNING, GraphStatus.HUNG})
"""The states of goals for which somebody outside may be looked for: of one that ended nobody needs to know more."""
Names = frozenset[str]
"""Under what a bot stands in a goal: its id, and those of its groups."""


def names_of(bot_id: str, groups: Iterable[KnownGroup] = ()) -> Names:
    """Return under what a bot stands in goals."""
    return frozenset({bot_id, *(each.id for each in groups if bot_id in each.bot_ids)} - {""})


def spoken_for(bot_id: str, groups: Iterable[KnownGroup] = ()) -> Names:
    """Return in whose name a bot may report: its own, and that of every group whose reporter it is."""
    return frozenset({bot_id, *(each.id for each in groups if each.bot_ids[:1] == (bot_id,))} - {""})


def sees(graph: Graph, names: Names) -> bool:
    """Whether a goal is any business of a bot: it owns it, works on it, or somebody outside is looked for."""
    if is_offered(graph) or names & {graph.head.info.owner_bot_id, graph.head.relay.owner}:
        return True
    return any(_works_on(node, names) for node in graph.nodes.values())


def is_offered(graph: Graph) -> bool:
    """Whether somebody outside may still take the rest of a goal."""
    return graph.head.relay.mode and graph.head.status in OFFERED


def _works_on(node: Node, names: Names) -> bool:
    run = node.run
    members = () if run.formation is None else run.formation.bot_ids
    return bool(names & {run.assignee, run.reporter, *members})


def reports_for(node: Node, names: Names) -> bool:
    """Whether the word of a bot about a node counts: of its reporter alone, or, where none is known, of who does it.

    `names` are those in which it may report (`spoken_for`).
    """
    return node.run.reporter in names if node.run.reporter else _works_on(node, names)
