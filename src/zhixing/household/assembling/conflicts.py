"""Whether the home has such a task already (H-DUP): the same, one that contradicts it, one that is paused."""

from __future__ import annotations

import re
from collections.abc import Callable

from zhixing.household.assembling.draft import Draft
from zhixing.household.assembling.place import matching
from zhixing.household.assembling.plain import plain
from zhixing.household.assembling.request import Home, Known

_SETTING = re.compile("亮度|色温|音量|风速|温度|模式|颜色|调亮|调暗|调高|调低|暖|冷")
_SETTINGS = {"调亮": "亮度", "调暗": "亮度", "暖": "色温", "冷": "色温"}

Reader = Callable[[str], Draft | None]


def clash(draft: Draft, text: str, home: Home, read: Reader) -> str | None:
    """Return the kind of question that an existing task calls for: duplicate, paused; None where there is none."""
    for task in home.tasks:
        if _same(draft, text, task, home, read):
            return "duplicate" if task.active else "paused"
    return None


def _same(draft: Draft, text: str, task: Known, home: Home, read: Reader) -> bool:
    mine, other_text = re.sub(r"\s", "", text), re.sub(r"\s", "", plain(task.description))
    if mine == other_text:
        return True
    other = read(plain(task.description))
    if other is None:
        return False
    if not draft.rule:
        return False
    if not other.rule or draft.behaviour is None or other.behaviour is None:
        return False
    if draft.subject is not None and draft.subject.value == "ask":
        return False  # who is meant comes first
    if _trigger(draft) != _trigger(other) or not _overlap(draft, other, home):
        return False
    if _attributes(draft.text) != _attributes(other.text) or bool(draft.record) != bool(other.record):
        return False
    if draft.device is not None and other.device is not None and draft.effect and other.effect:
        return _kind(draft, home) == _kind(other, home)
    return draft.notify == other.notify and bool(draft.effect) == bool(other.effect)


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
