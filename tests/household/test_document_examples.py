"""The nine examples of document 000, typed as they stand there and lived through for several days.

Everything is the program's own: the commands, the wiring, the virtual home. What cameras see, and what has to come of
it, stands in `days/`: each example on both databases, in one go and with restarts before and in every step.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

DAYS = Path(__file__).parent / "days"
NUMBERS = range(1, 10)
END = "10-16 00:00:00"


@dataclass(frozen=True)
class Day:
    """What is lived through, and what becomes of it by section."""

    slug: str
    script: str
    expected: dict[str, list[str]]

    def __getitem__(self, section: str) -> list[str]:
        return self.expected.get(section, [])


def read_day(number: int) -> Day:
    """Read what belongs to an example: a line for people, the task, the script, and sections."""
    story, *sections = (DAYS / f"{number}.day").read_text(encoding="utf-8").split("\n= ")
    _, slug, *script = story.splitlines()
    expected = {title: rows for title, *rows in (section.strip().splitlines() for section in sections)}
    return Day(slug, "\n".join(filter(None, script)), expected)


def check(life, day, *, ended):
    assert life.books(day.slug) == day["books"]
    assert life.near_misses(day.slug) == day["near misses"]
    if not ended:
        days = life.days(day.slug) if day["days"] else []
        assert days == day["days"]
    for did in ("light_living", "curtain_living"):
        if did in day.expected:
            assert life.commands(did) == day[did]


@pytest.mark.parametrize("number", NUMBERS)
def test_an_example_does_what_the_document_says(live_in, number):
    day = read_day(number)
    life = live_in()
    life.script(number)
    life.play(day.script, until=END)
    check(life, day, ended=bool(day["ends"]))
    assert life.told() == day["told"]
    assert life.ends() == day["ends"]
    if day["ends"]:
        assert life.open_jobs() == [], "nothing is left of a task that has ended"


@pytest.mark.parametrize("live_in", ["in one go"], indirect=True)
@pytest.mark.parametrize("number", [1, 2, 5, 6, 7, 8])
def test_cameras_that_need_a_while_to_judge_change_no_instant(live_in, number):
    """What is told comes later then; what it is told about is the same."""
    day = read_day(number)
    life = live_in(lag=3)
    life.script(number)
    life.play(day.script, until=END)
    assert life.books(day.slug) == day["books"]
    assert (life.days(day.slug) if day["days"] else []) == day["days"]


@pytest.mark.parametrize("live_in", ["in one go"], indirect=True)
def test_all_nine_do_the_same_side_by_side(live_in):
    days = [read_day(number) for number in NUMBERS]
    life = live_in()
    for number in NUMBERS:
        life.script(number)
    life.play("\n".join(filter(None, (day.script for day in days))), until=END)
    for day in days:
        check(life, day, ended=bool(day["ends"]))
    assert life.told() == sorted(row for day in days for row in day["told"])
    assert life.ends() == sorted(row for day in days for row in day["ends"])
