"""Tools: a household task from its plan. First asked what is wrong with it, then made, all of it or nothing."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from zhixing.faces import household_wire
from zhixing.faces.cli.house import House
from zhixing.faces.cli.household_tasks import see
from zhixing.faces.mcp.tool import WHO, Effect, Tool
from zhixing.faces.wire import Wire
from zhixing.household.assembling.request import Home
from zhixing.household.checks import Context, check, read_assembly, refused
from zhixing.household.checks.model import Person
from zhixing.household.plan import read_plan

Plan = Annotated[
    dict[str, Any],
    Field(
        description="The plan: {op: create, tz, task, record, rules, schedules, steps, questions, tips}, in the shape "
        "of skills/zhixing-household/SKILL.md."
    ),
]


def plan_check(home: House, *, plan: Plan) -> Wire:
    """Check a plan against this home without making anything.

    `findings` name what does not hold, by id and place; with `refused` true the plan must not be applied. A plan that
    cannot even be read is an error that names the field.
    """
    read = read_plan(plan)
    findings = check(read_assembly(plan), _context(home.app.talks.home()))
    return {
        "task": read.slug,
        "refused": refused(findings),
        "findings": [
            {"id": one.id, "level": one.level.value, "text": one.text, "place": one.place or None} for one in findings
        ],
    }


def plan_apply(home: House, *, plan: Plan) -> Wire:
    """Make a household task from its plan, all of it or nothing. Check it first with `plan_check`.

    A name that is taken is refused, so applying twice cannot make two.
    """
    made = home.app.household.apply(read_plan(plan), who=WHO)
    return household_wire.of_task(see(home, made.task.id), home.names())


def _context(home: Home) -> Context:
    return Context(
        now=home.now,
        zone=home.zone.key,
        persons=tuple(Person(one.name, one.role) for one in home.persons),
        cameras=tuple(eye.did for eye in home.eyes),
        devices={one.did: one.kind for one in home.devices},
        tasks={one.id: "active" if one.active else "paused" for one in home.tasks},
    )


TOOLS = (Tool.of(plan_check, Effect.READS), Tool.of(plan_apply, Effect.ADDS))
