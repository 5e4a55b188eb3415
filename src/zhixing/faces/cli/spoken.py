"""An instant or a day as a person types it: ISO, or words such as 明天下午3点 and 下周三."""

from __future__ import annotations

import re
from datetime import date, datetime
from zoneinfo import ZoneInfo

from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import parse_instant
from zhixing.language.expressions import read_times
from zhixing.language.text import normalise
from zhixing.notices.answers import Answers
from zhixing.notices.asking import question
from zhixing.notices.model import Answer, CandidateNode, NodeKind
from zhixing.notices.resolve import Ask, Context, resolve

_ISO = re.compile(r"\d{4}-\d\d-\d\dT")
_SHOWN = 64


def instant(written: str, now: datetime, zone: ZoneInfo) -> datetime:
    """Read the one instant that `written` names, said at `now` in `zone`.

    Raises `BadInput` where it names none, or leaves open what a notice would be asked for: nothing is guessed.
    """
    words = written.strip()
    if _ISO.match(words):
        return parse_instant(words)
    plain = normalise(words)
    found = read_times(plain)
    if found.leftover or found.leads or len(found.expressions) != 1 or found.expressions[0].span != (0, len(plain)):
        raise BadInput("moment_unreadable", text=words[:_SHOWN])
    today = now.astimezone(zone).date()
    context = Context(now, now, zone, speaks_now=True, message_date=None, answers=Answers((), today))
    node = resolve(CandidateNode(NodeKind.REMINDER, words, words, found.expressions[0]), context)
    if isinstance(node, Ask):
        raise BadInput("moment_unclear", text=words[:_SHOWN], prompt=question(node, "", 0, today).prompt)
    if node.at is None:
        raise BadInput("moment_without_clock", text=words[:_SHOWN])
    return node.at


def spoken_day(written: str, now: datetime, zone: ZoneInfo) -> date:
    """Read the one day that `written` names, said at `now` in `zone`: 2026-10-12, 10月12日, 明天. Raises `BadInput`."""
    today = now.astimezone(zone).date()
    found = Answers([Answer("date", written.strip())], today).day("date")
    if found is None or (found.weekday is not None and found.weekday != found.day.isoweekday()):
        raise BadInput("date_unreadable", text=written[:_SHOWN])
    return found.day
