"""What the devices of a home can do, held against what a rule asks of them (§3.4, §3.5); nothing here is run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from zhixing.graphs.checks.capability_events import check_event
from zhixing.graphs.checks.capability_outputs import check_action, check_given
from zhixing.graphs.checks.capability_values import PROPS, check_comparison, check_dtype, check_range
from zhixing.graphs.checks.capability_words import named, number_of, permission, several
from zhixing.graphs.checks.devices import PUSHED, Card, check_devices
from zhixing.graphs.checks.finding import Finding, Level, Phrase
from zhixing.graphs.checks.variables import check_variables
from zhixing.graphs.rule import Rule, is_number
from zhixing.graphs.specs.home import Home
from zhixing.graphs.specs.model import Access, Property

NEEDED: dict[str, Access] = {
    "deviceInput": Access.NOTIFY,
    "deviceInputSetVar": Access.NOTIFY,
    "deviceGet": Access.READ,
    "deviceGetSetVar": Access.READ,
    "deviceOutput": Access.WRITE,
}
"""What a property must allow for each type of card (§1.13)."""
MOST_ERRORS = 1_000
"""Errors of one rule after which no further card is checked: it is refused anyhow."""
MOST_FINDINGS = 200
"""Errors of one card, and as many warnings and hints."""
MOST_SOUGHT = 2_000
"""Errors of one card after which nothing further is looked for in it."""


def check_capability(rule: Rule, home: Home) -> tuple[Finding, ...]:
    """Return what is wrong with a rule in this home: its devices, what is asked of them, its variables.

    Nothing is said of what is not known: without devices and specifications, or without variables.
    """
    findings, cards = check_devices(rule, home)
    return (*findings, *_asked(cards), *check_variables(rule, home))


def _asked(cards: Sequence[Card]) -> Iterator[Finding]:
    errors = 0
    for done, card in enumerate(cards):
        if errors >= MOST_ERRORS:
            yield Finding("cards_unchecked", Level.INFO, values={"count": len(cards) - done})
            return
        for each in _first(_check_card(card)):
            errors += each.level is Level.ERROR
            yield each


def _first(findings: Iterator[Finding]) -> Iterator[Finding]:
    """Give no more of one level than are read: an error is not lost behind warnings."""
    seen: Counter[Level] = Counter()
    for each in findings:
        seen[each.level] += 1
        if seen[each.level] <= MOST_FINDINGS:
            yield each
        if seen[Level.ERROR] == MOST_SOUGHT:
            return


def _check_card(card: Card) -> Iterator[Finding]:
    props = card.node.props
    siid = number_of(props.get("siid"))
    if siid is not None and card.spec.informs_only(siid):
        yield card.finding("device_info_service", Level.WARN, siid=siid)
    # The gateway takes a property where a card names both.
    if card.node.type == "deviceOutput" and "aiid" in props and "piid" not in props:
        yield from check_action(card)
    elif not is_number(props.get("siid")):
        yield card.finding("missing_siid")
    elif card.node.type in PUSHED and "eiid" in props and "piid" not in props:
        yield from check_event(card)
    elif "piid" in props:
        yield from _check_property(card)


def _check_property(card: Card) -> Iterator[Finding]:
    props = card.node.props
    prop = card.property(props["piid"])
    if prop is None:
        service = card.spec.service(number_of(props.get("siid")) or 0)
        known = service.properties if service else [each for one in card.spec.services for each in one.properties]
        yield card.finding("unknown_property", member=card.member("piid"), known=several(known))
        return
    yield from _check_access(card, prop)
    yield from check_range(card, prop)
    if card.node.type == "deviceOutput":
        yield from check_given(card, prop, props, "dtype_mismatch", PROPS)
    elif card.node.type in {"deviceInput", "deviceGet"}:
        yield from check_comparison(card, prop, props)
    else:
        yield from check_dtype(card, prop, props.get("dtype"), prop.slot_dtype, "dtype_mismatch")


def _check_access(card: Card, prop: Property) -> Iterator[Finding]:
    needed = NEEDED[card.node.type]
    if needed in prop.access:
        return
    yield card.finding("access_denied", property=named(prop), access=permission(needed))
    if needed is Access.NOTIFY:
        yield card.finding(
            "trigger_property_not_notify_hint", Level.INFO, property=named(prop), way=_other_way(card, prop)
        )


def _other_way(card: Card, prop: Property) -> Phrase:
    """Say how else a rule may hear of a property: by an event of the device, or by asking again and again."""
    events = several(each for service in card.spec.services for each in service.events)
    if any(service.events for service in card.spec.services):
        return Phrase("graph_terms.event_or_poll" if prop.readable else "graph_terms.event", {"events": events})
    return Phrase("graph_terms.poll" if prop.readable else "graph_terms.no_way")
