"""Wishes about where it looks and what it switches. Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from zhixing.household.advising import spoken
from zhixing.household.assembling.place import matching
from zhixing.household.assembling.request import Device, Home
from zhixing.household.assembling.response import head
from zhixing.household.assembling.words import any_of, nouns, room_pattern, room_words, rooms
from zhixing.household.updating import rewording
from zhixing.household.updating.clauses import fits
from zhixing.household.updating.model import Clause, Read, Standing, Step, Unclear
from zhixing.kernel.wording import wording
from zhixing.tasks.rules.model import DeviceAction, Response

_EVERYWHERE = re.compile(
    r"(?:家里)?(?:所有|全部|每个|任何)的?(?:摄像头|镜头|房间|画面)|全屋|整个?家|(?:哪儿|哪里|到处)都|不限房间"
)
_LOOKS = re.compile(
    r"只?看|只在|只用|只|摄像头|镜头|画面|这[边里]|那[边里]|里面?|都看|盯着?|和|跟|与|、|或者?|还有|两个"
)
_PLACE = re.compile(r"摄像头|镜头|画面|位置|房间|地方|地点|哪里|哪儿")
_USES = re.compile(r"[用换的]|控制|那[盏台个]|这[盏台个]|一?[盏台]")
_ROOM, _NOUN = re.compile(room_pattern()), re.compile(any_of(nouns()))
_THING = re.compile(rf"(?:(?<=的)|^){any_of(nouns())}$")
_MOST_NAMED, _MOST_ROOMS = 8, 3


def source(clause: Clause, standing: Standing, home: Home) -> Read:
    """Read which cameras look: 只看客厅, 所有摄像头都看."""
    everywhere = _EVERYWHERE.search(clause.to)
    if everywhere is not None:
        rest = clause.to[: everywhere.start()] + clause.to[everywhere.end() :]
        return _look(standing, (), home) if fits(_LOOKS.sub("", rest), standing) else None
    dids, rest = _cameras(clause.to, home)
    lacking = _ROOM.search(rest)
    if dids and lacking is not None and fits(_LOOKS.sub("", rest.replace(lacking[0], "", 1)), standing):
        return Unclear("update_camera_unknown", {"said": lacking[0], "known": _known(home)})
    if not dids:
        return _unseen(clause, standing, home)
    return _look(standing, dids, home) if fits(_LOOKS.sub("", rest), standing) else None


def _unseen(clause: Clause, standing: Standing, home: Home) -> Unclear | None:
    """Say which cameras there are, where one is named that is not there or not in use."""
    room = _ROOM.search(clause.to)
    rest = clause.to if room is None else clause.to[: room.start()] + clause.to[room.end() :]
    looks = _PLACE.search(clause.what) or re.search(r"摄像头|镜头", clause.to)
    if not (looks or (room is not None and fits(_LOOKS.sub("", rest), standing))):
        return None
    said = clause.to if room is None else room[0]
    return Unclear("update_camera_unknown", {"said": said[:32], "known": _known(home)})


def _cameras(words: str, home: Home) -> tuple[tuple[str, ...], str]:
    """Return the cameras in use that are named, by their own names or their rooms, and the words without them."""
    found: list[str] = []
    rest = _squeezed(words)
    for eye in sorted(home.eyes, key=lambda one: len(one.name), reverse=True):
        if eye.name and _squeezed(eye.name) in rest:
            found.append(eye.did)
            rest = rest.replace(_squeezed(eye.name), "", 1)
    for eye in sorted(home.eyes, key=lambda one: len(one.room), reverse=True):
        if eye.room and _squeezed(eye.room) in rest:
            found += [other.did for other in home.eyes if other.room == eye.room]
            rest = rest.replace(_squeezed(eye.room), "", 1)
    for match in list(_ROOM.finditer(rest)):
        seen = matching(rooms()[match[0]], home.eyes)
        if seen:
            found += seen
            rest = rest.replace(match[0], "", 1)
    return tuple(dict.fromkeys(found)), rest


def _squeezed(name: str) -> str:
    """Return a name without what is not heard: front_door and front door are one."""
    return re.sub(r"[\s_]+", "", name)


def _look(standing: Standing, dids: tuple[str, ...], home: Home) -> Read:
    if not standing.rules:
        return Unclear("update_no_rules", {"task": standing.description})
    old = standing.rules[0].plan.trigger.sources
    renamed = _renamed(standing, old, dids, home)
    plans = {
        one.id: replace(one.plan, trigger=replace(one.plan.trigger, sources=tuple(sorted(dids))))
        for one in renamed.rules
    }
    return Step(renamed.with_rules(plans), "source", _named(old, home), _named(dids, home))


def _named(dids: tuple[str, ...], home: Home) -> str:
    return spoken.cameras(dids, home) or wording("updating.cameras_some") if dids else wording("updating.cameras_all")


def _renamed(standing: Standing, old: tuple[str, ...], new: tuple[str, ...], home: Home) -> Standing:
    """Bring the name of the room along, where the task is called by one and that is where it looked."""
    first = head(standing.description)
    before = standing.description if first is None else standing.description[: first.start()]
    said = next((match[0] for match in _ROOM.finditer(before)), None)
    if said is None or not old or not set(matching(rooms()[said], home.eyes)) >= set(old):
        return standing
    names = list(dict.fromkeys(eye.room or eye.name for eye in home.eyes if eye.did in new))
    if rooms()[said] in names and len(names) == 1:
        return standing
    there = "和".join(names[:_MOST_ROOMS]) if names else wording("updating.home")
    room = names[0] if len(names) == 1 else wording("updating.any_room")
    plans = {
        one.id: replace(one.plan, trigger=replace(one.plan.trigger, query=one.plan.trigger.query.replace(said, room)))
        for one in standing.rules
    }
    inside = f"{said}里" if there.endswith("里") else said

    def rewrite(text: str) -> str:
        return text.replace(inside if inside in text else said, there, 1)

    return rewording.texts(standing.with_rules(plans), rewrite)


def device(clause: Clause, standing: Standing, home: Home) -> Read:
    """Read which device is switched instead: 书房的灯, 用台灯."""
    used = _used(standing)
    if not used:
        return _spoken_of(clause, standing, home)
    kinds = {each.kind for each in home.devices if each.did in used}
    room_only = _THING.search(clause.what)
    said = f"{clause.to}{room_only[0]}" if room_only is not None and clause.to.endswith("的") else clause.to
    found, rest = _devices(said, home, kinds)
    if found is None or not fits(_USES.sub("", rest), standing):
        return None
    if not found:
        known = "、".join(each.name for each in home.devices if each.kind in kinds and each.name)
        return Unclear("update_device_unknown", {"said": clause.to[:32], "known": known or "—"})
    if len(found) > 1:
        return Unclear("update_device_several", {"known": "、".join(each.name for each in found[:_MOST_NAMED])})
    new = found[0]
    old = [each for each in home.devices if each.did in used and each.kind == new.kind]
    if len({each.did for each in old}) != 1:
        return Unclear("update_device_several", {"known": "、".join(each.name for each in old[:_MOST_NAMED])})
    return _switched(standing, old[0], new)


def _used(standing: Standing) -> set[str]:
    return {
        action.did
        for one in standing.rules
        for response in (one.plan.on_enter, one.plan.on_exit, one.plan.on_target)
        for action in response.actions
    }


def _devices(words: str, home: Home, kinds: set[str]) -> tuple[list[Device] | None, str]:
    """Return the devices of some kinds that are named, None where none is spoken of, and the words without them."""
    for each in sorted(home.devices, key=lambda one: len(one.name), reverse=True):
        if each.name and _squeezed(each.name) in _squeezed(words) and each.kind in kinds:
            same = [one for one in home.devices if one.name == each.name and one.kind == each.kind]
            return same, _squeezed(words).replace(_squeezed(each.name), "", 1)
    noun = _NOUN.search(words)
    if noun is None or nouns()[noun[0]] not in kinds:
        return None, words
    kind, before, rest = nouns()[noun[0]], words[: noun.start()], words[: noun.start()] + words[noun.end() :]
    found = [each for each in home.devices if each.kind == kind]
    precise = [each for each in found if len(noun[0]) > 1 and noun[0] in each.name]
    room = _ROOM.search(rest)
    if room is not None and not re.fullmatch(r"[里的]*", before[room.end() :]):
        return None, words  # 阳台没人关灯: the room is where it looks
    if room is not None:
        called = room_words(rooms()[room[0]])
        found = [each for each in found if any(word in each.room or word in each.name for word in called)]
        precise = [each for each in precise if each in found]
        rest = rest[: room.start()] + rest[room.end() :]
    return precise or found, rest


def _switched(standing: Standing, old: Device, new: Device) -> Step:
    def action(one: DeviceAction) -> DeviceAction:
        if one.did != old.did or old.did == new.did:
            return one
        return replace(one, did=new.did, iid=standing.capabilities.get((old.did, one.iid), one.iid))

    def answer(response: Response) -> Response:
        return replace(response, actions=tuple(map(action, response.actions)))

    plans = {one.id: rewording.responses(one.plan, answer) for one in standing.rules}
    after = standing.with_rules(plans)
    if old.name and new.name:
        after = rewording.texts(after, rewording.every(old.name, new.name))
    return Step(after, "device", spoken.shown(old.name), spoken.shown(new.name))


def _spoken_of(clause: Clause, standing: Standing, home: Home) -> Read:
    """Read another device for words that name one (在客厅音箱播放音乐), where no command is fixed."""
    descs = [text for one in standing.rules for text in (*one.plan.on_enter.descs, *one.plan.on_exit.descs)]
    old = next((each for each in home.devices if each.name and any(each.name in text for text in descs)), None)
    if old is None:
        return None
    found, rest = _devices(clause.to, home, {old.kind})
    if not found or len(found) > 1 or not fits(_USES.sub("", rest), standing):
        return None
    after = rewording.texts(standing, rewording.every(old.name, found[0].name))
    return Step(after, "device", spoken.shown(old.name), spoken.shown(found[0].name))


def _known(home: Home) -> str:
    return spoken.cameras(None, home) or "—"
