"""Chapters 6 to 10 of the clauses: what a task consists of, how long it lives, event or state."""

from __future__ import annotations

import pytest
from tests.household.assembling.saying import FAMILY, LARGE, OLD, flat
from tests.household.checks.cases import changed, found, rows
from tests.household.clauses.telling import Row, differs, named
from tests.household.composing.writing import plan, request_of

from zhixing.household.assembling.assembler import assemble
from zhixing.household.checks import refused

VIOLATIONS = {row["id"]: row for row in rows("violations.jsonl")}

RULES: list[Row] = [
    ("H-RULE-01", FAMILY, "客厅没人就关空调", {"rule": True}),
    ("H-RULE-01", FAMILY, "门开着就推送", {"rule": True, "schedule": None}),
    ("H-RULE-02", FAMILY, "爸爸打喷嚏就播报", {"rule": True}),
    ("H-RULE-02", FAMILY, "儿子看电视超过1小时就播报", {"rule": True}),
    ("H-RULE-03", FAMILY, "爸爸晕倒了就推送", {"rule": True, "mode": "event"}),
    ("H-RULE-03", FAMILY, "有人闯进来就推送", {"rule": True, "mode": "event"}),
    ("H-RULE-04", FAMILY, "妈妈每天做20个深蹲", {"rule": True, "record.kind": "progress"}),
    ("H-RULE-04", FAMILY, "每天累计看书2小时就播报", {"rule": True, "record.kind": "duration"}),
    ("H-RULE-05", FAMILY, "每天晚上9点提醒我关窗", {"rule": False, "rules": 0}),
    ("H-RULE-06", FAMILY, "每天喝8杯水", {"rule": True, "schedule.kind": "cron"}),
    ("H-RULE-06", FAMILY, "儿子每天累计写作业不足2小时的话晚上8点播报", {"rule": True, "schedule.expr": "0 20 * * *"}),
    ("H-SCH-01", FAMILY, "每天早上8点提醒我吃药", {"schedule.kind": "cron", "rule": False}),
    ("H-SCH-01", FAMILY, "爸爸抽烟就播报", {"schedule": None}),
    ("H-SCH-10", FAMILY, "儿子看电视超过1小时就播报", {"schedule": None}),
    ("H-SCH-10", FAMILY, "妈妈回家就播报", {"schedule": None}),
    ("H-SCH-02", FAMILY, "10分钟后提醒我关火", {"schedule.at": "2026-06-12T15:30:00+08:00"}),
    ("H-SCH-03", FAMILY, "每周末上午10点提醒我打扫", {"schedule.expr": "0 10 * * 0,6"}),
    ("H-SCH-04", FAMILY, "每2小时提醒我喝水", {"schedule.kind": "every"}),
    ("H-SCH-05", FAMILY, "妈妈每周跑步3次", {"schedule.default": True, "tips+": "schedule_default"}),
    ("H-SCH-06", FAMILY, "每周累计看书10小时就播报", {"schedule": None}),
    ("H-SCH-07", FAMILY, "爸爸站着超过10分钟就播报", {"schedule": None}),
    ("H-SCH-08", FAMILY, "今天有人敲门就播报", {"schedule": None}),
    ("H-SCH-09", FAMILY, "有人敲门就播报一下", {"schedule": None}),
    ("H-REC-01", FAMILY, "今天做够50个俯卧撑就播报", {"record.kind": "progress", "record.target": 50}),
    ("H-REC-02", FAMILY, "每天数一下妈妈喝了几杯水", {"record.kind": "event"}),
    ("H-REC-03", FAMILY, "累计看电视超过1小时播报", {"record.kind": "duration", "record.target_minutes": 60}),
    ("H-REC-04", FAMILY, "儿子看电视看了多久", {"record.kind": "duration"}),
    ("H-REC-05", FAMILY, "记录儿子每次打喷嚏", {"record.kind": "event"}),
    ("H-REC-05", OLD, "爷爷每次咳嗽都记录下来", {"record.kind": "event"}),
    ("H-REC-05", FAMILY, "儿子打喷嚏就播报", {"record": None}),
    ("H-REC-06", FAMILY, "妈妈每周喝30杯水", {"record.kind": "progress", "record.window": "week"}),
    ("H-REC-07", FAMILY, "爸爸站着就播报", {"record": None}),
    ("H-REC-08", FAMILY, "儿子看电视超过1小时就播报", {"record": None, "tips+": "single_continuous"}),
]
LIVES: list[Row] = [
    ("H-LIFE-01", FAMILY, "以后妈妈咳嗽都播报", {"lifecycle": "permanent", "expires_at": None}),
    ("H-LIFE-01", FAMILY, "每天累计看书2小时就播报", {"lifecycle": "permanent"}),
    ("H-LIFE-01", FAMILY, "每次妈妈咳嗽就播报", {"lifecycle": "permanent"}),
    ("H-LIFE-02", FAMILY, "今天有人敲门就推送", {"lifecycle": "temporary", "expires_at": "2026-06-13T00:00:00+08:00"}),
    ("H-LIFE-03", FAMILY, "今天做够50个俯卧撑就播报", {"lifecycle": "temporary", "record.task_type": "oneshot"}),
    ("H-LIFE-03", FAMILY, "做够50个俯卧撑就播报", {"lifecycle": "temporary", "record.task_type": "oneshot"}),
    (
        "H-LIFE-03",
        FAMILY,
        "每天做50个俯卧撑 做够了播报",
        {"lifecycle": "permanent"},
    ),  # each day's goal
    ("H-LIFE-04", FAMILY, "10分钟后提醒我关火", {"lifecycle": "temporary"}),
    ("H-LIFE-05", FAMILY, "爸爸抽烟就播报", {"lifecycle": "permanent"}),
    ("H-LIFE-06", FAMILY, "每天做够50个俯卧撑就播报", {"lifecycle": "permanent"}),  # a period before a goal
    ("H-LIFE-06", FAMILY, "每天晚上9点提醒我关窗", {"lifecycle": "permanent"}),
    ("H-LIFE-07", FAMILY, "儿童房有人抽烟就推送", {"lifecycle": "permanent"}),
    ("H-LIFE-08", FAMILY, "爸爸站着超过10分钟就播报", {"lifecycle": "permanent"}),
    ("H-LIFE-09", FAMILY, "有人敲门就播报", {"lifecycle": "permanent"}),
    ("H-LIFE-09", FAMILY, "妈妈咳嗽就播报", {"lifecycle": "permanent"}),
    ("H-LIFE-10", FAMILY, "有人敲门就播报一下", {"lifecycle": "permanent"}),
    ("H-LIFE-10", FAMILY, "爸爸抽烟播报一声就行", {"lifecycle": "permanent"}),
    ("H-LIFE-11", FAMILY, "爸爸看书就播报", {"lifecycle": "permanent"}),
    ("H-LIFE-11", FAMILY, "妈妈做饭就播报", {"lifecycle": "permanent"}),
]
MODES: list[Row] = [
    ("H-MODE-00", FAMILY, "客厅有人空调开26度 人走了就调到28", {"mode": "state", "on_exit": "action"}),
    ("H-MODE-00", FAMILY, "爸爸抽烟就播报", {"mode": "event", "on_exit": "none"}),
    ("H-MODE-01", FAMILY, "统计爸爸每周看电视多久", {"mode": "state", "on_exit": "desc"}),
    ("H-MODE-02", FAMILY, "有人爬窗就推送", {"mode": "event"}),
    ("H-MODE-02", FAMILY, "爸爸晕倒了就推送", {"mode": "event", "exit_debounce_seconds": None}),
    ("H-MODE-03", FAMILY, "儿子写作业时把电视关了 写完再打开", {"mode": "state", "on_exit": "action"}),
    ("H-MODE-04", FAMILY, "有人在客厅就开灯", {"mode": "state", "on_exit": "desc", "tips*": "on_exit_reset_default"}),
    (
        "H-MODE-05",
        FAMILY,
        "妈妈开始看电视就播报",
        {"mode": "state", "duration_seconds": 90, "exit_debounce_seconds": 1800, "on_exit": "none"},
    ),
    ("H-MODE-06", FAMILY, "爸爸回家就播报", {"mode": "state", "exit_debounce_seconds": 1800, "on_exit": "none"}),
    ("H-MODE-07", FAMILY, "玄关有人就推送", {"mode": None, "questions": ["trigger_frequency"]}),
    ("H-MODE-07", FAMILY, "陌生人来了就推送", {"mode": None, "questions": ["trigger_frequency"]}),
    ("H-MODE-07", FAMILY, "每次有陌生人出现都推送", {"mode": "event", "questions": []}),
    ("H-MODE-10", FAMILY, "爸爸打喷嚏就播报", {"mode": "event"}),
    ("H-MODE-10", FAMILY, "妈妈每天做20个深蹲", {"mode": "event", "exit_debounce_seconds": None}),
    ("H-MODE-11", FAMILY, "客厅没人就关空调", {"mode": "event", "on_exit": "none"}),
    ("H-MODE-12", FAMILY, "儿子看电视超过1小时就播报", {"mode": "event", "duration_seconds": 3600}),
    ("H-MODE-13", FAMILY, "爸爸站着超过10分钟就播报", {"mode": "event", "duration_seconds": 600}),
    ("H-MODE-13", FAMILY, "爸爸站着就播报", {"mode": "event", "duration_seconds": 60}),
    (
        "H-MODE-14",
        FAMILY,
        "妈妈回家就开灯",
        {"mode": "state", "exit_debounce_seconds": 60, "on_exit": "desc"},
    ),  # 3 first
    ("H-MODE-14", FAMILY, "陌生人进门就播报", {"mode": "state", "questions": []}),  # 4 before 5
    ("H-MODE-14", FAMILY, "每天累计看手机超过1小时就推送", {"mode": "state"}),  # 1 before 6
]
ROWS = [*RULES, *LIVES, *MODES]


