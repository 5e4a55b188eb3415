"""Which stretch of time a product is about, in words that can be worked by."""

from __future__ import annotations

from zhixing.documents.drafting.wanted import Recognised
from zhixing.documents.drafting.words import products
from zhixing.kernel.wording import Language, wording
from zhixing.tasks.schedule.cron import Cron

_NOON = 12
_MIDDLE = 15


def covering(recognised: Recognised, language: Language = "zh") -> str:
    """Return the stretch: what was said, else what is usual for the product at the time it is made."""
    if recognised.covers:
        return wording("drafting.covers_said", language, covers=recognised.covers)
    return wording(f"drafting.covers_{_usual(recognised)}", language)


def _usual(recognised: Recognised) -> str:
    """Return what is usual: a daily report of the morning is about the day before."""
    covers, when = products()[recognised.entry].covers, recognised.when
    if not isinstance(when, Cron):
        return covers
    if covers == "day" and when.hour.values and when.hour.values[0] < _NOON and not when.follows_real_time:
        return "day_before"
    if covers == "month" and when.day.values and when.day.values[0] <= _MIDDLE:
        return "month_before"
    return covers
