"""Tools: a whole rule brought to the hub by a plan, what it was before, and back again (mijia §4.5)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from zhixing.faces import graph_change_wire
from zhixing.faces.cli.house import House
from zhixing.faces.gateway_outcomes import must_be_done
from zhixing.faces.mcp.arguments import LONGEST_ID
from zhixing.faces.mcp.graph_checks import Graph
from zhixing.faces.mcp.graphs import GraphId
from zhixing.faces.mcp.tool import Effect, Tool
from zhixing.faces.wire import Wire
from zhixing.graphs.reading import rule_from

Number = Annotated[int, Field(ge=1, description="The `number` of a receipt, from `mijia_get_graph_receipts`.")]


def mijia_plan_graph(home: House, *, graph: Graph) -> Wire:
    """Say what writing a whole rule under its id would change, line by line, with the verdict and a `token`.

    Nothing is written. Show the lines to the user before you deploy.
    """
    return graph_change_wire.of_plan(home.app.graphs.plan(rule_from(graph)))


def mijia_deploy_graph(
    home: House,
    *,
    graph: Graph,
    token: Annotated[str, Field(max_length=LONGEST_ID, description="Of `mijia_plan_graph` for the same rule.")],
) -> Wire:
    """Write a whole rule as it was planned, and read it back. Refused when either side has changed since the plan.

    What was there is kept as a receipt first, for `mijia_rollback_graph`.
    """
    graphs = home.app.graphs
    done = graphs.deploy(rule_from(graph), token)
    must_be_done(done.receipt.id, done.outcome)
    return graph_change_wire.of_deployed(done, graphs.number_of(done.receipt))


def mijia_get_graph_receipts(
    home: House,
    *,
    id: GraphId,  # noqa: A002 - what the original calls it
) -> Wire:
    """List what a rule was before each change, the newest first; also of a rule that was deleted."""
    return {"receipts": [graph_change_wire.of_receipt(each) for each in home.app.graphs.receipts(id)]}


def mijia_compare_graph(
    home: House,
    *,
    id: GraphId,  # noqa: A002 - what the original calls it
    receipt: Number,
) -> Wire:
    """Say how a rule differs now from what it was, by one of its receipts."""
    graphs = home.app.graphs
    return graph_change_wire.of_diff(graphs.compare(graphs.rule(id), receipt))


def mijia_rollback_graph(home: House, *, receipt: Number) -> Wire:
    """Put a rule back as a receipt has it, with those of its own variables that are gone. Can be taken back too."""
    graphs = home.app.graphs
    done = graphs.roll_back(receipt)
    must_be_done(done.receipt.id, done.outcome)
    return graph_change_wire.of_rolled_back(done, graphs.number_of(done.receipt))


TOOLS = (
    Tool.of(mijia_plan_graph, Effect.READS),
    Tool.of(mijia_deploy_graph, Effect.SETS),
    Tool.of(mijia_get_graph_receipts, Effect.READS),
    Tool.of(mijia_compare_graph, Effect.READS),
    Tool.of(mijia_rollback_graph, Effect.ENDS),
)
