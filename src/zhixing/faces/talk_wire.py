"""What programs get of a sentence about the home, and what a person reads of it. Pure."""

from __future__ import annotations

from zhixing.faces.ids import needed_id, read_id
from zhixing.faces.wire import Wire, of_question
from zhixing.household.talking.store import PREFIX
from zhixing.household.talking.talk import Talk, TalkState
from zhixing.kernel.moments import iso
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.questions import Question
from zhixing.kernel.wording import wording
from zhixing.tasks.task import Way

_LETTERS = "ABCDEFG"


def is_talk(written: str) -> bool:
    """Whether a person means a sentence about the home (s12) and not a task."""
    return read_id(written, PREFIX) is not None


def talk_id(written: str) -> str:
    """Return the id that a person means by `s12` or `S12`; raise `NotFound` where it is none."""
    return needed_id(written, PREFIX, "talk_unknown")


def of_talk(talk: Talk) -> Wire:
    """Write a talk: `prompt` asks everything in `questions` at once, `lines` is what was said at the end."""
    return {
        "id": talk.id,
        "way": Way.HOUSEHOLD.value,
        "text": talk.text,
        "state": talk.state.value,
        "op": talk.op,
        "why": talk.why,
        "revision": talk.revision,
        "zone": talk.zone,
        "saidAt": iso(talk.said_at, find_zone(talk.zone)),
        "prompt": talk.prompt,
        "questions": [of_question(question) for question in talk.questions],
        "answers": [{"kind": kind, "value": value} for kind, value in talk.answers.items()],
        "lines": list(talk.lines),
        "tasks": list(talk.tasks),
    }


def talk_lines(talk: Talk, *, has_model: bool) -> list[str]:
    """Say what became of a sentence: the report, what is open, or what it waits for."""
    match talk.state:
        case TalkState.ASKED:
            return talk.prompt.splitlines()
        case TalkState.PENDING_AI:
            return [wording("talking.waiting"), *([] if has_model else [wording("talking.no_model")])]
        case TalkState.KEPT:
            return [wording("talking.kept")]
        case _:
            return list(talk.lines)


def shown_options(question: Question) -> list[tuple[str, str]]:
    """Return the options of a question with the letters they are picked by."""
    return [(letter, option.label) for letter, option in zip(_LETTERS, question.options, strict=False)]
