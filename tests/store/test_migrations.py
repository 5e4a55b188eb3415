"""The way from the oldest schema to today's, with rows on it."""

from __future__ import annotations

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from zhixing.kernel.errors import StoreUnavailable
from zhixing.kernel.moments import micros
from zhixing.store.migrations import Step, known, migrate, statements

ROWS = Path(__file__).parent / "rows"
"""`NNNN_room.sql`: rows put in after that step and before the next. A line `-- kept: SELECT …` in it is asked after the
last step and must answer with something true."""

SHELVES = Step("0001_shelves", ("CREATE TABLE shelf (name TEXT PRIMARY KEY)", "INSERT INTO shelf (name) VALUES ('甲')"))
BOOKS = Step("0002_books", ("CREATE TABLE book (title TEXT PRIMARY KEY)",))
BROKEN = Step("0003_broken", ("CREATE TABLE loan (title TEXT PRIMARY KEY)", "INSERT INTO nowhere VALUES (1)"))


def test_the_whole_way_up_keeps_the_rows(fresh_home, clock):
    steps = known()
    questions = []
    for number, step in enumerate(steps, start=1):
        assert migrate(fresh_home.store, clock, steps[:number]) == [step.name]
        rows = ROWS / f"{step.name}.sql"
        if not rows.exists():
            continue
        text = rows.read_text(encoding="utf-8")
        questions += re.findall(r"^-- kept: (.+)$", text, re.MULTILINE)
        with fresh_home.store.write() as tx:
            for statement in statements(text):
                tx.execute(statement)
    store = fresh_home.reopen()
    assert migrate(store, clock) == []
    with store.read() as tx:
        for question in questions:
            assert tx.row(question)[0], question


def test_every_file_of_rows_belongs_to_a_step_and_asks_what_was_kept():
    names = {step.name for step in known()}
    for path in ROWS.glob("*.sql"):
        assert path.stem in names
        assert "-- kept: " in path.read_text(encoding="utf-8"), path.name


def test_steps_are_applied_in_order_once_and_dated(fresh_home, clock):
    assert migrate(fresh_home.store, clock, [SHELVES, BOOKS]) == ["0001_shelves", "0002_books"]
    assert migrate(fresh_home.reopen(), clock, [SHELVES, BOOKS]) == []
    with fresh_home.store.read() as tx:
        assert tx.rows("SELECT name, applied_at FROM migrations ORDER BY name") == [
            ("0001_shelves", micros(clock.now())),
            ("0002_books", micros(clock.now())),
        ]


def test_a_step_that_was_skipped_is_made_up_for(fresh_home, clock):
    migrate(fresh_home.store, clock, [BOOKS])
    assert migrate(fresh_home.store, clock, [SHELVES, BOOKS]) == ["0001_shelves"]


def test_a_step_that_fails_leaves_nothing_behind_and_keeps_the_ones_before(fresh_home, clock):
    with pytest.raises(Exception, match="nowhere"):
        migrate(fresh_home.store, clock, [SHELVES, BROKEN])
    assert migrate(fresh_home.reopen(), clock, [SHELVES, Step("0003_broken", BROKEN.statements[:1])]) == ["0003_broken"]


def test_a_database_of_a_newer_program_is_refused_and_left_alone(fresh_home, clock):
    migrate(fresh_home.store, clock, [SHELVES, BOOKS])
    with pytest.raises(StoreUnavailable) as caught:
        migrate(fresh_home.reopen(), clock, [SHELVES, Step("0004_own", ("CREATE TABLE own (name TEXT)",))])
    assert str(caught.value).startswith("数据库由更新版本的程序写成（0002_books）")
    assert migrate(fresh_home.store, clock, [SHELVES, BOOKS]) == []


def test_programs_that_start_at_once_apply_each_step_once(fresh_home, clock):
    stores = [fresh_home.open() for _ in range(4)]
    together = threading.Barrier(len(stores))

    def start(store) -> list[str]:
        together.wait()
        return migrate(store, clock, [SHELVES, BOOKS])

    with ThreadPoolExecutor(len(stores)) as threads:
        applied = [name for names in threads.map(start, stores) for name in names]
    assert sorted(applied) == ["0001_shelves", "0002_books"]


def test_statements_end_with_a_semicolon_at_the_end_of_a_line():
    sql = """-- Two of them.
CREATE TABLE a (
    b TEXT DEFAULT ';;'
);
-- The second; it has no end.
INSERT INTO a (b) VALUES ('x; y')
"""
    assert statements(sql) == ("CREATE TABLE a (\n    b TEXT DEFAULT ';;'\n)", "INSERT INTO a (b) VALUES ('x; y')")
