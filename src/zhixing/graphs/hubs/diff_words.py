"""A difference of two rules in lines that people read. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from zhixing.graphs.checks.finding import Phrase
from zhixing.graphs.checks.survey import card, written
from zhixing.graphs.hubs.diff import Diff, Missing, ValueChange
from zhixing.graphs.rule import Json, Node
from zhixing.graphs.specs.jsontext import shown
from zhixing.kernel.wording import Language, wording

MOST_LINES: Final = 200
"""Lines that are told; a last one says that there are more."""


def diff_lines(diff: Diff, language: Language = "zh") -> tuple[str, ...]:
    """Say what differs, one thing a line: settings, cards, wires, places."""
    lines = _lines(diff, language)
    told = list(islice(lines, MOST_LINES))
    rest = sum(1 for _ in lines)
    if rest:
        told.append(wording("hubs.more_lines", language, count=rest))
    return tuple(told) or (wording("hubs.no_change", language),)


def _lines(diff: Diff, language: Language) -> Iterator[str]:
    for each in diff.settings:
        yield _setting(each, language)
    for node in diff.added:
        yield wording("hubs.node_added", language, card=_card(node, language))
    for node in diff.removed:
        yield wording("hubs.node_removed", language, card=_card(node, language))
    for change in diff.changed:
        name = _card(change.after, language)
        for each in change.values:
            said = {"before": _value(each.before, language), "after": _value(each.after, language)}
            yield wording("hubs.node_value", language, card=name, path=shown(each.path), **said)
    for wire in diff.wires_added:
        yield wording("hubs.wire_added", language, start=shown(f"{wire.source}.{wire.pin}"), end=shown(wire.end))
    for wire in diff.wires_removed:
        yield wording("hubs.wire_removed", language, start=shown(f"{wire.source}.{wire.pin}"), end=shown(wire.end))
    for pin in diff.reordered:
        yield wording("hubs.reordered", language, pin=shown(pin))
    if diff.moved:
        yield wording("hubs.moved", language, count=len(diff.moved))


def _setting(change: ValueChange, language: Language) -> str:
    if change.path == "enable" and isinstance(change.after, bool):
        return wording("hubs.switched_on" if change.after else "hubs.switched_off", language)
    said = {"before": _value(change.before, language), "after": _value(change.after, language)}
    if change.path == "userData.name":
        return wording("hubs.renamed", language, **said)
    return wording("hubs.setting", language, path=shown(change.path), **said)


def _card(node: Node, language: Language) -> str:
    return card(node).text(language)


def _value(value: Json | Missing, language: Language) -> str:
    said = written(None if isinstance(value, Missing) else value)
    return said.text(language) if isinstance(said, Phrase) else said
