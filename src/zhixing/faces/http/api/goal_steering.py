"""What people do to goals: give them up, have them tried again, answer for a node, set what they may use."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from zhixing.faces.http.api.goal_calls import Json, body_schema, done, must_be_done, read, room_of
from zhixing.faces.http.api.goal_envelope import GoalAnswer
from zhixing.faces.http.home import AtHome, Home
from zhixing.goals.contracts.steering import read_budget, read_resolved, read_steered
from zhixing.goals.loop.replies import Reply
from zhixing.goals.loop.values import product_status

router = APIRouter(tags=["goals"])


@router.post("/cancel", response_model=GoalAnswer, openapi_extra=body_schema(task_id="string"))
def cancel(request: Request, home: AtHome, body: Json) -> Response:
    """Give a goal up: nothing of it runs any more, and what there is of a result is kept. Again is the same."""
    wanted = read(read_steered, body)
    return _done(request, home, wanted.task_id, room_of(home).goals.cancel(wanted.task_id))


@router.post("/retry", response_model=GoalAnswer, openapi_extra=body_schema(task_id="string", node_id="string?"))
def retry(request: Request, home: AtHome, body: Json) -> Response:
    """Have a node that hangs tried again, with fresh retries; without a node, everything that hangs."""
    wanted = read(read_steered, body)
    return _done(request, home, wanted.task_id, room_of(home).goals.retry(wanted.task_id, wanted.node_id))


@router.post(
    "/resolve", response_model=GoalAnswer, openapi_extra=body_schema(task_id="string", node_id="string", output="any")
)
def resolve(request: Request, home: AtHome, body: Json) -> Response:
    """Give the answer of a node that hangs; that of the root is looked at by the owner bot before the goal ends."""
    wanted, output = read(read_resolved, body)
    return _done(request, home, wanted.task_id, room_of(home).goals.resolve(wanted.task_id, wanted.node_id, output))


@router.post(
    "/budget",
    response_model=GoalAnswer,
    openapi_extra=body_schema(
        task_id="string", MAX_TOKENS="integer?", MAX_COST="number?", MAX_WALL_CLOCK="number?", tokens_left="integer?"
    ),
)
def budget(request: Request, home: AtHome, body: Json) -> Response:
    """Set what a goal may use; 0 means that nothing is left. One that stopped goes on when it is tried again."""
    task_id, wanted = read(read_budget, body)
    return _done(request, home, task_id, room_of(home).goals.budget(task_id, wanted))


def _done(request: Request, home: Home, task_id: str, reply: Reply) -> Response:
    """Answer with what people see of the goal now."""
    must_be_done(reply)
    graph = room_of(home).goals.graph(task_id)
    status = "" if graph is None else product_status(graph.head.status).value
    return done(request, reply, {"ok": True, "task_id": task_id, "status": status})
