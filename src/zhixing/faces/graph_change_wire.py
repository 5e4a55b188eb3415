"""What programs get of changes to the rules of a hub: differences, plans, what became of them, receipts. Pure."""

from __future__ import annotations

from typing import Any

from zhixing.faces.graph_wire import of_verdict
from zhixing.graphs.hubs.deploying import Deployed, Plan, RolledBack
from zhixing.graphs.hubs.diff import Diff, Missing, Move, ValueChange
from zhixing.graphs.hubs.diff_words import diff_lines
from zhixing.graphs.hubs.outcomes import Outcome
from zhixing.graphs.rule import Node, Position, Wire
from zhixing.graphs.shelf import Kept

Json = dict[str, Any]


def of_diff(diff: Diff) -> Json:
    """Write all that differs; a value that is on one side only has no member for the other one."""
    return {
        "empty": diff.empty,
        "worksOtherwise": diff.works_otherwise,
        "lines": list(diff_lines(diff)),
        "added": [_node(each) for each in diff.added],
        "removed": [_node(each) for each in diff.removed],
        "changed": [{**_node(each.after), "values": [_change(one) for one in each.values]} for each in diff.changed],
        "moved": [_move(each) for each in diff.moved],
        "wiresAdded": [_wire(each) for each in diff.wires_added],
        "wiresRemoved": [_wire(each) for each in diff.wires_removed],
        "reordered": list(diff.reordered),
        "settings": [_change(each) for each in diff.settings],
    }


def of_plan(plan: Plan) -> Json:
    """Write a plan: `token` is what deploying asks for, `new` says that nothing has this id yet."""
    return {
        "id": plan.after.id,
        "name": plan.after.name,
        "new": plan.before is None,
        "token": plan.token,
        "verdict": of_verdict(plan.verdict),
        "diff": of_diff(plan.diff),
    }


def of_deployed(deployed: Deployed, number: int | None) -> Json:
    """Write what became of a deployment; `receipt` is the number by which it is taken back."""
    return {
        "id": deployed.receipt.id,
        **of_outcome(deployed.outcome),
        "receipt": number,
        "difference": None if deployed.difference is None else of_diff(deployed.difference),
    }


def of_rolled_back(rolled: RolledBack, number: int | None) -> Json:
    """Write what became of putting a receipt back; `receipt` has what was there until then."""
    return {"id": rolled.receipt.id, **of_outcome(rolled.outcome), "receipt": number, "made": list(rolled.made)}


def of_outcome(outcome: Outcome) -> Json:
    """Write what was seen after a write."""
    return {"outcome": outcome.value, "message": outcome.text()}


def of_receipt(kept: Kept) -> Json:
    """Write a receipt without what is in it; `existed` says whether there was a rule."""
    rule = kept.receipt.rule
    return {
        "number": kept.number,
        "hub": kept.hub,
        "id": kept.receipt.id,
        "at": kept.receipt.at.isoformat(),
        "existed": rule is not None,
        "name": "" if rule is None else rule.name,
        "nodeCount": 0 if rule is None else len(rule.nodes),
        "variables": [each.id for each in kept.receipt.variables],
    }


def _node(node: Node) -> Json:
    return {"id": node.id, "type": node.type}


def _wire(wire: Wire) -> Json:
    return {"from": f"{wire.source}.{wire.pin}", "to": wire.end}


def _change(change: ValueChange) -> Json:
    sides = {"before": change.before, "after": change.after}
    return {"path": change.path, **{name: value for name, value in sides.items() if not isinstance(value, Missing)}}


def _move(move: Move) -> Json:
    return {"id": move.node.id, "before": _place(move.before), "after": _place(move.after)}


def _place(place: Position | None) -> Json | None:
    return None if place is None else {"x": place.x, "y": place.y, "width": place.width, "height": place.height}
