"""Tools: cron jobs, messages at instants."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from zhixing.faces import household_wire
from zhixing.faces.cli.cron import job_id
from zhixing.faces.cli.house import House
from zhixing.faces.mcp.arguments import LONGEST_ID, slug_of
from zhixing.faces.mcp.tool import WHO, Effect, Parameters, Tool
from zhixing.faces.wire import Wire
from zhixing.household import job_rows
from zhixing.household.carrying import MOST_JOBS
from zhixing.household.overview import see_job


class Schedule(Parameters):
    """When: one of the three kinds, with what belongs to it."""

    kind: Literal["cron", "at", "every"]
    expr: str | None = Field(default=None, max_length=1_000, description="cron: five fields, such as 0 8 * * *.")
    tz: str | None = Field(default=None, max_length=64, description="cron: IANA zone. Not given: the home's.")
    at: str | None = Field(default=None, max_length=64, description="at: an instant with an offset.")
    every_ms: int | None = Field(default=None, description="every: milliseconds, at least 1000.")


def cron_list(home: House) -> Wire:
    """List all cron jobs, the oldest first, with their next instants."""
    now = home.app.clock.now()
    with home.app.store.read() as tx:
        return {"cron": [household_wire.of_job(see_job(tx, job, now)) for job in job_rows.living(tx, MOST_JOBS)]}


def cron_add(
    home: House,
    *,
    name: Annotated[str, Field(description="A job of a household task begins with [its name].")],
    schedule: Schedule,
    message: Annotated[str, Field(description="What is to be done then, as one sentence to the household agent.")],
    task: Annotated[
        str | None, Field(max_length=LONGEST_ID, description="The household task it belongs to, by id or name.")
    ] = None,
) -> Wire:
    """Add a cron job, of a household task or on its own. A plain reminder for a person is better said with `say`."""
    when = schedule.model_dump(by_alias=True, exclude_none=True)
    if schedule.kind == "cron":
        when.setdefault("tz", home.app.zone.name)
    slug = None
    if task is not None:
        with home.app.store.read() as tx:
            slug = slug_of(home, tx, task)
    added = home.app.cron.add({"name": name, "schedule": when, "message": message}, who=WHO, slug=slug)
    with home.app.store.read() as tx:
        return household_wire.of_job(see_job(tx, job_rows.get(tx, added.job.id), home.app.clock.now()))


def cron_remove(
    home: House, *, job: Annotated[str, Field(max_length=LONGEST_ID, description="Id of a job: j3.")]
) -> Wire:
    """Remove a cron job; what is pending of it is cancelled."""
    return {"id": home.app.cron.remove(job_id(job), who=WHO).id, "removed": True}


TOOLS = (
    Tool.of(cron_list, Effect.READS),
    Tool.of(cron_add, Effect.ADDS),
    Tool.of(cron_remove, Effect.ENDS),
)
