"""The address of a channel as a user types it, checked before anything is sent there."""

from __future__ import annotations

import httpcore

from zhixing.kernel.errors import BadInput
from zhixing.world.web import AddressHasPassword, AddressUnreadable, web_address


def http_address(channel: str, text: str) -> httpcore.URL:
    """Read the address of `channel`.

    The errors name the channel and never repeat the address, whose path is often the password of whoever receives
    there.
    """
    try:
        return web_address(text)
    except AddressUnreadable:
        raise BadInput("webhook_address_unreadable", name=channel) from None
    except AddressHasPassword:
        raise BadInput("webhook_address_with_password", name=channel) from None
