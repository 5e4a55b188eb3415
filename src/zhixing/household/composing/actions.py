"""Device commands: from the words and the spec of the device to `{did, iid, value, idempotent}` (H-ACT, H-DEV). Pure.

What the spec does not have is never made up: where it could still be done by somebody with judgement it becomes words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zhixing.household.assembling.amounts import NUMBER, number
from zhixing.household.assembling.draft import Draft
from zhixing.household.assembling.request import Device
from zhixing.household.assembling.words import nouns
from zhixing.household.composing.model import Site, Unwritable
from zhixing.household.composing.news import clean
from zhixing.household.composing.saying import Saying
from zhixing.kernel.errors import BadInput
from zhixing.world.devices.names import misfit, resolve, settled
from zhixing.world.devices.port import ActionSpec, DeviceSpec, Level, PropertySpec

_DEGREES = re.compile(rf"(?:调?到?|开到?|设[成到为]?)(?P<n>{NUMBER})(?P<unit>度|%)?")
_SETTING = re.compile(r"调亮|调暗|调高|调低|调静音|静音|睡眠模式|暗一?点|亮一?点")
_LEVELS = {"调亮": 100, "亮一点": 100, "亮点": 100, "调暗": 30, "暗一点": 30, "暗点": 30}
_QUIET = ("静音", "睡眠")
_AMOUNTS = {"度": ("target-temperature", "temperature"), "%": ("brightness", "target-humidity", "target-position")}
_OPENS = {"curtain": "拉开", "speaker": "播放"}
_CLOSES = {"curtain": "拉上"}
_UNITS = {"℃": " 度", "%": "%"}
_SONG = {"歌": "歌曲"}
_BACK = re.compile(r"恢复|复位|还原|调回")
_OPEN = re.compile(r"打开|开启|点亮|拉开|开")
_SHUT = re.compile(r"关|熄|灭|停|拉上")
_LEAD = re.compile(r"^(?:就|给我)+")
_ANY_MUSIC = re.compile(r"^放(?:首|点|一首|些)?(?:歌|音乐)$|^播放(?:音乐|歌)$")


@dataclass(frozen=True, slots=True)
class Command:
    """One direction: the command, with one that has to go before it, or the words for somebody with judgement.

    `phrase` says what it does, for names and reports: 关客厅吸顶灯.
    """

    phrase: str
    action: Mapping[str, Any] | None = None
    before: Mapping[str, Any] | None = None

    @property
    def words(self) -> str | None:
        """What is written where there is no command."""
        return self.phrase if self.action is None else None


def device_of(draft: Draft, site: Site) -> Device:
    """Return the device that was chosen. Raises `Unwritable` where there is none."""
    chosen = None if draft.device is None else draft.device.value
    for device in site.home.devices:
        if device.did == chosen:
            return device
    raise Unwritable("device")


def entering(draft: Draft, saying: Saying, site: Site) -> Command:
    """Return what happens on entering, or at once."""
    device, words = device_of(draft, site), _act_words(draft, saying)
    spec = site.specs.get(device.did)
    shown = _shown(device)
    if draft.effect == "blink":
        return _sounding(device, spec, words)
    if device.kind == "speaker":
        return _silence(device, spec) if draft.effect == "off" else _music(device, spec, words)
    setting = _setting(words, spec) if spec is not None else None
    if setting is not None:
        found, value, phrase = setting
        first = None if found.name == "on" or draft.effect != "on" else _switch(spec, device, on=True)
        return Command(f"把{shown}{phrase}", _written(device, spec, found, value), first)
    if _SETTING.search(words):
        return Command(f"把{shown}{_phrase(words)}")
    on = draft.effect == "on"
    return Command(f"{_verb(device, on=on)}{shown}", _needed(_switch(spec, device, on=on)))


def leaving(draft: Draft, saying: Saying, site: Site) -> Command:
    """Return what happens on leaving, where the user said what (H-MODE-03)."""
    device, words = device_of(draft, site), saying.leaving
    spec = site.specs.get(device.did)
    shown = _shown(device)
    setting = _setting(words, spec) if spec is not None else None
    if setting is not None:
        found, value, phrase = setting
        return Command(f"把{shown}{phrase}", _written(device, spec, found, value))
    back = _BACK.search(words) is not None
    if back and _SETTING.search(_act_words(draft, saying)):
        return Command(f"把{shown}恢复原样")
    on = draft.effect != "on" if back or not words else _SHUT.search(words) is None and _OPEN.search(words) is not None
    if device.kind == "speaker" and not on:
        return _silence(device, spec)
    return Command(f"{_verb(device, on=on)}{shown}", _needed(_switch(spec, device, on=on)))


def _act_words(draft: Draft, saying: Saying) -> str:
    """Return what is to be done, as the sentence says it and as a model understood it."""
    return " ".join(filter(None, (saying.response.words if saying.response is not None else "", draft.message)))


def _shown(device: Device) -> str:
    return clean(device.name or device.room or device.did)


def _verb(device: Device, *, on: bool) -> str:
    return _OPENS.get(device.kind, "打开") if on else _CLOSES.get(device.kind, "关掉")


def _needed(action: Mapping[str, Any] | None) -> Mapping[str, Any]:
    if action is None:
        raise Unwritable("device")
    return action


def _switch(spec: DeviceSpec | None, device: Device, *, on: bool) -> Mapping[str, Any] | None:
    """Return the command that switches it: a position where there is one, else on and off."""
    if spec is None:
        return None
    if device.kind == "curtain":
        position = _property(spec, "target-position")
        if position is not None:
            end = position.high if on else position.low
            return _written(device, spec, position, end if end is not None else (100 if on else 0))
    found = _property(spec, "on") or _property(spec, "alarm")
    if found is not None and found.format == "bool":
        return _written(device, spec, found, on)
    motor = _property(spec, "motor-control")
    if motor is not None:
        wanted = ("打开", "开") if on else ("关闭", "关")
        value = next((number for number, name in motor.choices if name in wanted), None)
        return None if value is None else _written(device, spec, motor, value)
    return None


def _sounding(device: Device, spec: DeviceSpec | None, words: str) -> Command:
    """Return what makes a sound or a light once: an alarm is switched on; no property holds a lamp that blinks."""
    if device.kind == "alarm" and spec is not None:
        return Command(f"让{_shown(device)}响起来", _needed(_switch(spec, device, on=True)))
    act = "响一声" if "响" in words else "闪一下"
    return Command(f"让{_shown(device)}{act}")


def _music(device: Device, spec: DeviceSpec | None, words: str) -> Command:
    """Return what plays music: any music is a button, which music is for somebody with judgement."""
    words = _LEAD.sub("", words.strip())
    what = re.sub(r"^(?:播放|放)(?:首|点|一首|些)?", "", words).replace(" ", "，").replace("我", "用户")
    phrase = f"在{_shown(device)}上播放{_SONG.get(what, clean(what) or '音乐')}"
    play = next((one for one in spec.actions if one.name == "play"), None) if spec is not None else None
    if play is None or play.arguments or not _ANY_MUSIC.match(words):
        return Command(phrase)
    return Command(phrase, {"did": device.did, "iid": _iid(spec, play), "params": [], "idempotent": True})


def _silence(device: Device, spec: DeviceSpec | None) -> Command:
    """Return what makes a speaker stop, for good or for a while: it has no switch."""
    actions = {one.name: one for one in spec.actions if not one.arguments} if spec is not None else {}
    stop = actions.get("stop") or actions.get("pause")
    if stop is None:
        return Command(f"关掉{_shown(device)}", _needed(_switch(spec, device, on=False)))
    iid = _iid(spec, stop)
    return Command(f"关掉{_shown(device)}", {"did": device.did, "iid": iid, "params": [], "idempotent": True})


def _setting(words: str, spec: DeviceSpec) -> tuple[PropertySpec, Level, str] | None:
    """Return a property that `words` set, with its value, where the device has it and the value fits."""
    match = next((one for one in _DEGREES.finditer(words) if one["unit"] or one[0][0] in "调开设到"), None)
    if match is not None:
        amount = number(match["n"])
        names = _AMOUNTS[match["unit"]] if match["unit"] else (*_AMOUNTS["度"], *_AMOUNTS["%"])
        for found in (one for name in names if (one := _property(spec, name)) is not None):
            if amount is not None and misfit(found, amount) is None:
                return (
                    found,
                    settled(found, amount),
                    f"调到 {amount:g}{_UNITS.get(found.unit, f' {found.unit}')}".rstrip(),
                )
    named = _SETTING.search(words)
    if named is None:
        return None
    level = _LEVELS.get(named[0].replace("一点", "点") if named[0] not in _LEVELS else named[0])
    bright = _property(spec, "brightness")
    if level is not None and bright is not None and misfit(bright, level) is None:
        return bright, settled(bright, level), "调亮" if level == 100 else "调暗"
    if any(word in named[0] for word in _QUIET):
        for name in ("mode", "fan-level", "mute"):
            has = _property(spec, name)
            value = _quiet_value(has) if has is not None else None
            if has is not None and value is not None:
                return has, value, "调成静音"
    return None


def _quiet_value(found: PropertySpec) -> Level | None:
    if found.format == "bool":
        return True
    return next((number for number, name in found.choices if any(word in name for word in _QUIET)), None)


def _property(spec: DeviceSpec, name: str) -> PropertySpec | None:
    """Return the first writable property of that name."""
    return next((one for one in spec.properties if one.name == name and one.writable), None)


def _written(device: Device, spec: DeviceSpec | None, found: PropertySpec, value: Level) -> Mapping[str, Any]:
    return {"did": device.did, "iid": _iid(spec, found), "value": settled(found, value), "idempotent": True}


def _iid(spec: DeviceSpec | None, member: PropertySpec | ActionSpec) -> str:
    """Return the name where it can mean only this one, else the number."""
    kind = member.iid.partition(".")[0]
    name = f"{kind}.{member.name}"
    try:
        return name if spec is not None and resolve(spec, name) == member else member.iid
    except BadInput:
        return member.iid


def _phrase(words: str) -> str:
    found = _SETTING.search(words)
    return found[0] if found is not None else clean(words)


def noun_of(saying: Saying) -> str | None:
    """Return the device as the user called it: 窗帘, 灯."""
    act = saying.response.act if saying.response is not None else None
    return act.noun if act is not None and act.noun in nouns() else None
