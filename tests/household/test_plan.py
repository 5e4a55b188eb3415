"""Plans: the document's examples, and everything that is refused before anything is made."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest
from tests.household import examples

from zhixing.household.jobs import JobKind, Purpose
from zhixing.household.plan import read_lifecycle, read_plan
from zhixing.household.rulebook import make_plan
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import parse_instant
from zhixing.tasks.records.model import RecordKind
from zhixing.tasks.rules.model import Agreement, Mode
from zhixing.tasks.task import PERMANENT, Lifecycle, Term, until

TONIGHT = parse_instant("2026-10-12T23:59:59+08:00")


@pytest.mark.parametrize("example", examples.EXAMPLES, ids=lambda one: one.__name__)
def test_every_example_of_the_document_is_a_plan(example) -> None:
    made = example()
    plan = read_plan(json.loads(json.dumps(made)))
    assert plan.slug == made["task"]["task_id"]
    assert len(plan.rules) == len(made["rules"])
    assert len(plan.jobs) == len(made.get("schedules", []))


def test_the_example_of_today_ends_tonight() -> None:
    plan = read_plan(examples.drink_today())
    assert plan.lifecycle == until(TONIGHT)
    assert plan.zone == "Asia/Shanghai"
    assert [job.purpose for job in plan.jobs] == [Purpose.REMIND, Purpose.TERMINATE]
    assert plan.record is not None
    assert (plan.record.kind, plan.record.target, plan.record.expires_at) == (RecordKind.PROGRESS, 8, TONIGHT)


def test_the_example_of_an_empty_room_needs_all_its_cameras() -> None:
    (rule,) = read_plan(examples.lights_off()).rules
    trigger = make_plan(rule).trigger
    assert (trigger.agreement, trigger.duration, trigger.mode) == (Agreement.ALL, 300, Mode.EVENT)


def test_a_reminder_for_tomorrow_is_temporary_without_an_end() -> None:
    plan = read_plan(examples.medicine())
    assert plan.lifecycle == PERMANENT
    (job,) = plan.jobs
    assert (job.when.kind, job.when.at) == (JobKind.AT, datetime.fromisoformat("2026-10-13T09:00:00+08:00"))


CHANGED: list[tuple[str, Any, str]] = [
    ("op", "update", "只收新建任务"),
    ("task.task_id", "Drink-8", "只能用小写字母"),
    ("task.task_id", "a" * 33, "1 到 32 位"),
    ("task.task_id", "饮水", "只能用小写字母"),
    ("task.task_id", "", "task.task_id」应是不为空"),
    ("task.task_id", None, "缺少「task.task_id」"),
    ("task.description", "", "1 到 200 个字"),
    ("task.description", "水" * 201, "1 到 200 个字"),
    ("task.description", None, "1 到 200 个字"),
    ("task.lifecycle", "forever", "只能是 permanent、temporary、target"),
    ("task.lifecycle", "permanent", "长期任务没有结束时间"),
    ("task.expires_at", "今晚", "看不懂时间"),
    ("task.expires_at", "2026-10-12T23:59:59", "缺少时区偏移"),
    ("task", None, "缺少「task」"),
    ("task", [], "应是一个 JSON 对象"),
    ("tz", "Mars/Base", "不认识的时区"),
    ("record.kind", "counter", "只能是 progress、duration、event"),
    ("record.content", {"target": 0, "unit": "杯", "window": "day"}, ""),
    ("record.content", {"target": 8, "unit": "杯", "window": "day", "colour": 1}, ""),
    ("record", [{}, {}], "应是一个 JSON 对象"),
    ("rules", [], "有记录就必须有写入它的规则"),
    ("rules", {}, "应是一个列表"),
    ("rules.0.mode", "toggle", "rules.0.mode"),
    ("rules.0.on_target_desc", "使用手机推送通知：到了", "一次性规则不能有达标文案"),
    ("schedules.0.kind", "daily", "schedules.0.kind"),
    ("schedules.0.tz", None, "必须带时区"),
    ("schedules.0.expr", "0 21 * * * @ Asia/Shanghai", "expr 只写「0 21 * * *」，时区放在 tz（Asia/Shanghai）"),
    ("schedules.0.expr", "0 25 * * *", "cron 第 2 段"),
    ("schedules.0.at", "2026-10-12T23:59:59+08:00", "cron 定时不能写「schedules.0.at」"),
    ("schedules.0.message", "", "schedules.0.message"),
    ("schedules.0.purpose", "terminate", "要是 at"),
    ("schedules.1.at", "2026-10-12 23:59:59", "缺少时区偏移"),
    ("schedules.1.every_ms", 60_000, "at 定时不能写"),
    ("reject", "and_rule", "已判为不能建"),
    ("colour", 1, "没有「colour」这个字段"),
    ("task.colour", 1, "没有「task.colour」这个字段"),
]


@pytest.mark.parametrize(("path", "value", "reason"), CHANGED, ids=[f"{path} {why}" for path, _, why in CHANGED])
def test_a_plan_with_something_wrong_is_refused(path: str, value: Any, reason: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_plan(examples.changed(examples.drink_today(), path, value))
    assert reason in str(caught.value)


def test_a_plan_that_nothing_would_start_is_refused() -> None:
    with pytest.raises(BadInput, match="没有任何触发方式"):
        read_plan({"task": {"task_id": "idle", "description": "什么也不做"}})


def test_two_rules_of_one_name_are_refused() -> None:
    plan = examples.sitting()
    plan["rules"] *= 2
    with pytest.raises(BadInput, match="两条同名"):
        read_plan(plan)


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (None, "先建 duration 记录"),
        ({"kind": "event", "content": {}}, "现在的记录不是"),
        ({"kind": "duration", "content": {"recurring_pattern": {"window": "day"}}}, "先设 target_minutes"),
    ],
)
def test_words_for_a_target_need_a_record_that_has_one(record, reason: str) -> None:
    plan = examples.phone() | {"record": record}
    with pytest.raises(BadInput, match=reason):
        read_plan(plan)


def test_what_lives_for_a_time_needs_an_end_from_somewhere() -> None:
    with pytest.raises(BadInput, match="限时任务要有结束时间"):
        read_plan(examples.changed(examples.sitting(), "task.lifecycle", "temporary"))


def test_the_end_of_the_record_is_the_end_of_the_task() -> None:
    plan = examples.drink_today()
    plan["task"] |= {"lifecycle": "permanent", "expires_at": None}
    plan["schedules"] = plan["schedules"][:1]
    assert read_plan(plan).lifecycle == until(TONIGHT)


def test_the_first_end_counts() -> None:
    plan = examples.changed(examples.drink_today(), "schedules.1.at", "2026-10-12T22:00:00+08:00")
    assert read_plan(plan).lifecycle == until(parse_instant("2026-10-12T22:00:00+08:00"))


@pytest.mark.parametrize(
    ("term", "ends", "is_then"),
    [
        (None, [], PERMANENT),
        ("permanent", [], PERMANENT),
        (None, [TONIGHT], until(TONIGHT)),
        ("temporary", [TONIGHT], until(TONIGHT)),
        ("target", [], Lifecycle(Term.TARGET)),
        ("target", [TONIGHT], Lifecycle(Term.TARGET, TONIGHT)),
    ],
)
def test_how_long_a_task_lives(term, ends, is_then) -> None:
    assert read_lifecycle(term, ends) == is_then


@pytest.mark.parametrize(("term", "ends"), [("temporary", []), ("forever", []), ("permanent", [TONIGHT])])
def test_a_life_that_makes_no_sense_is_refused(term, ends) -> None:
    with pytest.raises(BadInput):
        read_lifecycle(term, ends)
