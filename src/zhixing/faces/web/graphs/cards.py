"""What a card of a rule says in three short lines: its type, whom it is about, what it asks for or does. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from zhixing.faces.rule_words import single_line
from zhixing.graphs.catalogue import node_type
from zhixing.graphs.rule import Json, Node, is_number, is_whole
from zhixing.graphs.specs.home import Device
from zhixing.graphs.specs.jsontext import shown
from zhixing.graphs.specs.model import Spec
from zhixing.kernel.wording import Language, wording

_LONGEST_SECONDS = 10**9


@dataclass(frozen=True, slots=True)
class Around:
    """What is known of the devices a rule is about, and the language it is said in."""

    devices: Mapping[str, Device]
    specs: Mapping[str, Spec]
    language: Language

    def spec(self, did: str) -> Spec | None:
        """Return what a device can do, where that is known."""
        device = self.devices.get(did)
        return None if device is None or not device.urn else self.specs.get(device.urn)

    def device(self, did: str) -> str:
        """Return what people call a device."""
        device = self.devices.get(did)
        return shown(did if device is None else device.name or did)


@dataclass(frozen=True, slots=True)
class Said:
    """The lines of a card; those that say nothing are empty."""

    title: str
    about: str
    what: str


def say_card(node: Node, around: Around) -> Said:
    """Say what a card is."""
    own = node.name if node.name and node.name != node.type else ""
    known = node_type(node.type) is not None
    title = own or (wording(f"node_types.{node.type}", around.language) if known else node.type) or "?"
    return Said(_line(title), _about(node, around), _line(_what(node, around)))


def value_words(value: Json) -> str:
    """Write a value of a rule in one line, whatever it is."""
    if value is None:
        return ""
    if isinstance(value, str):
        return _line(value)
    try:
        return _line(json.dumps(value, ensure_ascii=False))
    except (ValueError, TypeError, RecursionError):
        return "…"


def _about(node: Node, around: Around) -> str:
    if node.did:
        return around.device(node.did)
    scope, name = node.props.get("scope"), node.props.get("id")
    return _line(name if scope == "global" else f"{scope}.{name}") if isinstance(name, str) and name else ""


def _what(node: Node, around: Around) -> str:
    props, language = node.props, around.language
    wait: Json = props.get("interval" if node.type == "loop" else "timeout")
    if is_number(wait) and 0 <= wait < _LONGEST_SECONDS * 1_000:
        seconds = wait / 1000
        unit, size = ("minutes", 60) if seconds and seconds % 60 == 0 else ("seconds", 1)
        return wording(f"web_graphs.for_{unit}", language, count=f"{seconds / size:g}")
    match node.type:
        case "alarmClock" if is_whole(props.get("hour")):
            return _clock(props)
        case "alarmClock" if isinstance(props.get("isSunset"), bool):
            return wording(f"web_graphs.sun_{'set' if props['isSunset'] else 'rise'}", language)
        case "timeRange":
            return f"{_clock(props.get('start'))} – {_clock(props.get('end'))}"
    return _capability(node, around)


def _capability(node: Node, around: Around) -> str:
    props, spec = node.props, around.spec(node.did)
    siid, piid, eiid, aiid = (_number(props.get(name)) for name in ("siid", "piid", "eiid", "aiid"))
    known = (
        None
        if spec is None
        else (spec.property(siid, piid) if piid else spec.event(siid, eiid) if eiid else spec.action(siid, aiid))
    )
    number = piid or eiid or aiid
    name = known.description or known.name if known is not None else f"{siid}.{number}" if number else ""
    prop = None if spec is None or not piid else spec.property(siid, piid)

    def said(value: Json) -> str:
        if isinstance(value, bool):
            return wording(f"web_graphs.{'yes' if value else 'no'}", around.language)
        choice = None if prop is None else prop.listed(value)
        return value_words(value) if choice is None or not choice.description else _line(choice.description)

    if "operator" in props:
        operator = props["operator"]
        low, high = said(props.get("v1")), said(props.get("v2")) if operator == "between" else ""
        return " ".join(each for each in (name, value_words(operator), low, high) if each)
    if "value" in props:
        return f"{name} → {said(props['value'])}"
    return name


def _clock(given: Json) -> str:
    members = given if isinstance(given, Mapping) else {}
    return ":".join(f"{_number(members.get(name)):02}" for name in ("hour", "minute"))


def _number(value: Json) -> int:
    return int(value) if is_whole(value) and abs(value) < _LONGEST_SECONDS else 0


def _line(text: str) -> str:
    return shown(single_line(text))
