"""The pages of a real home, as the HTTP face gives them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.faces.http.conftest import api, app, client, connect, limits, pass_time, serve, stranger, stream
from tests.faces.web.browsing import Browser

__all__ = ["api", "app", "client", "connect", "limits", "pass_time", "serve", "stranger", "stream"]


@pytest.fixture
def dialect() -> str:
    return "sqlite"


@pytest.fixture
def visitor(stranger) -> Browser:
    """Give a browser that has not logged in."""
    return Browser(stranger)


@pytest.fixture
def enter(visitor) -> Callable[[], Browser]:
    """Log in, once whatever a test needs is there."""

    def entered() -> Browser:
        visitor.log_in()
        assert visitor.status == 200
        return visitor

    return entered