@pytest.mark.parametrize("row", ROWS, ids=named(ROWS))
def test_it_is_decided(row) -> None:
    assert differs(row) == {}


@pytest.mark.parametrize(
    ("text", "home", "rules", "jobs", "record"),
    [
        ("明天9点提醒我吃药", FAMILY, 0, 1, None),
        ("爸爸抽烟就播报", FAMILY, 1, 0, None),
        ("爸爸妈妈抽烟都播报", FAMILY, 2, 0, None),
        ("记录儿子每次打喷嚏", FAMILY, 1, 0, "event"),
        ("每天喝8杯水", FAMILY, 1, 1, "progress"),
        ("今天做够50个俯卧撑就播报", FAMILY, 1, 2, "progress"),
        ("统计爸爸每周看电视多久", FAMILY, 1, 0, "duration"),
        ("进厨房开灯 出来也别关", LARGE, 1, 0, None),
    ],
)
def test_a_task_is_any_rules_any_jobs_one_record_at_most_and_one_life(text, home, rules, jobs, record) -> None:
    """H-TASK-01, H-TASK-02, H-TASK-03, H-TASK-04, H-TASK-05, H-REC-09: each part where it is wanted, and only there."""
    composed = plan(text, home)
    made = composed.assembly
    assert (len(made["rules"]), len(made["schedules"])) == (rules, jobs)
    assert (made["record"] or {}).get("kind") == record
    assert made["task"]["lifecycle"] in ("permanent", "temporary")
    assert (len(composed.plan.rules), len(composed.plan.jobs)) == (rules, jobs)
    assert (composed.plan.record is None) == (record is None)
    assert record is None or rules >= 1


