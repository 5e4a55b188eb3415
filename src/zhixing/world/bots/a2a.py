"""A bot that speaks A2A, the protocol between agents (a2a-protocol.org), by its published SDK, which is an extra.

The card says where the bot is. It may only name its own place: whoever can write a card could otherwise send us, and
the secret of the bot, anywhere.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Literal

from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import Unavailable
from zhixing.world.bots.http import bearer, bot_address
from zhixing.world.bots.port import Errand, Receipt, Said
from zhixing.world.bots.waiting import awaited, taken_up

if TYPE_CHECKING:
    from zhixing.world.bots.a2a_calls import Line

CARD_PATH = "/.well-known/agent-card.json"


class A2aBot:
    """The agent whose card is at `card`, or at its well-known place below that; `secret` is told as a bearer token.

    Raises `BadInput` for an address or a secret that cannot be used, `Unavailable` where the extra is not installed.
    """

    def __init__(
        self, card: str, secret: str, clock: Clock, *, name: str = "", closing: threading.Event | None = None
    ) -> None:
        self.name = name
        self._line = _line(name, card, bearer(name, secret) if secret else "")
        self._clock = clock
        self._closing = closing or threading.Event()

    def __repr__(self) -> str:
        return f"A2aBot({self.name!r})"

    def ask(self, errand: Errand) -> Said:
        """Give an errand and wait for its end; see `Bot`."""
        return awaited(self, errand, self._clock, self._closing)

    def take_up(self, errand: Errand) -> Said:
        """Go on with an errand; see `Remote`."""
        return taken_up(self, errand, self._clock, self._closing)

    def send(self, errand: Errand) -> Receipt | Said:
        """Send a message; see `Remote`. Its number is made of the key: an agent that counts them does it once."""
        return self._line.send(errand)

    def whereabouts(self, errand: Errand) -> Literal["unknown"]:  # noqa: ARG002 - see below
        """Say that nobody knows: agents find nothing by the number of a message."""
        return "unknown"

    def collect(self, receipt: Receipt) -> Said | None:
        """Look at a task; see `Remote`."""
        return self._line.collect(receipt)

    def stop(self, receipt: Receipt) -> None:
        """Cancel a task; see `Remote`."""
        self._line.stop(receipt)


def _line(name: str, card: str, secret: str) -> Line:
    try:
        from zhixing.world.bots.a2a_calls import Line  # noqa: PLC0415 - an extra, and slow
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.startswith("zhixing"):
            raise
        raise Unavailable("bot_a2a_missing", name=name) from None
    url = bot_address(name, card)
    host = url.host.decode("ascii")
    place = f"[{host}]" if ":" in host else host
    port = "" if url.port is None else f":{url.port}"
    target = url.target.decode("ascii")
    if not target.partition("?")[0].endswith(".json"):
        target = target.partition("?")[0].rstrip("/") + CARD_PATH
    return Line(f"{url.scheme.decode('ascii')}://{place}{port}{target}", secret)
