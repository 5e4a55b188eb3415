"""Cards that wait: delay, statusLast, eventSequence, loop. All but the third hold timers, which a result lists."""

from __future__ import annotations

from typing import ClassVar

from zhixing.graphs.rule import Node
from zhixing.graphs.simulating.cards import Card, duration_prop
from zhixing.graphs.simulating.effects import FALL, PULSE, RISE, Effects, Start, Stop, Unproven
from zhixing.graphs.simulating.world import World

MOST_QUEUED = 1000
"""Inputs of one delay that wait behind the running one (`delay_retrigger=queue`)."""


class Delay(Card):
    """`delay`: by default one timer, which every input starts anew."""

    MEMORY: ClassVar[tuple[str, ...]] = ("_running", "_queued")

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        self._wait_ms = duration_prop(node.props, "timeout")
        self._running = 0
        self._queued = 0

    def reset(self) -> None:
        """Nothing waits."""
        self._running = self._queued = 0

    def pulse(self, _pin: str, /) -> Effects:
        """Start waiting, or what the option says when it waits already."""
        if self._running:
            match self.world.options.delay_retrigger:
                case "ignore":
                    return
                case "queue":
                    self._queued = min(self._queued + 1, MOST_QUEUED)
                    return
                case "restart":
                    yield Stop()
                    self._running = 0
        self._running += 1
        yield Start("delay", self._wait_ms)

    def expire(self) -> Effects:
        """Pulse once for each timer."""
        self._running -= 1
        if self._queued:
            self._queued -= 1
            self._running += 1
            yield Start("delay", self._wait_ms)
        yield PULSE


class StatusLast(Card):
    """`statusLast`: true once its input was true for so long without a break."""

    MEMORY: ClassVar[tuple[str, ...]] = ("_input", "_truth")

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        self._wait_ms = duration_prop(node.props, "timeout")
        self._input = False
        self._truth = False

    def reset(self) -> None:
        """Nothing was true."""
        self._input = self._truth = False

    def state(self, _pin: str, value: bool, /) -> Effects:  # noqa: FBT001 - it is the value of a wire
        """Start counting, or give up; the same state again changes nothing."""
        if value is self._input:
            return
        self._input = value
        if value:
            yield Start("statusLast", self._wait_ms)
            return
        yield Stop()
        if self._truth:
            self._truth = False
            yield FALL

    def expire(self) -> Effects:
        """Become true, once for each period."""
        self._truth = True
        yield RISE


class EventSequence(Card):
    """`eventSequence`: the second within so many milliseconds of the first."""

    MEMORY: ClassVar[tuple[str, ...]] = ("_armed_ms",)

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        self._within_ms = duration_prop(node.props, "timeout")
        self._armed_ms: int | None = None

    def reset(self) -> None:
        """Nothing came."""
        self._armed_ms = None

    def pulse(self, pin: str, /) -> Effects:
        """Arm at the first, pulse and disarm at the second."""
        now = self.world.now_ms
        if self._armed_ms is not None and now - self._armed_ms > self._within_ms:
            self._armed_ms = None
        if pin == "input1":
            if self._armed_ms is None:
                self._armed_ms = now
                return
            yield Unproven("sequence_rearm")
            if self.world.options.sequence_rearm == "latest":
                self._armed_ms = now
        elif pin == "input2" and self._armed_ms is not None:
            self._armed_ms = None
            yield PULSE


class Loop(Card):
    """`loop`: a pulse every so many milliseconds until it is stopped."""

    MEMORY: ClassVar[tuple[str, ...]] = ("_running",)

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        self._interval_ms = duration_prop(node.props, "interval")
        self._running = False

    def reset(self) -> None:
        """Stand still."""
        self._running = False

    def pulse(self, pin: str, /) -> Effects:
        """Start or stop."""
        if pin == "stop":
            self._running = False
            yield Stop()
            return
        if pin != "start":
            return
        if self._running:
            yield Unproven("loop_restart")
            if self.world.options.loop_restart == "ignore":
                return
            yield Stop()
        self._running = True
        yield Unproven("loop_first_tick")
        yield Start("loop", self._interval_ms)
        if self.world.options.loop_first_tick == "immediately":
            yield PULSE

    def expire(self) -> Effects:
        """Pulse; the next tick is appointed first, so that this pulse can stop it."""
        yield Start("loop", self._interval_ms)
        yield PULSE
