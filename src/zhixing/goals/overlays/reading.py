"""From the texts of a scenario folder to the scenario; all of it is checked here, so that the tables need no checks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from zhixing.goals.contracts.shapes import compact
from zhixing.goals.loop.limits import InvalidLimit, read_limits
from zhixing.goals.overlays.model import Answer, Example, Overlay, Slot
from zhixing.goals.overlays.planning_files import read_planning
from zhixing.goals.overlays.search_files import read_searching
from zhixing.goals.overlays.specs import specs_of
from zhixing.goals.overlays.tables import Source, Table, parsed
from zhixing.kernel.errors import BadInput, TooLarge

SCENARIO, PLANNING, SEARCH = "scenario.toml", "planning.toml", "search.toml"
ANSWER, EXAMPLE = "answer.json", "example.toml"
FILES = (SCENARIO, PLANNING, SEARCH, ANSWER, EXAMPLE)
"""What a folder may hold; only the first must be there, and one of the next three."""
MOST_OVERLAYS = 20
SHORTEST_KEYWORD = 4
"""Characters of a signal word: a shorter one would be met in goals that have nothing to do with the scenario."""
MOST_LEVELS = 20
"""How deep the answer of a leaf may be nested."""


def read_overlay(files: Mapping[str, str]) -> Overlay:
    """Return the scenario of a folder, given its files by name.

    Raises `BadInput` with one line for the first fault, `TooLarge` for a file beyond the bound.
    """
    for name in files:
        if name not in FILES:
            raise BadInput("overlay_file_unknown", name=name, files=", ".join(FILES))
    if SCENARIO not in files:
        raise BadInput("overlay_file_missing", name=SCENARIO)
    tables = {name: parsed(Source(name, text)) for name, text in files.items()}
    head = tables[SCENARIO]
    head.only("name", "keywords")
    keywords = _keywords(head)
    planning = read_planning(tables[PLANNING], keywords) if PLANNING in tables else None
    tasks = () if planning is None else tuple(planning.tasks)
    searching = read_searching(tables[SEARCH], tasks) if SEARCH in tables else None
    answer = _answer(tables[ANSWER]) if ANSWER in tables else None
    if planning is None and searching is None and answer is None:
        raise BadInput("overlay_file_missing", name=f"{PLANNING} / {SEARCH} / {ANSWER}")
    example = _example(tables[EXAMPLE], tasks, keywords) if EXAMPLE in tables else Example()
    return Overlay(head.id("name"), keywords, planning, searching, answer, example)


def together(overlays: Iterable[Overlay]) -> tuple[Overlay, ...]:
    """Return scenarios that can be used side by side. Raises `BadInput` when two share a name or a signal."""
    found = tuple(overlays)
    if len(found) > MOST_OVERLAYS:
        raise TooLarge("overlay_most", limit=MOST_OVERLAYS)
    for number, one in enumerate(found):
        for other in found[:number]:
            if one.name == other.name:
                raise BadInput("overlay_same_name", name=one.name)
            for word in one.keywords:
                if any(word in each or each in word for each in other.keywords):
                    raise BadInput("overlay_same_signal", word=word, one=other.name, other=one.name)
    return found


def _keywords(head: Table) -> tuple[str, ...]:
    found = head.texts("keywords", least=1)
    for each in found:
        if len(each) < SHORTEST_KEYWORD:
            raise head.fault("keyword_weak", "keywords", name=each, least=SHORTEST_KEYWORD)
    return found


def _answer(table: Table) -> Answer:
    table.only("slot", "reply")
    reply = table.mapping("reply")
    if _is_deeper(reply, MOST_LEVELS):
        raise table.fault("deep", "reply", field="reply", limit=MOST_LEVELS)
    return Answer(reply, _slot(table.table("slot")) if "slot" in table.values else None)


def _is_deeper(value: Any, levels: int) -> bool:
    """Whether objects and lists lie inside of each other more often than that."""
    level = [value]
    for _ in range(levels):
        within = [each for one in level for each in (one.values() if isinstance(one, dict) else one)]
        level = [each for each in within if isinstance(each, dict | list)]
    return bool(level)


def _slot(table: Table) -> Slot:
    table.only("name", "after", "before", "known", "default")
    return Slot(
        table.id("name"), table.text("after"), table.text("before"), table.texts("known"), table.text("default")
    )


def _example(table: Table, tasks: tuple[str, ...], keywords: tuple[str, ...]) -> Example:
    table.only("execution_config", "goals", "results")
    goals = specs_of(table, "goals")
    for number, (name, spec) in enumerate(goals.items()):
        if not any(each in spec.instruction for each in keywords):
            raise Table(table.source, {}, "goals", number).fault("unsignalled", "instruction", name=name)
    config = table.mapping("execution_config") if "execution_config" in table.values else {}
    try:
        read_limits(config)
    except InvalidLimit as fault:
        raise table.table("execution_config").fault("limit", fault.key, field=fault.key) from fault
    return Example(config, goals, _results(table, tasks))


def _results(table: Table, tasks: tuple[str, ...]) -> dict[str, str]:
    """Return what a single bot's run or a group ends with, as the contract of leaves asks for it."""
    found: dict[str, str] = {}
    for each in table.rows("results"):
        each.only("task", "data")
        name = each.id("task")
        if name not in tasks:
            raise each.fault("reference", "task", field="task", name=name)
        if name in found:
            raise each.fault("twice", "task", name=name)
        found[name] = compact({"success": True, "data": each.text("data"), "gaps": []})
    return found
