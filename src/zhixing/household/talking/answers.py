"""What an answer says to the questions that are open: letters, options in words, or words of one's own. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zhixing.household.assembling.response import channels_in
from zhixing.kernel.errors import BadInput
from zhixing.kernel.questions import Question

LONGEST_ANSWER = 200
"""Characters of one answer."""
_LETTERS = re.compile(
    r"(?:我?(?:就)?(?:选择?|要)?\s*)((?:(?:\d[\s.、)]*)?[A-G](?![A-Za-z])[\s,，、和;；。.)）]*)+)(?:吧|项)?",
    re.IGNORECASE,
)
_LETTER = re.compile(r"[A-G]", re.IGNORECASE)
_CALLED_OFF = re.compile(r"^(?:取消|算了|不用了|不要了|不建了?|先不(?:用|要|建)了?|放弃)[吧了。！!]*$")
_CHANNELS = {"speaker": "A", "phone": "B", "chat": "C"}
_BARE = {
    "音箱": "speaker",
    "喇叭": "speaker",
    "播报": "speaker",
    "手机": "phone",
    "推送": "phone",
    "对话": "chat",
    "聊天": "chat",
}
_BLANKS = re.compile(r"[\s，。、；！？,.;!?]+")
_OWN_WORDS = ("expiry", "time", "window", "person", "camera_name", "device", "which_task", "name_conflict")
"""Kinds that may be answered in words that are no option."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What was read: kind → value. `called_off`: nothing is to be made."""

    values: Mapping[str, str]
    called_off: bool = False


def read_answer(questions: Sequence[Question], words: str) -> Answered:
    """Read `words` against the open questions; raise `BadInput` where they answer none of them."""
    plain = _plain(words)
    if not plain:
        raise BadInput("answer_needs_words", prompt=_prompts(questions))
    if calls_off(words):
        return Answered({}, called_off=True)
    if len(questions) == 1 and plain.isascii() and plain.isdecimal() and 0 < int(plain) <= len(questions[0].options):
        return Answered({questions[0].kind: questions[0].options[int(plain) - 1].value})
    letters = _LETTERS.fullmatch(plain)
    values = _by_letters(questions, _LETTER.findall(letters[1].upper())) if letters else _by_words(questions, plain)
    if not values:
        raise BadInput("answer_unreadable", answer=plain, prompt=_prompts(questions))
    return Answered(values)


def calls_off(words: str) -> bool:
    """Whether an answer says that nothing is to be made."""
    return _CALLED_OFF.match(_plain(words)) is not None


def _plain(words: str) -> str:
    """Return the characters one can see, in their usual form."""
    usual = unicodedata.normalize("NFKC", words)
    return "".join(" " if one.isspace() else one for one in usual if one.isspace() or one.isprintable()).strip()


def _prompts(questions: Sequence[Question]) -> str:
    return " ".join(dict.fromkeys(question.prompt for question in questions))


def _by_letters(questions: Sequence[Question], letters: Sequence[str]) -> dict[str, str]:
    """Give each letter to the next question with options; more letters than questions are no answer."""
    offered = [question for question in questions if question.options]
    if len(letters) > len(offered):
        return {}
    values = {}
    for question, letter in zip(offered, letters, strict=False):
        index = ord(letter) - ord("A")
        if index >= len(question.options):
            return {}
        values[question.kind] = question.options[index].value
    return values


def _by_words(questions: Sequence[Question], plain: str) -> dict[str, str]:
    values = {}
    for question in questions:
        value = _chosen(question, plain)
        if value is not None:
            values[question.kind] = value
    if not values and len(questions) == 1 and questions[0].kind in _OWN_WORDS and _BLANKS.sub("", plain):
        values[questions[0].kind] = plain
    return values


def _chosen(question: Question, plain: str) -> str | None:
    """Return the option that the words mean, if they mean exactly one."""
    if question.kind == "channel":
        named = {*channels_in(plain), *(kind for word, kind in _BARE.items() if word in plain)}
        return _CHANNELS[named.pop()] if len(named) == 1 else None
    said = _BLANKS.sub("", plain).lower()
    fitting = [option.value for option in question.options if _fits(_BLANKS.sub("", option.label).lower(), said)]
    exact = [option.value for option in question.options if said in (option.value.lower(), option.label.lower())]
    found = exact or fitting
    return found[0] if len(set(found)) == 1 else None


def _fits(label: str, said: str) -> bool:
    return len(said) >= 2 and (said in label or label in said)
