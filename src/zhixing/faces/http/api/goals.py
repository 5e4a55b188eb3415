"""Goals: handed in, looked at, listed; and the bots that do them (taskloop §2.3–2.5)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from zhixing.faces import goal_wire
from zhixing.faces.http.api.goal_calls import (
    Bot,
    Json,
    Key,
    asked_id,
    body_schema,
    done,
    key_of,
    must_be_done,
    names,
    read,
    room_of,
)
from zhixing.faces.http.api.goal_envelope import AlreadyThere, GoalAnswer, answered
from zhixing.faces.http.home import AtHome
from zhixing.goals.contracts.requesting import read_request
from zhixing.goals.loop.values import GraphStatus, NodeStatus
from zhixing.goals.running.listing import Listing, Wanted
from zhixing.goals.running.operations import MOST_LISTED
from zhixing.goals.tokens.standing import OFFERED, sees
from zhixing.kernel.errors import BadInput, NotFound
from zhixing.kernel.moments import zone as find_zone

LARGEST_PAGE = 100
LARGEST_NUMBER = 1_000_000
LONGEST_FILTER = 200

router = APIRouter(tags=["goals"])

Statuses = Annotated[str | None, Query(max_length=LONGEST_FILTER, description="Runtime states, with commas between.")]
Page = Annotated[int | None, Query(ge=1, le=LARGEST_NUMBER, description="From 1; together with `page_size`.")]
PageSize = Annotated[int | None, Query(ge=1, le=LARGEST_PAGE, description="Together with `page`.")]


@router.post(
    "/execute",
    response_model=GoalAnswer,
    openapi_extra=body_schema(
        task_spec="object",
        owner_user_id="string",
        owner_bot_id="string",
        source_type="string?",
        execution_config="object?",
    ),
)
def execute(request: Request, home: AtHome, body: Json, idempotency_key: Key = None) -> Response:
    """Hand a goal in: it is kept and under way when this is answered. The same key again is the same goal."""
    wanted = read(read_request, body)
    info = replace(wanted.info, key=key_of(idempotency_key, wanted.info.key))
    reply = room_of(home).goals.execute(info, wanted.config)
    if reply.why == "key_reused":
        raise AlreadyThere("goal_reply_key_reused")
    must_be_done(reply)
    record = Listing(home.app.store).record(reply.data["task_id"])
    if record is None:
        raise NotFound("goal_task_none")
    if record.config != wanted.config:
        raise AlreadyThere("goal_reply_key_reused")
    return done(request, reply, goal_wire.of_accepted(record))


@router.get("/dashboard", response_model=GoalAnswer)
def dashboard(
    request: Request,
    home: AtHome,
    bot: Bot,
    *,
    task_id: Annotated[str, Query(description="The goal.")],
    node_id: Annotated[str, Query(description="Only what is under this node.")] = "",
    include_action_log: Annotated[bool, Query(description="With what happened to each node.")] = False,
) -> Response:
    """Show a goal as a graph of nodes, with states as people see them. A bot sees goals that are its business."""
    goals, task_id = room_of(home).goals, asked_id("task_id", task_id)
    if bot is not None and ((graph := goals.graph(task_id)) is None or not sees(graph, names(home, bot))):
        raise NotFound("goal_task_none")
    node_id = asked_id("node_id", node_id) if node_id else ""
    reply = goals.dashboard(task_id, node_id, "actions" if include_action_log else "none")
    must_be_done(reply)
    record = Listing(home.app.store).record(task_id)
    if record is None:
        raise NotFound("goal_task_none")
    return answered(request.scope, goal_wire.of_dashboard(reply.data, record))


@router.get("/list", response_model=GoalAnswer)
def list_goals(
    request: Request,
    home: AtHome,
    bot: Bot,
    *,
    status: Statuses = None,
    user_id: Annotated[str | None, Query(description="Only those of this owner.")] = None,
    page: Page = None,
    page_size: PageSize = None,
) -> Response:
    """List goals, the newest first: a page with its total, or without page numbers a bare list.

    A bot sees those for which somebody outside is looked for.
    """
    owner = None if not user_id else asked_id("user_id", user_id)
    limit, offset = paging(page, page_size, MOST_LISTED)
    statuses = [each for each in graph_statuses(status) if bot is None or each in OFFERED]
    wanted = Wanted(owner, statuses, bbs_only=bot is not None)
    listing, zone = Listing(home.app.store), find_zone(home.app.zone.name)
    catalog = room_of(home).catalog
    items = [goal_wire.of_record(each, zone, catalog) for each in listing.page(wanted, limit, offset)]
    return answered(request.scope, items if page is None else {"total": listing.count(wanted), "items": items})


@router.get("/bots", response_model=GoalAnswer)
def bots(request: Request, home: AtHome) -> Response:
    """List the bots that do goals: what they can, and whether they take work now. How they are reached stays here."""
    room, now = room_of(home), home.app.clock.now()
    with_token = {each.bot_id for each in room.tokens.listed()}
    items = [goal_wire.of_bot(each, now, with_token) for each in room.catalog]
    return answered(request.scope, {"total": len(items), "items": items})


def paging(page: int | None, page_size: int | None, everything: int) -> tuple[int, int]:
    """Return how many, and after how many. Raises `BadInput` where only one half of a page is given."""
    if page is None and page_size is None:
        return everything, 0
    if page is None or page_size is None:
        raise BadInput("goal_page_half")
    return page_size, (page - 1) * page_size


def graph_statuses(given: str | None) -> Collection[GraphStatus]:
    """Return the states of goals that are named; those that only nodes have are no state of a goal."""
    if not given:
        return tuple(GraphStatus)
    known = {each.value for each in GraphStatus}
    return [GraphStatus(each) for each in node_statuses(given) if each in known]


def node_statuses(given: str | None) -> Collection[NodeStatus]:
    """Return the runtime states that are named with commas between. Raises `BadInput` for one that there is not."""
    found = [each.strip().upper() for each in (given or "").split(",") if each.strip()]
    if given and not found:
        raise BadInput("goal_status_unknown", choices="、".join(NodeStatus))
    for each in found:
        if each not in {"SUCCESS", *NodeStatus}:
            raise BadInput("goal_status_unknown", choices="、".join(NodeStatus))
    # Later versions of the protocol call it so.
    return [NodeStatus.DONE if each == "SUCCESS" else NodeStatus(each) for each in found]
