"""A virtual home as its owner writes it, in YAML: rooms, people, cameras and devices.

Read strictly: what is unknown, doubled, out of range or in a room that is not listed is refused with its line and what
comes nearest. A camera with several channels becomes one camera for each, `did:ch1` and on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

from zhixing.kernel.errors import BadInput
from zhixing.world.devices.fields import Fields, one_line, one_of
from zhixing.world.devices.kinds import kinds
from zhixing.world.devices.port import Level, Person
from zhixing.world.devices.specreading import read_kind, read_value
from zhixing.world.devices.specs import Kind, Property
from zhixing.world.devices.yamltext import Leaf, Node, Table, read_yaml

MOST_IN_USE = 4
"""Cameras that may judge at once."""

_MOST_ROOMS, _MOST_PEOPLE, _MOST_CAMERAS, _MOST_DEVICES, _MOST_CHANNELS = 100, 100, 64, 500, 8
_LONGEST_TRANSITION = 3_600.0
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,55}")


class Fault(StrEnum):
    """How a device misbehaves, for trials."""

    OFFLINE = "offline"
    """It is listed as online and cannot be reached."""
    FAILS = "fails"
    """It can be read and refuses every command."""
    SILENT = "silent"
    """It takes every command and never answers."""


@dataclass(frozen=True, slots=True)
class PlannedCamera:
    """A camera, and how it is before anybody changes that."""

    did: str
    name: str
    room: str
    online: bool
    in_use: bool


@dataclass(frozen=True, slots=True)
class PlannedDevice:
    """A device, and how it is before anybody changes that. `initial` holds values by iid."""

    did: str
    name: str
    room: str
    kind: Kind
    online: bool
    initial: tuple[tuple[str, Level], ...]
    transition: float
    fault: Fault | None


@dataclass(frozen=True, slots=True)
class HomePlan:
    """A whole virtual home."""

    name: str
    rooms: tuple[str, ...]
    people: tuple[Person, ...]
    cameras: tuple[PlannedCamera, ...]
    devices: tuple[PlannedDevice, ...]


def read_home(text: str) -> HomePlan:
    """Read a home; raises `BadInput` with the line of the first thing wrong."""
    fields = Fields(read_yaml(text), "home", ("home", "rooms", "people", "cameras", "devices"))
    rooms = _rooms(fields)
    rows = fields.items("people", _MOST_PEOPLE)
    people = tuple(_person(row) for row in rows)
    _once("name", [person.name for person in people], rows)
    _once("id", [person.id for person in people], rows)
    camera_rows = fields.items("cameras", _MOST_CAMERAS)
    camera_groups = [_cameras(row, rooms) for row in camera_rows]
    device_rows = fields.items("devices", _MOST_DEVICES)
    devices = tuple(_device(row, rooms) for row in device_rows)
    dids = [group[0].did.partition(":")[0] for group in camera_groups] + [device.did for device in devices]
    _once("did", dids, [*camera_rows, *device_rows])
    _once("name", [f"{device.room} {device.name}" for device in devices], device_rows)
    cameras = tuple(camera for group in camera_groups for camera in group)
    if sum(camera.in_use for camera in cameras) > MOST_IN_USE:
        raise BadInput("homeplan_cameras_many", line=fields.node("cameras").line, limit=MOST_IN_USE)
    return HomePlan(fields.text("home", 64), tuple(rooms), people, cameras, devices)


def default_text() -> str:
    """Return the YAML of the home that is shipped, to copy and change."""
    return files("zhixing.world.devices").joinpath("default_home.yaml").read_text(encoding="utf-8")


@cache
def default_home() -> HomePlan:
    """Return the home that is shipped."""
    return read_home(default_text())


def _rooms(fields: Fields) -> list[str]:
    rows = fields.items("rooms", _MOST_ROOMS)
    rooms = [one_line(_single(row, "rooms"), "rooms", 32) for row in rows]
    _once("rooms", rooms, rows)
    return rooms


def _person(node: Node) -> Person:
    fields = Fields(node, "people", ("id", "name", "role"))
    name = fields.text("name", 32)
    return Person(fields.text("id", 64, name), name, fields.text("role", 32, ""))


def _cameras(node: Node, rooms: Sequence[str]) -> list[PlannedCamera]:
    fields = Fields(node, "cameras", ("did", "name", "room", "in_use", "online", "channels"))
    did, name, room = _did(fields), fields.text("name", 64), _room(fields, rooms)
    online = fields.truth("online", default=True)
    in_use = fields.truth("in_use", default=True)
    channels = fields.whole("channels", 1, _MOST_CHANNELS, 1)
    if channels == 1:
        return [PlannedCamera(did, name, room, online, in_use)]
    return [PlannedCamera(f"{did}:ch{n}", f"{name} {n}", room, online, in_use) for n in range(1, channels + 1)]


def _device(node: Node, rooms: Sequence[str]) -> PlannedDevice:
    known = ("did", "name", "room", "kind", "spec", "online", "initial", "transition", "fault")
    fields = Fields(node, "devices", known)
    if fields.has("kind") == fields.has("spec"):
        raise BadInput("homeplan_kind_or_spec", line=fields.line)
    kind = read_kind(fields.node("spec")) if fields.has("spec") else kinds()[fields.choice("kind", kinds())]
    return PlannedDevice(
        did=_did(fields),
        name=fields.text("name", 64),
        room=_room(fields, rooms),
        kind=kind,
        online=fields.truth("online", default=True),
        initial=_initial(fields, kind),
        transition=fields.number("transition", 0.0, _LONGEST_TRANSITION, 0.0),
        fault=Fault(fields.choice("fault", [fault.value for fault in Fault])) if fields.has("fault") else None,
    )


def _initial(fields: Fields, kind: Kind) -> tuple[tuple[str, Level], ...]:
    if not fields.has("initial"):
        return ()
    table = fields.node("initial")
    if not isinstance(table, Table):
        raise BadInput("homeplan_not_table", line=table.line, name="initial")
    properties: dict[str, Property] = {}
    for each in kind.properties():
        if each.listed and each.mirror is None:
            properties.setdefault(each.spec.name, each)
            properties[each.spec.iid] = each
    found: dict[str, Level] = {}
    for key, node in table.nodes.items():
        each = properties[one_of(Leaf(table.lines[key], key, plain=True), "initial", properties)]
        found[each.spec.iid] = read_value(_single(node, key), each.spec)
    return tuple(found.items())


def _did(fields: Fields) -> str:
    leaf = fields.leaf("did")
    if _ID.fullmatch(leaf.text) is None:
        raise BadInput("homeplan_did", line=leaf.line)
    return leaf.text


def _room(fields: Fields, rooms: Sequence[str]) -> str:
    return one_of(fields.leaf("room"), "room", rooms)


def _single(node: Node, name: str) -> Leaf:
    if not isinstance(node, Leaf):
        raise BadInput("homeplan_not_single", line=node.line, name=name)
    return node


def _once(name: str, values: Sequence[str], rows: Sequence[Node]) -> None:
    lines: dict[str, int] = {}
    for value, row in zip(values, rows, strict=True):
        if value in lines:
            raise BadInput("homeplan_twice", line=row.line, name=name, value=value)
        lines[value] = row.line
