"""Who has which token: given out once, kept as a digest, taken back at any time."""

from __future__ import annotations

import hashlib
import re
import secrets

from zhixing.goals.contracts.shapes import LONGEST_ID
from zhixing.goals.tokens import rows
from zhixing.goals.tokens.rows import Issued
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, NotFound, TooLarge
from zhixing.kernel.moments import millis
from zhixing.store.connection import Store

PREFIX = "zxb_"
"""What a bot token begins with, so that anybody who finds one knows what it is."""
MOST_TOKENS = 1000
_TOKEN = re.compile(PREFIX + r"[A-Za-z0-9_-]{43}")


class BotTokens:
    """The tokens of bots."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def issue(self, bot_id: str) -> str:
        """Give a bot a token, and end the one it had. It cannot be shown again: only its digest is kept.

        Raises `BadInput` for an id that cannot be one, `TooLarge` when too many bots have one.
        """
        if not bot_id.strip() or bot_id != bot_id.strip() or len(bot_id) > LONGEST_ID or not bot_id.isprintable():
            raise BadInput("goal_field_id", name="bot_id")
        token = PREFIX + secrets.token_urlsafe(32)
        with self._store.write() as tx:
            others = [each for each in rows.issued(tx) if each.bot_id != bot_id]
            if len(others) >= MOST_TOKENS:
                raise TooLarge("goal_tokens_many", limit=MOST_TOKENS)
            rows.put(tx, bot_id, _digest(token), millis(self._clock.now()))
        return token

    def revoke(self, bot_id: str) -> None:
        """End the token of a bot. Raises `NotFound` when it has none."""
        with self._store.write() as tx:
            if not rows.remove(tx, bot_id):
                raise NotFound("goal_token_none", id=bot_id[:LONGEST_ID])

    def who(self, token: str) -> str | None:
        """Return the bot whose token this is, None for no token that is known."""
        if not _TOKEN.fullmatch(token):
            return None
        with self._store.read() as tx:
            return rows.bot_of(tx, _digest(token))

    def listed(self) -> tuple[Issued, ...]:
        """Return the bots that have a token."""
        with self._store.read() as tx:
            return rows.issued(tx)


def _digest(token: str) -> str:
    """Return what is kept of a token. It is random and long, so that a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()
