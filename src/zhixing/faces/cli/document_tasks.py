"""task new, list, show, run, validate: tasks in files, for people. Programs have `city task`, which can do more.

Without `--dir` it is the present folder if it has tasks, else the home's own.
"""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import App, Parameter

from zhixing.documents.model import Definition, Kind, Manual, Standing
from zhixing.documents.templates import template
from zhixing.documents.when import MANUAL, read_when
from zhixing.faces.city import running, tasks
from zhixing.faces.city.fields import SESSION, named
from zhixing.faces.city.here import Answer, Here, changing
from zhixing.faces.cli.desk import WHO, Desk
from zhixing.faces.cli.house import house
from zhixing.faces.cli.options import AtDesk, Json
from zhixing.faces.cli.projects import project_here
from zhixing.faces.document_wire import of_document
from zhixing.faces.document_words import task_rows
from zhixing.kernel.errors import Conflict
from zhixing.kernel.wording import wording

INBOX = "inbox"
"""The session of tasks that name none: it is bound to no channel, so that the inbox has the results."""

task = App(name="task", help_flags=(), version_flags=())

Title = Annotated[str, Parameter(name="TITLE")]
Dir = Annotated[str | None, Parameter(name="--dir")]
KindOf = Annotated[Literal["agent", "script"], Parameter(name="--kind")]
WhenOf = Annotated[str, Parameter(name="--when")]
Maybe = Annotated[str | None, Parameter(negative=())]


@task.command(name="new")
def new(
    title: Title,
    /,
    *,
    kind: KindOf = "agent",
    when: WhenOf = MANUAL,
    session: Annotated[str | None, Parameter(name="--session")] = None,
    description: Annotated[str | None, Parameter(name="--description")] = None,
    dir_: Dir = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Make a task with the document's template for its body; one that is due by itself waits until it is enabled."""
    wanted, read = Kind(kind), named("--when", read_when, when)
    status = Standing.ENABLED if isinstance(read, Manual) else Standing.PAUSED
    definition = Definition(
        title=title,
        description=title if description is None else description,
        when=read,
        session_id=session or desk.env.get(SESSION) or INBOX,
        body=template(wanted),
        status=status,
        kind=wanted,
    )
    with changing(_here(desk, dir_)) as project:
        made = project.documents.create(project.path, definition, who=WHO)
    if made.reused:
        raise Conflict("document_title_taken", title=made.view.title, folder=made.view.folder)
    lines = [wording("city.template_made", title=title, file=made.view.file)]
    if status is Standing.PAUSED:
        lines.append(wording("city.template_paused", title=title))
    lines.append(wording("city.template_next", title=title))
    desk.answer(of_document(made.view), lines, as_json=as_json)


@task.command(name="list")
def list_(
    *,
    every: Annotated[bool, Parameter(name="--all", negative=())] = False,
    dir_: Dir = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """List tasks: those of one project, or all."""
    if not every:
        _give(tasks.list_(here=_here(desk, dir_)), desk, as_json=as_json)
        return
    with house(desk) as home:
        documents = home.app.documents
        found = [(project, documents.tasks_of(project)) for project in documents.projects()]
    if as_json:
        desk.give({"tasks": [of_document(view) for _, views in found for view in views]})
        return
    for project, views in found:
        desk.say(str(project))
        desk.lay_out([["  " + row[0], *row[1:]] for row in task_rows(views)])


@task.command(name="show")
def show(title: Title, /, *, dir_: Dir = None, as_json: Json = False, desk: AtDesk) -> None:
    """Show a task: how it stands, when it runs next, and the text of its file."""
    _give(tasks.show(title, here=_here(desk, dir_)), desk, as_json=as_json)


@task.command(name="run")
def run(
    title: Title,
    /,
    *,
    reason: Annotated[str, Parameter(name="--reason")] = "",
    queue: Annotated[bool, Parameter(name="--queue", negative=())] = False,
    dir_: Dir = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Run a task in the background, now."""
    answer = running.run(title, reason=reason, queue=queue, here=_here(desk, dir_))
    line = wording("city.watch_hint", run=answer.data["executionId"])
    _give(Answer(answer.data, [*answer.lines, line]), desk, as_json=as_json)


@task.command(name="validate")
def validate(
    title: Annotated[str | None, Parameter(name="TITLE")] = None,
    /,
    *,
    file: Annotated[str | None, Parameter(name="--file")] = None,
    dir_: Dir = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Check a task.md: what makes it unusable is an error, what is worth a warning is listed."""
    _give(tasks.validate(title, file=file, here=_here(desk, dir_)), desk, as_json=as_json)


def _here(desk: Desk, wanted: str | None) -> Here:
    return Here(desk, project_here(wanted))


def _give(answer: Answer, desk: Desk, *, as_json: bool) -> None:
    if as_json:
        desk.give(answer.data)
    else:
        answer.tell(desk)
