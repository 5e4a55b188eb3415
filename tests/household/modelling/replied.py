"""What a model replies, written short: only what is said, everything else is null as the schema wants it."""

from __future__ import annotations

from typing import Any

import msgspec
from tests.household.assembling.saying import FAMILY, NOW, homes

from zhixing.household.assembling.request import Request
from zhixing.household.assembling.wire import read_request
from zhixing.household.composing.model import Site
from zhixing.household.modelling.protocol import WireReply
from zhixing.world.devices.kinds import kinds

_CATEGORIES = {"ac": "air-conditioner", "alarm": "switch", "hood": "switch", "purifier": "switch"}


def request_of(
    text: str, home: str = FAMILY, answers: dict[str, str] | None = None, tasks: list[Any] | None = None
) -> Request:
    """Return `text` as it is said in one of the homes of the cases."""
    context = {**homes()[home], "now": NOW, "tz": "Asia/Shanghai", "tasks": tasks or []}
    return read_request({"id": "x", "text": text, "context": context, "answers": answers})[1]


def site_of(request: Request) -> Site:
    """Return the home of a request as a plan is composed for it."""
    specs = {one.did: kinds()[_CATEGORIES.get(one.kind, one.kind)].spec(one.did) for one in request.home.devices}
    return Site(request.home, specs)


def filled(reply: dict[str, Any]) -> dict[str, Any]:
    """Return the reply with every field that the schema requires."""
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(msgspec.convert(reply, WireReply)))
    return found


def creating(*tasks: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a reply that wants these tasks."""
    return filled({"op": "create", "tasks": list(tasks), **more})
