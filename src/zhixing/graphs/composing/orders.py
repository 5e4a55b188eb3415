"""What a device is told so that it does something: switched, set, made to say. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zhixing.graphs.building.sketch import Thing
from zhixing.graphs.composing.abilities import part_of
from zhixing.graphs.composing.plan import Call, Order, Write
from zhixing.graphs.composing.request import MEASURES, Act, Play, Say, Setting, Switch
from zhixing.graphs.specs.meanings import Choosing, Doing, Meaning, find_actions, find_choice, find_properties, switches
from zhixing.graphs.specs.model import Access, Property, Value, as_written
from zhixing.graphs.specs.ranges import exact, plain

_WRITES = (Access.WRITE,)
_SET = {**MEASURES, "temperature": Meaning.TARGET_TEMPERATURE, "position": Meaning.TARGET_POSITION}
_BY_UNIT = {
    "degree": (Meaning.TARGET_TEMPERATURE,),
    "kelvin": (Meaning.COLOR_TEMPERATURE,),
    "level": (Meaning.FAN_LEVEL,),
    "percent": (Meaning.BRIGHTNESS, Meaning.TARGET_POSITION, Meaning.VOLUME),
}
_ANY = (Meaning.BRIGHTNESS, Meaning.TARGET_POSITION, Meaning.VOLUME, Meaning.TARGET_TEMPERATURE)


@dataclass(frozen=True, slots=True)
class Doable:
    """One way to do something; `part` and `label` tell apart several on one device."""

    order: Order
    part: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Limited:
    """The device has the measure and does not take the value: what it takes."""

    prop: Property
    takes: str


def orders(thing: Thing, act: Act, text: str = "") -> Iterator[Doable]:
    """Yield how a device does an act; nothing where it cannot. `text` is what is said aloud."""
    match act:
        case Switch():
            yield from _turned(thing, act)
        case Setting():
            values = ((prop, value_for(prop, act)) for prop in settable(thing, act))
            yield from (Doable(Write(thing, prop, value)) for prop, value in values if not isinstance(value, Limited))
        case Say():
            found = [each for each in find_actions(thing.spec, Doing.PLAY_TEXT) if len(each.takes) == 1]
            yield from (Doable(Call(thing, each, (text,))) for each in found[:1])
        case Play():
            found = [each for each in find_actions(thing.spec, act.doing) if not each.takes]
            yield from (Doable(Call(thing, each)) for each in found[:1])


def _turned(thing: Thing, act: Switch) -> Iterator[Doable]:
    if act.turn == "toggle":
        actions = find_actions(thing.spec, Doing.TOGGLE)
        own = {each.siid: each for each in switches(thing.spec)}
        found = [each for each in actions if each.siid in own and not each.takes]
        for action in found:
            yield Doable(Call(thing, action), *part_of(thing, own[action.siid], len(found)))
        return
    # A curtain is driven, whatever else it can be told.
    choosing = Choosing.OPEN if act.turn == "on" else Choosing.CLOSE
    for prop in find_properties(thing.spec, Meaning.MOTOR, _WRITES):
        choice = find_choice(prop, choosing)
        if choice is not None:
            yield Doable(Write(thing, prop, choice.value))
            return
    for prop in find_properties(thing.spec, Meaning.TARGET_POSITION, _WRITES):
        if prop.range is not None and prop.range.usable:
            yield Doable(Write(thing, prop, plain(prop.range.high if act.turn == "on" else prop.range.low)))
            return
    keys = switches(thing.spec)
    for key in keys:
        yield Doable(Write(thing, key, act.turn == "on"), *part_of(thing, key, len(keys)))


def settable(thing: Thing, act: Setting) -> tuple[Property, ...]:
    """Return the property that an act sets: of the measure that was named, else the only one that it can mean."""
    if act.measure:
        return find_properties(thing.spec, _SET[act.measure], _WRITES)[:1]
    if isinstance(act.value, str) and act.unit != "extreme":
        found = [
            each
            for name in (Meaning.MODE, Meaning.FAN_LEVEL)
            for each in find_properties(thing.spec, name, _WRITES)[:1]
        ]
        return tuple(each for each in found if _choice(each, act.value) is not None)[:1]
    wanted = _BY_UNIT.get(act.unit, _ANY)
    found = [each for meaning in wanted for each in find_properties(thing.spec, meaning, _WRITES)[:1]]
    return tuple(found) if len(found) == 1 else ()


def value_for(prop: Property, act: Setting) -> Value | Limited:
    """Return what is sent; `Limited` where the property does not take it."""
    if isinstance(act.value, str):
        if act.unit != "extreme":
            choice = _choice(prop, act.value)
            return Limited(prop, takes(prop)) if choice is None else choice
        if prop.range is None or not prop.range.usable or prop.choices:
            return Limited(prop, takes(prop))
        return plain(prop.range.high if act.value == "most" else prop.range.low)
    if prop.choices:
        choice = _choice(prop, f"{act.value:g}档")
        return Limited(prop, takes(prop)) if choice is None else choice
    if not prop.format.numeric or not prop.fits_type(act.value) or not prop.in_range(act.value):
        return Limited(prop, takes(prop))
    return as_written(prop, act.value) if prop.on_step(act.value) else Limited(prop, takes(prop))


def _choice(prop: Property, words: str) -> Value | None:
    """Return the entry of a list that is called so; None for none or several."""
    found = [each.value for each in prop.choices if each.description.replace(" ", "") == words.replace(" ", "")]
    return found[0] if len(found) == 1 else None


def takes(prop: Property) -> str:
    """Say what a property takes."""
    if prop.choices:
        return "、".join(each.description for each in prop.choices[:12])
    if prop.range is None or exact(prop.range.low) is None or exact(prop.range.high) is None:
        return "?"
    step = f" / {plain(prop.range.step)}" if prop.range.step not in {None, 0, 1} else ""
    return f"{plain(prop.range.low)}–{plain(prop.range.high)}{step}"
