"""Several at once, and texts that no database keeps."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.household import examples
from tests.household.conftest import WHO, House

from zhixing.household.plan import read_plan
from zhixing.kernel.errors import BadInput, Conflict, NotFound, ZhixingError

JOB = {"name": "催", "message": "催", "schedule": {"kind": "every", "everyMs": 60_000}}


def together(*acts):
    """Let all acts begin at the same moment; give what each returned or raised."""
    start = threading.Barrier(len(acts))

    def run(act):
        start.wait()
        try:
            return act()
        except ZhixingError as error:
            return error

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(run, acts))


def test_of_two_who_want_a_slug_one_gets_it(home, clock) -> None:
    house = House(home, clock)
    plan = read_plan(examples.drink_daily())
    outcomes = together(*[lambda: house.household.apply(plan, who=WHO)] * 4)
    refused = [one for one in outcomes if isinstance(one, Conflict)]
    assert len(refused) == 3
    assert {error.key for error in refused} == {"household_task_exists"}
    assert house.count("tasks", "rules", "cron_jobs", "records") == {
        "tasks": 1, "rules": 1, "cron_jobs": 1, "records": 1,
    }  # fmt: skip


def test_a_task_that_several_end_ends_once(home, clock) -> None:
    house = House(home, clock)
    house.apply(examples.drink_today())
    acts = [lambda: house.household.delete("drink_8_today", who=WHO, reason="abandoned")] * 3
    outcomes = together(*acts)
    assert sum(isinstance(one, NotFound) for one in outcomes) == 2
    assert house.ends("drink_8_today") == ["abandoned"]


def test_a_job_that_several_link_belongs_to_one(home, clock) -> None:
    house = House(home, clock)
    for example in (examples.sitting, examples.mother, examples.fall):
        house.apply(example())
    house.cron.add(JOB, who=WHO)
    slugs = ("sit_30min", "mom_arrival", "fall_alert")
    outcomes = together(*[lambda slug=slug: house.household.link(slug, "cron", "j1", who=WHO) for slug in slugs])
    assert sum(isinstance(one, Conflict) for one in outcomes) == 2
    assert sum(len(house.view(slug).jobs) for slug in slugs) == 1


def test_changes_at_once_are_each_a_revision(home, clock) -> None:
    house = House(home, clock)
    house.apply(examples.sitting())
    together(*[
        lambda number=number: house.household.update("sit_30min", who=WHO, description=f"第 {number} 次")
        for number in range(4)
    ])  # fmt: skip
    revisions = house.household.revisions("sit_30min")
    assert [one.changes[0].before for one in revisions[:-1]] == [one.changes[0].after for one in revisions[1:]]
    assert len({one.number for one in revisions}) == 4


@pytest.mark.parametrize("text", ["喝\x00水", "喝\ud800水", "喝\x1b[2J水"])
def test_a_text_that_cannot_be_kept_is_refused(steady_house, text: str) -> None:
    steady_house.apply(examples.sitting())
    for act in (
        lambda: steady_house.household.create_task("a", text, who=WHO),
        lambda: steady_house.household.update("sit_30min", who=WHO, description=text),
        lambda: steady_house.household.update_rule("r1", {"condition": text}, who=WHO),
        lambda: steady_house.household.update_rule("r1", {"action_desc": text}, who=WHO),
        lambda: steady_house.cron.add(
            {"name": text, "message": "催", "schedule": {"kind": "every", "everyMs": 1_000}}, who=WHO
        ),
        lambda: steady_house.people.add(text),
    ):
        with pytest.raises(BadInput):
            act()
    assert [view.task.description for view in steady_house.household.list()] == ["久坐 30 分钟提醒"]
