"""Where a rule looks, and which device it switches (H-SRC, H-VIEW, H-DEV)."""

from __future__ import annotations

from zhixing.household.assembling.draft import Draft, default, inferred, said
from zhixing.household.assembling.request import Camera, Device, Home
from zhixing.household.assembling.response import Act
from zhixing.household.assembling.trigger import Trigger
from zhixing.household.assembling.words import places, room_words


def matching(room: str, eyes: tuple[Camera, ...], side: str | None = None) -> tuple[str, ...]:
    """Return the cameras in use whose name or room bears the words for `room` (H-SRC-08)."""
    words = room_words(room)
    found = [eye for eye in eyes if any(word in eye.name or word in eye.room for word in words)]
    exact = [eye for eye in found if room in (eye.room, eye.name)]
    found = exact or found
    if side:
        found = [eye for eye in found if side[0] in eye.name] or found
    return tuple(eye.did for eye in found)


def entrances(home: Home) -> tuple[str, ...]:
    """Return the cameras in use that look at the way in."""
    return tuple(
        eye.did for eye in home.eyes if any(word in eye.name or word in eye.room for word in places("entrance"))
    )


def look(draft: Draft, trigger: Trigger, home: Home) -> None:
    """Decide the sources and what is asked about them."""
    behaviour = draft.behaviour
    marks = behaviour.marks if behaviour else frozenset()
    comes_in = "arrives" in marks or ("presence" in marks and trigger.came) or "leaves" in marks
    if home.sources and not trigger.rooms:
        draft.source = said(tuple(home.sources), "H-SRC-01")
        if marks & {"enters", "exits"} and draft.effect != "off" and draft.duration is None:
            draft.ask("viewpoint")
        return
    if trigger.rooms:
        found = tuple(dict.fromkeys(did for room in trigger.rooms for did in matching(room, home.eyes, trigger.side)))
        if not found:
            draft.ask("camera_name")
            draft.source = said(None, "H-SRC-06")
        else:
            draft.source = said(found, "H-SRC-04") if len(found) == 1 else inferred(found, "H-SRC-05")
        crosses = bool(marks & {"enters", "exits", "car", "boundary", "arrives"}) and draft.duration is None
        if crosses and draft.effect != "off" and found:
            _view(draft, trigger.rooms[0])
        return
    garage = matching("车库", home.eyes) if "car" in marks else ()
    if garage:
        draft.source = said(garage, "A-19")
        draft.viewpoint = default("covered", "H-VIEW-06")
        return
    if comes_in and not (draft.effect == "off" and "leaves" in marks):
        doors = entrances(home)
        if doors:
            draft.source = said(doors, "A-19") if len(doors) == 1 else inferred(doors, "H-SRC-05")
            draft.viewpoint = default("covered", "H-VIEW-06")
            return
        draft.source = default(None, "H-SRC-03")
        draft.ask("viewpoint")
        return
    draft.source = default(None, "H-SRC-03")
    if marks & {"boundary", "enters", "exits"} and draft.effect != "off" and draft.duration is None:
        draft.ask("viewpoint")


def _view(draft: Draft, room: str) -> None:
    if room in places("seen"):
        draft.viewpoint = default("covered", "H-VIEW-06")
    else:
        draft.ask("viewpoint")


def speaker(draft: Draft, home: Home, named: str | None) -> None:
    """Choose the speaker of something told aloud: in the room that is named with it, or where it happens (A-75)."""
    rooms = (named,) if named else draft.rooms
    speakers = [device for device in home.devices if device.kind == "speaker"]
    if not speakers:
        return
    near = [device for device in speakers if any(_in(device, room) for room in rooms)]
    chosen = (near or speakers)[0]
    draft.device = (
        default(chosen.did, "H-DEV-04") if len(speakers) > 1 and not (named and near) else said(chosen.did, "H-DEV-03")
    )


def device_for(draft: Draft, act: Act, home: Home) -> None:
    """Choose what `act` switches; asks where the home has nothing of that kind (A-49)."""
    kind = "speaker" if act.kind == "music" else act.kind
    found = [device for device in home.devices if device.kind == kind]
    precise = [device for device in found if len(act.noun) > 1 and act.noun in device.name]
    found = precise or found
    room = act.room or (draft.rooms[0] if draft.rooms else None)
    if room is not None:
        here = [device for device in found if _in(device, room)]
        found = here or ([] if act.room else found)
    if not found:
        draft.ask("device")
        return
    draft.device = default(found[0].did, "H-DEV-04") if len(found) > 1 else said(found[0].did, "H-DEV-03")


def _in(device: Device, room: str) -> bool:
    return any(word in device.room or word in device.name for word in room_words(room))
