"""Scripts in which a case of a plan comes, or just does not: what devices are and say, what the clock shows. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

from zhixing.graphs.building.builder import Declared
from zhixing.graphs.building.sketch import Comparison
from zhixing.graphs.composing.plan import Case, Ground, Hear, Pair, Ringing, Sensed, Sensor, Trigger, Watch
from zhixing.graphs.composing.request import Clock, Window
from zhixing.graphs.simulating.predicates import Predicate
from zhixing.graphs.simulating.script import DeviceEvent, Event, Line, Property, PropertyReport, Script, Value
from zhixing.graphs.specs import model
from zhixing.graphs.specs.model import as_written
from zhixing.graphs.specs.ranges import exact, plain
from zhixing.graphs.times.filters import EveryDay, passes
from zhixing.graphs.times.options import DEFAULT_OPTIONS
from zhixing.graphs.times.sun import sun_time
from zhixing.graphs.times.window import Window as TimeWindow
from zhixing.graphs.times.window import is_open
from zhixing.kernel.moments import settle

AT_FIRST_MS = 2_000
"""When the first thing happens, after the rule is enabled."""
APART_MS = 1_500
"""Between two things that happen; more than what the gateway waits between presses of a remote."""
_NEAR = timedelta(seconds=30)
"""How near to the end of a window is tried."""
_ENDS = 2
REACH_DAYS = 12
"""Days in which an instant is looked for: a week, and a holiday in it."""


@dataclass(slots=True)
class Stage:
    """A script that grows."""

    zone: ZoneInfo
    variables: tuple[Declared, ...]
    state: dict[Property, Value] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)

    def is_(self, sensor: Sensor, *, so: bool) -> None:
        """Let a property be so from the start, or not so; events cannot be anything."""
        if isinstance(sensor, Watch):
            value = sample(sensor.prop, sensor.when, so=so)
            if value is not None:
                self.state[_place(sensor)] = value

    def comes(self, sensor: Sensor, at_ms: int) -> None:
        """Let a sensor tell that it is so."""
        self.lines.append(Line(at_ms, _told(sensor)))

    def script(self, start: datetime, until_ms: int) -> Script:
        """Return the script: `start` by the wall clock."""
        held = {each.variable: each.initial for each in self.variables}
        lines = tuple(sorted(self.lines, key=lambda each: each.at_ms))
        return Script(start.astimezone(UTC), self.zone, until_ms, state=self.state, variables=held, lines=lines)


def settled(stage: Stage, sensed: Sequence[Sensed], *, so: bool) -> int:
    """Let states be so before anything comes; return when the last of them is, in ms."""
    done = 0
    for each in sensed:
        for sensor in each.sensors:
            stage.is_(sensor, so=so)
            if so and not isinstance(sensor, Watch):
                stage.comes(sensor, AT_FIRST_MS)
                done = max(done, AT_FIRST_MS)
        if each.hold is not None and so:
            done = max(done, AT_FIRST_MS + each.hold.ms)
    return done


def coming(stage: Stage, trigger: Trigger, at_ms: int, *, enough: bool = True) -> int:
    """Let a trigger come at a time, or (`enough` false) nearly; return when it acts."""
    if isinstance(trigger, Ringing):
        return at_ms
    for each in trigger.sensors:
        stage.is_(each, so=False)
    wanted = trigger.least or (len(trigger.sensors) if trigger.joint == "all" else 1)
    for number, each in enumerate(trigger.sensors[: wanted - (not enough)]):
        stage.comes(each, at_ms + number * APART_MS)
    last = at_ms + max(wanted - 1, 0) * APART_MS
    return last + (trigger.hold.ms if trigger.hold is not None else 0)


def instant(case: Case, trigger: Trigger, ground: Ground) -> datetime | None:
    """Return an instant to come at which a case acts, inside all its windows; None for none."""
    instants = _instants(case, trigger, ground)
    return next((at for at in instants if all(each is not False for each in _open(case, at, ground))), None)


def outside(case: Case, trigger: Trigger, ground: Ground) -> tuple[datetime, ...]:
    """Return instants to come outside of a window: just before it and just behind it, where there are such."""
    instants = _instants(case, trigger, ground)
    return tuple(islice((at for at in instants if any(each is False for each in _open(case, at, ground))), _ENDS))


def _open(case: Case, at: datetime, ground: Ground) -> list[bool | None]:
    return [is_open(_window(each), at, ground.zone, DEFAULT_OPTIONS) for each in case.windows]


def _instants(case: Case, trigger: Trigger, ground: Ground) -> Iterator[datetime]:
    today = ground.now.astimezone(ground.zone).date()
    for number in range(1, REACH_DAYS):
        day = today + timedelta(days=number)
        if isinstance(trigger, Ringing):
            at = trigger.at
            if passes(at.days or EveryDay(), day, DEFAULT_OPTIONS) is False:
                continue
            if isinstance(at, Clock):
                yield settle(datetime.combine(day, at.at), ground.zone).astimezone(UTC)
            elif ground.place is not None and (sun := sun_time(ground.place, day, at.event)) is not None:
                yield sun + timedelta(minutes=at.offset)
            continue
        for each in case.windows:
            for end in (each.start, each.end):
                at_end = settle(datetime.combine(day, end), ground.zone).astimezone(UTC)
                yield from (at_end - _NEAR, at_end + _NEAR)
        if not case.windows:
            yield ground.now.astimezone(UTC)


def _window(given: Window) -> TimeWindow:
    return TimeWindow(given.start, given.end, given.days)


def sample(prop: model.Property, when: Comparison, *, so: bool) -> Value | None:
    """Return a value of a property that compares, or one that does not, near to what is asked; None for none."""
    dtype = prop.comparison_dtype
    asked = Predicate.of({"dtype": dtype.value if dtype else "", **when.members})
    return next((each for each in _values(prop, when) if asked.holds(each) is so), None)


def _values(prop: model.Property, when: Comparison) -> Iterator[Value]:
    if prop.format is model.Format.BOOL:
        yield from (True, False)
        return
    if prop.choices:
        yield from (each.value for each in prop.choices)
        return
    ends = (*(when.v1 if isinstance(when.v1, tuple) else (when.v1,)), when.v2)
    found = exact(prop.range.step) if prop.range is not None else None
    step = plain(found) if found else 1
    for end in ends:
        if isinstance(end, int | float) and not isinstance(end, bool):
            for value in (end, end + step, end - step):
                if prop.in_range(value):
                    yield as_written(prop, round(value, 6))
    if prop.range is not None and prop.range.usable:
        yield from (as_written(prop, prop.range.low), as_written(prop, prop.range.high))


def _place(sensor: Watch) -> Property:
    return Property(sensor.thing.did, sensor.prop.siid, sensor.prop.piid)


def _told(sensor: Sensor) -> Event:
    match sensor:
        case Watch():
            value = sample(sensor.prop, sensor.when, so=True)
            return PropertyReport(_place(sensor), False if value is None else value)
        case Hear():
            given = {piid: when.v1 for piid, when in sensor.filters.items() if not isinstance(when.v1, tuple)}
            return DeviceEvent(sensor.thing.did, sensor.event.siid, sensor.event.eiid, given)
        case Pair():
            return DeviceEvent(sensor.thing.did, sensor.begins.siid, sensor.begins.eiid, {})
