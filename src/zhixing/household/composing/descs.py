"""The words a rule answers with: what is told through which channel, and what is written to a record (H-DESC, H-GOAL).

They are written in the form that `household.descs` reads, so that they are carried out without a model. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from zhixing.household.assembling.draft import Draft, Record
from zhixing.household.checks.lexicon import table
from zhixing.household.composing.conditions import Subject
from zhixing.household.composing.news import clean, doer, entry_of, name_of, news
from zhixing.household.composing.saying import Saying
from zhixing.household.descs import Phrase, read_desc

START, END, COUNT = "记录计时起点", "结束计时", "计数加一"
_PERIODS = {"day": "今日", "week": "本周", "month": "本月"}
_SHOWN = {"speaker": "音箱播报", "phone": "手机推送", "chat": " AI 对话"}


@dataclass(frozen=True, slots=True)
class Descs:
    """The descs of one rule; `told` says whether one of them tells something. None: nothing for that direction."""

    enter: str | None
    leave: str | None = None
    target: str | None = None
    told: bool = False
    repeats: bool = False


def channels(draft: Draft) -> tuple[str, ...]:
    """Return the channels that were chosen or said, none where nobody has to be told or it is not known yet."""
    if draft.channel is None or draft.channel.value not in table("channels"):
        return ()
    return draft.channels if draft.channel.value in draft.channels else (draft.channel.value,)


def notice(draft: Draft, text: str, opening: str = "") -> str:
    """Return 「使用…通知：…」, one clause for each channel (A-72)."""
    return "；".join(f"{opening}使用{_SHOWN[channel]}通知：{text}" for channel in channels(draft))


def tells_by_rule(draft: Draft) -> bool:
    """Whether the rule itself tells; a time of day that was said beside a record tells instead of it."""
    if not draft.notify or not channels(draft):
        return False
    record = draft.record.value if draft.record is not None else None
    if record is None or record.kind == "progress":
        return True
    by_clock = draft.schedule is not None and not draft.schedule.value.default
    return not by_clock and not (record.kind == "duration" and record.target_minutes is None)


def answers(draft: Draft, subject: Subject, saying: Saying) -> Descs:
    """Return what a rule answers in words; devices are not in it."""
    told = tells_by_rule(draft)
    text = news(draft, subject, saying)
    record = draft.record.value if draft.record is not None else None
    if record is None:
        return Descs(notice(draft, text, _gate(saying)) if told else None, told=told)
    if record.kind == "progress":
        first, goal = counting(draft), notice(draft, _reached(draft, subject, record), "首次达标时") if told else ""
        return Descs(f"{first}；{goal}" if told else first, told=told)
    if record.kind == "event":
        first = f"事件追加：{event_words(draft, subject)}"
        return Descs(f"{first}；{notice(draft, text)}" if told else first, told=told)
    if not told:
        return Descs(START, END)
    period = _PERIODS.get(record.window or "", "")
    again = f"；{notice(draft, _over(draft, subject), f'若{period}已达标，')}" if saying.again else ""
    return Descs(START, f"{END}{again}", notice(draft, _total(draft, subject, record)), told=True, repeats=saying.again)


def counting(draft: Draft) -> str:
    """Return the first clause of a count: 喝水次数加一."""
    entry = entry_of(draft)
    named = "" if entry is None else f"{name_of(draft)}次数加一"
    found = read_desc(named).record if named else None
    return named if found is not None and found.phrase is Phrase.COUNT else COUNT


def event_words(draft: Draft, subject: Subject) -> str:
    """Return what is appended to a record of events: 爷爷咳嗽."""
    return clean(f"{doer(draft, subject)}{name_of(draft)}")


def reset(what: str) -> str:
    """Return the desc that puts things back on leaving (H-EXIT-03)."""
    return f"检查{what}是否仍有效，若已结束则复位"


def _gate(saying: Saying) -> str:
    """Return the hours as a condition in words, where no hours could be read from them (A-26)."""
    return f"仅在{saying.gate.words}" if saying.gate is not None and saying.gate.hours is None else ""


def _reached(draft: Draft, subject: Subject, record: Record) -> str:
    entry = entry_of(draft)
    if entry is None or not entry.limit:
        return "恭喜达标" if not _praises(draft) else f"{_name(subject)}恭喜达标，真棒"
    return clean(f"{doer(draft, subject)}{name_of(draft)}已达 {record.target} {record.unit}")


def _total(draft: Draft, subject: Subject, record: Record) -> str:
    """Return what is told once the target of time is reached; it names no length (H-GOAL-02)."""
    entry = entry_of(draft)
    period = _PERIODS.get(record.window or "", "")
    who = doer(draft, subject) if subject.person else ""
    ending = "真棒" if _praises(draft) else "休息一下" if entry is not None and entry.limit else ""
    return clean(f"{who}{period}累计{name_of(draft)}已达目标时长" + (f"，{ending}" if ending else ""))


def _over(draft: Draft, subject: Subject) -> str:
    who = doer(draft, subject) if subject.person else ""
    return clean(f"{who}{name_of(draft)}的时间已经到目标了，休息一下")


def _name(subject: Subject) -> str:
    return f"{subject.name}，" if subject.person else ""


def _praises(draft: Draft) -> bool:
    return re.search(r"夸|表扬|鼓励", draft.text) is not None
