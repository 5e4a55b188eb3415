"""Cards that steer pulses: condition, onlyNTimes, counter, modeSwitch, signalOr, register."""

from __future__ import annotations

from typing import ClassVar

from zhixing.graphs.catalogue import node_type
from zhixing.graphs.rule import Node
from zhixing.graphs.simulating.cards import Card, NotRunnable, whole_prop
from zhixing.graphs.simulating.effects import FALL, PULSE, RISE, Effects, Emit, Notice, Tell, Unproven
from zhixing.graphs.simulating.world import World


class Condition(Card):
    """`condition`: at a trigger the latest state decides; an event that came before is never made up for."""

    MEMORY: ClassVar[tuple[str, ...]] = ("_state", "_told")

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        self._state = False
        self._told = False

    def reset(self) -> None:
        """Take the constant at the pin, or what an unwired one counts as, until a state arrives."""
        constant = self.node.inputs.get("condition")
        self._told = isinstance(constant, bool) or "condition" not in self.wired
        if isinstance(constant, bool):
            self._state = constant
        else:
            self._state = "condition" not in self.wired and self.world.options.unwired_condition

    def state(self, pin: str, value: bool, /) -> Effects:  # noqa: FBT001 - it is the value of a wire
        """Remember it."""
        if pin == "condition":
            self._state = value
            self._told = True
        yield from ()

    def pulse(self, pin: str, /) -> Effects:
        """Go on at one of the two outputs."""
        if pin == "trigger":
            if not self._told:
                yield Notice("uninitialised_state")
            yield Emit("met" if self._state else "unmet", pulse=True)


class OnlyNTimes(Card):
    """`onlyNTimes`: lets so many pulses through until it is set back."""

    MEMORY: ClassVar[tuple[str, ...]] = ("_count",)

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        self._most = whole_prop(node.props, "n")
        self._count = 0

    def reset(self) -> None:
        """Start at 0."""
        self._count = 0

    def pulse(self, pin: str, /) -> Effects:
        """Count, or set back."""
        if pin == "zero":
            self._count = 0
        elif pin == "input":
            if self._count >= self._most:
                yield Tell({"max": self._most})
                return
            self._count += 1
            yield Tell({"n": self._count})
            yield PULSE


class Counter(Card):
    """`counter`: true from the n-th pulse on."""

    MEMORY: ClassVar[tuple[str, ...]] = ("_count", "_truth")

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        self._goal = whole_prop(node.props, "n")
        self._count = 0
        self._truth = False

    def reset(self) -> None:
        """Start at 0."""
        self._count = 0
        self._truth = False

    def settle(self) -> Effects:
        """Publish false."""
        yield FALL

    def pulse(self, pin: str, /) -> Effects:
        """Count, or set back."""
        if pin == "zero":
            self._count = 0
            yield from self._fall()
        elif pin == "input":
            yield from self._counted()

    def _counted(self) -> Effects:
        if self._truth:
            yield Unproven("counter_after")
            if self.world.options.counter_after == "wrap":
                self._count = 0
                yield from self._fall()
        self._count += 1
        yield Tell({"n": self._count})
        if self._count >= self._goal and not self._truth:
            self._truth = True
            yield RISE

    def _fall(self) -> Effects:
        if self._truth:
            self._truth = False
            yield FALL


class ModeSwitch(Card):
    """`modeSwitch`: one output after the other, in a ring; those without wires have their turn too."""

    MEMORY: ClassVar[tuple[str, ...]] = ("_turn", "_used")

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        kind = node_type(node.type)
        pins = kind.numbered_outputs if kind is not None else None
        numbers = {} if pins is None else {pin: pins.number(pin) for pin in pins.among(node.outputs)}
        self._pins = sorted(numbers, key=lambda pin: numbers[pin] or 0)
        if not self._pins:
            raise NotRunnable("outputs")
        self._turn = 0
        self._used = False

    def reset(self) -> None:
        """Start with the first, unless the hub is taken to remember."""
        if self.world.options.modeswitch_reset_on_enable:
            self._turn = 0

    def begin(self) -> Effects:
        """Say what a second enable rests on."""
        if self._used:
            yield Unproven("modeswitch_reset_on_enable")

    def pulse(self, _pin: str, /) -> Effects:
        """Go on at the output whose turn it is."""
        self._used = True
        turn, self._turn = self._turn, (self._turn + 1) % len(self._pins)
        yield Emit(self._pins[turn], pulse=True)


class SignalOr(Card):
    """`signalOr`: every pulse goes on."""

    def pulse(self, _pin: str, /) -> Effects:
        """Pulse."""
        yield PULSE


class Register(Card):
    """`register`: holds what was set last; only false → true pulses."""

    MEMORY: ClassVar[tuple[str, ...]] = ("_truth",)

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        self._truth = False

    def reset(self) -> None:
        """Start false, unless the hub is taken to remember."""
        self._truth = self._truth and self.world.options.register_persist

    def settle(self) -> Effects:
        """Publish what it holds."""
        yield Emit(state=self._truth)

    def pulse(self, pin: str, /) -> Effects:
        """Set it."""
        if pin == "setTrue" and not self._truth:
            self._truth = True
            yield RISE
        elif pin == "setFalse" and self._truth:
            self._truth = False
            yield FALL
