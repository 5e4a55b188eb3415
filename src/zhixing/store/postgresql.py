"""The store for a team or a provider: PostgreSQL 13 or newer, through psycopg 3.

Writers take turns, as in SQLite: a write transaction begins by taking an advisory lock that belongs to the schema, and
runs at READ COMMITTED, so that each of its statements sees everything the previous holder committed. "Load → decide →
save" is therefore safe as it stands, on both databases and without retries. What it costs is that commits of one schema
do not overlap; a deployment that outgrows this gives each home a schema of its own.

What others changed is heard, not asked for: a transaction that wrote something notifies a channel of its schema.
"""

from __future__ import annotations

import re
import secrets
import threading
import zlib
from contextlib import suppress
from functools import lru_cache
from typing import Any, Literal

from zhixing.kernel.errors import BadInput, StoreUnavailable
from zhixing.store.connection import UniqueViolation
from zhixing.store.pooling import SqlStore

try:
    import psycopg
    from psycopg.adapt import Dumper, Loader
    from psycopg.conninfo import conninfo_to_dict
    from psycopg.pq import TransactionStatus
except ImportError as error:
    raise StoreUnavailable("store_driver_missing") from error

_LOCK_SPACE = 0x7A_68_78_69
"""The first half of our advisory lock's number, "zhxi": apart from locks that other programs take."""

_TOKEN = re.compile(r"'[^']*'|\"[^\"]*\"|\?|%")

_MEANINGS = {
    "25006": "store_readonly",
    "40P01": "store_locked",
    "53100": "store_full",
    "55P03": "store_locked",
    "58030": "store_failing",
    "XX001": "store_corrupt",
    "XX002": "store_corrupt",
}

_UNSTORABLE = ("22021", "22P05")

_OPTIONS = {
    "client_min_messages": "warning",
    "synchronous_commit": "on",
    # A machine that vanished must not keep the writers' lock: the server finds out within seconds.
    "tcp_keepalives_idle": "3",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "2",
    "idle_in_transaction_session_timeout": "10000",
}

_PARAMETERS = {
    "application_name": "zhixing",
    "keepalives_idle": "3",
    "keepalives_interval": "2",
    "keepalives_count": "2",
    "tcp_user_timeout": "7000",
}

_Connection = psycopg.Connection[tuple[Any, ...]]


class _Truth(Dumper):
    """Truth is stored as INTEGER 0/1."""

    oid = psycopg.postgres.types["int2"].oid

    def dump(self, obj: object) -> bytes:
        return b"1" if obj else b"0"


class _Sum(Loader):
    """A sum of whole numbers is NUMERIC here; callers get the int that SQLite gives them."""

    def load(self, data: bytes | bytearray | memoryview) -> int | float:
        text = bytes(data)
        return int(text) if text.lstrip(b"-").isdigit() else float(text)


@lru_cache(maxsize=1024)
def _spelled(sql: str) -> str:
    def spell(found: re.Match[str]) -> str:
        return "%s" if found[0] == "?" else found[0].replace("%", "%%")

    return _TOKEN.sub(spell, sql)


