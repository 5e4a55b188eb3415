"""Cards that combine states: logicOr, logicAnd, logicNot."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from typing import ClassVar

from zhixing.graphs.catalogue import inputs_of
from zhixing.graphs.rule import Node
from zhixing.graphs.simulating.cards import Card
from zhixing.graphs.simulating.effects import RISE, Effects, Emit
from zhixing.graphs.simulating.options import Options
from zhixing.graphs.simulating.world import World


class Logic(Card, ABC):
    """Remembers the last state at each input, and publishes what follows whenever that changes."""

    MEMORY: ClassVar[tuple[str, ...]] = ("_states", "_truth")

    settles_late: ClassVar[bool] = True

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        self._pins = tuple(inputs_of(node))
        self._states: dict[str, bool] = {}
        self._truth: bool | None = None

    @abstractmethod
    def follows(self, states: Collection[bool]) -> bool:
        """Return what follows from the states at the inputs."""

    def unwired(self, options: Options) -> bool:  # noqa: ARG002 - two of the three have an option
        """Return what an input without a wire or constant counts as."""
        return False

    def reset(self) -> None:
        """Take constants; inputs with a wire are false until something arrives."""
        self._truth = None
        alone = self.unwired(self.world.options)
        for pin in self._pins:
            constant = self.node.inputs.get(pin)
            self._states[pin] = constant if isinstance(constant, bool) else pin not in self.wired and alone

    def settle(self) -> Effects:
        """Publish it if no input did so by arriving."""
        if self._truth is None:
            yield from self._published()

    def state(self, pin: str, value: bool, /) -> Effects:  # noqa: FBT001 - it is the value of a wire
        """Remember it, and publish what follows."""
        self._states[pin] = value
        yield from self._published()

    def _published(self) -> Effects:
        was, self._truth = self._truth, self.follows(self._states.values())
        if self._truth is not was:
            yield RISE if self._truth else Emit(state=False)


class LogicOr(Logic):
    """`logicOr`."""

    def follows(self, states: Collection[bool]) -> bool:
        """Return whether any is true."""
        return any(states)

    def unwired(self, options: Options) -> bool:
        """Return the option's."""
        return options.unwired_logic_or


class LogicAnd(Logic):
    """`logicAnd`; without any input it is false."""

    def follows(self, states: Collection[bool]) -> bool:
        """Return whether all are true."""
        return bool(states) and all(states)

    def unwired(self, options: Options) -> bool:
        """Return the option's."""
        return options.unwired_logic_and


class LogicNot(Logic):
    """`logicNot`."""

    def follows(self, states: Collection[bool]) -> bool:
        """Return whether none is true."""
        return not any(states)
