"""next: what a time rule means, and when it comes."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated

from cyclopts import Parameter

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.options import AtDesk, Json, Words, Zone, within, zone_name
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import iso, parse_instant
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.tasks.schedule.expression import parse_expression, write_expression
from zhixing.tasks.schedule.next import upcoming
from zhixing.tasks.schedule.words import in_words

MOST = 1_000
FURTHEST = timedelta(days=3_660)
"""How far ahead a task is looked at."""

After = Annotated[str | None, Parameter(name="--after")]
Count = Annotated[int, Parameter(name=["--count", "-n"])]


def next_(
    *expression: Words,
    zone: Zone = None,
    after: After = None,
    count: Count = 5,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Say what a time rule means, and its next instants."""
    within("-n", count, 1, MOST)
    tz = find_zone(zone_name(zone, desk))
    start = desk.clock.now() if after is None else parse_instant(after)
    try:
        trigger = parse_expression(" ".join(expression), tz)
    except BadInput as error:
        told = error.key == "expression_unreadable" and _tell_task(
            " ".join(expression), start, count, desk, as_json=as_json
        )
        if not told:
            raise
        return
    found = upcoming(trigger, tz, start, count)
    if as_json:
        wire = {
            "expression": write_expression(trigger),
            "zone": tz.key,
            "reading": in_words(trigger),
            "after": iso(start, tz),
            "next": [iso(at, tz) for at in found],
        }
        desk.give(wire)
        return
    desk.say(wording("cli.next_reading", reading=in_words(trigger), zone=tz.key))
    desk.lay_out([[_local(at.astimezone(tz)), iso(at, tz)] for at in found])
    if len(found) < count:
        desk.say(wording("cli.next_no_more" if found else "cli.next_never"))


def _tell_task(written: str, after: datetime, count: int, desk: Desk, *, as_json: bool) -> bool:
    """List the next instants of a task, where that is what was written; return whether it was."""
    from zhixing.faces.cli.coming import coming_of  # noqa: PLC0415 - half a second, and often not needed
    from zhixing.faces.cli.house import house  # noqa: PLC0415 - as above
    from zhixing.faces.cli.pages import heading  # noqa: PLC0415 - as above
    from zhixing.settings.place import home_folder  # noqa: PLC0415 - as above
    from zhixing.tasks import store as tasks  # noqa: PLC0415 - as above

    if not home_folder(desk.env).exists():
        return False
    with house(desk) as home:
        with home.app.store.read() as tx:
            task = tasks.find(tx, home.task_id(tx, written))
        if task is None:
            return False
        tz = find_zone(task.zone)
        coming = [one for one in coming_of(home, task, after + FURTHEST) if one.at > after][:count]
    if as_json:
        instants = [iso(one.at, tz) for one in coming]
        desk.give({"task": task.id, "zone": task.zone, "after": iso(after, tz), "next": instants})
        return True
    desk.say(heading(task))
    desk.lay_out([[_local(one.at.astimezone(tz)), one.says] for one in coming])
    if not coming:
        desk.say(wording("cli.next_never"))
    return True


def _local(at: datetime) -> str:
    weekday = wording(f"tasks.weekday_{at.isoweekday() % 7}")
    return f"  {at:%Y-%m-%d} {weekday} {at:%H:%M:%S}"
