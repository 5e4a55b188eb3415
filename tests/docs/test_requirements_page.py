"""The pages of docs/requirements name a test for every clause of their document, and each of these tests exists."""

from __future__ import annotations

import ast
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
ROW = re.compile(r"\| (?P<id>[1-9][0-9]?\.[0-9]+) \| (?P<clause>[^|]+) \| (?P<shown>[^|]*) \|")
NAMED = re.compile(r"`(?P<file>tests/[a-z_/]+\.py)::(?P<name>test_\w+)`")
NOT_YET = re.compile(r"not yet: \S")


@dataclass(frozen=True)
class Page:
    """A page, how many sections it has, and more clauses than which number."""

    name: str
    sections: int
    clauses_over: int

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the page."""
        return (PROJECT / "docs" / "requirements" / self.name).read_text(encoding="utf-8").splitlines()

    @cached_property
    def clauses(self) -> list[re.Match[str]]:
        """The rows that are clauses."""
        return [match for line in self.lines if (match := ROW.fullmatch(line))]


PAGES = [Page("notices.md", 7, 100), Page("household.md", 19, 200)]
CLAUSES = [
    pytest.param(clause, id=f"{page.name.removesuffix('.md')} {clause['id']}")
    for page in PAGES
    for clause in page.clauses
]

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


@cache
def functions_of(file: str) -> frozenset[str]:
    """Give the names of the functions in a file, without importing it."""
    path = PROJECT / file
    if not path.is_file():
        return frozenset()
    parts = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return frozenset(part.name for part in parts if isinstance(part, ast.FunctionDef))


@pytest.mark.parametrize("clause", CLAUSES)
def test_a_clause_is_shown_by_tests_that_exist_or_says_what_is_missing(clause: re.Match[str]):
    named = NAMED.findall(clause["shown"])
    assert named or NOT_YET.search(clause["shown"])
    assert [name for name in named if name[1] not in functions_of(name[0])] == []
    # Nothing but tests and what is missing stands there, and no test twice.
    rest = re.sub(r"not yet: .*", "", NAMED.sub("", clause["shown"]))
    assert rest.strip(" ·") == ""
    assert len(set(named)) == len(named)


def test_every_page_of_requirements_is_looked_at():
    pages = {path.name for path in (PROJECT / "docs" / "requirements").glob("*.md")}
    assert pages == {page.name for page in PAGES}


@every_page
def test_every_row_of_the_page_is_a_clause(page: Page):
    rows = [line for line in page.lines if line.startswith("|") and not line.startswith(("| id |", "|---"))]
    assert len(rows) == len(page.clauses)
    assert len(page.clauses) > page.clauses_over


@every_page
def test_clauses_are_numbered_once_and_in_order(page: Page):
    ids = [clause["id"] for clause in page.clauses]
    assert max(Counter(ids).values()) == 1
    for section in range(1, page.sections + 1):
        numbers = [int(one.split(".")[1]) for one in ids if one.startswith(f"{section}.")]
        assert numbers == list(range(1, len(numbers) + 1))
        assert numbers
    assert {int(one.split(".")[0]) for one in ids} == set(range(1, page.sections + 1))


@every_page
def test_no_clause_is_on_the_page_twice(page: Page):
    assert max(Counter(clause["clause"] for clause in page.clauses).values()) == 1
