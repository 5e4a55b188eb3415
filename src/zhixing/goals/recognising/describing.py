"""Free and labelled words → what they say of one task or of several. Says whether that is certain; never guesses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache

import msgspec

from zhixing.goals.recognising import cues
from zhixing.goals.recognising.cards import read_task
from zhixing.goals.recognising.inferring import is_known, kind_of
from zhixing.goals.recognising.labels import Op, Part, has_labels, parts
from zhixing.goals.recognising.model import LONGEST_ITEM, LONGEST_TEXT, MOST_CLAUSES, Draft, Element
from zhixing.goals.recognising.phrasing import asks, is_vague, phrased
from zhixing.goals.recognising.texts import cut, item, links, numbered, plain
from zhixing.goals.recognising.words import any_of, task_words
from zhixing.goals.recognising.workflows import legacy_id, without_id

_ENDS = "；;。！!\n"
_MOST_SEGMENTS = 40
_SLASHES = re.compile(r"(?m)^\s*(?:/task(?![A-Za-z0-9_\-./@\\])\s*)+")
_TASK_HEADS = re.compile(
    r"(?:^|(?<=[\s；;。，,]))(?:任务|第)\s*[一二三四五六七八九十0-9]{1,2}(?:个任务|件事|项)?\s*[：:、]\s*"
    r"|(?:^|(?<=[\s；;。，,：:]))(?:[一二三四五]是(?:要)?|第[一二三四五](?:个|件|项)?(?:任务|事)?(?:是|，|,))\s*"
)


@dataclass(frozen=True, slots=True)
class Sketch:
    """One task as far as its words say it. `source` is the piece of the message that it was read from."""

    draft: Draft = field(default_factory=Draft)
    source: str = ""
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Description:
    """The tasks of a text, and whether rules are certain of them."""

    sketches: tuple[Sketch, ...]
    certain: bool
    labelled: bool


def described(text: str) -> Description:
    """Return what a text says. There is always one sketch at least; one without a goal where no goal is said."""
    found, bare = links(without_id(_SLASHES.sub("", plain(text[:LONGEST_TEXT]))))
    if (whole := _written(text)) is not None:
        return Description((Sketch(whole, item(text)),), certain=True, labelled=True)
    pieces = parts(bare)
    labelled = any(part.label for part in pieces)
    made = _labelled(pieces) if labelled else _gathered(_all_sketched(bare))
    made = made or [Sketch(source=item(bare))]
    made[0] = replace(made[0], draft=made[0].draft.linked(found))
    return Description(tuple(made), all(each.certain for each in made), has_labels(pieces))


def _written(text: str) -> Draft | None:
    """Return the draft that a text is where it is one JSON object with elements of a task."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        body = msgspec.json.decode(text.strip())
    except (msgspec.DecodeError, RecursionError):
        return None
    return read_task(body) if isinstance(body, dict) and any(each.value in body for each in Element) else None


def _labelled(pieces: Iterable[Part]) -> list[Sketch]:
    """Return the tasks that labelled pieces make: a second goal, or 另外…, begins another one."""
    made = [Sketch()]
    named = False
    for part in pieces:
        if part.op is Op.FREE and not part.after:
            made = _gathered(_all_sketched(part.text)) or made
        elif part.op is Op.FREE and _begins_another(part.text):
            made.extend(_all_sketched(part.text))
        elif part.op is Op.FREE:
            made[-1] = _freely(made[-1], part)
        else:
            others = [each for each in part.items if _begins_another(each)]
            if part.label == Element.GOAL.value:
                # A line in front of a labelled goal is its title; a second label begins another task.
                made[-1:] = [made[-1], Sketch()] if named else [replace(made[-1], certain=True)]
                named = True
            kept = tuple(each for each in part.items if each not in others)
            made[-1] = replace(made[-1], draft=_under_label(made[-1].draft, replace(part, items=kept)))
            made.extend(sketch for each in others for sketch in _all_sketched(each))
    return [each if each.source else replace(each, source=each.draft.goal) for each in made]


def _under_label(draft: Draft, part: Part) -> Draft:
    if part.label == "resources":
        return with_resources(draft, part.items)
    if part.label == "aside" or part.op is Op.REMOVE:
        return draft
    return filled(draft, Element(part.label), part.items)


def _begins_another(text: str) -> bool:
    begun = _besides().match(text)
    return bool(begun and asks(text[begun.end() :]))


