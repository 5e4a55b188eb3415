"""The twins of bots: they read their replies off a list, and remember what they were given."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from zhixing.world.bots.hearing import failed, said
from zhixing.world.bots.port import Errand, NotSent, Receipt, Said, Unclear

Fault = Said | NotSent | Unclear
"""What happens instead of the next reply."""


@dataclass(frozen=True, slots=True)
class Line:
    """What a scripted bot replies to a text that holds `when`; an empty `when` fits every text."""

    reply: str
    when: str = ""


class ScriptedBot:
    """A bot that replies the first line that fits; without one it has failed. `errands` holds all it was given.

    Every one of `faults` takes the place of one reply.
    """

    def __init__(self, lines: Sequence[Line] = (), faults: Sequence[Fault] = ()) -> None:
        self.errands: list[Errand] = []
        self._lines = tuple(lines)
        self._faults = deque(faults)
        self._guard = threading.Lock()

    def then(self, *faults: Fault) -> None:
        """Add to the faults."""
        self._faults.extend(faults)

    def ask(self, errand: Errand) -> Said:
        """Reply; see `Bot`."""
        with self._guard:
            self.errands.append(errand)
            fault = self._faults.popleft() if self._faults else None
        if isinstance(fault, NotSent | Unclear):
            raise fault
        return fault or self._reply(errand)

    def _reply(self, errand: Errand) -> Said:
        for line in self._lines:
            if line.when in errand.text:
                return said(line.reply)
        return failed("no_line")


class ScriptedRemote(ScriptedBot):
    """The same as a bot on its own side. It does an errand once for each key, and is done after `looks` looks.

    `stopped` holds the runs that were stopped: those have failed.
    """

    def __init__(self, lines: Sequence[Line] = (), faults: Sequence[Fault] = (), *, looks: int = 0) -> None:
        super().__init__(lines, faults)
        self.stopped: list[str] = []
        self._looks = looks
        self._left: dict[str, int] = {}
        self._results: dict[str, Said] = {}
        self._runs: dict[str, str] = {}

    def send(self, errand: Errand) -> Receipt:
        """Take an errand; see `Remote`."""
        if errand.key not in self._runs:
            result = self.ask(errand)
            with self._guard:
                run_id = self._runs.setdefault(errand.key, f"run-{len(self._runs) + 1}")
                self._results[run_id], self._left[run_id] = result, self._looks
        return Receipt(self._runs[errand.key])

    def take_up(self, errand: Errand) -> Said:
        """Go on with an errand; see `Remote`."""
        run_id = self.send(errand).run_id
        with self._guard:
            return self._results[run_id]

    def whereabouts(self, errand: Errand) -> Receipt | Literal["not_sent"]:
        """Say where an errand is; see `Remote`."""
        run_id = self._runs.get(errand.key)
        return "not_sent" if run_id is None else Receipt(run_id)

    def collect(self, receipt: Receipt) -> Said | None:
        """Return what an errand came to; see `Remote`."""
        with self._guard:
            if receipt.run_id not in self._results:
                return failed("run_unknown")
            if receipt.run_id in self.stopped:
                return failed("stopped")
            self._left[receipt.run_id] -= 1
            return None if self._left[receipt.run_id] >= 0 else self._results[receipt.run_id]

    def stop(self, receipt: Receipt) -> None:
        """Stop an errand; see `Remote`."""
        with self._guard:
            self.stopped.append(receipt.run_id)
