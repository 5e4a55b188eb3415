"""usage: what asking models cost."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from zhixing.faces import wire
from zhixing.faces.cli.house import house
from zhixing.faces.cli.options import AtDesk, Json, within
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.world.models import counting
from zhixing.world.models.usage import Tally

LONGEST_LOOK = 366

Days = Annotated[int, Parameter(name="--days")]


def usage(*, days: Days = 30, as_json: Json = False, desk: AtDesk) -> None:
    """Show the calls, tokens and cost of the last days, by day and model."""
    within("--days", days, 1, LONGEST_LOOK)
    with house(desk) as home:
        zone = find_zone(home.app.zone.name)
        first = counting.first_day(desk.clock.now(), days, zone)
        with home.app.store.read() as tx:
            spent = counting.since(tx, first)
    if as_json:
        desk.give(wire.of_usage(spent, first, zone.key))
        return
    desk.lay_out([[spot.day.isoformat(), spot.model, *_cells(tally)] for spot, tally in spent])
    if spent:
        counts = wording("cli.separator").join(_cells(counting.total(spent)))
        desk.say(wording("cli.usage_total", days=days, counts=counts))
    else:
        desk.say(wording("cli.usage_nothing", days=days))


def _cells(tally: Tally) -> list[str]:
    tokens = tally.tokens
    cells = [
        wording("cli.usage_calls", calls=tally.calls, failures=tally.failures),
        wording("cli.usage_tokens", read=tokens.read, written=tokens.written),
    ]
    cost = wire.cost_of(tally)
    if cost is None:
        return [*cells, wording("cli.usage_unpriced")]
    key = "cli.usage_cost_partly" if tally.unpriced else "cli.usage_cost"
    return [*cells, wording(key, cost=f"{cost:.4f}", count=tally.unpriced)]
