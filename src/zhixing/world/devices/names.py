"""Names of what a device can do, and values that fit (design §10: names are resolved when a rule is made).

A property is asked for as `prop.2.1`, `prop.on` or `on`, an action as `action.5.1`, `action.play-text` or `play-text`;
`_` is taken for `-`, capitals for small letters. A name that several properties share is never guessed at.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from zhixing.kernel.errors import BadInput, NotFound
from zhixing.kernel.wording import Language, wording
from zhixing.world.devices.port import ActionSpec, Device, DeviceSpec, Failed, Level, PropertySpec, Uncertain

LONGEST_TEXT = 1_000
"""Characters of a text value."""
LARGEST_WHOLE = 2**53 - 1
"""Beyond, JSON readers disagree about whole numbers."""
LONGEST_QUOTE = 64
"""Characters of what somebody wrote that a message repeats."""

_SHOWN = 8
_YES = {"true", "on", "1", "yes", "开", "是"}
_NO = {"false", "off", "0", "no", "关", "否"}


def resolve(spec: DeviceSpec, iid: str) -> PropertySpec | ActionSpec:
    """Return what `iid` names; raises `BadInput` that says which names the device has instead."""
    every: list[PropertySpec | ActionSpec] = [*spec.properties, *spec.actions]
    members, text = every, _folded(iid)
    for member in members:
        if member.iid == text:
            return member
    kind, dot, rest = text.partition(".")
    if dot and kind in {"prop", "action"}:
        members = [member for member in every if member.iid.startswith(f"{kind}.")]
    else:
        rest = text
    named = [member for member in every if _folded(member.name) == rest]
    found = [member for member in named if member in members]
    if len(found) == 1:
        return found[0]
    shown = quoted(iid)
    if found:
        numbers = "、".join(member.iid for member in found)
        raise BadInput("capability_ambiguous", did=spec.did, iid=shown, known=numbers)
    if not every:
        raise BadInput("capability_none", did=spec.did, iid=shown)
    raise BadInput("capability_unknown", did=spec.did, iid=shown, known=_nearest(rest, named or members or every))


def check_value(spec: PropertySpec, value: object) -> Level:
    """Return `value` as it is to be written; raises `BadInput` when the property cannot be written or it does not fit.

    A whole number for a property with decimals becomes one; the name of a choice (制冷) becomes its number.
    """
    if not spec.writable:
        raise BadInput("property_read_only", name=spec.name, iid=spec.iid)
    return fitting(spec, value)


def fitting(spec: PropertySpec, value: object) -> Level:
    """Return `value` as the property holds it, whether or not anybody may write it."""
    if isinstance(value, str) and spec.choices:
        value = next((number for number, name in spec.choices if name == value), value)
    fault = misfit(spec, value)
    if fault is not None or not isinstance(value, bool | int | float | str):
        raise BadInput("value_unfit", name=spec.name, problem=fault_text(*(fault or ("wrong_type", spec.format))))
    return settled(spec, value)


def parse_value(spec: PropertySpec, text: str) -> Level:
    """Read a value as it is typed on a command line, and check it like `check_value`."""
    value: object = text
    word = text.strip().lower()
    if spec.format == "bool" and word in _YES | _NO:
        value = word in _YES
    elif spec.format in {"int", "float"} and len(word) <= 32 and not any(text == name for _, name in spec.choices):
        try:
            value = int(word) if spec.format == "int" else float(word)
        except ValueError:
            value = text
    return check_value(spec, value)


def misfit(spec: PropertySpec, value: object) -> tuple[str, str] | None:
    """Say why `value` does not fit: a key of section `devices` and its detail; None where it fits. Pure."""
    match spec.format:
        case "bool":
            return None if isinstance(value, bool) else ("wrong_type", "bool")
        case "string":
            return _text_misfit(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ("wrong_type", spec.format)
    # Not a number is not between anything.
    if not -LARGEST_WHOLE <= value <= LARGEST_WHOLE or (spec.format == "int" and value != int(value)):
        return ("wrong_type", spec.format)
    if spec.choices and all(value != number for number, _ in spec.choices):
        return ("not_a_choice", "、".join(f"{number} {name}" for number, name in spec.choices))
    if (spec.low is not None and value < spec.low) or (spec.high is not None and value > spec.high):
        return ("out_of_range", range_text(spec))
    return None if _on_step(spec, value) else ("off_step", range_text(spec))


def settled(spec: PropertySpec, value: Level) -> Level:
    """Return a value that fits in the type of the property: 26 for a float is 26.0, 26.0 for an int is 26."""
    if spec.format == "float":
        return float(value)
    return int(value) if spec.format == "int" else value


def range_text(spec: PropertySpec) -> str:
    """Return the range of a property as a user reads it, such as `16–31/0.5 ℃`; "" where it has none."""
    if spec.low is None and spec.high is None:
        return ""
    low, high = ("" if bound is None else f"{bound:g}" for bound in (spec.low, spec.high))
    step = "" if spec.step is None else f"/{spec.step:g}"
    return f"{low}–{high}{step} {spec.unit}".rstrip()


def fault_text(key: str, detail: str, language: Language = "zh") -> str:
    """Return a reason of section `devices` as a user reads it."""
    if key == "wrong_type":
        detail = wording(f"devices.format_{detail}", language)
    return wording(f"devices.{key}", language, detail=detail)


def reason_text(result: Failed | Uncertain, language: Language = "zh") -> str:
    """Say why a command failed, or why nobody knows."""
    return fault_text(result.reason, result.detail, language)


def find_device(devices: Sequence[Device], text: str) -> Device:
    """Return the device that `text` names: its id, its name, or its room and name.

    Raises `NotFound` (`device_unknown`) that names the nearest ones, `BadInput` where several are called so.
    """
    wanted = text.strip()
    for device in devices:
        if device.did == wanted:
            return device
    found = [each for each in devices if each.name == wanted]
    found = found or [each for each in devices if wanted in {each.room + each.name, f"{each.room} {each.name}"}]
    if len(found) == 1:
        return found[0]
    if found:
        known = "、".join(f"{each.did}（{each.room}）" for each in found[:_SHOWN])
        raise BadInput("device_ambiguous", name=quoted(text), known=known)
    raise unknown_device(text, devices)


def unknown_device(text: str, devices: Sequence[Device]) -> NotFound:
    """Return the error for a device that does not exist, with the nearest ones."""
    by_name = {name: each for each in reversed(devices) for name in (each.name, each.room + each.name, each.did)}
    close = get_close_matches(text.strip()[:64], list(by_name), n=3, cutoff=0.5)
    near = list(dict.fromkeys(by_name[name].did for name in close)) or [each.did for each in devices[:_SHOWN]]
    names = {each.did: each.name for each in devices}
    known = "、".join(f"{did}（{names[did]}）" for did in near) or wording("devices.nothing")
    return NotFound("device_unknown", name=quoted(text), known=known)


def quoted(text: str) -> str:
    """Return what somebody wrote as it may stand in a message: on one line, and not longer than one wants to read."""
    line = " ".join("".join(each if each.isprintable() else " " for each in text[:200]).split())
    return line if len(line) <= LONGEST_QUOTE else line[:LONGEST_QUOTE] + "…"


def _folded(name: str) -> str:
    return name.strip().lower().replace("_", "-")


def _text_misfit(value: object) -> tuple[str, str] | None:
    if not isinstance(value, str):
        return ("wrong_type", "string")
    if len(value) > LONGEST_TEXT:
        return ("text_long", str(LONGEST_TEXT))
    if any(character == "\0" or "\ud800" <= character <= "\udfff" for character in value):
        return ("text_unstorable", "")
    return None


def _on_step(spec: PropertySpec, value: float) -> bool:
    if spec.low is None or not spec.step:
        return True
    steps = (value - spec.low) / spec.step
    return abs(round(steps) * spec.step + spec.low - value) <= 1e-9 * max(1.0, abs(value))


def _nearest(wanted: str, members: Sequence[PropertySpec | ActionSpec]) -> str:
    shown: dict[str, None] = {}
    for close in get_close_matches(wanted[:64], [member.name for member in members], n=3, cutoff=0.5):
        shown |= {_full(member): None for member in members if member.name == close}
    return "、".join(shown) if shown else "、".join(_full(member) for member in members[:_SHOWN])


def _full(member: PropertySpec | ActionSpec) -> str:
    return f"{member.iid.partition('.')[0]}.{member.name}"
