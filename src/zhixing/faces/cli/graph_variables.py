"""graph vars: the variables of a hub, those of all rules (`global.NAME`) and those of one (`R<id>.NAME`)."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import App, Parameter

from zhixing.faces import gateway_wire
from zhixing.faces.cli.graph_pages import unread_lines, variable_row, variable_use_lines
from zhixing.faces.cli.graph_place import Gateway, Passcode, hub, variable_of
from zhixing.faces.cli.options import TYPED, AtDesk, Json
from zhixing.faces.cli.pages import INDENT
from zhixing.graphs.hubs.new_variables import new_variable
from zhixing.graphs.hubs.variables import Variables
from zhixing.graphs.specs.home import Variable
from zhixing.graphs.specs.jsontext import shown
from zhixing.graphs.specs.model import Dtype
from zhixing.kernel.errors import BadInput
from zhixing.kernel.wording import wording

variables = App(name="vars", help_flags=(), version_flags=())

Name = Annotated[str, Parameter(name="VARIABLE")]
Scope = Annotated[str | None, Parameter(name="SCOPE")]
Value = Annotated[str, Parameter(name="VALUE")]
Type = Annotated[Literal["number", "string"], Parameter(name="--type")]
Title = Annotated[str, Parameter(name="--name")]


@variables.command(name="list")
def list_(
    scope: Scope = None, /, *, gateway: Gateway = None, passcode: Passcode = None, as_json: Json = False, desk: AtDesk
) -> None:
    """List the variables of a scope, or of all."""
    with hub(desk, gateway, passcode) as home:
        there = home.app.graphs.variables
        scopes = there.scopes() if scope is None else (scope,)
        found = [each for one in scopes for each in there.listed(one)]
    if as_json:
        desk.give({"variables": [gateway_wire.of_variable(each) for each in found], "count": len(found)})
        return
    desk.lay_out([variable_row(each) for each in found])
    if not found:
        desk.say(wording("graph_pages.variables_none"))


@variables.command(name="show")
def show(
    variable: Name, /, *, gateway: Gateway = None, passcode: Passcode = None, as_json: Json = False, desk: AtDesk
) -> None:
    """Show a variable, and which rules use it."""
    scope, name = variable_of(variable)
    with hub(desk, gateway, passcode) as home:
        there = home.app.graphs.variables
        config, value = there.config(scope, name), there.value(scope, name)
        usage = there.uses(scope, name)
    found = Variable(scope, name, config.type, value, config.name)
    if as_json:
        desk.give({**gateway_wire.of_variable(found), **gateway_wire.of_variable_usage(usage)})
        return
    desk.lay_out([variable_row(found)])
    desk.say(*(INDENT + each for each in (*variable_use_lines(usage.places), *unread_lines(usage.unread))))


@variables.command(name="create")
def create(
    variable: Name,
    value: Value,
    /,
    *,
    type_: Type = "number",
    title: Title = "",
    gateway: Gateway = None,
    passcode: Passcode = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Make a variable."""
    scope, name = variable_of(variable)
    new = new_variable(name, type_, _value(Dtype(type_), value, name), title, scope)
    with hub(desk, gateway, passcode) as home:
        made = home.app.graphs.variables.create(new)
    line = wording("graph_pages.variable_created", name=f"{made.scope}.{made.id}")
    desk.answer(gateway_wire.of_variable(made), [line], as_json=as_json)


@variables.command(name="set")
def set_(
    variable: Name,
    value: Value,
    /,
    *,
    gateway: Gateway = None,
    passcode: Passcode = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Set the value of a variable that exists; rules that listen to it hear of it."""
    scope, name = variable_of(variable)
    with hub(desk, gateway, passcode) as home:
        there = home.app.graphs.variables
        now = there.set(scope, name, _value(_type(there, scope, name), value, name))
    line = wording("graph_pages.variable_set", name=f"{scope}.{name}", value=shown(str(now.value)))
    desk.answer(gateway_wire.of_variable(now), [line], as_json=as_json)


@variables.command(name="delete")
def delete(
    variable: Name, /, *, gateway: Gateway = None, passcode: Passcode = None, as_json: Json = False, desk: AtDesk
) -> None:
    """Delete a variable that no rule uses; it cannot be had back."""
    scope, name = variable_of(variable)
    with hub(desk, gateway, passcode) as home:
        home.app.graphs.variables.delete(scope, name)
    line = wording("graph_pages.variable_deleted", name=f"{scope}.{name}")
    desk.answer({"scope": scope, "id": name, "deleted": True}, [line], as_json=as_json)


def _type(there: Variables, scope: str, name: str) -> Dtype:
    return there.config(scope, name).type


def _value(kind: Dtype, written: str, name: str) -> int | float | str:
    """Read a value as it is typed. Raises `BadInput` where a number is wanted and none is written."""
    plain = written.removeprefix(TYPED)
    if kind is Dtype.STRING:
        return plain
    try:
        return int(plain) if plain.strip().removeprefix("-").isdecimal() else float(plain)
    except (ValueError, OverflowError) as error:
        raise BadInput("variable_not_number", id=shown(name)) from error
