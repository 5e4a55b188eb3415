"""done, restore, delete: the end of a task or of one of its times, and taking it back."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from zhixing.faces import wire
from zhixing.faces.cli.desk import WHO
from zhixing.faces.cli.house import house
from zhixing.faces.cli.household_pages import task_page
from zhixing.faces.cli.household_tasks import follow_notes, see, task_wire
from zhixing.faces.cli.options import AtDesk, Json
from zhixing.faces.cli.pages import coming_lines, heading, notice_page
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.notices.telling import moment_text
from zhixing.tasks.task import Way

Once = Annotated[bool, Parameter(name="--once", negative=())]


def done(task: str, /, *, once: Once = False, as_json: Json = False, desk: AtDesk) -> None:
    """Mark a task done, or one time of what repeats."""
    with house(desk) as home:
        app = home.app
        if once:
            with app.store.read() as tx:
                known = home.task_id(tx, task)
            notice, due = app.repeating.done_once(known, who=WHO)
            zone = find_zone(notice.task.zone)
            when = moment_text(due, desk.clock.now().astimezone(zone).date(), zone)
            lines = [wording("cli.done_once", task=heading(notice.task), when=when)]
            desk.answer(wire.of_notice(notice), [*lines, *coming_lines(notice, desk.clock.now())], as_json=as_json)
            return
        with app.store.write() as tx:
            ended = app.tasks.complete(tx, home.task_id(tx, task), who=WHO)
        lines = [wording("cli.completed", task=heading(ended)), *follow_notes(home, ended)]
        desk.answer(task_wire(home, ended), lines, as_json=as_json)


def delete(task: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Remove a task from sight; it can be restored."""
    with house(desk) as home:
        app = home.app
        with app.store.write() as tx:
            gone = app.tasks.delete(tx, home.task_id(tx, task), who=WHO)
        key = "deleted_for_good" if gone.way is Way.GOAL else "deleted"
        lines = [wording(f"cli.{key}", task=heading(gone), id=gone.id), *follow_notes(home, gone)]
        desk.answer(task_wire(home, gone), lines, as_json=as_json)


def restore(task: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Take back that a task was completed or deleted."""
    with house(desk) as home:
        app = home.app
        with app.store.write() as tx:
            back = app.tasks.restore(tx, home.task_id(tx, task), who=WHO)
        lines = [wording("cli.restored", task=heading(back)), *follow_notes(home, back)]
        if back.way is Way.NOTICE:
            notice = app.notices.get(back.id)
            lines.extend(notice_page(notice, desk.clock.now())[1:])
            if notice.planned:
                lines.extend(home.notes())
        elif back.way is Way.HOUSEHOLD:
            lines.extend(task_page(see(home, back.id), home.names(), desk.clock.now())[1:])
        desk.answer(task_wire(home, back), lines, as_json=as_json)
