"""Which element a clause is about where no label says it. Rules over the words of `lexicon/cues.toml`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from zhixing.goals.recognising.model import Element
from zhixing.goals.recognising.texts import cut, item
from zhixing.goals.recognising.words import any_of, cues, made_of, replies, task_words

NO_CONSTRAINT = "无"
"""Stands for what was said: there is no constraint. It is an answer, and never asked again."""
LONGEST_CLAUSE = 200
"""Characters of a clause that is looked into."""
_TIME = (
    r"(?:[今明后昨天日周月年号点时分早晚上中下午末底本这个季度班前小钟半星期礼拜每一二三四五六七八九十两0-9:：/\-. ]+?)"
)


@dataclass(frozen=True, slots=True)
class Told:
    """What a clause says of an element."""

    element: Element
    value: str


@cache
def _constraint() -> re.Pattern[str]:
    said = cues(Element.CONSTRAINTS)
    due = any_of(said["due"])
    return re.compile(
        rf"^(?:但|但是|而且|并且|并|且|请|务必|注意|记得|也|要|另外)*(?P<kept>"
        rf"{any_of(said['forbids'])}.+|{any_of(said['only'])}(?!要).+"
        rf"|(?:基于|在|从|用|针对).+分支(?:上|里)?(?:做|改|开发|进行|来做|拉)?"
        rf"|(?:最晚|最迟|务必)?(?:要|请|需要?|得|必须|在|限)?{_TIME}(?:之?前|以?内)(?:要|必须|得|请)?{due}{{0,2}}"
        rf"|{any_of(said['urgent'])}|.*{any_of(said['limits'])}.*|.+{any_of(said['waived'])}.*|(?:{any_of(said['waived'])}).+)$"
    )


@cache
def _deadline() -> re.Pattern[str]:
    return re.compile(
        rf"^(?:最晚|最迟|务必|请|要|在)*(?P<due>{_TIME}(?:之?前|以?内))(?:要|必须|得|请|把)??(?P<rest>\D.{{3,}})$"
    )


@cache
def _accepted() -> re.Pattern[str]:
    said = cues(Element.ACCEPTANCE)
    starts = f"{any_of(said['starts'])}*"
    return re.compile(
        rf"^(?:{starts}(?P<ended>.+?){any_of(said['ends'])}|{starts}(?P<held>.+?{any_of(said['holds'])})(?:了|后)?)$"
    )


@cache
def _handed() -> re.Pattern[str]:
    said = cues(Element.DELIVERABLES)
    measure = any_of(task_words().measures)
    # 给我做一份报告 asks for something to be done.
    asked = rf"{any_of(task_words().verbs)}(?:一下|{measure})"
    return re.compile(
        rf"^{any_of(said['leads'])}*(?:{any_of(said['gives'])}(?!物|成果|标准)(?P<given>.+)|{any_of(said['gives_me'])}(?!{asked})(?P<mine>.*{any_of(said['things'])})|[出交](?:一[份张版个页]|[份张版个])(?P<made>.+)"
        rf"|(?:要|用)?(?P<form>[A-Za-z]+ ?{any_of(said['forms'])}|{any_of(said['formats'])} ?{any_of(said['formed'])}?))$|^{measure}$"
    )


@cache
def _no_constraint() -> re.Pattern[str]:
    many = r"(?:什么|任何|啥|特别的?|特殊的?|额外的?|其他的?|别的)*"
    return re.compile(
        rf"^(?:暂时)?(?:没有?|没什么|没啥|无|暂无|不需要|没){many}(?:约束|限制|要求|限制条件|约束条件)(?:的|了)?$"
    )


def told(clause: str) -> Told | None:
    """Return what a clause says of deliverables, acceptance or constraints; None where it says nothing certain."""
    one = item(clause)
    if not one or len(one) > LONGEST_CLAUSE:
        return None
    if _no_constraint().match(one):
        return Told(Element.CONSTRAINTS, NO_CONSTRAINT)
    if found := _constraint().match(one):
        return Told(Element.CONSTRAINTS, re.sub(r"的?(?:前提|情况)下$", "", found["kept"].strip()))
    if (found := _accepted().match(one)) and (
        value := (found["ended"] or found["held"]).strip(" ，,").removesuffix("后")
    ):
        return Told(Element.ACCEPTANCE, value)
    if (found := _handed().match(one)) and (value := next(filter(None, found.groups()), "")):
        value = re.sub(rf"^{any_of(task_words().measures)}", "", value.strip()).strip()
        if value:
            return Told(Element.DELIVERABLES, value)
    return None


def all_told(clause: str) -> tuple[Told, ...]:
    """Return what a clause says of elements: of one, or of several where each piece between 、 speaks for itself."""
    pieces = tuple(map(told, cut(clause, "、")))
    certain = tuple(each for each in pieces if each is not None)
    if len(pieces) > 1 and len(certain) == len(pieces):
        return certain
    return (one,) if (one := told(clause)) else ()


def deadline(clause: str) -> tuple[str, str]:
    """Return the deadline at the beginning of a clause, and the rest; "" and the clause where there is none."""
    found = _deadline().match(clause) if len(clause) <= LONGEST_CLAUSE else None
    return (found["due"].strip(), found["rest"].strip()) if found else ("", clause)


def is_none(text: str) -> bool:
    """Whether a text says that there is none."""
    bare = _bare(text)
    if _no_constraint().match(bare):
        return True
    return made_of(bare, _nothing()) and any(word in bare for word in replies().none)


@cache
def _nothing() -> frozenset[str]:
    return frozenset(
        (*replies().none, *replies().tail, "暂时", "目前", "现在", "应该", "好像", "我", "也", "都", "这个", "就")
    )


def is_unclear(text: str) -> bool:
    """Whether a text says that nobody knows, that anything will do, or asks back: it answers nothing."""
    bare = _bare(text)
    if bare.startswith(replies().waits) or re.search(r"[?？]|[吗呢]$", text.strip(" 。.！!~～")):
        return True
    return bool(bare) and made_of(bare, _fillers()) and any(word in bare for word in replies().unclear)


@cache
def _fillers() -> frozenset[str]:
    said = replies()
    return frozenset(
        (
            *said.unclear,
            *said.tail,
            *said.head,
            "我",
            "这个",
            "呃",
            "也",
            "真",
            "暂时",
            "目前",
            "都",
            "额",
            "你",
            "还",
            "帮我",
        )
    )


def _bare(text: str) -> str:
    return text.strip(" 。.！!，,~～…;；\n").lower()
