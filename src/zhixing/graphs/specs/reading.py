"""Reading a specification instance of MIoT-Spec-V2 (§3.2). Keys that are not asked for here are tolerated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, TypeVar

from zhixing.graphs.rule import is_number
from zhixing.graphs.specs.jsontext import fingerprint, number_of, optional, read_json, rows, table, text
from zhixing.graphs.specs.model import Access, Action, Choice, Event, Format, Property, Service, Spec, Value
from zhixing.graphs.specs.ranges import Range, exact, plain
from zhixing.graphs.specs.urns import read_urn
from zhixing.kernel.errors import BadInput

MOST_SERVICES = 256
"""Services of one specification."""
MOST_MEMBERS = 512
"""Properties, events or actions of one service."""
MOST_CHOICES = 1_024
"""Entries of one value-list."""
MOST_ARGUMENTS = 64
"""Arguments of one event or action."""

Member = TypeVar("Member")


def read_spec(raw: bytes) -> Spec:
    """Read the JSON of one specification; raises `BadInput` or `TooLarge` with one line that names the place."""
    return spec_of(read_json(raw))


def spec_of(document: object) -> Spec:
    """Return the specification that a document of `read_json` is."""
    top = table(document, "spec")
    urn = read_urn(_needed(top, "type", ""), "device", "type")
    services = tuple(
        _service(each, f"services[{index}]")
        for index, each in enumerate(rows(_needed(top, "services", ""), "services", MOST_SERVICES))
    )
    _once([each.siid for each in services], "services", "siid")
    return Spec(urn, _described(top, ""), services, fingerprint(document))


def is_spec(document: object) -> bool:
    """Return whether a document means to be a specification."""
    return isinstance(document, dict) and "type" in document and "services" in document


def dangling(spec: Spec) -> tuple[str, ...]:
    """Return what refers to a piid that its service does not have, as `event.2.1:7` (event 1 of service 2, piid 7)."""
    found = []
    for service in spec.services:
        for event in service.events:
            found += [
                f"event.{service.siid}.{event.eiid}:{piid}" for piid in event.arguments if not service.property(piid)
            ]
        for action in service.actions:
            used = (*action.takes, *action.gives)
            found += [f"action.{service.siid}.{action.aiid}:{piid}" for piid in used if not service.property(piid)]
    return tuple(found)


def _service(value: object, place: str) -> Service:
    row = table(value, place)
    siid = number_of(_needed(row, "iid", place), f"{place}.iid")
    properties = _members(row, "properties", place, lambda each, where: _property(each, where, siid))
    events = _members(row, "events", place, lambda each, where: _event(each, where, siid))
    actions = _members(row, "actions", place, lambda each, where: _action(each, where, siid))
    _once([each.piid for each in properties], f"{place}.properties", "piid")
    _once([each.eiid for each in events], f"{place}.events", "eiid")
    _once([each.aiid for each in actions], f"{place}.actions", "aiid")
    urn = read_urn(_needed(row, "type", place), "service", f"{place}.type")
    return Service(siid, urn, _described(row, place), properties, events, actions)


def _property(value: object, place: str, siid: int) -> Property:
    row = table(value, place)
    access = rows(optional(row, "access", []), f"{place}.access", len(Access))
    span = row.get("value-range")
    return Property(
        siid=siid,
        piid=number_of(_needed(row, "iid", place), f"{place}.iid"),
        urn=read_urn(_needed(row, "type", place), "property", f"{place}.type"),
        description=_described(row, place),
        format=_format(text(_needed(row, "format", place), f"{place}.format")),
        access=frozenset(_access(each, f"{place}.access") for each in access),
        unit=text(optional(row, "unit", ""), f"{place}.unit"),
        range=None if span is None else _range(span, f"{place}.value-range"),
        choices=_choices(optional(row, "value-list", []), f"{place}.value-list"),
    )


def _event(value: object, place: str, siid: int) -> Event:
    row = table(value, place)
    return Event(
        siid,
        number_of(_needed(row, "iid", place), f"{place}.iid"),
        read_urn(_needed(row, "type", place), "event", f"{place}.type"),
        _described(row, place),
        _piids(row, "arguments", place),
    )


def _action(value: object, place: str, siid: int) -> Action:
    row = table(value, place)
    return Action(
        siid,
        number_of(_needed(row, "iid", place), f"{place}.iid"),
        read_urn(_needed(row, "type", place), "action", f"{place}.type"),
        _described(row, place),
        _piids(row, "in", place),
        _piids(row, "out", place),
    )


def _format(written: str) -> Format:
    return Format(written) if written in set(Format) else Format.OTHER


def _access(value: object, place: str) -> Access:
    if not isinstance(value, str) or value not in set(Access):
        raise BadInput("miot_access", place=place, known=", ".join(Access))
    return Access(value)


def _range(value: object, place: str) -> Range:
    """Read [min, max, step] or [min, max]. Numbers that say nothing are kept: they are reported where they are used."""
    numbers = rows(value, place, 3)
    if len(numbers) < 2 or not all(is_number(each) for each in numbers):
        raise BadInput("miot_range", place=place)
    low, high, *step = (_decimal(each) for each in numbers)
    return Range(low, high, step[0] if step else None)


def _decimal(value: float) -> Decimal:
    found = exact(value)
    return Decimal("NaN") if found is None else found


def _choices(value: object, place: str) -> tuple[Choice, ...]:
    found = []
    for index, each in enumerate(rows(value, place, MOST_CHOICES)):
        row = table(each, f"{place}[{index}]")
        written = _value(_needed(row, "value", f"{place}[{index}]"), f"{place}[{index}].value")
        found.append(Choice(written, _described(row, f"{place}[{index}]")))
    return tuple(found)


def _value(value: object, place: str) -> Value:
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return text(value, place)
    found = exact(value)
    if found is None:
        raise BadInput("miot_not_number", place=place)
    return plain(found)


def _piids(row: Mapping[str, Any], name: str, place: str) -> tuple[int, ...]:
    listed = rows(optional(row, name, []), f"{place}.{name}", MOST_ARGUMENTS)
    return tuple(number_of(each, f"{place}.{name}[{index}]") for index, each in enumerate(listed))


def _members(
    row: Mapping[str, Any], name: str, place: str, read: Callable[[object, str], Member]
) -> tuple[Member, ...]:
    listed = rows(optional(row, name, []), f"{place}.{name}", MOST_MEMBERS)
    return tuple(read(each, f"{place}.{name}[{index}]") for index, each in enumerate(listed))


def _described(row: Mapping[str, Any], place: str) -> str:
    return text(optional(row, "description", ""), f"{place}.description".removeprefix("."))


def _needed(row: Mapping[str, Any], name: str, place: str) -> Any:
    if name not in row:
        raise BadInput("miot_missing", place=f"{place}.{name}".removeprefix("."))
    return row[name]


def _once(numbers: list[int], place: str, name: str) -> None:
    seen = set()
    for each in numbers:
        if each in seen:
            raise BadInput("miot_id_twice", place=place, name=name, number=each)
        seen.add(each)
