"""What was said about the home, what is asked back, and the answers."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from zhixing.faces.http.api import shapes
from zhixing.faces.http.api.bodies import Answered
from zhixing.faces.http.home import AtHome
from zhixing.faces.talk_wire import of_talk
from zhixing.faces.wire import Wire
from zhixing.household.talking.store import LARGEST_PAGE
from zhixing.household.talking.talk import TalkState

WHO = "http"

router = APIRouter(prefix="/talks", tags=["household"])


@router.get("", response_model=shapes.Talks)
def list_talks(
    home: AtHome,
    state: Annotated[list[TalkState] | None, Query(description="Only these; may be repeated.")] = None,
    limit: Annotated[int, Query(ge=1, le=LARGEST_PAGE)] = 50,
    before: Annotated[str | None, Query(description="The `more` of the page before.")] = None,
) -> Wire:
    """List what was said about the home, the newest first."""
    found = home.app.talks.page(states=state or (), limit=limit, before=before)
    return {"talks": [of_talk(talk) for talk in found.talks], "more": found.more}


@router.get("/{talk}", response_model=shapes.Talk)
def show(home: AtHome, talk: str) -> Wire:
    """Show one sentence and what became of it."""
    return of_talk(home.app.talks.get(talk))


@router.post("/{talk}/answer", response_model=shapes.Talk)
def answer(home: AtHome, talk: str, body: Answered) -> Wire:
    """Answer what is asked: letters of options, or words; 取消 calls it off."""
    return of_talk(home.app.talks.answer(talk, body.value, who=WHO, revision=body.revision))


@router.post("/{talk}/retry", response_model=shapes.Talk)
def retry(home: AtHome, talk: str) -> Wire:
    """Try again to understand it."""
    return of_talk(home.app.talks.retry(talk))


@router.delete("/{talk}", response_model=shapes.Talk)
def cancel(home: AtHome, talk: str) -> Wire:
    """Call off what is open."""
    return of_talk(home.app.talks.cancel(talk, who=WHO))
