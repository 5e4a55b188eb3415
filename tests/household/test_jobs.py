"""Cron jobs as they are said."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from zhixing.household.jobs import JobKind, JobPlan, Purpose, read_job, read_when, write_when
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import parse_instant
from zhixing.tasks.schedule.cron import Cron
from zhixing.tasks.schedule.model import At, Every

NOW = parse_instant("2026-10-12T10:00:00+08:00")
DAILY = {"kind": "cron", "expr": "0 9 * * *", "tz": "Asia/Shanghai"}


def job(schedule: Any = DAILY, **rest: Any) -> JobPlan:
    return read_job({"name": "[a] 喝水", "schedule": schedule, "message": "提醒喝水"} | rest)


def test_the_three_kinds() -> None:
    assert isinstance(job().when.trigger(NOW), Cron)
    assert job({"kind": "at", "at": "2026-10-13T09:00:00+08:00"}).when.trigger(NOW) == At(
        datetime.fromisoformat("2026-10-13T09:00:00+08:00")
    )
    assert job({"kind": "every", "everyMs": 7_200_000}).when.trigger(NOW) == Every(7_200, NOW)


def test_an_every_may_have_an_anchor() -> None:
    when = job({"kind": "every", "everyMs": 1_000, "anchorMs": 1_791_770_400_000}).when
    assert when.trigger(NOW) == Every(1, parse_instant("2026-10-12T02:00:00Z"))


@pytest.mark.parametrize("schedule", [
    DAILY,
    {"kind": "at", "at": "2026-10-13T09:00:00+08:00"},
    {"kind": "every", "everyMs": 90_000},
    {"kind": "every", "everyMs": 90_000, "anchorMs": 1_791_770_400_000},
])  # fmt: skip
def test_when_a_job_acts_reads_back_as_it_was_written(schedule) -> None:
    assert write_when(read_when(schedule)) == schedule


def test_the_shortcuts_of_cron_are_expressions() -> None:
    assert job(DAILY | {"expr": "@daily"}).when.expr == "@daily"


@pytest.mark.parametrize(
    ("message", "slug"),
    [
        ("到期销毁 task drink_8_today", "drink_8_today"),
        ("到期销毁 任务 drink_8_today。", "drink_8_today"),
        ("到期销毁drink_8_today", None),
        ("提醒我到期销毁 task drink_8_today", None),
        ("到期销毁 task Drink", None),
    ],
)
def test_a_termination_is_known_by_its_words(message: str, slug: str | None) -> None:
    plan = job({"kind": "at", "at": "2026-10-12T23:59:59+08:00"}, message=message)
    if slug is None and "销毁drink" in message:
        slug = "drink_8_today"
    assert plan.ends == slug
    assert plan.purpose is (Purpose.REMIND if slug is None else Purpose.TERMINATE)


def test_only_an_at_ends_a_task() -> None:
    assert job(message="到期销毁 task drink_8_today").purpose is Purpose.REMIND


REFUSED: list[tuple[Any, dict[str, Any], str]] = [
    ({"kind": "cron", "expr": "0 9 * * *"}, {}, "必须带时区"),
    (DAILY | {"tz": "上海"}, {}, "不认识的时区"),
    (DAILY | {"expr": "0 21 * * * @ Asia/Shanghai"}, {}, "时区不写在 expr 里"),
    (
        DAILY | {"expr": "0 21 * * *@America/Argentina/Buenos_Aires"},
        {},
        "时区放在 tz（America/Argentina/Buenos_Aires）",
    ),
    ({"kind": "cron", "expr": "0 21 * * * @ UTC"}, {}, "时区不写在 expr 里"),
    (DAILY | {"expr": "TZ=Asia/Shanghai 0 21 * * *"}, {}, "时区"),
    (DAILY | {"expr": "0 0 9 * * *"}, {}, "六段"),
    (DAILY | {"expr": "0 0 31 2 *"}, {}, "永远不会到"),
    (DAILY | {"expr": ""}, {}, "schedule.expr"),
    (DAILY | {"everyMs": 1_000}, {}, "不能写「schedule.everyMs」"),
    ({"kind": "every", "everyMs": 999}, {}, "1000 到"),
    ({"kind": "every", "everyMs": 1_500}, {}, "1000 的整数倍"),
    ({"kind": "every", "everyMs": 31_622_400_001_000}, {}, "1000 到"),
    ({"kind": "every", "everyMs": "60000"}, {}, "应是整数"),
    ({"kind": "every"}, {}, "缺少「schedule.everyMs」"),
    ({"kind": "every", "everyMs": 1_000, "every_ms": 1_000}, {}, "只能写一个"),
    ({"kind": "every", "everyMs": 1_000, "anchorMs": -1}, {}, "0 到"),
    ({"kind": "at", "at": "2026-10-13T09:00:00"}, {}, "缺少时区偏移"),
    ({"kind": "at", "at": "明天九点"}, {}, "看不懂时间"),
    ({"kind": "at"}, {}, "缺少「schedule.at」"),
    ({"kind": "at", "at": 5}, {}, "应是不为空的文字"),
    ({"kind": "sun"}, {}, "只能是 cron、at、every"),
    (None, {}, "缺少「schedule」"),
    ("0 9 * * *", {}, "应是一个 JSON 对象"),
    (DAILY, {"name": ""}, "name"),
    (DAILY, {"message": "长" * 2_001}, "最多 2000 个字"),
    (DAILY, {"enabled": "yes"}, "true 或 false"),
    (DAILY, {"colour": 1}, "没有「colour」"),
    (DAILY | {"colour": 1}, {}, "没有「schedule.colour」"),
]


@pytest.mark.parametrize(
    ("schedule", "rest", "reason"), REFUSED, ids=[f"{n} {one[2]}" for n, one in enumerate(REFUSED)]
)
def test_what_cannot_be_used_is_refused(schedule, rest, reason: str) -> None:
    with pytest.raises(BadInput) as caught:
        job(schedule, **rest)
    assert reason in str(caught.value)


def test_an_at_is_not_further_away_than_ten_years() -> None:
    far = (NOW + timedelta(days=4_000)).isoformat()
    plan = job({"kind": "at", "at": far})
    assert plan.when.kind is JobKind.AT
    with pytest.raises(BadInput, match="最多 10 年"):
        plan.when.trigger(NOW)
