"""Words that are looked for among tasks, and what was around a moment, in both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.kernel.clock import ManualClock
from zhixing.tasks import journal, occurrences
from zhixing.tasks import store as tasks
from zhixing.tasks.journal import Kind
from zhixing.tasks.occurrence import OccurrenceState
from zhixing.tasks.searching import MOST_WORDS, having
from zhixing.tasks.task import PERMANENT, Way, new_task

TITLES = ("交表", "Buy MILK 牛奶", "100% 的 a_b!", "100 的 axb")


@pytest.fixture
def ids(store, clock: ManualClock) -> list[str]:
    """Insert a task of each title."""
    made = []
    with store.write() as tx:
        for title in TITLES:
            task = new_task(
                tasks.new_id(tx), title=title, description="别忘了带证件", way=Way.NOTICE, lifecycle=PERMANENT,
                zone_name="Asia/Shanghai", now=clock.now(),
            )  # fmt: skip
            tasks.insert(tx, task)
            made.append(task.id)
    return made


def test_tasks_are_found_by_all_of_the_words_in_title_or_description(store, ids) -> None:
    table = {
        "": [3, 2, 1, 0],
        "  ": [3, 2, 1, 0],
        "交": [0],
        "milk": [1],
        "证件 牛奶": [1],
        "牛奶 交": [],
        "%": [2],
        "a_b": [2],
        "!": [2],
        "100": [3, 2],
        "'; DROP TABLE tasks": [],
        "\0": [3, 2, 1, 0],
        "\ud800": [],
        "证件 " * 100: [3, 2, 1, 0],
        "长" * 10_000: [],
    }
    with store.read() as tx:
        for words, found in table.items():
            page = tasks.page(tx, words=words)
            assert [task.id for task in page.tasks] == [ids[number] for number in found], words[:20]


def test_words_go_with_the_cursor_and_the_status(store, ids) -> None:
    with store.read() as tx:
        first = tasks.page(tx, words="证件", limit=3)
        assert [task.id for task in tasks.page(tx, words="证件", before=first.more).tasks] == [ids[0]]


def test_conditions_are_bounded() -> None:
    conditions, params = having("字 " * 1000, "title", "description")
    assert (len(conditions), len(params)) == (MOST_WORDS, 2 * MOST_WORDS)
    assert having("", "title") == ([], [])


def test_what_was_around_a_moment_is_of_that_task_and_has_both_ends_in_it(store, ids, clock: ManualClock) -> None:
    now, minute = clock.now(), timedelta(minutes=1)
    with store.write() as tx:
        for task_id in ids[:2]:
            for number in range(5):
                due = now + number * minute
                one = occurrences.new(task_id, "p", due.isoformat(), due, OccurrenceState.DONE, now=due)
                occurrences.add(tx, one, now=due, who="clock")
        found = occurrences.around(tx, ids[0], now + minute, now + 3 * minute)
        assert [(one.task_id, one.due) for one in found] == [(ids[0], now + number * minute) for number in (3, 2, 1)]
        assert len(occurrences.around(tx, ids[0], now, now + 5 * minute, 2)) == 2
        told = journal.around(tx, ids[0], now + minute, now + 3 * minute)
        assert [(entry.at, entry.kind) for entry in told] == [
            (now + number * minute, Kind.OCCURRENCE_DONE) for number in (3, 2, 1)
        ]
