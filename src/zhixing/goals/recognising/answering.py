"""A reply to the questions of a card: labelled values, letters, 对 and 不对, words that speak for themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from zhixing.goals.recognising import cues
from zhixing.goals.recognising.asked import Asked, Form
from zhixing.goals.recognising.changing import asks_to_change, changed, changed_value
from zhixing.goals.recognising.describing import added, described, filled
from zhixing.goals.recognising.labels import Op, Part, parts
from zhixing.goals.recognising.model import LONGEST_TEXT, Draft, Element
from zhixing.goals.recognising.phrasing import asks
from zhixing.goals.recognising.picking import first_many, letters_in, named, ordinal_in
from zhixing.goals.recognising.texts import clauses_of, item, links, numbered, plain
from zhixing.goals.recognising.words import any_of, replies, task_words, turns
from zhixing.goals.recognising.workflows import bare_id

_NTH = re.compile(
    r"^(?:第 ?([0-9一二三四五])[题问个]?(?:问题)?|[Qq](\d)|(\d)(?=\s*[A-Ga-g]\b))\s*[:：、.，,]?\s*(?:我?选|是)?\s*"
)
_LETTERS_THEN = re.compile(r"^([A-Ga-gＡ-Ｇ](?: +[A-Ga-gＡ-Ｇ])*) +(?=\S)(?![或还])(?![^一-龥]*$)")
_IS = re.compile(r"^(?:而是|应该是|应是|是|要的是|要|改成|换成)(?:一[份个张版])?")
_LETTER = re.compile(r"(?<![A-Za-z])[A-G](?![A-Za-z])")
_AND = re.compile(r"\s*(?:和|与|跟|及|、|/|\+|&)\s*")
_DIGITS = {each: n for n, each in enumerate("一二三四五", 1)}


@dataclass(frozen=True, slots=True)
class Reply:
    """What a reply makes of a draft. `doubtful` are words of which rules do not know what they answer."""

    draft: Draft
    doubtful: tuple[str, ...] = ()
    opened: frozenset[Element] = frozenset()
    """Elements for which 其他 was picked without saying what."""
    denied: frozenset[Element] = frozenset()
    """Elements of which what was inferred is wrong."""


@dataclass(slots=True)
class _Reading:
    """A reply while it is being read, clause by clause."""

    draft: Draft
    questions: tuple[Asked, ...]
    open_choices: list[Asked]
    denied: Element | None = None
    loose: list[str] = field(default_factory=list)
    unsure: list[str] = field(default_factory=list)
    """Clauses that are no answer, and of which it is not clear what they change."""
    settled: set[Element] = field(default_factory=set)
    opened: set[Element] = field(default_factory=set)


def replied(draft: Draft, questions: tuple[Asked, ...], text: str) -> Reply:
    """Return what a reply to `questions`, asked about `draft`, makes of it."""
    found, bare = links(plain(text[:LONGEST_TEXT]))
    draft = draft.linked(found)
    if draft.lacks_id and (name := bare_id(bare)):
        return Reply(replace(draft, workflow_id=name))
    if not draft.goal:
        return _described(draft, bare)
    reading = _Reading(
        draft, questions, [each for each in questions if each.form is Form.CHOICE and _open(draft, each)]
    )
    listed = numbered(bare)
    about = {told.element for each in listed for told in cues.all_told(each)}
    if len(listed) > 1 and len(listed) <= len(questions) and not (len(about) == 1 and all(map(cues.told, listed))):
        for question, answer in zip(questions, listed, strict=False):
            _answer(reading, question, answer)
    else:
        for part in parts(bare):
            _part(reading, part)
    return _settled(reading)


def _described(draft: Draft, text: str) -> Reply:
    """Return what a reply makes of a draft whose goal is still to be said: it is read as a new description."""
    found = described(text)
    said = found.sketches[0].draft
    for element in Element:
        if values := said.values(element):
            draft = draft.said(element, values) if element is Element.GOAL else added(draft, element, values)
    return Reply(draft.linked(said.resources), () if found.certain or found.labelled else (text,))


def _open(draft: Draft, question: Asked) -> bool:
    return question.element is not None and (not draft.values(question.element) or question.element in draft.inferred)


def _part(reading: _Reading, part: Part) -> None:
    if part.op is Op.FREE:
        for clause in clauses_of(part.text):
            _clause(reading, clause)
        return
    element = Element(part.label) if part.label in set(Element) else None
    choice = next((each for each in reading.questions if each.element is element and each.form is Form.CHOICE), None)
    if element is None:
        reading.draft = changed(reading.draft, part)
    elif part.op is Op.SET and choice and (values := _picked(choice, part.text)):
        _set(reading, element, values)
    elif part.op is Op.SET and element in reading.draft.missing:
        if not cues.is_unclear(part.text):
            reading.draft = filled(reading.draft, element, part.items)
    else:
        reading.draft = changed(reading.draft, part)
    if element is not None:
        reading.settled.add(element)


def _set(reading: _Reading, element: Element, values: Iterable[str]) -> None:
    reading.draft = reading.draft.said(element, values)
    reading.settled.add(element)
    reading.open_choices = [each for each in reading.open_choices if each.element is not element]


def _picked(question: Asked, text: str) -> tuple[str, ...]:
    """Return the options that a text picks, or what it says beside 其他."""
    letters, rest = letters_in(text)
    if letters:
        chosen = [question.option(letter) for letter in letters]
        if len(letters) == 1 and not chosen[0] and rest and letters in question.letters:
            return (item(rest),)
        return tuple(filter(None, chosen)) if not rest or named(rest, question.options) or len(letters) > 1 else ()
    bare = text.strip(" 。")
    if bare in replies().all:
        return question.options
    if many := first_many(text):
        return question.options[:many]
    if place := ordinal_in(text, len(question.letters)):
        return question.options[place - 1 : place]
    if other := re.match(rf"^{any_of(replies().other)}\s*[:：，,]\s*(.+)$", bare):
        return (item(other[1]),)
    several = [named(each, question.options) for each in _AND.split(bare)]
    return tuple(several) if several and all(several) else ()


def _clause(reading: _Reading, clause: str) -> None:
    """Take one clause of a reply, in the order in which clauses mean something most certainly."""
    if nth := _NTH.match(clause):
        number = next(filter(None, nth.groups()))
        place = _DIGITS.get(number) or int(number)
        if place <= len(reading.questions) and clause[nth.end() :]:
            _answer(reading, reading.questions[place - 1], clause[nth.end() :])
            return
    if _in_order(reading, clause):
        return
    for choice in reading.open_choices:
        if (values := _picked(choice, clause)) and choice.element is not None:
            _set(reading, choice.element, values)
            return
    _wordy(reading, clause)


def _in_order(reading: _Reading, clause: str) -> bool:
    """Take letters one after another for the choices in their order (B A, or B A 周五前)."""
    then = _LETTERS_THEN.match(clause)
    letters, rest = letters_in(then[1]) if then else letters_in(clause)
    if not letters or rest or not reading.open_choices:
        return False
    choices = list(reading.open_choices)
    if len(choices) > 1 and len(letters) == len(choices):
        for choice, letter in zip(choices, letters, strict=True):
            if (option := choice.option(letter)) and choice.element is not None:
                _set(reading, choice.element, [option])
    elif choices[0].element is not None and (values := list(filter(None, map(choices[0].option, letters)))):
        _set(reading, choices[0].element, values)
    elif letters[0] in choices[0].letters and choices[0].element is not None:
        reading.opened.add(choices[0].element)
    if then:
        _clause(reading, clause[then.end() :])
    return True


def _wordy(reading: _Reading, clause: str) -> None:
    bare = clause.strip(" 。.！!~～").lower()
    if _about_draft(reading, clause, bare) or cues.is_unclear(clause) or len(bare) == 1:
        return
    if bare in turns()["chat"]:
        return
    if bare in replies().other:
        reading.opened.update(each.element for each in reading.open_choices if each.element)
    elif reading.open_choices and _LETTER.search(clause):
        reading.unsure.append(clause)
    elif told := cues.all_told(clause):
        for each in told:
            reading.draft = added(reading.draft, each.element, [each.value])
    else:
        reading.loose.append(clause)


def _about_draft(reading: _Reading, clause: str, bare: str) -> bool:
    """Take a clause that confirms, denies or changes what the draft holds, or says that there is no constraint."""
    to_confirm = _confirmable(reading)
    if bare in replies().confirm:
        reading.draft = reading.draft.confirmed(to_confirm)
    elif bare in replies().deny and to_confirm:
        reading.denied = to_confirm[0]
        reading.draft = reading.draft.said(to_confirm[0], ())
    elif (other := changed_value(reading.draft, clause)) is not None:
        reading.draft = other
    elif asks_to_change(clause):
        reading.unsure.append(clause)
    elif reading.denied and not reading.draft.values(reading.denied):
        _set(reading, reading.denied, [item(_IS.sub("", clause))])
    elif cues.is_none(clause) and Element.CONSTRAINTS in reading.draft.missing:
        _set(reading, Element.CONSTRAINTS, [cues.NO_CONSTRAINT])
    else:
        return False
    return True


def _confirmable(reading: _Reading) -> tuple[Element, ...]:
    asked_back = {each.element for each in reading.questions if each.form is Form.CONFIRM}
    return tuple(each for each in reading.draft.to_confirm if not asked_back or each in asked_back)


def _answer(reading: _Reading, question: Asked, answer: str) -> None:
    """Take an answer that names its question."""
    element = question.element
    if element is None:
        return
    bare = answer.strip(" 。.！!").lower()
    if question.form is Form.CONFIRM:
        if bare in replies().confirm:
            reading.draft = reading.draft.confirmed([element])
        elif (
            not cues.is_unclear(answer)
            and not _LETTER.match(answer)
            and (value := item(_IS.sub("", re.sub(r"^不[对是][，, ]*", "", answer))))
        ):
            reading.draft = reading.draft.said(element, [value])
    elif question.form is Form.CHOICE and (values := _picked(question, answer)):
        _set(reading, element, values)
    elif len(bare) > 1 or cues.is_none(answer):
        reading.draft = filled(reading.draft, element, [item(answer)])


def _settled(reading: _Reading) -> Reply:
    """Give the words that named nothing to the one element that is still open, if it is one."""
    loose = reading.loose
    besides = re.compile(rf"^{any_of(task_words().besides)}")
    new = [each for each in loose if besides.match(each) and asks(besides.sub("", each))]
    loose = [each for each in loose if each not in new]
    still = [each for each in reading.draft.missing if each not in reading.settled]
    new += reading.unsure
    draft, doubtful = reading.draft, (*new, *loose)
    if loose and len(still) == 1:
        draft, doubtful = draft.said(still[0], [item("，".join(loose))]), tuple(new)
    denied = frozenset({reading.denied} if reading.denied else ())
    return Reply(draft, doubtful, frozenset(reading.opened), denied)