def _all_sketched(text: str) -> list[Sketch]:
    return [each for segment in _segments(text) for each in _sketched(segment)]


def filled(draft: Draft, element: Element, items: Iterable[str]) -> Draft:
    """Return the draft with values that were said; words that say none, or nothing, are no values."""
    values = [each for each in items if not cues.is_unclear(each)]
    if element is Element.CONSTRAINTS and values and all(map(cues.is_none, values)):
        return draft.said(element, [cues.NO_CONSTRAINT])
    values = [each for each in values if not cues.is_none(each)]
    if element is Element.GOAL:
        values = [each for each in values if not is_vague(each)]
    return draft.said(element, values) if values else draft


def added(draft: Draft, element: Element, values: Iterable[str]) -> Draft:
    """Return the draft with more values: beside what was said, in place of what was inferred or said to be none."""
    before = () if element in draft.inferred else draft.values(element)
    before = tuple(each for each in before if each != cues.NO_CONSTRAINT)
    return draft.said(element, (*before, *values))


def with_resources(draft: Draft, items: Iterable[str]) -> Draft:
    """Return the draft with resources; `workflow_id: x` among them, the way old drafts say it, is the workflow's."""
    for each in items:
        if found := legacy_id(each):
            draft = replace(draft, workflow_id=draft.workflow_id or found)
        else:
            draft = draft.linked([each])
    return draft


def _freely(sketch: Sketch, part: Part) -> Sketch:
    """Take words under no label: what the cues tell, or more of the value that stands before them."""
    if part.after in {"aside", "resources"} and not asks(part.text):
        return sketch
    clauses = [clause for line in cut(part.text, _ENDS) for clause in _clauses(line)]
    if part.after in set(Element) and not any(map(cues.told, clauses)):
        element = Element(part.after)
        if element is Element.GOAL:
            return replace(sketch, draft=sketch.draft.said(element, [item(f"{sketch.draft.goal}；{part.text}")]))
        return replace(sketch, draft=added(sketch.draft, element, [item(part.text)]))
    others = _sketched(part.text)
    if sketch.draft.goal:
        others = [replace(each, draft=each.draft.said(Element.GOAL, ())) for each in others]
    return _joined(sketch, others)


def _segments(text: str) -> list[str]:
    heads = list(_TASK_HEADS.finditer(text))
    if len(heads) > 1:
        ends = [head.start() for head in heads[1:]] + [len(text)]
        return [text[head.end() : end].strip(" ；;，,。\n") for head, end in zip(heads, ends, strict=True)]
    intro, colon, rest = text.partition("：")
    if colon and "\n" not in intro and is_vague(intro):
        text = rest.strip()
    listed = numbered(text) or _after_intro(text)
    pieces = listed or [piece for line in cut(text, _ENDS) for piece in _beside(line)]
    return pieces[:_MOST_SEGMENTS]


def _after_intro(text: str) -> list[str]:
    """Return the entries of a list with a line in front of it that says no more than that a list follows."""
    intro, _, listed = text.partition("\n") if "\n" in text else text.partition("：")
    return numbered(listed.strip()) if intro.rstrip().endswith(("：", ":")) or is_vague(intro) else []


@cache
def _besides() -> re.Pattern[str]:
    return re.compile(rf"(?:^|[，,]\s*)(?:然后|并且|而且)?{any_of(task_words().besides)}[，,：: ]*")


def _beside(line: str) -> list[str]:
    return [each.strip() for each in _besides().split(line) if each.strip()]


@cache
def _handing() -> re.Pattern[str]:
    return re.compile(
        r"[：:](?=提交|交付|产出|输出|只|不)|(?:并且?|然后|最后)(?=提交|交付|产出|输出)|(?<=的前提下)|(?<=的情况下)"
    )


@cache
def _alongside() -> re.Pattern[str]:
    return re.compile(
        rf"^(?:{any_of((*task_words().alongside, '再', '然后'))})+|也?(?:一起|一并)(?=处理|做|弄|解决|办|搞|修)"
    )


@cache
def _resting() -> re.Pattern[str]:
    said = task_words()
    return re.compile(rf"{any_of(said.resting)}.*{any_of(said.makes)}{any_of(said.measures)}?(?P<made>[^，,]{{2,30}})$")


@cache
def _pointing() -> re.Pattern[str]:
    return re.compile(rf"^(?:[把将给对])?{any_of(task_words().pointing)}")


