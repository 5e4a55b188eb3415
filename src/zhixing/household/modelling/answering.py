"""What a model says is to happen: told, through what, and what is switched. Channels and devices are never its own."""

from __future__ import annotations

import re
from dataclasses import replace

from zhixing.household.assembling.draft import Draft, said
from zhixing.household.assembling.place import device_for
from zhixing.household.assembling.request import Home
from zhixing.household.assembling.response import Act, Notes, Response, channels_in, head, read_notes, read_response
from zhixing.household.assembling.words import nouns
from zhixing.household.modelling.ground import Ground
from zhixing.household.modelling.misreading import Fault, Misread
from zhixing.household.modelling.naming import room_of
from zhixing.household.modelling.protocol import LONGEST_NAME, WireAct, WireChannel, WireResponse
from zhixing.household.modelling.signs import needs

_TOLD = re.compile(
    r"提醒|告诉|通知|告知|播报|推送|警告|报警(?!器)|喊[我他她人]|叫[我他她人大]|夸|表扬|鼓励|安慰|打个?招呼|说一?[声句]"
)


def telling(words: str) -> str:
    """Return the words in `words` that certainly ask for somebody to be told; empty where there are none."""
    found = _TOLD.search(words)
    return "" if found is None else found[0]


def response_of(wire: WireResponse | None, words: str, ground: Ground, home: Home, place: str) -> Response | None:
    """Return what is to happen; None where nothing is asked for. `words`: the task, plain."""
    if wire is None:
        return None
    told = bool(ground.maybe(wire.tell, f"{place}.tell"))
    channels, room = _channels(wire.channels, ground, place)
    act = None if wire.act is None else _act(wire.act, words, ground, home, f"{place}.act")
    chosen = bool(ground.maybe(wire.decides, f"{place}.decides"))
    if not (told or channels or act or chosen):
        return None
    return replace(
        read_response(""),
        tells=told or act is None,
        channels=channels,
        act=act,
        chosen=chosen and act is not None and act.kind == "music",
        words=words,
        room=room,
    )


def _channels(given: tuple[WireChannel, ...], ground: Ground, place: str) -> tuple[tuple[str, ...], str | None]:
    """Return the channels that were said, as our own grammar hears them; a channel it does not hear is asked about."""
    heard: list[str] = []
    room = None
    for index, one in enumerate(given):
        words = ground.quote(one.quote, f"{place}.channels[{index}].quote")
        if one.channel in channels_in(words):
            heard.append(one.channel)
        named = re.search(r"(\w+?)的?音箱", words)
        if one.channel == "speaker" and named is not None:
            room = room_of(named[1], ground, f"{place}.channels[{index}].quote")
    return tuple(dict.fromkeys(heard)), room


def _act(wire: WireAct, words: str, ground: Ground, home: Home, place: str) -> Act:
    """Return what is switched. A word that is none of ours may be the name of a device of the home."""
    needs(wire.effect, words, f"{place}.effect")
    noun = ground.quote(wire.noun, f"{place}.noun", LONGEST_NAME).replace(" ", "")
    room = room_of(wire.room, ground, f"{place}.room") if wire.room and wire.room.strip() else None
    ground.maybe(wire.setting, f"{place}.setting")
    kind = nouns().get(noun)
    if kind is None:
        longest = max((word for word in nouns() if word in noun), key=len, default=None)
        named = next((device.kind for device in home.devices if noun and noun in device.name), None)
        kind = named or (nouns()[longest] if longest else noun)
    found = Act(wire.effect, noun, kind, room)
    begins = head(words)
    heard = read_response(words[begins.start() :]).act if begins is not None else None
    if heard is not None and heard.noun == noun and heard.effect != found.effect:
        raise Misread(Fault.EVIDENCE, f"{place}.effect")
    return found


def notes_of(wire: WireResponse | None, ground: Ground, place: str) -> Notes:
    """Return what stands beside. Being quiet is believed only where our own grammar hears it: it spares a question."""
    if wire is None:
        return read_notes("")
    stay, leave = ground.maybe(wire.stay, f"{place}.stay"), ground.maybe(wire.leave, f"{place}.leave")
    needs("stay", stay, f"{place}.stay")
    needs("leave", leave, f"{place}.leave")
    return replace(
        read_notes(""),
        gap=None if wire.gap is None else ground.length(wire.gap, f"{place}.gap"),
        stays=bool(stay),
        leaves=bool(leave) and not stay,
        quiet=read_notes(ground.maybe(wire.quiet, f"{place}.quiet")).quiet,
    )


def settle_act(draft: Draft, wire: WireResponse | None, act: Act | None, home: Home) -> None:
    """Have worked out at the time what has to be chosen then (H-ACT-03)."""
    if wire is None or act is None or draft.action is None or not wire.decides:
        return
    draft.action = said("desc", "H-ACT-04")
    if draft.device is None and "device" not in draft.questions:
        device_for(draft, act, home)
