"""What programs get of a sentence on its way to a rule of the hub. Pure."""

from __future__ import annotations

from zhixing.faces.ids import needed_id, read_id
from zhixing.faces.wire import Wire, of_question
from zhixing.graphs.building import design
from zhixing.graphs.composing.composing import Composed
from zhixing.graphs.proposals.operations import ProposalView
from zhixing.graphs.proposals.proposed import PREFIX
from zhixing.kernel.moments import iso
from zhixing.kernel.moments import zone as find_zone
from zhixing.tasks.task import Way


def is_proposal(written: str) -> bool:
    """Whether a person means a proposal (g12)."""
    return read_id(written, PREFIX) is not None


def proposal_id(written: str) -> str:
    """Return the id that a person means by `g12` or `G12`; raise `NotFound` where it is none."""
    return needed_id(written, PREFIX, "proposal_unknown")


def of_proposal(view: ProposalView) -> Wire:
    """Write a proposal: `lines` is what is shown, `rule` the JSON that would be saved, null where none is composed.

    `design` is the table behind the rule, one line a column; `ruleId` and `taskId` are null until it is saved.
    """
    row = view.row
    return {
        "id": row.id,
        "way": Way.GRAPH.value,
        "text": row.text,
        "state": row.state.value,
        "revision": row.revision,
        "zone": row.zone,
        "saidAt": iso(row.said_at, find_zone(row.zone)),
        "lines": list(view.lines),
        "question": None if view.question is None else of_question(view.question),
        **_composed(view.composed),
        "ruleId": row.rule_id or None,
        "taskId": row.task_id,
    }


def _composed(composed: Composed | None) -> Wire:
    if composed is None:
        return {"rule": None, "variables": [], "design": []}
    return {
        "rule": {**composed.rule.raw},
        "variables": [
            {
                "scope": each.variable.scope,
                "id": each.variable.id,
                "type": each.type.value,
                "value": each.initial,
                "name": each.name,
            }
            for each in composed.variables
        ],
        "design": list(design.lines(composed.design, composed.rule)),
    }
