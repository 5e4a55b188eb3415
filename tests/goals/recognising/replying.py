"""Replies of a model, as short as tests want them."""

from __future__ import annotations

from typing import Any

ELEMENTS = ("deliverables", "acceptance_criteria", "constraints")
Pairs = list[tuple[str, str] | str]


def task(
    goal: tuple[str, str] | str | None = None, *, said: dict[str, Pairs] | None = None, **options: list[str]
) -> dict[str, Any]:
    """Return one task of a reply. A text without a quote is its own quote."""
    said = said or {}
    return {
        "goal": _quoted(goal) if goal else None,
        "said": {name: [_quoted(each) for each in said.get(name, [])] for name in ELEMENTS},
        "options": {name: options.get(name, []) for name in ELEMENTS},
    }


def reply(*tasks: dict[str, Any], understood: bool = True) -> dict[str, Any]:
    return {"understood": understood, "tasks": list(tasks)}


def _quoted(given: tuple[str, str] | str) -> dict[str, str]:
    text, quote = given if isinstance(given, tuple) else (given, given)
    return {"text": text, "quote": quote}
