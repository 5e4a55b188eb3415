"""task record init, get, compute, archive list, update: what is recorded for a task.

Source: miloco.md §2.3, §4.2, §4.6, §4.7.
"""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from zhixing.app import App
from zhixing.faces.cli.desk import WHO
from zhixing.faces.cli.options import AtDesk
from zhixing.faces.miloco.addressing import outward, task_named
from zhixing.faces.miloco.envelope import Wire
from zhixing.faces.miloco.house import backend
from zhixing.faces.miloco.options import RecordKind, Text, json_object, plain, unquoted
from zhixing.faces.miloco.tasks import Task, slug_in
from zhixing.faces.miloco.usage import Usage

Window = Annotated[Literal["all", "day", "week", "month"] | None, Parameter(name="--window", negative=())]
Day = Annotated[str | None, Parameter(name="--date", negative=())]
From = Annotated[str | None, Parameter(name="--from", negative=())]
To = Annotated[str | None, Parameter(name="--to", negative=())]


def init(task: Task, /, *, kind: RecordKind, content: Text, desk: AtDesk) -> Wire:
    """Give a task a record; return it."""
    fields = json_object(content, "--content")
    with backend(desk) as app:
        slug = slug_in(app, task)
        app.household.init_record(slug, kind, fields, who=WHO)
        return _shape(app, slug)


def get(task: Task, /, *, desk: AtDesk) -> Wire:
    """Return the record as it stands."""
    with backend(desk) as app:
        return _shape(app, slug_in(app, task))


def compute(
    task: Task, /, *, window: Window = None, date: Day = None, from_: From = None, to: To = None, desk: AtDesk
) -> Wire:
    """Add up a window, a day, or a range of days."""
    if (from_ is None) != (to is None):
        raise Usage("record_range_half")
    if sum((window is not None, date is not None, from_ is not None)) > 1:
        raise Usage("record_ask_mixed")
    day, first, last = (None if each is None else unquoted(each) for each in (date, from_, to))
    with backend(desk) as app, app.store.read() as tx:
        task_id = task_named(tx, plain(task))
        found: Wire = outward(app.records.compute(tx, task_id, window=window, day=day, first=first, last=last), {})
        return found


def archives(task: Task, /, *, desk: AtDesk) -> Wire:
    """Return the periods that are over."""
    with backend(desk) as app, app.store.read() as tx:
        task_id = task_named(tx, plain(task))
        found: Wire = outward(app.records.archives(tx, task_id), {})
        return found


def update(task: Task, /, *, patch: Text, desk: AtDesk) -> Wire:
    """Change the content of the record; return it."""
    fields = json_object(patch, "--patch")
    with backend(desk) as app:
        slug = slug_in(app, task)
        app.household.update(slug, who=WHO, record=fields)
        return _shape(app, slug)


def _shape(app: App, slug: str) -> Wire:
    with app.store.read() as tx:
        task_id = task_named(tx, slug)
        shape: Wire = outward(app.records.get(tx, task_id).shape(), {task_id: slug})
        return shape