@pytest.mark.parametrize(
    ("clause", "check"),
    [
        ("H-TASK-01", "V-004"), ("H-TASK-02", "V-004"), ("H-TASK-03", "V-003"), ("H-TASK-04", "V-002"),
        ("H-REC-09", "V-005"), ("H-LIFE-02", "V-160"), ("H-LIFE-03", "V-160"), ("H-LIFE-05", "V-162"),
        ("H-MODE-01", "V-030"), ("H-MODE-02", "V-031"), ("H-MODE-06", "V-033"), ("H-MODE-11", "V-032"),
        ("H-REC-08", "V-134"), ("H-OP-10", "V-001"), ("H-IN-02", "V-007"),
    ],
)  # fmt: skip
def test_a_plan_that_decides_it_otherwise_is_refused(clause, check) -> None:
    row = VIOLATIONS[check]
    findings = found(changed(row), row.get("home"))
    assert check in {one.id for one in findings}, clause
    assert refused(findings)


def test_each_time_or_once_in_a_while_is_the_users_answer() -> None:
    """H-MODE-07, H-MODE-08, H-MODE-09: A is an event, B a state that stays quiet for half an hour."""
    each = flat("陌生人来了就推送", answers={"trigger_frequency": "A"})
    assert (each["mode"], each["exit_debounce_seconds"]) == ("event", None)
    rarely = flat("陌生人来了就推送", answers={"trigger_frequency": "B"})
    assert (rarely["mode"], rarely["exit_debounce_seconds"], rarely["on_exit"]) == ("state", 1800, "none")


@pytest.mark.parametrize(
    ("clause", "text"),
    [
        ("H-LIFE-01", "每次妈妈咳嗽就播报"),
        ("H-LIFE-01", "妈妈咳嗽都播报"),
        ("H-LIFE-01", "工作日每天喝4杯水"),
        ("H-LIFE-01", "每周累计看书10小时就播报"),
        ("H-LIFE-02", "这周累计看书10小时就播报"),
        ("H-LIFE-02", "今天有人敲门就播报"),
        ("H-LIFE-04", "后天早上8点提醒我交房租"),
        ("H-LIFE-05", "妈妈咳嗽就播报"),
        ("H-LIFE-05", "爸爸站着超过10分钟就播报"),
    ],
)
def test_what_is_lasting_by_itself_and_what_was_said_to_last_are_told_apart(clause, text) -> None:
    """H-LIFE-01, H-LIFE-02, H-LIFE-04, H-LIFE-05, H-LIFE-06: by the sign in the words."""
    (draft,) = assemble(request_of(text)).drafts
    assert draft.lifecycle.evidence == clause
