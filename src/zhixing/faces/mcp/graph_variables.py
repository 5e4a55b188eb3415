"""Tools: the variables of the home's hub (mijia §4.1; seed: 变量生命周期能力)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from zhixing.faces import gateway_wire
from zhixing.faces.cli.house import House
from zhixing.faces.mcp.arguments import LONGEST_ID
from zhixing.faces.mcp.tool import Effect, Tool
from zhixing.faces.wire import Wire
from zhixing.graphs.hubs.new_variables import LONGEST_NAME, new_variable
from zhixing.graphs.rule import Json

Scope = Annotated[
    str,
    Field(max_length=LONGEST_ID, description="`global`, or the rule's own: R and the digits of its id. Never `rule`."),
]
VariableId = Annotated[str, Field(max_length=LONGEST_ID, description="Id of a variable: letters and digits.")]
Value = Annotated[
    Json,
    Field(
        description="A number or a text, as the type says.",
        json_schema_extra={"anyOf": [{"type": "number"}, {"type": "string"}]},
    ),
]


def mijia_get_variables(home: House, *, scope: Scope) -> Wire:
    """List the variables of a scope with type, value and name. None for a scope that has none."""
    found = home.app.graphs.variables.listed(scope)
    return {"scope": scope, "variables": [gateway_wire.of_variable(each) for each in found], "count": len(found)}


def mijia_get_variable_value(
    home: House,
    *,
    id: VariableId,  # noqa: A002 - what the original calls it
    scope: Scope,
) -> Wire:
    """Read the value that a variable has now."""
    return {"scope": scope, "id": id, "value": home.app.graphs.variables.value(scope, id)}


def mijia_get_variable_config(
    home: House,
    *,
    id: VariableId,  # noqa: A002 - what the original calls it
    scope: Scope,
) -> Wire:
    """Read the type and the name of a variable; with an empty name the editor does not offer it."""
    return gateway_wire.of_variable_config(home.app.graphs.variables.config(scope, id))


def mijia_create_variable(
    home: House,
    *,
    id: VariableId,  # noqa: A002 - what the original calls it
    type: Annotated[Literal["number", "string"], Field(description="There is no other type.")],  # noqa: A002 - as above
    value: Value,
    scope: Scope,
    name: Annotated[str, Field(max_length=LONGEST_NAME, description="What the editor shows. Not given: the id.")] = "",
) -> Wire:
    """Make a variable. Nothing else makes one: neither `mijia_set_variable` nor a node that writes it.

    For a rule that exists already, make its variables here before you write the nodes that use them.
    """
    return gateway_wire.of_variable(home.app.graphs.variables.create(new_variable(id, type, value, name, scope)))


def mijia_set_variable(
    home: House,
    *,
    id: VariableId,  # noqa: A002 - what the original calls it
    value: Value,
    scope: Scope,
) -> Wire:
    """Set the value of a variable that exists; rules that watch it hear of it."""
    return gateway_wire.of_variable(home.app.graphs.variables.set(scope, id, value))


def mijia_rename_variable(
    home: House,
    *,
    id: VariableId,  # noqa: A002 - what the original calls it
    name: Annotated[str, Field(max_length=LONGEST_NAME, description="What the editor is to show.")],
    scope: Scope,
) -> Wire:
    """Change what the editor calls a variable; its id and value stay."""
    return gateway_wire.of_variable(home.app.graphs.variables.rename(scope, id, name))


def mijia_delete_variable(
    home: House,
    *,
    id: VariableId,  # noqa: A002 - what the original calls it
    scope: Scope,
) -> Wire:
    """Delete a variable for good. Refused while a rule uses it, or a rule cannot be read to tell."""
    home.app.graphs.variables.delete(scope, id)
    return {"scope": scope, "id": id, "deleted": True}


def mijia_find_variable_usage(
    home: House,
    *,
    id: VariableId,  # noqa: A002 - what the original calls it
    scope: Scope,
) -> Wire:
    """List the nodes of all rules that name a variable. Not `complete`: a rule could not be read."""
    return gateway_wire.of_variable_usage(home.app.graphs.variables.uses(scope, id))


TOOLS = (
    Tool.of(mijia_get_variables, Effect.READS),
    Tool.of(mijia_get_variable_value, Effect.READS),
    Tool.of(mijia_get_variable_config, Effect.READS),
    Tool.of(mijia_create_variable, Effect.SETS),
    Tool.of(mijia_set_variable, Effect.SETS),
    Tool.of(mijia_rename_variable, Effect.SETS),
    Tool.of(mijia_delete_variable, Effect.ENDS),
    Tool.of(mijia_find_variable_usage, Effect.READS),
)
