"""The parts of household tasks by themselves: rules, cron jobs, and what waits for judgement."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response

from zhixing.faces import agent_words, household_wire, wire
from zhixing.faces.http.api import household_shapes, shapes
from zhixing.faces.http.api.household import WHO, known_as
from zhixing.faces.http.api.raw import json_of
from zhixing.faces.http.home import AtHome, Home
from zhixing.faces.wire import Wire
from zhixing.household import job_rows, registry, viewing
from zhixing.household.agent import transcript
from zhixing.household.carrying import MOST_JOBS
from zhixing.household.cron import LARGEST_PAGE
from zhixing.household.doing import runs as agent_runs
from zhixing.household.doing.model import RunState
from zhixing.household.overview import see_job
from zhixing.household.sight import names_of
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.tasks import store as tasks
from zhixing.tasks.rules import store as rules_store
from zhixing.tasks.rules.model import Rule

router = APIRouter(tags=["household"])

_OBJECT: dict[str, Any] = {
    "requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}
}


@router.get("/rules", response_model=household_shapes.Rules)
def rules(home: AtHome, task: Annotated[str | None, Query(description="Only those of this task.")] = None) -> Wire:
    """List the rules of all tasks that live, or of one task."""
    with home.app.store.read() as tx:
        if task is None:
            found = [rule for view in viewing.views(tx) for rule in view.rules]
        else:
            found = list(rules_store.of_task(tx, known_as(tx, task)))
    names = names_of(home.app.hub)
    return {"rules": [household_wire.of_rule(rule, names) for rule in found]}


@router.get("/rules/{rule}", response_model=household_shapes.Rule)
def show_rule(home: AtHome, rule: str) -> Wire:
    """Show a rule."""
    with home.app.store.read() as tx:
        found = rules_store.get(tx, rule)
    return _rule(home, found)


@router.post("/rules/{rule}/enable", response_model=household_shapes.Rule)
def enable_rule(home: AtHome, rule: str) -> Wire:
    """Let a rule act again."""
    return _rule(home, home.app.household.enable_rule(rule, who=WHO))


@router.post("/rules/{rule}/disable", response_model=household_shapes.Rule)
def disable_rule(home: AtHome, rule: str) -> Wire:
    """Stop a rule at once, with whatever is pending of it."""
    return _rule(home, home.app.household.disable_rule(rule, who=WHO))


@router.get("/cron", response_model=household_shapes.Jobs)
def jobs(home: AtHome) -> Wire:
    """List all cron jobs, the oldest first."""
    now = home.app.clock.now()
    with home.app.store.read() as tx:
        return {"cron": [household_wire.of_job(see_job(tx, job, now)) for job in job_rows.living(tx, MOST_JOBS)]}


@router.post(
    "/cron",
    status_code=201,
    responses={201: {"model": household_shapes.Job, "description": "The job."}},
    openapi_extra=_OBJECT,
)
async def add_job(request: Request, home: AtHome) -> Response:
    """Add a job as the cron tool does: `{name, schedule: {kind, expr, tz | at | everyMs}, message, task?}`."""
    said = await json_of(request)
    task = said.pop("task", None) if isinstance(said, dict) else None
    if task is not None and not isinstance(task, str):
        raise BadInput("field_wrong", name="task", problem=wording("settings.problem_text"))
    return JSONResponse(await run_in_threadpool(_add, home, said, task), status_code=201)


@router.get("/cron/{job}", response_model=household_shapes.Job)
def show_job(home: AtHome, job: str) -> Wire:
    """Show a job."""
    return _job(home, job)


@router.patch(
    "/cron/{job}",
    responses={200: {"model": household_shapes.Job, "description": "The job as it is now."}},
    openapi_extra=_OBJECT,
)
async def change_job(request: Request, home: AtHome, job: str) -> Response:
    """Change the name, schedule, message or enabled of a job; what is not there stays."""
    said = await json_of(request)

    def act() -> Wire:
        home.app.cron.update(job, said, who=WHO)
        return _job(home, job)

    return JSONResponse(await run_in_threadpool(act))


@router.delete("/cron/{job}", response_model=household_shapes.RemovedJob)
def remove_job(home: AtHome, job: str) -> Wire:
    """Remove a job; what is pending of it is cancelled."""
    return {"id": home.app.cron.remove(job, who=WHO).id, "removed": True}


@router.post("/cron/{job}/run", response_model=shapes.Occurrence)
def run_job(home: AtHome, job: str) -> Wire:
    """Let a job act now, beside its schedule."""
    return wire.of_occurrence(home.app.cron.run(job, who=WHO), find_zone(home.app.zone.name))


@router.get("/cron/{job}/runs", response_model=household_shapes.JobRuns)
def job_runs(home: AtHome, job: str, limit: Annotated[int, Query(ge=1, le=LARGEST_PAGE)] = 20) -> Wire:
    """List what a job did, the latest first; also of one that was removed."""
    zone = find_zone(home.app.zone.name)
    return {"runs": [wire.of_occurrence(one, zone) for one in home.app.cron.runs(job, limit)]}


@router.get("/runs", response_model=household_shapes.Runs)
def runs(
    home: AtHome,
    state: Annotated[list[RunState] | None, Query(description="Only these; may be repeated.")] = None,
    task: Annotated[str | None, Query(description="Only those of this task.")] = None,
    limit: Annotated[int, Query(ge=1, le=agent_runs.LARGEST_PAGE)] = 50,
) -> Wire:
    """List what waits, or waited, for the household agent, the newest first."""
    with home.app.store.read() as tx:
        known = None if task is None else known_as(tx, task)
        found = home.app.doing.runs(tx, states=state or (), task_id=known, limit=limit)
        zones = {run.task_id: find_zone(tasks.get(tx, run.task_id).zone) for run in found}
    return {"runs": [household_wire.of_run(run, zones[run.task_id]) for run in found]}


@router.get("/runs/{run}", response_model=household_shapes.Run)
def show_run(home: AtHome, run: str) -> Wire:
    """Show what a run is to judge, and what became of it."""
    with home.app.store.read() as tx:
        found = home.app.doing.run(tx, run)
        return household_wire.of_run(found, find_zone(tasks.get(tx, found.task_id).zone))


@router.get("/runs/{run}/turns", response_model=household_shapes.Turns)
def run_turns(home: AtHome, run: str) -> Wire:
    """Show what a run may do, and what was done in it turn by turn."""
    with home.app.store.read() as tx:
        found = home.app.doing.run(tx, run)
        zone = find_zone(tasks.get(tx, found.task_id).zone)
        return agent_words.of_turns(transcript.powers(tx, found.id), transcript.turns(tx, found.id), zone)


def _rule(home: Home, rule: Rule) -> Wire:
    return household_wire.of_rule(rule, names_of(home.app.hub))


def _add(home: Home, said: object, task: str | None) -> Wire:
    slug = None
    if task is not None:
        with home.app.store.read() as tx:
            slug = registry.slug_of(tx, known_as(tx, task)) or task
    return _job(home, home.app.cron.add(said, who=WHO, slug=slug).job.id)


def _job(home: Home, job: str) -> Wire:
    with home.app.store.read() as tx:
        return household_wire.of_job(see_job(tx, job_rows.get(tx, job), home.app.clock.now()))
