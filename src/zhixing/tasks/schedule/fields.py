"""The five fields of a cron expression, read strictly.

What other crons accept and reinterpret in silence is refused with what to write instead: ranges that wrap (`22-2`),
steps larger than the field (`*/90`), `?`, a field for seconds. Sunday is 0 or 7, names of days and months are English.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from zhixing.kernel.errors import BadInput

_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

_TERM = re.compile(r"(?P<start>\*|[a-z]+|[0-9]{1,4})(?:-(?P<end>[a-z]+|[0-9]{1,4}))?(?:/(?P<step>[0-9]{1,4}))?")
_NTH = re.compile(r"(?P<day>[a-z]{3}|[0-7])#(?P<nth>[1-5])")
_LAST_DAY = re.compile(r"(?P<day>[a-z]{3}|[0-7])l")


@dataclass(frozen=True, slots=True)
class Position:
    """Which of the five fields: where it stands, what it may hold and which names it knows."""

    number: int
    low: int
    high: int
    names: tuple[str, ...] = ()


MINUTE = Position(1, 0, 59)
HOUR = Position(2, 0, 23)
DAY = Position(3, 1, 31)
MONTH = Position(4, 1, 12, _MONTHS)
WEEKDAY = Position(5, 0, 7, _DAYS)

LAST = "L"
"""The last day of the month."""
LAST_WORKDAY = "LW"
"""The last Monday to Friday of the month."""


@dataclass(frozen=True, slots=True)
class NthWeekday:
    """The nth such weekday of the month; nth None means the last one."""

    weekday: int
    nth: int | None


Special = str | NthWeekday
"""A day that has no fixed number: `LAST`, `LAST_WORKDAY` or an `NthWeekday`."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field: `text` in numbers only, the sorted `values` it names (Sunday is 0), and days that need a calendar."""

    text: str
    values: tuple[int, ...]
    specials: tuple[Special, ...] = ()

    @property
    def starred(self) -> bool:
        """Whether it starts with `*`: vixie cron's test for a wildcard, and for day AND weekday instead of OR."""
        return self.text.startswith("*")

    @property
    def step(self) -> int | None:
        """The n of a field that is just `*/n`."""
        return int(self.text[2:]) if re.fullmatch(r"\*/[0-9]+", self.text) else None

    def whole(self, position: Position) -> bool:
        """Whether the field leaves nothing out."""
        top = 6 if position is WEEKDAY else position.high
        return len(self.values) == top - position.low + 1


def read_field(text: str, position: Position) -> Field:
    """Read one field. Raises `BadInput` that says what is wrong with it and what to write."""
    texts: list[str] = []
    values: set[int] = set()
    specials: list[Special] = []
    for term in text.lower().split(","):
        special = _special(term, position)
        if special is not None:
            specials.append(special)
            texts.append(_special_text(special))
            continue
        plain, members = _plain(term, position)
        texts.append(plain)
        values.update(members)
    if position is WEEKDAY and 7 in values:
        values = (values - {7}) | {0}
    return Field(",".join(texts), tuple(sorted(values)), tuple(dict.fromkeys(specials)))


def _special(term: str, position: Position) -> Special | None:
    if position is DAY and term in ("l", "lw"):
        return term.upper()
    if position is WEEKDAY:
        if found := _NTH.fullmatch(term):
            return NthWeekday(_number(found["day"], term, position) % 7, int(found["nth"]))
        if found := _LAST_DAY.fullmatch(term):
            return NthWeekday(_number(found["day"], term, position) % 7, None)
    return None


def _special_text(special: Special) -> str:
    if isinstance(special, str):
        return special
    return f"{special.weekday}L" if special.nth is None else f"{special.weekday}#{special.nth}"


def _plain(term: str, position: Position) -> tuple[str, range]:
    """Return a term in numbers and the values it names."""
    found = _TERM.fullmatch(term)
    if found is None or (found["start"] == "*" and found["end"] is not None):
        raise BadInput("cron_question" if term == "?" else "cron_term", position=position.number, text=term[:32])
    star = found["start"] == "*"
    first = position.low if star else _number(found["start"], term, position)
    if found["end"] is not None:
        last = _number(found["end"], term, position)
    elif found["step"] is not None:
        last = position.high
    else:
        last = position.high if star else first
    step = 1 if found["step"] is None else int(found["step"])
    if step == 0:
        raise BadInput("cron_step_zero", position=position.number, text=term)
    if last < first:
        raise BadInput(
            "cron_wrap", position=position.number, text=term, instead=_unwrapped(first, last, step, position)
        )
    # Of the star in the weekday field, 7 is 0 again: */7 would only ever be Sunday.
    reach = (6 if star and position is WEEKDAY else last) - first
    if found["step"] is not None and step > reach:
        raise BadInput("cron_step", position=position.number, text=term, instead=first)
    head = "*" if star else str(first) if found["end"] is None else f"{first}-{last}"
    return (head if found["step"] is None else f"{head}/{step}"), range(first, last + 1, step)


def _number(text: str, term: str, position: Position) -> int:
    if text.isdigit():
        value = int(text)
        if not position.low <= value <= position.high:
            raise BadInput(
                "cron_number", position=position.number, text=term[:32], low=position.low, high=position.high
            )
        return value
    if text not in position.names:
        raise BadInput("cron_term", position=position.number, text=term[:32])
    return position.names.index(text) + position.low


def _unwrapped(first: int, last: int, step: int, position: Position) -> str:
    """Spell a range that wraps as one that does not."""
    # After Saturday comes Sunday, which is already there as 7.
    low = 1 if position is WEEKDAY else position.low
    if step == 1:
        ends = [(first, position.high), (low, last)]
        return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in ends if a <= b)
    around = [*range(first, position.high + 1), *range(low, last + 1)][::step]
    return ",".join(str(value) for value in sorted(around))
