"""Tasks that stand for rules of the hub: what is done to them, the rule follows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import Field

from zhixing.faces import everything
from zhixing.faces.drawn import drawn, of_drawn, see_rule
from zhixing.faces.http.api.bodies import Body
from zhixing.faces.http.api.shapes import Shape
from zhixing.faces.http.home import AtHome, Home
from zhixing.faces.wire import Wire
from zhixing.kernel.errors import NotFound
from zhixing.notices.listing import LARGEST_PAGE
from zhixing.store.connection import Tx
from zhixing.tasks import store as tasks
from zhixing.tasks.task import Status, Task, Way

WHO = "http"

router = APIRouter(prefix="/graphs/tasks", tags=["graphs"])


class OtherTitle(Body):
    """What the task is to be called; the rule keeps its name."""

    title: str


class LinkedRule(Shape):
    """The rule that a task stands for. What is null, the hub did not tell; a list does not ask it."""

    hub: str
    id: str
    name: str | None = None
    enable: bool | None = None
    node_count: int | None = None
    why: str | None = Field(default=None, description="Why the hub did not tell.")


class GraphTask(Shape):
    """A task that stands for a rule of the hub."""

    id: str
    title: str
    way: Literal["graph"]
    status: Status
    zone: str
    revision: int
    created_at: str
    updated_at: str
    text: str = Field(description="What was said.")
    next: None
    graph: LinkedRule | None


class GraphTasks(Shape):
    """Some of them, the newest first."""

    tasks: list[GraphTask]
    more: str | None


@router.get("", response_model=GraphTasks, response_model_exclude_unset=True)
def list_tasks(
    home: AtHome,
    status: Annotated[list[Status] | None, Query(description="Only these; may be repeated.")] = None,
    limit: Annotated[int, Query(ge=1, le=LARGEST_PAGE)] = 50,
    before: Annotated[str | None, Query(description="The `more` of the page before.")] = None,
) -> Wire:
    """List tasks that stand for rules, the newest first."""
    app = home.app
    with app.store.read() as tx:
        found = everything.page(
            app, tx, app.clock.now(), statuses=status or (), ways=[Way.GRAPH], limit=limit, before=before
        )
    return {"tasks": [everything.written(each, {}) for each in found.items], "more": found.more}


@router.get("/{task}", response_model=GraphTask, response_model_exclude_unset=True)
def show(home: AtHome, task: str) -> Wire:
    """Show one task, with its rule as the hub has it now."""
    with home.app.store.read() as tx:
        found = drawn(home.app, tx, _known(tx, task))
    return of_drawn(found, see_rule(home.app, found))


@router.post("/{task}/pause", response_model=GraphTask, response_model_exclude_unset=True)
def pause(home: AtHome, task: str) -> Wire:
    """Pause a task: its rule is switched off."""
    return _done(home, task, lambda tx: home.app.tasks.pause(tx, task, who=WHO))


@router.post("/{task}/resume", response_model=GraphTask, response_model_exclude_unset=True)
def resume(home: AtHome, task: str) -> Wire:
    """End a pause: its rule is switched on."""
    return _done(home, task, lambda tx: home.app.tasks.resume(tx, task, who=WHO))


@router.post("/{task}/restore", response_model=GraphTask, response_model_exclude_unset=True)
def restore(home: AtHome, task: str) -> Wire:
    """Take back that a task was deleted: its rule is put back as it last was."""
    return _done(home, task, lambda tx: home.app.tasks.restore(tx, task, who=WHO))


@router.patch("/{task}", response_model=GraphTask, response_model_exclude_unset=True)
def rename(home: AtHome, task: str, body: OtherTitle) -> Wire:
    """Give a task another title."""
    return _done(home, task, lambda tx: home.app.tasks.rename(tx, task, body.title, who=WHO))


@router.delete("/{task}", response_model=GraphTask, response_model_exclude_unset=True)
def delete(home: AtHome, task: str) -> Wire:
    """Delete a task with its rule; both can be restored."""
    return _done(home, task, lambda tx: home.app.tasks.delete(tx, task, who=WHO))


def _known(tx: Tx, task_id: str) -> Task:
    found = tasks.get(tx, task_id)
    if found.way is not Way.GRAPH:
        raise NotFound("task_unknown", id=task_id[:64])
    return found


def _done(home: Home, task_id: str, act: Callable[[Tx], Task]) -> Wire:
    """Do something to a task; the rule follows as a job."""
    with home.app.store.write() as tx:
        _known(tx, task_id)
        return of_drawn(drawn(home.app, tx, act(tx)))
