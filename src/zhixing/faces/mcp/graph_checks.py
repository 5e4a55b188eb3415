"""Tools: rule graphs checked, run on a virtual clock, looked up; nothing here writes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from zhixing.faces import gateway_wire, graph_wire
from zhixing.faces.asked_graph import asked
from zhixing.faces.cli.house import House
from zhixing.faces.mcp.arguments import LONGEST_ID
from zhixing.faces.mcp.tool import Effect, Tool
from zhixing.faces.node_type_wire import of_index, of_types
from zhixing.faces.wire import Wire
from zhixing.graphs.catalogue import node_types
from zhixing.graphs.checks.checking import check
from zhixing.graphs.checks.finding import Profile
from zhixing.graphs.drafts.variables import variables_from
from zhixing.graphs.hubs.asking import MOST_ASKED
from zhixing.graphs.hubs.calling import LONGEST_WAIT
from zhixing.graphs.hubs.creating import NewRule
from zhixing.graphs.hubs.new_variables import MOST_NEW
from zhixing.graphs.hubs.usage import LONGEST_QUERY
from zhixing.graphs.reading import rule_from
from zhixing.graphs.simulating.result import result_json
from zhixing.graphs.simulating.run import simulate
from zhixing.graphs.templates import known_type
from zhixing.kernel.errors import TooLarge

MOST_LINES = 10_000
MOST_TYPES = 26
UNNAMED = "-"
"""Name of a rule that is only checked."""

Graph = Annotated[dict[str, Any], Field(description="A whole rule: {id, nodes, cfg}.")]
OfProfile = Annotated[
    Literal["editor", "strict"],
    Field(description="editor: what the vendor's editor allows. strict: what the published validators demand besides."),
]
Brought = Annotated[
    list[dict[str, Any]] | None,
    Field(
        description="Variables that a rule still to be made brings along, as `mijia_create_graph` takes them.",
        json_schema_extra={"maxItems": MOST_NEW},
    ),
]
OfScript = Annotated[
    list[dict[str, Any]],
    Field(
        description="What happens, in order. First, optional: {setup: {start, until_ms, tz, options, state: {did: "
        "{'2.1': true}}, variables: {'global.n': 0}}}. Then {at_ms, event: {did, siid, piid, value} or {did, siid, "
        "eiid, arguments}}, {at_ms, var_set: {scope, id, value}}, {at_ms, enable: true}, {at_ms, disable: true}, "
        "{at_ms, clock}, {at_ms, reconnect: did} or {at_ms, force: {node, pin, state}}. What is not in the setup is "
        "unknown to the rule; to one of the hub, as the hub has it now (a real one does not tell what devices are)."
    ),
]
MaybeGraph = Annotated[dict[str, Any] | None, Field(description="A whole rule: {id, nodes, cfg}.")]
MaybeGraphId = Annotated[str | None, Field(max_length=LONGEST_ID, description="Or the id of a rule of the hub.")]
Lines = Annotated[int, Field(ge=1, le=MOST_LINES, description="At most so many lines of it.")]


def mijia_get_node_types(
    home: House,  # noqa: ARG001 - every tool gets it
    *,
    types: Annotated[
        list[str],
        Field(
            description="Types to show whole: deviceGet, condition, … Not given: only the list of all.",
            json_schema_extra={"maxItems": MOST_TYPES},
        ),
    ] = [],  # noqa: B006 - never changed
) -> Wire:
    """Show types of nodes: pins and whether they carry events or states, props with limits, a node to fill in.

    Read the few that a rule needs, not all. What stands behind `$` is to be filled in; `takesTruth` is a pin that may
    hold true or false in place of a wire. `both` reaches pins for events and for states, the others only their own.
    """
    if len(types) > MOST_TYPES:
        raise TooLarge("graph_node_types_many", limit=MOST_TYPES)
    if not types:
        return of_index(node_types().values())
    return of_types([known_type(each) for each in dict.fromkeys(types)])


def mijia_validate_graph(home: House, *, graph: Graph, profile: OfProfile = "editor") -> Wire:  # noqa: ARG001 - every tool gets it
    """Check the structure of a rule: fields, wires, kinds of signals, what never runs. Devices are not looked at.

    `errors` bar it from being written. `fixes` are changes inside the node.
    """
    return graph_wire.of_verdict(check(rule_from(graph), Profile(profile)))


def mijia_validate_graph_capabilities(
    home: House, *, graph: Graph, profile: OfProfile = "editor", variables: Brought = None
) -> Wire:
    """Check a rule against the devices of the hub: access, types, ranges, arguments, variables. Structure included.

    With `variables`, even none, it is checked as a new rule that brings them: scope `rule` is that of the rule to be.
    """
    rule, graphs = rule_from(graph), home.app.graphs
    if variables is None:
        return gateway_wire.of_report(graphs.check_capabilities(rule, Profile(profile)), rule)
    new = NewRule(rule.name or UNNAMED, rule.nodes, variables_from(variables), enable=rule.enabled, id=rule.id)
    return gateway_wire.of_report(graphs.check_new(new, Profile(profile)), rule)


def mijia_simulate_graph(
    home: House,
    *,
    script: OfScript,
    graph: MaybeGraph = None,
    id: MaybeGraphId = None,  # noqa: A002 - what the original calls it
    lines: Lines = 1_000,
) -> Wire:
    """Run a rule on a virtual clock: what it would do about a script of events, and why. No device is touched.

    `trace` has the first lines of the run in the hub's own format, `diagnostics` say what is odd or not proven.
    """
    about = asked(home.app, graph, id)
    found = result_json(simulate(about.rule, about.script(script)))
    return {**found, "trace": found["trace"][:lines], "traceCount": len(found["trace"])}


def mijia_call_api(
    home: House,
    *,
    method: Annotated[str, Field(max_length=LONGEST_ID, description="getGraphList, getVarScopeList, getDevList, …")],
    params: Annotated[dict[str, Any], Field(description="What the method takes.")] = {},  # noqa: B006 - never changed
    timeout: Annotated[
        int, Field(ge=1, le=int(LONGEST_WAIT * 1000), description="Milliseconds to wait for the answer.")
    ] = 10_000,
) -> Wire:
    """Call a method of the hub that only reads, and return its answer as it is. What writes has a tool of its own."""
    return {"method": method, "result": home.app.graphs.call(method, params, timeout / 1000)}


def mijia_find_device_usage(
    home: House,
    *,
    dids: Annotated[
        list[str] | None, Field(description="Ids of at most 100 devices.", json_schema_extra={"maxItems": MOST_ASKED})
    ] = None,
    query: Annotated[
        str | None, Field(max_length=LONGEST_QUERY, description="Or part of a name, room, id or model.")
    ] = None,
) -> Wire:
    """Say in which rules devices are used; without arguments all that are. `orphans` are unknown devices in rules.

    Not `complete`: the rules in `unreadableGraphs` could not be read, and a device without places may be used there.
    """
    return gateway_wire.of_device_usage(home.app.graphs.device_usage(dids, query))


def mijia_find_graph_conflicts(home: House) -> Wire:
    """List properties of devices that several rules which are on set to different values. That need not be wrong."""
    return {"conflicts": [gateway_wire.of_contest(each) for each in home.app.graphs.contests()]}


def mijia_get_graph_log(
    home: House,
    *,
    id: Annotated[  # noqa: A002 - what the original calls it
        str | None, Field(max_length=LONGEST_ID, description="Only of this rule. Not given: of all.")
    ] = None,
    lines: Lines = 200,
) -> Wire:
    """Read the last lines of the hub's log: 3|ms|l|rule|from|to|state is a wire, i a node, e an error, r a switch."""
    return gateway_wire.of_log(home.app.graphs.log(id), lines)


TOOLS = (
    Tool.of(mijia_get_node_types, Effect.READS),
    Tool.of(mijia_validate_graph, Effect.READS),
    Tool.of(mijia_validate_graph_capabilities, Effect.READS),
    Tool.of(mijia_simulate_graph, Effect.READS),
    Tool.of(mijia_call_api, Effect.READS),
    Tool.of(mijia_find_device_usage, Effect.READS),
    Tool.of(mijia_find_graph_conflicts, Effect.READS),
    Tool.of(mijia_get_graph_log, Effect.READS),
)
