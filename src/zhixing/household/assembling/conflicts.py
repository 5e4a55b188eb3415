"""Whether the home has such a task already (H-DUP): the same, one that contradicts it, one that is paused."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from zhixing.household.assembling.draft import Draft
from zhixing.household.assembling.place import matching
from zhixing.household.assembling.plain import plain
from zhixing.household.assembling.request import Home, Known
from zhixing.household.assembling.response import head, read_response

_SETTING = re.compile("亮度|色温|音量|风速|温度|模式|颜色|调亮|调暗|调高|调低|暖|冷")
_SETTINGS = {"调亮": "亮度", "调暗": "亮度", "暖": "色温", "冷": "色温"}

_WHOM = re.compile("^(?:[我他她]|一下|一声|要|去|记得)+")

_ASKS = re.compile("几|多少|多久|多长时间|次数")
_STANDING = re.compile("记|统计|数[着一数]|跟踪|追踪|盯|汇总|每|以后|从现在|一[天周]|提醒|通知|播报|推送|就")
"""Beside these a question is a wish to have it counted from now on."""
Reader = Callable[[str], Draft | None]


@dataclass(frozen=True, slots=True)
class Clash:
    """An existing task that stands in the way, and the kind of question it calls for: duplicate or paused.

    `changes`: it answers the same trigger otherwise (H-DUP-04, kind C); else it does the same (H-DUP-03, kind B).
    """

    kind: str
    task: Known
    changes: bool


def clash(draft: Draft, text: str, home: Home, read: Reader) -> Clash | None:
    """Return the first existing task that stands in the way of `draft`."""
    for task in home.tasks:
        for words in _told_of(task, read):
            if _same(draft, text, replace(task, description=words), home, read):
                return Clash("duplicate" if task.active else "paused", task, _changes(draft, read(plain(words))))
    return None


def _told_of(task: Known, read: Reader) -> tuple[str, ...]:
    """Return the words that say what a task does: its description, or where nobody can read that, its rules' (H-DUP-01)."""
    readable = not task.briefs or read(plain(task.description)) is not None
    return (task.description,) if readable else (task.description, *task.briefs)


def counted_by(draft: Draft, text: str, home: Home, read: Reader) -> tuple[str, ...]:
    """Return the active task that counts what `text` asks about, whoever 我 is; empty where none does (A-54)."""
    record = draft.record.value if draft.record else None
    if record is None or draft.schedule is not None or not _ASKS.search(text) or _STANDING.search(text):
        return ()
    found: list[tuple[bool, str]] = []
    for task in home.tasks:
        other = read(plain(task.description)) if task.active else None
        if other is None or other.record is None or other.behaviour is None or other.behaviour is not draft.behaviour:
            continue
        if (other.record.value.kind == "duration") != (record.kind == "duration"):
            continue
        mine, theirs = _who(draft), _who(other)
        if mine == theirs or {mine, theirs} & {None, "ask", "用户", "任何人"} or "我" in text:
            found.append((mine == theirs, task.id))
    best = [name for exact, name in found if exact] or [name for _, name in found]
    return (best[0],) if len(best) == 1 else ()


def _who(draft: Draft) -> object:
    return draft.subject.value if draft.subject else None


def _changes(draft: Draft, other: Draft | None) -> bool:
    """Whether what is wanted contradicts, or has other amounts than, what there is."""
    return other is not None and _amounts(draft) != _amounts(other)


def _amounts(draft: Draft) -> tuple[object, ...]:
    record = draft.record.value if draft.record else None
    schedule = draft.schedule.value if draft.schedule else None
    goal = None if record is None else (record.kind, record.target, record.target_minutes, record.window)
    return draft.effect, draft.duration.value if draft.duration else None, goal, schedule, draft.on_exit.value


def _same(draft: Draft, text: str, task: Known, home: Home, read: Reader) -> bool:
    mine, other_text = re.sub(r"\s", "", text), re.sub(r"\s", "", plain(task.description))
    if mine == other_text:
        return True
    other = read(plain(task.description))
    if other is None:
        return False
    if not draft.rule:
        return (
            not other.rule
            and draft.schedule == other.schedule
            and bool(_told(mine))
            and _told(mine) == _told(other_text)
        )
    if not other.rule or draft.behaviour is None or other.behaviour is None:
        return False
    if draft.subject is not None and draft.subject.value == "ask":
        return False  # who is meant comes first
    if _trigger(draft) != _trigger(other) or not _overlap(draft, other, home):
        return False
    if _attributes(draft.text) != _attributes(other.text) or bool(draft.record) != bool(other.record):
        return False
    if draft.record is not None and other.record is not None:
        return draft.record.value.kind == other.record.value.kind  # the same count with another target or another end
    if draft.device is not None and other.device is not None and draft.effect and other.effect:
        return _kind(draft, home) == _kind(other, home)
    return draft.notify == other.notify and bool(draft.effect) == bool(other.effect)


def _told(text: str) -> str:
    """Return what somebody is told of at a time, bare: 提醒我吃药 and 提醒吃药 are the same."""
    found = head(text)
    if found is None:
        return ""
    response = read_response(text[found.start() :])
    return _WHOM.sub("", response.content) if response.tells else ""


def _attributes(text: str) -> frozenset[str]:
    """Return which settings of a device are spoken of: brightness beside colour is no conflict (H-DUP-07)."""
    return frozenset(_SETTINGS.get(word, word) for word in _SETTING.findall(text))


def _trigger(draft: Draft) -> tuple[str, object]:
    behaviour = draft.behaviour.key if draft.behaviour else ""
    subject = draft.subject.value if draft.subject else None
    return ("room_empty" if behaviour == "home_empty" else behaviour, subject)


def _kind(draft: Draft, home: Home) -> str:
    return next((device.kind for device in home.devices if draft.device and device.did == draft.device.value), "")


def _overlap(draft: Draft, other: Draft, home: Home) -> bool:
    mine = {did for room in draft.rooms for did in matching(room, home.eyes)}
    theirs = {did for room in other.rooms for did in matching(room, home.eyes)}
    return mine == theirs if mine or theirs else draft.rooms == other.rooms
