"""Whether a reply uses what was said. A part of the words that nobody used is a wish that would be lost."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from zhixing.household.assembling.amounts import MEASURE, NUMBER, SPAN
from zhixing.household.assembling.plain import plain
from zhixing.household.assembling.words import any_of, nouns, room_pattern
from zhixing.household.modelling.answering import telling
from zhixing.household.modelling.ground import bare
from zhixing.household.modelling.misreading import Fault, Misread
from zhixing.household.modelling.protocol import WireReply, WireTask

_LIMITS = re.compile(
    "除了|除非|除外|以外|否则|不然|直到|顺便|优先|随机|轮流|仅|只在|只有|只要不|如果不|别在|不要在|但是|不过|最多"
)
"""Words that bound a wish: what they say has to be somewhere."""
_AMOUNT = re.compile(rf"{SPAN}|{NUMBER}(?:点|度|{MEASURE})|\d+(?:\.\d+)?")
_ROOM = re.compile(room_pattern())
_SWITCHED = re.compile(
    rf"(?:关[掉上闭了]?|打?开启?|启动|调[亮暗高低]|把|将|让|[和跟、])\S{{0,4}}?(?P<noun>{any_of(nouns())})"
)
_UNUSED_REST = 12
"""Characters of a sentence that may stand outside of all its tasks: greetings, and what joins them."""
_MODEST = re.compile("一[下声点些句直个]|一开始")


def check_used(task: WireTask, tasks: Sequence[WireTask], words: str, place: str) -> None:
    """Raise `Misread` for a part of `words` (the task, plain) that is lost.

    That is an amount, a room, a limit, a device or a wish to be told. Tasks said in the same words share them.
    """
    same = [other for other in tasks if other.words == task.words]
    if left := _unused(same, words) or _untold(same, words):
        raise Misread(Fault.UNUSED, place, left)


def _unused(tasks: Sequence[WireTask], words: str) -> str:
    said = _forms(quote for task in tasks for quote in _quotes(task))
    clauses = _forms(quote for task in tasks for quote in _clauses(task))
    amounts = (match[0] for match in _AMOUNT.finditer(_MODEST.sub(" ", words)))
    rooms_and_limits = (match[0] for pattern in (_ROOM, _LIMITS) for match in pattern.finditer(words))
    pieces = (*amounts, *rooms_and_limits)
    for piece in pieces:
        if bare(piece) and not any(bare(piece) in quote for quote in said):
            return piece
    devices = (match["noun"] for match in _SWITCHED.finditer(words))
    return next((device for device in devices if not any(device in quote for quote in (*said, *clauses))), "")


def _untold(tasks: Sequence[WireTask], words: str) -> str:
    answers = [task.response for task in tasks if task.response is not None]
    told = any(answer.tell or answer.channels or answer.quiet or answer.decides for answer in answers)
    return "" if told else telling(words)


def _forms(quotes: Iterable[str]) -> list[str]:
    """Return each quote as it was said and as the grammar reads it, to be looked for in either."""
    return [form for quote in quotes for form in (bare(quote), bare(plain(quote)))]


def check_whole(reply: WireReply, text: str) -> None:
    """Raise `Misread` where so much of the sentence is in no task that a wish may be lost."""
    rest = bare(text)
    for piece in (task.words for task in reply.tasks):
        rest = rest.replace(bare(piece), "", 1)
    if len(rest) > _UNUSED_REST or telling(rest) or _LIMITS.search(rest):
        raise Misread(Fault.UNUSED, "tasks", rest[:_UNUSED_REST])


def _clauses(task: WireTask) -> Iterator[str]:
    """Yield the whole clauses: things stand in them that nobody wants to switch (看电视)."""
    if task.trigger is not None:
        yield task.trigger.quote
    if task.response is not None and task.response.tell:
        yield task.response.tell


def _quotes(task: WireTask) -> Iterator[str]:
    """Yield the texts of a task that do something with what they quote.

    Its own words, what happens, and that somebody is told are whole clauses: they would cover everything.
    """
    trigger, response = task.trigger, task.response
    if trigger is not None:
        yield from (*trigger.rooms, *trigger.subject.names)
        signs = (trigger.starts, trigger.each, trigger.at_once, trigger.absent, trigger.gate)
        yield from filter(None, signs)
        if trigger.hold is not None:
            yield trigger.hold.quote
        if trigger.condition is not None:
            yield trigger.condition.body
    if response is not None:
        yield from filter(None, (response.content, response.decides, response.stay, response.leave, response.quiet))
        yield from (channel.quote for channel in response.channels)
        if response.gap is not None:
            yield response.gap.quote
        if response.act is not None:
            yield from filter(None, (response.act.noun, response.act.room, response.act.setting))
    if task.record is not None:
        yield task.record.quote
        if task.record.span is not None:
            yield task.record.span.quote
    yield from (part.quote for part in (task.period, task.clock, task.life) if part is not None)
