"""The bots of a home: who they are, who fits a text, and what is wrong with their file."""

from __future__ import annotations

from typing import Any

from zhixing.app import App
from zhixing.faces import goal_wire
from zhixing.goals.bots.ranking import reason_text
from zhixing.goals.bots.searching import Demand, Found, bar_text, search
from zhixing.goals.loop.model import TaskSpec

Wire = dict[str, Any]


def found_for(app: App, text: str) -> Found:
    """Return who fits a text by the rules of the catalog, as somebody would be looked for now."""
    room = app.goals
    demand = Demand("?", TaskSpec(objective=text), app.clock.now(), room.owner)
    return search(room.catalog, demand, room.groups.known())


def of_bots(app: App) -> Wire:
    """Write the bots as the HTTP API does, with what is wrong with their file, and who plans."""
    room, now = app.goals, app.clock.now()
    with_token = {each.bot_id for each in room.tokens.listed()}
    items = [goal_wire.of_bot(each, now, with_token) for each in room.catalog]
    fault = room.terms.fault()
    return {
        "total": len(items),
        "items": items,
        "owner": room.owner,
        "fault": None if fault is None else {"code": fault.key, "message": str(fault)},
    }


def of_found(found: Found) -> Wire:
    """Write who fits, best first and each with its reasons; who is proposed; who was left out, and why."""
    proposal = found.proposal
    return {
        "candidates": [
            {
                "bot_id": each.profile.id,
                "score": each.score,
                "points": round(each.points, 3),
                "reasons": [reason_text(reason) for reason in each.reasons],
            }
            for each in found.candidates
        ],
        "proposal": {
            "outcome": proposal.outcome.value,
            "bot_id": proposal.bot_id or None,
            "group_id": proposal.group_id or None,
            "bot_ids": [] if proposal.formation is None else list(proposal.formation.bot_ids),
            "reason": proposal.reason or None,
        },
        "relays": list(found.relays),
        "excluded": [{"bot_id": each.bot_id, "reason": bar_text(each.bar)} for each in found.excluded],
    }
