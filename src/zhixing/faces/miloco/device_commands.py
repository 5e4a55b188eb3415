"""device props, control, action: what a device says, and telling it something."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from zhixing.app import App
from zhixing.faces.cli.options import AtDesk
from zhixing.faces.miloco.envelope import DEVICE_FAILED, Partial, Reply, Wire
from zhixing.faces.miloco.house import backend
from zhixing.faces.miloco.options import plain
from zhixing.faces.miloco.usage import Usage
from zhixing.kernel.errors import BadInput
from zhixing.world.devices.names import find_device, parse_value, reason_text, resolve
from zhixing.world.devices.port import ActionSpec, Device, Done, Failed, Level, PropertySpec, Result

MOST_AT_ONCE = 20
"""Properties that one call reads or writes."""

Sets = Annotated[tuple[str, ...], Parameter(name="--set", negative=(), json_list=False)]


def props(did: str, /, *spec: str, desk: AtDesk) -> Reply:
    """Read properties, all that can be read where none is named."""
    with backend(desk) as app:
        device = find_device(app.hub.devices(), did)
        known = app.hub.spec(device.did)
        wanted = [_property(app, device, plain(name)) for name in _bounded(spec)]
        found = wanted or [one for one in known.properties if one.readable]
        rows = [_row(one, app.hub.read(device.did, one.iid)) for one in found]
    data = {"did": device.did, "props": rows}
    return _answered(data, rows) if wanted else data


def control(did: str, spec: str | None = None, value: str | None = None, /, *, set_: Sets = (), desk: AtDesk) -> Reply:
    """Write properties, one after the other; every value is checked before the first one is written."""
    pairs = [_pair(each) for each in _bounded(set_)]
    if spec is not None and value is not None:
        pairs.insert(0, (plain(spec), plain(value)))
    if not pairs or (spec is None) != (value is None):
        raise Usage("miloco_control")
    with backend(desk) as app:
        device = find_device(app.hub.devices(), did)
        wanted: list[tuple[PropertySpec, Level]] = []
        for name, text in pairs:
            one = _property(app, device, name)
            wanted.append((one, parse_value(one, text)))
        rows = [{**_row(one, app.hub.write(device.did, one.iid, level)), "value": level} for one, level in wanted]
    return _answered({"did": device.did, "props": rows}, rows)


def action(did: str, spec: str, /, *value: str, desk: AtDesk) -> Reply:
    """Have a device do something, with the arguments in their order."""
    with backend(desk) as app:
        device = find_device(app.hub.devices(), did)
        found = resolve(app.hub.spec(device.did), plain(spec))
        if not isinstance(found, ActionSpec):
            raise BadInput("miloco_no_action", name=plain(spec)[:64])
        if len(value) != len(found.arguments):
            raise BadInput(
                "rule_params_count", did=device.did, name=found.name, needed=len(found.arguments), given=len(value)
            )
        params = [parse_value(one, plain(text)) for one, text in zip(found.arguments, value, strict=True)]
        result = app.hub.act(device.did, found.iid, params)
    row = {"iid": found.iid, "name": found.name, **_outcome(result)}
    return _answered({"did": device.did, **row}, [row])


def _pair(written: str) -> tuple[str, str]:
    name, separator, text = plain(written).partition("=")
    if not separator or not name.strip():
        raise Usage("miloco_control")
    return name.strip(), text


def _bounded(names: tuple[str, ...]) -> tuple[str, ...]:
    if len(names) > MOST_AT_ONCE:
        raise Usage("miloco_many", limit=MOST_AT_ONCE)
    return names


def _property(app: App, device: Device, name: str) -> PropertySpec:
    found = resolve(app.hub.spec(device.did), name)
    if isinstance(found, ActionSpec):
        raise BadInput("miloco_no_property", name=name[:64])
    return found


def _row(one: PropertySpec, result: Result) -> Wire:
    value = result.value if isinstance(result, Done) else None
    return {"iid": one.iid, "name": one.name, "value": value, "unit": one.unit, **_outcome(result)}


def _outcome(result: Result) -> Wire:
    """Say what became of a command: `code` is 0, -1 (it certainly did not happen) or -2 (nobody knows)."""
    if isinstance(result, Done):
        return {"code": 0, "error": None}
    return {"code": -1 if isinstance(result, Failed) else -2, "error": reason_text(result)}


def _answered(data: Wire, rows: list[Wire]) -> Reply:
    failed = [row["error"] for row in rows if row["code"] != 0]
    return Partial(DEVICE_FAILED, "；".join(dict.fromkeys(failed)), data) if failed else data
