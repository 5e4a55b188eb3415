"""One device command in words, and what of the home it means: 「把客厅空调调到 26 度」 (H-MSG-01, H-DEV). Pure.

What the clock does to a device is kept as words, in which the device has the name it has in the home. They are read
when they are due. Words count only where every character of them is understood, and where they mean one device.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from zhixing.household.assembling.amounts import NUMBER
from zhixing.household.assembling.draft import Draft, said
from zhixing.household.assembling.place import device_for
from zhixing.household.assembling.request import Device, Home
from zhixing.household.assembling.response import Act, Response
from zhixing.household.assembling.words import any_of, nouns, room_pattern, room_words, rooms
from zhixing.household.composing.actions import Command, entering
from zhixing.household.composing.model import Site, Unwritable
from zhixing.household.composing.news import clean
from zhixing.household.composing.saying import Saying
from zhixing.language.text import normalise
from zhixing.world.devices.port import DeviceSpec

KINDS = {"air-conditioner": "ac", "switch": "light", "air-purifier": "purifier", "range-hood": "hood"}
"""Categories of a hub whose word in the lexicon is another one."""
LONGEST = 100
"""Characters of a command; more is none."""
MOST = 5
"""Commands of one message."""
LONGEST_BREATH = 60
"""Characters of several commands in one breath."""
_JOINT = re.compile(
    r"^(?:[ ，,；;、]|同时|并且|而且|并|顺便|然后|接着|再|也)+|(?:[ ，,；;、]|同时|并且|而且|并|顺便|然后|接着|再)+$"
)

_LEAD = re.compile(r"^(?:请|麻烦|帮我|帮忙|给我|自动|到点|定时|准时|准点|记得|就)+")
_ON = r"(?:打开|开启|启动|点亮|拉开|开一下|开)(?:一[盏个台]|个)?"
_OFF = r"(?:关掉|关闭|关上|关了|关一下|关|熄灭|熄掉|熄|拉上|停掉)"
_TAKE = r"(?:把|将|让)?"
_LEVEL = r"(?:调亮|调暗)(?:一?点|一下)?|调(?:成)?静音"
_AMOUNT = rf"(?:调到|调成|调为|设为|设成|设到|开到)(?!半){NUMBER}(?:度|%|℃|°c|celsius)?"
_FRAMES = tuple(
    (effect, re.compile(pattern))
    for effect, pattern in (
        ("play", r"(?:[在用让](?P<what>.+?)上?)?(?:播放|放)(?:首|点|一首|些)?(?:音乐|歌曲|歌)"),
        ("sound", r"让(?P<what>.+?)响(?:起来|一声|一下)?"),
        ("set", rf"{_TAKE}(?P<what>.+?)的?(?P<about>亮度|温度|湿度)?(?P<setting>{_AMOUNT}|{_LEVEL})"),
        ("set", r"(?P<setting>调[亮暗])(?:一点|一下)?(?P<what>.+)"),
        ("off", rf"{_OFF}(?P<what>.+)"),
        ("off", rf"{_TAKE}(?P<what>.+?)(?:给我|都|也)?(?:关掉|关闭|关上|关了|关|熄灭|熄掉|熄了|熄|拉上|停掉)"),
        ("on", rf"{_ON}(?P<what>.+)"),
        ("on", rf"{_TAKE}(?P<what>.+?)(?:给我|都|也)?(?:打开|开启|启动|点亮|拉开|开)"),
    )
)
_WORDS = {"on": "打开", "off": "关掉", "play": "放音乐", "sound": "响起来"}
_ABOUT = {"亮度": "light", "温度": "ac", "湿度": "humidifier"}
_PLAYER = "音箱"
_ASKS = re.compile(r"有没有|没有|是否|是不是|要不要|如果|要是|若|检查|查看|提醒|通知|告诉|[别勿,]")
"""What is no name of a device: a question, a condition, a refusal."""
_CALLED = re.compile(rf"(?P<room>{room_pattern()})?(?:里|的)*(?P<noun>{any_of(nouns())})")
_LIKE_A_DEVICE = re.compile(
    rf"(?:{room_pattern()}(?:里|的)*[^和与跟及、,的所全各每开关把]{{0,4}})?{any_of(nouns())}(?:开关)?"
)


@dataclass(frozen=True, slots=True)
class Order:
    """A command in words. `effect`: on, off, set, play or sound; `what`: the device as it is called there."""

    effect: str
    what: str
    setting: str = ""
    about: str = ""
    """The property that is set, where it is named."""


@dataclass(frozen=True, slots=True)
class Aim:
    """A command with the device it is for."""

    order: Order
    device: Device


@dataclass(frozen=True, slots=True)
class Lost:
    """The words name a device that the home does not have."""

    what: str


def read_orders(words: str) -> tuple[Order, ...]:
    """Return every way in which words are a device command; which of them is meant, the home says."""
    if len(words) > LONGEST:
        return ()
    text = _squeezed(words)
    found = []
    # 「自动窗帘」 may be the name of one, or a wish for a curtain.
    for plain in dict.fromkeys((text, _LEAD.sub("", text, count=1))):
        for effect, frame in _FRAMES:
            match = frame.fullmatch(plain)
            if match is not None and _ASKS.search(match["what"] or "") is None:
                parts = match.groupdict("")
                setting, about = parts.get("setting", ""), parts.get("about", "")
                found.append(Order(effect, parts["what"] or _PLAYER, setting, about))
    return tuple(dict.fromkeys(found))


def aim(orders: Sequence[Order], devices: Sequence[Device]) -> Aim | Lost | None:
    """Return which device is meant; None where the words are not certain."""
    found = [Aim(order, device) for order in orders if (device := _meant(order.what, devices)) is not None]
    if len(found) == 1:
        return found[0]
    missing = [order for order in orders if _LIKE_A_DEVICE.fullmatch(order.what)]
    unknown = missing and not found and not any(_candidates(order.what, devices) for order in missing)
    return Lost(missing[0].what) if unknown else None


def command(it: Aim, home: Home, spec: DeviceSpec | None) -> Command | None:
    """Return what is written to the device; None where it can do no such thing."""
    order, device = it.order, it.device
    plays = order.effect == "play"
    if spec is None or plays != (device.kind == "speaker") or (order.about and _ABOUT[order.about] != device.kind):
        return None
    effect = {"off": "off", "sound": "blink"}.get(order.effect, "on")
    draft = Draft(order.what, device=said(device.did, "H-DEV-03"), effect=effect)
    words = order.setting or _WORDS[order.effect]
    saying = Saying(Response(False, (), None, False, "", "", "", words, None, ""), "", "", False, False, None)
    shown = replace(device, name=_name(device, home.devices))
    there = tuple(shown if one.did == device.did else one for one in home.devices)
    try:
        made = entering(draft, saying, Site(replace(home, devices=there), {device.did: spec}))
    except Unwritable:
        return None
    # A value that the device does not have must not become something else.
    if made.action is None or made.phrase.startswith("把") != bool(order.setting):
        return None
    # Nothing is opened all the way first to be opened half.
    doubled = made.before is not None and made.before["iid"] == made.action["iid"]
    return replace(made, before=None) if doubled else made


def written(words: str, draft: Draft, site: Site) -> tuple[str, Draft] | None:
    """Return the command that `words` are, with the device that is chosen named as the home calls it (H-DEV-04).

    The draft returned has the choice. None where they are no certain command, or would not be read back as the same.
    """
    orders = read_orders(words)
    chosen = _settled(orders, draft, site.home) or aim(orders, site.home.devices)
    if chosen is None:
        draft, chosen = _chosen(orders, draft, site.home)
    elif isinstance(chosen, Aim) and draft.device is None:
        draft = replace(draft, device=said(chosen.device.did, "H-DEV-03"))
    if not isinstance(chosen, Aim):
        return None
    made = command(chosen, site.home, site.specs.get(chosen.device.did))
    if made is None:
        return None
    again = aim(read_orders(made.phrase), site.home.devices)
    if not isinstance(again, Aim) or command(again, site.home, site.specs.get(again.device.did)) != made:
        return None
    return made.phrase, draft


def written_all(words: str, draft: Draft, site: Site, most: int = MOST) -> tuple[str, Draft] | None:
    """Return several commands said in one breath (关灯关空调), a clause each.

    The draft returned has the first choice. No device has two of them: nobody means 开灯关灯.
    """
    whole = written(words, draft, site)
    if whole is not None or most < 2 or len(words) > LONGEST_BREATH:
        return whole
    for cut in range(2, len(words) - 1):
        first = written(_JOINT.sub("", words[:cut]), draft, site)
        if first is None:
            continue
        rest = written_all(_JOINT.sub("", words[cut:]), replace(draft, device=None), site, most - 1)
        if rest is not None and _device_of(first[1]) != _device_of(rest[1]):
            return f"{first[0]}；{rest[0]}", first[1]
    return None


def _settled(orders: Sequence[Order], draft: Draft, home: Home) -> Aim | None:
    """Return the device that the draft says already, where the words say what becomes of it."""
    device = next((one for one in home.devices if one.did == _device_of(draft)), None)
    for order in orders:
        called = _CALLED.fullmatch(order.what)
        if device is not None and (order.what in _names(device) or (called and _kind(called["noun"]) == device.kind)):
            return Aim(order, device)
    return None


def _device_of(draft: Draft) -> str | None:
    return None if draft.device is None else draft.device.value


def _kind(noun: str) -> str:
    kind = nouns()[noun]
    return "speaker" if kind == "music" else kind


def _chosen(orders: Sequence[Order], draft: Draft, home: Home) -> tuple[Draft, Aim | None]:
    for order in orders:
        called = _CALLED.fullmatch(order.what)
        if called is None:
            continue
        room = rooms()[called["room"]] if called["room"] else None
        scratch = Draft(draft.text)
        device_for(scratch, Act(order.effect, called["noun"], nouns()[called["noun"]], room), home)
        choice = scratch.device
        device = next((one for one in home.devices if choice is not None and one.did == choice.value), None)
        if device is not None:
            return replace(draft, device=choice), Aim(order, device)
    return draft, None


def _meant(what: str, devices: Sequence[Device]) -> Device | None:
    """Return the only device that is called so: by its name, or by the room and a word of its name."""
    exact = [one for one in devices if what in _names(one)]
    if exact:
        # Two of one name in one room cannot be told apart by anybody: the first stands for both.
        return exact[0] if len({one.room for one in exact}) == 1 else None
    found = _candidates(what, devices)
    return found[0] if len(found) == 1 else None


def _candidates(what: str, devices: Sequence[Device]) -> list[Device]:
    called = _CALLED.fullmatch(what)
    if called is None:
        return []
    kind = nouns()[called["noun"]]
    found = [one for one in devices if one.kind == kind and called["noun"] in one.name]
    if called["room"] is None:
        return found
    words = room_words(rooms()[called["room"]])
    return [one for one in found if any(word in one.room or word in one.name for word in words)]


def _name(device: Device, devices: Sequence[Device]) -> str:
    """Return what a device is called, with its room where another room has one of that name."""
    name = device.name or device.room or device.did
    alike = [one for one in devices if _squeezed(_shown(one)) == _squeezed(_shown(device))]
    return f"{device.room}的{name}" if device.room and len({one.room for one in alike}) > 1 else name


@lru_cache(maxsize=4096)
def _names(device: Device) -> frozenset[str]:
    shown = _shown(device)
    return frozenset(map(_squeezed, (shown, clean(f"{device.room}{shown}"), clean(f"{device.room}的{shown}"))))


@lru_cache(maxsize=4096)
def _shown(device: Device) -> str:
    return clean(device.name or device.room or device.did)


def _squeezed(words: str) -> str:
    return "".join(normalise(words).split()).rstrip("。.!！~").casefold()
