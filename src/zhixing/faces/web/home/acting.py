"""The forms of the page: hands on the virtual home, cameras, people, and verdicts that a person gives."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Form
from starlette.responses import Response

from zhixing.faces import perception_wire
from zhixing.faces.web.desk import AtDesk, own_form
from zhixing.faces.web.home.showing import act_home
from zhixing.household import sight
from zhixing.kernel.errors import BadInput
from zhixing.world.perception.reading import read_verdict

forms = APIRouter(prefix="/home", include_in_schema=False, dependencies=[Depends(own_form)])

Text = Annotated[str, Form()]
_VALUES = {"true": True, "false": False, "unknown": None}


@forms.post("/set")
def set_(desk: AtDesk, device: Text = "", prop: Text = "", value: Text = "", here: Text = "") -> Response:
    """Change a value of the virtual home as hands do."""
    hub = desk.home.app.hub
    return act_home(desk, lambda: sight.flip(hub, device, prop, value), here, "home_set")


@forms.post("/press")
def press(desk: AtDesk, device: Text = "", event: Text = "", here: Text = "") -> Response:
    """Let an event of the virtual home happen as hands do."""
    return act_home(desk, lambda: sight.press(desk.home.app.hub, device, event), here, "home_pressed")


@forms.post("/camera")
def use_camera(desk: AtDesk, camera: Text = "", use: Text = "", here: Text = "") -> Response:
    """Let a camera judge, or not."""
    hub = desk.home.app.hub

    def act() -> None:
        hub.use_camera(sight.find_camera(hub, camera).did, in_use=use == "on")

    return act_home(desk, act, here, "home_camera")


@forms.post("/verdict")
def verdict(
    desk: AtDesk,
    *,
    source: Text = "",
    condition: Text = "",
    says: Text = "",
    reason: Text = "",
    firm: Text = "",
    here: Text = "",
) -> Response:
    """Give a verdict as a camera or a sensor would."""
    app = desk.home.app

    def act() -> None:
        if says not in _VALUES:
            raise BadInput("web_home_says")
        said = {
            "source": sight.source_of(app.hub, source.strip()),
            "condition": condition.strip(),
            "value": _VALUES[says],
            "at": app.clock.now().isoformat(),
            "reason": reason,
            "firm": firm == "on",
        }
        perception_wire.take(app.rules, [read_verdict(said)])

    return act_home(desk, act, here, "home_verdict")


@forms.post("/people")
def add_person(desk: AtDesk, name: Text = "", role: Text = "", here: Text = "") -> Response:
    """Enter somebody who lives here."""
    return act_home(desk, lambda: desk.home.app.people.add(name, role), here, "home_people")


@forms.post("/people/change")
def change_person(desk: AtDesk, person: Text = "", name: Text = "", role: Text = "", here: Text = "") -> Response:
    """Give somebody another name or role."""
    people = desk.home.app.people
    return act_home(desk, lambda: people.update(person, name=name, role=role), here, "home_people")


@forms.post("/people/remove")
def remove_person(desk: AtDesk, person: Text = "", here: Text = "") -> Response:
    """Remove somebody; rules that name them keep their words."""
    return act_home(desk, lambda: desk.home.app.people.delete(person), here, "home_people")
