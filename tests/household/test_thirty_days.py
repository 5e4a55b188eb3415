"""Thirty days of a home with twenty tasks of all kinds, from one instant at which anything happens to the next."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, date, datetime, timedelta

import pytest
from tests.conftest import Home
from tests.household import family
from tests.household.family import END, HOME, SECOND, START, Member, Outcome
from tests.household.living import Act, Life

from zhixing.household import registry, terminations
from zhixing.household.plan import read_plan
from zhixing.kernel.clock import ManualClock
from zhixing.store.opening import sqlite_url
from zhixing.tasks import occurrences
from zhixing.tasks.occurrence import Occurrence

SEED = 20261012
MEMBERS = family.members()
EPISODES = {member.slug: family.lived(member, SEED) for member in MEMBERS}
OUTCOMES = {member.slug: family.outcome(member, EPISODES[member.slug]) for member in MEMBERS}
RULES = [member for member in MEMBERS if member.rule is not None]
STATES = [member for member in RULES if member.rule["mode"] == "state"]


@pytest.fixture(scope="module")
def lived(tmp_path_factory, migrated_file):
    """Live through it once; the tests look at what is left."""
    folder = tmp_path_factory.mktemp("thirty")
    shutil.copy(migrated_file, folder / "home.db")
    with closing(Home(sqlite_url(folder / "home.db"))) as home:
        life = Life(home, ManualClock(START))
        live_thirty_days(life)
        yield life


def live_thirty_days(life: Life) -> None:
    """Make the home and let the family live in it."""
    verdicts = []
    for member in MEMBERS:
        made = life.app.household.apply(read_plan(member.plan), who="cli")
        if member.rule is not None:
            trigger = made.rules[0].plan.trigger
            camera = (*trigger.sources, "cam_living")[0]
            verdicts += family.verdicts(EPISODES[member.slug], camera, trigger.query)
    acts = [
        Act(member.pause.start, lambda slug=member.slug: life.app.household.disable(slug, who="cli"))
        for member in MEMBERS if member.pause is not None
    ]
    acts += [
        Act(member.pause.end, lambda slug=member.slug: life.app.household.enable(slug, who="cli"))
        for member in MEMBERS if member.pause is not None
    ]
    acts += [Act(family.noon(day) + timedelta(hours=11.1), lambda: life.hub.set_property("curtain_bedroom", "target-position", 0)) for day in range(1, 30)]
    acts += [Act(family.noon(day) + timedelta(hours=1.5 * day), life.restart) for day in (5, 6, 11, 19)]
    life.live(verdicts, acts, END)


def rows(life: Life, slug: str) -> list[Occurrence]:
    with life.app.store.read() as tx:
        task_id = registry.newest(tx, slug)
        assert task_id is not None
        return sorted(occurrences.of_task(tx, task_id, 1_000), key=lambda one: one.due)


def answers(life: Life, slug: str, direction: str) -> list[datetime]:
    return [one.due for one in rows(life, slug) if one.part.startswith("rule:") and one.part.endswith(direction)]


@pytest.mark.parametrize("member", RULES, ids=lambda member: member.slug)
def test_rules_answer_what_happened_and_nothing_else(lived, member):
    found = OUTCOMES[member.slug]
    assert answers(lived, member.slug, "enter") == found.enters
    leaves = member.rule.get("on_exit_desc") or member.rule.get("on_exit_action")
    assert answers(lived, member.slug, "exit") == (found.exits if leaves else [])
