"""The hub that runs rule graphs: which one it is, its devices, variables and log."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from zhixing.faces import gateway_wire
from zhixing.faces.graph_wire import Wire
from zhixing.faces.http.api import graph_bodies as bodies
from zhixing.faces.http.api import graph_shapes, hub_shapes
from zhixing.faces.http.home import AtHome
from zhixing.graphs.hubs.asking import MOST_ASKED
from zhixing.graphs.hubs.new_variables import new_variable
from zhixing.graphs.hubs.usage import LONGEST_QUERY
from zhixing.kernel.errors import BadInput

MOST_LINES = 10_000
"""Lines of a log in one answer."""

router = APIRouter(prefix="/graphs", tags=["graphs"])

Dids = Annotated[list[str] | None, Query(max_length=MOST_ASKED, description="Only these; may be repeated.")]
Words = Annotated[str | None, Query(max_length=LONGEST_QUERY, description="Part of an id, name, room or model.")]


@router.get("/hub", response_model=graph_shapes.Hub)
def status(home: AtHome) -> Wire:
    """Say which hub is spoken to."""
    return gateway_wire.of_status(home.app.graphs.session.status())


@router.post("/hub/connect", response_model=graph_shapes.Hub)
def connect(home: AtHome, body: bodies.WantedHub) -> Wire:
    """Connect to a real hub, for as long as the server runs."""
    return gateway_wire.of_status(home.app.graphs.session.connect(body.passcode, body.gateway_url or ""))


@router.post("/hub/disconnect", response_model=graph_shapes.Hub)
def disconnect(home: AtHome) -> Wire:
    """Leave the real hub; said twice it changes nothing."""
    return gateway_wire.of_status(home.app.graphs.session.disconnect())


@router.get("/devices", response_model=hub_shapes.HubDevices, response_model_exclude_unset=True)
def devices(home: AtHome, did: Dids = None) -> Wire:
    """List the devices of the hub; of those asked for, with what they can do."""
    graphs = home.app.graphs
    if did:
        found = graphs.find_devices(did)
        return gateway_wire.of_found(did, found, graphs.known(found.devices))
    every = graphs.devices().values()
    return {"devices": [gateway_wire.of_device(each) for each in every], "count": len(every)}


@router.get("/usage", response_model=hub_shapes.DeviceUsage, response_model_exclude_unset=True)
def usage(home: AtHome, did: Dids = None, query: Words = None) -> Wire:
    """Say which rules use devices: those of the dids, those that `query` meets, or all that are used."""
    return gateway_wire.of_device_usage(home.app.graphs.device_usage(did, query))


@router.get("/conflicts", response_model=hub_shapes.Contests)
def conflicts(home: AtHome) -> Wire:
    """List properties that several rules which are on set to different values. That need not be wrong."""
    return {"conflicts": [gateway_wire.of_contest(each) for each in home.app.graphs.contests()]}


@router.get("/log", response_model=hub_shapes.HubLog)
def log(
    home: AtHome,
    graph: Annotated[str | None, Query(description="Only of this rule.")] = None,
    limit: Annotated[int, Query(ge=1, le=MOST_LINES, description="At most so many lines.")] = 200,
) -> Wire:
    """Read the last lines of the log of the hub, the oldest first."""
    return gateway_wire.of_log(home.app.graphs.log(graph), limit)


@router.get("/variables", response_model=hub_shapes.HubVariables)
def variables(
    home: AtHome, scope: Annotated[str | None, Query(description="`global`, or `R` and the id of a rule.")] = None
) -> Wire:
    """List the variables of a scope, or of all."""
    there = home.app.graphs.variables
    scopes = there.scopes() if scope is None else (scope,)
    found = [each for one in scopes for each in there.listed(one)]
    return {"variables": [gateway_wire.of_variable(each) for each in found], "count": len(found)}


@router.post("/variables", status_code=201, response_model=hub_shapes.HubVariable)
def create_variable(home: AtHome, body: bodies.NewVariable) -> Wire:
    """Make a variable; one of a rule's own scope only where there is that rule."""
    new = new_variable(body.id, body.type, body.value, body.name, body.scope)
    return gateway_wire.of_variable(home.app.graphs.variables.create(new))


@router.get("/variables/{scope}/{variable}", response_model=hub_shapes.UsedVariable)
def show_variable(home: AtHome, scope: str, variable: str) -> Wire:
    """Show a variable, and which rules use it."""
    there = home.app.graphs.variables
    config, value = there.config(scope, variable), there.value(scope, variable)
    about = {"scope": scope, "id": variable, "type": config.type.value, "value": value, "name": config.name}
    return {**about, **gateway_wire.of_variable_usage(there.uses(scope, variable))}


@router.put("/variables/{scope}/{variable}", response_model=hub_shapes.HubVariable)
def change_variable(home: AtHome, scope: str, variable: str, body: bodies.OtherVariable) -> Wire:
    """Set the value of a variable that exists, or what the editor calls it: one of the two."""
    if (body.value is None) == (body.name is None):
        raise BadInput("graph_variable_change")
    there = home.app.graphs.variables
    if body.name is not None:
        return gateway_wire.of_variable(there.rename(scope, variable, body.name))
    return gateway_wire.of_variable(there.set(scope, variable, body.value))


@router.delete("/variables/{scope}/{variable}", response_model=hub_shapes.GoneVariable)
def delete_variable(home: AtHome, scope: str, variable: str) -> Wire:
    """Delete a variable that no rule uses; it cannot be had back."""
    home.app.graphs.variables.delete(scope, variable)
    return {"scope": scope, "id": variable, "deleted": True}
