"""Local times as the picker of a browser writes them."""

from __future__ import annotations

from datetime import datetime

from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import Exact, locate
from zhixing.kernel.moments import zone as find_zone

_YEARS = range(1971, 2999)
"""Years that can be asked for: every zone has an instant for all of their times."""


def picked(text: str, zone_name: str) -> datetime:
    """Return the instant of a local time in a zone. Raises `BadInput` for one that is no one instant."""
    try:
        local = datetime.fromisoformat(text[:64])
    except ValueError as error:
        raise BadInput("instant_unreadable", text=text[:64]) from error
    if local.year not in _YEARS:
        raise BadInput("instant_unreadable", text=text[:64])
    if local.tzinfo is not None:
        return local
    found = locate(local, find_zone(zone_name))
    if not isinstance(found, Exact):
        raise BadInput("local_time_unclear", text=text[:64], zone=zone_name)
    return found.at
