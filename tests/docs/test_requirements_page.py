"""docs/requirements/notices.md names a test for every clause of document 004, and each of these tests exists."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
PAGE = PROJECT / "docs" / "requirements" / "notices.md"
ROW = re.compile(r"\| (?P<id>[1-7]\.[0-9]+) \| (?P<clause>[^|]+) \| (?P<shown>[^|]*) \|")
NAMED = re.compile(r"`(?P<file>tests/[a-z_/]+\.py)::(?P<name>test_\w+)`")
NOT_YET = re.compile(r"not yet: \S")

CLAUSES = [match for line in PAGE.read_text(encoding="utf-8").splitlines() if (match := ROW.fullmatch(line))]


@cache
def functions_of(file: str) -> frozenset[str]:
    """Give the names of the functions in a file, without importing it."""
    path = PROJECT / file
    if not path.is_file():
        return frozenset()
    parts = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return frozenset(part.name for part in parts if isinstance(part, ast.FunctionDef))


@pytest.mark.parametrize("clause", CLAUSES, ids=lambda clause: clause["id"])
def test_a_clause_is_shown_by_tests_that_exist_or_says_what_is_missing(clause: re.Match[str]):
    named = NAMED.findall(clause["shown"])
    assert named or NOT_YET.search(clause["shown"])
    assert [name for name in named if name[1] not in functions_of(name[0])] == []
    # Nothing but tests and what is missing stands there.
    rest = re.sub(r"not yet: .*", "", NAMED.sub("", clause["shown"]))
    assert rest.strip(" ·") == ""


def test_every_row_of_the_page_is_a_clause():
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.startswith("|") and not line.startswith(("| id |", "|---"))]
    assert len(rows) == len(CLAUSES)
    assert len(CLAUSES) > 100


def test_clauses_are_numbered_once_and_in_order():
    ids = [clause["id"] for clause in CLAUSES]
    assert max(Counter(ids).values()) == 1
    for section in range(1, 8):
        numbers = [int(one.split(".")[1]) for one in ids if one.startswith(f"{section}.")]
        assert numbers == list(range(1, len(numbers) + 1))
        assert numbers


def test_no_clause_is_on_the_page_twice():
    assert max(Counter(clause["clause"] for clause in CLAUSES).values()) == 1
