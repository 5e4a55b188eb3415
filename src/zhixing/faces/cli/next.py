"""next: what a time rule means, and when it comes."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from cyclopts import Parameter

from zhixing.faces.cli.options import AtDesk, Json, Words, Zone, within, zone_name
from zhixing.kernel.moments import iso, parse_instant
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.tasks.schedule.expression import parse_expression, write_expression
from zhixing.tasks.schedule.next import upcoming
from zhixing.tasks.schedule.words import in_words

MOST = 1_000

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
    trigger = parse_expression(" ".join(expression), tz)
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


def _local(at: datetime) -> str:
    weekday = wording(f"tasks.weekday_{at.isoweekday() % 7}")
    return f"  {at:%Y-%m-%d} {weekday} {at:%H:%M:%S}"
