"""Chapters 19, 20 and 26 of the clauses: the kind of a record, for how long it counts, and what stands in it."""

from __future__ import annotations

import pytest
from tests.household.assembling.saying import FAMILY, OLD
from tests.household.checks.cases import changed, found, rows
from tests.household.clauses.telling import Row, differs, named
from tests.household.composing.writing import plan

from zhixing.household.checks import Level
from zhixing.tasks.records.content import read_content
from zhixing.tasks.records.model import RecordKind

VIOLATIONS = {row["id"]: row for row in rows("violations.jsonl")}

KINDS: list[Row] = [
    ("H-KIND-01", FAMILY, "统计爸爸每周看电视多久", {"record.kind": "duration", "record.target_minutes": None}),
    ("H-KIND-01", FAMILY, "每天累计看书2小时就播报", {"record.kind": "duration", "record.target_minutes": 120}),
    ("H-KIND-02", FAMILY, "儿子看电视看了多久", {"record.kind": "duration", "record.target_minutes": None}),
    ("H-KIND-03", FAMILY, "妈妈看电视就帮我记一下", {"record.kind": "duration", "tips+": "record_kind_duration"}),
    ("H-KIND-04", FAMILY, "记录儿子每次打喷嚏", {"record.kind": "event"}),
    ("H-KIND-05", FAMILY, "妈妈每天做20个深蹲", {"record.kind": "progress", "record.target": 20}),
    ("H-KIND-06", FAMILY, "每天数一下妈妈喝了几杯水", {"record.kind": "event", "record.target": None}),
    ("H-KIND-07", FAMILY, "记录一下妈妈喝了多少次水", {"record.kind": "event", "record.target": None}),
    ("H-KIND-08", FAMILY, "妈妈每天喝1杯水", {"record.kind": "progress", "record.target": 1}),
    ("H-KIND-09", FAMILY, "累计看电视超过1小时播报", {"record.kind": "duration", "record.target_minutes": 60}),
    (
        "H-KIND-10",
        FAMILY,
        "妈妈每天喝8杯水",
        {"record.kind": "progress"},
    ),  # a goal first
    ("H-KIND-10", FAMILY, "每天统计儿子看电视多久", {"record.kind": "duration"}),  # 1 before 3: asked for by name
    ("H-TYPE-01", FAMILY, "妈妈每天做20个深蹲", {"record.task_type": "recurring"}),
    ("H-TYPE-01", FAMILY, "每周累计看书10小时就播报", {"record.task_type": "recurring", "record.window": "week"}),
    ("H-TYPE-02", FAMILY, "今天做够50个俯卧撑就播报", {"record.task_type": "oneshot"}),
    ("H-TYPE-02", FAMILY, "这周累计看书10小时就播报", {"record.task_type": "oneshot"}),
    ("H-TYPE-03", OLD, "爷爷每次咳嗽都记录下来", {"record.kind": "event", "record.task_type": "longterm"}),
    ("H-TYPE-03", FAMILY, "每天数一下妈妈喝了几杯水", {"record.kind": "event", "record.task_type": "longterm"}),
    ("H-TYPE-04", FAMILY, "儿子看电视看了多久", {"record.kind": "duration", "record.task_type": "longterm"}),
    ("H-TYPE-05", FAMILY, "累计看电视超过1小时播报", {"record.kind": "duration", "record.task_type": "recurring"}),
    ("H-CONT-11", FAMILY, "妈妈每天喝8杯水", {"record.unit": "杯"}),
    ("H-CONT-11", FAMILY, "妈妈每周跑步3次", {"record.unit": "次"}),
    ("H-CONT-11", FAMILY, "妈妈每天走10000步", {"record.unit": "步"}),
]


@pytest.mark.parametrize("row", KINDS, ids=named(KINDS))
def test_it_is_decided(row) -> None:
    assert differs(row) == {}


@pytest.mark.parametrize(
    ("clause", "check"),
    [
        ("H-KIND-02", "V-148"), ("H-KIND-07", "V-144"), ("H-KIND-08", "V-143"), ("H-TYPE-01", "V-141"),
        ("H-TYPE-02", "V-154"), ("H-TYPE-03", "V-151"), ("H-CONT-01", "V-153"), ("H-CONT-02", "V-155"),
        ("H-CONT-03", "V-153"), ("H-CONT-04", "V-142"), ("H-CONT-05", "V-156"), ("H-CONT-07", "V-150"),
        ("H-CONT-08", "V-146"), ("H-CONT-09", "V-152"), ("H-CONT-10", "V-147"), ("H-CONT-11", "V-145"),
    ],
)  # fmt: skip
def test_a_record_that_is_otherwise_is_found(clause, check) -> None:
    row = VIOLATIONS[check]
    findings = {one.id: one.level for one in found(changed(row), row.get("home"))}
    assert check in findings, clause
    assert findings[check] is Level.ERROR or check == "V-147"


MIDNIGHT = "2026-06-13T00:00:00+08:00"
CONTENTS = [
    ("H-CONT-01", "今天喝够6杯水就播报", {"target": 6, "unit": "杯", "window": "day", "expires_at": MIDNIGHT}),
    (
        "H-CONT-02", "妈妈每周跑步3次",
        {"target": 3, "unit": "次", "window": "week", "recurring_pattern": {"window": "week"}},
    ),
    ("H-CONT-03", "今天累计看书2小时就播报", {"target_minutes": 120, "expires_at": MIDNIGHT}),
    ("H-CONT-04", "每天累计看书2小时就播报", {"target_minutes": 120, "recurring_pattern": {"window": "day"}}),
    ("H-CONT-05", "儿子看电视看了多久", {"recurring_pattern": {"window": "longterm"}}),
    ("H-CONT-06", "统计爸爸每周看电视多久", {"recurring_pattern": {"window": "week"}}),
    ("H-CONT-06", "统计爸爸每天看电视多久", {"recurring_pattern": {"window": "day"}}),
    ("H-CONT-07", "记录儿子每次打喷嚏", {}),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "text", "content"), CONTENTS, ids=[f"{row[0]}-{row[1]}" for row in CONTENTS])
def test_a_record_has_this_content_and_nothing_more(clause, text, content) -> None:
    """H-CONT-01 … H-CONT-07: and what keeps records takes it as it is."""
    record = plan(text).assembly["record"]
    assert record["content"] == content, clause
    assert read_content(RecordKind(record["kind"]), content) == plan(text).plan.record


@pytest.mark.parametrize("text", [row[1] for row in CONTENTS])
def test_what_a_content_must_have_it_has(text) -> None:
    """H-CONT-08, H-CONT-09, H-CONT-10, H-KIND-02, H-KIND-07, H-KIND-08."""
    record = plan(text).assembly["record"]
    content = record["content"]
    if record["kind"] == "progress":
        assert content["window"] in ("day", "week")
        assert content["target"] > 0
    if record["task_type"] == "recurring":
        assert content["recurring_pattern"]["window"] in ("day", "week")
    assert 0 not in content.values()
    assert "target_minutes" not in content or content["target_minutes"] > 1
