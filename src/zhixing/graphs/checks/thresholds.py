"""Two thresholds so close that a device is switched to and fro where a measure lies near them (mijia §8 cases 32, 33).

A lamp that is lit below a brightness and put out above the same brightness sees its own light; a heater hunts around a
temperature. Whether the device really moves the measure nobody can read from a rule, and near the threshold it is
switched to and fro even if not: so this is a hint.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zhixing.graphs.checks.finding import Finding
from zhixing.graphs.checks.survey import Survey, card, written
from zhixing.graphs.checks.walks import Budget, Place, commanded, place_of
from zhixing.graphs.rule import Json, Node, is_number, is_whole

_TAKES_TIME = frozenset(
    {"counter", "delay", "eventSequence", "loop", "modeSwitch", "onlyNTimes", "register", "statusLast"}
)
"""Types behind which a command is no longer the answer to each crossing of a threshold."""
_ASKS = _TAKES_TIME | {"condition", "deviceGet", "varGet"}
"""Where both commands ask something first, they may be meant for different times, and nothing is said."""


@dataclass(frozen=True, slots=True)
class _Side:
    """A watched threshold and a command that follows from crossing it; `asks` where something is asked first.

    The comparison holds above `above` and below `below`.
    """

    source: Node
    command: Node
    above: float
    below: float
    asks: bool

    def meets(self, higher: _Side) -> bool:
        """Tell whether another lies higher and begins where this one ends, or before."""
        return self.above < higher.above <= self.below < higher.below


def check_thresholds(survey: Survey) -> Iterator[Finding]:
    """Find opposite thresholds of one property without a gap that write different values to one property."""
    budget = Budget()
    for sides in _sides(survey, budget).values():
        found = _pair(sides, budget)
        if found is not None and not budget.spent:
            low, high = found
            yield survey.info(
                "no_hysteresis",
                low.source,
                target=card(high.source),
                command=card(low.command),
                low=_said(low.source),
                high=_said(high.source),
            )


def _sides(survey: Survey, budget: Budget) -> dict[tuple[Place, Place], list[_Side]]:
    """Return the thresholds by the property that is watched and the one that is written."""
    found: dict[tuple[Place, Place], list[_Side]] = defaultdict(list)
    for source in survey.rule.nodes:
        watched = place_of(source) if source.type == "deviceInput" else None
        if watched is None:
            continue
        bounds = _bounds(source)
        if bounds is None:
            continue
        free = {node.id for _, node in commanded(survey, source, _ASKS, budget)}
        for place, command in commanded(survey, source, _TAKES_TIME, budget):
            if "value" in command.props:
                found[watched, place].append(_Side(source, command, *bounds, command.id not in free))
    return found


def _bounds(node: Node) -> tuple[float, float] | None:
    """Return above and below which number a comparison holds; one of whole numbers as if it were strict."""
    operator = node.props.get("operator")
    low: Json = node.props.get("v1")
    high: Json = node.props.get("v2")
    if not is_number(low):
        return None
    step = 1 if node.props.get("dtype") == "int" and is_whole(low) else 0
    match operator:
        case "<":
            return -math.inf, low
        case "<=":
            return -math.inf, low + step
        case ">":
            return low, math.inf
        case ">=":
            return low - step, math.inf
        case "between" if is_number(high):
            return low - step, high + step
    return None


def _pair(sides: Sequence[_Side], budget: Budget) -> tuple[_Side, _Side] | None:
    """Return the first two that answer each other without a gap, the lower one first."""
    for low in sides:
        for high in sides:
            if not budget.counted():
                return None
            if low.meets(high) and not (low.asks and high.asks) and _value(low) != _value(high):
                return low, high
    return None


def _value(side: _Side) -> tuple[bool, Json]:
    value = side.command.props["value"]
    return isinstance(value, bool), value


def _said(node: Node) -> str:
    """Write a comparison as it stands: `< 50`."""
    props = node.props
    parts = [str(props.get("operator")), str(written(props.get("v1")))]
    return " ".join([*parts, str(written(props["v2"]))] if props.get("operator") == "between" else parts)
