"""goal list, show, watch: which goals there are, and how one stands."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Annotated, Literal

from cyclopts import Parameter

from zhixing.faces import goal_wire
from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.goal_pages import action_lines, goal_page, goal_row, moment, state_text, status_text, what_to_do
from zhixing.faces.cli.house import House, house
from zhixing.faces.cli.options import AtDesk, Json, Limit, within
from zhixing.faces.goal_ids import goal_id, goal_meant, node_id
from zhixing.faces.goal_replies import board_of
from zhixing.goals.keeping.chronicle import title_of
from zhixing.goals.keeping.news import result_lines
from zhixing.goals.keeping.texts import single_line, word
from zhixing.goals.loop.model import Graph
from zhixing.goals.loop.tree import is_over
from zhixing.goals.loop.values import GraphStatus
from zhixing.goals.running import rows
from zhixing.goals.running.listing import Listing, Wanted
from zhixing.kernel.errors import NotFound
from zhixing.kernel.moments import micros
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording

LARGEST_PAGE = 100
MOST_SKIPPED = 1_000_000
LONGEST = 7 * 86_400
"""Seconds one can watch."""
_LOOK = 0.5

Goal = Annotated[str, Parameter(name="GOAL")]
OfStatus = Annotated[Literal["running", "hung", "done", "failed", "cancelled"] | None, Parameter(name="--status")]
All = Annotated[bool, Parameter(name="--all", negative=())]
Offset = Annotated[int, Parameter(name="--offset")]
OfNode = Annotated[str | None, Parameter(name="--node")]
Log = Annotated[bool, Parameter(name="--log", negative=())]
Once = Annotated[bool, Parameter(name="--once", negative=())]
Seconds = Annotated[int, Parameter(name="--seconds")]

_OPEN = (GraphStatus.RUNNING, GraphStatus.HUNG)


def list_(
    *,
    status: OfStatus = None,
    everything: All = False,
    limit: Limit = 20,
    offset: Offset = 0,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """List goals, the newest first: those that are not over, or all."""
    within("--limit", limit, 1, LARGEST_PAGE)
    within("--offset", offset, 0, MOST_SKIPPED)
    if status is not None:
        statuses: tuple[GraphStatus, ...] = (GraphStatus(status.upper()),)
    else:
        statuses = tuple(GraphStatus) if everything else _OPEN
    wanted = Wanted(statuses=statuses)
    with house(desk) as home:
        listing, zone = Listing(home.app.store), find_zone(home.app.zone.name)
        found, total = listing.page(wanted, limit, offset), listing.count(wanted)
        shapes = [goal_wire.of_record(each, zone, home.app.goals.catalog) for each in found]
    if as_json:
        desk.give({"total": total, "items": shapes})
        return
    desk.lay_out([goal_row(each, zone) for each in found])
    if not found:
        desk.say(wording("goal_pages.none"))
    elif total > offset + len(found):
        desk.say(wording("goal_pages.more", offset=offset + len(found)))


def show(goal: Goal, /, *, node: OfNode = None, log: Log = False, as_json: Json = False, desk: AtDesk) -> None:
    """Show a goal, or what is under one of its nodes."""
    with house(desk) as home:
        graph = goal_meant(home.app, goal)
        named = "" if node is None else node_id(graph, node)
        if as_json:
            desk.give(board_of(home.app, graph.root.id, named, "actions" if log else "none"))
            return
        with home.app.store.read() as tx:
            task_id = home.app.goals.keeping.task_of(tx, graph.root.id)
            actions = rows.actions(tx, graph.root.id) if log else []
        zone = find_zone(home.app.zone.name)
        desk.say(*goal_page(graph, task_id, _now(home), named))
        desk.say(*action_lines(graph, actions, zone, named))
        if graph.head.status is GraphStatus.RUNNING:
            desk.say(*home.goal_notes())


def watch(goal: Goal, /, *, once: Once = False, seconds: Seconds = LONGEST, as_json: Json = False, desk: AtDesk) -> int:
    """Follow a goal until it ends or stops; the exit code is 0 when it is done, else 1."""
    within("--seconds", seconds, 1, LONGEST)
    with house(desk) as home:
        found = goal_id(home.app, goal)
        graph = _graph(home, found)
        if not as_json and graph.head.status is GraphStatus.RUNNING:
            desk.say(*home.goal_notes())
        tell: Callable[[str], None] = _unsaid if as_json else desk.say
        graph = _follow(home, graph, tell, 0 if once else seconds)
        if as_json:
            desk.give(board_of(home.app, found))
        else:
            _say_end(graph, seconds, desk, once=once)
    return 0 if graph.head.status is GraphStatus.DONE or once else 1


def _follow(home: House, graph: Graph, tell: Callable[[str], None], seconds: int) -> Graph:
    """Tell of each change of a goal and its nodes until it stops; return how it is then."""
    clock, never = home.app.clock, threading.Event()
    end, zone = clock.monotonic() + seconds, find_zone(home.app.zone.name)
    told: dict[str, str] = {}
    while True:
        for subject, line in _standing(graph):
            if told.get(subject) != line:
                told[subject] = line
                tell(wording("goal_pages.watch_node", when=moment(_now(home), zone), step=line))
        if is_over(graph) or clock.monotonic() >= end:
            return graph
        clock.wait(never, _LOOK)
        graph = _graph(home, graph.root.id)


def _standing(graph: Graph) -> list[tuple[str, str]]:
    """Return how the goal and each of its nodes stands, in a line."""
    found = [("", status_text(graph))]
    for node in graph.nodes.values():
        if node.id != graph.root.id:
            parts = [f"[{state_text(node)}]", title_of(node), word(node.id), single_line(node.run.assignee or "")]
            found.append((node.id, "  ".join(filter(None, parts))))
    if graph.head.relay.mode and graph.head.relay.owner:
        found.append(("\n", wording("goal_news.task_relay", bot=single_line(graph.head.relay.owner))))
    return found


def _say_end(graph: Graph, seconds: int, desk: Desk, *, once: bool) -> None:
    if is_over(graph):
        desk.say(*result_lines(graph), *what_to_do(graph))
    elif not once:
        desk.say(wording("goal_pages.watch_still", seconds=seconds, goal=word(graph.root.id)))


def _graph(home: House, found: str) -> Graph:
    graph = home.app.goals.goals.graph(found)
    if graph is None:
        raise NotFound("goal_task_none")
    return graph


def _now(home: House) -> int:
    return micros(home.app.clock.now()) // 1000


def _unsaid(_line: str) -> None:
    return None
