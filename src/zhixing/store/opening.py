"""From a URL to the store behind it."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from zhixing.kernel.errors import BadInput
from zhixing.store.connection import Store
from zhixing.store.sqlite import SqliteStore


def open_store(url: str, busy_seconds: float = 5.0) -> Store:
    """Open the database that `url` names.

    `sqlite:///var/lib/zhixing/zhixing.db` is a file (the path after `sqlite://` is absolute and percent-encoded), and
    `postgresql://user@host/name` a database, with whatever else libpq understands. Raises `BadInput` for anything else.
    The schema is not touched; see `migrate`.
    """
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise BadInput("store_url_unreadable") from error
    if parts.scheme == "sqlite" and parts.path.strip("/") and not (parts.netloc or parts.query or parts.fragment):
        return SqliteStore(unquote(parts.path), busy_seconds)
    if parts.scheme in ("postgresql", "postgres"):
        from zhixing.store.postgresql import PostgresStore  # noqa: PLC0415 - psycopg is an optional extra

        return PostgresStore(url, busy_seconds)
    raise BadInput("store_url_unreadable")


def sqlite_url(path: Path) -> str:
    """Return the URL of the file `path`."""
    return f"sqlite://{quote(str(path.absolute()))}"
