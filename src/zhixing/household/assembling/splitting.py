"""What is refused or taken apart before anything is decided: several tasks in one sentence, AND, more than a day (H-IN)."""

from __future__ import annotations

import re

from zhixing.household.assembling.request import Home
from zhixing.household.assembling.response import head, read_notes
from zhixing.household.assembling.trigger import read_trigger
from zhixing.household.assembling.words import room_pattern

_LINK = re.compile(r"^(?:另外|还有|然后|以及|再有|再帮我|同时|一个是|第[一二三]个?是?|[12][.、])|(?:另外|还有)$")
_INTRO = re.compile(
    r"^(?:帮我)?(?:弄|设|建|加)\S{0,3}(?:事儿?|任务|提醒)(?:吧|：)?$|^(?:帮我)?(?:弄|设|建|加)(?:两个|三个)\S{0,3}$"
)
_BOTH = re.compile(r"而且|并且|同时|与此同时|既\S+(?:又|也)|(?<!一边)又(?=没|\S人)|且(?=\S*[在着了])")
_INNER = re.compile(r"(?:另外|还有|然后再|再就是)(?=\S{3})")
_GOAL = re.compile(r"(?:每天|每周|今天)\S*\d+\S*(?:杯|次|个|组|步)")
_STATE_PAIR = re.compile(
    r"(?:(?<!连)着|开着|亮着|关着|黑了|睡着了?)\S*?(?:还|又|却)?(?:没人)|没人\S*(?:还|又)(?:开着|亮着)|(?:都|全)睡着?了?就"
)


def pieces(text: str) -> tuple[str, ...]:
    """Return the tasks that a sentence names, each a sentence of its own; one where it names one (H-IN-01)."""
    parts = [part for part in _INNER.sub(" ", text).split(" ") if part and not _INTRO.match(part)]
    parts = [part for part in (_LINK.sub("", part) for part in parts) if part]
    if len(parts) > 1 and read_notes(text).leaves:
        return (text,)
    if len(parts) < 2:
        return (parts[0] if parts and _INTRO.search(text.partition(" ")[0]) else text,)
    if all(_whole(part) for part in parts):
        return tuple(parts)
    return (text,)


def _whole(part: str) -> bool:
    """Whether `part` has both halves: a when and a what."""
    alone = read_notes(part).rest
    if _GOAL.search(alone):
        return True
    found = head(alone)
    before = alone[: found.start()].strip() if found is not None else ""
    return len(before) >= 2 and before not in ("到点", "记得")


def demands_both(text: str, home: Home) -> bool | None:
    """Whether two things have to be true at the same time (H-IN-02). None: perhaps; the caller must not decide."""
    found = head(text)
    before = text[: found.start()] if found and found.start() > 1 else text
    match = _BOTH.search(before)
    if match is None:
        return _STATE_PAIR.search(text) is not None and not re.search(rf"^(?:{room_pattern()})?没人", text)
    if match[0].startswith("既"):
        return True
    left, right = before[: match.start()], before[match.end() :]
    sides = [read_trigger(side, home) for side in (left, right)]
    proposed = [side.behaviour is not None or bool(side.who) for side in sides]
    return True if all(proposed) else None
