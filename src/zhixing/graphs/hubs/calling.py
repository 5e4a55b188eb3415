"""A method of a hub called by its name, for what has no function of its own: reads only (mijia §4.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from zhixing.graphs.rule import Json
from zhixing.graphs.specs.jsontext import shown
from zhixing.kernel.errors import BadInput, Refused
from zhixing.world.hub.port import CALL_SECONDS, READS, Hub, Method

LONGEST_WAIT: Final = 60.0
"""Seconds that a call may be told to wait."""


def call_read(hub: Hub, name: str, params: Mapping[str, Json], seconds: float = CALL_SECONDS) -> Json:
    """Call a method that changes nothing, and return its answer as it is.

    Raises `Refused` for the others, which have functions that check what they do, and `BadInput` for none.
    """
    if not 0 < seconds <= LONGEST_WAIT:
        raise BadInput("graph_hub_wait", limit=int(LONGEST_WAIT))
    try:
        method = Method(name)
    except ValueError as error:
        reads = "、".join(sorted(READS))
        raise BadInput("graph_hub_method_unknown", name=shown(name), reads=reads) from error
    if method not in READS:
        raise Refused("graph_hub_read_only", name=name)
    return hub.call(method, params, seconds=seconds)
