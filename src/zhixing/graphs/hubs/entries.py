"""The answers of a hub, read into types (mijia §4.1, §6.2). Pure.

A field of a device or a graph that is not as it should be reads as unknown: one strange device hides no other. An
answer that is not even a list of such things raises `Unavailable`: nothing is known then, and nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from zhixing.graphs.hubs.scopes import scope_of
from zhixing.graphs.reading import rule_from
from zhixing.graphs.rule import Json, Members, Rule, is_number
from zhixing.graphs.specs.home import MOST_DEVICES, MOST_SCOPES, Device, Variable
from zhixing.graphs.specs.jsontext import shown
from zhixing.graphs.specs.model import Dtype
from zhixing.kernel.errors import TooLarge, Unavailable
from zhixing.world.hub.port import Method

MOST_GRAPHS: Final = 1_000
"""Graphs of one hub."""
MOST_VARIABLES: Final = 2_000
"""Variables of one scope."""

_TYPES: Final = {"number": Dtype.NUMBER, "string": Dtype.STRING}
_CFG: Final = ("enable", "uiType", "userData")


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the list of graphs. `user_data` is as the editor left it, and is what must be sent back (§6.2)."""

    id: str
    enabled: bool
    ui_type: str
    name: str
    user_data: Members = field(repr=False)
    raw: Members = field(repr=False)

    @property
    def scope(self) -> str:
        """Where the variables of this graph alone are."""
        return scope_of(self.id)


@dataclass(frozen=True, slots=True)
class VariableConfig:
    """What a hub keeps about a variable beside its value; `name` is "" where the editor's picker hides it (§4.1)."""

    scope: str
    id: str
    type: Dtype
    name: str
    user_data: Members = field(repr=False)


def entries_of(answer: Json) -> tuple[Entry, ...]:
    """Read `getGraphList`."""
    if not isinstance(answer, list) or not all(isinstance(each, dict) and _text(each.get("id")) for each in answer):
        raise strange(Method.GET_GRAPHS)
    if len(answer) > MOST_GRAPHS:
        raise TooLarge("graph_hub_graphs_many", limit=MOST_GRAPHS)
    return tuple(_entry(each) for each in answer)


def rule_of(entry: Entry, answer: Json) -> Rule:
    """Put a graph together from its nodes, `getGraph`, and its settings, which only the list has (§1.1)."""
    if not isinstance(answer, dict) or not isinstance(answer.get("nodes"), list):
        raise strange(Method.GET_GRAPH)
    settings = {name: entry.raw[name] for name in _CFG if name in entry.raw}
    return rule_from({**answer, "id": entry.id, "cfg": {"id": entry.id, **settings}})


def devices_of(answer: Json) -> Mapping[str, Device]:
    """Read `getDevList`, by did."""
    listed = answer.get("devList") if isinstance(answer, dict) else None
    if not isinstance(listed, dict):
        raise strange(Method.GET_DEVICES)
    if len(listed) > MOST_DEVICES:
        raise TooLarge("graph_hub_devices_many", limit=MOST_DEVICES)
    return MappingProxyType({did: _device(did, each if isinstance(each, dict) else {}) for did, each in listed.items()})


def scopes_of(answer: Json) -> tuple[str, ...]:
    """Read `getVarScopeList`."""
    listed = answer.get("scopes") if isinstance(answer, dict) else None
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        raise strange(Method.GET_SCOPES)
    if len(listed) > MOST_SCOPES:
        raise TooLarge("variable_scopes_many", limit=MOST_SCOPES)
    return tuple(dict.fromkeys(listed))


def variables_of(scope: str, answer: Json) -> Mapping[str, Variable]:
    """Read `getVarList`, by id."""
    return MappingProxyType({name: _variable(scope, name, row) for name, row in variable_rows(scope, answer).items()})


def variable_rows(scope: str, answer: Json) -> Mapping[str, Members]:
    """Read the rows of `getVarList`: a map by id, or the array of older firmware, whose entries have their `id`."""
    pairs: Iterable[tuple[Json, Json]]
    if isinstance(answer, dict):
        pairs = answer.items()
    elif isinstance(answer, list) and all(isinstance(each, dict) for each in answer):
        pairs = [(each.get("id"), each) for each in answer]
    else:
        raise strange(Method.GET_VARIABLES)
    if len(answer) > MOST_VARIABLES:
        raise TooLarge("variable_many", scope=shown(scope), limit=MOST_VARIABLES)
    found = dict(pairs)
    if not all(isinstance(name, str) and isinstance(row, dict) for name, row in found.items()):
        raise strange(Method.GET_VARIABLES)
    return found


def config_of(scope: str, name: str, answer: Json) -> VariableConfig:
    """Read `getVarConfig`."""
    if not isinstance(answer, dict) or answer.get("type") not in ("number", "string"):
        raise strange(Method.GET_VARIABLE_CONFIG)
    about = _object(answer.get("userData"))
    return VariableConfig(scope, name, _TYPES[answer["type"]], _text(about.get("name")), about)


def value_of(answer: Json) -> int | float | str:
    """Read `getVarValue`."""
    found = _value(answer.get("value")) if isinstance(answer, dict) else None
    if found is None:
        raise strange(Method.GET_VARIABLE_VALUE)
    return found


def strange(method: Method) -> Unavailable:
    """Make the error for an answer that is not of the shape its method has."""
    return Unavailable("graph_hub_answer", method=method.value)


def _entry(row: Members) -> Entry:
    about = _object(row.get("userData"))
    return Entry(
        row["id"], row.get("enable") is True, _text(row.get("uiType")), _text(about.get("name")), about, dict(row)
    )


def _device(did: str, row: Members) -> Device:
    return Device(
        did,
        _text(row.get("urn")) or None,
        _text(row.get("name")),
        _text(row.get("roomName")),
        online=_flag(row.get("online")),
        pushes=_flag(row.get("pushAvailable")),
        usable=_flag(row.get("specV2Access")),
    )


def _variable(scope: str, name: str, row: Members) -> Variable:
    if row.get("type") not in ("number", "string"):
        raise strange(Method.GET_VARIABLES)
    about = _object(row.get("userData"))
    return Variable(scope, name, _TYPES[row["type"]], _value(row.get("value")), _text(about.get("name")))


def _value(value: Json) -> int | float | str | None:
    found: int | float | str | None = value if isinstance(value, str) or is_number(value) else None
    return found


def _object(value: Json) -> Members:
    return value if isinstance(value, dict) else MappingProxyType({})


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _flag(value: Json) -> bool:
    """Read a truth value; one that the list does not say is taken for true, as in the files of a home."""
    return value is not False