def _clauses(line: str) -> list[str]:
    return [
        each for piece in cut(line, "，,")[:MOST_CLAUSES] for each in map(str.strip, _handing().split(piece)) if each
    ]


def _sketched(segment: str) -> list[Sketch]:
    """Return what one segment says: as a rule one sketch, several where its clauses are different kinds of work."""
    made = [Sketch(source=segment.strip(" ，,。；;"))]
    clauses = _clauses(segment)
    if len(clauses) == 1 and (only := _whole(clauses[0])):
        return [replace(made[0], draft=Draft(goal=only))]
    for clause in clauses:
        last = made[-1]
        if is_vague(clause):
            continue
        if told := cues.all_told(clause):
            for each in told:
                last = replace(last, draft=added(last.draft, each.element, [each.value]))
            made[-1] = last
            continue
        due, rest = cues.deadline(clause)
        if due:
            last = made[-1] = replace(last, draft=added(last.draft, Element.CONSTRAINTS, [due]))
        made[-1:] = _with_clause(last, rest)
    if len(made) > 1:
        made = [replace(each, source=each.source if n == 0 else each.draft.goal) for n, each in enumerate(made)]
    return made


def _whole(clause: str) -> str:
    """Return the goal of a text that only says what is to be handed over, where the kind of work is known (出一份报告)."""
    told = cues.told(clause)
    return phrased(clause) if told and told.element is Element.DELIVERABLES and is_known(told.value) else ""


@cache
def _both() -> re.Pattern[str]:
    return re.compile(rf"[、，]| \+ |和|以及|还有(?={any_of(task_words().verbs)})")


def _two_goals(clause: str) -> tuple[str, str] | None:
    """Return the two goals of one clause (修复 A 和生成 B) where they are known, and different, kinds of work."""
    for found in _both().finditer(clause):
        left, right = clause[: found.start()].strip(), clause[found.end() :].strip()
        if asks(left) and asks(right) and _are_apart(left, right):
            return phrased(left), phrased(right)
    return None


def _are_apart(one: str, other: str) -> bool:
    """Whether two goals are known, and different, kinds of work, neither of which may be about the other."""
    kinds = kind_of(one), kind_of(other)
    return is_known(one) and is_known(other) and kinds[0] is not kinds[1] and not any(each.leans for each in kinds)


def _with_clause(sketch: Sketch, clause: str) -> list[Sketch]:
    draft, clause = sketch.draft, clause[:LONGEST_ITEM]
    beside = bool(_alongside().search(clause))
    if draft.goal and (beside or asks(clause)) and (rests := _resting().search(clause)):
        return [replace(sketch, draft=added(draft, Element.DELIVERABLES, [item(rests["made"])]))]
    pointing = bool(_pointing().match(clause))
    if not draft.goal:
        if two := _two_goals(clause):
            return [replace(sketch, draft=draft.said(Element.GOAL, [two[0]])), Sketch(Draft(goal=two[1]), two[1])]
        goal = phrased(clause)
        certain = sketch.certain and asks(clause) and not pointing and bool(re.search(r"[一-龥]", goal))
        return [replace(sketch, draft=draft.said(Element.GOAL, [goal]), certain=certain)]
    goal = phrased(_alongside().sub("", clause))
    if asks(clause) and not beside and _are_apart(draft.goal, goal):
        return [sketch, Sketch(Draft(goal=goal), clause)]
    return [replace(sketch, draft=draft.said(Element.GOAL, [f"{draft.goal}，{clause}"[:LONGEST_ITEM]]), certain=False)]


def _gathered(sketches: list[Sketch]) -> list[Sketch]:
    """Return the sketches with a goal; what one without a goal says belongs to the one before it, or to the first."""
    made: list[Sketch] = []
    loose: list[Sketch] = []
    for each in sketches:
        if each.draft.goal:
            made.append(_joined(each, loose))
            loose = []
        elif made:
            made[-1] = _joined(made[-1], [each])
        else:
            loose.append(each)
    return made or ([_joined(loose[0], loose[1:])] if loose else [])


def _joined(sketch: Sketch, others: Iterable[Sketch]) -> Sketch:
    for other in others:
        draft = sketch.draft
        for element in Element:
            if values := other.draft.values(element):
                draft = added(draft, element, values)
        sketch = replace(sketch, draft=draft, certain=sketch.certain and other.certain)
    return sketch
