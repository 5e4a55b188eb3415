"""Events as they can be stored: what bots write may hold halves of characters, which no database takes."""

from __future__ import annotations

import json
from typing import TypeVar

import msgspec

from zhixing.goals.loop.events import Event

E = TypeVar("E", bound=Event)


def storable(event: E) -> E:
    """Return an event without lone surrogates; each becomes a question mark."""
    try:
        msgspec.json.encode(event)
    except UnicodeEncodeError:
        text = json.dumps(msgspec.to_builtins(event), ensure_ascii=False)
        return msgspec.json.decode(text.encode("utf-8", "replace"), type=type(event))
    return event
