"""inbox: what was told, until it is put away."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from zhixing.faces import wire
from zhixing.faces.cli.house import house
from zhixing.faces.cli.options import AtDesk, Json, Limit, within
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.notices.telling import moment_text
from zhixing.tasks import store as tasks

LARGEST_PAGE = 500

After = Annotated[str | None, Parameter(name="--after")]
Dismiss = Annotated[str | None, Parameter(name="--dismiss")]


def inbox(
    *, after: After = None, dismiss: Dismiss = None, limit: Limit = 50, as_json: Json = False, desk: AtDesk
) -> None:
    """Show what was told; or put one message away, which completes nothing."""
    within("--limit", limit, 1, LARGEST_PAGE)
    with house(desk) as home:
        app, now = home.app, desk.clock.now()
        if dismiss is not None:
            with app.store.write() as tx:
                gone = app.delivery.dismiss(tx, dismiss.strip().lower())
                zone = find_zone(tasks.get(tx, gone.task_id).zone)
            lines = [wording("cli.dismissed", id=gone.id, task=gone.task_id)]
            desk.answer(wire.of_message(gone, zone), lines, as_json=as_json)
            return
        with app.store.read() as tx:
            messages = app.delivery.inbox(tx, None if after is None else after.strip().lower(), limit)
            zones = {one.task_id: find_zone(tasks.get(tx, one.task_id).zone) for one in messages}
    if as_json:
        written = [wire.of_message(one, zones[one.task_id]) for one in messages]
        desk.give({"messages": written, "last": messages[-1].id if messages else after})
        return
    rows = []
    for one in messages:
        zone = zones[one.task_id]
        told = moment_text(one.told_at, now.astimezone(zone).date(), zone)
        rows.append([one.id, told, one.task_id, one.text])
    desk.lay_out(rows)
    if not rows:
        desk.say(wording("cli.inbox_empty"))
