"""What the endpoints of goals share: who calls, what came, and what is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Header, Request
from starlette.responses import Response

from zhixing.faces.http.api.goal_envelope import AlreadyThere, BrokenShape, Unprocessable, answered
from zhixing.faces.http.api.raw import decoded
from zhixing.faces.http.bot_doors import BOT
from zhixing.faces.http.home import Home
from zhixing.goals.contracts.fields import Fields, must_be_bounded
from zhixing.goals.contracts.requesting import KEY, LONGEST_KEY
from zhixing.goals.loop.replies import Reply
from zhixing.goals.room import GoalRoom
from zhixing.goals.tokens.standing import Names, names_of, spoken_for
from zhixing.kernel.errors import BadInput, Conflict, NotFound, Refused, ZhixingError
from zhixing.kernel.wording import section

T = TypeVar("T")

_NAMES = {"TaskNotFoundError": "goal_task_none", "NodeNotFoundError": "goal_node_none"}


def room_of(home: Home) -> GoalRoom:
    """Return the goals of a home."""
    return home.app.goals


def names(home: Home, bot: str) -> Names:
    """Return under what a bot stands in goals, with its groups."""
    return names_of(bot, room_of(home).groups.known())


def read(reader: Callable[[Mapping[str, Any]], T], body: Mapping[str, Any]) -> T:
    """Read a body. Raises `Unprocessable` where the reader says that it cannot be used."""
    with _of_body():
        return reader(body)


def own_words(home: Home, bot: str) -> Names:
    """Return in whose name a bot may report."""
    return spoken_for(bot, room_of(home).groups.known())


@contextmanager
def _of_body() -> Iterator[None]:
    try:
        yield
    except BadInput as error:
        if type(error) is not BadInput:
            raise
        raise Unprocessable(error.key, **error.values) from error


async def _json(request: Request) -> Mapping[str, Any]:
    body = await request.body()
    with _of_body():
        found = decoded(body)
        if not isinstance(found, dict):
            raise BadInput("body_no_object")
        must_be_bounded(found)
    return found


async def _bot(request: Request) -> str | None:
    found: str | None = request.scope.get(BOT)
    return found


Json = Annotated[Mapping[str, Any], Depends(_json)]
Bot = Annotated[str | None, Depends(_bot)]
Key = Annotated[
    str | None,
    Header(alias="Idempotency-Key", max_length=LONGEST_KEY, description="The same key again is the same request."),
]


def key_of(header: str | None, in_body: str) -> str:
    """Return the key of a request, which may come as a header or in the body, or as both alike."""
    given = (header or "").strip()
    if not given.isprintable() or (given and in_body and given != in_body):
        raise Unprocessable("goal_key_twice", name=KEY)
    return given or in_body


def must_be(bot: str | None, named: str) -> None:
    """Raise `Refused` when a bot speaks in the name of another one."""
    if bot is not None and bot != named:
        raise Refused("goal_bot_other")


def asked_id(key: str, value: str) -> str:
    """Return an id out of a query. Raises `BadInput`."""
    must_be_bounded(value)
    return Fields({key: value}).needed_id(key)


def done(request: Request, reply: Reply, data: object) -> Response:
    """Answer what became of a request. Raises the error that a refusal is."""
    must_be_done(reply)
    return answered(request.scope, data, reply.why or "OK")


def must_be_done(reply: Reply) -> None:
    """Raise the error that a refusal is."""
    if not reply.error:
        return
    key = _NAMES.get(reply.error, f"goal_reply_{reply.why}")
    raise _KINDS[reply.error](key if key in section("errors", "zh") else "goal_reply_other")


_KINDS: Mapping[str, type[ZhixingError]] = {
    "TaskNotFoundError": NotFound,
    "NodeNotFoundError": NotFound,
    "TaskStateError": Conflict,
    "GraphIntegrityError": BrokenShape,
    "GraphAlreadyInitializedError": AlreadyThere,
    "ValidationError": Unprocessable,
    "ForbiddenError": Refused,
}

REFERENCE = {"$ref": "#/components/schemas/GoalAnswer"}


def body_schema(**properties: str) -> dict[str, Any]:
    """Describe a body for OpenAPI: its fields, each with its type; one that ends in `?` may be left out."""
    described = {name: _kind(kind) for name, kind in properties.items()}
    needed = [name for name, kind in properties.items() if not kind.endswith("?")]
    schema = {"type": "object", "properties": described, **({"required": needed} if needed else {})}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


def _kind(kind: str) -> dict[str, Any]:
    bare = kind.removesuffix("?")
    return {} if bare == "any" else {"type": bare}
