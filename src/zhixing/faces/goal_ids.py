"""Which goal and which node a person means."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from zhixing.app import App
from zhixing.faces.ids import read_id
from zhixing.goals.contracts.fields import must_be_bounded
from zhixing.goals.contracts.shapes import LONGEST_ID
from zhixing.goals.keeping.chronicle import title_of
from zhixing.goals.keeping.texts import single_line
from zhixing.goals.loop.model import Graph
from zhixing.goals.running.listing import Listing
from zhixing.goals.running.rows import graph_of
from zhixing.kernel.errors import BadInput, NotFound

SHORTEST = 6
"""Characters of a goal's id that are enough, where no other begins with them."""
_TASK = "t"
_SHOWN = 5
_NEWEST = 100
_LONGEST_SHOWN = 64


def goal_id(app: App, written: str) -> str:
    """Return the goal that a person means: by its id, the beginning of one, or the id of its task (t5).

    Raises `NotFound` with the nearest ids, `BadInput` where several begin so.
    """
    wanted = written.strip()
    must_be_bounded(wanted)
    if len(wanted) > LONGEST_ID:
        raise BadInput("goal_id_unreadable")
    listing = Listing(app.store)
    if wanted and listing.record(wanted) is not None:
        return wanted
    task_id = read_id(wanted, _TASK)
    if task_id is not None:
        with app.store.read() as tx:
            found = app.goals.keeping.goal_of(tx, task_id)
        if found is not None:
            return found
    begun = listing.beginning(wanted.lower(), _SHOWN) if len(wanted) >= SHORTEST else ()
    if len(begun) > 1:
        raise BadInput("goal_id_several", id=single_line(wanted, _LONGEST_SHOWN), known=_listed(begun))
    if begun:
        return begun[0]
    known = listing.beginning("", _NEWEST)
    if not known:
        raise NotFound("goal_none_yet", id=single_line(wanted, _LONGEST_SHOWN))
    near = get_close_matches(wanted.lower(), known, n=_SHOWN, cutoff=0.5) or known[:_SHOWN]
    raise NotFound("goal_unknown", id=single_line(wanted, _LONGEST_SHOWN), known=_listed(near))


def goal_meant(app: App, written: str) -> Graph:
    """Return the goal that a person means, as it is now. Raises like `goal_id`."""
    found = goal_id(app, written)
    with app.store.read() as tx:
        graph = graph_of(tx, found)
    if graph is None:
        raise NotFound("goal_task_none")
    return graph


def node_id(graph: Graph, written: str) -> str:
    """Return the node that a person means: by its id, or by a title that only one has.

    Raises `NotFound` with the nearest ids.
    """
    wanted = written.strip()
    if wanted in graph.nodes:
        return wanted
    titled = [node.id for node in graph.nodes.values() if wanted and title_of(node) == wanted]
    if len(titled) == 1:
        return titled[0]
    near = get_close_matches(wanted[:_LONGEST_SHOWN], list(graph.nodes), n=_SHOWN, cutoff=0.5)
    known = near or list(graph.nodes)[:_SHOWN]
    raise NotFound("goal_node_unknown", id=single_line(wanted, _LONGEST_SHOWN), known=_listed(known))


def _listed(ids: Iterable[str]) -> str:
    return "、".join(single_line(each, _LONGEST_SHOWN) for each in ids)
