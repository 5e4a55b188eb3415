"""EVENTS.jsonl → a script. A bad line is refused in one sentence that names it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.rule import is_number, is_whole
from zhixing.graphs.simulating.options import options_from
from zhixing.graphs.simulating.script import (
    ClockSet,
    DeviceEvent,
    Event,
    Forced,
    Line,
    Property,
    PropertyReport,
    Reconnected,
    Script,
    Switch,
    Value,
    VariableSet,
)
from zhixing.kernel.errors import BadInput, TooLarge, ZhixingError
from zhixing.kernel.moments import parse_instant, zone

MOST_BYTES = 16 * 1024 * 1024
"""UTF-8 bytes of a script."""
MOST_LINES = 50_000
"""Events of a script."""
LONGEST_MS = 10 * 366 * 86_400_000
"""Longest a run may last, in virtual time: ten years."""
FIRST_YEAR, LAST_YEAR = 1970, 2999
"""Years in which the hub's clock may stand."""
LONGEST_TEXT = 10_000
"""Characters of a value."""
HIGHEST_ID = 2**31 - 1
"""Largest siid, piid or eiid."""
HUB_ZONE = "Asia/Shanghai"
"""The zone of a hub that names none."""

Members = Mapping[str, Any]


def read_script(given: str | bytes, now: datetime) -> Script:
    """Read a script; one without a `start` starts `now` (aware). Raises `BadInput` and `TooLarge`.

    Blank lines are stepped over; numbers of lines in errors count them.
    """
    return read_script_in(given, Script(start=now.astimezone(UTC), tz=zone(HUB_ZONE)))


def read_script_in(given: str | bytes, around: Script) -> Script:
    """Read a script as `read_script` does; what its setup does not say is as in `around`, each value by itself."""
    setup: Members = {}
    setup_line = 0
    lines: list[Line] = []
    for number, members in _objects(given):
        if "setup" in members:
            if lines or setup_line:
                raise BadInput("graph_script_setup_late", line=number)
            setup, setup_line = _table(number, members["setup"], "setup"), number
            continue
        if len(lines) >= MOST_LINES:
            raise TooLarge("graph_script_long", limit=MOST_LINES)
        line = _line(number, members)
        if lines and line.at_ms < lines[-1].at_ms:
            raise BadInput("graph_script_order", line=number)
        lines.append(line)
    last = lines[-1].at_ms if lines else 0
    return _script(setup, setup_line, tuple(lines), last, around)


def read_event(given: Members) -> Event:
    """Read what a line of a script has beside `at_ms`; a device's event may be given bare. Raises `BadInput`."""
    line = {"event": given} if "did" in given else given
    ((number, members),) = _objects(json.dumps({**line, "at_ms": 0}))
    return _line(number, members).event


def _script(setup: Members, at: int, lines: tuple[Line, ...], last: int, around: Script) -> Script:
    start = _instant(at, setup["start"], "start") if setup.get("start") is not None else around.start
    until = setup.get("until_ms")
    name = setup.get("tz")
    if "tz" in setup and not isinstance(name, str):
        raise BadInput("graph_script_field", line=at, name="tz")
    options = _table(at, setup.get("options", {}), "options")
    return Script(
        start=start,
        tz=zone(name) if isinstance(name, str) else around.tz,
        until_ms=last if until is None else _milliseconds(at, until, "until_ms"),
        options=options_from(options) if options else around.options,
        state={**around.state, **dict(_state(at, _table(at, setup.get("state", {}), "state")))},
        variables={
            **around.variables,
            **{
                _variable(at, key): _stored(at, value)
                for key, value in _table(at, setup.get("variables", {}), "variables").items()
            },
        },
        lines=lines,
    )


