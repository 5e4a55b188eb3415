"""Which time the words 提前10分钟提醒我 are about, where a text has several (document 004 §3)."""

from __future__ import annotations

import re

from zhixing.language.timex import Lead, Span
from zhixing.notices.ground import Ground
from zhixing.notices.model import NodeKind
from zhixing.notices.roles import Roles

_NAMED = re.compile(
    r"(?:(?P<deadline>截止|到期|截至)|(?P<end>结束|散场|闭幕)|(?P<start>开会|开考|开场|开课|上课|出发|发车|起飞)|"
    r"(?P<open>开抢|开放|开售|开启|开通)|(?P<begin>开始))(?:之|以)?前? *$"
)
_KINDS = {
    "deadline": frozenset((NodeKind.DEADLINE,)),
    "end": frozenset((NodeKind.END,)),
    "start": frozenset((NodeKind.START,)),
    "open": frozenset((NodeKind.OPEN,)),
    "begin": frozenset((NodeKind.OPEN, NodeKind.START)),
}
_NOT_TOLD = frozenset((NodeKind.END, NodeKind.REMINDER))


def target(ground: Ground, roles: Roles, lead: Lead, clause: Span) -> int | None:
    """Return the time that a lead asked for in `clause` is about; None where the words leave it to the reader.

    It is the time of the kind they name (截止前1小时), else the nearest before them in their sentence, else the first
    behind them there. Times that lead to no reminder are passed over.
    """
    kinds = {index: roles.live(index) for index in range(len(ground.times))}
    named = _NAMED.search(ground.plain, max(0, lead.span[0] - 12), lead.span[0])
    if named is not None:
        wanted = _KINDS[named.lastgroup or "begin"]
        before = [index for index, found in kinds.items() if found & wanted and _end(ground, index) <= lead.span[0]]
        if before:
            return before[-1]
    start, end = ground.sentence(clause)
    told = [
        index for index, found in kinds.items() if found - _NOT_TOLD and start <= ground.times[index].said.span[0] < end
    ]
    before = [index for index in told if _end(ground, index) <= lead.span[0]]
    return before[-1] if before else told[0] if told else None


def _end(ground: Ground, index: int) -> int:
    return ground.times[index].said.span[1]
