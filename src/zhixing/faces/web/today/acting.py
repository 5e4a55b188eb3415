"""The forms that change a task or take it out of sight, and those of the inbox."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Form
from starlette.responses import Response

from zhixing.faces.web.desk import AtDesk, own_form
from zhixing.faces.web.today.saying import lines_of
from zhixing.faces.web.today.showing import WHO, act_today
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import Exact, locate
from zhixing.kernel.moments import zone as find_zone

forms = APIRouter(include_in_schema=False, dependencies=[Depends(own_form)])


@forms.post("/tasks/{task_id}/done")
def done(desk: AtDesk, task_id: str) -> Response:
    """Mark a task done."""

    def act() -> str:
        with desk.home.app.store.write() as tx:
            return desk.home.app.tasks.complete(tx, task_id, who=WHO).id

    return act_today(desk, act, task_id)


@forms.post("/tasks/{task_id}/restore")
def restore(desk: AtDesk, task_id: str) -> Response:
    """Take back that a task was done or deleted."""

    def act() -> str:
        with desk.home.app.store.write() as tx:
            return desk.home.app.tasks.restore(tx, task_id, who=WHO).id

    return act_today(desk, act, task_id)


@forms.post("/tasks/{task_id}/delete")
def delete(desk: AtDesk, task_id: str) -> Response:
    """Remove a task from sight; the page offers to restore it."""

    def act() -> str:
        with desk.home.app.store.write() as tx:
            return desk.home.app.tasks.delete(tx, task_id, who=WHO).id

    return act_today(desk, act, task_id)


@forms.post("/tasks/{task_id}/pause")
def pause(desk: AtDesk, task_id: str) -> Response:
    """Stop a task, with everything that is pending of it."""

    def act() -> str:
        with desk.home.app.store.write() as tx:
            return desk.home.app.tasks.pause(tx, task_id, who=WHO).id

    return act_today(desk, act, task_id)


@forms.post("/tasks/{task_id}/resume")
def resume(desk: AtDesk, task_id: str) -> Response:
    """End a pause."""

    def act() -> str:
        with desk.home.app.store.write() as tx:
            return desk.home.app.tasks.resume(tx, task_id, who=WHO).id

    return act_today(desk, act, task_id)


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
        return notices.remind(task_id, _local(at, notices.get(task_id).task.zone), who=WHO).task.id

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


def _local(text: str, zone_name: str) -> datetime:
    """Read a local time as the browser's picker writes it. One that does not name one instant is refused."""
    try:
        local = datetime.fromisoformat(text)
    except ValueError as error:
        raise BadInput("instant_unreadable", text=text[:64]) from error
    if local.tzinfo is not None:
        return local
    found = locate(local, find_zone(zone_name))
    if not isinstance(found, Exact):
        raise BadInput("local_time_unclear", text=text[:64], zone=zone_name)
    return found.at
