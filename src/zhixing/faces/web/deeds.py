"""What can be done to a task of any way by a button: each in one transaction."""

from __future__ import annotations

from collections.abc import Callable

from zhixing.app import App
from zhixing.household import registry
from zhixing.kernel.errors import BadInput, NotFound
from zhixing.store.connection import Tx

WHO = "page"
"""Who the journal says it was."""

Deed = Callable[[App, str], object]


def do(app: App, task_id: str, deed: str) -> str:
    """Do one of `DEEDS` to a task, and return its id; raises `NotFound` for any other name."""
    what = DEEDS.get(deed)
    if what is None:
        raise NotFound("route_unknown", path=deed[:64])
    what(app, task_id)
    return task_id


def _in_one(deed: Callable[[App, Tx, str], object]) -> Deed:
    def done(app: App, task_id: str) -> None:
        with app.store.write() as tx:
            deed(app, tx, task_id)

    return done


def _undo(app: App, task_id: str) -> None:
    with app.store.read() as tx:
        slug = registry.slug_of(tx, task_id)
    if slug is None:
        raise BadInput("task_not_household", id=task_id[:64])
    app.household.undo(slug, who=WHO)


DEEDS: dict[str, Deed] = {
    "done": _in_one(lambda app, tx, task_id: app.tasks.complete(tx, task_id, who=WHO)),
    "restore": _in_one(lambda app, tx, task_id: app.tasks.restore(tx, task_id, who=WHO)),
    "delete": _in_one(lambda app, tx, task_id: app.tasks.delete(tx, task_id, who=WHO)),
    "pause": _in_one(lambda app, tx, task_id: app.tasks.pause(tx, task_id, who=WHO)),
    "resume": _in_one(lambda app, tx, task_id: app.tasks.resume(tx, task_id, who=WHO)),
    "undo": _undo,
}
"""By name."""
