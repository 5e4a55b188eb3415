"""The program is killed (kill -9) between every two steps from what a camera sees to what a household task does.

However often it is killed, the days of the home end as if it had never been: the same answers, the same record, every
command given once and every letter sent once, but for what had left the house when nobody could write down any more.
"""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from tests.chaos.householder import ACTS, LAMP, SPEAKER
from tests.chaos.traces import Traces

ROOT = Path(__file__).parents[2]

TAKEN = (
    *("before verdicts 5", "inside verdicts 5 at occurrences", "after verdicts 5"),  # what fires at once
    *("after verdicts 6", "after verdicts 90", "after verdicts 173"),
    *("inside verdicts 16 at record_writes", "after verdicts 16"),  # a count
    *("inside verdicts 90 at record_reached", "inside verdicts 90 at messages"),  # its target
)
"""Between the verdicts and their commit, or between that and what has to follow."""
WOKEN = (
    *("after start wake 10", "inside done wake 10 at record_sessions", "after done wake 10"),  # a duration is over
    *(
        "after start wake 24",
        "inside done wake 24 at jobs",
        "before done wake 24",
        "after done wake 24",
    ),  # an exit is due
    *("after start wake 125", "inside done wake 125 at record_reached", "after done wake 125"),  # a target is reached
    *("before done wake 177", "inside done wake 177 at record_days", "after done wake 177"),  # a session ends
)
DONE = (
    *("after start act 5", "after mark act 5"),
    *(f"commanding {LAMP} 5", f"commanded {LAMP} 5", f"commanding {SPEAKER} 5", f"commanded {SPEAKER} 5"),
    *("before done act 5", "after done act 5"),
    *(f"commanding {LAMP} 24", f"commanded {LAMP} 24", "before done act 24", "after done act 24"),
)
TOLD = (
    *("after start send 90", "after mark send 90", "sending plain 90", "sent plain 90", "before done send 90"),
    *("after done send 90", "sending keyed 90", "sent keyed 90", "before done send 90 #2"),
    *("sending plain 125", "sent plain 177"),
)
DECIDED = (
    *("inside apply phone at records", "inside apply phone at rules", "inside apply lamp at rules", "after apply lamp"),
    *("inside count at record_writes", "after count"),
    *("inside change at rules", "inside change at household_revisions", "after change"),
    *("inside undo at rules", "before undo", "after undo", "before done wake 100", "after done wake 100"),
    *("inside disable lamp at rules", "after disable lamp", "after enable lamp"),
    *("inside end cups at terminations", "before end cups", "after end cups"),
)
POINTS = (*TAKEN, *WOKEN, *DONE, *TOLD, *DECIDED)
EVERYWHERE = (
    *("after verdicts 5", "inside verdicts 90 at messages", "after start wake 24", "before done wake 24"),
    *("after done wake 125", "before done wake 177", "after start act 5", "after mark act 5", f"commanded {SPEAKER} 5"),
    *("sent plain 90", "sent keyed 90", "inside count at record_writes", "inside apply lamp at rules", "after undo"),
)
"""Where it is tried on a shared database, too."""
SEEDS = {"sqlite": (1, 4, 31), "postgresql": (100,)}
"""Of lives that end at any point."""
LONGEST = {"sqlite": 60, "postgresql": 100}
"""How many points such a life may come past."""

LETTER_UNKNOWN = {
    "after mark send 90": 0,
    "sending plain 90": 0,
    "sent plain 90": 1,
    "before done send 90": 1,
    "sending plain 125": 0,
    "sent plain 177": 1,
}
"""Where nobody can know whether a receiver that keeps doubles has the letter; and how often it does."""
LETTERS = {90: "恭喜", 125: "够了", 177: "放下了"}
LETTERS_OF = {"恭喜": "rule:r2:enter 90", "够了": "rule:r1:target 125", "放下了": "rule:r1:exit 5"}
NEWS = "不确定「客厅音箱」照办了没有：执行中断，不知道做了没有"
BELL_UNKNOWN = {
    "after mark act 5": 0,
    f"commanding {LAMP} 5": 0,
    f"commanded {LAMP} 5": 0,
    f"commanding {SPEAKER} 5": 0,
    f"commanded {SPEAKER} 5": 1,
    "before done act 5": 1,
}
"""Where nobody can know whether a command that is given once was; and how often it was."""


FOUND_SO = {
    **dict.fromkeys([*BELL_UNKNOWN][2:], "rule:r3:enter 5 1"),
    **dict.fromkeys([f"commanded {LAMP} 24", "before done act 24"], "rule:r3:exit 5 1"),
}
"""Where a command that may be repeated had been given: the next life finds it so already."""


Lives = Callable[..., int]


