"""The device behind each card: is it in the home, is it the one the card was drawn for, is it ever heard (§3.4, §3.5).

A card whose device has a readable specification becomes a `Card`; what the specification says is asked of those.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zhixing.graphs.checks.capability_words import called, joined, number_of, urn_shown
from zhixing.graphs.checks.finding import GRAPH, Finding, Fix, Level, Phrase
from zhixing.graphs.rule import Json, Node, Rule
from zhixing.graphs.specs.home import Device, Home
from zhixing.graphs.specs.model import Property, Spec

PUSHED = frozenset({"deviceInput", "deviceInputSetVar"})
"""Types that hear what a device tells of its own accord."""
DEVICE_TYPES = PUSHED | {"deviceGet", "deviceGetSetVar", "deviceOutput"}
"""Types that are about one device."""


@dataclass(frozen=True, slots=True)
class Card:
    """A node on a device whose specification is known; `device` is what people call it."""

    node: Node
    device: str
    spec: Spec

    def finding(self, code: str, level: Level = Level.ERROR, fixes: tuple[Fix, ...] = (), **values: object) -> Finding:
        """Return a finding about this card."""
        return Finding(code, level, self.node.id or GRAPH, {"device": self.device, **values}, fixes)

    def property(self, piid: Json) -> Property | None:
        """Return the property with this piid of the service the card names."""
        siid, number = number_of(self.node.props.get("siid")), number_of(piid)
        return None if siid is None or number is None else self.spec.property(siid, number)

    def member(self, number: str) -> str:
        """Return the numbers of the member that the card names, such as `2.1`."""
        return joined(self.node.props.get("siid"), self.node.props.get(number))


def check_devices(rule: Rule, home: Home) -> tuple[tuple[Finding, ...], tuple[Card, ...]]:
    """Return what is wrong with the devices themselves, and the cards whose specification can be asked.

    Without a device list a card is taken for what its `cfg.urn` says.
    """
    if home.devices is None and not home.specs and not home.unread:
        return (), ()
    nodes = [node for node in rule.nodes if node.type in DEVICE_TYPES and node.did]
    findings: list[Finding] = []
    cards: list[Card] = []
    urns: dict[str, None] = {}
    for node in nodes:
        device = home.device(node.did)
        if home.devices is not None:
            findings += _about(node, device)
        urn = node.urn if home.devices is None else device.urn if device else None
        if not urn:
            continue
        urns[urn] = None
        if urn == node.urn and (spec := home.specs.get(urn)) is not None:
            cards.append(Card(node, called(device, node.did), spec))
    return (*_specs(urns, home), *findings), tuple(cards)


def _specs(urns: dict[str, None], home: Home) -> Iterator[Finding]:
    for urn in urns:
        if urn not in home.specs:
            yield Finding("spec_unavailable", Level.ERROR, values={"urn": urn_shown(urn), "reason": _reason(urn, home)})
        if urn in home.changed:
            yield Finding("same_urn_spec_changed", Level.WARN, values={"urn": urn_shown(urn)})


def _reason(urn: str, home: Home) -> object:
    """Return why a file of the specification cannot be read; nothing where there is no file."""
    fault = home.fault_of(urn)
    if fault is None:
        return ""
    return Phrase("graph_terms.because", {"reason": Phrase(f"errors.{fault.key}", fault.values)})


def _about(node: Node, device: Device | None) -> Iterator[Finding]:
    name, values = node.id or GRAPH, {"device": called(device, node.did)}
    if device is None or device.urn is None:
        yield Finding("unknown_device", Level.ERROR, name, values)
        return
    if not device.online:
        yield Finding("device_offline", Level.WARN, name, values)
    if node.type in PUSHED and not device.pushes:
        yield Finding("push_unavailable", Level.WARN, name, values)
    if device.urn != node.urn:
        # Another model numbers its services otherwise: only what is missing can be filled in.
        fixes = () if node.urn else (Fix(("cfg", "urn"), device.urn),)
        said = {**values, "urn": urn_shown(node.urn), "expected": urn_shown(device.urn)}
        yield Finding("urn_mismatch", Level.ERROR, name, said, fixes)
