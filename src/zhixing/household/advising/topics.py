"""What a task is called for short when the user is told how to change it: 喝水, 妈妈回家, 客厅没人. Pure."""

from __future__ import annotations

import re

from zhixing.household.assembling.amounts import MEASURE, NUMBER, SPAN
from zhixing.household.assembling.clock_points import CLOCK, PART
from zhixing.household.assembling.clock_words import read_clock
from zhixing.household.assembling.draft import Draft
from zhixing.household.assembling.life import read_life
from zhixing.household.assembling.request import Home
from zhixing.household.assembling.response import head, read_response
from zhixing.household.assembling.who import mentions
from zhixing.household.assembling.words import rooms
from zhixing.household.checks.lexicon import says
from zhixing.kernel.wording import wording

LONGEST = 12
"""Characters of a short name."""
_AMOUNT = rf"{SPAN}|{NUMBER}{MEASURE}|[几多]+少?(?:{MEASURE}|人)|多久|多长时间"
_COUNTED = re.compile(rf"(?:够|满|超过|达到|至少|最多|目标)?(?<!第)(?:{_AMOUNT})以?上?|了|(?<![经路走])过")
_HOUR = re.compile(rf"^(?:{PART}(?:的?{CLOCK})?|{CLOCK})(?:以后|之后|后)?")
_FRAME = re.compile(r"[「」\"'“”]")
_FILLING = re.compile(
    r"^(?:如果|要是|一旦|每天|每周|每次|今天|连续|持续|统计|记录|[去一的也再就要先把给我在里])+|(?:的时候|时候|以后|之后|自动|[吧啊呀了的就时后在])+$"
)


def topic(draft: Draft, home: Home) -> str:
    """Return a few words of the sentence itself that name the task; they find it again when they are said back."""
    text = _FRAME.sub("", draft.text)
    first = head(text)
    before = text if first is None else text[: first.start()]
    content = "" if first is None else read_response(text[first.start() :]).content
    parts = (before, content, text)
    found = _seen(draft, parts, home) or _started(draft, before, home) or _reminded(content, home)
    name = (found or text.replace(" ", ""))[:LONGEST]
    return name if name and not says("talk.internal_patterns", name) else wording("advising.this_task")


def _seen(draft: Draft, parts: tuple[str, ...], home: Home) -> str:
    """Return the words for the behaviour, with the person or the room directly in front of them."""
    if draft.behaviour is None:
        return ""
    for part in parts:
        _, bare = mentions(part, home)
        for words in (bare, _COUNTED.sub("", bare), _COUNTED.sub("", part)):
            match = max(draft.behaviour.pattern.finditer(words), key=lambda one: len(one[0]), default=None)
            name = "" if match is None else _FILLING.sub("", match[0].replace("◇", "").replace(" ", ""))
            if len(name) > 1:
                return _placed(name, draft, part)
            subject = draft.subject.value if draft.subject is not None else None
            if name and isinstance(subject, str) and subject in part:
                return f"{subject}{name}"
    return ""


def _placed(name: str, draft: Draft, part: str) -> str:
    subject = draft.subject.value if draft.subject is not None else None
    whole = part.replace(" ", "")
    before = ["家里", *(word for word, room in rooms().items() if room in draft.rooms)]
    before += [subject] if isinstance(subject, str) else []
    for word in sorted(before, key=len, reverse=True):
        if any(f"{word}{joint}{name}" in whole for joint in ("", "里", "有人", "里有人")):
            return f"{word}{name}"
    return name


def _started(draft: Draft, before: str, home: Home) -> str:
    """Return what starts a task whose behaviour has no words of its own (进车库), with its amounts only if need be."""
    said = _HOUR.sub("", read_life(before, home).rest.replace(" ", ""))
    for words in (_COUNTED.sub("", said), said):
        name = _FILLING.sub("", words)
        if draft.rule and len(name) > 1:
            return name
    return ""


def _reminded(content: str, home: Home) -> str:
    """Return what somebody is to be reminded of, where nothing is looked for."""
    said = re.split(r" ", read_life(read_clock(content, home).rest, home).rest.strip())[0]
    return _FILLING.sub("", said)
