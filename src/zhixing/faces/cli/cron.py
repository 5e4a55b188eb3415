"""cron: messages at instants, as agents and people set them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from cyclopts import App, Parameter

from zhixing.faces import household_wire, wire
from zhixing.faces.cli.desk import WHO, Desk
from zhixing.faces.cli.house import House, house
from zhixing.faces.cli.options import AtDesk, Json, Limit, within
from zhixing.faces.cli.pages import INDENT
from zhixing.faces.cli.usage import Usage
from zhixing.faces.household_words import job_lines
from zhixing.household import job_rows, registry
from zhixing.household.carrying import MOST_JOBS
from zhixing.household.cron import LARGEST_PAGE
from zhixing.household.overview import SeenJob, see_job
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.notices.explaining import explain_occurrence

cron = App(name="cron", help_flags=(), version_flags=())

Name = Annotated[str | None, Parameter(name="--name")]
Kind = Annotated[Literal["cron", "at", "every"] | None, Parameter(name="--kind")]
Expr = Annotated[str | None, Parameter(name="--expr")]
Tz = Annotated[str | None, Parameter(name="--tz")]
At = Annotated[str | None, Parameter(name="--at")]
EveryMs = Annotated[int | None, Parameter(name="--every-ms")]
Message = Annotated[str | None, Parameter(name="--message")]
OfTask = Annotated[str | None, Parameter(name="--task")]
JsonSchedule = Annotated[str | None, Parameter(name="--json-schedule")]
Enabled = Annotated[Literal["true", "false"] | None, Parameter(name="--enabled")]


@cron.command(name="add")
def add(
    *,
    name: Name = None,
    message: Message = None,
    kind: Kind = None,
    expr: Expr = None,
    tz: Tz = None,
    at: At = None,
    every_ms: EveryMs = None,
    json_schedule: JsonSchedule = None,
    task: OfTask = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Add a job, of a household task or on its own."""
    with house(desk) as home:
        schedule = _schedule(home, kind, json_schedule, expr=expr, tz=tz, at=at, everyMs=every_ms)
        said = _said(name=name, message=message, schedule=schedule)
        slug = None if task is None else _slug(home, task)
        _show(home, home.app.cron.add(said, who=WHO, slug=slug).job.id, desk, as_json=as_json)


@cron.command(name="list")
def list_(*, as_json: Json = False, desk: AtDesk) -> None:
    """List all jobs, the oldest first."""
    with house(desk) as home, home.app.store.read() as tx:
        now = desk.clock.now()
        seen = [see_job(tx, job, now) for job in job_rows.living(tx, MOST_JOBS)]
    if as_json:
        desk.give({"cron": [household_wire.of_job(each) for each in seen]})
        return
    for each in seen:
        desk.say(*_lines(each, desk))
    if not seen:
        desk.say(wording("faces.jobs_none"))


@cron.command(name="get")
def get(job: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Show a job."""
    with house(desk) as home:
        _show(home, job_id(job), desk, as_json=as_json)


@cron.command(name="update")
def update(
    job: str,
    /,
    *,
    name: Name = None,
    message: Message = None,
    kind: Kind = None,
    expr: Expr = None,
    tz: Tz = None,
    at: At = None,
    every_ms: EveryMs = None,
    json_schedule: JsonSchedule = None,
    enabled: Enabled = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Change a job; what is not given stays."""
    with house(desk) as home:
        schedule = _schedule(home, kind, json_schedule, expr=expr, tz=tz, at=at, everyMs=every_ms)
        on = None if enabled is None else enabled == "true"
        said = _said(name=name, message=message, schedule=schedule, enabled=on)
        home.app.cron.update(job_id(job), said, who=WHO)
        _show(home, job_id(job), desk, as_json=as_json)


@cron.command(name="remove")
def remove(job: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Remove a job; what is pending of it is cancelled."""
    with house(desk) as home:
        gone = home.app.cron.remove(job_id(job), who=WHO)
    desk.answer(
        {"id": gone.id, "removed": True},
        [wording("faces.job_removed", id=gone.id, name=gone.plan.name)],
        as_json=as_json,
    )


@cron.command(name="run")
def run(job: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Let a job act now, beside its schedule."""
    with house(desk) as home:
        occurrence = home.app.cron.run(job_id(job), who=WHO)
        zone = find_zone(home.app.zone.name)
        lines = [wording("faces.job_runs", id=job_id(job), occurrence=occurrence.id), *home.household_notes()]
    desk.answer(wire.of_occurrence(occurrence, zone), lines, as_json=as_json)


@cron.command(name="runs")
def runs(job: str, /, *, limit: Limit = 20, as_json: Json = False, desk: AtDesk) -> None:
    """Show what a job did, the latest first; also of one that was removed."""
    within("--limit", limit, 1, LARGEST_PAGE)
    with house(desk) as home:
        found = home.app.cron.runs(job_id(job), limit)
        with home.app.store.read() as tx:
            told = {one.id: home.app.delivery.messages(tx, one.id) for one in found}
        zone, now = find_zone(home.app.zone.name), desk.clock.now()
    if as_json:
        desk.give({"runs": [wire.of_occurrence(one, zone) for one in found]})
        return
    for one in found:
        desk.say(*explain_occurrence(one, told[one.id], zone, now))
    if not found:
        desk.say(wording("faces.log_nothing"))


def job_id(written: str) -> str:
    """Return the id that a person means by `j3` or `3`."""
    plain = written.strip().lower()
    return f"j{int(plain)}" if plain.isascii() and plain.isdecimal() and len(plain) <= 18 else plain


def _schedule(home: House, kind: str | None, written: str | None, **parts: Any) -> dict[str, Any] | None:
    """Return the schedule as the cron tool takes it: from its own JSON, or from the options; None for none.

    A cron without a zone is read in the home's, which people mean; programs say which.
    """
    given = {name: value for name, value in parts.items() if value is not None}
    if written is not None:
        if kind is not None or given:
            raise Usage("usage_schedule_twice")
        return _decoded(written)
    if kind is None:
        if given:
            raise Usage("usage_kind_missing", option=f"--{'every-ms' if 'everyMs' in given else next(iter(given))}")
        return None
    if kind == "cron":
        given.setdefault("tz", home.app.zone.name)
    return {"kind": kind, **given}


def _decoded(written: str) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(written)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        found = None
    if not isinstance(found, dict):
        raise BadInput("schedule_no_json")
    return found


def _said(**parts: object) -> dict[str, object]:
    return {name: value for name, value in parts.items() if value is not None}


def _slug(home: House, task: str) -> str:
    with home.app.store.read() as tx:
        known = home.task_id(tx, task)
        slug = registry.slug_of(tx, known)
    if slug is None:
        raise BadInput("task_not_household", id=known[:64])
    return slug


def _show(home: House, known: str, desk: Desk, *, as_json: bool) -> None:
    with home.app.store.read() as tx:
        seen = see_job(tx, job_rows.get(tx, known), desk.clock.now())
    desk.answer(household_wire.of_job(seen), _lines(seen, desk), as_json=as_json)


def _lines(seen: SeenJob, desk: Desk) -> list[str]:
    lines = job_lines(seen, desk.clock.now())
    if seen.slug is not None:
        lines.append(INDENT + wording("faces.job_of", slug=seen.slug))
    return lines