@pytest.fixture(scope="module")
def lives() -> Iterator[Lives]:
    """Live a life up to a step, in a process of its own; return how it ended."""
    program = [sys.executable, "-m", "tests.chaos.householder"]
    with subprocess.Popen(program, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as mother:

        def live(traces: Traces, step: str = "never", *, pause: float = 0, company: str = "alone") -> int:
            asked = {"database": traces.url, "log": str(traces.log), "step": step, "begin": traces.next_act()}
            print(json.dumps({**asked, "pause": pause, "company": company}), file=mother.stdin, flush=True)
            return int(mother.stdout.readline())

        yield live
        mother.stdin.close()


@pytest.fixture
def traces(home, tmp_path) -> Traces:
    home.store.close()
    return Traces(home.url, tmp_path)


@pytest.fixture(scope="module")
def undisturbed(lives, migrated_file, tmp_path_factory) -> dict[str, Any]:
    """Live days in which nobody is killed; return what is found of them."""
    folder = tmp_path_factory.mktemp("undisturbed")
    (folder / "home.db").write_bytes(migrated_file.read_bytes())
    traces = Traces(f"sqlite:///{folder / 'home.db'}", folder)
    assert lives(traces) == 0
    return traces.found()


def with_fate(undisturbed: dict[str, Any], step: str) -> dict[str, Any]:
    """Return what is found where a kill left it unknown what became of something that had left the house."""
    expected = deepcopy(undisturbed)
    if step in LETTER_UNKNOWN:
        (text,) = [text for at, text in LETTERS.items() if step.endswith(f" {at}")]
        expected["letters"] = sorted(
            (channel, said, "unknown" if (channel, said) == ("plain", text) else state)
            for channel, said, state in undisturbed["letters"]
        )
        expected["told"] -= Counter({f"plain {text}": 1 - LETTER_UNKNOWN[step]})
        replace(expected["answers"], LETTERS_OF[text], "done told_partly")
    if step in BELL_UNKNOWN:
        expected["letters"] = sorted([*undisturbed["letters"], ("inbox", NEWS, "sent")])
        replace(expected["steps"], f"rule:r3:enter 5 2 {SPEAKER}", "unknown")
        replace(expected["answers"], "rule:r3:enter 5", "done partial")
        if not BELL_UNKNOWN[step]:
            expected["commands"].remove((SPEAKER, "action.5.1", '["欢迎"]'))
    if step in FOUND_SO:
        replace(expected["steps"], f"{FOUND_SO[step]} {LAMP}", "skipped")
    return expected


def replace(lines: list[str], beginning: str, end: str) -> None:
    """Give the one line of that beginning another end."""
    (place,) = [place for place, line in enumerate(lines) if line.startswith(f"{beginning} ")]
    lines[place] = f"{beginning} {end}"


def live_on(lives: Lives, traces: Traces, dialect: str, step: str = "never", pause: float = 0) -> int:
    """Live a life as the server does: of its own file it knows that it is alone, elsewhere leases have to end."""
    return lives(traces, step, pause=pause, company="alone" if dialect == "sqlite" else "others")


def test_days_in_which_nobody_is_killed(undisturbed):
    """So that the tests below compare with what is right."""
    assert undisturbed["due"] == [
        *(("rule:r1:enter", 10), ("rule:r1:exit", 177), ("rule:r1:target", 125)),
        *(("rule:r2:enter", 16), ("rule:r2:enter", 90)),
        *(("rule:r3:enter", at) for at in (5, 90, 170, 250)),
        *(("rule:r3:exit", at) for at in (24, 100, 260)),
    ]
    assert undisturbed["sessions"] == [(5, 173)]
    assert undisturbed["amounts"] == [("duration", 168_000_000), ("progress", 3)]
    assert undisturbed["reached"] == [("duration", 125), ("progress", 90)]
    assert undisturbed["told"] == Counter(
        f"{phone} {text}" for phone in ("plain", "keyed") for text in LETTERS.values()
    )
    assert [values for did, _, values in undisturbed["commands"] if did == LAMP] == ["[true]", "[false]"] * 3
    assert [did for did, *_ in undisturbed["commands"]].count(SPEAKER) == 4
    assert undisturbed["lamp"] == [("false",)]
    assert undisturbed["ends"] == [("cups", "completed", "progress", 1)]
    assert undisturbed["left to do"] == [("record.period",)]


@pytest.mark.parametrize(
    ("dialect", "step"),
    [*(("sqlite", step) for step in POINTS), *(("postgresql", step) for step in EVERYWHERE)],
)
def test_the_next_life_finishes_what_the_killed_one_began(traces, lives, undisturbed, dialect, step):
    assert live_on(lives, traces, dialect, step) == -signal.SIGKILL
    assert live_on(lives, traces, dialect, pause=0 if dialect == "sqlite" else 3) == 0
    assert traces.found() == with_fate(undisturbed, step)


@pytest.mark.parametrize(("dialect", "seed"), [(dialect, seed) for dialect in SEEDS for seed in SEEDS[dialect]])
def test_days_of_many_short_lives_end_as_days_of_one(traces, lives, undisturbed, dialect, seed):
    chance = random.Random(seed)
    kills = 0
    while True:
        step, pause = str(chance.randint(1, LONGEST[dialect])), chance.choice((0, 0, 1))
        if live_on(lives, traces, dialect, step, pause) == 0:
            break
        kills += 1
        assert kills < 200, "it does not get on"
    assert kills > 5

    found = traces.found()
    assert traces.next_act() == len(ACTS)
    for what in ("due", "sessions", "amounts", "reached", "writes", "lamp", "tasks", "rules", "revisions", "ends"):
        assert found[what] == undisturbed[what]
    assert found["states"] == undisturbed["states"]
    assert found["left to do"] == undisturbed["left to do"]
    # What was called off meanwhile says so; everything else was done, as far as anybody can know.
    ended = {" ".join(answer.split()[2:]) for answer in found["answers"]}
    assert ended <= {"done", "done partial", "done told_partly", "cancelled paused", "cancelled completed"}
    # No command that is given once was given twice, and no letter was sent twice.
    bells = Counter(step.split()[-1] for step in found["steps"] if f" {SPEAKER} " in step)
    rung = sum(did == SPEAKER for did, *_ in found["commands"])
    assert bells["done"] <= rung <= bells["done"] + bells["unknown"]
    assert max(found["told"].values()) == 1
    for channel, text, state in found["letters"]:
        assert channel == "inbox" or state == "unknown" or found["told"][f"{channel} {text}"] == 1
