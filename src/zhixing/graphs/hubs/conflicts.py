"""Rules that set one thing to different values: who comes last wins (mijia §8 case 36). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from zhixing.graphs.hubs.canonical import canonical
from zhixing.graphs.rule import Json, Node, Rule, is_whole

MOST_CONFLICTS = 500
"""Contested properties that are named."""
MOST_WRITERS = 100
"""Writers of one of them that are named."""


@dataclass(frozen=True, slots=True)
class Writer:
    """A node that sets a property: to `value`, or to that of a variable, then `variable` is its scope and id."""

    rule: str
    rule_name: str
    node: str
    value: bool | int | float | str | None
    variable: str | None


@dataclass(frozen=True, slots=True)
class Contest:
    """A property that rules which are switched on set to different values."""

    did: str
    siid: int
    piid: int
    writers: tuple[Writer, ...]


def find_contests(rules: Iterable[Rule]) -> tuple[Contest, ...]:
    """Return the properties that more than one rule sets, and not all to one value.

    It is no fault: a rule for the morning and one for the night do this too. Only rules that are on are looked at.
    """
    found: dict[tuple[str, int, int], list[Writer]] = {}
    for rule in rules:
        for node in rule.nodes if rule.enabled else ():
            for place in _written(node):
                found.setdefault(place, []).append(_writer(rule, node))
    contests = (Contest(*place, tuple(writers[:MOST_WRITERS])) for place, writers in found.items() if _differ(writers))
    return tuple(each for each, _ in zip(contests, range(MOST_CONFLICTS), strict=False))


def _written(node: Node) -> Iterator[tuple[str, int, int]]:
    siid, piid = node.props.get("siid"), node.props.get("piid")
    if node.type == "deviceOutput" and node.did and siid is not None and is_whole(siid) and is_whole(piid):
        yield node.did, int(siid), int(piid or 0)


def _writer(rule: Rule, node: Node) -> Writer:
    if "value" in node.props:
        return Writer(rule.id, rule.name, node.id, _single(node.props["value"]), None)
    return Writer(rule.id, rule.name, node.id, None, f"{node.props.get('scope')}.{node.props.get('id')}")


def _single(value: Json) -> bool | int | float | str | None:
    return value if isinstance(value, bool | int | float | str) else None


def _differ(writers: list[Writer]) -> bool:
    return len({each.rule for each in writers}) > 1 and len({(canonical(w.value), w.variable) for w in writers}) > 1
