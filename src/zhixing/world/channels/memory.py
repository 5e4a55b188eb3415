"""The twin of every channel: answers from a script and remembers what it was given."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from zhixing.world.channels.port import Delivered, Letter, Receipt, Unknown


class MemoryChannel:
    """A channel to nobody.

    Each send takes the next receipt of `script`; once that is used up, everything is delivered. `sent` holds every
    letter handed in, `arrived` those the receiver took. A letter of unknown fate counts as arrived, which is the worse
    of the two for whoever sends it again.
    """

    def __init__(self, name: str = "memory", script: Iterable[Receipt] = (), *, idempotent: bool = False) -> None:
        self.name = name
        self.idempotent = idempotent
        self.sent: list[Letter] = []
        self.arrived: list[Letter] = []
        self._script = deque(script)

    def then(self, *receipts: Receipt) -> None:
        """Add to the end of the script."""
        self._script.extend(receipts)

    def send(self, letter: Letter) -> Receipt:
        """Record `letter` and answer as scripted."""
        self.sent.append(letter)
        receipt = self._script.popleft() if self._script else Delivered()
        if isinstance(receipt, Delivered | Unknown) and not self._drops(letter):
            self.arrived.append(letter)
        return receipt

    def _drops(self, letter: Letter) -> bool:
        return self.idempotent and any(known.key == letter.key for known in self.arrived)
