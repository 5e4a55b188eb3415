"""What findings about devices say of a home: its devices, properties and values, each short enough for one line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import islice

from zhixing.graphs.checks.finding import Phrase
from zhixing.graphs.rule import Json, is_number, is_whole
from zhixing.graphs.specs.home import Device
from zhixing.graphs.specs.jsontext import HIGHEST_ID, shown
from zhixing.graphs.specs.model import Access, Action, Choice, Dtype, Event, Property
from zhixing.graphs.specs.ranges import Range, exact, plain
from zhixing.graphs.specs.urns import LONGEST_URN

MOST_SHOWN = 12
"""Entries of a value-list, or members of a specification, that a message names."""
_MOST_QUOTED = 100
_MOST_DIGITS = 40


def called(device: Device | None, did: str) -> str:
    """Return what people call a device, with its room where the name does not say it; its did if it has no name."""
    if device is None or not device.name:
        return shown(did)
    return shown(device.name if device.room in device.name else f"{device.room} {device.name}")


def named(member: Property | Event | Action) -> str:
    """Return what the specification calls a member, and its numbers."""
    number = member.piid if isinstance(member, Property) else member.eiid if isinstance(member, Event) else member.aiid
    return f"{shown(member.description or member.name)} {member.siid}.{number}"


def several(members: Iterable[Property | Event | Action]) -> str:
    """Return some members of a specification, by name and numbers; a dash for none."""
    found = [named(each) for each in islice(members, MOST_SHOWN + 1)]
    return ", ".join(found[:MOST_SHOWN]) + (" …" if len(found) > MOST_SHOWN else "") if found else "—"


def urn_shown(urn: str) -> str:
    """Return a URN in full: two of them often differ at the end only."""
    return shown(urn, LONGEST_URN)


def kind_of(prop: Property) -> Phrase:
    """Return what values of a property are."""
    kind = "whole" if prop.format.whole else "number" if prop.format.floating else prop.format.value
    return Phrase(f"graph_terms.{kind}")


def type_of(dtype: Dtype) -> Phrase:
    """Return what people call the type of a variable."""
    return Phrase(f"graph_terms.{dtype.value}")


def permission(access: Access) -> Phrase:
    """Return what people call what may be done with a property."""
    return Phrase(f"graph_terms.{access.value}")


def quoted(value: Json) -> str:
    """Return a JSON value as it may stand in a line; of lists and objects only the kind."""
    if isinstance(value, dict):
        return "{…}"
    if isinstance(value, list):
        return "[…]"
    if isinstance(value, str):
        return shown(json.dumps(value[:_MOST_QUOTED], ensure_ascii=False))
    # Python refuses to write whole numbers of thousands of digits.
    if isinstance(value, int) and abs(value) >= 10**_MOST_DIGITS:
        return f"{'-' if value < 0 else ''}1e{_MOST_DIGITS}…"
    return json.dumps(value)


def allowed(span: Range) -> str:
    """Return the values of a usable range, as `16, 16.5 … 31`."""
    low, high = plain(span.low), plain(span.high)
    step = exact(span.step)
    if step is None or step <= 0 or span.low + step >= span.high:
        return f"{low} … {high}"
    return f"{low}, {plain(span.low + step)} … {high}"


def listed(choices: tuple[Choice, ...]) -> str:
    """Return the entries of a value-list, as `0 无人, 1 有人`."""
    found = [f"{quoted(each.value)} {shown(each.description)}".strip() for each in choices[:MOST_SHOWN]]
    return ", ".join(found) + (" …" if len(choices) > MOST_SHOWN else "")


def number_of(value: Json) -> int | None:
    """Return the siid, piid, eiid or aiid that a prop holds; None for what is none."""
    if not is_number(value) or not is_whole(value) or not 0 < value <= HIGHEST_ID:
        return None
    return int(value)


def joined(*numbers: Json) -> str:
    """Return the numbers of a member, as `2.1`."""
    return ".".join(map(quoted, numbers))
