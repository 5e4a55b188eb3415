"""Conditions in words that a sensor can tell: 「大门开着」「温度高于 28 度」「双击床头按钮」. Pure.

The source of a rule is a device already, so the words only have to say what of it; what else they name may only be that
device: its name, its room, a door, a window. Words that say more (who it is, what it must not be) are not read: what
takes judgement stays with whoever judges.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from zhixing.graphs.specs.meanings import Happening, Meaning
from zhixing.household.assembling.amounts import NUMBER, number
from zhixing.language.text import normalise

LONGEST = 60
"""Characters of a condition that is read; what is longer says more than a sensor can tell."""


@dataclass(frozen=True, slots=True)
class Holds:
    """A contact is open (or not), a motion sensor sees somebody (or not)."""

    meaning: Meaning
    wanted: bool


@dataclass(frozen=True, slots=True)
class Bound:
    """A number compares: `operator` is one of > >= < <=."""

    meaning: Meaning
    operator: str
    number: float


@dataclass(frozen=True, slots=True)
class Happens:
    """A button is pressed."""

    happening: Happening


Asked = Holds | Bound | Happens

_NOUNS = (
    "大门", "入户门", "房门", "前门", "后门", "柜门", "冰箱门", "门口", "门", "窗户", "窗子", "窗", "抽屉",
    "门磁", "窗磁", "门窗传感器", "人体传感器", "温湿度计", "温湿度传感器", "温度计", "湿度计", "传感器",
    "按钮", "按键", "无线开关", "开关", "遥控器", "室内", "屋里", "房间", "家里",
)  # fmt: skip
_PARTICLES = ("的", "里", "内", "上", "那个", "这个")
_SHORTEST_PIECE = 2

_BE = r"(?:被|已经|已|还|一直|正|是|处于)*"
_AFTER = r"(?:了|着|的|状态|时|时候)*"
_STATES: tuple[tuple[Asked, re.Pattern[str]], ...] = tuple(
    (Holds(meaning, wanted), re.compile(rf"(?P<who>.*?){_BE}(?:{words}){_AFTER}"))
    for meaning, wanted, words in (
        (Meaning.CONTACT, True, "没有关上|没有关好|没关上|没关好|没关|没有关|未关|打开|敞开|敞着|开着|开启|开"),
        (Meaning.CONTACT, False, "没有打开|没打开|没有开|没开|关闭|关上|关好|关着|合上|关"),
        (Meaning.MOTION, False, "没有人|没人|无人"),
        (Meaning.MOTION, False, "(?:没有|没|无)(?:人)?(?:移动|活动|走动|动静)"),
        (Meaning.MOTION, True, "有人(?:经过|移动|活动|走动|在)?|有动静"),
    )
)
_OPERATORS = (
    (">=", "不低于|不小于|不少于|达到|至少|>=|≥"),
    ("<=", "不高于|不超过|不大于|<=|≤"),
    (">", "高于|高过|超过|大于|>"),
    ("<", "低于|小于|不到|不足|<"),
)
_BOUNDS = tuple(
    (meaning, operator, re.compile(rf"(?P<who>.*?)(?:{subject})(?:{words})(?P<number>{NUMBER})(?:{unit})?{_AFTER}"))
    for meaning, subject, unit in (
        (Meaning.TEMPERATURE, "温度|室温|气温", "度|℃|摄氏度|°c"),
        (Meaning.HUMIDITY, "相对湿度|湿度", "%"),
        (Meaning.ILLUMINATION, "光照强度|光照度|光照|照度", "勒克斯|lux|lx"),
        (Meaning.BATTERY, "电量", "%"),
        (Meaning.ELECTRIC_POWER, "功率", "瓦|w"),
    )
    for operator, words in _OPERATORS
)
_PRESSES: tuple[tuple[Asked, re.Pattern[str]], ...] = tuple(
    (Happens(happening), re.compile(pattern))
    for happening, words in (
        (Happening.DOUBLE_CLICK, "双击|连按两下|按了?两下"),
        (Happening.LONG_PRESS, "长按|按住"),
        (Happening.CLICK, "单击|点击|按了?一下|按下|按了|按"),
    )
    for pattern in (rf"(?:有人)?(?:{words})了?(?P<who>.*?)", rf"(?P<who>.*?){_BE}(?:{words}){_AFTER}")
)


def read_condition(query: str, names: Collection[str]) -> Asked | None:
    """Read what a condition asks of the device that `names` call (its name, its room); None where it says more."""
    text = "".join(normalise(query).split()).rstrip("。.").casefold()
    if not text or len(text) > LONGEST:
        return None
    called = frozenset("".join(normalise(name).split()).casefold() for name in names if name)
    for asked, pattern in (*_STATES, *_PRESSES):
        if (found := pattern.fullmatch(text)) is not None and points(found["who"], called):
            return asked
    for meaning, operator, pattern in _BOUNDS:
        if (found := pattern.fullmatch(text)) is not None and points(found["who"], called):
            amount = number(found["number"])
            return None if amount is None else Bound(meaning, operator, amount)
    return None


@lru_cache(maxsize=1024)
def points(words: str, called: frozenset[str]) -> bool:
    """Whether words do nothing but point at a device that is `called` so."""
    reached = {0}
    for start in range(len(words)):
        if start not in reached:
            continue
        for end in range(start + 1, len(words) + 1):
            piece = words[start:end]
            of_name = len(piece) >= _SHORTEST_PIECE and any(piece in name for name in called)
            if piece in _NOUNS or piece in _PARTICLES or of_name:
                reached.add(end)
    return len(words) in reached
