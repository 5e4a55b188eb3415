"""The search table applied: who does a node, strictly by its id (taskloop §5.2, §5.3).

Bots are found in the catalogue by name; what the table does not name is noise. A bot that is not there, or whose name
two have, makes it a MISS: nobody takes its place, and one bot never becomes a group.
"""

from __future__ import annotations

from collections.abc import Collection

from zhixing.goals.contracts.searching import Candidate
from zhixing.goals.contracts.shapes import LONGEST_ID, compact
from zhixing.goals.loop.values import CollabMode
from zhixing.goals.overlays.model import Overlay, Pick


def search(overlay: Overlay, node_id: str, catalog: Collection[Candidate]) -> str | None:
    """Return the reply who does a node; None when the scenario has no search table: then the trunk searches."""
    table = overlay.searching
    if table is None:
        return None
    pick = _picked(overlay, node_id)
    if pick is None:
        return _miss(table.miss)
    if pick.miss:
        return _miss(pick.miss)
    found = {each.bot: _ids(each.bot, catalog) for each in pick.members}
    if any(len(ids) != 1 for ids in found.values()):
        return _miss(table.miss)
    return _hit(pick, {name: ids[0] for name, ids in found.items()})


def _picked(overlay: Overlay, node_id: str) -> Pick | None:
    """Return the row of a node; a remedy is done by the bot of the node it mends, of a group by its manager."""
    picks = {} if overlay.searching is None else overlay.searching.picks
    remedy = None if overlay.planning is None else overlay.planning.remedy
    if node_id in picks or remedy is None or len(node_id) > LONGEST_ID:
        return picks.get(node_id)
    original = node_id
    while original not in picks and original.endswith(remedy.suffix):
        original = original.removesuffix(remedy.suffix)
    pick = picks.get(original)
    return pick if pick is None or pick.miss else Pick(pick.members[:1])


def _ids(name: str, catalog: Collection[Candidate]) -> list[str]:
    return [each.bot_id for each in catalog if each.bot_name == name]


def _miss(reason: str) -> str:
    return compact({"outcome": "MISS", "miss_reason": reason})


def _hit(pick: Pick, ids: dict[str, str]) -> str:
    first = ids[pick.members[0].bot]
    if len(pick.members) == 1:
        return compact({"outcome": "HIT_SINGLE", "bot_id": first})
    manager = {"manager_bot_id": first} if pick.mode is CollabMode.MANAGER_WORKER else {}
    members = [
        {"bot_id": ids[each.bot], "role": each.role, "responsibility": each.responsibility} for each in pick.members
    ]
    return compact(
        {
            "outcome": "HIT_MULTI_BOTS",
            "bot_ids": [ids[each.bot] for each in pick.members],
            "collab_mode": pick.mode.value,
            "group_name": pick.group,
            **manager,
            "members_info": members,
        }
    )
