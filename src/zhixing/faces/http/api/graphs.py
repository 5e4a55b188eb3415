"""Rule graphs on a hub: looked at, checked, run on a virtual clock, written so that they can be taken back."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from zhixing.faces import gateway_wire, graph_change_wire, graph_wire
from zhixing.faces.asked_graph import asked
from zhixing.faces.gateway_outcomes import must_be_done, must_be_made
from zhixing.faces.graph_wire import Wire
from zhixing.faces.http.api import graph_bodies as bodies
from zhixing.faces.http.api import graph_shapes as shapes
from zhixing.faces.http.home import AtHome, Home
from zhixing.graphs.checks.checking import check
from zhixing.graphs.checks.finding import Profile
from zhixing.graphs.drafts.variables import variables_from
from zhixing.graphs.hubs.creating import NewRule
from zhixing.graphs.hubs.updating import Change
from zhixing.graphs.operations import nodes_of
from zhixing.graphs.reading import rule_from
from zhixing.graphs.rule import Rule
from zhixing.graphs.simulating.result import result_json
from zhixing.graphs.simulating.run import simulate as simulated
from zhixing.graphs.specs.jsontext import shown
from zhixing.graphs.writing import with_id
from zhixing.kernel.errors import BadInput

LARGEST_NUMBER = 2**63 - 1

router = APIRouter(prefix="/graphs", tags=["graphs"])

Number = Annotated[int, Path(ge=1, le=LARGEST_NUMBER, description="The number of a receipt.")]


@router.get("", response_model=shapes.Graphs)
def list_graphs(home: AtHome) -> Wire:
    """List the rules of the hub."""
    found = home.app.graphs.entries()
    return {"graphs": [gateway_wire.of_entry(each) for each in found], "count": len(found)}


@router.post("", status_code=201, response_model=shapes.Created)
def create(home: AtHome, body: bodies.NewGraph) -> Wire:
    """Make a rule with its variables: checked, laid out, written, read back. With errors nothing is written."""
    new = NewRule(body.name, nodes_of(body.nodes), variables_from(body.variables), enable=body.enable, id=body.id)
    made = home.app.graphs.create(new)
    must_be_made(made.id, made.outcome)
    return gateway_wire.of_created(made)


@router.post("/validate", response_model=shapes.Verdict)
def validate(home: AtHome, body: bodies.CheckedGraph) -> Wire:
    """Say what is wrong with a rule; nothing is kept."""
    rule, profile = rule_from(body.graph), Profile(body.profile)
    found = home.app.graphs.check_capabilities(rule, profile) if body.capabilities else check(rule, profile)
    return graph_wire.of_verdict(found)


@router.post("/simulate", response_model=shapes.Simulation)
def simulate(home: AtHome, body: bodies.SimulatedGraph) -> Wire:
    """Run a rule on a virtual clock: what it would do about a script of events, and why. No device is touched."""
    about = asked(home.app, body.graph, body.id)
    return result_json(simulated(about.rule, about.script(body.script)))


@router.post("/plan", response_model=shapes.Plan, response_model_exclude_unset=True)
def plan(home: AtHome, body: bodies.WantedGraph) -> Wire:
    """Say what deploying a rule would change, and everything that is wrong with it; nothing is written."""
    graphs = home.app.graphs
    return graph_change_wire.of_plan(graphs.plan(graphs.addressed(rule_from(body.graph))))


@router.post("/receipts/{number}/rollback", response_model=shapes.RolledBack)
def roll_back(home: AtHome, number: Number) -> Wire:
    """Put a rule back as a receipt has it, with its own variables that are gone. Can be taken back too."""
    graphs = home.app.graphs
    done = graphs.roll_back(number)
    must_be_done(done.receipt.id, done.outcome)
    return graph_change_wire.of_rolled_back(done, graphs.number_of(done.receipt))


@router.get("/{graph}", response_model=shapes.Graph)
def show(home: AtHome, graph: str) -> Wire:
    """Show a rule as the hub keeps it."""
    return {**home.app.graphs.rule(graph).raw}


@router.put("/{graph}", response_model=shapes.Deployed, response_model_exclude_unset=True)
def deploy(home: AtHome, graph: str, body: bodies.WantedGraph) -> Wire:
    """Write a whole rule under its id, once, and read it back; what was there is kept as a receipt first."""
    rule = rule_from(body.graph)
    if rule.id and rule.id != graph:
        raise BadInput("graph_id_other", id=shown(rule.id), path=shown(graph))
    return _deployed(home, rule if rule.id else with_id(rule, graph), body.token)


@router.patch("/{graph}", response_model=shapes.Updated)
def change(home: AtHome, graph: str, body: bodies.ChangedGraph) -> Wire:
    """Change the name, all cards or the switch of a rule; what is not given stays, and cards keep their places."""
    if body.name is None and body.nodes is None and body.enable is None:
        raise BadInput("gateway_nothing")
    nodes = None if body.nodes is None else nodes_of(body.nodes)
    done = home.app.graphs.update(Change(graph, body.name, nodes, body.enable))
    must_be_done(done.id, done.outcome)
    return gateway_wire.of_updated(done)


@router.delete("/{graph}", response_model=shapes.Deleted)
def delete(home: AtHome, graph: str) -> Wire:
    """Delete a rule with its own variables; what it was is kept as a receipt first."""
    gone = home.app.graphs.delete(graph)
    must_be_done(gone.id, gone.outcome)
    return gateway_wire.of_deleted(gone)


@router.post("/{graph}/switch", response_model=shapes.Updated)
def switch(home: AtHome, graph: str, body: bodies.WantedSwitch) -> Wire:
    """Switch a rule on or off, and nothing else of it."""
    done = home.app.graphs.switch(graph, enable=body.enable)
    must_be_done(done.id, done.outcome)
    return gateway_wire.of_updated(done)


@router.get("/{graph}/receipts", response_model=shapes.Receipts)
def receipts(home: AtHome, graph: str) -> Wire:
    """List what a rule was before each write, the newest first; also of one that was deleted."""
    return {"receipts": [graph_change_wire.of_receipt(each) for each in home.app.graphs.receipts(graph)]}


@router.get("/{graph}/difference", response_model=shapes.Difference, response_model_exclude_unset=True)
def difference(
    home: AtHome, graph: str, receipt: Annotated[int, Query(ge=1, le=LARGEST_NUMBER, description="Its number.")]
) -> Wire:
    """Say how a rule differs now from what it was, by one of its receipts."""
    graphs = home.app.graphs
    return graph_change_wire.of_diff(graphs.compare(graphs.rule(graph), receipt))


def _deployed(home: Home, rule: Rule, token: str | None) -> Wire:
    graphs = home.app.graphs
    done = graphs.deploy(rule, token)
    must_be_done(done.receipt.id, done.outcome)
    return graph_change_wire.of_deployed(done, graphs.number_of(done.receipt))
