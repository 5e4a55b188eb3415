"""What a virtual device does with a command, pure: from what is kept of it and the instant to a result and changes.

A written value shows after the device's transition. A property that mirrors another one is never kept itself: writing
it writes the other, reading it reads the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from zhixing.world.devices.homeplan import Fault, PlannedDevice
from zhixing.world.devices.keeping import ONLINE, Held
from zhixing.world.devices.names import misfit, quoted, settled
from zhixing.world.devices.port import Done, Failed, Level, Result, Uncertain
from zhixing.world.devices.specs import Action, Mirror, Property, Service

_AT_ONCE = timedelta(0)

Changes = Mapping[str, Held]
"""What is to be kept, by iid."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a command. `values` is what it came with, None where nothing happened."""

    result: Result
    changes: Changes = field(default_factory=dict)
    values: tuple[Level, ...] | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """A device as it stands: its plan, what is kept of it, and the instant."""

    device: PlannedDevice
    held: Mapping[str, Held]
    now: datetime

    def read(self, iid: str) -> Result:
        """Return what reading a property gives."""
        found = self._property(iid)
        if found is None:
            return Failed("property_missing", quoted(iid))
        service, prop = found
        if not prop.spec.readable:
            return Failed("write_only", prop.spec.name)
        if self._is_away():
            return Failed("offline")
        if self.device.fault is Fault.SILENT:
            return Uncertain("no_answer")
        return Done(self._level(service, prop, self.now))

    def write(self, iid: str, value: Level) -> Outcome:
        """Return what writing a property does."""
        found = self._property(iid)
        if found is None:
            return Outcome(Failed("property_missing", quoted(iid)))
        service, prop = found
        if not prop.spec.writable:
            return Outcome(Failed("read_only", prop.spec.name))
        fault = misfit(prop.spec, value)
        if fault is not None:
            return Outcome(Failed(*fault))
        level = settled(prop.spec, value)
        return self._taken(self._set(service, [(prop, level)], self._late()), (level,))

    def act(self, iid: str, params: Sequence[Level]) -> Outcome:
        """Return what calling an action does."""
        members = ((service, action) for service in self.device.kind.services for action in service.actions)
        found = next((each for each in members if each[1].spec.iid == iid), None)
        if found is None:
            return Outcome(Failed("action_missing", quoted(iid)))
        service, action = found
        arguments = action.spec.arguments
        if len(params) != len(arguments):
            return Outcome(Failed("arguments_count", str(len(arguments))))
        for spec, value in zip(arguments, params, strict=True):
            fault = misfit(spec, value)
            if fault is not None:
                return Outcome(Failed(*fault))
        levels = tuple(settled(spec, value) for spec, value in zip(arguments, params, strict=True))
        return self._taken(self._set(service, self._effects(service, action), self._late()), levels)

    def touch(self, iid: str, level: Level) -> Changes:
        """Return what changes when somebody sets a property by hand: at once, online or not."""
        found = self._property(iid)
        return {} if found is None else self._set(found[0], [(found[1], level)], _AT_ONCE)

    def _property(self, iid: str) -> tuple[Service, Property] | None:
        members = ((service, each) for service in self.device.kind.services for each in service.properties)
        return next((found for found in members if found[1].spec.iid == iid and found[1].listed), None)

    def _late(self) -> timedelta:
        return timedelta(seconds=self.device.transition)

    def _is_away(self) -> bool:
        kept = self.held.get(ONLINE)
        online = self.device.online if kept is None else bool(kept.value)
        return not online or self.device.fault is Fault.OFFLINE

    def _taken(self, changes: Changes, values: tuple[Level, ...]) -> Outcome:
        if self._is_away():
            return Outcome(Failed("offline"))
        match self.device.fault:
            case Fault.FAILS:
                return Outcome(Failed("device_refused"))
            case Fault.SILENT:
                # The worse of the two for whoever repeats it: it did happen.
                return Outcome(Uncertain("no_answer"), changes, values)
            case _:
                return Outcome(Done(), changes, values)

    def _effects(self, service: Service, action: Action) -> Iterator[tuple[Property, Level]]:
        for name, level in action.sets:
            yield service.get(name), level
        for name in action.flips:
            prop = service.get(name)
            # What it will be, not what it still shows: two quick toggles are none.
            yield prop, not self._level(service, prop, None)

    def _set(self, service: Service, levels: Iterable[tuple[Property, Level]], late: timedelta) -> dict[str, Held]:
        changes: dict[str, Held] = {}
        for prop, level in levels:
            target, value = prop, level
            if prop.mirror is not None:
                theirs = _theirs(prop.mirror, level)
                if theirs is None:
                    continue
                target, value = service.get(prop.mirror.of), theirs
            kept = self.held.get(target.spec.iid)
            if late and kept is not None and kept.value == value and self.now < kept.shows_at:
                # It is on its way there already.
                continue
            changes[target.spec.iid] = Held(value, self._level(service, target, self.now), self.now, self.now + late)
        return changes

    def _level(self, service: Service, prop: Property, at: datetime | None) -> Level:
        """Return the level of a property as it shows at an instant; None: as it will be."""
        mirror = prop.mirror
        source = prop if mirror is None else service.get(mirror.of)
        level = dict(self.device.initial).get(source.spec.iid, source.initial)
        kept = self.held.get(source.spec.iid)
        if kept is not None:
            seen = kept.value if at is None else kept.shown(at)
            # What was kept under another plan may not fit this one.
            level = level if misfit(source.spec, seen) else settled(source.spec, seen)
        return level if mirror is None else _ours(mirror, level)


def _ours(mirror: Mirror, level: Level) -> Level:
    if not mirror.values:
        return level
    return next((own for own, theirs in mirror.values if theirs == level), mirror.values[-1][0])


def _theirs(mirror: Mirror, level: Level) -> Level | None:
    if not mirror.values:
        return level
    return next((theirs for own, theirs in mirror.values if own == level), None)
