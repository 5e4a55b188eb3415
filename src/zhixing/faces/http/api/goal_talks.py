"""Conversations about goals before they run: cards, answers, and the buttons under a whole draft."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import Field

from zhixing.faces.goal_talk_wire import goal_talk_id, of_goal_talk
from zhixing.faces.http.api.bodies import Answered, Body
from zhixing.faces.http.api.shapes import Question, Shape
from zhixing.faces.http.home import AtHome
from zhixing.faces.wire import Wire
from zhixing.goals.talking.talk import GoalTalkState
from zhixing.tasks.sentences import LARGEST_PAGE

WHO = "http"

router = APIRouter(prefix="/goals/talks", tags=["goals"])


class Pressed(Body):
    """A button under a card."""

    revision: int | None = Field(None, description="The revision that was shown; an older one presses nothing.")


class OtherTask(Shape):
    """A task of the same list that was not chosen first."""

    id: str = Field(examples=["q4"])
    text: str
    state: GoalTalkState


class GoalTalk(Shape):
    """A conversation that began with `/task …`, and the card that it shows."""

    id: str = Field(examples=["q3"])
    way: Literal["goal"]
    text: str
    state: GoalTalkState
    revision: int
    zone: str
    said_at: str
    lines: list[str] = Field(description="What is shown to a person.")
    question: Question | None
    card: dict[str, Any] | None = Field(
        description="The newest card; null while a model reads, and once it is settled."
    )
    card_text: str | None = Field(description="The card in its envelope, to the letter what a client of cards reads.")
    others: list[OtherTask] = Field(description="The tasks of its list that were not chosen first.")
    goal_id: str | None = Field(description="The goal that came of it.")


class Silence(Shape):
    """What the tag that opens the side panel is answered with: nothing."""

    way: Literal["goal"]
    silent: Literal[True]
    lines: list[str]


class GoalTalks(Shape):
    """Some of them, the newest first."""

    talks: list[GoalTalk]


@router.get("", response_model=GoalTalks, response_model_exclude_unset=True)
def list_talks(
    home: AtHome,
    state: Annotated[list[GoalTalkState] | None, Query(description="Only these; may be repeated.")] = None,
    limit: Annotated[int, Query(ge=1, le=LARGEST_PAGE)] = 50,
    before: Annotated[str | None, Query(description="The id of the last one of the page before.")] = None,
) -> Wire:
    """List conversations about goals, the newest first."""
    found = home.app.goals.talks.page(states=state or (), limit=limit, before=before)
    return {"talks": [of_goal_talk(one) for one in found]}


@router.get("/{talk}", response_model=GoalTalk, response_model_exclude_unset=True)
def show(home: AtHome, talk: str) -> Wire:
    """Show one conversation."""
    return of_goal_talk(home.app.goals.talks.show(goal_talk_id(talk)))


@router.post("/{talk}/answer", response_model=GoalTalk, response_model_exclude_unset=True)
def answer(home: AtHome, talk: str, body: Answered) -> Wire:
    """Answer what is asked, choose out of a list, change a whole draft, or press a button by its name or letter."""
    known = goal_talk_id(talk)
    return of_goal_talk(home.app.goals.talks.answer(known, body.value, who=WHO, revision=body.revision))


@router.post("/{talk}/execute", response_model=GoalTalk, response_model_exclude_unset=True)
def execute(home: AtHome, talk: str, body: Pressed | None = None) -> Wire:
    """Hand the whole draft in as a goal. Pressed again it is the same goal."""
    return of_goal_talk(home.app.goals.talks.execute(goal_talk_id(talk), _revision(body)))


@router.post("/{talk}/save", response_model=GoalTalk, response_model_exclude_unset=True)
def save(home: AtHome, talk: str, body: Pressed | None = None) -> Wire:
    """Set a whole draft aside."""
    return of_goal_talk(home.app.goals.talks.save(goal_talk_id(talk), _revision(body)))


@router.post("/{talk}/resume", response_model=GoalTalk, response_model_exclude_unset=True)
def resume(home: AtHome, talk: str, body: Pressed | None = None) -> Wire:
    """Take up what was set aside, or a task that waits for its turn."""
    return of_goal_talk(home.app.goals.talks.resume(goal_talk_id(talk), _revision(body)))


@router.delete("/{talk}", response_model=GoalTalk, response_model_exclude_unset=True)
def discard(home: AtHome, talk: str) -> Wire:
    """Discard a draft: nothing comes of it."""
    return of_goal_talk(home.app.goals.talks.discard(goal_talk_id(talk)))


def _revision(body: Pressed | None) -> int | None:
    return None if body is None else body.revision
