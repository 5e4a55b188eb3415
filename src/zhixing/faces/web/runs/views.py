"""What the pages of runs show: read in one go, worded, and cut to what a person can take in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args
from urllib.parse import urlencode

from zhixing.app import App
from zhixing.documents.artifacts.names import ERROR, OUTPUT, RESULT
from zhixing.documents.artifacts.views import RunView
from zhixing.documents.files import digest_of
from zhixing.documents.operations import DocumentView
from zhixing.documents.reading import read_definition
from zhixing.documents.run import Run, RunState
from zhixing.documents.when import next_runs, when_words
from zhixing.faces import agent_words, document_words
from zhixing.faces.document_access import remarks
from zhixing.faces.document_runs import Owner, artifact_of, find_run, owner_of, owners_of, seen_in, storable
from zhixing.faces.household_words import run_lines
from zhixing.faces.rule_words import single_line
from zhixing.household.agent import transcript
from zhixing.household.doing.model import AgentRun
from zhixing.household.doing.model import RunState as JudgedState
from zhixing.kernel.errors import ZhixingError
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import Language, wording
from zhixing.tasks import store as tasks

PAGE = 50
"""Runs of one page."""
MOST_TASKS = 100
"""Task files that are listed."""
MOST_SHOWN = 20_000
"""Characters of a file that are shown."""
_FOR_PEOPLE = (RESULT, OUTPUT, ERROR)
"""Files of a run that say what came of it; the first that is there is shown."""

Which = Literal["all", "open", "done", "failed"]
_JUDGED = re.compile(r"h[0-9]{1,18}", re.ASCII)
_DOCUMENT: dict[Which, frozenset[RunState]] = {
    "open": frozenset(state for state in RunState if state.open),
    "done": frozenset({RunState.SUCCESS}),
    "failed": frozenset({RunState.FAILURE, RunState.CANCELLED, RunState.INTERRUPTED}),
}
_AGENT: dict[Which, tuple[JudgedState, ...]] = {
    "all": (),
    "open": (JudgedState.WAITING, JudgedState.RUNNING),
    "done": (JudgedState.DONE,),
    "failed": (JudgedState.FAILED, JudgedState.EXPIRED),
}
_KINDS = {RunState.SUCCESS: "good", RunState.FAILURE: "bad", RunState.INTERRUPTED: "bad", RunState.RUNNING: "warm"}


@dataclass(frozen=True, slots=True)
class Row:
    """A run in the list."""

    id: str
    title: str
    about: str
    state: str
    kind: str
    at: datetime
    """When it came to be."""


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task file in the list; `key` is how it is asked for."""

    key: str
    title: str
    status: str
    kind: str
    about: str


@dataclass(frozen=True, slots=True)
class Overview:
    """All of the first page. `tabs` have a label, an address, and whether it is the open one."""

    rows: tuple[Row, ...]
    tabs: tuple[tuple[str, str, bool], ...]
    tasks: tuple[TaskRow, ...]
    more_tasks: int


@dataclass(frozen=True, slots=True)
class ShownRun:
    """One run. `task` is how its task is asked for, "" where it has no file."""

    id: str
    title: str
    task: str
    state: str
    kind: str
    open: bool
    lines: tuple[str, ...]
    log: tuple[str, ...]
    files: tuple[tuple[str, int], ...]
    result: str


