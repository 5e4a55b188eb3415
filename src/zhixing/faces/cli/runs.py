"""runs: what waits for the judgement of the household agent, and what document tasks do in the background.

Ids tell them apart: h3 is one that is judged, 20261201-013508-058 one of a document task, which also goes by the title
of its task.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Literal

from cyclopts import App, Parameter

from zhixing.documents.run import Run, RunState
from zhixing.faces import agent_words, document_wire, document_words, household_wire
from zhixing.faces.cli.desk import WHO, Desk
from zhixing.faces.cli.following import LONGEST, Seen, follow, look, run_meant
from zhixing.faces.cli.house import house
from zhixing.faces.cli.options import AtDesk, Json, Limit, within
from zhixing.faces.document_runs import Owner, owner_of, owners_of
from zhixing.faces.household_words import run_lines
from zhixing.household.agent import transcript
from zhixing.household.doing import model as household_runs
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
DocumentRun = Annotated[str, Parameter(name="RUN")]

_JUDGED = re.compile(r"h[0-9]+", re.ASCII)
"""Ids of runs of the household agent."""
_STATES: dict[str, frozenset[RunState]] = {
    "waiting": frozenset({RunState.QUEUED, RunState.STARTING}),
    "running": frozenset({RunState.RUNNING}),
    "done": frozenset({RunState.SUCCESS}),
    "failed": frozenset({RunState.FAILURE, RunState.CANCELLED, RunState.INTERRUPTED}),
    "expired": frozenset(),
}
"""What the states of the household are for runs of document tasks."""


@runs.command(name="list")
def list_(
    *, state: OfState = None, task: OfTask = None, limit: Limit = 50, as_json: Json = False, desk: AtDesk
) -> None:
    """List runs of the household agent and of document tasks, the newest first."""
    within("--limit", limit, 1, LARGEST_PAGE)
    states = () if state is None else (household_runs.RunState(state),)
    with house(desk) as home:
        with home.app.store.read() as tx:
            known = None if task is None else home.task(tx, task).id
            judged = home.app.doing.runs(tx, states=states, task_id=known, limit=limit)
            zones = {run.task_id: find_zone(tasks.get(tx, run.task_id).zone) for run in judged}
        page = home.app.documents.runs(task_id=known, limit=limit if state is None else LARGEST_PAGE)
        done = [run for run in page if state is None or run.state in _STATES[state]][:limit]
        owners = owners_of(home.app, done)
    if as_json:
        shapes = [document_wire.of_run(run, None, owners[run.task_id].zone) for run in done]
        desk.give({"runs": [household_wire.of_run(run, zones[run.task_id]) for run in judged], "documentRuns": shapes})
        return
    now = desk.clock.now()
    found: list[tuple[datetime, list[str]]] = [
        *((run.created_at, run_lines(run, zones[run.task_id], now)) for run in judged),
        *((run.queued_at, _document_lines(run, owners[run.task_id])) for run in done),
    ]
    for _, lines in sorted(found, key=lambda each: each[0], reverse=True)[:limit]:
        desk.say(*lines)
    if not found:
        desk.say(wording("faces.runs_none"))


@runs.command(name="show")
def show(run: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Show a run: what it is to judge and what was done about it, or what a document task has brought."""
    wanted = run.strip().lower()
    if _JUDGED.fullmatch(wanted) is None:
        with house(desk) as home:
            seen = look(home, run_meant(home, run))
        _answer(seen, desk, as_json=as_json)
        return
    with house(desk) as home, home.app.store.read() as tx:
        found = home.app.doing.run(tx, wanted)
        powers, turns = transcript.powers(tx, found.id), transcript.turns(tx, found.id)
        zone = find_zone(tasks.get(tx, found.task_id).zone)
    lines = [*run_lines(found, zone, desk.clock.now()), *agent_words.turn_lines(powers, turns)]
    shape = household_wire.of_run(found, zone) | agent_words.of_turns(powers, turns, zone)
    desk.answer(shape, lines, as_json=as_json)


@runs.command(name="watch")
def watch(
    run: DocumentRun,
    /,
    *,
    seconds: Annotated[int, Parameter(name="--seconds")] = LONGEST,
    as_json: Json = False,
    desk: AtDesk,
) -> int:
    """Follow a run of a document task until it ends; the exit code is 0 when it was a success, else 1."""
    within("--seconds", seconds, 1, LONGEST)
    with house(desk) as home:
        seen = look(home, run_meant(home, run))
        if seen.run.state.open and not as_json:
            desk.say(*home.document_notes())
        tell = (lambda _: None) if as_json else desk.say
        seen = follow(home, seen, tell, seconds)
    if seen.run.state.open and not as_json:
        desk.say(wording("city.watch_still", run=seen.run.id, seconds=seconds))
    else:
        _answer(seen, desk, as_json=as_json)
    return 0 if seen.run.state is RunState.SUCCESS else 1


@runs.command(name="cancel")
def cancel(run: DocumentRun, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Call off a run of a document task: one that waits at once, one that runs as soon as it lets go."""
    with house(desk) as home:
        ended = home.app.documents.cancel(run_meant(home, run), who=WHO)
        owner = owner_of(home.app, ended.task_id)
    lines = [document_words.called_off_line(ended)]
    desk.answer(document_wire.of_run(ended, None, owner.zone), lines, as_json=as_json)


def _answer(seen: Seen, desk: Desk, *, as_json: bool) -> None:
    shape = document_wire.of_run(seen.run, seen.folder, seen.zone, seen=seen.files)
    lines = document_words.run_lines(seen.run, seen.zone, title=seen.title, seen=seen.files)
    desk.answer(shape, lines, as_json=as_json)


def _document_lines(run: Run, owner: Owner) -> list[str]:
    return [f"{owner.title} · {document_words.run_text(run, owner.zone)}"]
