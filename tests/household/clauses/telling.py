"""What the tables of this folder mean: a clause, a sentence said in a home, and what has to come of it."""

from __future__ import annotations

from typing import Any

from tests.household.assembling.saying import flat

Row = tuple[str, str, str, dict[str, Any]]
"""Clause, home, words, and the fields that are looked at: `tips+` is there, `tips-` is not, `tasks#` is how many."""


def named(rows: list[Row]) -> list[str]:
    """Give the ids of rows: the clause and the words."""
    return [f"{row[0]}-{row[2]}" for row in rows]


def differs(row: Row) -> dict[str, Any]:
    """Say in which fields the decision is not what the row wants: the field and what stands there."""
    _, home, text, wanted = row
    found = flat(text, home)
    found["tips+"] = found["tips-"] = found["tips"]
    found["tips*"] = found["tips_optional"]
    found["tasks#"] = len(found["tasks"])
    wrong = {}
    for key, value in wanted.items():
        there = found.get(key)
        if key in ("tips+", "tips*"):
            fits = value in there
        elif key == "tips-":
            fits = value not in there
        else:
            fits = there == value
        if not fits:
            wrong[key] = there
    return wrong
