"""task run, runs, cancel, logs: what is in the background, and what became of it."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from zhixing.documents.artifacts.folders import read_run_id
from zhixing.documents.artifacts.reading import read_run
from zhixing.documents.ledger import LARGEST_PAGE
from zhixing.documents.run import Run
from zhixing.faces.city.fields import Flag, Text, Title, plain
from zhixing.faces.city.here import Answer, AtHere, Project, Wire, changing, looking
from zhixing.faces.city.tails import LOGS, Tail, tail_of
from zhixing.faces.city.tasks import view_of
from zhixing.faces.cli.desk import WHO
from zhixing.faces.cli.options import Limit, within
from zhixing.faces.cli.projects import titled
from zhixing.faces.document_wire import of_accepted, of_run
from zhixing.faces.document_words import accepted_line, called_off_line, run_lines, run_text
from zhixing.kernel.errors import Conflict, NotFound
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording

MOST_LINES = 2_000
"""Lines of one log that are shown."""

Execution = Annotated[str, Parameter(name="EXECUTION_ID")]
Lines = Annotated[int, Parameter(name="--lines")]


def run(title: Title, /, *, reason: Text = "", queue: Flag = False, here: AtHere) -> Answer:
    """Have a task run in the background, whatever its status; its result is sent by itself."""
    name = plain(title)
    with changing(here) as project, titled(project.documents, project.path, name):
        accepted = project.documents.run(project.path, name, who=WHO, reason=reason, queue=queue)
        notes = project.house.document_notes()
    return Answer({**of_accepted(accepted), "notes": notes}, [accepted_line(accepted), *notes])


def runs(title: Title, /, *, limit: Limit = 20, here: AtHere) -> Answer:
    """List the runs of a task, the newest first."""
    within("--limit", limit, 1, LARGEST_PAGE)
    with looking(here) as project:
        view = view_of(project, title)
        found = [] if view.task_id is None else project.documents.runs(task_id=view.task_id, limit=limit)
        folders = [project.documents.run_folder(each) for each in found]
    zone = find_zone(view.zone)
    shapes = [of_run(each, folder, zone) for each, folder in zip(found, folders, strict=True)]
    lines = [run_text(each, zone) for each in found] or [wording("city.never_ran", title=view.title)]
    return Answer({"success": True, "title": view.title, "zone": view.zone, "runs": shapes}, lines)


def cancel(which: Annotated[str, Parameter(name="EXECUTION_ID|TITLE")], /, *, here: AtHere) -> Answer:
    """Call off a run, or all runs of a task that are not over."""
    with looking(here) as project:
        wanted = _open_runs(project, plain(which).strip())
        called_off = [project.documents.cancel(each.id, who=WHO) for each in wanted]
    shapes = [of_run(each, None, project.zone) for each in called_off]
    lines = [called_off_line(each) for each in called_off]
    return Answer({"success": True, "message": "".join(lines), "runs": shapes}, lines)


def logs(execution: Execution, /, *, lines: Lines = 100, here: AtHere) -> Answer:
    """Show the ends of what a run has written: standard output, standard error, the record of an agent."""
    within("--lines", lines, 1, MOST_LINES)
    with looking(here) as project:
        found = project.documents.find_run(plain(execution).strip())
        folder = project.documents.run_folder(found)
        view = project.documents.of_task(found.task_id)
    zone, seen = find_zone(view.zone), read_run(folder) if folder.is_dir() else None
    tails = [] if seen is None else [tail_of(folder, name, lines) for name in LOGS if seen.has(name)]
    data = {"success": True, "run": of_run(found, folder, zone, seen=seen), "logs": [_tail(tail) for tail in tails]}
    text = run_lines(found, zone, title=view.title, seen=seen)
    for tail in tails:
        text += ["", wording("city.log_cut" if tail.cut else "city.log", name=tail.name, size=tail.size)]
        text += list(tail.lines)
    return Answer(data, text if tails else [*text, wording("city.no_logs")])


def _open_runs(project: Project, which: str) -> list[Run]:
    """Return the run of that id, else the runs of the task of that title that are not over."""
    if read_run_id(which) is not None:
        try:
            return [project.documents.find_run(which)]
        except NotFound:
            # A title may look like an id.
            if not any(view.title == which for view in project.documents.tasks_of(project.path)):
                raise
    view = view_of(project, which)
    going = [each for each in (view.active, *view.waiting) if each is not None]
    if not going:
        raise Conflict("city_not_running", title=view.title)
    return going


def _tail(tail: Tail) -> Wire:
    return {"name": tail.name, "bytes": tail.size, "cut": tail.cut, "lines": list(tail.lines)}
