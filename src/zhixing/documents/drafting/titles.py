"""A short title: how often, about what, and the product: 工作日日报, 每日新闻摘要, 每周一 销售周报 → 销售周报."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count
from zoneinfo import ZoneInfo

from zhixing.documents.drafting.wanted import Recognised
from zhixing.documents.drafting.words import products
from zhixing.documents.model import Kind, Once
from zhixing.kernel.wording import Language, wording
from zhixing.tasks.schedule.cron import Cron

LONGEST_TITLE = 40
"""Characters; a folder gets its name from it."""
_WORK_DAYS = "1-5"


def title_of(recognised: Recognised, zone: ZoneInfo, language: Language = "zh") -> str:
    """Return a title made of what was recognised."""
    if recognised.kind is Kind.SCRIPT:
        what = wording("drafting.title_script", language, what=recognised.topic)
    else:
        topic = recognised.topic
        what = recognised.product if topic in recognised.product else topic + recognised.product
    return plain_title(_rhythm(recognised, zone, language) + what)


def unique(title: str, taken: Collection[str]) -> str:
    """Return `title`, with a number behind it where it is taken."""
    if title not in taken:
        return title
    return next(one for number in count(2) if (one := f"{title} {number}") not in taken)


def plain_title(text: str) -> str:
    """Return `text` as a title: on one line, bounded, without what no folder is called."""
    kept = "".join(char if char.isalnum() or char in " -_." else " " for char in text)
    words = " ".join(kept.split()).lstrip("-_. ")
    return words[:LONGEST_TITLE].rstrip()


def _rhythm(recognised: Recognised, zone: ZoneInfo, language: Language) -> str:
    when = recognised.when
    cadence = "" if recognised.kind is Kind.SCRIPT else products()[recognised.entry].cadence
    if isinstance(when, Once):
        day = when.at.at.astimezone(zone)
        return wording("drafting.rhythm_once", language, month=day.month, day=day.day)
    if not isinstance(when, Cron):
        return ""
    name = _name(when)
    return (
        ""
        if name == cadence or (name == "weekday" and cadence == "week")
        else wording(f"drafting.rhythm_{name}", language)
    )


def _name(cron: Cron) -> str:
    if cron.hour.text.startswith("*"):
        return "often"
    if cron.weekday.text == _WORK_DAYS:
        return "work_days"
    if cron.weekday.text != "*":
        return "weekday"
    if cron.month.text != "*":
        return "year"
    return "day" if cron.day.text == "*" else "month"
