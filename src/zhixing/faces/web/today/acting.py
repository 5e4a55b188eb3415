"""The forms that change a task or take it out of sight, and those of the inbox."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Form
from starlette.responses import Response

from zhixing.faces.web.deeds import WHO, do
from zhixing.faces.web.desk import AtDesk, own_form
from zhixing.faces.web.instants import picked
from zhixing.faces.web.today.saying import lines_of
from zhixing.faces.web.today.showing import act_today

forms = APIRouter(include_in_schema=False, dependencies=[Depends(own_form)])


@forms.post("/tasks/{task_id}/done")
def done(desk: AtDesk, task_id: str) -> Response:
    """Mark a task done."""
    return act_today(desk, lambda: do(desk.home.app, task_id, "done"), task_id)


@forms.post("/tasks/{task_id}/restore")
def restore(desk: AtDesk, task_id: str) -> Response:
    """Take back that a task was done or deleted."""
    return act_today(desk, lambda: do(desk.home.app, task_id, "restore"), task_id)


@forms.post("/tasks/{task_id}/delete")
def delete(desk: AtDesk, task_id: str) -> Response:
    """Remove a task from sight; the page offers to restore it."""
    return act_today(desk, lambda: do(desk.home.app, task_id, "delete"), task_id)


@forms.post("/tasks/{task_id}/pause")
def pause(desk: AtDesk, task_id: str) -> Response:
    """Stop a task, with everything that is pending of it."""
    return act_today(desk, lambda: do(desk.home.app, task_id, "pause"), task_id)


@forms.post("/tasks/{task_id}/resume")
def resume(desk: AtDesk, task_id: str) -> Response:
    """End a pause."""
    return act_today(desk, lambda: do(desk.home.app, task_id, "resume"), task_id)


@forms.post("/tasks/{task_id}/edit")
def edit(desk: AtDesk, task_id: str, text: Annotated[str, Form()] = "") -> Response:
    """Give a task other words."""
    words = lines_of(text)

    def act() -> str:
        desk.home.check_length(words)
        return desk.home.app.notices.edit(task_id, words, who=WHO).task.id

    return act_today(desk, act, task_id)


@forms.post("/tasks/{task_id}/remind")
def remind(desk: AtDesk, task_id: str, at: Annotated[str, Form()] = "") -> Response:
    """Set a reminder by hand, at a local time of the task."""

    def act() -> str:
        notices = desk.home.app.notices
        return notices.remind(task_id, picked(at, notices.get(task_id).task.zone), who=WHO).task.id

    return act_today(desk, act, task_id)


@forms.post("/tasks/{task_id}/retry")
def retry(desk: AtDesk, task_id: str) -> Response:
    """Try again to understand."""
    return act_today(desk, lambda: desk.home.app.notices.retry(task_id, who=WHO).task.id, task_id)


@forms.post("/inbox/{message_id}/dismiss")
def dismiss(desk: AtDesk, message_id: str) -> Response:
    """Remove a message from the inbox; its task goes on."""

    def act() -> None:
        with desk.home.app.store.write() as tx:
            desk.home.app.delivery.dismiss(tx, message_id)

    return act_today(desk, act)
