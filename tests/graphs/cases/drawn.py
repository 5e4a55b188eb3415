"""Cards of the devices of the small home, right in their structure and in what the devices can do."""

from __future__ import annotations

from typing import Any

from tests.graphs.checks.capability_home import DEVICES, RULE, home
from tests.graphs.checks.structure_rules import node
from tests.graphs.checks.structure_rules import rule as _rule

from zhixing.graphs.checks.checking import check
from zhixing.graphs.checks.finding import Profile, Verdict
from zhixing.graphs.rule import Rule
from zhixing.graphs.specs.home import Home

HOME = home(variables=...)
LOCAL = f"R{RULE}"
NUM, TXT = {"scope": "global", "id": "num"}, {"scope": "global", "id": "txt"}
PERCENT = {"dtype": "number", "min": 0, "max": 100, "step": 1}

Card = dict[str, Any]


def drawn(*cards: Card, id_: str = RULE) -> Rule:
    """Put cards into a rule of that id."""
    cfg = {"id": id_, "enable": True, "uiType": "graph", "userData": {"name": "案例"}}
    return _rule(*cards, id=id_, cfg=cfg)


def card(name: str, kind: str, to: str = "", **props: Any) -> Card:
    """Draw a card; one that names a device has its URN. A prop that is `...` is taken away."""
    urn = (DEVICES.get(props.get("did", "")) or {}).get("urn")
    parts = {key: props.pop(key) for key in ("constants", "inputs", "outputs") if key in props}
    cfg = props.pop("cfg", {}) | ({"urn": urn} if urn else {})
    return node(name, kind, to, props=props, cfg=cfg, **parts)


def watch(name: str, to: str, about: str, operator: str = "=", v1: Any = True, **more: Any) -> Card:  # noqa: FBT002 - it is compared
    """Draw a source that watches a property, `did.siid.piid`."""
    return card(name, "deviceInput", to, **compared(about, operator, v1) | more)


def ask(name: str, to: str, about: str, operator: str = "=", v1: Any = True) -> Card:  # noqa: FBT002 - it is compared
    """Draw a query of a property."""
    return card(name, "deviceGet", to, **compared(about, operator, v1))


def hear(name: str, to: str, about: str) -> Card:
    """Draw a source that hears an event, `did.siid.eiid`."""
    did, siid, eiid = about.split(".")
    gone = dict.fromkeys(("piid", "dtype", "operator", "v1", "preload"), ...)
    return card(name, "deviceInput", to, did=did, siid=int(siid), eiid=int(eiid), **gone)


def write(name: str, about: str, value: Any = True, to: str = "") -> Card:  # noqa: FBT002 - it is sent
    """Draw a command that writes a property."""
    return card(name, "deviceOutput", to, **place(about), value=value)


def call(name: str, about: str, *inputs: dict[str, Any], to: str = "") -> Card:
    """Draw a command that calls an action, `did.siid.aiid`."""
    did, siid, aiid = about.split(".")
    props = {"did": did, "siid": int(siid), "aiid": int(aiid), "ins": list(inputs), "piid": ..., "value": ...}
    return card(name, "deviceOutput", to, **props)


def counted(name: str, text: str, to: str = "", variable: dict[str, str] = NUM) -> Card:
    """Draw a card that sets a number; `#` stands for the variable itself."""
    parts = [part for piece in text.split("#") for part in (piece, None)][:-1]
    elements = [
        {"type": "var", **variable} if part is None else {"type": "const", "value": part}
        for part in parts
        if part is None or part
    ]
    return card(name, "varSetNumber", to, **variable, elements=elements)


def place(about: str) -> dict[str, Any]:
    """Read `did.siid.piid`."""
    did, siid, piid = about.split(".")
    return {"did": did, "siid": int(siid), "piid": int(piid)}


def compared(about: str, operator: str, v1: Any) -> dict[str, Any]:
    """Read a comparison; its type is that of the value, a float where the value is one."""
    first = v1[0] if isinstance(v1, list) else v1
    dtype = {bool: "boolean", int: "int", float: "float", str: "string"}[type(first)]
    return {**place(about), "dtype": dtype, "operator": operator, "v1": v1}


def at(hour: int, minute: int = 0) -> dict[str, int]:
    """Give a time of day."""
    return {"hour": hour, "minute": minute, "second": 0}


def reported(at_ms: int, about: str, value: Any) -> dict[str, Any]:
    """Give a line of a script: a device says what a property is."""
    return {"at_ms": at_ms, "event": {**place(about), "value": value}}


def sent(at_ms: int, about: str) -> dict[str, Any]:
    """Give a line of a script: a device sends an event, `did.siid.eiid`."""
    did, siid, eiid = about.split(".")
    return {"at_ms": at_ms, "event": {"did": did, "siid": int(siid), "eiid": int(eiid), "arguments": []}}


def judged(given: Rule, known: Home | None = HOME, profile: Profile = Profile.EDITOR) -> Verdict:
    """Check a rule in the small home."""
    return check(given, profile, known)


def codes_of(verdict: Verdict) -> set[tuple[str, str, str]]:
    """Give what was found as code, level and node."""
    return {(each.code, each.level.value, each.node) for each in (*verdict.errors, *verdict.warnings)}
