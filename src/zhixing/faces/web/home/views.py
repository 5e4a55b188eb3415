"""What the page shows: the store is read in one go, and the hubs are asked outside of that."""

from __future__ import annotations

from dataclasses import dataclass

from zhixing.app import App
from zhixing.faces.rule_words import single_line
from zhixing.faces.web.desk import Desk
from zhixing.faces.web.home import reading
from zhixing.faces.web.home.asking import Span, Wish
from zhixing.faces.web.home.devices import Found, Room, find, rooms_of
from zhixing.faces.web.home.judging import Source, latest, sources_of
from zhixing.faces.web.home.machines import ShownMachine, shown_machine
from zhixing.faces.web.home.stream import Line, stream_of
from zhixing.faces.web.language import line_of
from zhixing.household.sight import names_of
from zhixing.kernel.errors import ZhixingError
from zhixing.kernel.moments import zone as find_zone
from zhixing.world.devices.joined import part
from zhixing.world.devices.port import Person
from zhixing.world.devices.virtual import VirtualHome


@dataclass(frozen=True, slots=True)
class Sight:
    """All of it. Numbers whose names end in `more` say how many were left out."""

    wish: Wish
    people: tuple[Person, ...]
    rooms: tuple[Room, ...]
    devices_more: int
    room_tabs: tuple[tuple[str, str, bool], ...]
    sources: tuple[Source, ...]
    judged_more: int
    stream: tuple[Line, ...]
    machines: tuple[ShownMachine, ...]
    span_tabs: tuple[tuple[str, str, bool], ...]
    older: str
    """The address of the rules behind those that are shown, if there are any."""
    away: str
    """Why the hubs say nothing."""
    is_virtual: bool
    zone: str


def look(desk: Desk, wish: Wish) -> Sight:
    """Look at a home. Raises `BadInput` where the wish names no rule to go on behind."""
    app, text, language = desk.home.app, desk.text, desk.language
    now, zone = app.clock.now(), find_zone(app.zone.name)
    with app.store.read() as tx:
        machines = reading.read(tx, wish.older)
    # The hubs are asked outside of the transaction.
    found = find(app)
    rooms, devices_more = rooms_of(app.hub, found, wish, language, text)
    sources, judged_more = sources_of(machines, found.cameras, found.names, zone, text)
    names = _names(app, found)
    return Sight(
        wish,
        found.people,
        rooms,
        devices_more,
        _room_tabs(desk, found, wish),
        sources,
        judged_more,
        stream_of(app.hub, latest(machines, found.names), zone, language, text),
        tuple(shown_machine(one, names, span=wish.span, now=now, zone=zone, text=text) for one in machines.shown),
        tuple((text(f"web_home.span_{span.value}"), wish.over(span).address, span is wish.span) for span in Span),
        wish.behind(machines.more).address if machines.more else "",
        "" if found.away is None else line_of(found.away, language),
        part(app.hub, VirtualHome) is not None,
        app.zone.name,
    )


def _names(app: App, found: Found) -> dict[str, str]:
    try:
        return names_of(app.hub)
    except ZhixingError:
        return found.names


def _room_tabs(desk: Desk, found: Found, wish: Wish) -> tuple[tuple[str, str, bool], ...]:
    rooms = [room for room in found.rooms if room]
    everywhere = (desk.text("web_home.room_all"), wish.in_room("").address, not wish.room)
    return (everywhere, *((single_line(room), wish.in_room(room).address, wish.room == room) for room in rooms[:50]))
