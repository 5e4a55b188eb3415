"""Chapters 16 to 18 of the clauses: how long it holds, when it is over, and the jobs of the clock."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from tests.household.assembling.saying import ALONE, BABY, FAMILY, LARGE, OLD
from tests.household.checks.cases import changed, found, rows
from tests.household.clauses.telling import Row, differs, named
from tests.household.composing.writing import plan, request_of, rule, settle, site_of

from zhixing.household.assembling.assembler import assemble
from zhixing.household.checks import Level
from zhixing.household.composing.composer import compose
from zhixing.household.composing.model import Composed

VIOLATIONS = {row["id"]: row for row in rows("violations.jsonl")}

HOLDS: list[Row] = [
    ("H-DUR-01", FAMILY, "爸爸抽烟超过2分钟就播报", {"mode": "event", "duration_seconds": 120}),
    ("H-DUR-01", FAMILY, "妈妈开始看电视就播报", {"mode": "state", "duration_seconds": 90}),
    ("H-DUR-03", FAMILY, "爸爸看手机10分钟就播报", {"duration_seconds": 600}),
    ("H-DUR-04", FAMILY, "儿子看电视超过3小时就播报", {"duration_seconds": 10_800}),
    ("H-DUR-06", FAMILY, "儿子玩平板超过24小时就播报", {"duration_seconds": 86_400, "reject": None}),
    ("H-DUR-07", FAMILY, "儿子玩平板超过25小时就播报", {"reject": "duration_over_24h", "tasks#": 0}),
    ("H-DUR-08", FAMILY, "客厅没人13小时就推送", {"tips+": "duration_long_restart"}),
    ("H-DUR-08", FAMILY, "客厅没人12小时就推送", {"tips-": "duration_long_restart"}),
    ("H-DUR-09", FAMILY, "每周累计看书10小时就播报", {"duration_seconds": 90, "record.target_minutes": 600}),
    ("H-DUR-10", FAMILY, "爸爸晕倒超过20秒就推送", {"duration_seconds": None, "tips+": "safety_duration_dropped"}),
    ("H-DUR-10", FAMILY, "有人爬窗就推送", {"duration_seconds": None}),
    ("H-DUR-11", FAMILY, "爸爸打喷嚏就播报", {"duration_seconds": None}),
    ("H-DUR-11", FAMILY, "玄关有人就开灯", {"duration_seconds": None}),
    ("H-DUR-11", FAMILY, "妈妈每天做20个深蹲", {"duration_seconds": None}),
    ("H-DUR-12", FAMILY, "爸爸连续看手机10分钟就播报", {"duration_seconds": 600}),
    ("H-DUR-12", FAMILY, "门开着就推送", {"duration_seconds": 60}),
    ("H-DUR-13", FAMILY, "爸爸抽烟就播报", {"duration_seconds": 30, "tips+": "duration_default"}),
    ("H-DUR-14", FAMILY, "儿子离电视太近就播报", {"duration_seconds": 45}),
    ("H-DUR-15", FAMILY, "爸爸站着就播报", {"duration_seconds": 60}),
    ("H-DUR-15", FAMILY, "爸爸躺沙发就播报", {"duration_seconds": 60}),
    ("H-DUR-16", FAMILY, "爸爸看手机就播报", {"duration_seconds": 90}),
    ("H-DUR-16", FAMILY, "爸爸看书就播报", {"duration_seconds": 90}),
    ("H-DUR-17", FAMILY, "爸爸健身就播报", {"duration_seconds": 180}),
    ("H-DUR-17", FAMILY, "爸爸跑步就播报", {"duration_seconds": 180}),
    ("H-DUR-18", FAMILY, "爸爸睡觉就播报", {"duration_seconds": 180}),
    ("H-DUR-18", FAMILY, "妈妈做饭就播报", {"duration_seconds": 180}),
    ("H-DUR-19", FAMILY, "爸爸徘徊就播报", {"duration_seconds": 60}),
    ("H-DUR-19", FAMILY, "妈妈洗碗就播报", {"duration_seconds": 60}),
    ("H-DUR-20", FAMILY, "爸爸睡觉20分钟就播报", {"duration_seconds": 1200, "tips-": "duration_default"}),
    ("H-DUR-21", FAMILY, "妈妈看书超过10秒就播报", {"duration_seconds": 10, "tips+": "duration_deviation"}),
    ("H-DUR-21", FAMILY, "妈妈看书超过80秒就播报", {"tips-": "duration_deviation"}),
    ("H-DUR-22", FAMILY, "妈妈看书就播报", {"tips+": "duration_default"}),
    ("H-DEB-01", FAMILY, "爸爸抽烟就播报", {"exit_debounce_seconds": None}),
    ("H-DEB-01", FAMILY, "每次有陌生人出现都推送", {"exit_debounce_seconds": None}),
    ("H-DEB-02", FAMILY, "有人在客厅就开灯", {"exit_debounce_seconds": 60}),
    ("H-DEB-03", FAMILY, "爸爸回家就播报", {"exit_debounce_seconds": 1800}),
    ("H-DEB-04", FAMILY, "客厅有人空调开26度 人走了就调到28", {"exit_debounce_seconds": 60}),
    ("H-DEB-05", FAMILY, "统计爸爸每天看手机多久", {"exit_debounce_seconds": 60}),
    ("H-DEB-06", FAMILY, "统计妈妈每天做饭多久", {"exit_debounce_seconds": 180}),
    ("H-DEB-07", FAMILY, "妈妈开始看电视就播报", {"exit_debounce_seconds": 1800}),
    ("H-DEB-08", FAMILY, "爸爸开始看电视就播报 20分钟内别重复", {"exit_debounce_seconds": 1200}),
    ("H-DEB-08", FAMILY, "爸爸开始看电视就播报 3小时内别重复", {"exit_debounce_seconds": 3600}),
    ("H-DEB-09", FAMILY, "爸爸开始看电视就播报 5分钟内别重复", {"tips+": "exit_debounce_deviation"}),
    ("H-DEB-09", FAMILY, "爸爸开始看电视就播报 1小时内别重复", {"tips-": "exit_debounce_deviation"}),
    ("H-DEB-10", FAMILY, "爸爸回家就播报", {"tips+": "exit_debounce_default"}),
]
CLOCK: list[Row] = [
    (
        "H-TRG-01",
        FAMILY,
        "后天早上8点提醒我交房租",
        {"schedule.kind": "at", "schedule.at": "2026-06-14T08:00:00+08:00"},
    ),
    ("H-TRG-02", FAMILY, "每隔45分钟提醒我起来走走", {"schedule.kind": "every", "schedule.every_ms": 2_700_000}),
    ("H-TRG-03", FAMILY, "工作日早上7点叫我起床", {"schedule.kind": "cron", "schedule.expr": "0 7 * * 1-5"}),
    ("H-TRG-03", FAMILY, "每周三晚上8点提醒我倒垃圾", {"schedule.expr": "0 20 * * 3"}),
    ("H-FREQ-01", FAMILY, "每天早上6点半提醒我跑步", {"schedule.expr": "30 6 * * *", "tips-": "schedule_default"}),
    ("H-FREQ-02", FAMILY, "妈妈每天喝2杯水", {"schedule.expr": "0 10,20 * * *"}),
    ("H-FREQ-02", FAMILY, "妈妈每天做20个深蹲", {"schedule.expr": "0 10,12,14,16,18,20 * * *"}),
    ("H-FREQ-03", FAMILY, "妈妈每周喝30杯水", {"schedule.expr": "0 10,13,15,18,20 * * *"}),
    ("H-FREQ-03", FAMILY, "妈妈每月跑步20次", {"schedule.expr": "0 10 * * *"}),
    ("H-FREQ-05", OLD, "奶奶一天吃3次药", {"schedule.expr": "0 8,12,18 * * *"}),
    ("H-FREQ-05", LARGE, "女儿放学后每天跳绳3组", {"schedule.expr": "0 16,17,18 * * *"}),
    ("H-FREQ-06", FAMILY, "妈妈每天喝3杯水", {"schedule.expr": "0 10,15,20 * * *"}),
    ("H-FREQ-07", FAMILY, "周末每天喝4杯水", {"schedule.expr": "0 10,13,17,20 * * 0,6"}),
    ("H-FREQ-07", FAMILY, "工作日每天喝4杯水", {"schedule.expr": "0 10,13,17,20 * * 1-5"}),
    ("H-FREQ-09", FAMILY, "每天提醒我吃药", {"schedule.expr": "0 9 * * *"}),
    ("H-FREQ-10", FAMILY, "每周提醒我打扫", {"schedule.expr": "0 9 * * 1"}),
    ("H-FREQ-11", FAMILY, "每月提醒我交水费", {"schedule.expr": "0 9 1 * *"}),
    ("H-FREQ-12", FAMILY, "每月提醒我交水费", {"tips+": "schedule_default"}),
    ("H-FREQ-12", FAMILY, "妈妈每天喝3杯水", {"tips+": "schedule_default"}),
]
ROWS = [*HOLDS, *CLOCK]
SAID = [
    ("爸爸抽烟超过2分钟就播报", FAMILY),
    ("有人摔倒就推送", FAMILY),
    ("久坐30分钟就推送", FAMILY),
    ("宝宝踢被子就播报", BABY),
    ("妈妈每天做20个深蹲", FAMILY),
    ("爸爸回家就播报", FAMILY),
    ("有人在客厅就开灯", FAMILY),
    ("客厅没人就关空调", FAMILY),
    ("每天累计看书2小时就播报", FAMILY),
    ("统计妈妈每天做饭多久", FAMILY),
    ("我打游戏超过两小时就播报", ALONE),
    ("每次有陌生人出现都推送", FAMILY),
    ("门开着就推送", FAMILY),
]
JOBS = [
    "明天9点提醒我吃药",
    "10分钟后提醒我关火",
    "每隔45分钟提醒我起来走走",
    "每天早上8点提醒我吃药",
    "每周提醒我打扫",
    "妈妈每天喝8杯水",
    "今天做够50个俯卧撑就播报",
    "每天早上8点用音箱提醒我吃药",
]


@pytest.mark.parametrize("row", ROWS, ids=named(ROWS))
def test_it_is_decided(row) -> None:
    assert differs(row) == {}


@pytest.mark.parametrize(
    ("clause", "check"),
    [
        ("H-DUR-02", "V-093"), ("H-DUR-05", "V-149"), ("H-DUR-06", "V-094"), ("H-DUR-07", "V-094"),
        ("H-DUR-08", "V-131"), ("H-DUR-09", "V-096"), ("H-DUR-10", "V-095"), ("H-DUR-11", "V-097"),
        ("H-DUR-12", "V-099"), ("H-DUR-13", "V-098"), ("H-DUR-21", "V-133"), ("H-DUR-22", "V-132"),
        ("H-DEB-01", "V-100"), ("H-DEB-02", "V-102"), ("H-DEB-03", "V-103"), ("H-DEB-04", "V-105"),
        ("H-DEB-05", "V-106"), ("H-DEB-06", "V-106"), ("H-DEB-07", "V-107"), ("H-DEB-08", "V-104"),
        ("H-DEB-09", "V-136"), ("H-DEB-10", "V-135"), ("H-MSG-01", "V-172"), ("H-MSG-01", "V-173"),
        ("H-TRG-01", "V-171"), ("H-TRG-02", "V-180"), ("H-TZ-01", "V-175"), ("H-TZ-02", "V-175"),
        ("H-TZ-03", "V-179"), ("H-TZ-04", "V-178"), ("H-TZ-05", "V-182"), ("H-TZ-06", "V-183"),
        ("H-TZ-07", "V-176"), ("H-TZ-07", "V-177"), ("H-FREQ-02", "V-187"), ("H-FREQ-03", "V-187"),
        ("H-FREQ-04", "V-185"), ("H-FREQ-06", "V-188"), ("H-FREQ-07", "V-189"), ("H-FREQ-08", "V-186"),
        ("H-FREQ-08", "V-192"), ("H-FREQ-09", "V-190"), ("H-FREQ-12", "V-191"), ("H-SCH-02", "V-184"),
    ],
)  # fmt: skip
def test_a_plan_with_other_times_is_found(clause, check) -> None:
    row = VIOLATIONS[check]
    findings = {one.id: one.level for one in found(changed(row), row.get("home"))}
    assert check in findings, clause
    assert findings[check] is Level.ERROR or check in ("V-100", "V-182", "V-188")


@pytest.mark.parametrize(("text", "home"), SAID)
def test_whatever_holds_is_a_whole_number_of_seconds_where_it_may_be(text, home) -> None:
    """H-DUR-02, H-DUR-10, H-DUR-11, H-DUR-12, H-DEB-01, H-DEB-02, H-DEB-03."""
    one = rule(text, home)
    hold, gap = one["duration_seconds"], one["exit_debounce_seconds"]
    assert hold is None or (type(hold) is int and 0 < hold <= 86_400)
    assert gap is None or (type(gap) is int and 0 < gap <= 3600)
    if one["trigger_class"] in ("safety", "instant", "presence", "entry"):
        assert hold is None
    if one["trigger_class"] in ("continuous", "scene"):
        assert hold is not None
    assert (gap is not None) == (one["mode"] == "state")


def test_a_target_is_minutes_and_what_steadies_it_seconds() -> None:
    """H-DUR-05, H-DUR-09: never the same number twice."""
    composed = plan("每天累计看书2小时就播报")
    (one,) = composed.assembly["rules"]
    assert composed.assembly["record"]["content"]["target_minutes"] == 120
    assert one["duration_seconds"] == 90


def test_more_than_a_day_is_refused_with_the_way_that_is_left(talking) -> None:
    """H-DUR-07: to add it up instead."""
    talk = talking().say("儿子看电视超过30小时就推送手机")
    assert (talk.why, talk.tasks, len(talk.lines)) == ("duration_over_24h", (), 1)
    assert "累计" in talk.lines[0]


def test_a_value_that_was_said_is_told_neutrally_and_kept() -> None:
    """H-DUR-20, H-DUR-21, H-DEB-09: nobody is talked out of it."""
    composed = plan("妈妈看书超过10秒就播报")
    assert composed.assembly["rules"][0]["duration_seconds"] == 10
    (tip,) = [one for one in composed.tips if one.kind == "duration_deviation"]
    assert not re.search("建议|最好|应该|不要", "".join(tip.parts))


# The clock.


def jobs(text: str) -> list[dict[str, Any]]:
    return list(plan(text).assembly["schedules"])


@pytest.mark.parametrize("text", JOBS)
def test_a_job_says_in_words_what_is_wanted(text) -> None:
    """H-MSG-01: one line that stands by itself, without a gap."""
    for job in jobs(text):
        assert job["message"].strip()
        assert "\n" not in job["message"]
        assert not re.search(r"\$?\{[^}]*\}|%s", job["message"])


def test_being_woken_is_not_being_reminded() -> None:
    """H-MSG-02: a count is looked at first; what has no count is told each time."""
    assert re.search("remaining.*是否催", jobs("妈妈每天喝8杯水")[0]["message"])
    assert "是否" not in jobs("每天早上8点提醒我吃药")[0]["message"]


@pytest.mark.parametrize("text", JOBS)
def test_the_zone_stands_beside_the_expression_and_is_the_home_s(text) -> None:
    """H-TZ-01, H-TZ-02, H-TZ-03, H-TZ-04, H-TZ-05, H-TZ-07."""
    for job in jobs(text):
        assert job["tz"] == ("Asia/Shanghai" if job["kind"] == "cron" else None)
        assert (job["expr"] is not None) == (job["kind"] == "cron")
        if job["expr"] is not None:
            assert len(job["expr"].split()) == 5
            assert re.fullmatch(r"[0-9*,/ -]+", job["expr"])


def in_new_york(text: str) -> Composed:
    request = request_of(text)
    request = replace(request, home=replace(request.home, zone=ZoneInfo("America/New_York")))
    (draft,) = assemble(request).drafts
    return compose(draft, site_of(request.home))


def test_another_home_has_its_own_zone_and_its_own_midnight() -> None:
    """H-TZ-06, H-TZ-07, H-MAP-10: instants carry the offset of the home and are reckoned by its wall clock."""
    assert in_new_york("每天早上8点提醒我吃药").assembly["schedules"][0]["tz"] == "America/New_York"
    assert in_new_york("明天9点提醒我吃药").assembly["schedules"][0]["at"] == "2026-06-13T09:00:00-04:00"
    assert in_new_york("今天有人敲门就播报").assembly["task"]["expires_at"] == "2026-06-13T00:00:00-04:00"


@pytest.mark.parametrize("text", ["明天9点提醒我吃药", "10分钟后提醒我关火", "今天做够50个俯卧撑就播报"])
def test_an_instant_is_written_with_its_offset_and_lies_ahead(text) -> None:
    """H-TZ-06, H-TRG-01, H-MAP-10."""
    now = request_of(text).home.now
    instants = [datetime.fromisoformat(job["at"]) for job in jobs(text) if job["at"] is not None]
    assert instants
    assert all(at.utcoffset() == timedelta(hours=8) and at > now for at in instants)


@pytest.mark.parametrize("count", range(1, 13))
def test_points_by_default_are_one_job_between_ten_and_eight(count) -> None:
    """H-FREQ-02, H-FREQ-04, H-FREQ-06, H-FREQ-08: as many as the target of a day, six at most, in whole hours."""
    (job,) = jobs(f"妈妈每天喝{count}杯水")
    minute, hours, *days = job["expr"].split()
    points = [int(hour) for hour in hours.split(",")]
    assert (minute, days) == ("0", ["*", "*", "*"])
    assert len(points) == min(count, 6)
    assert points == sorted(set(points))
    assert points[0] == 10
    assert count == 1 or points[-1] == 20
    assert all(6 <= hour <= 22 for hour in points)
    assert job["origin"] == "default"


@pytest.mark.parametrize(("text", "home"), [("奶奶一天吃3次药", OLD), ("女儿放学后每天跳绳3组", LARGE)])
def test_points_that_life_itself_has_are_taken(text, home) -> None:
    """H-FREQ-04, H-FREQ-05, H-FREQ-08: meals, and the hours behind school; still one job."""
    assembly, request = settle(request_of(text, home))
    (draft,) = assembly.drafts
    composed = compose(draft, site_of(request.home))
    (job,) = composed.assembly["schedules"]
    assert all(6 <= int(hour) <= 22 for hour in job["expr"].split()[1].split(","))
    assert composed.findings == ()
