"""time-compute: the instant that an anchor means, bare on standard output, for `$(…)`."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from zhixing.faces.cli.options import AtDesk, zone_name
from zhixing.faces.miloco.envelope import Refusal, Text
from zhixing.faces.miloco.usage import Unreachable
from zhixing.household import anchors
from zhixing.kernel.errors import BadInput, ZhixingError
from zhixing.kernel.moments import iso
from zhixing.kernel.moments import zone as find_zone


def time_compute(
    *,
    anchor: Annotated[str, Parameter(name="--anchor")],
    now: Annotated[str | None, Parameter(name="--now")] = None,
    desk: AtDesk,
) -> Text | Refusal:
    """Print the instant in the home's zone."""
    try:
        tz = find_zone(zone_name(None, desk))
    except ZhixingError as error:
        raise Unreachable(error.key, **error.values) from error
    try:
        wanted = anchors.read_anchor(anchor)
        start = desk.clock.now() if now is None else anchors.read_now(now, tz)
        return Text((iso(anchors.compute(wanted, start, tz), tz),))
    except BadInput as error:
        return Refusal(f"error: {error.key} {error}")