@dataclass(frozen=True, slots=True)
class ShownFile:
    """The beginning of a file of a run."""

    run: str
    name: str
    size: int
    text: str
    cut: bool


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found about a text that is not saved yet: why it cannot be a task, remarks, and when it would run."""

    fault: str
    findings: tuple[str, ...]
    when: str
    following: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownTask:
    """A task file with its text to be edited; `revision` is of the text that is there now."""

    key: str
    title: str
    lines: tuple[str, ...]
    status: str
    text: str
    revision: str
    findings: tuple[str, ...]
    looked: Looked | None


def overview(app: App, which: Which, language: Language) -> Overview:
    """Return the newest runs of both ways, and the task files of all projects."""
    with app.store.read() as tx:
        judged = app.doing.runs(tx, states=_AGENT[which], limit=PAGE)
        zones = {run.task_id: tasks.get(tx, run.task_id) for run in judged}
    page = app.documents.runs(limit=PAGE if which == "all" else 4 * PAGE)
    done = [run for run in page if which == "all" or run.state in _DOCUMENT[which]][:PAGE]
    owners = owners_of(app, done)
    rows = [
        *(_document_row(run, owners[run.task_id]) for run in done),
        *(_judged_row(run, zones[run.task_id].title) for run in judged),
    ]
    views = [view for project in app.documents.projects() for view in app.documents.tasks_of(project)]
    return Overview(
        tuple(sorted(rows, key=lambda row: row.at, reverse=True)[:PAGE]),
        tuple(
            (
                wording(f"web_runs.which_{each}", language),
                f"/runs?{urlencode({'state': each})}" if each != "all" else "/runs",
                each == which,
            )
            for each in get_args(Which)
        ),
        tuple(map(_task_row, views[:MOST_TASKS])),
        max(0, len(views) - MOST_TASKS),
    )


def shown_run(app: App, run_id: str) -> ShownRun:
    """Return one run. Raises `NotFound`."""
    if _JUDGED.fullmatch(run_id):
        return _shown_judged(app, run_id)
    run = find_run(app.documents, run_id)
    owner = owner_of(app, run.task_id)
    seen = seen_in(owner.place_of(run))
    events = () if seen is None or seen.progress is None else seen.progress.events
    return ShownRun(
        run.id,
        storable(single_line(owner.title)),
        "" if owner.folder is None else run.task_id,
        document_words.state_words(run),
        _KINDS.get(run.state, ""),
        run.state.open,
        tuple(map(storable, document_words.run_lines(run, owner.zone))),
        tuple(storable(document_words.event_line(event, owner.zone)) for event in events),
        () if seen is None else tuple((storable(each.name), each.size) for each in seen.artifacts),
        _result(app, run, seen),
    )


def shown_file(app: App, run_id: str, name: str) -> ShownFile:
    """Return a file of a run. Raises `NotFound` and `Unavailable`."""
    found = artifact_of(app.documents, find_run(app.documents, run_id), name)
    cut = found.cut or len(found.text) > MOST_SHOWN
    return ShownFile(run_id, storable(found.name), found.size, storable(found.text[:MOST_SHOWN]), cut)


def shown_task(app: App, view: DocumentView, *, text: str | None = None, looked: Looked | None = None) -> ShownTask:
    """Return a task file; with `text` that is what stands in the field. Raises what reading its file raises."""
    now = app.documents.text(view)
    findings = () if looked is not None else tuple(map(document_words.finding_line, remarks(app.documents, view)))
    return ShownTask(
        key_of(view),
        storable(single_line(view.title)),
        tuple(map(storable, document_words.task_lines(view)[1:])),
        document_words.status_words(view),
        now if text is None else text,
        digest_of(now),
        findings,
        looked,
    )


def look_at(app: App, text: str, language: Language) -> Looked:
    """Say what a text would be as the file of a task; nothing is kept."""
    try:
        findings = app.documents.validate(text)
        definition = read_definition(text)
    except ZhixingError as error:
        return Looked(wording(f"errors.{error.key}", language, **error.values), (), "", ())
    lines = tuple(storable(document_words.finding_line(each)) for each in findings)
    zone = find_zone(definition.timezone or app.zone.name)
    following = next_runs(definition.when, zone, app.clock.now(), 3)
    return Looked("", lines, when_words(definition.when), tuple(document_words.next_lines(following)))


def key_of(view: DocumentView) -> str:
    """Return how a task is asked for: by its number, or by its title where it has none yet."""
    return view.task_id or view.title


def _result(app: App, run: Run, seen: RunView | None) -> str:
    name = None if seen is None else next((each for each in _FOR_PEOPLE if seen.has(each)), None)
    try:
        text = "" if name is None else artifact_of(app.documents, run, name).text
    except ZhixingError:  # it was there a moment ago
        return ""
    found: str = storable(text[:MOST_SHOWN])
    return found


def _document_row(run: Run, owner: Owner) -> Row:
    about = document_words.run_text(run, owner.zone)
    kind = _KINDS.get(run.state, "")
    title = storable(single_line(owner.title))
    return Row(run.id, title, storable(about), document_words.state_words(run), kind, run.queued_at)


def _judged_row(run: AgentRun, title: str) -> Row:
    kind = {JudgedState.DONE: "good", JudgedState.FAILED: "bad", JudgedState.RUNNING: "warm"}.get(run.state, "")
    words = single_line(" ".join(run.prompt.words))
    return Row(run.id, single_line(title), words, wording(f"faces.run_{run.state.value}"), kind, run.created_at)


def _task_row(view: DocumentView) -> TaskRow:
    title, status, kind, when, going = document_words.task_rows([view])[0]
    about = " · ".join(each for each in (when, going) if each != "-")
    kind_of = "bad" if view.fault is not None or view.definition is None else ""
    return TaskRow(key_of(view), storable(single_line(title)), f"{status} · {kind}", kind_of, storable(about))


def _shown_judged(app: App, run_id: str) -> ShownRun:
    with app.store.read() as tx:
        run = app.doing.run(tx, run_id)
        powers, turns = transcript.powers(tx, run.id), transcript.turns(tx, run.id)
        task = tasks.get(tx, run.task_id)
    row = _judged_row(run, task.title)
    lines = run_lines(run, find_zone(task.zone), app.clock.now())
    log = tuple(agent_words.turn_lines(powers, turns))
    return ShownRun(run.id, row.title, "", row.state, row.kind, run.ended_at is None, tuple(lines), log, (), "")
