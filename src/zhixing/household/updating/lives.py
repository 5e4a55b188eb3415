"""Wishes about until when a task lives, and the hours in which it keeps quiet. Pure."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, time, timedelta

from zhixing.household.advising import spoken
from zhixing.household.assembling.amounts import NUMBER, number
from zhixing.household.assembling.clock_instants import read_instant
from zhixing.household.assembling.clock_points import CLOCK, PART, read_points
from zhixing.household.assembling.life import read_life
from zhixing.household.assembling.request import Home
from zhixing.household.jobs import FURTHEST, JobKind, Purpose, When
from zhixing.household.updating.clauses import fits
from zhixing.household.updating.model import Clause, Read, Standing, Step, Unclear
from zhixing.kernel.wording import wording
from zhixing.tasks.records.model import RecordKind, Window
from zhixing.tasks.rules.model import QuietSpan

_FOREVER = re.compile(r"(?:长期|永久|永远|一直|不限时|不限期|没有期限)(?:有效|都?有|保留|生效|下去)?")
_UNTIL = re.compile(
    r"(?:只?(?:截止到?|截至|(?:做|持续|有效期?|保留|用)?到))(?P<at>\S+?)(?:为止|截止|结束|就行|就停|就结束|失效|过期)?$"
)
_WITHIN = re.compile(r"^只?在?(?P<at>(?:今天|这周|本周|这个?月|本月|这个?周末)\S{0,2}?)(?:有效|生效|内有效)?$")
_ENDS = re.compile(r"期限|有效期|截止|到期|结束时间|终止|结束")
_HOUR = re.compile(rf"{PART}?的?{CLOCK}")
_ENDING = re.compile(r"为止|截止|截至|有效期")
_MONTH_END = re.compile(rf"(?P<m>{NUMBER})月(?:底|末|份)?")
_WEEKDAY = re.compile(r"(?:这个?|本)?周(?P<day>[一二三四五六日])")
_QUIET = re.compile(
    rf"(?P<from>{PART}?{CLOCK})(?:到|至|-|~)(?P<to>(?:第二天|次日)?{PART}?{CLOCK})(?:之间|期间|内)?(?:都)?"
    r"(?:不要?|别|勿)(?:再)?(?:提醒|播报|通知|触发|响|算|打扰|打搅|报|动|用管)?"
)
_EVERY = {Window.DAY: "每天", Window.WEEK: "每周", Window.MONTH: "每月"}


def ends(clause: Clause, standing: Standing, home: Home) -> Read:
    """Read until when the task lives: 到这周日为止, 长期."""
    about = _ENDS.search(clause.what) is not None
    if _FOREVER.fullmatch(clause.to):
        return _forever(standing, home)
    match = _UNTIL.search(clause.to) or _WITHIN.search(clause.to)
    words = match["at"] if match is not None else clause.to if about else ""
    rest = clause.to[: match.start()] if match is not None else ""
    if not words or not fits(rest, standing):
        return None
    sure = about or _ENDING.search(clause.to) is not None
    if not sure and standing.ends is None and _HOUR.fullmatch(words):
        return None  # 到10点: of every day, or of today?
    at = _end(words, home)
    if at is None:
        return Unclear("update_end_unclear", {"said": words[:32]}) if sure else None
    if not home.now < at <= home.now + FURTHEST:
        return Unclear("update_time_past", {"said": words[:32]})
    return _until(standing, at, home)


def _end(words: str, home: Home) -> datetime | None:
    """Return the instant that `words` name; of a day its end (A-12)."""
    found = read_instant(words, home)
    schedule = found.schedule
    if schedule is not None and schedule.at is not None and found.sure and not found.rest.strip("的底"):
        if not schedule.guessed:
            return schedule.at
        local = schedule.at.astimezone(home.zone)
        return datetime.combine(local.date() + timedelta(days=1), time(0), home.zone)
    now = home.now.astimezone(home.zone)
    month = _MONTH_END.fullmatch(words)
    if month is not None and 1 <= int(number(month["m"]) or 0) <= 12:
        first = now.replace(month=int(number(month["m"]) or 0), day=1, hour=0, minute=0, second=0, microsecond=0)
        first = first if first.month >= now.month else first.replace(year=first.year + 1)
        return (first + timedelta(days=32)).replace(day=1)
    today = _WEEKDAY.fullmatch(words)
    if today is not None and "一二三四五六日".index(today["day"]) == now.weekday():
        return datetime.combine(now.date() + timedelta(days=1), time(0), home.zone)
    for said in (words, f"{words}前"):
        life = read_life(said, home)
        if life.limited and life.expires is not None and not life.rest:
            return life.expires
    return None


def _until(standing: Standing, at: datetime, home: Home) -> Step:
    record = standing.record
    kept = {
        job.id: replace(job.plan, when=When(JobKind.AT, job.plan.when.zone, at=at))
        for job in standing.jobs
        if job.plan.purpose is Purpose.TERMINATE
    }
    content = None if record is None else replace(record, expires_at=at)
    words = standing.description
    life = read_life(words, home)
    if life.limited and at != standing.ends:
        words = wording("updating.desc_until", task=_trimmed(life.rest), end=spoken.end(at, home))
    after = replace(standing.with_jobs(kept), ends=at, record=content, description=words)
    old = wording("updating.forever") if standing.ends is None else spoken.end(standing.ends, home)
    return Step(after, "ends", old, spoken.end(at, home))


def _forever(standing: Standing, home: Home) -> Read:
    record = standing.record
    if not standing.rules and all(job.plan.when.kind is JobKind.AT for job in standing.jobs):
        return Unclear("update_once", {"task": standing.description})
    if record is not None and record.expires_at is not None:
        recurring = record.recurring or _natural(standing)
        window = record.window if record.kind is RecordKind.PROGRESS else recurring
        record = replace(record, expires_at=None, recurring=recurring, window=window)
    jobs = tuple(job for job in standing.jobs if job.plan.purpose is not Purpose.TERMINATE)
    words = standing.description
    life = read_life(words, home)
    if life.limited and standing.ends is not None:
        counts = record is not None and record.recurring is not None and not life.periodic
        every = _EVERY.get(record.recurring or Window.LONGTERM, "") if counts and record is not None else ""
        words = f"{every}{_trimmed(life.rest)}"
    after = replace(standing, ends=None, record=record, jobs=jobs, description=words)
    old = wording("updating.forever") if standing.ends is None else spoken.end(standing.ends, home)
    return Step(after, "ends", old, wording("updating.forever"))


def _trimmed(words: str) -> str:
    return words.strip(" ，,、；;。")


def _natural(standing: Standing) -> Window:
    """Return the period of what had one window of time: this week's becomes every week's."""
    record, words = standing.record, standing.description
    if record is not None and record.kind is RecordKind.PROGRESS:
        return record.window
    return Window.WEEK if "周" in words else Window.MONTH if "月" in words else Window.DAY


def quiet(clause: Clause, standing: Standing, _home: Home) -> Read:
    """Read hours in which rules do nothing: 晚上10点到早上7点不提醒."""
    match = _QUIET.search(clause.to)
    if match is None:
        return None
    sides = [read_points(re.sub(r"^(?:第二天|次日)", "", side)).found for side in (match["from"], match["to"])]
    rest = clause.to[: match.start()] + clause.to[match.end() :]
    if any(len(side) != 1 for side in sides) or not fits(rest, standing):
        return None
    (start,), (end,) = sides
    span = QuietSpan(start.hour * 60 + start.minute, end.hour * 60 + end.minute)
    if not standing.rules:
        return Unclear("update_no_rules", {"task": standing.description})
    if span.start == span.end:
        high = spoken.span(86_340)
        return Unclear("update_amount_range", {"said": match[0][:32], "low": spoken.span(60), "high": high})
    plans = {one.id: replace(one.plan, quiet=(span,)) for one in standing.rules}
    shown = f"{spoken.point(start.hour, start.minute)}到{spoken.point(end.hour, end.minute)}"
    return Step(standing.with_rules(plans), "quiet", "", shown)
