"""The pages of docs/requirements name a test for every clause of their document, and each of these tests exists.

The decisions about words have ids (H-…) that their tests bear: in the text of the test itself, or in the table that it
is run over. So a row cannot go on naming a test that has become one of something else. A clause of documents 002 (G-…)
and 003 (D-…) is borne by at least one of its tests, as is a case of rule graphs (case_01…); a case of document tasks
(T01 to T42) by the name of one. A clause of document 001 (L-…) and what goes with it (scenarios R1 to X2, trap_…,
theme_…) is borne by the text or by the name of one.
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
NUMBER = r"[1-9][0-9]?\.[0-9]+"
ROW = re.compile(
    rf"\| (?P<id>(?:[DGIL]-)?{NUMBER}|H-[A-Z]+-[0-9]{{2}}|(?:T|case_|trap_|theme_)[0-9]{{2}}|[REHBDPX][0-9]{{1,2}}) "
    r"\| (?P<clause>[^|]+) \| (?P<shown>[^|]*) \|"
)
NAMED = re.compile(r"`(?P<file>tests/[a-z0-9_/]+\.py)::(?P<name>test_\w+)`")
OF_GOALS = rf"L-{NUMBER}|(?:trap|theme)_[0-9]{{2}}|\b[REHBDPX][0-9]{{1,2}}\b"
"""Ids of document 001; those of scenarios are single letters with a number, and may stand for something else."""
DECISION = re.compile(rf"H-[A-Z]+-[0-9]{{2}}|[DG]-{NUMBER}|case_[0-9]{{2}}|{OF_GOALS}")
BORNE = ("D-", "G-", "L-", "case_", "trap_", "theme_")
SCENARIO = re.compile("[REHBDPX][0-9]{1,2}")
TRAPS = "tests/goals/loop/test_traps.py"
NOT_YET = re.compile(r"not yet: \S")


@dataclass(frozen=True)
class Page:
    """A page, how many of its sections have numbered clauses, more than how many, and how many decisions it has.

    `prefix` is what stands before the numbers; `parts` are those of the numbers behind I-, `cases` those of T…,
    `user_cases` how many rows are of case_…, `traps` of trap_…, `themes` of theme_…; `scenarios` are the rows that go
    by a letter and a number, by their letters.
    """

    name: str
    sections: int
    clauses_over: int
    decisions: int = 0
    prefix: str = ""
    parts: int = 0
    cases: int = 0
    user_cases: int = 0
    traps: int = 0
    themes: int = 0
    scenarios: str = ""

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the page."""
        return (PROJECT / "docs" / "requirements" / self.name).read_text(encoding="utf-8").splitlines()

    @cached_property
    def clauses(self) -> list[re.Match[str]]:
        """The rows that are clauses."""
        return [match for line in self.lines if (match := ROW.fullmatch(line))]

    def ids(self, pattern: str) -> list[str]:
        """Give the ids of the rows that are of a kind, in their order."""
        return [clause["id"] for clause in self.clauses if re.fullmatch(pattern, clause["id"])]


PAGES = [
    Page("notices.md", 7, 100),
    Page("household.md", 18, 240, decisions=337),
    Page("documents.md", 16, 80, prefix="D-", parts=10, cases=42),
    Page("graphs.md", 12, 80, prefix="G-", parts=2, user_cases=43),
    Page("goals.md", 9, 100, prefix="L-", parts=2, traps=35, themes=12, scenarios="R7 E20 H6 B9 D3 P2 X2"),
]
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


def is_borne(id_: str) -> bool:
    """Whether a row is one that a test has to bear."""
    return id_.startswith((*BORNE, "T")) or SCENARIO.fullmatch(id_) is not None


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


@pytest.mark.parametrize("clause", [one for one in CLAUSES if is_borne(str(one.values[0]["id"]))])
def test_a_clause_of_a_document_and_a_case_are_named_by_a_test(clause: re.Match[str]):
    named = NAMED.findall(clause["shown"])
    if clause["id"].startswith("T"):
        assert any(name.startswith(f"test_{clause['id'].lower()}_") for _, name in named)
    else:
        # What nobody has built yet has no test that could bear it.
        assert not named or any(_bears(clause["id"], *one) for one in named)


def _bears(id_: str, file: str, name: str) -> bool:
    """Whether a test bears an id: in its text, or by its name (`test_e1_e2_…`, `test_23_…` among the traps)."""
    by_name = f"_{int(id_[-2:])}_" if id_.startswith("trap_") else f"_{id_.lower()}_"
    may = SCENARIO.fullmatch(id_) is not None or file == TRAPS
    return id_ in decisions_of(file)[name] or (may and by_name in name)


@every_page
def test_no_test_bears_a_clause_that_is_not_on_the_page(page: Page):
    files = {file for clause in page.clauses for file, _ in NAMED.findall(clause["shown"])}
    borne = {one for file in files for ids in decisions_of(file).values() for one in ids}
    own = tuple(one for one in BORNE if page.ids(f"{one}.*"))
    assert {one for one in borne if one.startswith(own)} - set(page.ids(".*")) == set()


def test_every_page_of_requirements_is_looked_at():
    pages = {path.name for path in (PROJECT / "docs" / "requirements").glob("*.md")}
    assert pages == {page.name for page in PAGES}


@every_page
def test_every_row_of_the_page_is_a_clause(page: Page):
    rows = [line for line in page.lines if line.startswith("|") and not line.startswith(("| id |", "|---"))]
    assert len(rows) == len(page.clauses)
    assert len(page.ids(page.prefix + NUMBER)) > page.clauses_over


@every_page
def test_clauses_are_numbered_once_and_in_order(page: Page):
    for prefix, sections in ((page.prefix, page.sections), ("I-", page.parts)):
        ids = [one.removeprefix(prefix) for one in page.ids(prefix + NUMBER)]
        numbers = [tuple(map(int, one.split("."))) for one in ids]
        assert numbers == [
            (section, number)
            for section in range(1, sections + 1)
            for number in range(1, 1 + sum(each[0] == section for each in numbers))
        ]
        assert {section for section, _ in numbers} == set(range(1, sections + 1))
    assert page.ids("T[0-9]{2}") == [f"T{number:02}" for number in range(1, page.cases + 1)]
    user_cases = page.ids("case_[0-9]{2}")
    assert (len(user_cases), user_cases) == (page.user_cases, sorted(set(user_cases)))
    for family, many in (("trap", page.traps), ("theme", page.themes)):
        assert page.ids(f"{family}_[0-9]{{2}}") == [f"{family}_{number:02}" for number in range(1, many + 1)]
    last = [(each[0], int(each[1:])) for each in page.scenarios.split()]
    assert page.ids(SCENARIO.pattern) == [f"{family}{n}" for family, many in last for n in range(1, many + 1)]


@every_page
def test_every_decision_has_one_row_and_none_is_passed_over(page: Page):
    ids = page.ids("H-.*")
    assert (len(ids), len(set(ids))) == (page.decisions, page.decisions)
    for family, members in groupby(ids, key=lambda one: one[:-3]):
        numbers = [int(one[-2:]) for one in members]
        first = 0 if family == "H-MODE" else 1
        assert numbers == list(range(first, first + len(numbers))), family
    assert len({one[:-3] for one in ids}) == len(list(groupby(ids, key=lambda one: one[:-3])))


@every_page
def test_no_clause_is_on_the_page_twice(page: Page):
    assert max(Counter(clause["clause"] for clause in page.clauses).values()) == 1
