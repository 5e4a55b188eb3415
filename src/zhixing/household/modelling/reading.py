"""From a model's reply to an `Assembly`: facts in, the rules of `assembling` on them, the checks on what comes out.

Pure. Whatever the reply, the answer is an assembly whose drafts make plans without an error, or `Misread`. A reply is
kept as it came and read again with every answer, so nothing that was decided has to be kept beside it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from zhixing.household.assembling.amounts import SPAN, Count, seconds
from zhixing.household.assembling.assembler import Assembly, Outcome, concluded
from zhixing.household.assembling.clock import Clock
from zhixing.household.assembling.clock_points import PART
from zhixing.household.assembling.deciding import by_clock, live
from zhixing.household.assembling.draft import Condition, Draft, inferred
from zhixing.household.assembling.plain import plain
from zhixing.household.assembling.request import Request
from zhixing.household.assembling.response import Response, read_response
from zhixing.household.assembling.ruling import DAY, Sentence, TooLong, rule_on
from zhixing.household.assembling.trigger import Trigger, read_trigger
from zhixing.household.assembling.who import Mention
from zhixing.household.assembling.words import Behaviour, Kind
from zhixing.household.composing.model import Site
from zhixing.household.modelling.answering import notes_of, response_of, settle_act
from zhixing.household.modelling.coverage import check_used, check_whole
from zhixing.household.modelling.ground import Ground, bare
from zhixing.household.modelling.misreading import Fault, Misread
from zhixing.household.modelling.naming import mentions_of, room_of
from zhixing.household.modelling.protocol import (
    LONGEST_QUOTE,
    LONGEST_WORDS,
    WireRecord,
    WireReply,
    WireTask,
    WireTrigger,
    read_wire,
)
from zhixing.household.modelling.rehearsing import Conclude, rehearse
from zhixing.household.modelling.seeing import behaviour_of, condition_of
from zhixing.household.modelling.signs import needs, wants_a_task
from zhixing.household.modelling.timing import clock_of, life_of, period_words

CONFIRM = "confirm"
"""The question that stands before everything a model wants done to a task that exists. A: do it, B: leave it."""
_SHOWN = 20
_CHANGING = frozenset(("disable", "enable", "update", "delete"))
_CROSSINGS = frozenset(("arrives", "leaves", "enters", "exits", "boundary"))
_SPANS = re.compile(rf"(?:{SPAN})+")
_HOURS = re.compile(rf"{PART}|夜间|白天|[\d一二三四五六七八九十]点")
_RANGE = re.compile(r"到|至|除|周末|工作日|周[一二三四五六日]|号")
_PRESENT = Condition("presence", "的身影出现在画面中")


def read_reply(value: object, request: Request, site: Site) -> Assembly:
    """Return what becomes of `request`, given what a model replied. Raises `Misread`, and nothing else."""
    reply = read_wire(value)
    ground = Ground(request)
    if reply.op != "create":
        return _operation(reply, request, ground)
    if reply.reject is not None:
        return _rejected(reply, ground)
    if reply.beyond:
        words = "，".join(ground.quote(quote, "beyond") for quote in reply.beyond)
        raise Misread(Fault.BEYOND, "beyond", words)
    if not reply.tasks:
        raise Misread(Fault.EMPTY, "tasks")
    try:
        drafts = _drafts(reply, request)
    except TooLong:
        return _too_long()
    check_whole(reply, request.text)
    for index, draft in enumerate(drafts):
        if any(_same(draft, other) for other in drafts[:index]) or _reads_twice(reply, index):
            raise Misread(Fault.TWICE, f"tasks[{index}]")
    assembly = concluded(drafts, plain(request.text), request)
    if assembly.outcome is Outcome.NEEDS_MODEL:
        raise Misread(Fault.ANSWER, "tasks")
    rehearse(assembly, _concluding(reply), request, site, [_setting(task) for task in reply.tasks])
    return assembly


def _concluding(reply: WireReply) -> Conclude:
    return lambda request: concluded(_drafts(reply, request), plain(request.text), request)


def _setting(task: WireTask) -> str:
    act = task.response.act if task.response is not None else None
    return plain(act.setting or "") if act is not None else ""


def _same(draft: Draft, other: Draft) -> bool:
    """Whether two tasks would do the same."""
    return replace(draft, text="", message="") == replace(other, text="", message="")


def _reads_twice(reply: WireReply, index: int) -> bool:
    """Whether a task sees something else in the very words that an earlier one has its trigger from."""
    trigger = reply.tasks[index].trigger
    earlier = (task.trigger for task in reply.tasks[:index] if task.trigger is not None)
    return trigger is not None and any(
        bare(trigger.quote) == bare(other.quote)
        and (trigger.behaviour, trigger.condition) != (other.behaviour, other.condition)
        for other in earlier
    )


def _drafts(reply: WireReply, request: Request) -> tuple[Draft, ...]:
    tasks = _Tasks(reply.tasks, request)
    return tuple(tasks.draft(task, f"tasks[{index}]") for index, task in enumerate(reply.tasks))


def _too_long() -> Assembly:
    return Assembly("create", Outcome.REJECTED, reject="duration_over_24h")


def _operation(reply: WireReply, request: Request, ground: Ground) -> Assembly:
    """Return what is to be done with tasks that exist. A model only proposes a change: the user is asked first."""
    known = {task.id for task in request.home.tasks}
    targets = tuple(dict.fromkeys(reply.targets))
    if reply.tasks:
        raise Misread(Fault.SHAPE, "tasks")
    if not known.issuperset(targets):
        raise Misread(Fault.TARGET, "targets")
    if reply.op != "none":
        ground.quote(reply.quote or "", "quote")
    if reply.op == "none" and wants_a_task(plain(request.text)):
        raise Misread(Fault.UNUSED, "op", plain(request.text)[:_SHOWN])
    if reply.op in ("none", "list"):
        return Assembly(reply.op, Outcome.PLANNED)
    if reply.op not in _CHANGING:
        return Assembly(reply.op, Outcome.PLANNED, targets)
    answer = request.answers.get(CONFIRM)
    if answer is None:
        return Assembly(reply.op, Outcome.ASKED, targets, questions=(CONFIRM,), asked=(CONFIRM,))
    if answer != "A":
        return Assembly("none", Outcome.PLANNED, cancelled=True)
    return Assembly(reply.op, Outcome.PLANNED, targets, asked=(CONFIRM,))


def _rejected(reply: WireReply, ground: Ground) -> Assembly:
    words = ground.quote(reply.reject_quote or "", "reject_quote")
    if reply.reject == "and_rule":
        needs("and_rule", words, "reject_quote", Fault.REJECT)
        return Assembly("create", Outcome.REJECTED, reject="and_rule")
    lengths = [seconds(match[0]) for match in _SPANS.finditer(words)]
    if not any(length is not None and length > DAY for length in lengths):
        raise Misread(Fault.REJECT, "reject_quote")
    return _too_long()


class _Tasks:
    """Decides the tasks of a reply by its facts."""

    def __init__(self, tasks: Sequence[WireTask], request: Request) -> None:
        self._tasks = tasks
        self._request = request
        self._home = request.home
        self._ground = Ground(request)

    def draft(self, task: WireTask, place: str) -> Draft:
        """Decide one task. Raises `Misread` and `TooLong`."""
        ground, home = self._ground, self._home
        words = ground.quote(task.words, f"{place}.words", LONGEST_WORDS)
        whole = words.replace(" ", "")
        clock = Clock(None, "") if task.clock is None else clock_of(task.clock, ground, home, f"{place}.clock")
        life = life_of(task.life, whole, ground, home, f"{place}.life")
        response = response_of(task.response, words, ground, home, f"{place}.response")
        notes = notes_of(task.response, ground, f"{place}.response")
        draft = Draft(words)
        live(draft, life, clock)
        if task.response is not None:
            draft.message = ground.maybe(task.response.content, f"{place}.response.content")
        if task.trigger is None:
            check_used(task, self._tasks, words, place)
            return _timed(draft, task, clock, response, place)
        condition = self._condition(task.trigger, words, f"{place}.trigger")
        trigger = self._trigger(task.trigger, task.record, words, place)
        if notes.gap is not None and trigger.hold is None:
            trigger = replace(trigger, starts=True)  # not again for a while: once each time it begins (H-MODE-05)
        check_used(task, self._tasks, words, place)
        whole = f"{period_words(task.period, whole, ground, f'{place}.period')}{whole}"
        if rule_on(draft, trigger, Sentence(words, whole, life, clock, notes, response), self._request) is None:
            raise Misread(Fault.UNDECIDED, place)
        if condition is not None:
            draft.condition = inferred(condition, "H-SEG-02")
            happens = ground.quote(task.trigger.quote, f"{place}.trigger.quote")
            draft.message = draft.message or (happens if draft.notify else "")
        settle_act(draft, task.response, response.act if response is not None else None, home)
        return draft

    def _behaviour(self, wire: WireTrigger, words: str, place: str) -> tuple[Behaviour, tuple[Mention, ...]]:
        happens = self._ground.quote(wire.quote, f"{place}.quote")
        who = mentions_of(wire.subject, happens, self._ground, self._home, f"{place}.subject")
        return behaviour_of(wire, who, words, place), who

    def _condition(self, wire: WireTrigger, words: str, place: str) -> Condition | None:
        """Return the condition that a model wrote, where the dictionary has none."""
        if wire.behaviour is not None or wire.condition is None:
            return None
        behaviour, _ = self._behaviour(wire, words, place)
        found = condition_of(wire.condition, behaviour, wire.subject.names, f"{place}.condition")
        if behaviour.marks & _CROSSINGS and self._request.answers.get("viewpoint") == "B":
            return _PRESENT  # the camera does not see it happen (H-VIEW-10)
        return found

    def _trigger(self, wire: WireTrigger, record: WireRecord | None, words: str, task: str) -> Trigger:
        """Return what starts the task: the same value that the grammar reads off a sentence."""
        ground, place = self._ground, f"{task}.trigger"
        behaviour, who = self._behaviour(wire, words, place)
        hold = None if wire.hold is None else ground.length(wire.hold, f"{place}.hold")
        if hold is not None and behaviour.kind is Kind.INSTANT:
            raise Misread(Fault.HOLD, f"{place}.hold")
        about = None if record is None else record.about
        if record is not None and record.span is not None:
            hold = ground.length(record.span, f"{task}.record.span")
        return replace(
            read_trigger("", self._home),
            who=who,
            rooms=tuple(dict.fromkeys(room_of(room, ground, f"{place}.rooms") for room in wire.rooms)),
            behaviour=behaviour,
            hold=hold,
            count=None if record is None else self._count(record, f"{task}.record"),
            how_many=about == "how_many",
            how_long=about == "how_long",
            total=about == "total",
            keep=about == "keep",
            starts=self._starts(wire.starts, f"{place}.starts"),
            each=self._heard(wire.each, f"{place}.each").each,
            at_once=self._heard(wire.at_once, f"{place}.at_once").at_once,
            absent=self._heard(wire.absent, f"{place}.absent").absent,
            gate=self._gate(wire.gate, f"{place}.gate"),
            came="arrives" in behaviour.marks,
            seen=behaviour.key,
            leftover="",
        )

    def _starts(self, quote: str | None, place: str) -> bool:
        words = self._ground.maybe(quote, place)
        needs("starts", words, place)
        return bool(words)

    def _heard(self, quote: str | None, place: str) -> Trigger:
        """Return what our own grammar hears in a quote: these signs spare the user a question (§22)."""
        return read_trigger(self._ground.maybe(quote, place).replace(" ", ""), self._home)

    def _gate(self, quote: str | None, place: str) -> bool:
        """Whether it counts from some hour of the day on. Other bounds have no place in a plan."""
        words = self._ground.maybe(quote, place)
        if words and (_HOURS.search(words) is None or _RANGE.search(words)):
            raise Misread(Fault.BEYOND, place, words)
        return bool(words)

    def _count(self, record: WireRecord, place: str) -> Count | None:
        """Return the goal that was said; the words that ask for any other record have to be there too."""
        if record.about != "goal":
            needs(record.about, self._ground.quote(record.quote, f"{place}.quote"), f"{place}.quote")
            return None
        unit = plain((record.unit or "")[:LONGEST_QUOTE])
        return Count(self._ground.count(record.target, unit, record.quote, place), unit, record.quote)


def _timed(draft: Draft, task: WireTask, clock: Clock, response: Response | None, place: str) -> Draft:
    """Finish a task that the clock alone starts."""
    if task.record is not None or clock.schedule is None:
        raise Misread(Fault.UNDECIDED, place)
    finished = by_clock(draft, clock, response or read_response(""))
    if finished is None:
        raise Misread(Fault.UNDECIDED, place)
    return finished
