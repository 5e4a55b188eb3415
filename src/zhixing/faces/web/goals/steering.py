"""The forms for a goal that is under way or hangs: give it up, try again, answer for a step, let it use more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form
from starlette.responses import Response

from zhixing.faces.goal_ids import goal_meant, node_id
from zhixing.faces.goal_replies import must_be_done
from zhixing.faces.web.desk import AtDesk, Desk, own_form
from zhixing.faces.web.goals.addresses import of_goal
from zhixing.faces.web.goals.showing import NOTHING, show_goal
from zhixing.faces.web.today.saying import lines_of
from zhixing.goals.contracts.steering import LEFT, read_budget, read_resolved
from zhixing.goals.loop.model import Graph
from zhixing.goals.loop.values import GraphStatus
from zhixing.kernel.errors import BadInput, ZhixingError

LONGEST_NUMBER = 16
"""Characters of a number in a form."""
forms = APIRouter(include_in_schema=False, dependencies=[Depends(own_form)])

Text = Annotated[str, Form()]


@forms.post("/goals/{goal:path}/cancel")
def cancel(desk: AtDesk, goal: str) -> Response:
    """Give a goal up."""
    goals = desk.home.app.goals.goals
    return _steer(desk, goal, lambda graph: must_be_done(goals.cancel(graph.root.id)), "goal_cancelled")


@forms.post("/goals/{goal:path}/retry")
def retry(desk: AtDesk, goal: str, node: Text = "") -> Response:
    """Have a step tried again, or everything that hangs."""
    goals = desk.home.app.goals.goals

    def act(graph: Graph) -> None:
        must_be_done(goals.retry(graph.root.id, node_id(graph, node) if node else ""))

    return _steer(desk, goal, act, "goal_retried")


@forms.post("/goals/{goal:path}/resolve")
def resolve(desk: AtDesk, goal: str, node: Text = "", output: Text = "") -> Response:
    """Give the result of a step that hangs."""
    goals, words = desk.home.app.goals.goals, lines_of(output)

    def act(graph: Graph) -> None:
        named = node_id(graph, node)
        _, said = read_resolved({"task_id": graph.root.id, "node_id": named, "output": words})
        must_be_done(goals.resolve(graph.root.id, named, said))

    return _steer(desk, goal, act, "goal_resolved", {node: words})


@forms.post("/goals/{goal:path}/budget")
def budget(desk: AtDesk, goal: str, left: Text = "", cost: Text = "", hours: Text = "") -> Response:
    """Set what a goal may use; what is left out stays as it is. One that stopped goes on when it is tried again."""
    goals = desk.home.app.goals.goals

    def act(graph: Graph) -> None:
        found = graph.root.id
        seconds = _number("MAX_WALL_CLOCK", hours)
        wanted = {
            LEFT: _number(LEFT, left),
            "MAX_COST": _number("MAX_COST", cost),
            "MAX_WALL_CLOCK": None if seconds is None else seconds * 3600,
        }
        _, said = read_budget({"task_id": found, **{key: each for key, each in wanted.items() if each is not None}})
        must_be_done(goals.budget(found, said))

    graph = _open_graph(desk, goal)
    note = "goal_budget_hung" if graph is not None and graph.head.status is GraphStatus.HUNG else "goal_budget"
    return _steer(desk, goal, act, note)


def _steer(
    desk: Desk, goal: str, act: Callable[[Graph], Any], note: str, drafts: Mapping[str, str] = NOTHING
) -> Response:
    def acted() -> str:
        graph = goal_meant(desk.home.app, goal)
        act(graph)
        return of_goal(graph.root.id)

    return desk.act(acted, lambda error: show_goal(desk, goal, error, drafts=drafts), note)


def _open_graph(desk: Desk, goal: str) -> Graph | None:
    try:
        return goal_meant(desk.home.app, goal)
    except ZhixingError:
        # Said by the form itself.
        return None


def _number(name: str, written: str) -> int | float | None:
    plain = written.strip()
    if not plain:
        return None
    if len(plain) > LONGEST_NUMBER:
        raise BadInput("goal_limit_wrong", name=name)
    try:
        return int(plain) if plain.isascii() and plain.isdecimal() else float(plain)
    except ValueError as error:
        raise BadInput("goal_limit_wrong", name=name) from error
