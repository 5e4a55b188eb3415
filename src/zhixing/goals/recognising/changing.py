"""Changes of a draft in conversation: 约束改成…, 约束再加上…, 去掉约束, 把 X 改成 Y (taskloop §1.5: there is no edit button)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from zhixing.goals.recognising import cues, words
from zhixing.goals.recognising.describing import added, filled, with_resources
from zhixing.goals.recognising.inferring import completed
from zhixing.goals.recognising.labels import Op, Part, parts
from zhixing.goals.recognising.model import LONGEST_TEXT, Draft, Element
from zhixing.goals.recognising.texts import clauses_of, item, links, overlap, plain
from zhixing.goals.recognising.words import any_of, made_of, replies, task_words, turns
from zhixing.goals.recognising.workflows import bare_id
from zhixing.language.numerals import integer

_SWAP = re.compile(r"^(?:请|帮我)?(?:把|将)?(?P<old>.{2,}?)(?:改成|换成|改为|换为|替换成|替换为)\s*[:：]?(?P<new>.+)$")
_DROP = re.compile(
    r"^(?:请|帮我|把|将)?(?:去掉|删掉|删除|移除|取消)(?P<old>.{2,}?)(?:这[条个项])?(?:约束|要求|标准|验收标准|交付物|限制)?(?:了|吧)?$"
)
_NTH = re.compile(
    r"^(?:请|帮我|把|将)?(?P<label>目标|交付物|验收标准|验收|约束|限制)(?:里|中)?的?第?(?P<place>[一二三四五1-5])[条个项]"
    r"(?:(?:改成|换成|改为|换为)\s*[:：]?(?P<new>.+)|(?:去掉|删掉|删除|不要)了?)$"
)
_BARE = re.compile(
    r"(?:我想|我要|帮我|请|想|要)*(?:目标|交付物|验收标准|约束)?(?:要|想)?(?:改|修改|调整|编辑|换)(?:一下|下|个)?(?:草案|任务|目标|交付物|验收标准|约束|吧)*"
)
"""Something is to be changed; it is not said to what."""
_WORKFLOW = re.compile(r"^(?:把)?workflow_id\s*(?:改成|换成|改为|换为|[:：=是])\s*(?P<id>.+)$", re.IGNORECASE)
_MORE = re.compile(r"^(?:再|还要?|另外|也|补充|加上|增加|追加|加|一[条个点]|[:：，,])*")
_CHANGES = re.compile(r"改|换|调整|加|删|去掉|补充|不要|变成|更新|[大小多少早晚快慢高低长短][一]?[点些]|一[点些]")


@dataclass(frozen=True, slots=True)
class Change:
    """What a message makes of a whole draft; `doubtful` are words that may change it in a way rules do not know."""

    draft: Draft
    heard: bool
    """Whether the message was about the draft at all."""
    doubtful: tuple[str, ...] = ()


def changed(draft: Draft, part: Part) -> Draft:
    """Return the draft with what one labelled piece does to it."""
    if part.label == "aside":
        return draft
    if part.label == "resources":
        return with_resources(draft, part.items)
    element = Element(part.label)
    if part.op is Op.REMOVE:
        return _without(draft, element, part.items)
    if part.op is Op.ADD:
        return _more(draft, element, part.items)
    after = filled(draft, element, part.items)
    if element is Element.GOAL and after.goal != draft.goal:
        for each in draft.inferred - {Element.GOAL}:
            after = after.said(each, ())
        return completed(after)
    return after


def _more(draft: Draft, element: Element, items: tuple[str, ...]) -> Draft:
    """Return the draft with more values; what was inferred stays, and stays to be confirmed."""
    values = [re.sub(rf"^{any_of(task_words().measures)}", "", each) or each for each in items]
    if element in draft.inferred:
        return draft.guessed(element, (*draft.values(element), *values))
    return added(draft, element, values)


def _without(draft: Draft, element: Element, items: tuple[str, ...]) -> Draft:
    kept = (
        tuple(each for each in draft.values(element) if not any(_same(each, gone) for gone in items)) if items else ()
    )
    if not kept and element is Element.CONSTRAINTS:
        kept = (cues.NO_CONSTRAINT,)
    return draft.said(element, kept)


def _without_links(draft: Draft, links_gone: tuple[str, ...]) -> Draft:
    kept = tuple(each for each in draft.resources if links_gone and each not in links_gone)
    return replace(draft, resources=kept)


def _same(one: str, other: str) -> bool:
    return one in other or other in one or overlap(one, other) * 2 >= min(len(one), len(other)) > 1


def edited(draft: Draft, text: str) -> Change:
    """Return what a message makes of a draft that is whole."""
    found, bare = links(plain(text[:LONGEST_TEXT]))
    if not found and _asks_for_nothing(bare):
        return Change(draft, heard=False)
    pieces = parts(bare)
    dropped = any(part.label == "resources" and part.op is Op.REMOVE for part in pieces)
    after, heard = draft if dropped else draft.linked(found), bool(found)
    doubtful: list[str] = []
    for part in pieces:
        if part.label == "resources" and part.op is Op.REMOVE:
            after, heard = _without_links(after, (*found, *part.items)), True
            continue
        if part.op is not Op.FREE:
            after, heard = changed(after, part), True
            continue
        for clause in clauses_of(part.text):
            made = _by_itself(after, clause)
            if made is not None:
                after, heard = made, True
            elif not found:
                doubtful.append(clause)
    return Change(after, heard, tuple(each for each in doubtful if _CHANGES.search(each) and len(each) > 3))


def _asks_for_nothing(text: str) -> bool:
    return text.startswith("{") or made_of(text, _idle())


@cache
def _idle() -> frozenset[str]:
    return frozenset((*turns()["buttons"], *turns()["chat"], *replies().tail))


def asks_to_change(clause: str) -> bool:
    """Whether a clause is about another value in place of one, or about one that is to go."""
    return any(pattern.match(clause) for pattern in (_NTH, _SWAP, _DROP))


def changed_value(draft: Draft, clause: str) -> Draft | None:
    """Return the draft in which one value, named by its words or its place, is another one or gone; None without one.

    把 CI 通过改成测试通过, 约束第二条改成…, 去掉不动接口这条约束.
    """
    if nth := _NTH.match(clause):
        element = Element(words.labels()[nth["label"]])
        values = list(draft.values(element))
        place = (integer(nth["place"]) or 0) - 1
        if not 0 <= place < len(values):
            return None
        values[place : place + 1] = [item(nth["new"])] if nth["new"] else []
        return draft.said(element, values)
    swap, drop = _SWAP.match(clause), _DROP.match(clause)
    if not (swap or drop):
        return None
    old = item(swap["old"] if swap else drop["old"] if drop else "")
    for element in Element:
        values = list(draft.values(element))
        places = [n for n, each in enumerate(values) if _same(each, old)]
        if places and len(old) > 1:
            values[places[0] : places[0] + 1] = [item(swap["new"])] if swap else []
            return draft.said(element, values) if values else _without(draft, element, ())
    return None


def _by_itself(draft: Draft, clause: str) -> Draft | None:
    """Return the draft with what a clause without a label does to it; None where that is not certain."""
    if workflow := _WORKFLOW.match(clause):
        name = bare_id(workflow["id"])
        return replace(draft, workflow_id=name) if name and draft.workflow_id is not None else draft
    if (pointed := changed_value(draft, clause)) is not None:
        return pointed
    bare = clause.strip(" 。.！!~～").lower()
    if bare in replies().confirm:
        return draft.confirmed(draft.to_confirm)
    if bare in replies().deny:
        for each in draft.to_confirm:
            draft = draft.said(each, ())
        return draft
    if _BARE.fullmatch(bare):
        return draft
    told = cues.told(_MORE.sub("", clause))
    return added(draft, told.element, [told.value]) if told else None
