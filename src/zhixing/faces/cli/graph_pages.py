"""What a person reads at the command line about the rules, devices and variables of a hub. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from zoneinfo import ZoneInfo

from zhixing.faces.cli.pages import INDENT, NOTHING
from zhixing.faces.rule_words import exact_text, single_line
from zhixing.graphs.catalogue import node_type
from zhixing.graphs.drafts.model import Draft
from zhixing.graphs.hubs.asking import UnreadGraph
from zhixing.graphs.hubs.conflicts import Contest, Writer
from zhixing.graphs.hubs.entries import Entry
from zhixing.graphs.hubs.usage import DevicePlace, DeviceUse
from zhixing.graphs.hubs.variables import VariablePlace
from zhixing.graphs.logs import ErrorLine, InfoLine, Line, LinkLine
from zhixing.graphs.operations import Known
from zhixing.graphs.rule import Json, Node, Rule
from zhixing.graphs.shelf import Kept
from zhixing.graphs.specs.home import Device, Variable
from zhixing.graphs.specs.model import Access, Property, Spec
from zhixing.kernel.moments import from_micros
from zhixing.kernel.wording import wording

_FURTHEST = 6 * 10**13
"""Milliseconds from the epoch that are still named as an instant: about 1900 years either way."""


def entry_row(entry: Entry) -> list[str]:
    """Return the row of a rule in a list: id, on or off, name."""
    return [entry.id, _switched(on=entry.enabled), single_line(entry.name) or NOTHING]


def rule_page(rule: Rule) -> list[str]:
    """Say what a rule is made of: its cards, then its wires."""
    name = single_line(rule.name) or NOTHING
    head = wording("graph_pages.rule", name=name, id=rule.id or NOTHING, switched=_switched(on=rule.enabled))
    lines = [head, wording("graph_pages.cards", count=len(rule.nodes))]
    lines += [INDENT + card_line(node) for node in rule.nodes]
    lines.append(wording("graph_pages.wires", count=len(rule.wires)))
    lines += [f"{INDENT}{wire.source}.{wire.pin} → {wire.end}" for wire in rule.wires]
    return lines


def device_row(device: Device) -> list[str]:
    """Return the row of a device in a list: did, room, name, whether it is there."""
    state = "" if device.online else wording("graph_pages.offline")
    return [device.did, device.room or NOTHING, device.name or NOTHING, state]


def known_page(known: Known) -> list[str]:
    """Say what a device can do."""
    head = "  ".join(each for each in device_row(known.device) if each)
    if known.spec is None:
        return [head, INDENT + wording("graph_pages.spec_unknown")]
    return [head, *(INDENT + line for line in _spec_lines(known.spec))]


def use_lines(use: DeviceUse) -> list[str]:
    """Say where a device is used."""
    name = use.did if use.device is None else f"{use.did}  {use.device.name}"
    lost = "" if use.device is not None else f"  {wording('graph_pages.device_gone')}"
    places = [INDENT + _device_place(each) for each in use.places]
    return [name + lost, *(places or [INDENT + wording("graph_pages.unused")])]


def variable_use_lines(places: Sequence[VariablePlace]) -> list[str]:
    """Say where a variable is used."""
    lines = [
        wording("graph_pages.place", name=single_line(each.rule_name) or NOTHING, id=each.rule, node=each.node)
        for each in places
    ]
    return lines or [wording("graph_pages.unused")]


def unread_lines(unread: Iterable[UnreadGraph]) -> list[str]:
    """Say which rules could not be read, so that nobody takes what is told for all there is."""
    return [
        wording("graph_pages.unread", name=single_line(each.name) or NOTHING, id=each.id, why=str(each.error))
        for each in unread
    ]


def contest_lines(contest: Contest) -> list[str]:
    """Say which rules set a property, and to what."""
    head = f"{contest.did}  {contest.siid}.{contest.piid}"
    return [head, *(INDENT + _writer_line(each) for each in contest.writers)]


def receipt_row(kept: Kept, zone: ZoneInfo) -> list[str]:
    """Return the row of a receipt: number, when, what was there."""
    rule = kept.receipt.rule
    at = exact_text(kept.receipt.at.replace(microsecond=0), zone)
    if rule is None:
        return [str(kept.number), at, wording("graph_pages.receipt_nothing")]
    said = wording("graph_pages.receipt_rule", name=single_line(rule.name) or NOTHING, count=len(rule.nodes))
    return [str(kept.number), at, said]


def variable_row(variable: Variable) -> list[str]:
    """Return the row of a variable: as it is written, type, value, name."""
    value = NOTHING if variable.value is None else single_line(_json(variable.value))
    return [f"{variable.scope}.{variable.id}", variable.type.value, value, single_line(variable.name) or NOTHING]


def draft_row(draft: Draft) -> list[str]:
    """Return the row of a draft: id, state, number of cards, name."""
    state = wording(f"graph_pages.draft_{draft.state.value}")
    return [draft.id, state, wording("graph_pages.draft_cards", count=len(draft.nodes)), single_line(draft.name)]


def log_row(line: Line, zone: ZoneInfo) -> list[str]:
    """Return the row of a line of a log: when, rule, what."""
    return [_moment(line.at_ms, zone), line.graph, _log_text(line)]


def card_line(node: Node) -> str:
    """Say what a card is and what it asks for."""
    known = node_type(node.type) is not None
    title = wording(f"node_types.{node.type}") if known else single_line(node.type) or NOTHING
    props = {name: value for name, value in node.props.items() if name not in ("did", "siid", "piid", "eiid", "aiid")}
    about = "".join(f"  {each}" for each in (_target(node), single_line(_json(props)) if props else "") if each)
    return f"{node.id}  {title}{about}"


def _target(node: Node) -> str:
    numbers = [node.props[name] for name in ("siid", "piid", "eiid", "aiid") if name in node.props]
    return " ".join(each for each in (node.did, ".".join(map(str, numbers))) if each)


def _spec_lines(spec: Spec) -> list[str]:
    lines = []
    for service in spec.services:
        if spec.informs_only(service.siid):
            continue
        lines += [_property_line(each) for each in service.properties]
        lines += [f"event.{each.siid}.{each.eiid}  {each.name}" for each in service.events]
        lines += [f"action.{each.siid}.{each.aiid}  {each.name}" for each in service.actions]
    return lines


def _property_line(prop: Property) -> str:
    access = wording("faces.and").join(
        wording(f"graph_pages.access_{each.value}") for each in Access if each in prop.access
    )
    values = ""
    if prop.choices:
        values = "  " + " ".join(f"{_json(each.value)}={each.description}" for each in prop.choices)
    elif prop.range is not None:
        values = f"  {prop.range.low}..{prop.range.high}{prop.unit}"
    return f"prop.{prop.siid}.{prop.piid}  {prop.name}  {prop.format.value}  {access}{values}".rstrip()


def _device_place(place: DevicePlace) -> str:
    said = wording("graph_pages.place", name=single_line(place.rule_name) or NOTHING, id=place.rule, node=place.node)
    known = node_type(place.type) is not None
    title = wording(f"node_types.{place.type}") if known else place.type
    return f"{said}  {title}  {_switched(on=place.enabled)}"


def _writer_line(writer: Writer) -> str:
    said = wording("graph_pages.place", name=single_line(writer.rule_name) or NOTHING, id=writer.rule, node=writer.node)
    return f"{said}  {_json(writer.value) if writer.variable is None else writer.variable}"


def _log_text(line: Line) -> str:
    match line:
        case LinkLine():
            state = wording("graph_pages.pulse") if line.state is None else _json(line.state)
            return f"{line.source} → {line.target}  {state}"
        case InfoLine():
            return f"{line.node}  {single_line(line.info)}"
        case ErrorLine():
            said = {"node": line.node, "code": line.code, "message": single_line(line.message)}
            return wording("graph_pages.log_error", **said)
        case _:
            return wording("graph_pages.log_switched", switched=_switched(on=line.enable))


def _moment(at_ms: int, zone: ZoneInfo) -> str:
    if abs(at_ms) > _FURTHEST:
        return str(at_ms)
    return exact_text(from_micros(at_ms * 1_000), zone)[:23]


def _switched(*, on: bool) -> str:
    return wording("graph_pages.on" if on else "graph_pages.off")


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
