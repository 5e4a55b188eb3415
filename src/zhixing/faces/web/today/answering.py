"""The forms for questions: about a task, about the home, a draft, a rule, a goal."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Form
from starlette.responses import Response

from zhixing.faces.web.deeds import WHO
from zhixing.faces.web.desk import AtDesk, own_form
from zhixing.faces.web.today.showing import act_today

forms = APIRouter(include_in_schema=False, dependencies=[Depends(own_form)])


@forms.post("/tasks/{task_id}/answer")
def answer(
    desk: AtDesk, task_id: str, revision: Annotated[int, Form()], value: Annotated[str, Form()] = ""
) -> Response:
    """Take an answer, picked or in words."""
    notices = desk.home.app.notices
    return act_today(desk, lambda: notices.answer(task_id, value, revision=revision, who=WHO).task.id, task_id)


@forms.post("/talks/{talk}/answer")
def answer_talk(
    desk: AtDesk, talk: str, revision: Annotated[int, Form()], value: Annotated[str, Form()] = ""
) -> Response:
    """Take an answer about the home, picked or in words."""
    talks = desk.home.app.talks
    return act_today(desk, lambda: talks.answer(talk, value, who=WHO, revision=revision).id, talk)


@forms.post("/talks/{talk}/retry")
def retry_talk(desk: AtDesk, talk: str) -> Response:
    """Try again to understand a sentence about the home."""
    return act_today(desk, lambda: desk.home.app.talks.retry(talk).id, talk)


@forms.post("/talks/{talk}/cancel")
def cancel_talk(desk: AtDesk, talk: str) -> Response:
    """Call off a sentence about the home."""
    return act_today(desk, lambda: desk.home.app.talks.cancel(talk, who=WHO).id, talk)


@forms.post("/drafts/{draft}/answer")
def answer_draft(
    desk: AtDesk, draft: str, revision: Annotated[int, Form()], value: Annotated[str, Form()] = ""
) -> Response:
    """Take an answer to a draft, picked or in words."""
    drafts = desk.home.app.drafts
    return act_today(desk, lambda: drafts.answer(draft, value, who=WHO, revision=revision).row.id, draft)


@forms.post("/drafts/{draft}/cancel")
def cancel_draft(desk: AtDesk, draft: str) -> Response:
    """Drop a draft."""
    return act_today(desk, lambda: desk.home.app.drafts.cancel(draft).row.id, draft)


@forms.post("/proposals/{proposal}/answer")
def answer_proposal(
    desk: AtDesk, proposal: str, revision: Annotated[int, Form()], value: Annotated[str, Form()] = ""
) -> Response:
    """Take an answer to a proposal of a rule, picked or in words."""
    proposals = desk.home.app.proposals
    return act_today(desk, lambda: proposals.answer(proposal, value, who=WHO, revision=revision).row.id, proposal)


@forms.post("/proposals/{proposal}/cancel")
def cancel_proposal(desk: AtDesk, proposal: str) -> Response:
    """Drop a proposal of a rule."""
    return act_today(desk, lambda: desk.home.app.proposals.cancel(proposal).row.id, proposal)


@forms.post("/goal-talks/{talk}/answer")
def answer_goal_talk(
    desk: AtDesk, talk: str, revision: Annotated[int, Form()], value: Annotated[str, Form()] = ""
) -> Response:
    """Take an answer about a goal: a button, a task out of a list, or words."""
    talks = desk.home.app.goals.talks
    return act_today(desk, lambda: talks.answer(talk, value, who=WHO, revision=revision).row.id, talk)


@forms.post("/goal-talks/{talk}/cancel")
def discard_goal_talk(desk: AtDesk, talk: str) -> Response:
    """Discard a draft of a goal."""
    return act_today(desk, lambda: desk.home.app.goals.talks.discard(talk).row.id, talk)
