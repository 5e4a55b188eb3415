"""What is refused or taken apart before anything is decided: several tasks in one sentence, AND, more than a day (H-IN)."""

from __future__ import annotations

import re

from zhixing.household.assembling.clock_points import CLOCK, PART
from zhixing.household.assembling.request import Home
from zhixing.household.assembling.response import head, read_notes
from zhixing.household.assembling.trigger import read_trigger
from zhixing.household.assembling.who import mentions
from zhixing.household.assembling.words import any_of, nouns, room_pattern

_LINK = re.compile(r"^(?:另外|还有|然后|以及|再有|再帮我|同时|一个是|第[一二三]个?是?|[12][.、])|(?:另外|还有)$")
_INTRO = re.compile(
    r"^(?:帮我)?(?:弄|设|建|加)\S{0,3}(?:事儿?|任务|提醒)(?:吧|：)?$|^(?:有|这)?[两三几2-5](?:件|个)事儿?情?$|^(?:帮我)?(?:弄|设|建|加)(?:两个|三个)\S{0,3}$"
)
_BOTH = re.compile(r"而且|并且|同时|与此同时|既\S+(?:又|也)|(?<!一边)又(?=没|\S人)|且(?=\S*[在着了])")
_INNER = re.compile(r"(?:另外|还有|然后再|再就是)(?=\S{3})")
_GOAL = re.compile(r"(?:每天|每周|今天)\S*\d+\S*(?:杯|次|个|组|步)")
_STATE_PAIR = re.compile(
    r"(?:(?<!连)着|开着|亮着|关着|黑了|睡着了?)\S*?(?:还|又|却)?(?:没人)|没人\S*(?:还|又)(?:开着|亮着)|(?:都|全)睡着?了?就"
)
_DAYS = re.compile(
    r"每天|每晚|每早|工作日|每?个?周末|每个?周[一二三四五六日]+|大后天|明天|后天|今天|今晚|明晚|明早|下周[一二三四五六日]|\d{1,2}月\d{1,2}[号日]"
)
_DAY_OF = {"每晚": "每天", "每早": "每天", "今晚": "今天", "明晚": "明天", "明早": "明天"}
_ONLY_DAYS = re.compile(rf"(?:{_DAYS.pattern})(?:都)?")
_POINTED = re.compile(rf"(?:{PART})?{CLOCK}")
_RUNS = re.compile(rf"{any_of(nouns())}(?:还|都|也|是|一直)*(?:开着|亮着|响着|关着|没关|忘关)")
"""A device that is on: a proposition of its own, beside another one."""


def pieces(text: str) -> tuple[str, ...]:
    """Return the tasks that a sentence names, each a sentence of its own; one where it names one (H-IN-01)."""
    parts = [part for part in _INNER.sub(" ", text).split(" ") if part and not _INTRO.match(part)]
    parts = [part for part in (_LINK.sub("", part) for part in parts) if part]
    if len(parts) > 1 and read_notes(text).leaves:
        return (text,)
    if len(parts) < 2:
        return (parts[0] if parts and _INTRO.search(text.partition(" ")[0]) else text,)
    if len(parts) > 2 and _ONLY_DAYS.fullmatch(parts[-1]) and all(_POINTED.match(part) for part in parts[:-1]):
        parts = [parts[-1] + part for part in parts[:-1]]  # 晚上十点 …, 早上六点半 …, 每天
    if all(_whole(part) for part in parts):
        return inherited(parts)
    return (text,)


def inherited(parts: list[str]) -> tuple[str, ...]:
    """Return `parts`, each on its days: in 每天8点吃药 10点睡觉 the second is meant daily, too."""
    found, days = [], ""
    for part in parts:
        own = _DAYS.search(part)
        days = _DAY_OF.get(own[0], own[0]) if own is not None else days
        found.append(days + part if own is None and days and _POINTED.match(part) else part)
    return tuple(found)


def inherits(parts: tuple[str, ...]) -> bool:
    """Whether the days of one of `parts` may be those of another, too."""
    return tuple(parts) != inherited(list(parts))


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
    named, rest = mentions(left, home)
    if match[0] == "同时" and len(named) > 1 and not rest.strip():
        return True  # 宝宝和阿姨同时在客厅
    sides = [read_trigger(side, home) for side in (left, right)]
    proposed = [
        side.behaviour is not None or bool(side.who) or _RUNS.search(words) is not None
        for side, words in zip(sides, (left, right), strict=True)
    ]
    return True if all(proposed) else None
