"""person list, add, update, delete: who lives here."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from zhixing.app import App
from zhixing.faces.cli.options import AtDesk
from zhixing.faces.miloco.envelope import Wire
from zhixing.faces.miloco.house import backend
from zhixing.faces.miloco.options import Maybe, Text, plain
from zhixing.faces.miloco.usage import Usage
from zhixing.world.devices.port import Person

Somebody = Annotated[str, Parameter(name="PERSON")]


def list_(*, desk: AtDesk) -> list[Wire]:
    """Return everybody."""
    with backend(desk) as app:
        return [_wire(person) for person in app.people.list()]


def add(*, name: Text, role: Text = "", desk: AtDesk) -> Wire:
    """Enter somebody."""
    with backend(desk) as app:
        return _wire(app.people.add(name, role))


def update(person: Somebody, /, *, name: Maybe = None, role: Maybe = None, desk: AtDesk) -> Wire:
    """Change a name or a role."""
    if name is None and role is None:
        raise Usage("miloco_nothing_to_change")
    with backend(desk) as app:
        return _wire(app.people.update(_id_of(person, app), name=name, role=role))


def delete(person: Somebody, /, *, desk: AtDesk) -> Wire:
    """Remove somebody."""
    with backend(desk) as app:
        return _wire(app.people.delete(_id_of(person, app)))


def _id_of(written: str, app: App) -> str:
    """Return the id of somebody who is named by id or by name."""
    wanted = plain(written)
    return next((person.id for person in app.people.list() if wanted == person.name), wanted)


def _wire(person: Person) -> Wire:
    return {"id": person.id, "name": person.name, "role": person.role or None}
