"""The table of `lint.toml`, compiled, and what excuses a line that matches."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Any

from zhixing.documents.fields import shown
from zhixing.documents.findings import Finding
from zhixing.documents.model import Kind

LONGEST_LINE = 2_000
"""Characters of a line that are looked at."""
MOST_TRIES = 20
"""Places of a line that are looked at for one rule."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of the table. `skip` are sections it leaves alone, `unless` a pattern that excuses a whole line."""

    code: str
    kinds: frozenset[Kind]
    pattern: re.Pattern[str]
    excuses: frozenset[str]
    skip: frozenset[str]
    unless: re.Pattern[str] | None

    def finding(self, number: int, text: str) -> Finding | None:
        """Return what is to be said about a line of a body."""
        if self.unless is not None and self.unless.search(text):
            return None
        for found in islice(self.pattern.finditer(text), MOST_TRIES):
            if not self._excused(text, found.start()):
                return Finding(number, self.code, {"text": shown(found[0])})
        return None

    def _excused(self, line: str, at: int) -> bool:
        excuses = table()["excuses"]
        if "quoted" in self.excuses and any(
            each.start() <= at < each.end() for each in compiled(excuses["quoted"]).finditer(line)
        ):
            return True
        if "prohibited" not in self.excuses:
            return False
        ends = [each.end() for each in compiled(excuses["sentence_end"]).finditer(line, 0, at)]
        return compiled(excuses["prohibited"]).search(line, ends[-1] if ends else 0, at) is not None


@cache
def table() -> dict[str, Any]:
    """Return the whole table."""
    return tomllib.loads(files("zhixing.documents").joinpath("lint.toml").read_text(encoding="utf-8"))


@cache
def compiled(*patterns: str) -> re.Pattern[str]:
    """Return the alternative of some patterns; flags in front of one hold for it alone."""
    return re.compile("|".join(_scoped(each) for each in patterns))


@cache
def rules(kind: Kind) -> tuple[Rule, ...]:
    """Return the rules for bodies of that kind, in the order of the table."""
    return tuple(rule for rule in _rules() if kind in rule.kinds)


def _rules() -> Iterator[Rule]:
    for row in table()["rules"]:
        yield Rule(
            code=row["code"],
            kinds=frozenset(Kind(each) for each in row["kinds"]),
            pattern=compiled(*row["patterns"]),
            excuses=frozenset(row.get("excuses", ())),
            skip=frozenset(row.get("skip", ())),
            unless=compiled(row["unless"]) if "unless" in row else None,
        )


def _scoped(pattern: str) -> str:
    """Keep the `(?i)` of a pattern to it."""
    return f"(?i:{pattern.replace('(?i)', '')})" if "(?i)" in pattern else f"(?:{pattern})"
