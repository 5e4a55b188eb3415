"""Labelled words: 目标：…, `constraints: …`, 约束改成…, 去掉约束. What stands under no label is left for the cues."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache

from zhixing.goals.recognising import cues, words
from zhixing.goals.recognising.model import MOST_CLAUSES
from zhixing.goals.recognising.texts import cut, item, lines, numbered

_BOUNDARY = "；;。，,、|！!？?\n：:"
_COLON_ONLY = frozenset(
    {"时间", "期限", "截止", "截止时间", "任务", "需求", "链接", "产出", "交付", "资源", "目的", "边界"}
)
"""Labels that are everyday words as well: they count with a colon only."""
_CLAUSE = re.compile(r"[^；;。，,\n]{1,200}")
_LETTER = re.compile(r"\s*[A-Ga-g]\s*")
_NEAR = 50
"""Characters in front of a label among which a separator is looked for."""
_SHORT = 15
"""Characters of a piece between commas that may be an item of its own."""
_JOINS = re.compile(
    r"^(?:如果|若|当|则|就|并|且|而|但|否则|落到|落在|放到|放在|发给|发到|改完|做完|然后|以便|因为|所以|包括|包含|含|其中|或)"
)


class Op(Enum):
    """What is done to the element that a label names."""

    SET = auto()
    ADD = auto()
    REMOVE = auto()
    FREE = auto()
    """No label: the words have to speak for themselves."""


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a message. `label` is the key of an element, `resources`, `aside`, or "" (only with `FREE`)."""

    op: Op
    label: str
    text: str
    items: tuple[str, ...] = ()
    after: str = ""
    """For `FREE`: the label whose value went before; what tells of nothing else continues it."""


@cache
def _pattern() -> re.Pattern[str]:
    named = "|".join(words.spelled(each) for each in sorted(words.labels(), key=len, reverse=True))
    none = words.any_of((*words.replies().none, *words.replies().unclear))
    return re.compile(
        rf"""
        (?:^|(?<=[\s{re.escape(_BOUNDARY)}])|(?=【))
        [^\S\n]*(?P<mark>\#{{1,6}}\s*|[-*+•·]\s+|\d{{1,2}}[.、)）]\s*|>\s*)?
        (?:请|帮我|那|另外|还要?|再|把|将|给)*
        (?:(?P<adds>加上|增加|补充|追加|添加|加)|(?P<drops>去掉|删掉|删除|移除|取消|清空|不要))?
        (?:一[条个项]|[条个项]|[这那][条个]|所有的?|全部)?
        (?P<box>【|\[)?(?P<label>{named})(?![A-Za-z_])(?(box)[】\]])
        (?:
          (?P<not>\s*(?:不是|不对|错了|有误|不准确)[^；;。\n]{{0,60}}?[，,]\s*(?:而是|应该是|应是|是))
          |(?P<to>\s*(?:全部|都)?(?:改成|改为|改到|换成|换为|变成|变为|调整为|调整成|设为|设成|更新为|修改为|修改成))\s*[:：]?
          |(?P<add>\s*(?:里|中|上)?面?(?:再|还要?|另外|也)*(?:加上|增加|补充|追加|添加|加)(?:一[条个项])?)\s*[:：]?
          |(?P<drop>\s*(?:里|中)?面?的?(?:去掉|删掉|删除|删(?=了|$)|移除|取消|清空|不要(?=了|$|[；;。，,\n])|(?:不对|错了|有误|不准确)(?=$|[；;。，,\n])|不是))(?:了)?\s*[:：]?
          |(?P<colon>\s*(?:[:：=|→]|->))
          |(?P<pick>\s*(?:我)?(?:选择|选))
          |(?P<by>\s*[看按以](?=\s*\S))
          |(?P<is>\s*(?:就是|就|是|为)(?!否|不是|什么|啥|何|了|哪))
          |(?P<none>\s*(?:暂时|我|还)*(?={none}))
          |(?P<line>[^\S\n]*(?=\n|$))
          |(?P<bare>)
        )
        """,
        re.VERBOSE | re.IGNORECASE,
    )


