"""Tools: drafts of rule graphs. A long rule is sent in batches, each node once, and made in one call (mijia §4.4)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from zhixing.faces import gateway_wire
from zhixing.faces.cli.house import House
from zhixing.faces.mcp.arguments import LONGEST_ID
from zhixing.faces.mcp.graphs import Enable, Name, NewVariables
from zhixing.faces.mcp.tool import WHO, Effect, Tool
from zhixing.faces.wire import Wire
from zhixing.graphs.drafts.model import MOST_IN_BATCH, Draft
from zhixing.graphs.drafts.operations import NotCommitted
from zhixing.graphs.hubs.outcomes import InvalidRule
from zhixing.kernel.moments import zone as find_zone

DraftId = Annotated[str, Field(max_length=LONGEST_ID, description="The `draftId` of a draft: gd3.")]
_BATCH = {"maxItems": MOST_IN_BATCH}


def mijia_graph_draft_begin(
    home: House,
    *,
    name: Name,
    variables: NewVariables = [],  # noqa: B006 - never changed
    enable: Enable = True,
) -> Wire:
    """Begin a draft of a new rule with more than 10 nodes. Not for changing a rule: that is `mijia_update_graph`.

    It is forgotten half an hour after its last change.
    """
    draft = home.app.graphs.drafts.begin(name, variables, enable=enable, who=WHO)
    return {"draftId": draft.id, "nodeCount": len(draft.nodes), "expiresAt": _of(home, draft)["expiresAt"]}


def mijia_graph_draft_append(
    home: House,
    *,
    draft_id: DraftId,
    nodes: Annotated[
        list[dict[str, Any]],
        Field(description="1 to 25 whole nodes, 5 to 10 are best, 128 KiB at most.", json_schema_extra=_BATCH),
    ],
) -> Wire:
    """Add nodes to a draft, each node once. The same batch again changes nothing, so a lost answer may be repeated.

    A node that is there with another content is refused: change it with `mijia_graph_draft_edit`.
    """
    return gateway_wire.of_batch(home.app.graphs.drafts.append(draft_id, nodes))


def mijia_graph_draft_edit(
    home: House,
    *,
    draft_id: DraftId,
    upsert: Annotated[
        list[dict[str, Any]], Field(description="Whole nodes to exchange or add, at most 25.", json_schema_extra=_BATCH)
    ] = [],  # noqa: B006 - never changed
    remove_ids: Annotated[
        list[str], Field(description="Ids of nodes to take away, at most 25.", json_schema_extra=_BATCH)
    ] = [],  # noqa: B006 - never changed
) -> Wire:
    """Exchange, add or take away nodes of a draft, by their ids. Wires of other nodes stay as they are written."""
    return gateway_wire.of_batch(home.app.graphs.drafts.edit(draft_id, upsert, remove_ids))


def mijia_graph_draft_status(home: House, *, draft_id: DraftId) -> Wire:
    """Show where a draft is and which nodes it has, without their bodies."""
    return _of(home, home.app.graphs.drafts.status(draft_id))


def mijia_graph_draft_list(home: House) -> Wire:
    """List the drafts that are not forgotten yet, the oldest first."""
    return {"drafts": [_of(home, each) for each in home.app.graphs.drafts.page()]}


def mijia_graph_draft_commit(home: House, *, draft_id: DraftId) -> Wire:
    """Make the rule of a draft in one call: both checks, layout, variables, writing. Needs no validation before.

    With errors the draft is kept: mend the nodes they name with `mijia_graph_draft_edit` and commit again. A repeated
    commit gives the same `graphId`.
    """
    done = home.app.graphs.drafts.commit(draft_id)
    if isinstance(done, NotCommitted):
        raise InvalidRule(done.verdict)
    return gateway_wire.of_committed(done)


def mijia_graph_draft_discard(home: House, *, draft_id: DraftId) -> Wire:
    """Give up a draft; a rule that was made of it stays. `discarded` is false where there was none."""
    return {"draftId": draft_id, "discarded": home.app.graphs.drafts.discard(draft_id) is not None}


def _of(home: House, draft: Draft) -> Wire:
    return gateway_wire.of_draft(draft, find_zone(home.app.zone.name))


TOOLS = (
    Tool.of(mijia_graph_draft_begin, Effect.ADDS),
    Tool.of(mijia_graph_draft_append, Effect.SETS),
    Tool.of(mijia_graph_draft_edit, Effect.SETS),
    Tool.of(mijia_graph_draft_status, Effect.READS),
    Tool.of(mijia_graph_draft_list, Effect.READS),
    Tool.of(mijia_graph_draft_commit, Effect.SETS),
    Tool.of(mijia_graph_draft_discard, Effect.ENDS),
)
