"""The home itself: its devices and what they read, its cameras, its people, and what happened to them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from zhixing.faces import home_wire
from zhixing.faces.home_wire import Wire
from zhixing.faces.http.api import home_shapes
from zhixing.faces.http.api.home_bodies import NewPerson, OtherPerson, Switched, Used
from zhixing.faces.http.home import AtHome
from zhixing.household import sight
from zhixing.kernel.moments import zone as find_zone
from zhixing.world.devices.names import find_device

LONGEST_LOG = 500

router = APIRouter(prefix="/home", tags=["home"])


@router.get("", response_model=home_shapes.Home)
def show(home: AtHome) -> Wire:
    """Show everything in the home, with what the devices read now."""
    return home_wire.of_home(sight.look(home.app.hub, home.app.people.list()))


@router.get("/devices/{device}", response_model=home_shapes.Device)
def show_device(home: AtHome, device: str) -> Wire:
    """Show one device, by its id or its name."""
    hub = home.app.hub
    return home_wire.of_device(sight.look_at(hub, find_device(hub.devices(), device)))


@router.put("/devices/{device}/{prop}", response_model=home_shapes.Device)
def switch(home: AtHome, device: str, prop: str, body: Switched) -> Wire:
    """Change a value of the virtual home as hands or the weather do: at once, and read-only ones too."""
    hub = home.app.hub
    found = find_device(hub.devices(), device)
    sight.virtual(hub).set_property(found.did, prop, body.value)
    return home_wire.of_device(sight.look_at(hub, found))


@router.post("/devices/{device}/events/{event}", response_model=home_shapes.Happened)
def press(home: AtHome, device: str, event: str) -> Wire:
    """Let an event of the virtual home happen as hands do: the click of a button."""
    hub = home.app.hub
    found = find_device(hub.devices(), device)
    return {"did": found.did, "iid": sight.press(hub, found.did, event)}


@router.put("/cameras/{camera}", response_model=home_shapes.Camera)
def use_camera(home: AtHome, camera: str, body: Used) -> Wire:
    """Let a camera judge, or not."""
    hub = home.app.hub
    return home_wire.of_camera(hub.use_camera(sight.find_camera(hub, camera).did, in_use=body.in_use))


@router.get("/people", response_model=home_shapes.People)
def people(home: AtHome) -> Wire:
    """List who lives here."""
    return {"people": [home_wire.of_person(person) for person in home.app.people.list()]}


@router.post("/people", status_code=201, response_model=home_shapes.Person)
def add_person(home: AtHome, body: NewPerson) -> Wire:
    """Enter somebody who lives here."""
    return home_wire.of_person(home.app.people.add(body.name, body.role))


@router.put("/people/{person}", response_model=home_shapes.Person)
def change_person(home: AtHome, person: str, body: OtherPerson) -> Wire:
    """Give somebody another name or role."""
    return home_wire.of_person(home.app.people.update(person, name=body.name, role=body.role))


@router.delete("/people/{person}", response_model=home_shapes.Person)
def remove_person(home: AtHome, person: str) -> Wire:
    """Remove somebody; rules that name them keep their words."""
    return home_wire.of_person(home.app.people.delete(person))


@router.get("/log", response_model=home_shapes.Log)
def log(
    home: AtHome,
    device: Annotated[str | None, Query(description="Only of this one, by its id or its name.")] = None,
    limit: Annotated[int, Query(ge=1, le=LONGEST_LOG)] = 50,
) -> Wire:
    """List the last things that happened in the virtual home, oldest first."""
    hub = sight.virtual(home.app.hub)
    did = None if device is None else find_device(hub.devices(), device).did
    zone = find_zone(home.app.zone.name)
    return {"log": [home_wire.of_happening(one, zone) for one in hub.happenings(limit, did)]}
