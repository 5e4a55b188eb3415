"""What executors say of their leaves: each is taken once, however often it comes (taskloop §2.6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from zhixing.faces.http.api.goal_calls import (
    Bot,
    Json,
    body_schema,
    done,
    must_be_done,
    names,
    own_words,
    read,
    room_of,
)
from zhixing.faces.http.api.goal_envelope import GoalAnswer, answered
from zhixing.faces.http.home import AtHome, Home
from zhixing.goals.contracts.reporting import Callback, InSession, Named, read_callback, read_result, read_start
from zhixing.goals.loop.events import Report, Started
from zhixing.goals.loop.replies import NO_NODE, NO_TASK, forbidden
from zhixing.goals.running.operations import Goals
from zhixing.goals.tokens.standing import Names, reports_for, sees

TAKEN = {"ok": True}

router = APIRouter(prefix="/callback", tags=["goals"])

_ANY = body_schema(
    loop_task_id="string?", task_id="string?", node_id="string?", result="object?", status="string?", event_id="string?"
)
_NAMED = body_schema(loop_task_id="string?", task_id="string?", node_id="string?")


@router.post("/report", response_model=GoalAnswer, openapi_extra=_ANY)
def report(request: Request, home: AtHome, body: Json, bot: Bot) -> Response:
    """Take a result in any of the shapes that are known. Sent again it changes nothing and is acknowledged again."""
    return _take(request, home, body, bot, read_callback)


@router.post("/workflow_start", response_model=GoalAnswer, openapi_extra=_NAMED)
def workflow_start(request: Request, home: AtHome, body: Json, bot: Bot) -> Response:
    """Take the word of another system that a goal which it drives began."""
    return _take(request, home, body, bot, read_start)


@router.post("/workflow_result", response_model=GoalAnswer, openapi_extra=_ANY)
def workflow_result(request: Request, home: AtHome, body: Json, bot: Bot) -> Response:
    """Take the result of a goal that another system drives, by the name of the goal or by its session."""
    return _take(request, home, body, bot, read_result)


@router.post("/node_start", response_model=GoalAnswer, openapi_extra=_NAMED)
def node_start(request: Request, home: AtHome, body: Json, bot: Bot) -> Response:
    """Take the word of an executor that it began with a leaf."""
    return _take(request, home, body, bot, read_start)


@router.post("/node_result", response_model=GoalAnswer, openapi_extra=_ANY)
def node_result(request: Request, home: AtHome, body: Json, bot: Bot) -> Response:
    """Take the result of a leaf, by its name or by its session."""
    return _take(request, home, body, bot, read_result)


def _take(
    request: Request,
    home: Home,
    body: Mapping[str, Any],
    bot: str | None,
    reader: Callable[[Mapping[str, Any]], Callback],
) -> Response:
    said = read(reader, body)
    found = _placed(home, said)
    if found is None:
        # What cannot be placed is kept: it must not be sent again and again, and somebody may look for it.
        room_of(home).callbacks.keep(body, bot or "")
        return answered(request.scope, TAKEN, "recorded")
    task_id, event = found
    goals = room_of(home).goals
    if bot is not None:
        _must_be_theirs(goals, task_id, event, names(home, bot), own_words(home, bot))
    if isinstance(event, Report) and bot is not None:
        event = replace(event, by=bot)
    return done(request, goals.report(task_id, event), TAKEN)


def _placed(home: Home, said: Callback) -> tuple[str, Report | Started] | None:
    """Return the goal and what is said of it; None for what belongs to nothing, or says nothing of the result."""
    match said:
        case Named(task_id, event):
            return task_id, event
        case InSession(session_id):
            place = room_of(home).callbacks.place_of(session_id)
            found = None if place is None else said.report_on(place[1], place[2])
            return None if place is None or found is None else (place[0], found)
        case _:
            return None


def _must_be_theirs(goals: Goals, task_id: str, event: Report | Started, own: Names, speaks: Names) -> None:
    """Refuse the word of a bot about what it has nothing to do with; the decider looks again at who reports."""
    graph = goals.graph(task_id)
    if graph is None or not sees(graph, own):
        must_be_done(NO_TASK)
        return
    node = graph.nodes.get(event.node)
    if node is None:
        must_be_done(NO_NODE)
    elif not reports_for(node, speaks):
        must_be_done(forbidden("not_the_reporter"))
