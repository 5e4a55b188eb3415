"""Facts: what a topic of a sensor says of a condition. Pure.

A message is JSON with the value at a dotted path (`contact`, `climate.temperature`, `0.state`), or, without a path, the
value itself: JSON or plain text. A message that does not have the field says nothing; one where it is null, or is not
what it is compared with, says unknown.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec

from zhixing.world.mqtt.limits import AHEAD, DEEPEST_FIELD
from zhixing.world.mqtt.said import Fault, Judged, Said, instant
from zhixing.world.perception.verdict import Value, Verdict

_LONGEST_TEXT = 256
ABSENT: Final = object()
"""What `at_path` returns where there is nothing."""


@dataclass(frozen=True, slots=True)
class Fact:
    """`condition` of `source` holds while what `topic` says equals, is above or is below something.

    With both bounds it holds between them. `expires`: so long after the last message nothing is known; None: a message
    stands until the next one. `time` is the path to when the sensor measured, `availability` the topic on which it says
    `online` or `offline`.
    """

    name: str
    topic: str
    condition: str
    source: str
    field: str = ""
    equals: str = ""
    above: float | None = None
    below: float | None = None
    time: str = ""
    expires: timedelta | None = None
    availability: str = ""


def read_fact(fact: Fact, payload: bytes, *, retained: bool, now: datetime) -> tuple[Said, ...]:
    """Return what a message says of a fact."""
    try:
        text = payload.decode()
    except UnicodeDecodeError:
        return (Fault("not_utf8", fact.topic),)
    try:
        found: Any = msgspec.json.decode(text)
    except (msgspec.MsgspecError, RecursionError):
        if fact.field:
            return (Fault("not_json", fact.topic),)
        found = text.strip()
    value = at_path(found, fact.field)
    if value is ABSENT:
        return ()
    judged = compare(fact, value)
    faults = (Fault("value_unusable", fact.topic, fact.field),) if judged is Value.UNKNOWN and value is not None else ()
    told = instant(at_path(found, fact.time)) if fact.time else None
    at = now if told is None or told - now > AHEAD else told
    # What the broker kept without an instant it has kept for nobody knows how long.
    if fact.expires is not None and ((retained and told is None) or at + fact.expires <= now):
        judged, at = Value.UNKNOWN, now
    verdict = Verdict(fact.source, fact.condition, judged, at, firm=True, lasting=True)
    return (*faults, Judged(verdict, retained, fact.expires))


def at_path(value: Any, path: str) -> Any:
    """Return what is at a dotted path in decoded JSON, or a mark where there is nothing; "" is the value itself."""
    for name in path.split(".")[:DEEPEST_FIELD] if path else ():
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isascii() and name.isdecimal() and int(name[:6]) < len(value):
            value = value[int(name[:6])]
        else:
            return ABSENT
    return value


def compare(fact: Fact, value: object) -> Value:
    """Compare a value with what a fact asks for."""
    if fact.above is None and fact.below is None:
        return _equal(fact.equals, value)
    number = _number(value)
    if number is None:
        return Value.UNKNOWN
    above = fact.above is None or number > fact.above
    below = fact.below is None or number < fact.below
    return Value.TRUE if above and below else Value.FALSE


def _equal(wanted: str, value: object) -> Value:
    match value:
        case bool():
            same = wanted.lower() == str(value).lower()
        case int() | float():
            number, asked = _number(value), _number(wanted)
            if number is None:
                return Value.UNKNOWN
            same = number == asked
        case str() if len(value) <= _LONGEST_TEXT:
            same = value == wanted
        case _:
            return Value.UNKNOWN
    return Value.TRUE if same else Value.FALSE


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str) or len(str(value)[:65]) > 64:
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
