"""A sandbox that is tried out when the first command wants to run: most programs that open a home run none."""

from __future__ import annotations

import threading
from collections.abc import Callable

from zhixing.kernel.clock import Clock
from zhixing.world.sandbox.port import Command, Finished, Mode, Sandbox
from zhixing.world.sandbox.probing import Refusing, Unready, Wanted, probe


def whatever_there_is(clock: Clock, wanted: Wanted) -> Sandbox:
    """Return the sandbox that was asked for, or one that refuses every command and says why."""
    found = probe(clock, wanted)
    return Refusing(found.reason) if isinstance(found, Unready) else found


class OnDemand:
    """What `make` returns, made once and when it is needed."""

    def __init__(self, make: Callable[[], Sandbox]) -> None:
        self._make = make
        self._made: Sandbox | None = None
        self._guard = threading.Lock()

    @property
    def mode(self) -> Mode:
        """What stands between its commands and the machine."""
        return self._sandbox.mode

    def run(self, command: Command, stop: threading.Event) -> Finished:
        """Run a command; see `Sandbox`."""
        return self._sandbox.run(command, stop)

    @property
    def _sandbox(self) -> Sandbox:
        with self._guard:
            if self._made is None:
                self._made = self._make()
            return self._made
