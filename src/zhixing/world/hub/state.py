"""What a hub holds and how it answers: graphs, variables, devices, its log and its backups (mijia §4.1, §6.2).

Nothing here is a socket or a clock. What the facts leave open is said where it is decided.
"""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from zhixing.world.hub.port import Json, Method
from zhixing.world.hub.shape import fault_of

GLOBAL: Final = "global"
MANUAL_BACKUPS: Final = 25
"""Backups made by hand that the cloud keeps; a further one pushes out the oldest."""
_ID = re.compile(r"[a-zA-Z0-9]+")
_NO_FILE = "Load file /graphs/{id}.jsonz error: 2"

Params = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The hub said no: its own text and the number of JSON-RPC for the reason."""

    text: str
    code: int = -32000


class _Refuse(Exception):
    def __init__(self, text: str, code: int = -32000) -> None:
        super().__init__(text)
        self.refusal = Refusal(text, code)


@dataclass(slots=True)
class Variable:
    """A variable: `type` is number or string. The picker of the page shows `user_data["name"]`, or hides it."""

    type: str
    value: Json
    user_data: dict[str, Json] = field(default_factory=dict)


@dataclass(slots=True)
class Graph:
    """A graph: its nodes, and what the list of graphs tells of it."""

    nodes: list[Json]
    enable: bool
    ui_type: str
    user_data: dict[str, Json]


@dataclass(slots=True)
class State:
    """All a hub holds. Tests may look and change; `answer` is how clients do.

    `graphs` and `devices` go by id, `variables` by scope and id. `blocks` are the blocks of the log, the newest first.
    Each of `backups` is an object with `id` and what it holds; `backup_progress` is a percentage, and a backup is made
    at once whatever it says. With `lists_api` False, `getApiList` fails as it does on some firmware (mijia §6.2); with
    `old_lists`, variables are listed in an array, as older firmware does (§4.1). How the gateway writes the list, the
    progress and the configuration of backups is open.
    """

    graphs: dict[str, Graph] = field(default_factory=dict)
    variables: dict[str, dict[str, Variable]] = field(default_factory=dict)
    devices: dict[str, dict[str, Json]] = field(default_factory=dict)
    blocks: list[str] = field(default_factory=list)
    backups: list[dict[str, Json]] = field(default_factory=list)
    lists_api: bool = True
    old_lists: bool = False
    backup_config: dict[str, Json] = field(default_factory=lambda: {"auto": False})
    backup_progress: int = 100

    def answer(self, method: str, params: Params) -> Json | Refusal:
        """Do what a method asks for and return its result, or the refusal. Nothing is shared with the caller."""
        handler = _HANDLERS.get(method)
        if handler is None:
            return Refusal("Method not found", -32601)
        if not isinstance(params, Mapping):
            return Refusal("Invalid params", -32602)
        try:
            return copy.deepcopy(handler(self, copy.deepcopy(dict(params))))
        except _Refuse as refused:
            return refused.refusal

    def log(self, lines: Iterable[str]) -> None:
        """Write a block of the log; it is the newest."""
        self.blocks.insert(0, "\n".join(lines) + "\n")

    def add_device(self, did: str, name: str, urn: str, **more: Json) -> None:
        """Add a device with all that the list of devices tells of one (mijia §6.2)."""
        model = str(more.pop("model", "example.device.v1"))
        self.devices[did] = {
            "name": name,
            "model": model,
            "modelName": model,
            "urn": urn,
            "online": True,
            "specV2Access": True,
            "specV3Access": False,
            "pushAvailable": True,
            "roomId": "1",
            "roomName": "",
            "icon": "",
            **more,
        }


def _get_api_list(state: State, _params: Params) -> Json:
    if not state.lists_api:
        raise _Refuse("Internal error", -32603)
    return sorted(f"/api/{name}" for name in _HANDLERS)


def _get_devices(state: State, _params: Params) -> Json:
    return {"devList": state.devices}


# graphs


def _get_graphs(state: State, _params: Params) -> Json:
    return [
        {"id": name, "enable": graph.enable, "uiType": graph.ui_type, "userData": graph.user_data}
        for name, graph in state.graphs.items()
    ]


def _get_graph(state: State, params: Params) -> Json:
    # Without cfg: that is in the list only (mijia §1.1).
    return {"id": params["id"], "nodes": _graph(state, params).nodes}


def _set_graph(state: State, params: Params) -> Json:
    name, cfg = _text(params, "id"), params.get("cfg")
    fault = fault_of(params.get("nodes"))
    if fault is not None:
        raise _Refuse(fault)
    if not isinstance(cfg, dict) or cfg.get("id") != name:
        raise _Refuse("Invalid cfg")
    if not isinstance(cfg.get("enable"), bool):
        raise _Refuse("Invalid cfg.enable")
    user_data = cfg.get("userData")
    state.graphs[name] = Graph(
        params["nodes"], cfg["enable"], str(cfg.get("uiType", "")), user_data if isinstance(user_data, dict) else {}
    )
    return {}


def _delete_graph(state: State, params: Params) -> Json:
    # The variables of its scope stay: who deletes a graph deletes them (mijia §4.1).
    _graph(state, params)
    del state.graphs[params["id"]]
    return {}


def _change_graph_config(state: State, params: Params) -> Json:
    graph = _graph(state, params)
    if not isinstance(params.get("enable"), bool):
        raise _Refuse("Invalid enable")
    # What is not sent again is lost, the name before all (mijia §6.2).
    user_data = params.get("userData")
    graph.enable = params["enable"]
    graph.user_data = user_data if isinstance(user_data, dict) else {}
    return {}


def _graph(state: State, params: Params) -> Graph:
    name = _text(params, "id")
    if name not in state.graphs:
        raise _Refuse(_NO_FILE.format(id=name))
    return state.graphs[name]


# variables


def _get_scopes(state: State, _params: Params) -> Json:
    return {"scopes": [GLOBAL, *sorted(name for name, held in state.variables.items() if held and name != GLOBAL)]}


def _get_variables(state: State, params: Params) -> Json:
    # A scope that nobody made holds nothing; whether the gateway says so or refuses is open.
    held = state.variables.get(_text(params, "scope"), {})
    told = {name: {"type": each.type, "value": each.value, "userData": each.user_data} for name, each in held.items()}
    return [{"id": name, **each} for name, each in told.items()] if state.old_lists else told


def _create_variable(state: State, params: Params) -> Json:
    scope, name, kind = _text(params, "scope"), params.get("id"), params.get("type")
    if not isinstance(name, str) or not _ID.fullmatch(name):
        raise _Refuse("Invalid id format")
    if kind not in {"number", "string"}:
        raise _Refuse("Invalid type")
    if name in state.variables.get(scope, {}):
        raise _Refuse("Variable already exists")
    # A name beside userData instead of in it is not looked at (mijia §4.1).
    user_data = params.get("userData")
    state.variables.setdefault(scope, {})[name] = Variable(
        kind, _value(kind, params), user_data if isinstance(user_data, dict) else {}
    )
    return {}


def _delete_variable(state: State, params: Params) -> Json:
    scope = _text(params, "scope")
    if params.get("all") is True:
        state.variables.pop(scope, None)
    else:
        _variable(state, params)
        del state.variables[scope][params["id"]]
    return {}


def _get_variable_config(state: State, params: Params) -> Json:
    held = _variable(state, params)
    return {"type": held.type, "userData": held.user_data}


def _set_variable_config(state: State, params: Params) -> Json:
    user_data = params.get("userData")
    _variable(state, params).user_data = user_data if isinstance(user_data, dict) else {}
    return {}


def _get_variable_value(state: State, params: Params) -> Json:
    return {"value": _variable(state, params).value}


def _set_variable_value(state: State, params: Params) -> Json:
    held = _variable(state, params)
    held.value = _value(held.type, params)
    return {}


def _variable(state: State, params: Params) -> Variable:
    held = state.variables.get(_text(params, "scope"), {}).get(_text(params, "id"))
    if held is None:
        raise _Refuse("Variable not found")
    return held


# log and backups


def _get_log(state: State, params: Params) -> Json:
    number = params.get("num")
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise _Refuse("Invalid num")
    return state.blocks[number] if number < len(state.blocks) else ""


def _get_backup_config(state: State, _params: Params) -> Json:
    return state.backup_config


def _get_backups(state: State, _params: Params) -> Json:
    return [{"id": each["id"]} for each in state.backups]


def _get_backup_progress(state: State, _params: Params) -> Json:
    return {"progress": state.backup_progress}


def _create_backup(state: State, _params: Params) -> Json:
    number = int(state.backups[0]["id"]) + 1 if state.backups else 1
    rules = [
        {"id": entry["id"], "cfg": entry, "nodes": state.graphs[entry["id"]].nodes} for entry in _get_graphs(state, {})
    ]
    held = {"id": str(number), "version": 2, "rules": rules, "variables": _all_variables(state)}
    state.backups.insert(0, copy.deepcopy(held))
    del state.backups[MANUAL_BACKUPS:]
    return {}


def _all_variables(state: State) -> dict[str, Json]:
    return {scope: _get_variables(state, {"scope": scope}) for scope in state.variables}


def _text(params: Params, name: str) -> str:
    value = params.get(name)
    if not isinstance(value, str) or not value:
        raise _Refuse(f"Invalid {name}")
    return value


def _value(kind: str, params: Params) -> Json:
    """Return the value for a variable of `kind`; NaN is none (mijia §4.1)."""
    value = params.get("value")
    number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if not (number if kind == "number" else isinstance(value, str)):
        raise _Refuse("Invalid value")
    return value


_HANDLERS: Final[Mapping[str, Callable[[State, Params], Json]]] = {
    Method.GET_API_LIST: _get_api_list,
    Method.GET_DEVICES: _get_devices,
    Method.GET_GRAPHS: _get_graphs,
    Method.GET_GRAPH: _get_graph,
    Method.SET_GRAPH: _set_graph,
    Method.DELETE_GRAPH: _delete_graph,
    Method.CHANGE_GRAPH_CONFIG: _change_graph_config,
    Method.GET_SCOPES: _get_scopes,
    Method.GET_VARIABLES: _get_variables,
    Method.CREATE_VARIABLE: _create_variable,
    Method.DELETE_VARIABLE: _delete_variable,
    Method.GET_VARIABLE_CONFIG: _get_variable_config,
    Method.SET_VARIABLE_CONFIG: _set_variable_config,
    Method.GET_VARIABLE_VALUE: _get_variable_value,
    Method.SET_VARIABLE_VALUE: _set_variable_value,
    Method.GET_LOG: _get_log,
    Method.GET_BACKUP_CONFIG: _get_backup_config,
    Method.GET_BACKUPS: _get_backups,
    Method.GET_BACKUP_PROGRESS: _get_backup_progress,
    Method.CREATE_BACKUP: _create_backup,
}
