"""A part of a rule that was built, with the pins at which it goes on. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from zhixing.graphs.building.builder import Builder, Declared, Inlet, Outlet
from zhixing.kernel.errors import NotFound


@dataclass(frozen=True, slots=True)
class Fragment:
    """What a builder of a pattern put into a rule.

    An entry may be several inlets, to be wired in their order from one outlet. `cards` are the ids of all its cards,
    `variables` those that it needs and did not find declared.
    """

    pattern: str
    cards: tuple[str, ...]
    entries: Mapping[str, tuple[Inlet, ...]]
    exits: Mapping[str, Outlet]
    variables: tuple[Declared, ...]

    def into(self, name: str) -> tuple[Inlet, ...]:
        """Return an entry: `builder.wire(source, *fragment.into("start"))`. Raises `NotFound`."""
        if name not in self.entries:
            raise NotFound("pattern_no_entry", pattern=self.pattern, name=name)
        return self.entries[name]

    def out(self, name: str) -> Outlet:
        """Return an exit. Raises `NotFound`."""
        if name not in self.exits:
            raise NotFound("pattern_no_exit", pattern=self.pattern, name=name)
        return self.exits[name]


class Mark:
    """A place in the growing of a rule, to tell afterwards what was added."""

    def __init__(self, builder: Builder, pattern: str) -> None:
        self._builder = builder
        self._pattern = pattern
        self._cards = len(builder.ids)
        self._variables = len(builder.variables)

    def fragment(self, entries: Mapping[str, tuple[Inlet, ...]], exits: Mapping[str, Outlet]) -> Fragment:
        """Return all that was added since."""
        return Fragment(
            self._pattern,
            self._builder.ids[self._cards :],
            entries,
            exits,
            self._builder.variables[self._variables :],
        )
