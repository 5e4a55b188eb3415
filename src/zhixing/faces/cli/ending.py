"""done, restore, delete: the end of a task or of one of its times, and taking it back."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from zhixing.app import App
from zhixing.faces import wire
from zhixing.faces.cli.desk import WHO
from zhixing.faces.cli.house import house
from zhixing.faces.cli.options import AtDesk, Json, task_id
from zhixing.faces.cli.pages import coming_lines, heading, notice_page
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.notices.telling import moment_text
from zhixing.tasks.task import Task, Way

Once = Annotated[bool, Parameter(name="--once", negative=())]


def done(task: str, /, *, once: Once = False, as_json: Json = False, desk: AtDesk) -> None:
    """Mark a task done, or one time of what repeats."""
    with house(desk) as home:
        app = home.app
        if once:
            notice, due = app.repeating.done_once(task_id(task), who=WHO)
            zone = find_zone(notice.task.zone)
            when = moment_text(due, desk.clock.now().astimezone(zone).date(), zone)
            lines = [wording("cli.done_once", task=heading(notice.task), when=when)]
            desk.answer(wire.of_notice(notice), [*lines, *coming_lines(notice, desk.clock.now())], as_json=as_json)
            return
        with app.store.write() as tx:
            ended = app.tasks.complete(tx, task_id(task), who=WHO)
        desk.answer(_wire(app, ended), [wording("cli.completed", task=heading(ended))], as_json=as_json)


def delete(task: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Remove a task from sight; it can be restored."""
    with house(desk) as home:
        app = home.app
        with app.store.write() as tx:
            gone = app.tasks.delete(tx, task_id(task), who=WHO)
        lines = [wording("cli.deleted", task=heading(gone), id=gone.id)]
        desk.answer(_wire(app, gone), lines, as_json=as_json)


def restore(task: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Take back that a task was completed or deleted."""
    with house(desk) as home:
        app = home.app
        with app.store.write() as tx:
            back = app.tasks.restore(tx, task_id(task), who=WHO)
        lines = [wording("cli.restored", task=heading(back))]
        if back.way is Way.NOTICE:
            notice = app.notices.get(back.id)
            lines.extend(notice_page(notice, desk.clock.now())[1:])
            if notice.planned:
                lines.extend(home.notes())
        desk.answer(_wire(app, back), lines, as_json=as_json)


def _wire(app: App, task: Task) -> wire.Wire:
    return wire.of_notice(app.notices.get(task.id)) if task.way is Way.NOTICE else wire.of_task(task)
