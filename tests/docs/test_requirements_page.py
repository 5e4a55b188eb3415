"""The pages of docs/requirements name a test for every clause of their document, and each of these tests exists.

The decisions about words have ids (H-…) that their tests bear: in the text of the test itself, or in the table that it
is run over. So a row cannot go on naming a test that has become one of something else.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import groupby
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
ROW = re.compile(r"\| (?P<id>[1-9][0-9]?\.[0-9]+|H-[A-Z]+-[0-9]{2}) \| (?P<clause>[^|]+) \| (?P<shown>[^|]*) \|")
NAMED = re.compile(r"`(?P<file>tests/[a-z_/]+\.py)::(?P<name>test_\w+)`")
DECISION = re.compile(r"H-[A-Z]+-[0-9]{2}")
NOT_YET = re.compile(r"not yet: \S")


@dataclass(frozen=True)
class Page:
    """A page, how many of its sections have numbered clauses, more than how many, and how many decisions it has."""

    name: str
    sections: int
    clauses_over: int
    decisions: int = 0

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the page."""
        return (PROJECT / "docs" / "requirements" / self.name).read_text(encoding="utf-8").splitlines()

    @cached_property
    def clauses(self) -> list[re.Match[str]]:
        """The rows that are clauses."""
        return [match for line in self.lines if (match := ROW.fullmatch(line))]

    def ids(self, *, decisions: bool) -> list[str]:
        """Give the ids of the rows, in their order."""
        return [clause["id"] for clause in self.clauses if clause["id"].startswith("H-") == decisions]


PAGES = [Page("notices.md", 7, 100), Page("household.md", 18, 240, decisions=337)]
CLAUSES = [
    pytest.param(clause, id=f"{page.name.removesuffix('.md')} {clause['id']}")
    for page in PAGES
    for clause in page.clauses
]

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


@cache
def decisions_of(file: str) -> dict[str, frozenset[str]]:
    """Give the functions of a file and the decisions that each bears, without importing it."""
    path = PROJECT / file
    if not path.is_file():
        return {}
    text = path.read_text(encoding="utf-8")
    tree, lines = ast.parse(text), text.splitlines()
    tables = _tables(tree)

    def own(node: ast.stmt | ast.expr) -> set[str]:
        return set(DECISION.findall("\n".join(lines[node.lineno - 1 : node.end_lineno])))

    def borne(node: ast.stmt | ast.expr, seen: frozenset[str] = frozenset()) -> set[str]:
        names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} & tables.keys() - seen
        return own(node).union(*(borne(tables[name], seen | names) for name in names))

    functions = [part for part in ast.walk(tree) if isinstance(part, ast.FunctionDef)]
    return {one.name: frozenset(own(one).union(*map(borne, one.decorator_list))) for one in functions}


def _tables(tree: ast.Module) -> dict[str, ast.stmt]:
    """Give what stands in a module under a name of its own."""
    tables: dict[str, ast.stmt] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [part for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
            tables |= dict.fromkeys((name.id for name in names), node)
    return tables


@pytest.mark.parametrize("clause", CLAUSES)
def test_a_clause_is_shown_by_tests_that_exist_or_says_what_is_missing(clause: re.Match[str]):
    named = NAMED.findall(clause["shown"])
    assert named or NOT_YET.search(clause["shown"])
    assert [name for name in named if name[1] not in decisions_of(name[0])] == []
    # Nothing but tests and what is missing stands there, and no test twice.
    rest = re.sub(r"not yet: .*", "", NAMED.sub("", clause["shown"]))
    assert rest.strip(" ·") == ""
    assert len(set(named)) == len(named)


@pytest.mark.parametrize("clause", [one for one in CLAUSES if str(one.values[0]["id"]).startswith("H-")])
def test_the_tests_of_a_decision_bear_its_id(clause: re.Match[str]):
    named = NAMED.findall(clause["shown"])
    assert [name for name in named if clause["id"] not in decisions_of(name[0])[name[1]]] == []


def test_every_page_of_requirements_is_looked_at():
    pages = {path.name for path in (PROJECT / "docs" / "requirements").glob("*.md")}
    assert pages == {page.name for page in PAGES}


@every_page
def test_every_row_of_the_page_is_a_clause(page: Page):
    rows = [line for line in page.lines if line.startswith("|") and not line.startswith(("| id |", "|---"))]
    assert len(rows) == len(page.clauses)
    assert len(page.ids(decisions=False)) > page.clauses_over


@every_page
def test_clauses_are_numbered_once_and_in_order(page: Page):
    ids = page.ids(decisions=False)
    assert max(Counter(ids).values()) == 1
    for section in range(1, page.sections + 1):
        numbers = [int(one.split(".")[1]) for one in ids if one.startswith(f"{section}.")]
        assert numbers == list(range(1, len(numbers) + 1))
        assert numbers
    assert {int(one.split(".")[0]) for one in ids} == set(range(1, page.sections + 1))


@every_page
def test_every_decision_has_one_row_and_none_is_passed_over(page: Page):
    ids = page.ids(decisions=True)
    assert (len(ids), len(set(ids))) == (page.decisions, page.decisions)
    for family, members in groupby(ids, key=lambda one: one[:-3]):
        numbers = [int(one[-2:]) for one in members]
        first = 0 if family == "H-MODE" else 1
        assert numbers == list(range(first, first + len(numbers))), family
    assert len({one[:-3] for one in ids}) == len(list(groupby(ids, key=lambda one: one[:-3])))


@every_page
def test_no_clause_is_on_the_page_twice(page: Page):
    assert max(Counter(clause["clause"] for clause in page.clauses).values()) == 1
