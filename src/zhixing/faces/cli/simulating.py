"""simulate: what a task would do, without anything being changed."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from cyclopts import Parameter

from zhixing.faces import simulation_wire
from zhixing.faces.cli.house import house
from zhixing.faces.cli.options import AtDesk, Json, within
from zhixing.faces.cli.pages import INDENT, heading
from zhixing.faces.cli.recordings import recorded
from zhixing.faces.cli.simulation_pages import event_row
from zhixing.faces.cli.usage import Usage
from zhixing.faces.household_words import record_lines
from zhixing.faces.rehearsing import LONGEST, rehearse
from zhixing.faces.rule_words import exact_text
from zhixing.kernel.moments import parse_instant
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording

Verdicts = Annotated[str | None, Parameter(name="--verdicts")]
ForDays = Annotated[int | None, Parameter(name="--days")]
Until = Annotated[str | None, Parameter(name="--until")]


def simulate(
    task: str,
    /,
    *,
    verdicts: Verdicts = None,
    days: ForDays = None,
    until: Until = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Say what a household task would do about recorded verdicts, or in the days to come."""
    if verdicts is None and days is None and until is None:
        raise Usage("usage_simulate")
    if days is not None and until is not None:
        raise Usage("usage_days_or_until")
    span = None if days is None else timedelta(days=within("--days", days, 1, LONGEST.days))
    end = None if until is None else parse_instant(until)
    given = [] if verdicts is None else recorded(verdicts, desk)
    with house(desk) as home:
        with home.app.store.read() as tx:
            known = home.task_id(tx, task)
        simulated = rehearse(home.app, home.configuration, known, given, span=span, end=end)
        names = home.names()
    if as_json:
        desk.give(simulation_wire.of_simulation(simulated))
        return
    zone = find_zone(simulated.task.zone)
    first, last = exact_text(simulated.start, zone), exact_text(simulated.end, zone)
    desk.say(wording("faces.sim_span", task=heading(simulated.task), start=first, end=last))
    names |= simulated.names
    desk.lay_out([event_row(event, names, zone) for event in simulated.events])
    if not simulated.events:
        desk.say(wording("faces.sim_nothing"))
    if given and simulated.unheard == len(given):
        desk.say(wording("faces.sim_unheard"))
    if simulated.record is not None:
        desk.say(*(INDENT + line for line in record_lines(simulated.record, simulated.end)))
