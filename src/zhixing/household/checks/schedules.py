"""Chapter 12: the jobs of the clock, and when the document reminds where nobody said when."""

from __future__ import annotations

import re
from math import floor
from zoneinfo import ZoneInfo

from zhixing.household.checks.findings import Check, of_jobs, of_plan
from zhixing.household.checks.lexicon import bound, says, table, words
from zhixing.household.checks.model import Case, Level, Schedule
from zhixing.household.checks.tasks import instant
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import zone
from zhixing.tasks.schedule.cron import Cron

KINDS = ("at", "every", "cron")
_ZONE_INSIDE = re.compile(r"@\s*\w|[A-Za-z]{3,20}/[A-Za-z]")
_HOURS = re.compile(r"\d{1,2}(?:,\d{1,2})*", re.ASCII)
_NAMED_DAYS = re.compile(r"0 9 (?:\*|[\d,-]+) \* (?:\*|[\d,-]+)", re.ASCII)
"""Nine o'clock on the days that the user named."""


def _zone(name: str | None) -> ZoneInfo | None:
    try:
        return zone(name) if name else None
    except BadInput:
        return None


def _cron(job: Schedule) -> bool:
    return job.kind == "cron"


def _zone_inside(job: Schedule) -> bool:
    return _cron(job) and _ZONE_INSIDE.search(job.expr or "") is not None


def _readable(job: Schedule) -> bool:
    if len((job.expr or "").split()) != 5:
        return False
    try:
        Cron.parse(job.expr or "")
    except BadInput:
        return False
    return True


def _fields(job: Schedule) -> list[str]:
    """Return the five fields of a default expression that can be read; nothing for any other job."""
    default = _cron(job) and job.origin == "default" and not _zone_inside(job) and _readable(job)
    return (job.expr or "").split() if default else []


def _hours(job: Schedule) -> list[int]:
    """Return the hours of a default expression, where they are plain hours."""
    fields = _fields(job)
    return [int(hour) for hour in fields[1].split(",")] if fields and _HOURS.fullmatch(fields[1]) else []


def _outside_waking(job: Schedule) -> bool:
    last = bound("latest_hour")
    late = bool(_fields(job)) and _fields(job)[0] != "0"
    return any(not bound("earliest_hour") <= hour <= last or (hour == last and late) for hour in _hours(job))


def _of_progress(case: Case) -> bool:
    """Whether there is a count with a target, after which reminders are laid out."""
    record = case.plan.record
    return record is not None and record.kind == "progress" and _points(case) is not None


def _points(case: Case) -> int | None:
    """Return how many reminders a day the target is worth: one for each, at most six."""
    record = case.plan.record
    target = None if record is None else record.content.get("target")
    if record is None or type(target) is not int or target <= 0:
        return None
    window = record.content.get("window")
    days = table("windows").get(window, 1) if isinstance(window, str) else 1
    return max(1, min(-(-target // days), bound("most_reminders")))


def spread(points: int) -> list[int]:
    """Return so many hours spread evenly from 10 to 20; one is at 10, halves are rounded up (A-40)."""
    first, last = bound("first_hour"), bound("last_hour")
    if points < 2:
        return [first]
    return [floor(first + (last - first) * number / (points - 1) + 0.5) for number in range(points)]


def _untidy(case: Case, job: Schedule) -> bool:
    fields, hours = _fields(job), _hours(job)
    return bool(fields) and _of_progress(case) and (fields[0] != "0" or not hours or hours != sorted(set(hours)))


def _too_many(case: Case, job: Schedule) -> bool:
    hours = _hours(job)
    return bool(hours) and _of_progress(case) and len(set(hours)) != _points(case)


def _uneven(case: Case, job: Schedule) -> bool:
    hours = _hours(job)
    return bool(hours) and _of_progress(case) and job.scene is None and hours != spread(len(hours))


def _on_odd_days(case: Case, job: Schedule) -> bool:
    fields = _fields(job)
    if not fields or not _of_progress(case):
        return False
    days = " ".join(fields[2:])
    return days not in words("defaults.days") or (days != "* * *" and not job.days_from_user)


def _not_usual(case: Case, job: Schedule) -> bool:
    """Whether a default without a target is another than nine o'clock daily, on Mondays or on the first."""
    fields = _fields(job)
    if not fields or case.plan.kind not in (None, "duration", "event") or job.scene is not None:
        return False
    expr = " ".join(fields)
    named = job.days_from_user and _NAMED_DAYS.fullmatch(expr) is not None
    return not named and expr not in words("defaults.expressions")


def _several(case: Case) -> bool:
    defaults = [job for job in case.plan.schedules if _cron(job) and job.origin == "default"]
    return _of_progress(case) and len(defaults) > 1


def _past(case: Case, job: Schedule) -> bool:
    at = instant(job.at)
    return job.kind == "at" and at is not None and at <= case.context.now


CHECKS: tuple[Check, ...] = (
    of_jobs("V-170", "H-MAP-02", lambda case, job: not job.name.startswith(case.plan.prefix)),
    of_jobs("V-171", "H-TRG-*", lambda _, job: job.kind not in KINDS),
    of_jobs("V-172", "H-MSG-01", lambda _, job: not job.message.strip()),
    of_jobs("V-173", "H-MSG-01", lambda _, job: says("condition.placeholder_patterns", job.message)),
    of_jobs("V-174", "H-MAP-07", lambda _, job: not job.linked),
    of_jobs("V-175", "H-TZ-01/02", lambda _, job: _cron(job) and not job.tz),
    of_jobs("V-176", "H-TZ-07", lambda _, job: bool(job.tz) and _zone(job.tz) is None),
    of_jobs(
        "V-177",
        "H-TZ-07",
        lambda case, job: _cron(job) and _zone(job.tz) is not None and job.tz != case.context.zone,
    ),
    of_jobs("V-178", "H-TZ-04", lambda _, job: _zone_inside(job)),
    of_jobs("V-179", "H-TZ-03", lambda _, job: _cron(job) and not _zone_inside(job) and not _readable(job)),
    of_jobs("V-180", "H-TRG-02", lambda _, job: job.kind == "every" and (job.every_ms or 0) <= 0),
    of_jobs(
        "V-181",
        "H-TRG-02",
        lambda _, job: job.kind == "every" and 0 < (job.every_ms or 0) < bound("shortest_every_ms"),
        Level.WARNING,
    ),
    of_jobs("V-182", "H-TZ-05", lambda _, job: job.kind == "every" and job.tz is not None, Level.WARNING),
    of_jobs("V-183", "H-TZ-06", lambda _, job: job.kind == "at" and instant(job.at) is None),
    of_jobs("V-184", "H-SCH-02", _past),
    of_jobs("V-185", "H-FREQ-04", lambda _, job: _outside_waking(job)),
    of_jobs("V-186", "H-FREQ-08", _untidy),
    of_jobs("V-187", "H-FREQ-02/03", _too_many),
    of_jobs("V-188", "H-FREQ-06", _uneven, Level.WARNING),
    of_jobs("V-189", "H-FREQ-07", _on_odd_days),
    of_jobs("V-190", "H-FREQ-09~11", _not_usual),
    of_plan("V-192", "H-FREQ-08", _several),
)
