"""What a card hears in an event: filters on its arguments, and variables that keep them (§3.4, §3.5)."""

from __future__ import annotations

from collections.abc import Iterator

from zhixing.graphs.checks.capability_values import PROPS, Said, check_argument, check_dtype, check_range
from zhixing.graphs.checks.capability_words import named, number_of, quoted, several
from zhixing.graphs.checks.devices import Card
from zhixing.graphs.checks.finding import Finding
from zhixing.graphs.specs.model import Event


def check_event(card: Card) -> Iterator[Finding]:
    """Check the event a card waits for, and what it does with the arguments."""
    props = card.node.props
    siid, eiid = number_of(props.get("siid")), number_of(props.get("eiid"))
    event = None if siid is None or eiid is None else card.spec.event(siid, eiid)
    if event is None:
        known = several(each for service in card.spec.services for each in service.events)
        yield card.finding("unknown_event", member=card.member("eiid"), known=known)
    if card.node.type == "deviceInputSetVar":
        yield from _check_kept(card, event)
    elif event is not None:
        yield from _check_filters(card, event)


def _check_filters(card: Card, event: Event) -> Iterator[Finding]:
    given = card.node.props.get("arguments")
    said: Said = {"member": named(event)}
    for place, each in enumerate(given if isinstance(given, list) else ()):
        if not isinstance(each, dict):
            yield card.finding("event_argument_filter_invalid", **said, value=quoted(each))
            continue
        piid = number_of(each.get("piid"))
        if piid is None or piid not in event.arguments:
            yield card.finding("event_argument_filter_unknown", **said, piid=quoted(each.get("piid")))
        elif (prop := card.property(piid)) is not None:
            yield from check_range(card, prop)
            yield from check_argument(card, prop, each, (*PROPS, "arguments", str(place)))


def _check_kept(card: Card, event: Event | None) -> Iterator[Finding]:
    given = card.node.props.get("arguments")
    said: Said = {"member": named(event) if event else card.member("eiid")}
    if not isinstance(given, list):
        yield card.finding("missing_event_arguments", **said)
        return
    seen: set[int] = set()
    for place, each in enumerate(given if event is not None else ()):
        if not isinstance(each, dict):
            yield card.finding("invalid_event_argument", **said, value=quoted(each))
            continue
        written = quoted(each.get("piid"))
        if any(not isinstance(each.get(name), str) or not each[name] for name in ("scope", "id")):
            yield card.finding("missing_event_argument_variable", **said, piid=written)
        piid = number_of(each.get("piid"))
        if event is None or piid is None or piid not in event.arguments:
            yield card.finding("unknown_event_argument", **said, piid=written)
            continue
        if piid in seen:
            yield card.finding("duplicate_event_argument", **said, piid=written)
        seen.add(piid)
        if (prop := card.property(piid)) is not None:
            where = (*PROPS, "arguments", str(place))
            yield from check_dtype(card, prop, each.get("dtype"), prop.slot_dtype, "event_argument_type", where=where)
