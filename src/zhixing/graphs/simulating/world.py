"""What is around a running rule: the virtual clock, variables, devices as they are and as the gateway knows them."""

from __future__ import annotations

import math
import random
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.expressions.strings import LONGEST_RESULT
from zhixing.graphs.simulating.effects import Fail
from zhixing.graphs.simulating.options import Options
from zhixing.graphs.simulating.script import Property, Script, Value

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


class World:
    """Owned by the run, which alone changes it; cards read it.

    `devices` is what devices are; `cache` what the gateway last heard, which is what queries read.
    """

    def __init__(self, script: Script) -> None:
        self.options: Options = script.options
        self.tz: ZoneInfo = script.tz
        self.now_ms = 0
        self.saving = False
        """Whether the rule is being enabled because it was saved that way."""
        self.variables: dict[Variable, float | str] = dict(script.variables)
        self.devices: dict[Property, object] = dict(script.state)
        self.cache: dict[Property, object] = dict(script.state)
        self.chance = random.Random(script.options.seed)  # noqa: S311 - a run is the same every time
        self._zero = script.start.astimezone(UTC)
        self._writes: dict[Property, int] = {}

    @property
    def wall(self) -> datetime:
        """The hub's wall clock, in UTC."""
        return self._zero + _MILLISECOND * self.now_ms

    @property
    def epoch_ms(self) -> int:
        """The hub's wall clock as its log writes it."""
        return (self.wall - _EPOCH) // _MILLISECOND

    def due_at(self, at: datetime) -> int:
        """Return when the wall clock will show `at` if nobody sets it."""
        return math.ceil((at - self._zero) / _MILLISECOND)

    def set_clock(self, at: datetime) -> None:
        """Let the wall clock show `at` now."""
        self._zero = at - _MILLISECOND * self.now_ms

    def report(self, about: Property, value: Value) -> None:
        """Take in what a device says; what is still on its way from earlier writes is overtaken."""
        self.devices[about] = value
        self.cache[about] = value
        self._writes.pop(about, None)

    def write(self, about: Property, value: object) -> int:
        """Let the device obey; return the number under which the gateway may learn of it."""
        self.devices[about] = value
        self._writes[about] = number = self._writes.get(about, 0) + 1
        return number

    def learn(self, about: Property, value: object, number: int) -> None:
        """Let the gateway know of a write, unless a later one or a report came before."""
        if self._writes.get(about) == number:
            self.cache[about] = value

    def stale(self, about: Property) -> bool:
        """Whether a query reads something else than what the device is."""
        return about in self.cache and self.cache[about] != self.devices.get(about)

    def fitting(self, variable: Variable, value: object) -> float | str | Fail:
        """Return a value as the variable takes it, true as 1; a failure when it does not fit or nothing is there."""
        held = self.variables.get(variable)
        if held is None:
            return Fail("variable_missing", {"variable": variable.key})
        if isinstance(value, bool):
            value = int(value)
        if isinstance(held, str):
            fits = isinstance(value, str) and len(value) <= LONGEST_RESULT
        else:
            fits = isinstance(value, int | float) and math.isfinite(value)
        if not fits or not isinstance(value, int | float | str):
            return Fail("variable_kind", {"variable": variable.key})
        return value
