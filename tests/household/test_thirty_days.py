"""Thirty days of a home with twenty tasks of all kinds, from one instant at which anything happens to the next."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.conftest import Home
from tests.household import family
from tests.household.family import END, MEMBERS, SEED, START
from tests.household.living import Life

from zhixing.household import registry
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import parse_instant
from zhixing.store.connection import Tx
from zhixing.store.opening import sqlite_url
from zhixing.tasks import journal, occurrences
from zhixing.tasks.journal import Entry, Kind
from zhixing.tasks.occurrence import Occurrence

BY_SLUG = {member.slug: member for member in MEMBERS}
EPISODES = {member.slug: family.lived(member, SEED) for member in MEMBERS}
OUTCOMES = {member.slug: family.outcome(member, EPISODES[member.slug]) for member in MEMBERS}
RULES = [member for member in MEMBERS if member.rule is not None]
MEMORY = Path("/dev/shm")
RESTARTS = (5.3, 6.8, 11.5, 19.1)
"""Days after the start, some of them in the middle of something."""
TIMED = ["phone_time_daily", "reading_week", "piano_week"]
COUNTED = ["drink_8_today", "drink_8_daily", "run_weekly", "books_monthly", "squats"]

each_member = pytest.mark.parametrize("member", MEMBERS, ids=lambda member: member.slug)
each_rule = pytest.mark.parametrize("member", RULES, ids=lambda member: member.slug)


@pytest.fixture(scope="module")
def lived(migrated_file: Path) -> Iterator[Life]:
    """Live through it once, in memory where files can be there; the tests look at what is left."""
    memory = MEMORY if os.access(MEMORY, os.W_OK) else None
    with TemporaryDirectory(prefix="zhixing-", dir=memory) as folder:
        place = Path(folder) / "home.db"
        shutil.copy(migrated_file, place)
        with closing(Home(sqlite_url(place))) as home:
            life = Life(home, ManualClock(START))
            family.live(life, restarts=RESTARTS)
            yield life


@each_rule
def test_rules_answer_what_happened_and_nothing_else(lived, member):
    found = OUTCOMES[member.slug]
    leaves = member.rule.get("on_exit_desc") or member.rule.get("on_exit_action")
    assert answers(lived, member.slug, "enter") == found.enters
    assert answers(lived, member.slug, "exit") == (found.exits if leaves else [])


@each_rule
def test_there_is_one_exit_for_each_enter(lived, member):
    """Of one episode the exit comes before the next begins; the end of a task and a pause leave the last one open."""
    if not answers(lived, member.slug, "exit"):
        return
    turns = [one.part.rpartition(":")[2] for one in rows(lived, member.slug) if not one.part.endswith("target")]
    spare = turns.count("enter") - turns.count("exit")
    assert spare in (0, 1)
    assert all(before != after for before, after in pairwise(turns))
    assert turns[0] == "enter"


@each_member
def test_nothing_happens_while_a_task_is_disabled(lived, member):
    pauses = [] if member.pause is None else [(member.pause.start, member.pause.end)]
    acted = [one for one in rows(lived, member.slug) if one.claimed_at is not None]
    assert acted, "it did something at all"
    assert [one for one in acted for start, end in pauses if start <= one.claimed_at < end] == []
    told = [one for one in entries(lived, member.slug) if one.kind in (Kind.DELIVERED, Kind.RECORDED, Kind.NEAR_MISS)]
    assert [one for one in told for start, end in pauses if start < one.at < end] == []


@pytest.mark.parametrize("slug", TIMED)
def test_a_record_of_time_is_the_sum_of_its_sessions(lived, slug):
    found = family.seconds_by_day(OUTCOMES[slug])
    assert amounts(lived, slug) == found
    written = [one.data["action"] for one in entries(lived, slug) if one.kind is Kind.RECORDED]
    assert [action for action in written if action != "reach"] == ["start", "end"] * len(OUTCOMES[slug].sessions)


@pytest.mark.parametrize("slug", COUNTED)
def test_a_record_of_counts_is_the_sum_of_its_increments(lived, slug):
    assert amounts(lived, slug) == family.counts_by_day(OUTCOMES[slug])


def test_a_record_of_events_has_each_of_them(lived):
    with lived.app.store.read() as tx:
        shape = lived.app.records.get(tx, task_id_in(tx, "cough_log")).shape()
    assert [parse_instant(entry["at"]) for entry in shape["entries"]] == OUTCOMES["cough_log"].enters


@pytest.mark.parametrize("slug", ["phone_time_daily", "piano_week", *COUNTED])
def test_a_target_is_reached_once_in_a_period_and_told_once(lived, slug):
    expected = family.reached(BY_SLUG[slug], OUTCOMES[slug])
    found = [one for one in entries(lived, slug) if one.kind is Kind.TARGET_REACHED]
    assert [parse_instant(one.data["at"]) for one in found] == expected
    assert expected, "this seed reaches it"
    words = BY_SLUG[slug].praise
    told = [at for at, text in everywhere(lived) if text == words and at <= END]
    shared = [other for other in MEMBERS if other.praise == words]
    assert len(told) == sum(len(family.reached(other, OUTCOMES[other.slug])) for other in shared)


@each_member
def test_every_instant_of_a_schedule_is_in_the_books(lived, member):
    for schedule in member.plan.get("schedules", []):
        if schedule["kind"] == "at":
            continue
        found = Counter(one.due for one in rows(lived, member.slug) if one.part.startswith("cron:") and one.count == 1)
        left_out = sum(one.count for one in rows(lived, member.slug) if one.part.startswith("cron:") and one.count > 1)
        expected = [at for at in family.instants(schedule) if member.ends is None or at <= member.ends]
        paused = [at for at in expected if member.pause and member.pause.start < at < member.pause.end]
        assert sorted(found) == [at for at in expected if at not in paused]
        assert left_out == len(paused)
        assert set(found.values()) == {1}


def test_nothing_failed_and_nothing_is_left_open(lived):
    with lived.app.store.read() as tx:
        states = {state for (state,) in tx.rows("SELECT DISTINCT state FROM jobs")}
        open_ones = tx.rows("SELECT part, due FROM occurrences WHERE state IN ('due', 'claimed', 'running')")
        told = {state for (state,) in tx.rows("SELECT DISTINCT state FROM messages")}
    assert states == {"pending", "done", "cancelled"}
    assert open_ones == []
    assert told == {"sent"}


def test_what_was_to_end_has_ended(lived):
    ended = {end.slug: (end.reason.value, end.at) for end in lived.app.household.ended()}
    enough = OUTCOMES["squats"].enters[-1]
    assert {slug: reason for slug, (reason, _) in ended.items()} == {
        "drink_8_today": "expired",
        "med_tomorrow_9am": "completed",
        "piano_week": "expired",
        "squats": "completed",
    }
    assert ended["drink_8_today"][1] == BY_SLUG["drink_8_today"].ends
    assert ended["piano_week"][1] == BY_SLUG["piano_week"].ends
    assert enough <= ended["squats"][1] <= enough + timedelta(seconds=10)
    assert len(lived.app.household.list()) == len(MEMBERS) - len(ended)


def test_devices_did_what_they_were_told(lived):
    """Each answer of the hall's rule that finds the lamp otherwise is one command; the chime keeps its pause."""
    hall = OUTCOMES["hall_light"]
    lamp = [one for one in lived.hub.happenings(10_000, "light_entrance") if one.by.value == "command"]
    turns = sorted([(at, True) for at in hall.enters] + [(at, False) for at in hall.exits])
    assert [(one.at, one.value) for one in lamp] == turns
    rung = [at for at, text in lived.hub.said("speaker_living", 10_000) if text == "有人按门铃"]
    assert rung == family.spaced(OUTCOMES["door_chime"].enters, timedelta(minutes=10))


