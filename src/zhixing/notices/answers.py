"""Reading the user's answers: a picked value or free words, by the same lexer as everything else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime

import msgspec

from zhixing.language.expressions import read_times
from zhixing.language.text import normalise
from zhixing.language.timex import Period, TimeExpression
from zhixing.notices.clocks import Unclear, WallTime, wall_time
from zhixing.notices.dates import Settled, settle_date
from zhixing.notices.model import Answer

_CLOCK = re.compile(r"(次日|第二天)? *([0-9]{1,2}) *:([0-9]{2})(?::00)?")
_DATE = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[T ][0-9:.]+(?:Z|[+-][0-9:]+)?)?")
_YEAR = re.compile(r"([0-9]{4}|[0-9]{2}) *年?")
_YEAR_WORDS = {"今年": 0, "本年": 0, "明年": 1, "后年": 2, "去年": -1, "前年": -2}
_HALF_DAY = {
    # 3点 answered with 上午 is three in the morning: the question offered two halves of the day.
    **dict.fromkeys(("上午", "早上", "早", "凌晨", "清晨", "am"), Period.AM),
    **dict.fromkeys(("下午", "午后", "pm"), Period.PM),
    **dict.fromkeys(("晚上", "晚", "傍晚", "夜里", "今晚"), Period.EVENING),
    **dict.fromkeys(("中午", "正午"), Period.NOON),
}
_ONLY = re.compile(r"(?:还是|就是|应该是|改成|改到|改为|定在|[是的吧就在成到为了哦啊呀呢嗯那天,。! ])*")
LONGEST_ANSWER = 64
"""Characters; a longer answer is no answer to a short question."""
_CLOCK_KINDS = frozenset(("meridiem", "clock_time", "lead_needs_clock"))
_EARLIER = frozenset(("first", "earlier", "0", "早", "前", "第一次", "前一次", "较早", "早的", "dst", "before"))
_LATER = frozenset(("second", "later", "1", "晚", "后", "第二次", "后一次", "较晚", "晚的", "standard", "after"))


def node_kind(kind: str, number: int) -> str:
    """Name the answer to a question of `kind` that the `number`th time asks after another one asked the same."""
    return f"{kind}@{number}"


def base_kind(kind: str) -> str:
    """Return the kind of question that an answer of `kind` is to."""
    return kind.partition("@")[0]


def node_number(kind: str) -> int | None:
    """Return which time asked, where the kind says so."""
    number = kind.partition("@")[2]
    return int(number) if number else None


class DateAnswer(msgspec.Struct, frozen=True):
    """A day, with the weekday that the user named beside it."""

    day: date
    weekday: int | None


class Answers:
    """The newest answer of each kind, read when it is needed. `reference` is the day that 明天 counts from."""

    def __init__(self, given: Iterable[Answer], reference: date) -> None:
        self._values: Mapping[str, str] = {answer.kind: str(answer.value).strip() for answer in given}
        self._reference = reference

    def __contains__(self, kind: str) -> bool:
        return kind in self._values

    @property
    def empty(self) -> bool:
        """Whether nothing was answered."""
        return not self._values

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds that were answered."""
        return frozenset(self._values)

    def only(self, kinds: Iterable[str]) -> Answers:
        """Return the answers of these kinds alone."""
        return Answers((Answer(kind, self._values[kind]) for kind in kinds if kind in self._values), self._reference)

    def of_node(self, number: int, spent: frozenset[str]) -> Answers:
        """Return the answers for the `number`th time: its own, and those of kinds that no earlier one used up."""
        own = node_kind("", number)
        given = {kind: value for kind, value in self._values.items() if "@" not in kind and kind not in spent}
        given |= {kind.removesuffix(own): value for kind, value in self._values.items() if kind.endswith(own)}
        return Answers((Answer(kind, value) for kind, value in given.items()), self._reference)

    def value(self, kind: str) -> str | None:
        """Return the words of the newest answer of that kind."""
        return self._values.get(kind)

    def day(self, kind: str) -> DateAnswer | None:
        """Read a day: 2026-10-16, 10月16日, 明天, 下周五; None where the answer is no single day."""
        words = self._values.get(kind)
        if words is None:
            return None
        if match := _DATE.fullmatch(words):
            try:
                return DateAnswer(date(int(match[1]), int(match[2]), int(match[3])), None)
            except ValueError:
                return None
        spoken = self._expression(words)
        if spoken is None:
            return None
        if spoken.date is None:
            return None
        found = settle_date(spoken.date, reference=self._reference, submitted=self._reference, year=None)
        return DateAnswer(found.day, spoken.weekday) if isinstance(found, Settled) else None

    def clock(self, kind: str, asked: TimeExpression | None = None) -> WallTime | None:
        """Read a time of day: 15:00, 次日00:00, 24:00, 下午三点, or 下午 alone for the clock that was asked about."""
        words = self._values.get(kind)
        if words is None:
            return None
        plain = normalise(words)
        moment = _instant(plain)
        if moment is not None:
            return WallTime(0, moment.hour, moment.minute)
        if match := _CLOCK.fullmatch(plain):
            return _day_clock(int(match[2]), int(match[3]), 1 if match[1] else 0)
        half = _HALF_DAY.get(plain.lower())
        if half is not None:
            return _half_of(asked, half)
        spoken = self._expression(plain)
        if spoken is None or spoken.clock is None:
            return None
        found = wall_time(spoken.clock, spoken.period)
        return None if isinstance(found, Unclear) else found

    def canonical(self, kind: str, asked: TimeExpression | None = None) -> str | None:
        """Return the answer of that kind in a form that means the same on any later day; None if it is unreadable.

        明天 becomes its date. A date with a weekday that does not fit is kept in the user's words, as a contradiction.
        """
        words = self._values.get(kind)
        if words is None:
            return None
        if kind == "year":
            found_year = self.year()
            return str(found_year) if found_year else None
        if kind in _CLOCK_KINDS:
            clock = self.clock(kind, asked)
            return str(clock) if clock else None
        if kind in ("tz_gap", "tz_overlap"):
            readable = self.instant(kind) or self.clock(kind) or self.fold(kind) is not None
            return words if readable else None
        if kind == "reminder_after_deadline":
            return words if self.instant(kind) else None
        if kind == "item_selection":
            return picked(words)
        if kind == "partial_nodes":
            return {"yes": "yes", "好": "yes", "是": "yes", "no": "no", "不": "no", "否": "no"}.get(words.lower())
        day = self.day(kind)
        if day is None:
            return None
        fits = day.weekday is None or day.weekday == day.day.isoweekday()
        return day.day.isoformat() if fits else words

    def year(self) -> int | None:
        """Read a year: 2027, 2027年, 27年, 明年, or a whole date."""
        words = self._values.get("year")
        if words is None:
            return None
        plain = normalise(words)
        if plain in _YEAR_WORDS:
            return self._reference.year + _YEAR_WORDS[plain]
        if match := _YEAR.fullmatch(plain):
            number = int(match[1])
            return number if number >= 100 else 2000 + number
        found = self.day("year")
        return found.day.year if found else None

    def fold(self, kind: str) -> int | None:
        """Read which of two equal wall times is meant: 0 the earlier, 1 the later."""
        words = (self._values.get(kind) or "").lower()
        if words in _EARLIER or words.startswith(("第一", "前一", "较早", "早")):
            return 0
        if words in _LATER or words.startswith(("第二", "后一", "较晚", "晚")):
            return 1
        return None

    def instant(self, kind: str) -> datetime | None:
        """Read an ISO date and time, aware or not."""
        words = self._values.get(kind)
        return _instant(words) if words else None

    def unclear(self, kind: str) -> Unclear | None:
        """Return what has to be asked about a clock that was answered without its half of the day (9点)."""
        words = self._values.get(kind)
        spoken = self._expression(words) if words else None
        if spoken is None or spoken.clock is None:
            return None
        found = wall_time(spoken.clock, spoken.period)
        return found if isinstance(found, Unclear) and found.options else None

    def _expression(self, words: str) -> TimeExpression | None:
        """Read an answer that is one time and nothing else: 不是明天 and 明天之前 name no day."""
        if len(words) > LONGEST_ANSWER:
            return None
        plain = normalise(words)
        reading = read_times(plain)
        if reading.leftover or reading.leads or len(reading.expressions) != 1:
            return None
        start, end = reading.expressions[0].span
        alone = _ONLY.fullmatch(plain[:start]) and _ONLY.fullmatch(plain[end:])
        return reading.expressions[0] if alone else None


