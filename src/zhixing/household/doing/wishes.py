"""Reading what a cron job says when it is due: what can be done without judgement, and what cannot. Pure.

Document 000 has three forms: 「到期销毁 task <id>」, 「提醒用户吃药」, and 「调 miloco-cli task record get <id>，按
derived.remaining 决定是否催」. Whatever says more than its form is for the agent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from zhixing.household.descs import one_line


@dataclass(frozen=True, slots=True)
class EndTask:
    """End the task of that name; its time is over."""

    slug: str


@dataclass(frozen=True, slots=True)
class Remind:
    """Tell something."""

    text: str


@dataclass(frozen=True, slots=True)
class UrgeOn:
    """Tell how much is missing in the record of the task of that name, if anything is."""

    slug: str


@dataclass(frozen=True, slots=True)
class Judge:
    """Somebody with judgement has to see to it. `tellable`: the words make sense to those who live here."""

    words: str
    tellable: bool


Wish = EndTask | Remind | UrgeOn | Judge

_SLUG = r"(?P<slug>[a-z0-9_]{1,32})"
_END = re.compile(rf"到期(?:销毁|终止|删除)\s*(?:task|任务)?\s*[:：]?\s*[「\"']?{_SLUG}[」\"']?\s*[。.]?", re.ASCII)
_URGE = re.compile(
    rf"(?:请?(?:先)?(?:调用?|运行|执行))?\s*miloco-cli\s+task\s+record\s+get\s+{_SLUG}(?:\s+--pretty)?"
    r"\s*[,，;；、]?\s*(?:然后|再)?\s*(?:按照?|根据|依据|看)\s*(?:derived\.)?remaining(?:_minutes)?"
    r"\s*(?:来)?\s*(?:决定|判断)\s*(?:是否|要不要|该不该)\s*(?:催促?|提醒|通知)(?:用户|我|一下|一次)?\s*[。.]?",
    re.ASCII,
)
_REMIND = re.compile(
    r"(?:请|到点|定时|准时)?提醒\s*(?:用户|我们?|自己|大家|一下)?\s*[:：,，]?\s*(?P<what>\S.*?)\s*[。.！!]?", re.DOTALL
)
_NEEDS_JUDGEMENT = re.compile(
    r"如果|若|假如|要是|根据|按照|依据|视.{0,6}情况|看情况|判断|决定|是否|有没有|要不要|该不该|检查|查询|查看|确认|调用|"
    r"除非|直到|并且?[开关打播调设]|然后|同时|之后再|再把|miloco|derived|remaining|[;；{}$]|task\b",
    re.IGNORECASE,
)
_COMMAND = re.compile(r"miloco|derived\.|record get|[{}$]|task_id", re.IGNORECASE)
_LONGEST_REMINDER = 100


def read_message(text: str) -> Wish:
    """Read the message of a cron job."""
    words = one_line(text)
    if (end := _END.fullmatch(words)) is not None:
        return EndTask(end["slug"])
    if (urge := _URGE.fullmatch(words)) is not None:
        return UrgeOn(urge["slug"])
    remind = _REMIND.fullmatch(words)
    if remind is not None and len(words) <= _LONGEST_REMINDER and _NEEDS_JUDGEMENT.search(words) is None:
        return Remind(remind["what"])
    return Judge(words, tellable=bool(words) and _COMMAND.search(words) is None)
