"""Specifications of tasks as scenario files write them."""

from __future__ import annotations

from zhixing.goals.contracts.shapes import MOST_CRITERIA
from zhixing.goals.loop.model import Criterion, TaskSpec
from zhixing.goals.overlays.tables import Table

FIELDS = ("id", "title", "instruction", "background", "objective", "acceptances")


def specs_of(table: Table, key: str) -> dict[str, TaskSpec]:
    """Return the specifications of a list of tables, by id."""
    found: dict[str, TaskSpec] = {}
    for each in table.rows(key):
        each.only(*FIELDS)
        name = each.id("id")
        if name in found:
            raise each.fault("twice", "id", name=name)
        found[name] = TaskSpec(
            each.text("title"),
            each.text("instruction"),
            each.text("background", ""),
            each.text("objective"),
            _criteria(each),
        )
    return found


def _criteria(table: Table) -> tuple[Criterion, ...]:
    found: dict[str, Criterion] = {}
    for each in table.rows("acceptances"):
        each.only("id", "description")
        name = each.id("id")
        if name in found:
            raise table.fault("twice", "acceptances", name=name)
        found[name] = Criterion(name, each.text("description"))
    if not found:
        raise table.fault("key_missing", field="acceptances")
    if len(found) > MOST_CRITERIA:
        raise table.fault("many", "acceptances", field="acceptances", limit=MOST_CRITERIA)
    return tuple(found.values())
