"""The rows of amounts by day, and of the periods whose target was reached. Days are ISO dates, which sort by time.

An amount is a count of whatever is counted, of events, or of the microseconds that the ended sessions have in the day.
Every period is made of whole days.
"""

from __future__ import annotations

from datetime import date

from zhixing.kernel.moments import from_micros, micros
from zhixing.store.connection import Tx
from zhixing.tasks.records.model import Period, Reached, Record
from zhixing.tasks.records.periods import last_day


def amount(tx: Tx, record: Record, period: Period) -> int:
    """Return the amount of a period."""
    where, params = _days(record, period)
    row = tx.row(f"SELECT sum(amount) FROM record_days WHERE {where}", params)
    return 0 if row is None or row[0] is None else int(row[0])


def add(tx: Tx, record: Record, day: date | str, more: int) -> None:
    """Add to the amount of a day."""
    tx.execute(
        "INSERT INTO record_days (record_id, day, amount) VALUES (?, ?, ?)"
        " ON CONFLICT (record_id, day) DO UPDATE SET amount = record_days.amount + excluded.amount",
        (record.id, str(day), more),
    )


def amounts(tx: Tx, record: Record, first: date, last: date) -> dict[date, int]:
    """Return the amounts of the days from `first` to `last` that have any."""
    rows = tx.rows(
        "SELECT day, amount FROM record_days WHERE record_id = ? AND day >= ? AND day <= ? AND amount > 0",
        (record.id, first.isoformat(), last.isoformat()),
    )
    return {date.fromisoformat(day): int(number) for day, number in rows}


def days_to_take_from(tx: Tx, record: Record, period: Period, day: date) -> list[tuple[str, int]]:
    """Return the days of a period with a count: from `day` backwards, then the ones after it."""
    where, params = _days(record, period)
    rows = tx.rows(f"SELECT day, amount FROM record_days WHERE {where} AND amount > 0 ORDER BY day DESC", params)
    found = [(name, int(number)) for name, number in rows]
    until = [each for each in found if each[0] <= day.isoformat()]
    return until + [each for each in reversed(found) if each[0] > day.isoformat()]


def first_day(tx: Tx, record: Record) -> date | None:
    """Return the first day that has any."""
    row = tx.row("SELECT min(day) FROM record_days WHERE record_id = ? AND amount > 0", (record.id,))
    return None if row is None or row[0] is None else date.fromisoformat(row[0])


def _days(record: Record, period: Period) -> tuple[str, tuple[object, ...]]:
    last = last_day(period)
    if last is None:
        return "record_id = ?", (record.id,)
    return "record_id = ? AND day >= ? AND day <= ?", (record.id, period.day.isoformat(), last.isoformat())


def reached(tx: Tx, record: Record, period: Period) -> Reached | None:
    """Return when the target of a period was reached first, if it was."""
    row = tx.row(
        "SELECT at, target FROM record_reached WHERE record_id = ? AND rhythm = ? AND day = ?",
        (record.id, period.window.value, period.day.isoformat()),
    )
    return None if row is None else Reached(from_micros(row[0]), int(row[1]))


def reached_since(tx: Tx, record: Record, period: Period) -> dict[date, Reached]:
    """Return when the targets of this period and the ones after it were reached first."""
    rows = tx.rows(
        "SELECT day, at, target FROM record_reached WHERE record_id = ? AND rhythm = ? AND day >= ?",
        (record.id, period.window.value, period.day.isoformat()),
    )
    return {date.fromisoformat(day): Reached(from_micros(at), int(target)) for day, at, target in rows}


def mark_reached(tx: Tx, record: Record, period: Period, reached: Reached) -> bool:
    """Note that the target of a period was reached; return False when that is in the books."""
    marked = tx.execute(
        "INSERT INTO record_reached (record_id, rhythm, day, at, target) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (record.id, period.window.value, period.day.isoformat(), micros(reached.at), reached.target),
    )
    return marked == 1
