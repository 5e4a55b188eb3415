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
        self.set_clock(script.start.astimezone(UTC))
        self._reports: dict[Property, int] = {}

    @property
    def wall(self) -> datetime:
        """The hub's wall clock, in UTC."""
        return self._zero + _MILLISECOND * self.now_ms

    @property
    def epoch_ms(self) -> int:
        """The hub's wall clock as its log writes it."""
        return self._zero_ms + self.now_ms

    def due_at(self, at: datetime) -> int:
        """Return when the wall clock will show `at` if nobody sets it."""
        return math.ceil((at - self._zero) / _MILLISECOND)

    def set_clock(self, at: datetime) -> None:
        """Let the wall clock show `at` now."""
        self._zero = at - _MILLISECOND * self.now_ms
        self._zero_ms = (self._zero - _EPOCH) // _MILLISECOND

    def report(self, about: Property, value: Value) -> None:
        """Take in what a device says; what is still on its way from earlier writes is overtaken."""
        self.devices[about] = value
        self.cache[about] = value
        self._reports[about] = self._reports.get(about, 0) + 1

    def write(self, about: Property, value: object) -> int:
        """Let the device obey; return how many reports came before."""
        self.devices[about] = value
        return self._reports.get(about, 0)

    def learn(self, about: Property, value: object, reports: int) -> None:
        """Let the gateway know of a write, unless more than those reports came since."""
        if self._reports.get(about, 0) == reports:
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
