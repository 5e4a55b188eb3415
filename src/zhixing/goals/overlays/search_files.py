"""`search.toml`: who does which task."""

from __future__ import annotations

from collections.abc import Collection

from zhixing.goals.loop.values import CollabMode
from zhixing.goals.overlays.model import Pick, Role, Searching
from zhixing.goals.overlays.tables import Table

_MODES = (CollabMode.MANAGER_WORKER, CollabMode.CHAT)
"""How a group of a table may work; a state machine would need a definition."""


def read_searching(table: Table, tasks: Collection[str]) -> Searching:
    """Return the search table; where the scenario has a planning table, its rows are about tasks of that."""
    table.only("miss", "search")
    picks: dict[str, Pick] = {}
    for each in table.rows("search"):
        each.only("task", "bot", "group", "mode", "members", "miss")
        name = each.id("task")
        if tasks and name not in tasks:
            raise each.fault("reference", "task", field="task", name=name)
        if name in picks:
            raise each.fault("twice", "task", name=name)
        picks[name] = _pick(each)
    if not picks:
        raise table.fault("key_missing", field="search")
    return Searching(picks, table.text("miss"))


def _pick(table: Table) -> Pick:
    if len({"bot", "members", "miss"} & set(table.values)) != 1:
        raise table.fault("search_outcome")
    if "miss" in table.values:
        return Pick(miss=table.text("miss", longest=500))
    if "bot" in table.values:
        return Pick((Role(table.id("bot")),))
    members = tuple(_role(each) for each in table.rows("members"))
    bots = [each.bot for each in members]
    if len(bots) < 2:
        raise table.fault("group_small", "members")
    for each in bots:
        if bots.count(each) > 1:
            raise table.fault("twice", "members", name=each)
    return Pick(
        members, table.text("group", longest=200), CollabMode(table.choice("mode", _MODES, CollabMode.MANAGER_WORKER))
    )


def _role(table: Table) -> Role:
    table.only("bot", "role", "responsibility")
    return Role(table.id("bot"), table.text("role", "", 200), table.text("responsibility", "", 2000))
