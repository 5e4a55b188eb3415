"""The board: a bot takes over the rest of a goal, hangs its own node into it, and brings the result (taskloop §2.7)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from zhixing.faces import goal_wire
from zhixing.faces.http.api.goal_callbacks import TAKEN
from zhixing.faces.http.api.goal_calls import Bot, Json, Key, body_schema, done, key_of, must_be, names, read, room_of
from zhixing.faces.http.api.goal_envelope import GoalAnswer, answered
from zhixing.faces.http.api.goals import Page, PageSize, Statuses, node_statuses, paging
from zhixing.faces.http.home import AtHome
from zhixing.goals.contracts.relaying import read_attach, read_claim, read_relay_result
from zhixing.goals.running.listing import Listing
from zhixing.goals.tokens.standing import sees

LONGEST_WORD = 100
MOST_SHOWN = 1000

router = APIRouter(prefix="/bbs", tags=["goals"])


@router.post("/claim", response_model=GoalAnswer, openapi_extra=body_schema(task_id="string", bot_id="string"))
def claim(request: Request, home: AtHome, body: Json, bot: Bot) -> Response:
    """Let a bot own the rest of a goal; one alone does, and for it claiming again changes nothing."""
    wanted = read(read_claim, body)
    must_be(bot, wanted.bot_id)
    reply = room_of(home).goals.claim(wanted.task_id, wanted.bot_id)
    return done(request, reply, reply.data)


@router.post(
    "/attach",
    response_model=GoalAnswer,
    openapi_extra=body_schema(task_id="string", bot_id="string", parent_node_id="string", task_spec="object"),
)
def attach(request: Request, home: AtHome, body: Json, bot: Bot, idempotency_key: Key = None) -> Response:
    """Hang the owner's node into the goal, and let it run. The same request again is the same node."""
    wanted = read(read_attach, body)
    must_be(bot, wanted.bot_id)
    key = key_of(idempotency_key, wanted.key)
    reply = room_of(home).goals.attach(wanted.task_id, wanted.bot_id, wanted.parent, wanted.spec, key)
    return done(request, reply, reply.data)


@router.post(
    "/result",
    response_model=GoalAnswer,
    openapi_extra=body_schema(
        task_id="string",
        node_id="string",
        bot_id="string",
        acceptance_result="object?",
        output_patch="object?",
        exec_error="string?",
    ),
)
def result(request: Request, home: AtHome, body: Json, bot: Bot) -> Response:
    """Take what a relay came to; its owner bot looks at the goal again, whatever is said of the root."""
    task_id, said = read(read_relay_result, body)
    must_be(bot, said.bot)
    return done(request, room_of(home).goals.bbs_result(task_id, said), TAKEN)


@router.get("/list", response_model=GoalAnswer)
def list_relays(
    request: Request,
    home: AtHome,
    bot: Bot,
    *,
    page: Page = None,
    page_size: PageSize = None,
    status: Statuses = None,
    search_word: Annotated[str, Query(max_length=LONGEST_WORD, description="In titles.")] = "",
) -> Response:
    """List the nodes that bots of the board do or did, those of the newest goals first."""
    limit, offset = paging(page, page_size, MOST_SHOWN)
    found = Listing(home.app.store).relayed(node_statuses(status), search_word.strip())
    own = None if bot is None else names(home, bot)
    theirs = [each for each in found if own is None or sees(each.graph, own)]
    items = [goal_wire.of_relayed(each) for each in theirs[offset : offset + limit]]
    return answered(request.scope, items if page is None else {"total": len(theirs), "items": items})
