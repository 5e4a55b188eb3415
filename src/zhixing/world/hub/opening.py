"""How the rest of the house comes to a hub. The parts for its protocol are an extra of this package."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import Unavailable

if TYPE_CHECKING:
    from zhixing.world.hub.client import HubClient, Listener


def open_hub(address: str, passcode: str, clock: Clock, *, listener: Listener | None = None) -> HubClient:
    """Find the hub at `address`, connect and pair; the caller closes it.

    Raises `BadInput` for an address or a passcode that is none, `Refused` for a wrong passcode, `Unavailable` when no
    hub answers or the extra `hub` is not installed.
    """
    with _extra():
        from zhixing.world.hub.address import locate  # noqa: PLC0415 - an extra
        from zhixing.world.hub.client import connect  # noqa: PLC0415 - an extra
    return connect(locate(address), passcode, clock, listener=listener)


def reaches_hub(address: str, seconds: float) -> bool:
    """Whether anything takes a connection at `address`. Raises `BadInput`, and `Unavailable` without the extra."""
    with _extra():
        from zhixing.world.hub.address import locate  # noqa: PLC0415 - an extra
    found = locate(address)
    try:
        with socket.create_connection((found.ip, found.port), timeout=seconds):
            return True
    except OSError:
        return False


@contextmanager
def _extra() -> Iterator[None]:
    """Import what may not be installed; raises `Unavailable` where it is not."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.startswith("zhixing"):
            raise
        raise Unavailable("hub_parts_missing") from None
