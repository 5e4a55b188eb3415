"""Cards that start a rule by the hub's wall clock, and the one that starts it when it is enabled."""

from __future__ import annotations

from typing import ClassVar

from zhixing.graphs.rule import Node
from zhixing.graphs.simulating.cards import Card, NotRunnable
from zhixing.graphs.simulating.effects import FALL, PULSE, RISE, Appoint, Effects, Emit, Notice, Stop, Unproven
from zhixing.graphs.simulating.world import World
from zhixing.graphs.times.alarm import Silence, read_alarm, search_ring
from zhixing.graphs.times.filters import EveryDay
from zhixing.graphs.times.window import is_open, next_change, read_window


class AlarmSource(Card):
    """`alarmClock`: rings by the wall clock; what was missed is not made up for."""

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        alarm = read_alarm(node.props, node.cfg)
        if alarm.value is None:
            raise NotRunnable(alarm.findings[0].where.removeprefix("props.") if alarm.findings else "type")
        self._alarm = alarm.value

    def begin(self) -> Effects:
        """Wait for the first ring."""
        ring = search_ring(self._alarm, self.world.wall, self.world.tz, self.world.options.times)
        match ring:
            case Silence.CALENDAR_UNKNOWN:
                yield Notice("calendar_unknown")
            case Silence():
                yield Notice("never_rings")
            case _:
                yield Appoint("alarm", ring)

    def expire(self) -> Effects:
        """Ring, and wait for the next."""
        yield from self.begin()
        yield PULSE

    def clock_set(self) -> Effects:
        """Wait for the first ring by the new time."""
        yield Stop()
        yield from self.begin()


class WindowSource(Card):
    """`timeRange`: true inside, a pulse at its start."""

    MEMORY: ClassVar[tuple[str, ...]] = ("_truth",)

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        window = read_window(node.props)
        if window.value is None:
            raise NotRunnable(window.findings[0].where.removeprefix("props.") if window.findings else "start")
        self._window = window.value
        self._truth = False

    def reset(self) -> None:
        """Look at the clock."""
        self._truth = is_open(self._window, self.world.wall, self.world.tz, self.world.options.times) is True

    def settle(self) -> Effects:
        """Publish whether it is inside, and wait for the next end."""
        yield Emit(state=self._truth)
        yield from self._wait()
        if self._window.overnight and not isinstance(self._window.days, EveryDay):
            yield Unproven("timerange_day_owner")
        if self._window.start == self._window.end:
            yield Unproven("timerange_zero_length")

    def begin(self) -> Effects:
        """Pulse inside the window only if that is how the hub is taken to be."""
        if self._truth:
            yield Unproven("timerange_event_on_enable")
            if self.world.options.timerange_event_on_enable:
                yield PULSE

    def expire(self) -> Effects:
        """Pass an end of the window."""
        yield from self._wait()
        was = self._truth
        self.reset()
        if self._truth and not was:
            yield RISE
        elif was and not self._truth:
            yield FALL

    def clock_set(self) -> Effects:
        """Stand where the new time is; a start that was jumped over is not made up for."""
        yield Stop()
        yield from self._wait()
        was = self._truth
        self.reset()
        if was is not self._truth:
            yield Emit(state=self._truth)
            yield from self.begin()

    def _wait(self) -> Effects:
        change = next_change(self._window, self.world.wall, self.world.tz, self.world.options.times)
        if change is not None:
            if change.open is None:
                yield Notice("calendar_unknown")
            yield Appoint("window", change.at)


class StartSource(Card):
    """`onLoad`."""

    def begin(self) -> Effects:
        """Pulse; a rule that is enabled from the start was saved, not switched."""
        if self.world.saving:
            yield Unproven("onload_on_save")
            if not self.world.options.onload_on_save:
                return
        yield PULSE
