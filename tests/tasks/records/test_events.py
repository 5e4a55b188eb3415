"""Writing down what happened."""

from __future__ import annotations

import pytest

from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.tasks.records.views import SHOWN

HOUR = 3600


def test_events_are_kept_with_their_instants(ledger):
    task = ledger.task("event", {})
    first = ledger.write("append", task, "猫进了厨房")
    assert (first.applied, first.current, first.target, first.first_reached, first.entry_id) == (
        True,
        1,
        None,
        False,
        "e1",
    )
    ledger.go_to("10-12 18:00")
    assert ledger.write("append", task, "猫 又进\n了厨房").current == 2
    shape = ledger.view(task).shape()
    assert shape["record"]["recurring_pattern"] is None
    assert shape["record"]["status"] == "active"
    assert shape["entries"] == [
        {"id": "e1", "task_id": task.id, "description": "猫进了厨房", "at": "2026-10-12T10:00:00+08:00"},
        {"id": "e2", "task_id": task.id, "description": "猫 又进 了厨房", "at": "2026-10-12T18:00:00+08:00"},
    ]
    assert shape["derived"] == {
        "kind": "event",
        "count_total": 2,
        "count_today": 2,
        "last_at": "2026-10-12T18:00:00+08:00",
    }


def test_today_is_the_day_of_the_home(ledger):
    task = ledger.task("event", {})
    ledger.write("append", task, "猫", at="10-11 23:59:59")
    ledger.write("append", task, "猫", at="10-12 00:00:00")
    derived = ledger.derived(task)
    assert (derived["count_total"], derived["count_today"]) == (2, 1)
    ledger.go_to("10-13 00:00")
    assert ledger.derived(task)["count_today"] == 0


def test_the_same_event_is_written_once(ledger):
    task = ledger.task("event", {})
    first = ledger.write("append", task, "猫", key="o1")
    again = ledger.write("append", task, "猫", key="o1")
    assert (again.applied, again.why, again.entry_id) == (False, "again", first.entry_id)
    assert ledger.view(task).standing.current == 1


@pytest.mark.parametrize(("operation", "why"), [("pause", "paused"), ("complete", "ended")])
def test_a_task_that_is_not_active_writes_nothing_down(ledger, operation, why):
    task = ledger.task("event", {})
    ledger.change(operation, task)
    written = ledger.write("append", task, "猫")
    assert (written.applied, written.why, written.entry_id) == (False, why, None)


def test_after_its_end_nothing_is_written_down(ledger):
    task = ledger.task("event", {"expires_at": "2026-10-12T12:00:00+08:00"})
    ledger.go_to("10-12 12:00")
    assert ledger.write("append", task, "猫").why == "ended"
    assert ledger.write("append", task, "猫", at="10-12 11:59:59").applied


def test_a_story_is_refused_before_anything_is_looked_up(ledger):
    task = ledger.task("event", {})
    with pytest.raises(TooLarge):
        ledger.write("append", task, "猫" * 501)
    with pytest.raises(BadInput):
        ledger.write("append", task, "  ")


def test_a_view_has_the_latest_events_and_counts_all(steady):
    task = steady.task("event", {})
    with steady.store.write() as tx:
        for number in range(SHOWN + 5):
            steady.records.append(tx, task.id, f"第 {number} 次", at=steady.clock.now(), key=f"k{number}", who="猫")
    view = steady.view(task)
    assert (view.standing.current, len(view.entries)) == (SHOWN + 5, SHOWN)
    assert (view.entries[0].description, view.entries[-1].description) == ("第 5 次", "第 204 次")
