"""The field `when`: by hand, by cron, or once (downcity.md §1.5, made strict).

`@manual`; five cron fields or one of the aliases; `time:` with an ISO instant and its offset, whose `time:` may be left
out. Words in front of a cron expression, six fields and `@every` are refused with what to write instead.
"""

from __future__ import annotations

import re
from datetime import datetime
from difflib import get_close_matches
from zoneinfo import ZoneInfo

from zhixing.documents.findings import Finding
from zhixing.documents.instants import read_instant
from zhixing.documents.model import Manual, Once, When
from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.kernel.wording import LANGUAGES, Language, wording
from zhixing.tasks.schedule.cron import ALIASES, Cron
from zhixing.tasks.schedule.fields import DAY, MONTH, WEEKDAY
from zhixing.tasks.schedule.model import At
from zhixing.tasks.schedule.next import upcoming
from zhixing.tasks.schedule.words import in_words

LONGEST_WHEN = 200
"""Characters of the field."""
MANUAL = "@manual"

_TIME = re.compile(r"time[ \t]*([:：])", re.IGNORECASE)
_DATE = re.compile(r"[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}([T \t].*)?", re.IGNORECASE)
_CRON_PREFIX = re.compile(r"cron[ \t]*[:：][ \t]*", re.IGNORECASE)
_EVERY = re.compile(r"@?every\b|[0-9]+ ?[smhd]$", re.IGNORECASE)
_WIDE = re.compile("[^\x00-\x7f]")
_NOT_MANUAL = frozenset({"＠manual", "手动", "手动运行", "none", "never"})


def read_when(text: str) -> When:
    """Read the field. Raises `BadInput` with the reason and what to write instead."""
    if len(text) > LONGEST_WHEN:
        raise TooLarge("document_when_long", limit=LONGEST_WHEN)
    text = " ".join("".join(each if each.isprintable() else " " for each in text).split())
    if not text:
        raise BadInput("document_when_empty")
    if text.lower() == MANUAL:
        return Manual()
    if prefix := _TIME.match(text):
        return _once(text[prefix.end() :].strip())
    if _DATE.fullmatch(text):
        return _once(text)
    _check_cron(text)
    return Cron.parse(text.lower() if text.startswith("@") else text)


def write_when(when: When) -> str:
    """Return the field as it is written: what was written, with `time:` in front of an instant."""
    if isinstance(when, Manual):
        return MANUAL
    return when.text if isinstance(when, Cron) else f"time:{when.text}"


def when_words(when: When, language: Language = "zh") -> str:
    """Say when it is due: 「手动运行」, 「每月 15 日或周一 09:00」, 「2026-03-08 10:30:00+08:00，一次」."""
    if isinstance(when, Manual):
        return wording("task_files.when_manual", language)
    return in_words(when if isinstance(when, Cron) else when.at, language)


def next_runs(when: When, zone: ZoneInfo, now: datetime, count: int = 3) -> list[datetime]:
    """Return the first `count` instants after `now`, read in `zone`; none of them when it is run by hand."""
    if isinstance(when, Manual):
        return []
    trigger = when if isinstance(when, Cron) else when.at
    return [at.astimezone(zone) for at in upcoming(trigger, zone, now, count)]


def is_shifted(when: When, due: datetime, zone: ZoneInfo) -> bool:
    """Whether an instant stands for a time that the clock on the wall never showed (design §5)."""
    if not isinstance(when, Cron) or when.follows_real_time:
        return False
    local = due.astimezone(zone)
    return local.hour not in when.hour.values or local.minute not in when.minute.values


def run_line(at: datetime, language: Language = "zh") -> str:
    """Write an instant with all that can be mistaken: 「2026-03-09 周一 09:00（UTC+08:00，Asia/Shanghai）」."""
    weekday = wording(f"tasks.weekday_{at.isoweekday() % 7}", language)
    offset = at.strftime("%z")
    written = f"UTC{offset[:3]}:{offset[3:5]}" if offset else ""
    name = at.tzinfo.key if isinstance(at.tzinfo, ZoneInfo) else ""
    return wording(
        "task_files.run_line" if name else "task_files.run_line_without_zone",
        language,
        date=at.strftime("%Y-%m-%d"),
        weekday=weekday,
        clock=at.strftime("%H:%M:%S" if at.second else "%H:%M"),
        offset=written,
        zone=name,
    )


def warnings_of(when: When, *, line: int = 0) -> list[Finding]:
    """Say where a cron expression means something else than many who write it think."""
    if not isinstance(when, Cron):
        return []
    found: list[Finding] = []
    said = {language: in_words(when, language) for language in LANGUAGES}
    day_free, weekday_free = when.day.whole(DAY), when.weekday.whole(WEEKDAY)
    if not day_free and not weekday_free:
        code = "when_day_and_weekday" if when.needs_both_days else "when_day_or_weekday"
        found.append(Finding(line, code, {"said": said}))
    if not day_free and weekday_free and when.day.values and not when.day.specials:
        found += _months_without(when, line)
    return found


def _once(text: str) -> Once:
    return Once(At(read_instant(text)), text)


def _check_cron(text: str) -> None:
    """Refuse what is no cron expression, before the reader of cron explains its fields."""
    if text.lower() in _NOT_MANUAL:
        raise BadInput("document_when_manual", text=text)
    if prefix := _CRON_PREFIX.match(text):
        raise BadInput("document_when_prefix", text=text, instead=text[prefix.end() :])
    if _EVERY.match(text):
        raise BadInput("document_when_every", text=text)
    known = [MANUAL, *ALIASES]
    if f"@{text.lower()}" in known:
        raise BadInput("document_when_alias_near", text=text, nearest=f"@{text.lower()}", known=" ".join(known))
    if text.startswith("@") and text.lower() not in known:
        near = get_close_matches(text.lower(), known, n=1, cutoff=0.6)
        if near:
            raise BadInput("document_when_alias_near", text=text, nearest=near[0], known=" ".join(known))
        raise BadInput("document_when_alias", text=text, known=" ".join(known))
    parts = text.split()
    if _WIDE.search(text) or (len(parts) == 1 and not text.startswith("@")):
        raise BadInput("document_when_unreadable", text=text)
    if len(parts) == 6 and not text.lower().startswith(("tz=", "cron_tz=")):
        raise BadInput("document_when_seconds", text=text, instead=" ".join(parts[1:]))


def _months_without(cron: Cron, line: int) -> list[Finding]:
    """Name the months in which none of the days exists."""
    first = cron.day.values[0]
    months = set(range(MONTH.low, MONTH.high + 1)) & set(cron.month.values)
    short = [month for month in sorted(months) if first > _longest(month)]
    found = []
    if short:
        names = {language: wording("tasks.list_separator", language).join(map(str, short)) for language in LANGUAGES}
        found.append(Finding(line, "when_months_without", {"months": names, "day": first}))
    if first == 29 and 2 in months:
        found.append(Finding(line, "when_leap_day", {}))
    return found


def _longest(month: int) -> int:
    return 29 if month == 2 else 30 if month in (4, 6, 9, 11) else 31
