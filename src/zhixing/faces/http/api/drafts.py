"""Drafts of document tasks: what a sentence would become, shown before anything is saved."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import Field

from zhixing.documents.drafted import DraftState
from zhixing.faces.draft_wire import of_draft
from zhixing.faces.http.api.bodies import Answered
from zhixing.faces.http.api.document_shapes import Document
from zhixing.faces.http.api.shapes import Question, Shape
from zhixing.faces.http.home import AtHome
from zhixing.faces.wire import Wire
from zhixing.tasks.sentences import LARGEST_PAGE

WHO = "http"

router = APIRouter(prefix="/drafts", tags=["documents"])


class Draft(Shape):
    """A sentence that asks for something to be written or run, and what it would become."""

    id: str = Field(examples=["d3"])
    way: Literal["document"]
    text: str
    state: DraftState
    revision: int
    zone: str
    said_at: str
    session_id: str
    lines: list[str] = Field(description="What is shown to a person, the question at the end.")
    task_md: str | None = Field(description="The file that would be saved.")
    tips: list[str] = Field(description="What was taken for granted, each with the words that change it.")
    question: Question | None
    document: Document | None = Field(description="The task, once it is saved.")


class Drafts(Shape):
    """Some of them, the newest first."""

    drafts: list[Draft]


@router.get("", response_model=Drafts, response_model_exclude_unset=True)
def list_drafts(
    home: AtHome,
    state: Annotated[list[DraftState] | None, Query(description="Only these; may be repeated.")] = None,
    limit: Annotated[int, Query(ge=1, le=LARGEST_PAGE)] = 50,
    before: Annotated[str | None, Query(description="The id of the last one of the page before.")] = None,
) -> Wire:
    """List drafts, the newest first."""
    found = home.app.drafts.page(states=state or (), limit=limit, before=before)
    return {"drafts": [of_draft(one) for one in found]}


@router.get("/{draft}", response_model=Draft, response_model_exclude_unset=True)
def show(home: AtHome, draft: str) -> Wire:
    """Show one draft."""
    return of_draft(home.app.drafts.show(draft))


@router.post("/{draft}/answer", response_model=Draft, response_model_exclude_unset=True)
def answer(home: AtHome, draft: str, body: Answered) -> Wire:
    """Answer: A saves and enables, B saves it paused, C drops it; other words change it."""
    return of_draft(home.app.drafts.answer(draft, body.value, who=WHO, revision=body.revision))


@router.delete("/{draft}", response_model=Draft, response_model_exclude_unset=True)
def cancel(home: AtHome, draft: str) -> Wire:
    """Drop what is open."""
    return of_draft(home.app.drafts.cancel(draft))
