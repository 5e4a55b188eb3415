"""Proposals: sentences on their way to rules of the hub, shown before anything is saved."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import Field

from zhixing.faces.http.api.bodies import Answered, Body
from zhixing.faces.http.api.shapes import Question, Shape
from zhixing.faces.http.home import AtHome
from zhixing.faces.proposal_wire import of_proposal, proposal_id
from zhixing.faces.wire import Wire
from zhixing.graphs.proposals.proposed import ProposalState
from zhixing.tasks.sentences import LARGEST_PAGE

WHO = "http"

router = APIRouter(prefix="/graphs/proposals", tags=["graphs"])


class WantedRule(Body):
    """What the home should do by itself."""

    text: str = Field(description="One sentence: when, and what then. It need not name the hub.")


class OwnVariable(Shape):
    """A variable that is made with the rule."""

    scope: str
    id: str
    type: str
    value: float | str
    name: str


class Proposal(Shape):
    """A sentence that asks for a rule of the hub, and what it would become."""

    id: str = Field(examples=["g3"])
    way: Literal["graph"]
    text: str
    state: ProposalState
    revision: int
    zone: str
    said_at: str
    lines: list[str] = Field(description="What is shown to a person, the question at the end.")
    question: Question | None
    rule: dict[str, Any] | None = Field(description="The rule that would be saved; null while something is open.")
    variables: list[OwnVariable] = Field(description="What is made with it.")
    design: list[str] = Field(description="The table behind the rule, one line a column.")
    rule_id: str | None = Field(description="The rule on the hub, once it is saved.")
    task_id: str | None = Field(description="The task that stands for it, once it is saved.")


class Proposals(Shape):
    """Some of them, the newest first."""

    proposals: list[Proposal]


@router.get("", response_model=Proposals, response_model_exclude_unset=True)
def list_proposals(
    home: AtHome,
    state: Annotated[list[ProposalState] | None, Query(description="Only these; may be repeated.")] = None,
    limit: Annotated[int, Query(ge=1, le=LARGEST_PAGE)] = 50,
    before: Annotated[str | None, Query(description="The id of the last one of the page before.")] = None,
) -> Wire:
    """List proposals, the newest first."""
    found = home.app.proposals.page(states=state or (), limit=limit, before=before)
    return {"proposals": [of_proposal(each) for each in found]}


@router.post("", status_code=201, response_model=Proposal, response_model_exclude_unset=True)
def propose(home: AtHome, body: WantedRule) -> Wire:
    """Show which rule a sentence becomes, and ask what is open. Nothing is written to the hub."""
    home.check_length(body.text)
    return of_proposal(home.app.proposals.say(body.text, who=WHO))


@router.get("/{proposal}", response_model=Proposal, response_model_exclude_unset=True)
def show(home: AtHome, proposal: str) -> Wire:
    """Show one proposal."""
    return of_proposal(home.app.proposals.show(proposal_id(proposal)))


@router.post("/{proposal}/answer", response_model=Proposal, response_model_exclude_unset=True)
def answer(home: AtHome, proposal: str, body: Answered) -> Wire:
    """Answer what is asked; of a rule that is shown, A saves and enables it, B leaves it off, C drops it."""
    known = proposal_id(proposal)
    return of_proposal(home.app.proposals.answer(known, body.value, who=WHO, revision=body.revision))


@router.delete("/{proposal}", response_model=Proposal, response_model_exclude_unset=True)
def cancel(home: AtHome, proposal: str) -> Wire:
    """Drop what is open."""
    return of_proposal(home.app.proposals.cancel(proposal_id(proposal)))