def parts(text: str) -> tuple[Part, ...]:
    """Return the pieces of a text in order. The text is plain already, and without links."""
    text = text.replace("**", "")
    found = [match for match in _pattern().finditer(text) if _counts(match, text)][:MOST_CLAUSES]
    if not found:
        return (Part(Op.FREE, "", text.strip()),) if text.strip() else ()
    # What stands in front is words of its own, but for the head of a table.
    rows = [row for row in text[: found[0].start()].split("\n") if not row.strip().startswith("|")]
    head = "\n".join(rows).strip(" ；;，,。、\n")
    made = [Part(Op.FREE, "", head)] if head else []
    for n, match in enumerate(found):
        end = found[n + 1].start() if n + 1 < len(found) else len(text)
        made.extend(_parts_of(match, text[match.end() : end]))
    return tuple(made)


def has_labels(found: Iterable[Part]) -> bool:
    """Whether any of the four elements stands under a label."""
    return any(part.op is not Op.FREE and part.label not in {"resources", "aside"} for part in found)


def _counts(match: re.Match[str], text: str) -> bool:
    key, label = words.labels()[_label(match)], _label(match)
    before = text[max(0, match.start() - _NEAR) : match.start()].rstrip(" \t")
    begins = not before or before[-1] in _BOUNDARY
    if match["colon"] is not None:
        return True
    if match["adds"] or match["drops"]:
        return begins and label not in _COLON_ONLY - {"资源"}
    if match["line"] is not None:
        return begins and bool((match["mark"] and "#" in match["mark"]) or match["box"])
    if match["bare"] is not None and not match["box"]:
        clause = _CLAUSE.match(text, match.end())
        said = cues.told(clause[0]) if clause else None
        return begins and clause is not None and (said.element == key if said else bool(_LETTER.fullmatch(clause[0])))
    if match["bare"] is not None:
        return bool(match["box"]) and (begins or match["box"] == "【")
    if not begins or key == "aside" or (label in _COLON_ONLY and match["add"] is None and match["drop"] is None):
        return False
    return match["by"] is None or key == "acceptance_criteria"


def _label(match: re.Match[str]) -> str:
    said = match["label"].lower()
    return said if said in words.labels() else said.replace(" ", "_") if "_" not in said else said.replace("_", " ")


def _parts_of(match: re.Match[str], value: str) -> Iterable[Part]:
    key = words.labels()[_label(match)]
    op = Op.ADD if match["adds"] or match["add"] else Op.REMOVE if match["drops"] or match["drop"] else Op.SET
    listed = numbered(value.strip())
    if listed:
        yield Part(op, key, value.strip(), _clean(listed))
        return
    if value.lstrip(" \t").startswith("\n"):
        yield Part(op, key, value.strip(), _clean(lines(value)))
        return
    first, *others = cut(value, "；;\n。|") or [""]
    # 约束不要了: the particle is no value.
    first = "" if op is Op.REMOVE and first in {"了", "吧", "了吧"} else first.strip(" ，,、")
    first, apart = _own(first, key)
    if match["by"] is not None:
        first = first.removesuffix("为准").removesuffix("为标准")
    yield Part(op, key, first, split_items(first) if key != "goal" else _clean([first]))
    yield from (Part(Op.FREE, "", other, after=key) for other in (*apart, *others))


def _own(value: str, key: str) -> tuple[str, list[str]]:
    """Return what of a value belongs to its label, and the pieces behind it that are about something else.

    交付物是补丁文件，A，不动接口: a letter, 无, or what a cue gives to another element. A goal keeps its clauses.
    """
    pieces = cut(value, "，,")
    for n, piece in enumerate(pieces[1:], 1):
        told = cues.told(piece) if key != "goal" else None
        if (told and told.element != key) or _LETTER.fullmatch(piece) or cues.is_none(piece):
            return value[: value.index(piece, len(pieces[0]))].rstrip(" ，,"), pieces[n:]
    return value, []


def split_items(text: str) -> tuple[str, ...]:
    """Return the items of one line: cut at 、 always, at commas where every piece is short and begins nothing new."""
    pieces = cut(text, "、")
    if any(len(each) < 2 for each in pieces):
        pieces = [text]
    return _clean(short for each in pieces for short in _at_commas(each))


def _at_commas(text: str) -> list[str]:
    pieces = cut(text, "，,")
    apart = all(len(each) <= _SHORT and not _JOINS.match(each) for each in pieces)
    return pieces if apart and re.search(r"[一-龥]", text) else [text]


def _clean(pieces: Iterable[str]) -> tuple[str, ...]:
    return tuple(filter(None, map(item, pieces)))