class PostgresStore(SqlStore[_Connection]):
    """The schema that `url` leads to (the first of its search path).

    A connection that broke while nothing was under way is replaced unnoticed; where it broke inside a transaction,
    `StoreUnavailable` is raised. If that happened during COMMIT nobody can know whether the rows are kept: the error
    says so, and deterministic keys make it safe to do the same again.
    """

    dialect: Literal["sqlite", "postgresql"] = "postgresql"
    errors = (psycopg.Error, UnicodeEncodeError)

    def __init__(self, url: str, busy_seconds: float = 5.0) -> None:
        super().__init__(busy_seconds)
        try:
            given = conninfo_to_dict(url)
        except psycopg.Error as error:
            raise BadInput("store_url_unreadable") from error
        options = _OPTIONS | {"lock_timeout": str(max(1, int(busy_seconds * 1000)))}
        settings = [*(f"-c {name}={value}" for name, value in options.items()), str(given.get("options") or "")]
        wait = {"connect_timeout": max(2, round(busy_seconds))}
        self._target: dict[str, Any] = {**wait, **_PARAMETERS, **given, "options": " ".join(settings)}
        self._place = f"{given.get('host') or ''}/{given.get('dbname') or ''}"
        self._token = secrets.token_hex(8)
        self._listening = threading.Lock()
        self._listener = self._connect()
        try:
            number = self._number_of_schema(self._listener)
            self._channel = f"zhixing_{number:08x}"
            self._explaining(self._listen, self._listener)
        except BaseException:
            self._listener.close()
            raise
        self._begin = (
            f"BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock({_LOCK_SPACE}, {number & 0x7FFFFFFF})"
        )
        self._commit = (
            f"SELECT pg_notify('{self._channel}', '{self._token}') WHERE pg_current_xact_id_if_assigned() IS NOT NULL;"
            " COMMIT"
        )

    def changed(self) -> bool:
        """Return whether another process committed since this was last asked.

        After the connection was lost and came back, True once: who knows what was missed. False while it is away.
        """
        with self._alone(), self._slot(self._listening):
            try:
                # Where the server went away, the first look finds its last words and the second that it is gone.
                notes = [note for _ in range(2) for note in self._listener.notifies(timeout=0)]
            except psycopg.OperationalError:
                self._listener.close()
                with suppress(StoreUnavailable):
                    self._listener = self._connect()
                    self._explaining(self._listen, self._listener)
                return not self._listener.closed
            return any(note.payload != self._token for note in notes)

    def close(self) -> None:
        """Close every connection; a read under way ends first."""
        super().close()
        with self._listening:
            self._listener.close()

    def spelled(self, sql: str) -> str:
        """Return `sql` with `%s` for `?`, quoted text left alone."""
        return _spelled(sql)

    def explained(self, error: Exception) -> Exception:
        """Name what happened to the database; errors in our SQL stay what they are."""
        if isinstance(error, psycopg.errors.UniqueViolation):
            return UniqueViolation(str(error))
        state = getattr(error, "sqlstate", None)
        if isinstance(error, UnicodeEncodeError) or (isinstance(error, psycopg.DataError) and state is None):
            return BadInput("text_unstorable")
        if state in _UNSTORABLE:
            return BadInput("text_unstorable")
        if state in _MEANINGS:
            return StoreUnavailable(_MEANINGS[state], place=self._place)
        if isinstance(error, psycopg.OperationalError):
            reason = str(error).partition("\n")[0]
            return StoreUnavailable("store_unreachable", place=self._place, reason=reason)
        return error

    def _locked(self) -> StoreUnavailable:
        return StoreUnavailable("store_locked", place=self._place)

    def _connect(self) -> _Connection:
        try:
            connection = psycopg.connect(autocommit=True, **self._target)
        except psycopg.Error as error:
            raise self.explained(error) from error
        connection.adapters.register_dumper(bool, _Truth)
        connection.adapters.register_loader("numeric", _Sum)
        return connection

    def _number_of_schema(self, connection: _Connection) -> int:
        if connection.info.server_version < 130000:
            found = connection.info.parameter_status("server_version")
            raise StoreUnavailable("store_too_old", name="PostgreSQL", found=found, needed="13")
        row = connection.execute("SELECT current_schema()").fetchone()
        if row is None or row[0] is None:
            raise StoreUnavailable("store_unreachable", place=self._place, reason="search_path")
        return zlib.crc32(row[0].encode())

    def _listen(self, connection: _Connection) -> None:
        connection.execute(f"LISTEN {self._channel}")

    def _open_writer(self) -> _Connection:
        return self._connect()

    def _open_reader(self) -> _Connection:
        return self._connect()

    def _begin_write(self, connection: _Connection) -> None:
        # Several statements in one message, which cannot be prepared.
        connection.execute(self._begin, prepare=False)

    def _begin_read(self, connection: _Connection) -> None:
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

    def _commit_write(self, connection: _Connection) -> None:
        try:
            connection.execute(self._commit, prepare=False)
        except psycopg.OperationalError as error:
            if error.sqlstate is None and connection.closed:
                raise StoreUnavailable("store_unsure", place=self._place) from error
            raise

    def _commit_read(self, connection: _Connection) -> None:
        connection.execute("COMMIT")

    def _roll_back(self, connection: _Connection) -> None:
        # A connection that is gone has taken its transaction with it.
        with suppress(psycopg.OperationalError):
            if connection.info.transaction_status != TransactionStatus.IDLE:
                connection.execute("ROLLBACK")

    def _is_lost(self, connection: _Connection) -> bool:
        return connection.closed
