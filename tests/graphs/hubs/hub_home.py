"""A hub in memory with a lamp, a motion sensor, rules and variables, and small rules for it."""

from __future__ import annotations

import copy
from datetime import UTC, datetime
from typing import Any

from zhixing.graphs.reading import node_from
from zhixing.graphs.rule import Node, Rule
from zhixing.graphs.specs.home import Home, by_urn
from zhixing.graphs.specs.packaged import samples
from zhixing.kernel.clock import ManualClock
from zhixing.world.hub.memory import MemoryHub
from zhixing.world.hub.port import Method
from zhixing.world.hub.state import Graph, State, Variable

NOW = datetime(2026, 12, 1, 8, tzinfo=UTC)
MS = int(NOW.timestamp() * 1000)
LIGHT = str(samples()["light"].urn)
HALL = "1764550800001"
OTHER = "1764550800002"
WRITES = {
    Method.SET_GRAPH, Method.DELETE_GRAPH, Method.CHANGE_GRAPH_CONFIG, Method.CREATE_VARIABLE, Method.DELETE_VARIABLE,
    Method.SET_VARIABLE_CONFIG, Method.SET_VARIABLE_VALUE,
}  # fmt: skip


def clock() -> ManualClock:
    return ManualClock(NOW)


def home() -> Home:
    """Give the specifications; devices and variables come from the hub."""
    specs, changed = by_urn(samples().values())
    return Home(None, specs, changed, None)


def card(name: str, kind: str, props: dict[str, Any], to: dict[str, list[str]], *pins: str) -> dict[str, Any]:
    cfg: dict[str, Any] = {"name": kind, "version": 1}
    if "did" in props:
        cfg["urn"] = LIGHT
    return {"id": name, "type": kind, "cfg": cfg, "props": props, "inputs": dict.fromkeys(pins), "outputs": to}


def start(*ends: str) -> dict[str, Any]:
    return card("start", "onLoad", {}, {"output": list(ends)})


def lamp(name: str = "lamp", did: str = "lamp1", *, on: bool = True) -> dict[str, Any]:
    return card(name, "deviceOutput", {"did": did, "siid": 2, "piid": 1, "value": on}, {"output": []}, "trigger")


def count(scope: str, id_: str = "times", *, then: str = "lamp.trigger") -> dict[str, Any]:
    elements = [{"type": "var", "scope": scope, "id": id_}, {"type": "const", "value": "+1"}]
    props = {"scope": scope, "id": id_, "elements": elements}
    return card("count", "varSetNumber", props, {"output": [then]}, "input")


def wait(ms: int, *ends: str) -> dict[str, Any]:
    return card("wait", "delay", {"timeout": ms}, {"output": list(ends)}, "input")


def placed(node: dict[str, Any], x: int, y: int) -> dict[str, Any]:
    return {**node, "cfg": {**node["cfg"], "pos": {"x": x, "y": y, "width": 528, "height": 164}}}


def nodes(*given: dict[str, Any]) -> tuple[Node, ...]:
    return tuple(node_from(copy.deepcopy(each)) for each in given)


def graph(name: str, *given: dict[str, Any], enable: bool = True) -> Graph:
    about = {"name": name, "lastUpdateTime": 1, "tags": ["楼道"], "version": 3, "transform": {"x": 5, "y": 6}}
    return Graph(list(copy.deepcopy(given)), enable, "test", about)


def hub() -> MemoryHub:
    """Give a hub with two rules: 楼道灯, switched off, and 计数, which uses `global.seen` and `R….times`."""
    state = State()
    state.add_device("lamp1", "顶灯", LIGHT, roomName="客厅")
    state.add_device("lamp2", "台灯", LIGHT, roomName="书房", online=False)
    state.graphs[HALL] = graph("楼道灯", placed(start("lamp.trigger"), 900, 50), placed(lamp(), 2000, 70), enable=False)
    counting = count(f"R{OTHER}")
    counting["props"]["elements"].insert(0, {"type": "var", "scope": "global", "id": "seen"})
    counting["props"]["elements"].insert(1, {"type": "const", "value": "+"})
    state.graphs[OTHER] = graph("计数", start("count.input"), counting, lamp("lamp", "gone1"))
    state.variables = {
        "global": {"seen": Variable("number", 2, {"name": "看见"}), "word": Variable("string", "好", {"name": "词"})},
        f"R{OTHER}": {"times": Variable("number", 7, {"name": "次数", "icon": "star"})},
    }
    return MemoryHub(state)


def writes(given: MemoryHub) -> list[Method]:
    """Return the writes that left, in order."""
    return [method for method, _ in given.calls if method in WRITES]


def rule_in(given: MemoryHub, name: str) -> Rule:
    """Return a rule as the hub holds it."""
    held = given.state.graphs[name]
    cfg = {"id": name, "enable": held.enable, "uiType": held.ui_type, "userData": held.user_data}
    return Rule.of(copy.deepcopy({"id": name, "nodes": held.nodes, "cfg": cfg}))
