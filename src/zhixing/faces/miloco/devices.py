"""device list, device spec: tables of what there is, with tabs between the columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from cyclopts import Parameter

from zhixing.faces.cli.options import AtDesk
from zhixing.faces.miloco.envelope import Text
from zhixing.faces.miloco.house import backend, home_name
from zhixing.faces.miloco.options import Flag, Maybe
from zhixing.world.devices.names import find_device, range_text
from zhixing.world.devices.port import ActionSpec, DeviceSpec, PropertySpec

COLUMNS = ("did", "device_name", "room", "category", "online")
Dids = Annotated[str, Parameter(name="DID", required=True)]


def list_(*, room: Maybe = None, category: Maybe = None, online: Flag = False, desk: AtDesk) -> Text:
    """Return the devices, one on a line."""
    with backend(desk) as app:
        found = [
            (device.did, device.name, device.room, device.category, "true" if device.online else "false")
            for device in app.hub.devices()
            if room in (None, device.room) and category in (None, device.category) and (device.online or not online)
        ]
        head = f"# home={_cell(home_name(app))}"
    return Text((head, *("\t".join(map(_cell, row)) for row in (COLUMNS, *found))))


def spec(*did: Dids, desk: AtDesk) -> Text:
    """Return what devices can do: a block for each, a line for each property, action and argument."""
    with backend(desk) as app:
        devices = app.hub.devices()
        found = [find_device(devices, written) for written in did]
        blocks = [(device, app.hub.spec(device.did)) for device in found]
    lines: list[str] = []
    for device, known in blocks:
        lines.append(f"# did={device.did} name={_cell(device.name)} room={_cell(device.room)}")
        lines.extend(_spec_lines(known))
    return Text(tuple(lines))


def _spec_lines(known: DeviceSpec) -> Iterator[str]:
    for one in known.properties:
        yield _property_line(one, one.iid)
    for action in known.actions:
        yield _action_line(action)
        for argument in action.arguments:
            yield _property_line(argument, f"  {argument.iid}")


def _property_line(one: PropertySpec, iid: str) -> str:
    access = ("r" if one.readable else "") + ("w" if one.writable else "")
    return " | ".join((f"{iid} {one.name}", access, one.format, _constraint(one), one.unit)).rstrip()


def _action_line(action: ActionSpec) -> str:
    return " | ".join((f"{action.iid} {action.name}", "x", f"in={len(action.arguments)}", "", "")).rstrip()


def _constraint(one: PropertySpec) -> str:
    if one.choices:
        return ",".join(f"{number}={_cell(label)}" for number, label in one.choices)
    return range_text(one).removesuffix(one.unit).rstrip()


def _cell(text: str) -> str:
    """Return text that stays in its column."""
    return " ".join(text.split())
