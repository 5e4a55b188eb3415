"""Where devices are used, and the dids in rules that a hub does not know (mijia §4.2, §8 case 8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from zhixing.graphs.hubs.asking import AllRules, Reader, UnreadGraph, asked_for
from zhixing.graphs.rule import Rule
from zhixing.graphs.specs.home import Device
from zhixing.kernel.errors import BadInput
from zhixing.world.hub.port import Hub

MOST_PLACES = 1_000
"""Places of one device that are named."""
LONGEST_QUERY = 100
"""Characters of what is looked for."""


@dataclass(frozen=True, slots=True)
class DevicePlace:
    """A node that is about a device; `type` is its type, such as deviceGet."""

    rule: str
    rule_name: str
    enabled: bool
    node: str
    type: str


@dataclass(frozen=True, slots=True)
class DeviceUse:
    """A device and where it is used; `device` is None when the hub does not know the did."""

    did: str
    device: Device | None
    places: tuple[DevicePlace, ...]


@dataclass(frozen=True, slots=True)
class DeviceUsage:
    """What became of the question. `orphans` are all dids in rules that the hub does not know, asked for or not."""

    devices: tuple[DeviceUse, ...]
    orphans: tuple[DeviceUse, ...]
    unread: tuple[UnreadGraph, ...]

    @property
    def complete(self) -> bool:
        """Whether every graph was read. When not, a device without places may still be used."""
        return not self.unread


def find_device_usage(hub: Hub, dids: Sequence[str] | None = None, query: str | None = None) -> DeviceUsage:
    """Say where devices are used: those of the dids (at most 100), or those whose name, room, did or URN has `query`.

    With neither, all that rules use. Raises `BadInput` for both at once.
    """
    if dids is not None and query is not None:
        raise BadInput("graph_hub_usage_both")
    asked = None if dids is None else asked_for(dids)
    wanted = None if query is None else _words(query)
    reader = Reader(hub)
    return usage_in(reader.rules(), reader.devices(), asked, wanted)


def usage_in(
    found: AllRules, devices: Mapping[str, Device], dids: Sequence[str] | None, query: str | None
) -> DeviceUsage:
    """Decide the same of what was read. `query` is in small letters. Pure."""
    places = _places(found.rules)
    if dids is not None:
        named: Iterable[str] = dids
    elif query is not None:
        named = [*(did for did, each in devices.items() if _meets(did, each, query))]
        named += [did for did in places if did not in devices and query in did.lower()]
    else:
        named = [did for did in places if did in devices]
    return DeviceUsage(
        tuple(_use(did, devices, places) for did in named),
        tuple(_use(did, devices, places) for did in places if did not in devices),
        found.unread,
    )


def _places(rules: Iterable[Rule]) -> Mapping[str, Sequence[DevicePlace]]:
    found: dict[str, list[DevicePlace]] = {}
    for rule in rules:
        for node in rule.nodes:
            if node.did:
                place = DevicePlace(rule.id, rule.name, rule.enabled, node.id, node.type)
                found.setdefault(node.did, []).append(place)
    return found


def _use(did: str, devices: Mapping[str, Device], places: Mapping[str, Sequence[DevicePlace]]) -> DeviceUse:
    return DeviceUse(did, devices.get(did), tuple(places.get(did, ())[:MOST_PLACES]))


def _meets(did: str, device: Device, query: str) -> bool:
    return any(query in text.lower() for text in (did, device.name, device.room, device.urn or ""))


def _words(query: str) -> str:
    found = query.strip().lower()
    if not 0 < len(found) <= LONGEST_QUERY:
        raise BadInput("graph_hub_query", limit=LONGEST_QUERY)
    return found
