"""Wishes about when the reminders come: other times, other days, later or earlier. Pure."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

from zhixing.household.advising import spoken
from zhixing.household.assembling.amounts import NUMBER, seconds
from zhixing.household.assembling.clock import Schedule
from zhixing.household.assembling.clock_points import CLOCK, PART, Point, read_points, usual
from zhixing.household.assembling.clock_words import read_clock
from zhixing.household.assembling.life import read_life
from zhixing.household.assembling.request import Home
from zhixing.household.jobs import FURTHEST, JobKind, When
from zhixing.household.updating.clauses import fits
from zhixing.household.updating.model import Clause, Read, Standing, StandingJob, Step, Unclear

_LATER = re.compile(rf"(?P<how>推迟|延后|提前|推后)(?P<span>(?:{NUMBER}个?半?(?:分钟|小时|天))+)")
_HOURS = re.compile(rf"{PART}|{CLOCK}|三餐|睡觉?前|早中晚")
_NO_DAY = re.compile(rf"^(?:在|于)?{PART}?的?{CLOCK}")
_SMALL_HOUR = 5
_SAYING = re.compile(r"提醒|叫|喊|通知|告诉|播报|催|说")


def clock(clause: Clause, standing: Standing, home: Home) -> Read:
    """Read when the reminders come: 每天早上9点和下午3点, 每 2 小时, 后天早上8点."""
    if clause.to.startswith("到") or (read_life(clause.to, home).limited and not _NO_DAY.match(clause.to)):
        return None
    jobs = standing.reminders
    found = read_clock(clause.to, home)
    if _points_only(clause.to):
        return _points(clause.to, jobs, standing, home)
    shifted = _LATER.search(clause.to)
    if shifted is not None:
        return _shifted(shifted, clause, standing, home)
    schedule = found.schedule
    if schedule is None or not fits(_SAYING.sub("", found.rest), standing):
        return None
    if schedule.expr is not None and not _HOURS.search(clause.to):
        return _days(schedule.expr, jobs, standing, home)
    if schedule.default:
        return None
    if not jobs:
        return Unclear("update_no_schedule", {"task": standing.description})
    named = schedule.at is not None or schedule.every_ms is not None or schedule.expr is not None
    if not found.sure or not named:
        mixed = schedule.kind == "cron"
        return Unclear("update_times_mixed" if mixed else "update_time_past", {"said": clause.to[:32]})
    when = _when(schedule, home)
    return _moved(when, jobs, standing, home)


def _days(expr: str, jobs: tuple[StandingJob, ...], standing: Standing, home: Home) -> Read:
    """Read days alone: the hours stay as they are; None where there are none."""
    if not jobs:
        return None
    old = jobs[0].plan.when
    on = " ".join(expr.split()[2:])
    if old.at is not None:
        local = old.at.astimezone(home.zone)
        kept = f"{local.minute} {local.hour}"
    elif old.kind is JobKind.CRON and len(old.expr.split()) == 5:
        kept = " ".join(old.expr.split()[:2])
    else:
        return None
    return _moved(When(JobKind.CRON, home.zone.key, f"{kept} {on}"), jobs, standing, home)


def _shifted(match: re.Match[str], clause: Clause, standing: Standing, home: Home) -> Read:
    """Read how much later or earlier: 推迟半小时. Points of the clock stay within their day."""
    rest = clause.to[: match.start()] + clause.to[match.end() :]
    length, jobs = seconds(match["span"]), standing.reminders
    if length is None or not fits(_SAYING.sub("", rest), standing):
        return None
    if not jobs:
        return Unclear("update_no_schedule", {"task": standing.description})
    old, by = jobs[0].plan.when, -length if match["how"] == "提前" else length
    if old.at is not None:
        return _moved(When(JobKind.AT, at=old.at + timedelta(seconds=by)), jobs, standing, home)
    fields = old.expr.split()
    if len(fields) != 5 or by % 60 or not all(each.isdigit() for each in (fields[0], *fields[1].split(","))):
        return None
    minutes = [int(hour) * 60 + int(fields[0]) + by // 60 for hour in fields[1].split(",")]
    if any(not 0 <= each < 1_440 for each in minutes):
        return Unclear("update_time_past", {"said": match[0]})
    hours = ",".join(str(each // 60) for each in minutes)
    when = When(JobKind.CRON, old.zone, f"{minutes[0] % 60} {hours} {' '.join(fields[2:])}")
    return _moved(when, jobs, standing, home)


def _points_only(to: str) -> bool:
    points = read_points(to)
    if re.fullmatch(PART, to):
        return True
    return bool(points.found) and points.sure and _NO_DAY.match(to) is not None and not _SAYING.sub("", points.rest)


def _points(to: str, jobs: tuple[StandingJob, ...], standing: Standing, home: Home) -> Read:
    """Read times of day alone: the days stay as they are."""
    if not jobs:
        return Unclear("update_no_schedule", {"task": standing.description})
    if len(jobs) > 1:
        return Unclear("update_jobs_many", {"task": standing.description})
    old = jobs[0].plan.when
    points = read_points(to).found or (Point(to, usual(to), 0),)
    by_24 = any(not point.part and point.hour > 12 for point in points)
    if not by_24 and any(not point.part and _either(point.hour, old, home) for point in points):
        return Unclear("update_half_day", {"said": to[:32]})
    if old.at is not None and len(points) == 1:
        at = old.at.astimezone(home.zone).replace(hour=points[0].hour, minute=points[0].minute, second=0)
        return _moved(When(JobKind.AT, at=at), jobs, standing, home)
    if len({point.minute for point in points}) != 1:
        return Unclear("update_times_mixed", {"said": to[:32]})
    on = " ".join(old.expr.split()[2:]) if old.kind is JobKind.CRON and len(old.expr.split()) == 5 else "* * *"
    hours = ",".join(map(str, sorted({point.hour for point in points})))
    when = When(JobKind.CRON, old.zone or home.zone.key, f"{points[0].minute} {hours} {on}")
    return _moved(when, jobs, standing, home)


def _either(hour: int, old: When, home: Home) -> bool:
    """Whether an hour without a part of the day may be one of the morning or of the evening."""
    if not 1 <= hour < 12:
        return False
    if old.at is not None:
        before = [old.at.astimezone(home.zone).hour]
    else:
        before = [int(each) for each in old.expr.split()[1].split(",") if each.isdigit()] if old.expr else []
    return hour <= _SMALL_HOUR or (bool(before) and all(each >= 12 for each in before))


def _when(schedule: Schedule, home: Home) -> When:
    if schedule.at is not None:
        return When(JobKind.AT, at=schedule.at)
    if schedule.every_ms is not None:
        return When(JobKind.EVERY, every=schedule.every_ms)
    return When(JobKind.CRON, home.zone.key, schedule.expr or "")


def _moved(when: When, jobs: tuple[StandingJob, ...], standing: Standing, home: Home) -> Read:
    if len(jobs) > 1:
        return Unclear("update_jobs_many", {"task": standing.description})
    if when.at is not None and not home.now < when.at <= home.now + FURTHEST:
        return Unclear("update_time_past", {"said": spoken.moment(when.at, home)})
    if when.kind is JobKind.EVERY and not 60_000 <= when.every <= 366 * 86_400_000:
        low, high = spoken.span(60), spoken.span(366 * 86_400)
        return Unclear("update_amount_range", {"said": spoken.every(when.every), "low": low, "high": high})
    (job,) = jobs
    old = job.plan.when
    if when.kind is JobKind.CRON and old.zone is not None and old.kind is JobKind.CRON:
        when = replace(when, zone=old.zone)
    if (when.kind, when.every, when.at) == (old.kind, old.every, old.at) and when.kind is JobKind.EVERY:
        when = old
    after = standing.with_jobs({job.id: replace(job.plan, when=when)})
    if when != old:
        after = replace(after, description=_retimed(standing.description, when, home))
    return Step(after, "schedule", _told(old, home), _told(when, home))


def _retimed(description: str, when: When, home: Home) -> str:
    """Put the new time in front of a description that begins with the old one."""
    found = read_clock(description, home)
    said = found.schedule is not None and not found.schedule.default
    if not said or not found.rest or found.rest == description or not description.endswith(found.rest):
        return description
    return f"{_told(when, home)}{found.rest}"


def _told(when: When, home: Home) -> str:
    if when.at is not None:
        return spoken.moment(when.at, home)
    return spoken.every(when.every) if when.kind is JobKind.EVERY else spoken.cron(when.expr)
