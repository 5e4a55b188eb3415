"""The forms that say what is to be reached, answer what is asked about it, and press the buttons of a card."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from starlette.responses import Response

from zhixing.faces.goal_talk_wire import goal_talk_id
from zhixing.faces.web.deeds import WHO
from zhixing.faces.web.desk import AtDesk, Desk, own_form
from zhixing.faces.web.goals.addresses import ALL, of_goal
from zhixing.faces.web.goals.cards import answer_to
from zhixing.faces.web.goals.showing import show_goals
from zhixing.faces.web.today.saying import identity_of, lines_of
from zhixing.goals.talking.talk import GoalTalkState
from zhixing.goals.talking.views import GoalTalkView
from zhixing.kernel.errors import ZhixingError

COMMAND = "/task "
"""What words begin with that are for goals (taskloop §1.1)."""
MOST_QUESTIONS = 8
"""Questions of one card that a form answers; there are never more than there are elements."""
forms = APIRouter(include_in_schema=False, dependencies=[Depends(own_form)])


class Press(StrEnum):
    """A button of a card."""

    EXECUTE = "execute"
    DISCARD = "discard"
    SAVE = "save"
    RESUME = "resume"


async def _picks(request: Request) -> dict[int, str]:
    """Return what was tapped under each question."""
    form = await request.form()
    given = ((place, form.get(f"pick_{place}")) for place in range(MOST_QUESTIONS))
    return {place: value for place, value in given if isinstance(value, str)}


Picks = Annotated[dict[int, str], Depends(_picks)]


@forms.post("/goals/say")
def say(desk: AtDesk, text: Annotated[str, Form()] = "", key: Annotated[str, Form()] = "") -> Response:
    """Begin to talk about a goal."""
    words = lines_of(text).strip()

    def act() -> str:
        desk.home.check_length(words)
        talks = desk.home.app.goals.talks
        spoken = words if talks.wants(words) else COMMAND + words
        talks.say(spoken, who=WHO, key=identity_of(key, spoken))
        return ALL

    return desk.act(act, lambda error: show_goals(desk, error, draft=words))


@forms.post("/goals/talks/{talk}/answer")
def answer(desk: AtDesk, talk: str, revision: Annotated[int, Form()], value: Annotated[str, Form()] = "") -> Response:
    """Take an answer, a task out of a list, or words that change a draft."""
    return _answered(desk, talk, revision, value)


@forms.post("/goals/talks/{talk}/answers")
def answer_all(
    desk: AtDesk,
    talk: str,
    revision: Annotated[int, Form()],
    picks: Picks,
    words: Annotated[list[str] | None, Form()] = None,
) -> Response:
    """Take the answers to several questions at once: picked, in words, or left open."""
    try:
        view = desk.home.app.goals.talks.show(goal_talk_id(talk))
        asks = view.card.get("questions", ()) if view.card is not None else ()
        said = answer_to(tuple(asks)[:MOST_QUESTIONS], words or (), picks)
    except ZhixingError as error:
        return show_goals(desk, error)
    return _answered(desk, talk, revision, said)


@forms.post("/goals/talks/{talk}/{press}")
def press(desk: AtDesk, talk: str, press: Press, revision: Annotated[int, Form()]) -> Response:
    """Press a button of a card."""
    talks = desk.home.app.goals.talks
    pressed = {
        Press.EXECUTE: talks.execute,
        Press.DISCARD: talks.discard,
        Press.SAVE: talks.save,
        Press.RESUME: talks.resume,
    }[press]
    try:
        view = pressed(goal_talk_id(talk), revision)
    except ZhixingError as error:
        return show_goals(desk, error)
    return _lead(desk, view)


def _answered(desk: Desk, talk: str, revision: int, words: str) -> Response:
    talks = desk.home.app.goals.talks
    try:
        view = talks.answer(goal_talk_id(talk), lines_of(words), who=WHO, revision=revision)
        plain = talks.show(view.row.id)
    except ZhixingError as error:
        return show_goals(desk, error)
    if len(view.lines) > len(plain.lines):
        # Nothing was changed, and the first line says why.
        return show_goals(desk, said=view.lines[0])
    return _lead(desk, view)


def _lead(desk: Desk, view: GoalTalkView) -> Response:
    """Lead to the goal that came of a talk, or back to the others."""
    row = view.row
    if row.goal_id is not None:
        return desk.lead(of_goal(row.goal_id), "goal_executed")
    notes = {GoalTalkState.DISCARDED: "goal_discarded", GoalTalkState.SAVED: "goal_saved"}
    return desk.lead(ALL, notes.get(row.state, ""))