# What is looked at


def rows(life: Life, slug: str) -> list[Occurrence]:
    with life.app.store.read() as tx:
        return sorted(occurrences.of_task(tx, task_id_in(tx, slug), 1_000), key=lambda one: (one.due, one.part))


def entries(life: Life, slug: str) -> list[Entry]:
    found: list[Entry] = []
    with life.app.store.read() as tx:
        while page := journal.of_task(tx, task_id_in(tx, slug), 1_000, found[-1].seq if found else None):
            found += page
    return found[::-1]


def task_id_in(tx: Tx, slug: str) -> str:
    found = registry.newest(tx, slug)
    assert found is not None
    return found


def answers(life: Life, slug: str, direction: str) -> list[datetime]:
    return [one.due for one in rows(life, slug) if one.part.startswith("rule:") and one.part.endswith(direction)]


def amounts(life: Life, slug: str) -> Counter[date]:
    """Add up what a record says of each day of the thirty; days without anything are left out."""
    found: Counter[date] = Counter()
    with life.app.store.read() as tx:
        for number in range(1, 32):
            day = family.day(number)
            derived = life.app.records.compute(tx, task_id_in(tx, slug), day=day.isoformat())["derived"]
            found[day] += derived.get("accumulated_seconds") or derived.get("current") or 0
    return +found


def everywhere(life: Life) -> list[tuple[datetime, str]]:
    """Return what reached the phone or the speaker, or, where there is no other place for it, the inbox."""
    with life.app.store.read() as tx:
        inbox = tx.rows("SELECT told_at, text FROM messages WHERE channel = 'inbox'")
    spoken = life.hub.said("speaker_living", 10_000)
    alone = {member.praise for member in MEMBERS} - {text for _, text in (*life.phone.came, *spoken)}
    return [*life.phone.came, *spoken, *((START, text) for _, text in inbox if text in alone)]
