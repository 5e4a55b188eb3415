"""The rows of bot tokens. A token is known by its digest only; instants are milliseconds."""

from __future__ import annotations

from dataclasses import dataclass

from zhixing.store.connection import Tx


@dataclass(frozen=True, slots=True)
class Issued:
    """A bot that has a token."""

    bot_id: str
    issued_at: int


def put(tx: Tx, bot_id: str, digest: str, at: int) -> None:
    """Keep the token of a bot in place of the one before."""
    tx.execute(
        "INSERT INTO goal_bot_tokens (bot_id, digest, issued_at) VALUES (?, ?, ?)"
        " ON CONFLICT (bot_id) DO UPDATE SET digest = excluded.digest, issued_at = excluded.issued_at",
        (bot_id, digest, at),
    )


def remove(tx: Tx, bot_id: str) -> bool:
    """Take the token of a bot away; return whether there was one."""
    return bool(tx.execute("DELETE FROM goal_bot_tokens WHERE bot_id = ?", (bot_id,)))


def bot_of(tx: Tx, digest: str) -> str | None:
    """Return whose token has a digest."""
    row = tx.row("SELECT bot_id FROM goal_bot_tokens WHERE digest = ?", (digest,))
    return None if row is None else str(row[0])


def issued(tx: Tx) -> tuple[Issued, ...]:
    """Return the bots that have a token, by id."""
    found = tx.rows("SELECT bot_id, issued_at FROM goal_bot_tokens ORDER BY bot_id")
    return tuple(Issued(bot_id, at) for bot_id, at in found)
