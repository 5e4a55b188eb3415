"""What tests of every room stand on: a clock that is moved by hand and a migrated store, on both databases.

PostgreSQL is the one of `make services`, or the one that ZHIXING_TEST_POSTGRES names. Each test session works in a
schema of its own, which is emptied between tests.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import quote

import pytest

from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import parse_instant
from zhixing.store.connection import Store
from zhixing.store.migrations import migrate
from zhixing.store.opening import open_store, sqlite_url

START = parse_instant("2026-10-12T10:00:00+08:00")
POSTGRES = os.environ.get("ZHIXING_TEST_POSTGRES", "postgresql://zhixing@127.0.0.1:54329/zhixing")

EMPTY_EVERY_TABLE = """
DO $$ DECLARE name text; BEGIN
    SET LOCAL session_replication_role = replica;
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename <> 'migrations' LOOP
        EXECUTE format('DELETE FROM %I', name);
    END LOOP;
END $$
"""


class Home:
    """A database that can be closed and opened again: what a restart of the program looks like to the rows."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._opened: list[Store] = []
        self.store = self.open()

    def open(self) -> Store:
        """Open the database once more, as another process would."""
        store = open_store(self.url)
        self._opened.append(store)
        return store

    def reopen(self) -> Store:
        """Close the database and open it again."""
        self.store.close()
        self.store = self.open()
        return self.store

    def close(self) -> None:
        for store in self._opened:
            store.close()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(START)


@pytest.fixture(params=["sqlite", "postgresql"])
def dialect(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def fresh_url(dialect: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """Lead to a database without any table, which only this test uses."""
    if dialect == "sqlite":
        return sqlite_url(tmp_path / "fresh.db")
    return request.getfixturevalue("postgresql_schemas")("fresh")


@pytest.fixture
def fresh_home(fresh_url: str) -> Iterator[Home]:
    with closing(Home(fresh_url)) as home:
        yield home


@pytest.fixture
def home(dialect: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Home]:
    """Give a migrated database without rows; `home.reopen()` closes and opens it."""
    if dialect == "sqlite":
        shutil.copy(request.getfixturevalue("migrated_file"), tmp_path / "home.db")
        url = sqlite_url(tmp_path / "home.db")
    else:
        url = request.getfixturevalue("emptied_schema")
    with closing(Home(url)) as home:
        yield home


@pytest.fixture
def store(home: Home) -> Store:
    """Give the store of `home`, for tests that never close it."""
    return home.store


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("migrated") / "template.db"
    with closing(open_store(sqlite_url(path))) as store:
        migrate(store, ManualClock(START))
    return path


@pytest.fixture(scope="session")
def postgresql_schemas() -> Iterator[Callable[[str], str]]:
    """Make empty schemas, dropped when the session ends; each call gives the URL of a new one."""
    import psycopg

    connection = None
    with suppress(psycopg.OperationalError):
        connection = psycopg.connect(
            POSTGRES, autocommit=True, connect_timeout=5, options="-c client_min_messages=error"
        )
    if connection is None:
        pytest.fail("连不上测试用的 PostgreSQL，请先运行：make services", pytrace=False)
    made: list[str] = []

    def make(purpose: str) -> str:
        name = f"test_{connection.info.backend_pid}_{len(made)}_{purpose}"
        connection.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")
        connection.execute(f"CREATE SCHEMA {name}")
        made.append(name)
        return f"{POSTGRES}{'&' if '?' in POSTGRES else '?'}options={quote(f'-c search_path={name}')}"

    with closing(connection):
        drop_left_behind(connection)
        yield make
        for name in made:
            connection.execute(f"DROP SCHEMA {name} CASCADE")


def drop_left_behind(connection) -> None:
    """Drop the schemas of test sessions that were killed: the server process their name begins with is gone."""
    left_behind = r"""
        SELECT nspname FROM pg_namespace
        WHERE nspname ~ '^test_\d+_' AND split_part(nspname, '_', 2)::int NOT IN (SELECT pid FROM pg_stat_activity)
    """
    for (name,) in connection.execute(left_behind).fetchall():
        connection.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")


@pytest.fixture(scope="session")
def migrated_schema(postgresql_schemas: Callable[[str], str]) -> str:
    url = postgresql_schemas("home")
    with closing(open_store(url)) as store:
        migrate(store, ManualClock(START))
    return url


@pytest.fixture
def emptied_schema(migrated_schema: str) -> str:
    import psycopg

    with psycopg.connect(migrated_schema, autocommit=True) as connection:
        connection.execute(EMPTY_EVERY_TABLE)
    return migrated_schema
