"""Household tasks: made from plans, looked at, stopped, changed back, ended; and what they did."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response

from zhixing.faces import household_wire
from zhixing.faces.http.api import household_shapes
from zhixing.faces.http.api.raw import json_of
from zhixing.faces.http.home import AtHome, Home
from zhixing.faces.wire import Wire
from zhixing.household import registry, viewing
from zhixing.household.overview import LARGEST_PAGE, Overview, id_of, overview, page
from zhixing.household.plan import read_plan
from zhixing.household.sight import names_of
from zhixing.household.viewing import LARGEST_LOG
from zhixing.kernel.errors import NotFound
from zhixing.kernel.moments import parse_instant
from zhixing.kernel.moments import zone as find_zone
from zhixing.store.connection import Tx
from zhixing.tasks import store as tasks
from zhixing.tasks.task import Status, Way

WHO = "http"

router = APIRouter(prefix="/household/tasks", tags=["household"])


@router.post(
    "",
    status_code=201,
    responses={201: {"model": household_shapes.HouseholdTask, "description": "The task, with all of its parts."}},
    openapi_extra={"requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}},
)
async def apply(request: Request, home: AtHome) -> Response:
    """Make a task from its plan: task, record, schedules and rules, or, where anything is wrong, nothing."""
    plan = read_plan(await json_of(request))

    def act() -> Wire:
        made = home.app.household.apply(plan, who=WHO)
        return _written(home, made.task.id)

    return JSONResponse(await run_in_threadpool(act), status_code=201)


@router.get("", response_model=household_shapes.HouseholdTasks, response_model_exclude_unset=True)
def list_tasks(
    home: AtHome,
    status: Annotated[list[Status] | None, Query(description="Only these; may be repeated.")] = None,
    limit: Annotated[int, Query(ge=1, le=LARGEST_PAGE)] = 50,
    before: Annotated[str | None, Query(description="The `more` of the page before.")] = None,
) -> Wire:
    """List household tasks, newest first."""
    app, now = home.app, home.app.clock.now()
    with app.store.read() as tx:
        found = page(tx, statuses=status or (), limit=limit, before=before)
        seen = [overview(tx, app.records, task.id, now) for task in found.tasks]
    names = names_of(home.app.hub)
    return household_wire.of_page([household_wire.of_task(one, names) for one in seen], found.more)


@router.get("/{task}", response_model=household_shapes.HouseholdTask, response_model_exclude_unset=True)
def show(home: AtHome, task: str) -> Wire:
    """Show one task, by its id or its name."""
    with home.app.store.read() as tx:
        known = known_as(tx, task)
    return _written(home, known)


@router.get("/{task}/logs", response_model=household_shapes.Log)
def logs(
    home: AtHome,
    task: str,
    since: Annotated[str | None, Query(description="Only after this instant, with an offset.")] = None,
    limit: Annotated[int, Query(ge=1, le=LARGEST_LOG)] = 50,
) -> Wire:
    """List what happened to a task, the latest first: what fired, what came, and what came close."""
    start = None if since is None else parse_instant(since)
    with home.app.store.read() as tx:
        found = tasks.get(tx, known_as(tx, task))
        log = viewing.log(tx, registry.slug_of(tx, found.id) or "", found.id, start, limit)
    return household_wire.of_log(log, find_zone(found.zone))


@router.get("/{task}/record", response_model=household_shapes.Record, response_model_exclude_unset=True)
def record(home: AtHome, task: str) -> Wire:
    """Show the record of a task as it is now, in the shape of `task record get`."""
    with home.app.store.read() as tx:
        return household_wire.of_record(home.app.records.get(tx, known_as(tx, task)))


@router.post("/{task}/disable", response_model=household_shapes.HouseholdTask, response_model_exclude_unset=True)
def disable(home: AtHome, task: str) -> Wire:
    """Stop a task at once, with everything that is pending of it; doing so again changes nothing."""
    return _named(home, task, lambda slug: home.app.household.disable(slug, who=WHO))


@router.post("/{task}/enable", response_model=household_shapes.HouseholdTask, response_model_exclude_unset=True)
def enable(home: AtHome, task: str) -> Wire:
    """End a pause; what passed meanwhile is not made up for."""
    return _named(home, task, lambda slug: home.app.household.enable(slug, who=WHO))


@router.post("/{task}/undo", response_model=household_shapes.HouseholdTask, response_model_exclude_unset=True)
def undo(home: AtHome, task: str) -> Wire:
    """Take back the latest change; doing so again does it again."""
    return _named(home, task, lambda slug: home.app.household.undo(slug, who=WHO))


@router.delete("/{task}", response_model=household_shapes.HouseholdTask, response_model_exclude_unset=True)
def delete(
    home: AtHome,
    task: str,
    reason: Annotated[
        Literal["completed", "expired", "abandoned"], Query(description="Why it ends; `abandoned` deletes it.")
    ] = "abandoned",
) -> Wire:
    """End a task; what it did is kept."""
    return _named(home, task, lambda slug: home.app.household.delete(slug, who=WHO, reason=reason))


def known_as(tx: Tx, written: str) -> str:
    """Return the id of the household task of that id or name. Ids come first. Raises `NotFound`."""
    task = tasks.find(tx, written)
    known = written if task is not None and task.way is Way.HOUSEHOLD else id_of(tx, written)
    if known is None:
        raise NotFound("household_task_unknown", slug=written[:64])
    return known


def _named(home: Home, task: str, act: Callable[[str], object]) -> Wire:
    """Do something to the living task of that id or name, and return what became of it."""
    with home.app.store.read() as tx:
        known = known_as(tx, task)
        slug = registry.slug_of(tx, known)
        if slug is None or registry.find(tx, slug) != known:
            raise NotFound("household_task_unknown", slug=task[:64])
    act(slug)
    return _written(home, known)


def _see(home: Home, task_id: str) -> Overview:
    with home.app.store.read() as tx:
        return overview(tx, home.app.records, task_id, home.app.clock.now())


def _written(home: Home, task_id: str) -> Wire:
    return household_wire.of_task(_see(home, task_id), names_of(home.app.hub))
