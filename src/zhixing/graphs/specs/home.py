"""A home as files: devices by did, specifications by URN, variables by scope; pure, `folder` reads the bytes.

A file that is not there means that nothing is known: `devices` or `scopes` are then None, and none of the checks that
need them apply.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from zhixing.graphs.specs.jsontext import flag, number, optional, read_json, rows, shown, table, text
from zhixing.graphs.specs.model import Dtype, Spec
from zhixing.graphs.specs.reading import is_spec, spec_of
from zhixing.kernel.errors import BadInput, TooLarge

DEVICES = "devices.json"
VARIABLES = "variables.json"
MOST_DEVICES = 5_000
"""Devices of one home."""
MOST_SCOPES = 5_000
"""Scopes of variables of one home."""
MOST_VARIABLES = 5_000
"""Variables of one scope."""

_FAULT = "$error"


@dataclass(frozen=True, slots=True)
class Device:
    """One entry of the device list; `urn` is None for a device that has no specification."""

    did: str
    urn: str | None
    name: str
    room: str
    online: bool
    pushes: bool
    usable: bool
    """`specV2Access` of the list: whether rules may use it."""


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable; `name` is what the editor shows, "" where `userData` has none (its picker then hides it)."""

    scope: str
    id: str
    type: Dtype
    value: int | float | str | None
    name: str


@dataclass(frozen=True, slots=True)
class Scope:
    """The variables of one scope by id, or `fault`: why they could not be read."""

    name: str
    variables: Mapping[str, Variable]
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that could not be read, and the URN it is about if that much could be told."""

    file: str
    urn: str | None
    error: BadInput


@dataclass(frozen=True, slots=True)
class Home:
    """What is known of a home. `changed` are URNs of which two files say different things; the later file counts."""

    devices: Mapping[str, Device] | None
    specs: Mapping[str, Spec]
    changed: frozenset[str]
    scopes: Mapping[str, Scope] | None
    unread: tuple[Unread, ...] = ()

    def device(self, did: str) -> Device | None:
        """Return a device of the list."""
        return (self.devices or {}).get(did)

    def spec_of(self, did: str) -> Spec | None:
        """Return the specification of a device of the list."""
        found = self.device(did)
        return self.specs.get(found.urn) if found and found.urn else None

    def fault_of(self, urn: str) -> BadInput | None:
        """Return why the specification of a URN could not be read, where a file of it is there."""
        return next((each.error for each in self.unread if each.urn == urn), None)

    def variable(self, scope: str, id_: str) -> Variable | None:
        """Return a variable."""
        found = (self.scopes or {}).get(scope)
        return found.variables.get(id_) if found else None


NOTHING_KNOWN = Home(None, MappingProxyType({}), frozenset(), None)
"""A home of which there are no files."""


def home_of(files: Iterable[tuple[str, bytes]]) -> Home:
    """Return the home that these files (name, content) are; JSON that is no specification is left alone.

    A specification that cannot be read is one of `unread` and leaves the others whole; devices and variables that
    cannot be read raise `BadInput` with the file.
    """
    specs: list[Spec] = []
    unread: list[Unread] = []
    devices, scopes = None, None
    for name, raw in sorted(files):
        if name == DEVICES:
            devices = _devices(_document(raw, name))
        elif name == VARIABLES:
            scopes = _scopes(_document(raw, name))
        else:
            found = _spec(name, raw)
            if isinstance(found, Unread):
                unread.append(found)
            elif found is not None:
                specs.append(found)
    known, changed = by_urn(specs)
    return Home(devices, known, changed, scopes, tuple(unread))


def by_urn(specs: Iterable[Spec]) -> tuple[Mapping[str, Spec], frozenset[str]]:
    """Return the specifications by URN, the later of two, and the URNs of which two were read that differ."""
    found: dict[str, Spec] = {}
    changed = set()
    for each in specs:
        urn = str(each.urn)
        if urn in found and found[urn].fingerprint != each.fingerprint:
            changed.add(urn)
        found[urn] = each
    return MappingProxyType(found), frozenset(changed)


def _spec(name: str, raw: bytes) -> Spec | Unread | None:
    urn = None
    try:
        document = read_json(raw)
        if not is_spec(document):
            return None
        urn = document["type"] if isinstance(document["type"], str) else None
        return spec_of(document)
    except BadInput as error:
        return Unread(name, urn, error)


def _document(raw: bytes, name: str) -> Mapping[str, Any]:
    try:
        return table(read_json(raw), name)
    except BadInput as error:
        raise type(error)("miot_file", file=name, reason=str(error)) from error


def _devices(document: Mapping[str, Any]) -> Mapping[str, Device]:
    _few(document, DEVICES, MOST_DEVICES)
    return MappingProxyType({did: _device(did, each) for did, each in document.items()})


def _device(did: str, value: object) -> Device:
    place = f"{DEVICES} {shown(did)}"
    row = table(value, place)
    return Device(
        did=text(did, place),
        urn=text(optional(row, "urn", ""), f"{place}.urn") or None,
        name=text(optional(row, "name", ""), f"{place}.name"),
        room=text(optional(row, "room", ""), f"{place}.room"),
        online=flag(optional(row, "online", True), f"{place}.online"),
        pushes=flag(optional(row, "pushAvailable", True), f"{place}.pushAvailable"),
        usable=flag(optional(row, "specV2Access", True), f"{place}.specV2Access"),
    )


def _scopes(document: Mapping[str, Any]) -> Mapping[str, Scope]:
    _few(document, VARIABLES, MOST_SCOPES)
    return MappingProxyType({name: _scope(name, each) for name, each in document.items()})


def _scope(name: str, value: object) -> Scope:
    """Read one scope: a table by id, or the list that older gateways give."""
    place = f"{VARIABLES} {shown(text(name, VARIABLES))}"
    if isinstance(value, list):
        listed = [table(each, place) for each in rows(value, place, MOST_VARIABLES)]
        pairs: dict[str, Any] = {text(each.get("id"), f"{place}.id"): each for each in listed}
    else:
        pairs = dict(table(value, place))
        if _FAULT in pairs:
            return Scope(name, MappingProxyType({}), text(pairs[_FAULT], f"{place}.{_FAULT}"))
    _few(pairs, place, MOST_VARIABLES)
    return Scope(name, MappingProxyType({id_: _variable(name, id_, each, place) for id_, each in pairs.items()}))


def _variable(scope: str, id_: str, value: object, place: str) -> Variable:
    place = f"{place}.{shown(text(id_, place))}"
    row = table(value, place)
    kind = row.get("type")
    if not isinstance(kind, str) or kind not in {Dtype.NUMBER, Dtype.STRING}:
        raise BadInput("miot_variable_type", place=f"{place}.type")
    content = row.get("value")
    if content is not None:
        content = text(content, f"{place}.value") if isinstance(content, str) else number(content, f"{place}.value")
    about = table(optional(row, "userData", {}), f"{place}.userData")
    return Variable(scope, id_, Dtype(kind), content, text(optional(about, "name", ""), f"{place}.userData.name"))


def _few(found: Mapping[str, Any], place: str, limit: int) -> None:
    if len(found) > limit:
        raise TooLarge("miot_too_many", place=place, limit=limit)
