"""What is counted and when to remind of it (H-REC, H-KIND, H-TYPE, H-FREQ)."""

from __future__ import annotations

import math
import re

from zhixing.household.assembling.amounts import MEASURE, NUMBER, Count
from zhixing.household.assembling.clock import Clock, Schedule
from zhixing.household.assembling.draft import Draft, Record, default, inferred, said
from zhixing.household.assembling.life import Life
from zhixing.household.assembling.trigger import Trigger, is_continuous

_DAY, _WEEK = 1440, 10_080
_DAYS = {"day": 1, "week": 7, "month": 30}
MOST_POINTS = 6
_FULFILLED = re.compile(
    rf"(?:做|喝|吃|跑|跳|走|写|练|刷|读|看|弹|拍|打|洗)(?:够|满|完|到)了?{NUMBER}个?{MEASURE}(?!以上)"
)
"""A goal whose fulfilment is the end of it: 做够50个 (H-LIFE-03)."""
_MEALS = {1: "8", 2: "8,18", 3: "8,12,18", 5: "8,10,12,15,18"}


def period_of(text: str) -> str | None:
    """Return the period that a goal repeats in: day, week or month."""
    if any(word in text for word in ("每周", "每个周", "一周", "每星期")):
        return "week"
    if any(word in text for word in ("每月", "每个月", "一个月")):
        return "month"
    if any(word in text for word in ("每天", "一天", "每晚", "每早", "工作日", "每个工作日")):
        return "day"
    return "day" if "周末" in text and not any(f"{at}周末" in text for at in ("这", "本", "这个")) else None


def read_record(draft: Draft, trigger: Trigger, life: Life, text: str) -> bool:
    """Decide the record, if anything is counted; False where its kind is not certain (§8, §19, §20)."""
    behaviour = draft.behaviour
    if behaviour is None:
        return False
    lasting = is_continuous(behaviour)
    countable = not lasting or "unit_like_instant" in behaviour.marks
    period = period_of(text)
    if trigger.total or trigger.how_long:
        return lasting and trigger.count is None and _lengths(draft, trigger, life, period)
    if trigger.count is not None:
        return not (lasting and trigger.hold is not None) and _goal(draft, trigger.count, life, period, text)
    if trigger.how_many:
        if countable:
            draft.record = said(Record("event", "longterm"), "H-KIND-06")
        return countable
    if not trigger.keep:
        return True
    if lasting:
        return not countable and _lengths(draft, trigger, life, period)
    draft.record = said(Record("event", "longterm"), "H-KIND-04")
    return True


def _lengths(draft: Draft, trigger: Trigger, life: Life, period: str | None) -> bool:
    """Record how long: with a target where one was said."""
    if trigger.hold is not None and trigger.hold % 60:
        return False
    if trigger.total and trigger.hold is None:
        return False
    minutes = trigger.hold // 60 if trigger.hold else None
    if life.limited:
        content = Record("duration", "oneshot", target_minutes=minutes)
    elif period:
        content = Record("duration", "recurring", target_minutes=minutes, window=period)
    elif minutes:
        window = "day" if minutes <= _DAY else "week" if minutes <= _WEEK else "longterm"
        content = Record("duration", "recurring", target_minutes=minutes, window=window)
        draft.window = default(window, "A-37")
    else:
        content = Record("duration", "longterm", window="longterm")
    named = trigger.total or trigger.how_long
    draft.record = said(content, "H-KIND-01") if named else inferred(content, "H-KIND-03")
    return True


def _goal(draft: Draft, count: Count, life: Life, period: str | None, text: str) -> bool:
    """Record how many, towards a target."""
    if count.value < 1:
        return False
    if not (period or life.limited):
        draft.window = default("day", "A-37")
    ends = period is None and not (life.limited or life.periodic) and _FULFILLED.search(text) is not None
    if ends:
        draft.lifecycle, draft.expires_at = inferred("temporary", "A-38"), life.tonight
    task_type = "oneshot" if ends or (life.limited and not period) else "recurring"
    content = Record("progress", task_type, target=count.value, unit=count.unit, window=period or _window(text))
    draft.record = said(content, "H-KIND-05")
    return True


def _window(text: str) -> str:
    """Return the period that a window of time limits: 这周 is one week."""
    return "week" if re.search("[这本]个?周", text) else "month" if re.search("[这本]个?月|月底", text) else "day"


def reminders(draft: Draft, clock: Clock, life: Life, text: str) -> None:
    """Give a goal its default points of the clock, unless a time was said (H-FREQ-01 … 08)."""
    record = draft.record.value if draft.record else None
    if clock.schedule is not None and not clock.schedule.default:
        clause = "A-46" if clock.schedule.guessed else "H-FREQ-01"
        draft.schedule = default(clock.schedule, clause) if clock.schedule.guessed else said(clock.schedule, clause)
        return
    if record is None or record.kind != "progress" or record.target is None:
        return
    if period_of(text) is None and not life.limited:
        return
    per_day = record.target / _DAYS.get(record.window or "day", 1)
    count = min(max(1, math.ceil(per_day)), MOST_POINTS)
    hours = _hours(draft, count, text)
    expr = f"0 {hours} * * {clock.days if clock.days in ('1-5', '0,6') else '*'}"
    draft.schedule = default(Schedule("cron", expr=expr, default=True), "H-FREQ-12")


def _hours(draft: Draft, count: int, text: str) -> str:
    behaviour = draft.behaviour
    if "早晚" in text and count == 2:
        return "8,20"
    if behaviour is not None and "meals" in behaviour.marks and count in _MEALS:
        return _MEALS[count]
    if "放学" in text or "课后" in text:
        return ",".join(str(16 + step) for step in range(count))
    if any(word in text for word in ("早上", "晨练", "早晨")):
        return ",".join(str((7 if count < MOST_POINTS else 6) + step) for step in range(count))
    if count == 1:
        return "10"
    return ",".join(str(math.floor(10 + 10 * step / (count - 1) + 0.5)) for step in range(count))
