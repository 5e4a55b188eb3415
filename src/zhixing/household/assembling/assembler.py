"""From a request to what is to be done with it: planned, asked, refused, or left to a model. Pure, no I/O."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from zhixing.household.assembling.conflicts import Clash, Reader, clash, counted_by
from zhixing.household.assembling.continuing import continue_with
from zhixing.household.assembling.deciding import decide
from zhixing.household.assembling.draft import Draft
from zhixing.household.assembling.plain import plain
from zhixing.household.assembling.request import Request
from zhixing.household.assembling.routing import route
from zhixing.household.assembling.ruling import TooLong
from zhixing.household.assembling.sentences import says_more, sentences
from zhixing.household.assembling.splitting import demands_both, inherits, pieces
from zhixing.household.assembling.tips import mild_tips, tips

LONGEST_TEXT = 500
"""Characters of one request; more is not a sentence said at home, and is left to a model."""
MOST_TASKS = 5
_ALONE = ("camera", "duplicate", "paused", "name_conflict")
_NAMES = re.compile("任务|提醒|规则|自动化|那个|这个|那条|这条")
_CANCELLED = re.compile(r"取消|^C$|不建|算了")


class Outcome(StrEnum):
    """What becomes of a request."""

    PLANNED = "planned"
    ASKED = "asked"
    NEEDS_MODEL = "needs_model"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Assembly:
    """The answer to a request. `questions`: what is open; `asked`: what had to be asked, answered or not.

    `clash`: the existing task that `duplicate` and `paused` are about, also where it was answered. `cancelled`: the
    answer was to make nothing.
    """

    op: str | None
    outcome: Outcome
    target: tuple[str, ...] | None = None
    drafts: tuple[Draft, ...] = ()
    questions: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    tips: tuple[str, ...] = ()
    mild_tips: tuple[str, ...] = ()
    reject: str | None = None
    clash: Clash | None = None
    cancelled: bool = False


_MODEL = Assembly(None, Outcome.NEEDS_MODEL)


def assemble(request: Request) -> Assembly:
    """Decide `request`. Whatever is not certain is left to a model: a wrong decision costs more than none."""
    if len(request.text) > LONGEST_TEXT:
        return _MODEL
    several = _several(request)
    if several is not None:
        return several
    text = plain(request.text)
    found = route(text, request.home)
    if not found.sure or not text:
        return _MODEL
    if found.op != "create":
        return _MODEL if _begins_new(text, request) else Assembly(found.op, Outcome.PLANNED, found.target)
    decided = _decided(text, request)
    if isinstance(decided, Assembly):
        return decided
    counting = counted_by(decided[0], text, request.home, _reader(request)) if len(decided) == 1 else ()
    return Assembly("logs", Outcome.PLANNED, counting) if counting else concluded(decided, text, request)


def _begins_new(text: str, request: Request) -> bool:
    """Whether `text` is a new task with words behind that look like an operation: 周末提醒我洗车，先停一下."""
    first, _, behind = text.partition(" ")
    if not behind or _NAMES.search(behind) or route(first, request.home).op != "create":
        return False
    return not isinstance(_decided(first, request), Assembly)


def _several(request: Request) -> Assembly | None:
    """Decide a message of several sentences, each by itself; None where they are one, or not all certain."""
    parts = sentences(request.text)
    if len(parts) < 2:
        return None
    if inherits(parts):
        return _MODEL
    drafts: list[Draft] = []
    others = False
    for part in parts:
        op = route(part, request.home).op
        if op == "create":
            decided = _decided(part, request)
            if isinstance(decided, Assembly):
                return None
            drafts += decided
        others |= op not in ("create", "none")
    if others or len(drafts) > MOST_TASKS:
        return _MODEL if drafts else None
    return concluded(tuple(drafts), " ".join(parts), request) if drafts else None


def _decided(text: str, request: Request) -> tuple[Draft, ...] | Assembly:
    """Return the drafts for one plain sentence, or why there are none."""
    parts = pieces(text)
    if len(parts) > MOST_TASKS:
        return _MODEL
    drafts = []
    for part in parts:
        both = demands_both(part, request.home)
        if both is None or says_more(part):
            return _MODEL
        if both:
            return Assembly("create", Outcome.REJECTED, reject="and_rule")
        try:
            draft = decide(part, request)
        except TooLong:
            return Assembly("create", Outcome.REJECTED, reject="duration_over_24h")
        if draft is None:
            return _MODEL
        drafts.append(draft)
    return tuple(drafts)


def concluded(drafts: tuple[Draft, ...], text: str, request: Request) -> Assembly:
    """Return what becomes of `drafts`: what is open, what the home has already, what has to be told. `text` is plain."""
    home, answers = request.home, request.answers
    first, found = None, None
    if any(draft.rule for draft in drafts) and not home.eyes and not home.sources:
        first = "camera"
    elif len(drafts) == 1:
        found = clash(drafts[0], text, home, _reader(request))
        first = None if found is None else found.kind
    if first is not None and first in answers:
        if _CANCELLED.search(answers[first]) or (first == "camera" and answers[first] == "B"):
            return Assembly("create", Outcome.PLANNED, clash=found, cancelled=True)
        first = None
    unread = frozenset[str]().union(*(continue_with(draft, request) for draft in drafts))
    asked = (first,) if first else tuple(dict.fromkeys(kind for draft in drafts for kind in draft.questions))
    if not first:
        asked = tuple(dict.fromkeys([*asked, *(["channel"] if _was_asked(drafts, request) else [])]))
    open_ = tuple(kind for kind in asked if kind not in answers or kind in unread)
    return Assembly(
        "create",
        Outcome.ASKED if open_ else Outcome.PLANNED,
        drafts=drafts,
        questions=open_,
        asked=asked,
        tips=tuple(dict.fromkeys(tip for draft in drafts for tip in tips(draft))),
        mild_tips=tuple(dict.fromkeys(tip for draft in drafts for tip in mild_tips(draft))),
        clash=found,
    )


def _reader(request: Request) -> Reader:
    """Return how the words of a task of the home are read: as in an empty one."""
    bare = replace(request, home=replace(request.home, tasks=()), answers={})
    return lambda words: _quietly(words, bare)


def _quietly(words: str, request: Request) -> Draft | None:
    try:
        return decide(words, request)
    except TooLong:
        return None


def _was_asked(drafts: tuple[Draft, ...], request: Request) -> bool:
    return "channel" in request.answers and any(
        draft.channel is not None and draft.channel.basis.value == "answered" for draft in drafts
    )
