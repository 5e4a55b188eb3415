"""home: the devices, people and cameras of this home, and what a person does to them."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from cyclopts import App, Parameter

from zhixing.faces import home_wire, perception_wire
from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import House, house
from zhixing.faces.cli.options import TYPED, AtDesk, Json, Limit, within
from zhixing.faces.cli.pages import INDENT, NOTHING
from zhixing.faces.rule_words import capability, level_text, single_line
from zhixing.household import sight
from zhixing.household.sight import Reading, SeenDevice, Sight
from zhixing.kernel.errors import Conflict
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.notices.telling import moment_text
from zhixing.settings.vision import poller_of
from zhixing.world.devices.keeping import Happening
from zhixing.world.devices.names import find_device
from zhixing.world.devices.port import Camera, Done, Person

home = App(name="home", help_flags=(), version_flags=())

LONGEST_LOG = 500

Room = Annotated[str | None, Parameter(name="--room")]
OfDevice = Annotated[str | None, Parameter(name="--device")]
OnOff = Literal["on", "off"]


@home.command(name="show")
def show(*, room: Room = None, as_json: Json = False, desk: AtDesk) -> None:
    """Show rooms, people, cameras and devices with what they read now."""
    with house(desk) as opened:
        seen = _look(opened)
    if room is not None:
        seen = _of_room(seen, room)
    if as_json:
        desk.give(home_wire.of_home(seen))
        return
    if room is None:
        _show_people(seen, desk)
    for name in seen.rooms:
        desk.say(name or wording("faces.room_none"))
        rows = [_camera_row(camera) for camera in seen.cameras if camera.room == name]
        rows += [_device_row(one) for one in seen.devices if one.device.room == name]
        desk.lay_out(rows)


@home.command(name="set")
def set_(device: str, prop: str, value: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Change a value as a person at the device would."""
    with house(desk) as opened:
        hub = opened.app.hub
        found = find_device(hub.devices(), device)
        level = sight.flip(hub, found.did, prop, value.removeprefix(TYPED))
        seen = sight.look_at(hub, found)
    line = wording("faces.flipped", device=found.name, prop=prop, value=level_text(level))
    desk.answer(home_wire.of_device(seen), [line], as_json=as_json)


@home.command(name="press")
def press(device: str, event: str = "click", /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Let an event happen as a person at the device would: press a button, say."""
    with house(desk) as opened:
        found = find_device(opened.app.hub.devices(), device)
        iid = sight.press(opened.app.hub, found.did, event)
    line = wording("faces.pressed", device=found.name, event=event)
    desk.answer({"did": found.did, "iid": iid}, [line], as_json=as_json)


@home.command(name="camera")
def use_camera(camera: str, use: OnOff, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Let a camera judge, or not."""
    with house(desk) as opened:
        found = sight.find_camera(opened.app.hub, camera)
        after = opened.app.hub.use_camera(found.did, in_use=use == "on")
    key = "camera_used" if after.in_use else "camera_unused"
    desk.answer(home_wire.of_camera(after), [wording(f"faces.{key}", camera=after.name)], as_json=as_json)


@home.command(name="look")
def look(camera: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Look at a camera once: what is true of what it shows now. No rule hears of it."""
    with house(desk) as opened:
        app = opened.app
        found = sight.find_camera(app.hub, camera)
        settings, zone = opened.configuration.settings, find_zone(app.zone.name)
        poller = poller_of(settings, app.store, app.rules, app.hub, clock=desk.clock, zone=zone)
        if poller is None:
            raise Conflict("vision_unset")
        glance = poller.glance(found)
    if as_json:
        desk.give(perception_wire.of_glance(found.did, glance))
        return
    taken = moment_text(glance.snapshot.taken_at, desk.clock.now().astimezone(zone).date(), zone)
    size = len(glance.snapshot.data) // 1024
    desk.say(wording("faces.glanced", camera=found.name, moment=taken, size=size))
    for query, said in glance.judgements.items():
        desk.say(INDENT + single_line(query))
        value = wording(f"faces.judged_{said.value.value}")
        desk.say(INDENT * 2 + wording("faces.judged", value=value, reason=single_line(said.reason)))
    if not glance.judgements:
        desk.say(INDENT + wording("faces.asked_nothing"))


@home.command(name="log")
def log(*, device: OfDevice = None, limit: Limit = 50, as_json: Json = False, desk: AtDesk) -> None:
    """Show what happened to the devices, the oldest first."""
    within("--limit", limit, 1, LONGEST_LOG)
    with house(desk) as opened:
        hub = sight.virtual(opened.app.hub)
        names = sight.names_of(hub)
        did = None if device is None else find_device(hub.devices(), device).did
        happened = hub.happenings(limit, did)
        zone = find_zone(opened.app.zone.name)
    if as_json:
        desk.give({"log": [home_wire.of_happening(one, zone) for one in happened]})
        return
    today = desk.clock.now().astimezone(zone).date()
    desk.lay_out([_happening_row(one, names, today, zone) for one in happened])
    if not happened:
        desk.say(wording("faces.log_empty"))


for _name, _place in {
    "watched": "watching:watched",
    "verdict": "watching:verdict",
    "verdicts": "watching:verdicts",
}.items():
    home.command(f"zhixing.faces.cli.{_place}", name=_name)


def _happening_row(one: Happening, names: dict[str, str], today: date, zone: ZoneInfo) -> list[str]:
    values = wording("faces.and").join(level_text(value) for value in one.values)
    by = wording(f"faces.by_{one.by.value}")
    what = f"{capability(one.did, one.iid, names)} {values}".rstrip()
    return [moment_text(one.at, today, zone), by, names.get(one.did, one.did), what]


def _look(opened: House) -> Sight:
    return sight.look(opened.app.hub, opened.app.people.list())


def _of_room(seen: Sight, room: str) -> Sight:
    return Sight(
        seen.people,
        tuple(camera for camera in seen.cameras if camera.room == room),
        tuple(one for one in seen.devices if one.device.room == room),
    )


def _show_people(seen: Sight, desk: Desk) -> None:
    if seen.people:
        names = wording("faces.and").join(_person_text(person) for person in seen.people)
        desk.say(wording("faces.people", names=names))


def _person_text(person: Person) -> str:
    return f"{person.role}（{person.name}）" if person.role else person.name


def _camera_row(camera: Camera) -> list[str]:
    key = "camera_offline" if not camera.online else "camera_in_use" if camera.in_use else "camera_not_in_use"
    return [INDENT + camera.did, camera.name, wording(f"faces.{key}")]


def _device_row(seen: SeenDevice) -> list[str]:
    values = "  ".join(_reading_text(reading) for reading in seen.readings)
    if not seen.device.online:
        values = wording("faces.device_offline")
    return [INDENT + seen.device.did, seen.device.name, values or NOTHING]


def _reading_text(reading: Reading) -> str:
    if not isinstance(reading.result, Done):
        return f"{reading.spec.name}=?"
    value = reading.result.value
    label = next((label for choice, label in reading.spec.choices if choice == value), None)
    return f"{reading.spec.name}={single_line(label) if label else level_text(value)}{reading.spec.unit}"
