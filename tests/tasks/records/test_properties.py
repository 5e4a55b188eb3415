"""Whatever is written, however often, whenever, with however many restarts: a record is the sum of its writes."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.kernel.clock import ManualClock
from zhixing.store.opening import open_store, sqlite_url
from zhixing.tasks.operations import Tasks
from zhixing.tasks.records.content import read_content
from zhixing.tasks.records.model import Window, Written
from zhixing.tasks.records.operations import Records
from zhixing.tasks.records.periods import period_at, split
from zhixing.tasks.task import Way

TARGET = 5
MINUTES = 90
DAILY = {"window": "day"}
CONTENT = {
    "progress": {"target": TARGET, "unit": "杯", "window": "day", "recurring_pattern": DAILY},
    "duration": {"target_minutes": MINUTES, "recurring_pattern": DAILY},
}
ZONES = ["Asia/Shanghai", "Europe/Paris", "America/New_York"]
STARTS = [datetime(2026, month, day, 11, tzinfo=UTC) for month, day in ((3, 7), (3, 28), (10, 12), (10, 24), (10, 31))]


class Household:
    """A home on a file, with what must be true of it beside: what happened on which day, and who was told."""

    def __init__(self, url: str, start: datetime, zone: str, kind: str) -> None:
        self.url, self.zone, self.clock = url, ZoneInfo(zone), ManualClock(start)
        self.told: Counter[str] = Counter()
        self.keys: set[int] = set()
        self.active = True
        self.open()
        with self.store.write() as tx:
            self.task = self.tasks.create(tx, title="喝水", way=Way.HOUSEHOLD, zone_name=zone, who="小明").id
            self.records.init(tx, self.task, read_content(kind, CONTENT[kind]), who="小明")

    def open(self) -> None:
        self.store = open_store(self.url)
        engine = EmbeddedEngine(self.store, self.clock, owner="甲")
        self.records = Records(engine, self.clock, first_reached=self._reached)
        self.tasks = Tasks(engine, self.clock, [self.records.on_status_change])
        self.engine = engine

    def _reached(self, _tx: Any, _task: str, period: Any, _at: datetime) -> None:
        self.told[period.day.isoformat()] += 1

    def day(self, at: datetime) -> str:
        return period_at(at, Window.DAY, self.zone).day.isoformat()

    def turn(self, act: str) -> bool:
        """Restart, pause or resume, where that is possible; return False for a write."""
        if act == "restart":
            self.store.close()
            self.open()
        elif act in {"pause", "resume"} and self.active is (act == "pause"):
            with self.store.write() as tx:
                getattr(self.tasks, act)(tx, self.task, who="小明")
            self.active = not self.active
        return act in {"restart", "pause", "resume"}

    def write(self, operation: str, *given: int, at: datetime, key: int) -> tuple[Written, str]:
        """Write; return the answer, and why it must have changed nothing, as far as that is known here."""
        with self.store.write() as tx:
            write = getattr(self.records, operation)
            written = write(tx, self.task, *given, at=at, key=f"o{key}", who="甲")
        why = "again" if key in self.keys else "" if self.active else "paused"
        self.keys.add(key)
        return written, why

    def found(self) -> tuple[int, dict[str, dict[str, Any]], dict[str, Any]]:
        """Return the present amount, the lines of the archives, and the sum over everything."""
        last = (self.clock.now() + timedelta(days=2)).date().isoformat()
        with self.store.read() as tx:
            present = self.records.get(tx, self.task).standing.current
            lines = {line["date"]: line for line in self.records.archives(tx, self.task)["archives"]}
            return present, lines, self.records.compute(tx, self.task, first="2026-01-01", last=last)["derived"]

    def time_kept_twice(self) -> bool:
        """Return whether the amounts of the days are those of the sessions."""
        with self.store.read() as tx:
            days = tx.row("SELECT coalesce(sum(amount), 0) FROM record_days")
            return days == tx.row("SELECT coalesce(sum(end_at - start_at), 0) FROM record_sessions")


@contextmanager
def household(file: Path, start: datetime, zone: str, kind: str) -> Iterator[Household]:
    with TemporaryDirectory() as folder:
        shutil.copy(file, Path(folder) / "home.db")
        home = Household(sqlite_url(Path(folder) / "home.db"), start, zone, kind)
        try:
            yield home
        finally:
            home.store.close()


class Time:
    """The sessions as they must be."""

    def __init__(self) -> None:
        self.ended: list[tuple[datetime, datetime]] = []
        self.begun: datetime | None = None

    def start(self, at: datetime) -> str:
        why = "" if self.begun is None else "open"
        self.begun = self.begun or max([at] + [end for _, end in self.ended])
        return why

    def end(self, at: datetime) -> str:
        begun, self.begun = self.begun, None
        if begun is None:
            return "none_open"
        if begun >= at:
            return "empty"
        self.ended.append((begun, at))
        return ""

    def days(self, home: Household) -> Counter[str]:
        days: Counter[str] = Counter()
        for start, end in self.ended:
            for piece in split(start, end, Window.DAY, home.zone):
                days[piece.period.day.isoformat()] += (piece.end - piece.start) // timedelta(seconds=1)
        return days


@pytest.fixture(scope="module")
def file(migrated_file: Path) -> Path:
    return migrated_file


pauses = st.integers(0, 40 * 3600).map(lambda seconds: timedelta(seconds=seconds))
late = st.integers(0, 50 * 3600).map(lambda seconds: timedelta(seconds=seconds))
turns = st.sampled_from(["write", "write", "write", "write", "restart", "pause", "resume"])
increments = st.lists(st.tuples(pauses, late, st.integers(-4, 6).filter(bool), st.integers(0, 12), turns), max_size=25)
sessions = st.lists(st.tuples(pauses, late, st.sampled_from(["start", "end"]), st.integers(0, 30), turns), max_size=25)
homes = st.tuples(st.sampled_from(STARTS), st.sampled_from(ZONES))


@settings(max_examples=60, deadline=None)
@given(homes, increments)
def test_a_count_is_the_sum_of_its_increments_by_day(file, where, plan):
    with household(file, *where, "progress") as home:
        counts: Counter[str] = Counter()
        reached: Counter[str] = Counter()
        for pause, behind, delta, key, act in plan:
            home.clock.advance(pause)
            if home.turn(act):
                continue
            at = home.clock.now() - behind
            written, why = home.write("increment", delta, at=at, key=key)
            day = home.day(at)
            if why:
                assert (written.applied, written.why) == (False, why)
                continue
            before, counts[day] = counts[day], max(counts[day] + delta, 0)
            first = counts[day] >= TARGET and not reached[day]
            reached[day] += first
            assert (written.applied, written.current, written.first_reached) == (
                counts[day] != before,
                counts[day],
                first,
            )
        present, lines, total = home.found()
        today = home.day(home.clock.now())
        assert home.told == reached
        assert present == counts[today]
        assert total["total_current"] == sum(counts.values())
        assert {day: line["current"] for day, line in lines.items() if line["current"]} == {
            day: number for day, number in counts.items() if number and day != today
        }


@settings(max_examples=60, deadline=None)
@given(homes, sessions)
def test_a_time_is_the_sum_of_its_sessions_by_day(file, where, plan):
    with household(file, *where, "duration") as home:
        time = Time()
        for pause, behind, side, key, act in plan:
            home.clock.advance(pause)
            home.engine.drain()
            was_active = home.active
            if home.turn(act):
                if was_active and not home.active:
                    time.end(home.clock.now())
                continue
            at = home.clock.now() - behind
            written, why = home.write(f"{side}_session", at=at, key=key)
            assert written.why == (why or getattr(time, side)(at))
        present, lines, total = home.found()
        time.end(home.clock.now())
        days = time.days(home)
        today = home.day(home.clock.now())
        assert present == days[today]
        assert (total["total_seconds"], total["days_with_data"]) == (sum(days.values()), len(days))
        assert {day: line["accumulated_seconds"] for day, line in lines.items() if line["accumulated_seconds"]} == {
            day: seconds for day, seconds in days.items() if day != today
        }
        assert home.time_kept_twice()
        assert set(home.told.values()) <= {1}
        assert all(days[day] >= MINUTES * 60 for day in home.told)
