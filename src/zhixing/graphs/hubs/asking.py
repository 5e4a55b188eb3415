"""The shell that reads a hub: graphs with their settings, devices, variables. It changes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from zhixing.graphs.hubs.entries import (
    Entry,
    VariableConfig,
    config_of,
    devices_of,
    entries_of,
    rule_of,
    scopes_of,
    value_of,
    variables_of,
)
from zhixing.graphs.hubs.new_variables import NewVariable, kept_of
from zhixing.graphs.rule import Rule
from zhixing.graphs.specs.home import Device, Home, Scope, Variable
from zhixing.graphs.specs.jsontext import shown
from zhixing.kernel.errors import BadInput, NotFound, Unavailable, ZhixingError
from zhixing.world.hub.port import Hub, HubRefused, Method

MOST_SILENT: Final = 3
"""Graphs in a row that get no answer, after which the hub is not asked for further ones."""
MOST_ASKED: Final = 100
"""Devices that may be looked up at once (mijia §4.2)."""

_NO_FILE = re.compile(r"load file .*error: 2\b", re.IGNORECASE)
"""What a hub says of a graph that is not there (mijia §1.1)."""


@dataclass(frozen=True, slots=True)
class UnreadGraph:
    """A graph that the list has and that could not be read, and why."""

    id: str
    name: str
    error: ZhixingError


@dataclass(frozen=True, slots=True)
class AllRules:
    """Every rule of a hub, as far as they could be read."""

    rules: tuple[Rule, ...]
    unread: tuple[UnreadGraph, ...]

    @property
    def complete(self) -> bool:
        """Whether all were read, so that what no rule does is known."""
        return not self.unread


@dataclass(frozen=True, slots=True)
class DevicesFound:
    """Devices that were asked for: those the hub has, and the dids it does not know (mijia §8 case 5)."""

    devices: tuple[Device, ...]
    unknown: tuple[str, ...]


class Reader:
    """What a hub holds, asked for anew at each call.

    Everything raises `Unavailable` when the hub does not answer or answers strangely, and `TooLarge` past the bounds.
    """

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def entries(self) -> tuple[Entry, ...]:
        """Return the list of graphs."""
        return entries_of(self._hub.call(Method.GET_GRAPHS, {}))

    def rule(self, name: str) -> Rule | None:
        """Return a graph with its settings; None when the hub has none of that id."""
        entry = next((each for each in self.entries() if each.id == name), None)
        return None if entry is None else self._rule(entry)

    def known_rule(self, name: str) -> Rule:
        """Return a graph with its settings. Raises `NotFound`."""
        found = self.rule(name)
        if found is None:
            raise NotFound("graph_hub_unknown", id=shown(name))
        return found

    def rules(self) -> AllRules:
        """Return every graph. One that cannot be read is named; one that went while the others were read is not."""
        rules, unread, silent = [], [], 0
        for entry in self.entries():
            if silent == MOST_SILENT:
                unread.append(UnreadGraph(entry.id, entry.name, Unavailable("graph_hub_silent")))
                continue
            try:
                found = self._rule(entry)
            except (BadInput, Unavailable) as error:
                silent = silent + 1 if isinstance(error, Unavailable) else 0
                unread.append(UnreadGraph(entry.id, entry.name, error))
                continue
            silent = 0
            if found is not None:
                rules.append(found)
        return AllRules(tuple(rules), tuple(unread))

    def devices(self) -> Mapping[str, Device]:
        """Return the devices by did."""
        return devices_of(self._hub.call(Method.GET_DEVICES, {}))

    def find_devices(self, dids: Iterable[str]) -> DevicesFound:
        """Look devices up by did, each once and in the order asked; one that is not there is not called offline."""
        asked = asked_for(dids)
        known = self.devices()
        return DevicesFound(
            tuple(known[did] for did in asked if did in known), tuple(did for did in asked if did not in known)
        )

    def scopes(self) -> tuple[str, ...]:
        """Return the scopes that have variables."""
        return scopes_of(self._hub.call(Method.GET_SCOPES, {}))

    def variables(self, scope: str) -> Mapping[str, Variable]:
        """Return the variables of a scope by id."""
        return variables_of(scope, self._hub.call(Method.GET_VARIABLES, {"scope": scope}))

    def kept(self, scope: str) -> tuple[NewVariable, ...]:
        """Return the variables of a scope with all that is needed to make them again."""
        answer = self._hub.call(Method.GET_VARIABLES, {"scope": scope}) if scope in self.scopes() else {}
        return kept_of(scope, answer)

    def config(self, scope: str, name: str) -> VariableConfig:
        """Return what is kept about a variable beside its value."""
        return config_of(scope, name, self._hub.call(Method.GET_VARIABLE_CONFIG, {"scope": scope, "id": name}))

    def value(self, scope: str, name: str) -> int | float | str:
        """Return the value of a variable."""
        return value_of(self._hub.call(Method.GET_VARIABLE_VALUE, {"scope": scope, "id": name}))

    def home(self, home: Home, scopes: Iterable[str] = ()) -> Home:
        """Return a home with the devices and variables as they are now; specifications are those of `home`.

        Of the scopes only those asked for are read; one that the hub does not have holds nothing.
        """
        there = set(self.scopes())
        found = {name: self._scope(name, there) for name in dict.fromkeys(scopes)}
        return replace(home, devices=self.devices(), scopes=MappingProxyType(found))

    def _scope(self, name: str, there: Iterable[str]) -> Scope:
        if name not in there:
            return Scope(name, MappingProxyType({}))
        try:
            return Scope(name, self.variables(name))
        except (HubRefused, Unavailable) as error:
            return Scope(name, MappingProxyType({}), str(error))

    def _rule(self, entry: Entry) -> Rule | None:
        try:
            answer = self._hub.call(Method.GET_GRAPH, {"id": entry.id})
        except HubRefused as error:
            if is_missing(error):
                return None
            raise
        return rule_of(entry, answer)


def asked_for(dids: Iterable[str]) -> tuple[str, ...]:
    """Return the dids asked for, each once. Raises `BadInput` for none or too many."""
    asked = tuple(dict.fromkeys(dids))
    if not 0 < len(asked) <= MOST_ASKED:
        raise BadInput("graph_hub_dids", limit=MOST_ASKED)
    return asked


def is_missing(error: HubRefused) -> bool:
    """Tell whether a hub says that a graph is not there."""
    return _NO_FILE.search(str(error.values.get("text", ""))) is not None
