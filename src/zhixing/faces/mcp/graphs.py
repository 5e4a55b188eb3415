"""Tools: rule graphs of the home's hub; the connection, its devices, its rules made, changed and deleted.

Names, arguments and results are those of the original tools where they have them (mijia §4.2); what a rule or a device
may be is decided below, in `graphs`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import Field

from zhixing.faces import gateway_wire
from zhixing.faces.cli.house import House
from zhixing.faces.gateway_outcomes import must_be_done, must_be_made
from zhixing.faces.mcp.arguments import LONGEST_ID
from zhixing.faces.mcp.tool import Effect, Tool
from zhixing.faces.wire import Wire
from zhixing.graphs.drafts.variables import variables_from
from zhixing.graphs.hubs.asking import MOST_ASKED
from zhixing.graphs.hubs.creating import NewRule
from zhixing.graphs.hubs.new_variables import LONGEST_NAME, MOST_NEW
from zhixing.graphs.hubs.updating import Change
from zhixing.graphs.operations import nodes_of
from zhixing.graphs.specs.home import Device
from zhixing.kernel.errors import BadInput
from zhixing.kernel.wording import wording

LONGEST_ADDRESS = 300

GraphId = Annotated[str, Field(max_length=LONGEST_ID, description="Id of a rule, from `mijia_get_graphs`: 13 digits.")]
Nodes = Annotated[
    list[dict[str, Any]],
    Field(description="All nodes: {id, type, cfg, props, inputs, outputs} each. Wires stand in `outputs` only."),
]
Name = Annotated[str, Field(max_length=LONGEST_NAME, description="What people call the rule.")]
NewVariables = Annotated[
    list[dict[str, Any]],
    Field(
        description="Variables that come with the rule: {id, type: number or string, value, name?, scope?} each. Scope "
        "`rule`, which is meant where none is written, is that of the rule to be, in nodes too; the other is `global`.",
        json_schema_extra={"maxItems": MOST_NEW},
    ),
]


Enable = Annotated[bool, Field(description="Whether the rule is on once it is made.")]


def mijia_auth(
    home: House,
    *,
    passcode: Annotated[
        str,
        Field(max_length=LONGEST_ID, description="Six digits that the 极客版 page of the hub's app shows; for once."),
    ],
    gateway_url: Annotated[
        str,
        Field(
            max_length=LONGEST_ADDRESS,
            alias="gateway_url",
            description="Address of the hub: http://192.168.1.2. Not given: that of the settings.",
        ),
    ] = "",
) -> Wire:
    """Connect to a real hub. Only when the user gives a passcode; without one, the virtual hub of this home is used.

    The connection is kept as long as this server runs.
    """
    return gateway_wire.of_status(home.app.graphs.session.connect(passcode, gateway_url))


def mijia_disconnect(home: House) -> Wire:
    """Leave the real hub that was connected."""
    return gateway_wire.of_status(home.app.graphs.session.disconnect())


def mijia_status(home: House) -> Wire:
    """Say which hub is spoken to, `virtual` or its address, and whether it is connected."""
    return gateway_wire.of_status(home.app.graphs.session.status())


def mijia_get_devices(
    home: House,
    *,
    response_format: Annotated[
        Literal["json", "markdown"],
        Field(alias="response_format", description="json: `devices`. markdown: one table as text, in `markdown`."),
    ] = "json",
) -> Wire:
    """List the devices of the hub. What a device can do, `mijia_get_device` tells."""
    found = home.app.graphs.devices().values()
    if response_format == "markdown":
        return {"markdown": _table(found), "count": len(found)}
    return {"devices": [gateway_wire.of_device(each) for each in found], "count": len(found)}


def mijia_get_device(
    home: House,
    *,
    dids: Annotated[
        list[str], Field(description="Ids of devices, from the list.", json_schema_extra={"maxItems": MOST_ASKED})
    ],
) -> Wire:
    """Show what devices can do: properties, events and actions with the numbers, types and limits that nodes need.

    A did that the hub does not know is `found` false, and in `notFound`. Null where no specification is known.
    """
    graphs = home.app.graphs
    found = graphs.find_devices(dids)
    return gateway_wire.of_found(dids, found, graphs.known(found.devices))


def mijia_get_graphs(home: House) -> Wire:
    """List the rules of the hub, whether they are on, and the scope of the variables of each."""
    entries = home.app.graphs.entries()
    return {"graphs": [gateway_wire.of_entry(each) for each in entries], "count": len(entries)}


def mijia_get_graph(
    home: House,
    *,
    id: GraphId,  # noqa: A002 - what the original calls it
) -> Wire:
    """Show a whole rule, {id, nodes, cfg}, as the hub has it. Read it back after each change."""
    return dict(home.app.graphs.rule(id).raw)


def mijia_create_graph(
    home: House,
    *,
    name: Name,
    nodes: Nodes,
    variables: NewVariables = [],  # noqa: B006 - never changed
    enable: Enable = True,
    id: Annotated[  # noqa: A002 - what the original calls it
        str, Field(max_length=LONGEST_ID, description="Only to repeat a call that named an id because nobody answered.")
    ] = "",
) -> Wire:
    """Make a rule: checked, laid out, written with its variables, read back. With errors nothing is written.

    For more than 10 nodes use a draft, `mijia_graph_draft_begin`. Positions are worked out; do not give `cfg.pos`.
    """
    new = NewRule(name, nodes_of(nodes), variables_from(variables), enable=enable, id=id)
    created = home.app.graphs.create(new)
    must_be_made(created.id, created.outcome)
    return gateway_wire.of_created(created)


def mijia_update_graph(
    home: House,
    *,
    id: GraphId,  # noqa: A002 - what the original calls it
    name: Annotated[str | None, Field(max_length=LONGEST_NAME, description="New name. Not given: stays.")] = None,
    nodes: Annotated[
        list[dict[str, Any]] | None, Field(description="All nodes from now on, each whole. Not given: they stay.")
    ] = None,
    enable: Annotated[bool | None, Field(description="Not given: stays on or off as it is.")] = None,
) -> Wire:
    """Change a rule; what is not given stays, and nodes that stay keep their place. With errors nothing is written.

    It takes no variables: make them first with `mijia_create_variable`, and write their real scope in the nodes.
    """
    if name is None and nodes is None and enable is None:
        raise BadInput("gateway_nothing")
    change = Change(id, name, None if nodes is None else nodes_of(nodes), enable)
    updated = home.app.graphs.update(change)
    must_be_done(updated.id, updated.outcome)
    return gateway_wire.of_updated(updated)


def mijia_delete_graph(
    home: House,
    *,
    id: GraphId,  # noqa: A002 - what the original calls it
) -> Wire:
    """Delete a rule with the variables of its own scope. Only when the user asked for it."""
    deleted = home.app.graphs.delete(id)
    must_be_done(deleted.id, deleted.outcome)
    return gateway_wire.of_deleted(deleted)


def mijia_toggle_graph(
    home: House,
    *,
    id: GraphId,  # noqa: A002 - what the original calls it
    enable: Annotated[bool, Field(description="Whether the rule is to be on.")],
) -> Wire:
    """Switch a rule on or off; nothing else of it changes."""
    switched = home.app.graphs.switch(id, enable=enable)
    must_be_done(switched.id, switched.outcome)
    return gateway_wire.of_updated(switched)


def _table(devices: Iterable[Device]) -> str:
    """Write devices as a table of Markdown."""
    head = wording("gateway.device_head")
    rule = "|---" * (head.count("|") - 1) + "|"
    return "\n".join([head, rule, *map(_row, devices)])


def _row(device: Device) -> str:
    online = wording("gateway.online" if device.online else "gateway.offline")
    cells = (device.did, device.name, device.room, online, device.urn or "")
    return f"| {' | '.join(map(_cell, cells))} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


TOOLS = (
    Tool.of(mijia_auth, Effect.ADDS),
    Tool.of(mijia_disconnect, Effect.SETS),
    Tool.of(mijia_status, Effect.READS),
    Tool.of(mijia_get_devices, Effect.READS),
    Tool.of(mijia_get_device, Effect.READS),
    Tool.of(mijia_get_graphs, Effect.READS),
    Tool.of(mijia_get_graph, Effect.READS),
    Tool.of(mijia_create_graph, Effect.ADDS),
    Tool.of(mijia_update_graph, Effect.SETS),
    Tool.of(mijia_delete_graph, Effect.ENDS),
    Tool.of(mijia_toggle_graph, Effect.SETS),
)