_NONE = frozenset(("0", "none", "都不", "都不要", "不要", "都不保留", "不保留"))
_ALL = frozenset(("all", "全部", "都要", "都保留", "全要"))


def picked(words: str) -> str | None:
    """Read which items to keep (1、3; 全部; 都不要) into `1,3`, `all` or `0`; None where the words do not say."""
    plain = normalise(words).strip().lower()
    if plain in _NONE:
        return "0"
    if plain in _ALL:
        return "all"
    if re.fullmatch(r"[0-9]{1,2}(?:[ ,、和]+[0-9]{1,2})*", plain) is None:
        return None
    numbers = dict.fromkeys(int(number) for number in re.findall("[0-9]+", plain))
    return ",".join(map(str, sorted(numbers))) if 0 not in numbers else None


def _half_of(asked: TimeExpression | None, half: Period) -> WallTime | None:
    """Return the asked clock in that half of the day, if it has such a reading."""
    if asked is None or asked.clock is None or asked.clock.hour > 12:
        return None
    found = wall_time(asked.clock, half)
    # 12点 answered with 晚上 is as open as it was.
    return found if isinstance(found, WallTime) else None


def _instant(words: str) -> datetime | None:
    if len(words) < 16 or words[4:5] != "-":
        return None
    try:
        return datetime.fromisoformat(words)
    except ValueError:
        return None


def _day_clock(hour: int, minute: int, day: int) -> WallTime | None:
    if hour == 24 and minute == 0:
        return WallTime(day + 1, 0, 0)
    return WallTime(day, hour, minute) if hour <= 23 and minute <= 59 else None
