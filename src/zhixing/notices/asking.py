"""The words of a question: short, at most two quick answers and 其他 (document 004 §6)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from zhixing.kernel.questions import MAX_OPTIONS, Option, Question
from zhixing.kernel.wording import wording
from zhixing.notices.answers import base_kind
from zhixing.notices.clocks import WallTime
from zhixing.notices.resolve import Ask, Choice

OTHER = "other"
QUICK_ANSWERS = 2
_WEEKDAYS = "一二三四五六日"


def question(ask: Ask, subject: str, revision: int, today: date) -> Question:
    """Word `ask` about `subject` at `revision`; `today` names the days near it."""
    kind = base_kind(ask.kind)
    labels = [Option(_value(choice, kind), _label(choice, ask, today)) for choice in ask.options[:QUICK_ANSWERS]]
    other = Option(OTHER, wording("notices.other", "zh"))
    day = "" if ask.day is None else day_label(ask.day, today)
    prompt = wording(f"notices.ask_{kind}", "zh", day=day)
    if ask.about:
        prompt = wording("notices.ask_about", "zh", about=ask.about, prompt=prompt)
    return Question(ask.kind, prompt, (*labels, other), subject, revision)


AGREEMENTS = frozenset(("partial_nodes",))
"""Kinds of question that are answered by yes or no."""


def agreement(kind: str, subject: str, revision: int) -> Question:
    """Ask for a yes or no."""
    options = (Option("yes", wording("notices.yes", "zh")), Option("no", wording("notices.no", "zh")))
    return Question(kind, wording(f"notices.ask_{kind}", "zh"), options, subject, revision)


def item_selection(titles: Sequence[str], subject: str, revision: int) -> Question:
    """Ask which of several matters to keep; nothing is kept by default (§1). The answer may name several: `1,3`.

    A question has at most `MAX_OPTIONS` options: the matters behind them are not offered, and the prompt says so.
    """
    options = [Option(str(index + 1), title) for index, title in enumerate(titles[:MAX_OPTIONS])]
    if len(options) == 1:
        options.append(Option("0", wording("notices.none", "zh")))
    key = "notices.ask_item_selection" if len(titles) <= MAX_OPTIONS else "notices.ask_item_selection_cut"
    return Question("item_selection", wording(key, "zh", shown=len(options)), tuple(options), subject, revision)


def _value(choice: Choice, kind: str) -> str:
    if isinstance(choice, WallTime):
        return str(choice)
    if isinstance(choice, datetime):
        return choice.isoformat(timespec="minutes")
    return str(choice.year) if kind == "year" else choice.isoformat()


def _label(choice: Choice, ask: Ask, today: date) -> str:
    if isinstance(choice, WallTime):
        return clock_label(choice)
    if isinstance(choice, datetime):
        label = f"{choice.month}月{choice.day}日 {choice.hour}:{choice.minute:02}"
        if base_kind(ask.kind) == "tz_overlap":
            # Equal to the eye and to ==: the two readings of a repeated time differ in their offsets only.
            which = "notices.earlier" if choice is ask.options[0] else "notices.later"
            label = wording(which, "zh", time=label)
        return label
    if base_kind(ask.kind) == "year":
        return f"{choice.year}年{choice.month}月{choice.day}日"
    return day_label(choice, today)


def clock_label(clock: WallTime) -> str:
    """Name a time of day as people say it: 凌晨3:00, 下午3:00."""
    hour = clock.hour
    part = "凌晨" if hour < 6 else "上午" if hour < 12 else "中午" if hour == 12 else "下午" if hour < 18 else "晚上"
    shown = hour if hour <= 12 else hour - 12
    following = "次日" if clock.day else ""
    return f"{following}{part}{shown}:{clock.minute:02}"


def day_label(day: date, today: date) -> str:
    """Name a day: 明天（10月13日 周二）, with the year where it is another one."""
    year = "" if day.year == today.year else f"{day.year}年"
    plain = f"{year}{day.month}月{day.day}日 周{_WEEKDAYS[day.weekday()]}"
    near = {0: "今天", 1: "明天", 2: "后天"}.get((day - today).days)
    return f"{near}（{plain}）" if near else plain
