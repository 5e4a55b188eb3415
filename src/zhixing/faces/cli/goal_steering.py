"""goal cancel, retry, resolve, budget: what people do about a goal that is under way or hangs."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from cyclopts import Parameter

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.files import content_of
from zhixing.faces.cli.goal_pages import budget_line, status_text
from zhixing.faces.cli.goal_watching import Goal
from zhixing.faces.cli.house import House, house
from zhixing.faces.cli.options import AtDesk, Json, text_of
from zhixing.faces.cli.usage import Usage
from zhixing.faces.goal_ids import goal_meant, node_id
from zhixing.faces.goal_replies import board_of, must_be_done
from zhixing.goals.contracts.fields import LARGEST_RESULT
from zhixing.goals.contracts.steering import LEFT, read_budget, read_resolved
from zhixing.goals.keeping.chronicle import title_of
from zhixing.goals.keeping.texts import word
from zhixing.goals.loop.model import Graph
from zhixing.goals.loop.replies import IDEMPOTENT, Reply
from zhixing.goals.loop.values import GraphStatus
from zhixing.kernel.errors import BadInput, NotFound
from zhixing.kernel.moments import micros
from zhixing.kernel.wording import wording

NodeName = Annotated[str, Parameter(name="NODE")]
OneNode = Annotated[str | None, Parameter(name="NODE")]
File = Annotated[str | None, Parameter(name="--file")]
Tokens = Annotated[int | None, Parameter(name="--tokens")]
Cost = Annotated[float | None, Parameter(name="--cost")]
Hours = Annotated[float | None, Parameter(name="--hours")]
Left = Annotated[int | None, Parameter(name="--left")]


def cancel(goal: Goal, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Give a goal up."""
    with house(desk) as home:
        found = goal_meant(home.app, goal).root.id
        reply = must_be_done(home.app.goals.goals.cancel(found))
        _answer(home, desk, found, [_said(reply, wording("goal_pages.cancelled", goal=word(found)))], as_json=as_json)


def retry(goal: Goal, node: OneNode = None, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Have a node that hangs tried again, or everything that hangs."""
    with house(desk) as home:
        graph = goal_meant(home.app, goal)
        found, named = graph.root.id, "" if node is None else node_id(graph, node)
        reply = must_be_done(home.app.goals.goals.retry(found, named))
        said = wording("goal_pages.retried", goal=word(found))
        if named:
            said = wording("goal_pages.retried_node", node=title_of(graph.nodes[named]))
        _answer(home, desk, found, [_said(reply, said), *home.goal_notes()], as_json=as_json)


def resolve(goal: Goal, node: NodeName, /, *text: str, file: File = None, as_json: Json = False, desk: AtDesk) -> None:
    """Give the result of a node that hangs."""
    if bool(text) == (file is not None):
        raise Usage("usage_goal_resolve")
    output = text_of(text, desk) if file is None else output_in(file, desk)
    with house(desk) as home:
        graph = goal_meant(home.app, goal)
        found, named = graph.root.id, node_id(graph, node)
        _, output = read_resolved({"task_id": found, "node_id": named, "output": output})
        reply = must_be_done(home.app.goals.goals.resolve(found, named, output))
        said = wording("goal_pages.resolved", node=title_of(graph.nodes[named]))
        _answer(home, desk, found, [_said(reply, said), *home.goal_notes()], as_json=as_json)


def budget(
    goal: Goal,
    /,
    *,
    tokens: Tokens = None,
    cost: Cost = None,
    hours: Hours = None,
    left: Left = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Set what a goal may use."""
    wanted = {
        "MAX_TOKENS": tokens,
        "MAX_COST": cost,
        "MAX_WALL_CLOCK": None if hours is None else hours * 3600,
        LEFT: left,
    }
    if all(each is None for each in wanted.values()) or (tokens is not None and left is not None):
        raise Usage("usage_goal_budget")
    with house(desk) as home:
        found = goal_meant(home.app, goal).root.id
        _, said = read_budget({"task_id": found, **{key: each for key, each in wanted.items() if each is not None}})
        must_be_done(home.app.goals.goals.budget(found, said))
        graph = _graph(home, found)
        lines = [wording("goal_pages.budget_set"), budget_line(graph, micros(desk.clock.now()) // 1000)]
        if graph.head.status is GraphStatus.HUNG:
            lines.append(wording("goal_pages.budget_go_on", goal=word(found)))
        _answer(home, desk, found, lines, as_json=as_json)


def output_in(file: str, desk: Desk) -> Any:
    """Return what is in a file: the object or list where it is JSON, else its text. Raises `BadInput`, `TooLarge`."""
    content = content_of(file, desk, LARGEST_RESULT)
    try:
        found = msgspec.json.decode(content)
    except (msgspec.MsgspecError, RecursionError):
        found = None
    if isinstance(found, dict | list):
        return found
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput("input_not_utf8", line=content[: error.start].count(b"\n") + 1) from error


def _said(reply: Reply, line: str) -> str:
    return wording("goal_pages.repeated") if reply.why == IDEMPOTENT.why else line


def _graph(home: House, found: str) -> Graph:
    graph = home.app.goals.goals.graph(found)
    if graph is None:
        raise NotFound("goal_task_none")
    return graph


def _answer(home: House, desk: Desk, found: str, lines: list[str], *, as_json: bool) -> None:
    """Print what was done, and how the goal stands now."""
    if as_json:
        desk.give(board_of(home.app, found))
    else:
        desk.say(*lines, status_text(_graph(home, found)))
