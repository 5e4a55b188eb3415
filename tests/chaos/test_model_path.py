"""The program is killed (kill -9) between every two steps from a notice that a model has to read to its reminder."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.chaos import reader

from zhixing.kernel.moments import micros, parse_instant
from zhixing.store.opening import open_store

PROGRAM = Path(__file__).with_name("reader.py")
SAID_AT = "2026-10-12T10:00:00+08:00"
SOON = "2026-10-12T10:07:00+08:00"
REMINDED_AT = "2026-10-13T14:30:00+08:00"
LATER = "2026-10-13T14:40:00+08:00"

BEFORE_THE_ANSWER_COUNTS = ("asking", "replied", "before reply")
EARLY = (
    *("after keep", "before understand", "after understand"),
    *("after job 2", "after job 3"),
    *BEFORE_THE_ANSWER_COUNTS,
    *("after reply", "after job 4"),
)
"""Up to the plan: the next life has the whole day before it."""
FATE_UNKNOWN = ("after settle", "sending")
"""Where nobody can know whether a receiver that keeps doubles has the letter; it is not sent again."""
LATE = ("before claim", "after claim", "before settle", *FATE_UNKNOWN, "sent", "after job 6")
"""From the claim of the reminder on."""


class Traces:
    """What a life leaves: the database, and a log."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.log = folder / "life.log"
        self.log.touch()

    def rows(self, sql: str) -> list[Any]:
        with closing(open_store(self.url)) as store, store.read() as tx:
            return tx.rows(sql)

    def noted(self, beginning: str) -> int:
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return sum(line.startswith(beginning) for line in lines)


@pytest.fixture
def traces(home, tmp_path) -> Traces:
    home.store.close()
    return Traces(home.url, tmp_path)


def live(traces: Traces, step: str) -> int:
    """Say the notice in a process of its own, which ends itself at `step`; return how it ended."""
    program = [sys.executable, str(PROGRAM), traces.url, str(traces.log), SAID_AT, "say", *step.split()]
    return subprocess.run(program, check=False, timeout=60).returncode


@pytest.mark.parametrize("dialect", ["sqlite"])
@pytest.mark.parametrize("step", [*EARLY, *LATE])
def test_the_next_life_finishes_what_the_killed_one_began(traces: Traces, step: str):
    assert live(traces, step) == -signal.SIGKILL
    kept = traces.rows("SELECT task_id, submitted_at, zone, text FROM notices")
    assert kept == [(kept[0][0], micros(parse_instant(SAID_AT)), "Asia/Shanghai", reader.TEXT)]
    assert traces.noted("told") <= 1

    reader.main(traces.url, traces.log, SOON if step in EARLY else LATER, "go-on", "never")

    assert traces.rows("SELECT task_id, submitted_at, zone, text FROM notices") == kept
    assert traces.rows("SELECT state FROM notices") == [("scheduled",)]
    assert traces.rows("SELECT at, state FROM reminders") == [(micros(parse_instant(REMINDED_AT)), "told")]
    assert traces.rows("SELECT state FROM occurrences") == [("done",)]
    assert traces.rows("SELECT count(*) FROM messages WHERE channel = 'inbox'") == [(1,)]
    assert traces.noted("told keyed") == 1
    assert traces.noted("told plain") == (step not in FATE_UNKNOWN)
    assert traces.rows("SELECT state FROM messages WHERE channel = 'plain'") == [
        ("unknown" if step in (*FATE_UNKNOWN, "sent") else "sent",)
    ]
    assert traces.noted("asked") == 1 + (step in BEFORE_THE_ANSWER_COUNTS)


@pytest.mark.parametrize("dialect", ["sqlite"])
def test_a_life_that_is_not_killed_takes_those_steps(traces: Traces):
    """So that no step of the test above is one that is never come to, or left out."""
    assert live(traces, "never") == 0
    lines = traces.log.read_text(encoding="utf-8").splitlines()
    steps = [line for line in lines if line.startswith(("committed", "asked"))]
    named = [line.removeprefix("committed ") for line in steps]
    assert named[:9] == ["take up", "job 1", "keep", "understand", "job 2", "job 3", "asked", "reply", "job 4"]
    assert named[9:13] == ["job 5", "claim", "job 6", "settle"]
    assert traces.noted("told") == 2
