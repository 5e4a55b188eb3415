"""The messages of Home Assistant's WebSocket API that we read. What is not named here is passed over."""

from __future__ import annotations

from typing import Any

import msgspec


class Error(msgspec.Struct, frozen=True, gc=False):
    """Why a command was not carried out."""

    code: str | int = ""
    message: str = ""


class Said(msgspec.Struct, frozen=True):
    """One message. `result` and `event` are read when it is known what they answer."""

    type: str = ""
    id: int | None = None
    success: bool = False
    result: msgspec.Raw = msgspec.Raw(b"null")
    error: Error | None = None
    event: msgspec.Raw = msgspec.Raw(b"null")
    ha_version: str = ""


class Context(msgspec.Struct, frozen=True, gc=False):
    """What a change belongs to."""

    id: str = ""


class State(msgspec.Struct, frozen=True):
    """One entity as it is."""

    entity_id: str
    state: str
    attributes: dict[str, Any] = {}
    last_updated: str = ""
    context: Context = Context()

    @property
    def domain(self) -> str:
        """What comes before the dot of its id."""
        return self.entity_id.partition(".")[0]


class Configured(msgspec.Struct, frozen=True, gc=False):
    """How Home Assistant is set up; `state` says whether it is up."""

    state: str = ""


RUNNING = "RUNNING"


class Area(msgspec.Struct, frozen=True, gc=False):
    """A room."""

    area_id: str
    name: str


class Appliance(msgspec.Struct, frozen=True, gc=False):
    """A device of the registry: what its entities belong to."""

    id: str
    area_id: str | None = None
    manufacturer: str | None = None
    model: str | None = None


class Entry(msgspec.Struct, frozen=True, gc=False):
    """An entity of the registry. `name` is the one its owner gave."""

    entity_id: str
    area_id: str | None = None
    device_id: str | None = None
    hidden_by: str | None = None
    entity_category: str | None = None
    platform: str = ""


class Changed(msgspec.Struct, frozen=True):
    """What changed of one entity; no `new_state` where it is gone, no `old_state` where it is new."""

    entity_id: str
    old_state: State | None = None
    new_state: State | None = None


class Happened(msgspec.Struct, frozen=True):
    """An event of the bus."""

    event_type: str
    data: msgspec.Raw = msgspec.Raw(b"{}")
    time_fired: str = ""
    context: Context = Context()


SAID = msgspec.json.Decoder(Said)
HAPPENED = msgspec.json.Decoder(Happened)
CHANGED = msgspec.json.Decoder(Changed)
CONFIGURED = msgspec.json.Decoder(Configured)
STATES = msgspec.json.Decoder(list[State])
AREAS = msgspec.json.Decoder(list[Area])
APPLIANCES = msgspec.json.Decoder(list[Appliance])
ENTRIES = msgspec.json.Decoder(list[Entry])
DATA = msgspec.json.Decoder(dict[str, Any])
