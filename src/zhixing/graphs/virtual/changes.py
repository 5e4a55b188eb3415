"""What a call that was answered changes in the rows and in the rules that run."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.virtual import rows
from zhixing.graphs.virtual.turn import Turn
from zhixing.store.connection import Tx
from zhixing.world.hub.port import HubRefused, Json, Method
from zhixing.world.hub.state import MANUAL_BACKUPS, State

MOST_GRAPHS = 1_000
"""Graphs of one gateway."""
MOST_VARIABLES = 2_000
"""Variables of one scope."""

Params = Mapping[str, Json]


def check_room(method: Method, params: Params, state: State) -> None:
    """Raise `HubRefused` where what a call would make is one too many."""
    match method:
        case Method.SET_GRAPH if params.get("id") not in state.graphs and len(state.graphs) >= MOST_GRAPHS:
            raise HubRefused("hub_refused", text="Too many graphs")
        case Method.CREATE_VARIABLE if len(state.variables.get(str(params.get("scope")), {})) >= MOST_VARIABLES:
            raise HubRefused("hub_refused", text="Too many variables")


def carry_out(tx: Tx, turn: Turn, method: Method, params: Params) -> None:
    """Do to the rows and the running rules what a method has done to the state of `turn`."""
    change = _CHANGES.get(method)
    if change is not None:
        change(tx, turn, params)


def _set_graph(tx: Tx, turn: Turn, params: Params) -> None:
    name, graph = params["id"], turn.state.graphs[params["id"]]
    rows.keep_graph(tx, name, graph)
    turn.ensemble.stop(name)
    if graph.enable:
        turn.start(name, saved=True)


def _change_config(tx: Tx, turn: Turn, params: Params) -> None:
    name, graph = params["id"], turn.state.graphs[params["id"]]
    rows.keep_graph(tx, name, graph)
    if not graph.enable:
        turn.ensemble.stop(name)
    elif not turn.ensemble.is_on(name):
        turn.start(name, saved=False)


def _delete_graph(tx: Tx, turn: Turn, params: Params) -> None:
    turn.ensemble.stop(params["id"])
    rows.drop_graph(tx, params["id"])


def _keep_variable(tx: Tx, turn: Turn, params: Params) -> None:
    scope, name = params["scope"], params["id"]
    held = turn.state.variables[scope][name]
    rows.keep_variable(tx, scope, name, held)
    turn.ensemble.world.variables[Variable(scope, name)] = held.value


def _set_value(_tx: Tx, turn: Turn, params: Params) -> None:
    scope, name = params["scope"], params["id"]
    turn.set_value(Variable(scope, name), turn.state.variables[scope][name].value)


def _delete_variable(tx: Tx, turn: Turn, params: Params) -> None:
    scope = params["scope"]
    left, held = turn.state.variables.get(scope, {}), turn.ensemble.world.variables
    for gone in [each for each in held if each.scope == scope and each.id not in left]:
        del held[gone]
        rows.drop_variable(tx, scope, gone.id)


def _create_backup(tx: Tx, turn: Turn, _params: Params) -> None:
    rows.add_backup(tx, turn.state.backups[0], MANUAL_BACKUPS)


_CHANGES: Mapping[Method, Callable[[Tx, Turn, Params], None]] = {
    Method.SET_GRAPH: _set_graph,
    Method.CHANGE_GRAPH_CONFIG: _change_config,
    Method.DELETE_GRAPH: _delete_graph,
    Method.CREATE_VARIABLE: _keep_variable,
    Method.SET_VARIABLE_CONFIG: _keep_variable,
    Method.SET_VARIABLE_VALUE: _set_value,
    Method.DELETE_VARIABLE: _delete_variable,
    Method.CREATE_BACKUP: _create_backup,
}
