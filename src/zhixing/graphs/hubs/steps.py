"""The writes that a change of a hub is made of: each is sent once and then looked for (mijia §4.3, §4.5, §6.2)."""

from __future__ import annotations

from dataclasses import dataclass

from zhixing.graphs.hubs.asking import Reader, is_missing
from zhixing.graphs.hubs.canonical import same_rule
from zhixing.graphs.hubs.new_variables import NewVariable
from zhixing.graphs.hubs.outcomes import Outcome, answered, seen, written
from zhixing.graphs.hubs.variables import look_for, send_new
from zhixing.graphs.rule import Rule
from zhixing.world.hub.port import Hub, HubRefused, Method


@dataclass(frozen=True, slots=True)
class SetGraph:
    """Write a whole rule; `before` is what was there under its id."""

    rule: Rule
    before: Rule | None


@dataclass(frozen=True, slots=True)
class ChangeConfig:
    """Switch or rename a rule. The whole of its `userData` goes along, or the hub loses the name (§6.2)."""

    rule: Rule
    before: Rule


@dataclass(frozen=True, slots=True)
class DeleteGraph:
    """Delete a rule; one that is gone already is fine."""

    id: str


@dataclass(frozen=True, slots=True)
class CreateVariable:
    """Make a variable of an explicit scope."""

    new: NewVariable


@dataclass(frozen=True, slots=True)
class DeleteVariable:
    """Delete a variable; one that is gone already is fine."""

    scope: str
    id: str


@dataclass(frozen=True, slots=True)
class DeleteScope:
    """Delete every variable of a scope."""

    scope: str


Step = SetGraph | ChangeConfig | DeleteGraph | CreateVariable | DeleteVariable | DeleteScope


def carry_out(hub: Hub, step: Step) -> Outcome:
    """Do one step. Raises `HubRefused` when the hub says no, `Unavailable` when the call never left."""
    reader = Reader(hub)
    match step:
        case SetGraph(rule, before):
            params = {"id": rule.id, "nodes": rule.raw["nodes"], "cfg": rule.cfg}
            return written(lambda: hub.call(Method.SET_GRAPH, params), lambda: _stands(reader, rule, before))
        case ChangeConfig(rule, before):
            config = {"id": rule.id, "enable": rule.enabled, "userData": rule.user_data}
            return written(lambda: hub.call(Method.CHANGE_GRAPH_CONFIG, config), lambda: _stands(reader, rule, before))
        case DeleteGraph(name):
            return written(lambda: _delete_graph(hub, name), lambda: _gone(reader, name))
        case CreateVariable(new):
            return answered(lambda: send_new(hub, new), lambda: look_for(reader, new))
        case DeleteVariable(scope, name):
            gone = {"scope": scope, "id": name}
            return answered(lambda: hub.call(Method.DELETE_VARIABLE, gone), lambda: _variable_gone(reader, scope, name))
        case DeleteScope(scope):
            everything = {"scope": scope, "all": True}
            return written(lambda: hub.call(Method.DELETE_VARIABLE, everything), lambda: _emptied(reader, scope))


def _stands(reader: Reader, rule: Rule, before: Rule | None) -> Outcome:
    now = reader.rule(rule.id)
    return seen(wanted=same_rule(now, rule), before=same_rule(now, before))


def _gone(reader: Reader, name: str) -> Outcome:
    return seen(wanted=all(each.id != name for each in reader.entries()), before=True)


def _emptied(reader: Reader, scope: str) -> Outcome:
    return seen(wanted=scope not in reader.scopes() or not reader.variables(scope), before=True)


def _variable_gone(reader: Reader, scope: str, name: str) -> Outcome:
    return seen(wanted=scope not in reader.scopes() or name not in reader.variables(scope), before=True)


def _delete_graph(hub: Hub, name: str) -> None:
    try:
        hub.call(Method.DELETE_GRAPH, {"id": name})
    except HubRefused as error:
        if not is_missing(error):
            raise
