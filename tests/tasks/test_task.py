"""The life of a task, as a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from zhixing.kernel.errors import BadInput, Conflict, TooLarge, ZhixingError
from zhixing.tasks import task as life
from zhixing.tasks.task import PERMANENT, Lifecycle, Status, Task, Term, Way, new_task, until

NOW = datetime(2026, 10, 12, 2, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)


def a_task(status: Status = Status.ACTIVE, lifecycle: Lifecycle = PERMANENT) -> Task:
    made = new_task(
        "t1", title="交表", description="", way=Way.NOTICE, lifecycle=lifecycle, zone_name="Asia/Shanghai", now=NOW
    )
    return replace(made, status=status)


MOVES: dict[Callable[[Task, datetime], Task], dict[Status, Status]] = {
    life.complete: {Status.ACTIVE: Status.COMPLETED, Status.PAUSED: Status.COMPLETED},
    life.restore: {Status.COMPLETED: Status.ACTIVE, Status.DELETED: Status.ACTIVE},
    life.pause: {Status.ACTIVE: Status.PAUSED},
    life.resume: {Status.PAUSED: Status.ACTIVE},
    life.expire: {Status.ACTIVE: Status.EXPIRED, Status.PAUSED: Status.EXPIRED},
    life.delete: {status: Status.DELETED for status in Status if status is not Status.DELETED},
}


@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize("move", MOVES, ids=lambda move: move.__name__)
def test_a_move_is_made_or_refused_with_the_reason(move: Callable[[Task, datetime], Task], status: Status):
    before = a_task(status)
    after = MOVES[move].get(status)
    if after is None:
        with pytest.raises(Conflict) as refusal:
            move(before, LATER)
        assert refusal.value.key == f"task_is_{status}"
        assert "「交表」" in str(refusal.value)
    else:
        assert move(before, LATER) == replace(before, status=after, revision=2, updated_at=LATER)


@pytest.mark.parametrize(
    ("move", "status"),
    [(life.restore, Status.COMPLETED), (life.restore, Status.DELETED), (life.resume, Status.PAUSED)],
)
def test_what_is_over_does_not_come_back(move: Callable[[Task, datetime], Task], status: Status):
    before = a_task(status, until(LATER))
    assert move(before, LATER - timedelta(seconds=1)).active
    with pytest.raises(Conflict) as refusal:
        move(before, LATER)
    assert refusal.value.key == "task_is_expired"


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.DELETED])
def test_a_task_is_renamed_whatever_its_status(status: Status):
    after = life.rename(a_task(status), "  交\n第二张  表 ", LATER)
    assert after == replace(a_task(status), title="交 第二张 表", revision=2, updated_at=LATER)


def test_a_deleted_task_is_not_renamed():
    with pytest.raises(Conflict):
        life.rename(a_task(Status.DELETED), "别的", LATER)


@pytest.mark.parametrize(
    ("change", "error", "key"),
    [
        ({"title": " \n "}, BadInput, "task_title_empty"),
        ({"title": "长" * 101}, TooLarge, "task_title_long"),
        ({"description": "长" * 20_001}, TooLarge, "task_description_long"),
        ({"zone_name": "Asia/Atlantis"}, BadInput, "zone_unknown"),
        ({"lifecycle": until(NOW)}, BadInput, "lifecycle_over"),
    ],
)
def test_a_task_that_cannot_be_is_refused(change: dict[str, object], error: type[ZhixingError], key: str):
    given = {
        "title": "交表", "description": "", "way": Way.NOTICE, "lifecycle": PERMANENT, "zone_name": "Asia/Shanghai",
    }  # fmt: skip
    with pytest.raises(error) as refusal:
        new_task("t1", **(given | change), now=NOW)
    assert refusal.value.key == key
    assert str(refusal.value)


def test_the_longest_title_and_description_are_accepted():
    made = new_task(
        "t1", title="长" * 100, description="长" * 20_000, way=Way.GOAL, lifecycle=PERMANENT, zone_name="UTC", now=NOW
    )
    assert (made.status, made.revision) == (Status.ACTIVE, 1)


@pytest.mark.parametrize(
    ("term", "expires_at", "key"),
    [(Term.TEMPORARY, None, "lifecycle_without_end"), (Term.PERMANENT, NOW, "lifecycle_with_end")],
)
def test_a_lifecycle_has_an_end_if_and_only_if_it_is_temporary(term: Term, expires_at: datetime | None, key: str):
    with pytest.raises(BadInput) as refusal:
        Lifecycle(term, expires_at)
    assert refusal.value.key == key


def test_a_target_may_have_an_end():
    assert not Lifecycle(Term.TARGET).over(NOW)
    assert Lifecycle(Term.TARGET, NOW).over(NOW)
