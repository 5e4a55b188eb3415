"""Device commands of a task as cards: each is looked up on the hub by number, and must mean the same there. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from zhixing.compiling.model import Deed, Site
from zhixing.graphs.building.builder import Builder, Outlet
from zhixing.graphs.building.cards import only_n_times
from zhixing.graphs.building.device_cards import device_action, device_output
from zhixing.graphs.building.sketch import Sketch, Span, Thing
from zhixing.graphs.building.time_cards import delay
from zhixing.graphs.specs.model import Action, Property
from zhixing.household.assembling.request import Device
from zhixing.household.composing.orders import KINDS
from zhixing.household.doing.steps import repeatable
from zhixing.household.doing.switching import Found, recognised
from zhixing.household.doing.wishes import Switch
from zhixing.tasks.rules.model import DeviceAction
from zhixing.world.devices.port import ActionSpec, Level, PropertySpec

_IID = re.compile(r"(prop|action)\.([0-9]{1,9})\.([0-9]{1,9})", re.ASCII)
_MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Command:
    """One command: a property with its value, or an action with its arguments. `pause` in minutes (0: none)."""

    thing: Thing
    member: Property | Action
    values: tuple[Level, ...]
    shown: str
    pause: int = 0

    @property
    def deed(self) -> Deed:
        """What a run of the card does."""
        number = self.member.piid if isinstance(self.member, Property) else self.member.aiid
        return self.thing.did, self.member.siid, number, self.values

    @property
    def sketch(self) -> Sketch:
        """The card."""
        if isinstance(self.member, Property):
            return device_output(self.thing, self.member, self.values[0])
        return device_action(self.thing, self.member, self.values)


@dataclass(frozen=True, slots=True)
class NotOnHub:
    """A command that the hub cannot give; `code` is that of a `Left`."""

    code: str
    shown: str


def command_of(action: DeviceAction, site: Site) -> Command | NotOnHub:
    """Return a command as the hub gives it, or why it cannot."""
    name = site.name_of(action.did)
    spec, found = site.home.spec_of(action.did), _IID.fullmatch(action.iid)
    if spec is None or found is None:
        return NotOnHub("device_elsewhere", f"{name} {action.iid}")
    kind, siid, number = found[1], int(found[2]), int(found[3])
    member = spec.property(siid, number) if kind == "prop" else spec.action(siid, number)
    ours = _name_of(action, site)
    if member is None or ours is None or member.name != ours:
        return NotOnHub("member_differs", f"{name} {ours or action.iid}")
    values = action.params if action.value is None else (action.value,)
    takes = 1 if isinstance(member, Property) else len(member.takes)
    if len(values) != takes:
        return NotOnHub("member_differs", f"{name} {ours}")
    said = "，".join(msgspec.json.encode(value).decode() for value in values)
    shown = f"{name} {ours}={said}" if isinstance(member, Property) else f"{name} {ours}({said})"
    pause = 0 if repeatable(action) else action.cooldown_minutes or 0
    return Command(Thing(action.did, spec), member, values, shown, pause)


def meant(wish: Switch, site: Site) -> tuple[DeviceAction, ...] | None:
    """Return the commands that words ask for, as the home is now; None where it cannot tell which device is meant."""
    devices = [Device(one.did, one.name, one.room, KINDS.get(one.category, one.category)) for one in site.devices]
    found = recognised(wish, devices, dict(site.specs))
    return found.actions if isinstance(found, Found) else None


def give(builder: Builder, pulse: Outlet, commands: Sequence[Command]) -> None:
    """Let a pulse give commands, in their order and none waiting for another; each with its pause."""
    for command in commands:
        card = builder.add(command.sketch)
        builder.wire(paused(builder, pulse, command.pause * _MINUTE_MS), card.pin())


def paused(builder: Builder, pulse: Outlet, pause_ms: int) -> Outlet:
    """Let a pulse through, and no other within `pause_ms` of it (0: every one)."""
    if not pause_ms:
        return pulse
    once, again = builder.add(only_n_times(1)), builder.add(delay(Span.of_ms(pause_ms)))
    builder.wire(pulse, once.pin())
    builder.wire(once.out(), again.pin())
    builder.wire(again.out(), once.pin("zero"))
    return once.out()


def _name_of(action: DeviceAction, site: Site) -> str | None:
    """Return what the member is called where the task was made; numbers alone mean nothing on another model."""
    spec = site.specs.get(action.did)
    members: tuple[PropertySpec | ActionSpec, ...] = () if spec is None else (*spec.properties, *spec.actions)
    return next((each.name for each in members if each.iid == action.iid), None)
