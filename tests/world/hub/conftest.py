"""A fake gateway and a client that is paired with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from zhixing.kernel.clock import SystemClock
from zhixing.world.hub.client import HubClient
from zhixing.world.hub.fake import FakeGateway
from zhixing.world.hub.opening import open_hub

PASSCODE = "246810"


@pytest.fixture
def gateway() -> Iterator[FakeGateway]:
    with FakeGateway(PASSCODE) as running:
        yield running


@pytest.fixture
def told() -> list[tuple[str, object]]:
    """Hold what the hub told unasked."""
    return []


@pytest.fixture
def client(gateway: FakeGateway, told: list[tuple[str, object]]) -> Iterator[HubClient]:
    with closing(open_hub(gateway.url, PASSCODE, SystemClock(), listener=lambda *each: told.append(each))) as opened:
        yield opened
