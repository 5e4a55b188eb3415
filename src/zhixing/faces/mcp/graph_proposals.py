"""Tools: proposals. A sentence is shown as the rule of the hub that it would become, and saved when the user agrees."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from zhixing.faces.cli.house import House
from zhixing.faces.mcp.arguments import LONGEST_ID, Before, Key, Limit
from zhixing.faces.mcp.tool import WHO, Effect, Tool
from zhixing.faces.proposal_wire import of_proposal, proposal_id
from zhixing.faces.wire import Wire
from zhixing.graphs.proposals.proposed import ProposalState

ProposalId = Annotated[str, Field(max_length=LONGEST_ID, description="Id of a proposal: g3.")]


def graph_propose(
    home: House,
    *,
    text: Annotated[str, Field(description="The user's own words, one rule: when, and what then.")],
    key: Key = None,
) -> Wire:
    """Compose a rule of the hub from one sentence. Nothing is written: show `lines`, pass the reply to `answer`.

    With `rule` null, `question` comes first. What it refuses, build with `mijia_create_graph`.
    """
    home.check_length(text)
    return of_proposal(home.app.proposals.say(text, who=WHO, key=key))


def graph_proposal_list(
    home: House,
    *,
    open_only: Annotated[bool, Field(description="Only those that something may still come of.")] = False,
    limit: Limit = 20,
    before: Before = None,
) -> Wire:
    """List proposals and what became of them, the newest first."""
    states = [state for state in ProposalState if state.open] if open_only else []
    cursor = None if before is None else proposal_id(before)
    found = home.app.proposals.page(states=states, limit=limit, before=cursor)
    return {"proposals": [of_proposal(each) for each in found]}


def graph_proposal_show(home: House, *, proposal: ProposalId) -> Wire:
    """Show one proposal: the rule that would be saved, what is asked, or what became of it."""
    return of_proposal(home.app.proposals.show(proposal_id(proposal)))


def graph_proposal_cancel(home: House, *, proposal: ProposalId) -> Wire:
    """Drop an open proposal; nothing comes of it."""
    return of_proposal(home.app.proposals.cancel(proposal_id(proposal)))


TOOLS = (
    Tool.of(graph_propose, Effect.ADDS),
    Tool.of(graph_proposal_list, Effect.READS),
    Tool.of(graph_proposal_show, Effect.READS),
    Tool.of(graph_proposal_cancel, Effect.ENDS),
)