def _objects(given: str | bytes) -> Iterator[tuple[int, Members]]:
    if len(given) > MOST_BYTES:
        raise TooLarge("graph_script_large", limit=MOST_BYTES // 2**20)
    for number, text in enumerate(_decoded(given).removeprefix("\ufeff").split("\n"), 1):
        if not text.strip():
            continue
        try:
            value = json.loads(text, parse_constant=_refuse)
            # half a character, as "\\ud800": no file or database takes it
            json.dumps(value, ensure_ascii=False).encode()
        except (ValueError, RecursionError) as error:
            raise BadInput("graph_script_json", line=number) from error
        yield number, _table(number, value, "")


def _decoded(given: str | bytes) -> str:
    if isinstance(given, str):
        return given
    try:
        return given.decode()
    except UnicodeDecodeError as error:
        raise BadInput("graph_script_json", line=given.count(b"\n", 0, error.start) + 1) from error


def _line(number: int, members: Members) -> Line:
    at_ms = _milliseconds(number, members.get("at_ms"), "at_ms")
    named = [name for name in _EVENTS if name in members]
    if len(named) != 1:
        raise BadInput("graph_script_kind", line=number)
    return Line(at_ms, _EVENTS[named[0]](number, members[named[0]]))


def _event(number: int, value: object) -> Event:
    given = _table(number, value, "event")
    did, siid = _text(number, given.get("did"), "did"), _id(number, given.get("siid"), "siid")
    if "piid" in given:
        piid = _id(number, given["piid"], "piid")
        return PropertyReport(Property(did, siid, piid), _value(number, given.get("value")))
    eiid = _id(number, given.get("eiid"), "piid / eiid")
    arguments = given.get("arguments", [])
    if not isinstance(arguments, list):
        raise BadInput("graph_script_field", line=number, name="arguments")
    rows = [_table(number, each, "arguments") for each in arguments]
    return DeviceEvent(
        did, siid, eiid, {_id(number, row.get("piid"), "piid"): _value(number, row.get("value")) for row in rows}
    )


def _var_set(number: int, value: object) -> Event:
    given = _table(number, value, "var_set")
    variable = Variable(_text(number, given.get("scope"), "scope"), _text(number, given.get("id"), "id"))
    return VariableSet(variable, _stored(number, given.get("value")))


def _enable(number: int, value: object) -> Event:
    return Switch(on=_truth(number, value))


def _disable(number: int, value: object) -> Event:
    return Switch(on=not _truth(number, value))


def _clock(number: int, value: object) -> Event:
    return ClockSet(_instant(number, value, "clock"))


def _reconnect(number: int, value: object) -> Event:
    return Reconnected(_text(number, value, "reconnect"))


def _force(number: int, value: object) -> Event:
    given = _table(number, value, "force")
    state, pulse = given.get("state"), given.get("pulse")
    for name, truth in (("state", state), ("pulse", pulse)):
        if truth is not None and not isinstance(truth, bool):
            raise BadInput("graph_script_field", line=number, name=name)
    if state is None and pulse is False:
        raise BadInput("graph_script_field", line=number, name="pulse")
    node, pin = _text(number, given.get("node"), "node"), _text(number, given.get("pin"), "pin")
    return Forced(node, pin, state, (state is not False) if pulse is None else pulse)


_EVENTS: Mapping[str, Callable[[int, object], Event]] = {
    "event": _event,
    "var_set": _var_set,
    "enable": _enable,
    "disable": _disable,
    "clock": _clock,
    "reconnect": _reconnect,
    "force": _force,
}


def _state(number: int, given: Members) -> Iterator[tuple[Property, Value]]:
    for did, properties in given.items():
        for key, value in _table(number, properties, "state").items():
            siid, _, piid = key.partition(".")
            if not (siid.isdecimal() and piid.isdecimal() and len(key) < 22):
                raise BadInput("graph_script_field", line=number, name="state")
            yield Property(did, int(siid), int(piid)), _value(number, value)


def _variable(number: int, key: str) -> Variable:
    scope, _, name = key.partition(".")
    if not scope or not name:
        raise BadInput("graph_script_variable", line=number, name=key[:40])
    return Variable(scope, name)


def _table(number: int, value: object, name: str) -> Members:
    if isinstance(value, dict):
        return value
    raise BadInput("graph_script_field", line=number, name=name) if name else BadInput("graph_script_json", line=number)


def _text(number: int, value: object, name: str) -> str:
    if isinstance(value, str) and value and len(value) <= LONGEST_TEXT:
        return value
    raise BadInput("graph_script_field", line=number, name=name)


def _id(number: int, value: object, name: str) -> int:
    if is_whole(value) and 0 <= value <= HIGHEST_ID:  # type: ignore[operator]
        return int(value)  # type: ignore[call-overload, no-any-return]
    raise BadInput("graph_script_field", line=number, name=name)


def _milliseconds(number: int, value: object, name: str) -> int:
    if is_whole(value) and 0 <= value <= LONGEST_MS:  # type: ignore[operator]
        return int(value)  # type: ignore[call-overload, no-any-return]
    raise BadInput("graph_script_time", line=number, name=name)


def _value(number: int, value: object) -> Value:
    match value:
        case str() if len(value) <= LONGEST_TEXT:
            return value
        case bool():
            return value
        case int() | float() if is_number(value) and abs(value) < 1e300 and math.isfinite(value):
            return value
    raise BadInput("graph_script_value", line=number)


def _stored(number: int, value: object) -> float | str:
    """Read the value of a variable, which is a number or a text; true is 1 (mijia §1.7 boolean → number variable)."""
    found = _value(number, value)
    return int(found) if isinstance(found, bool) else found


def _truth(number: int, value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise BadInput("graph_script_kind", line=number)


def _instant(number: int, value: object, name: str) -> datetime:
    try:
        at = parse_instant(value if isinstance(value, str) else "").astimezone(UTC)
    except ZhixingError as error:
        raise BadInput("graph_script_instant", line=number, name=name) from error
    if not FIRST_YEAR <= at.year <= LAST_YEAR:
        raise BadInput("graph_script_instant", line=number, name=name)
    return at


def _refuse(_constant: str) -> object:
    raise ValueError
