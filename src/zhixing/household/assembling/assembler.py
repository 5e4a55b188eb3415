"""From a request to what is to be done with it: planned, asked, refused, or left to a model. Pure, no I/O."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import StrEnum

from zhixing.household.assembling.conflicts import clash
from zhixing.household.assembling.deciding import decide
from zhixing.household.assembling.draft import Draft, default, inferred, said
from zhixing.household.assembling.plain import plain
from zhixing.household.assembling.request import Request
from zhixing.household.assembling.routing import route
from zhixing.household.assembling.ruling import TooLong
from zhixing.household.assembling.splitting import demands_both, pieces
from zhixing.household.assembling.tips import mild_tips, tips

LONGEST_TEXT = 500
"""Characters of one request; more is not a sentence said at home, and is left to a model."""
MOST_TASKS = 5
_ALONE = ("camera", "duplicate", "paused", "name_conflict")
_CANCELLED = re.compile(r"取消|^C$|不建|算了")


class Outcome(StrEnum):
    """What becomes of a request."""

    PLANNED = "planned"
    ASKED = "asked"
    NEEDS_MODEL = "needs_model"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Assembly:
    """The answer to a request. `questions`: what is open; `asked`: what had to be asked, answered or not."""

    op: str | None
    outcome: Outcome
    target: tuple[str, ...] | None = None
    drafts: tuple[Draft, ...] = ()
    questions: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    tips: tuple[str, ...] = ()
    mild_tips: tuple[str, ...] = ()
    reject: str | None = None
    causes: tuple[str, ...] = field(default=())


_MODEL = Assembly(None, Outcome.NEEDS_MODEL)


def assemble(request: Request) -> Assembly:
    """Decide `request`. Whatever is not certain is left to a model: a wrong decision costs more than none."""
    if len(request.text) > LONGEST_TEXT:
        return _MODEL
    text = plain(request.text)
    found = route(text, request.home)
    if not found.sure or not text:
        return _MODEL
    if found.op != "create":
        return Assembly(found.op, Outcome.PLANNED, found.target)
    parts = pieces(text)
    if len(parts) > MOST_TASKS:
        return _MODEL
    drafts = []
    for part in parts:
        both = demands_both(part, request.home)
        if both is None:
            return _MODEL
        if both:
            return Assembly("create", Outcome.REJECTED, reject="and_rule", causes=("H-IN-02",))
        try:
            draft = decide(part, request)
        except TooLong:
            return Assembly("create", Outcome.REJECTED, reject="duration_over_24h", causes=("H-DUR-07",))
        if draft is None:
            return _MODEL
        drafts.append(draft)
    return _concluded(tuple(drafts), text, request)


def _concluded(drafts: tuple[Draft, ...], text: str, request: Request) -> Assembly:
    home, answers = request.home, request.answers
    first = None
    if any(draft.rule for draft in drafts) and not home.eyes and not home.sources:
        first = "camera"
    elif len(drafts) == 1:
        bare = replace(request, home=replace(home, tasks=()), answers={})
        first = clash(drafts[0], text, home, lambda words: _quietly(words, bare))
    if first is not None and first in answers:
        if _CANCELLED.search(answers[first]) or (first == "camera" and answers[first] == "B"):
            return Assembly("create", Outcome.PLANNED)
        first = None
    for draft in drafts:
        if not _answered(draft, request):
            return _MODEL
    asked = (first,) if first else tuple(dict.fromkeys(kind for draft in drafts for kind in draft.questions))
    if not first:
        asked = tuple(dict.fromkeys([*asked, *(["channel"] if _was_asked(drafts, request) else [])]))
    open_ = tuple(kind for kind in asked if kind not in answers)
    return Assembly(
        "create",
        Outcome.ASKED if open_ else Outcome.PLANNED,
        drafts=drafts,
        questions=open_,
        asked=asked,
        tips=tuple(dict.fromkeys(tip for draft in drafts for tip in tips(draft))),
        mild_tips=tuple(dict.fromkeys(tip for draft in drafts for tip in mild_tips(draft))),
    )


def _quietly(words: str, request: Request) -> Draft | None:
    try:
        return decide(words, request)
    except TooLong:
        return None


def _was_asked(drafts: tuple[Draft, ...], request: Request) -> bool:
    return "channel" in request.answers and any(
        draft.channel is not None and draft.channel.basis.value == "answered" for draft in drafts
    )


def _answered(draft: Draft, request: Request) -> bool:
    """Continue `draft` with what was answered; False where an answer is nothing we know."""
    answers = request.answers
    if "person" in answers and "person" in draft.questions:
        chosen = answers["person"]
        named = [
            person
            for person in request.home.persons
            if person.name in chosen or (person.role and person.role in chosen)
        ]
        if chosen == "B":
            draft.subject = inferred("任何人", "H-SUBJ-05")
        elif len(named) == 1:
            draft.subject = said(named[0].role or named[0].name, "H-SUBJ-11")
        else:
            return False
    if "camera_name" in answers and "camera_name" in draft.questions:
        if answers["camera_name"] != "B":
            return False
        draft.source = default(None, "H-SRC-03")
    return not any(kind in answers and kind in draft.questions for kind in ("expiry", "device", "time", "window"))
