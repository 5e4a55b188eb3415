"""home watched, verdict, verdicts: what the eyes of this home have to judge, and what they say."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Literal

from cyclopts import Parameter

from zhixing.faces import perception_wire, wire
from zhixing.faces.cli.awaiting import LONGEST, answer_lines, await_answers
from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import House, house
from zhixing.faces.cli.lock import is_served
from zhixing.faces.cli.options import AtDesk, Json, within
from zhixing.faces.cli.options import ago as read_ago
from zhixing.faces.cli.pages import INDENT
from zhixing.faces.cli.recordings import recorded
from zhixing.faces.rule_words import single_line
from zhixing.faces.wire import Wire
from zhixing.household.sight import source_of
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import parse_instant
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.tasks.rules import store as rules
from zhixing.world.perception.reading import read_verdict

Says = Literal["true", "false", "unknown"]
At = Annotated[str | None, Parameter(name="--at")]
Ago = Annotated[str | None, Parameter(name="--ago")]
Reason = Annotated[str, Parameter(name="--reason")]
Firm = Annotated[bool, Parameter(name="--firm", negative=())]
Lasting = Annotated[bool, Parameter(name="--lasting", negative=())]
Wait = Annotated[int, Parameter(name="--wait")]
Event = Annotated[str | None, Parameter(name="--event")]

_VALUES = {"true": True, "false": False, "unknown": None}
_RULE = re.compile(r"r[0-9]{1,18}")


def watched(*, as_json: Json = False, desk: AtDesk) -> None:
    """Show what has to be judged now, by which eyes, for which rules."""
    with house(desk) as home:
        with home.app.store.read() as tx:
            asked = home.app.rules.asked(tx)
        names = {camera.did: camera.name for camera in home.app.hub.cameras()}
    if as_json:
        desk.give({"conditions": [perception_wire.of_asked(one) for one in asked]})
        return
    for one in asked:
        desk.say(single_line(one.query))
        where = wording("faces.and").join(names.get(source, source) for source in one.sources)
        where = where or wording("faces.rule_everywhere")
        desk.say(INDENT + wording("faces.asked", where=where, rules=wording("faces.and").join(one.rule_ids)))
    if not asked:
        desk.say(wording("faces.asked_nothing"))


def verdict(
    source: str,
    condition: str,
    says: Says,
    /,
    *,
    at: At = None,
    ago: Ago = None,
    reason: Reason = "",
    firm: Firm = False,
    lasting: Lasting = False,
    event: Event = None,
    wait: Wait = 0,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Give one verdict, as a camera or a sensor would."""
    within("--wait", wait, 0, LONGEST)
    began = desk.clock.now()
    when = _instant(at, ago, began)
    with house(desk) as home:
        said = {
            "source": source_of(home.app.hub, source),
            "condition": _query_of(condition, home),
            "value": _VALUES[says],
            "at": when.isoformat(),
            "reason": reason,
            "firm": firm,
            "lasting": lasting,
            **({} if event is None else {"event": event}),
        }
        given = read_verdict(said)
        counts = perception_wire.of_counts(perception_wire.take(home.app.rules, [given]))
        if as_json and not wait:
            desk.give(counts)
            return
        if not as_json:
            _tell(counts, home, desk)
        waits = wait > 0 and is_served(home.home)
        found = await_answers(home, given.query, began, wait) if waits else []
        if as_json:
            zone = find_zone(home.app.zone.name)
            desk.give({**counts, "answers": [wire.of_occurrence(one, zone) for one in found]})
        else:
            desk.say(*answer_lines(home, found))


def verdicts(file: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Replay a file of verdicts into the running home."""
    given = recorded(file, desk)
    with house(desk) as home:
        counts = perception_wire.of_counts(perception_wire.take(home.app.rules, given))
        if as_json:
            desk.give(counts)
        else:
            _tell(counts, home, desk)


def _tell(counts: Wire, home: House, desk: Desk) -> None:
    desk.say(wording("faces.taken", count=counts["taken"], fired=counts["fired"]))
    for name in ("unheard", "stale", "future"):
        if counts[name]:
            desk.say(INDENT + wording(f"faces.taken_{name}", count=counts[name]))
    if counts["fired"]:
        desk.say(*home.household_notes())


def _instant(at: str | None, ago: str | None, now: datetime) -> datetime:
    if at is not None and ago is not None:
        raise BadInput("at_or_ago")
    if at is not None:
        return parse_instant(at)
    if ago is None:
        return now
    return now - read_ago(ago)


def _query_of(condition: str, home: House) -> str:
    """Return the condition; the id of a rule stands for what it watches."""
    if _RULE.fullmatch(condition) is None:
        return condition
    with home.app.store.read() as tx:
        return rules.get(tx, condition).plan.trigger.query
