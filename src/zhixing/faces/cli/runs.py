"""runs: what waits for the judgement of the household agent."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import App, Parameter

from zhixing.faces import agent_words, household_wire
from zhixing.faces.cli.house import house
from zhixing.faces.cli.options import AtDesk, Json, Limit, within
from zhixing.faces.household_words import run_lines
from zhixing.household.agent import transcript
from zhixing.household.doing.model import RunState
from zhixing.household.doing.runs import LARGEST_PAGE
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.tasks import store as tasks

runs = App(name="runs", help_flags=(), version_flags=())

OfState = Annotated[
    Literal["waiting", "running", "done", "failed", "expired"] | None,
    Parameter(name="--state"),
]
OfTask = Annotated[str | None, Parameter(name="--task")]


@runs.command(name="list")
def list_(
    *, state: OfState = None, task: OfTask = None, limit: Limit = 50, as_json: Json = False, desk: AtDesk
) -> None:
    """List the runs of the household agent, the newest first."""
    within("--limit", limit, 1, LARGEST_PAGE)
    states = () if state is None else (RunState(state),)
    with house(desk) as home, home.app.store.read() as tx:
        known = None if task is None else home.task(tx, task).id
        found = home.app.doing.runs(tx, states=states, task_id=known, limit=limit)
        zones = {run.task_id: find_zone(tasks.get(tx, run.task_id).zone) for run in found}
    if as_json:
        desk.give({"runs": [household_wire.of_run(run, zones[run.task_id]) for run in found]})
        return
    for run in found:
        desk.say(*run_lines(run, zones[run.task_id], desk.clock.now()))
    if not found:
        desk.say(wording("faces.runs_none"))


@runs.command(name="show")
def show(run: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Show what a run is to judge, what was done about it turn by turn, and what became of it."""
    with house(desk) as home, home.app.store.read() as tx:
        found = home.app.doing.run(tx, run.strip().lower())
        powers, turns = transcript.powers(tx, found.id), transcript.turns(tx, found.id)
        zone = find_zone(tasks.get(tx, found.task_id).zone)
    lines = [*run_lines(found, zone, desk.clock.now()), *agent_words.turn_lines(powers, turns)]
    shape = household_wire.of_run(found, zone) | agent_words.of_turns(powers, turns, zone)
    desk.answer(shape, lines, as_json=as_json)
