"""The document's content JSON, read strictly and written back."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import zone
from zhixing.tasks.records.content import patched, read_content, write_content
from zhixing.tasks.records.model import RecordKind, Window

END = "2026-10-12T23:59:59+08:00"
DAILY = {"window": "day"}

DOCUMENTED = [
    ("progress", {"target": 8, "unit": "杯", "window": "day", "expires_at": END}, Window.LONGTERM, True),
    ("progress", {"target": 8, "unit": "杯", "window": "day", "recurring_pattern": DAILY}, Window.DAY, False),
    (
        "progress",
        {"target": 5, "unit": "次", "window": "week", "recurring_pattern": {"window": "week"}},
        Window.WEEK,
        False,
    ),
    ("duration", {"target_minutes": 60, "expires_at": END}, Window.LONGTERM, True),
    ("duration", {"target_minutes": 60, "recurring_pattern": DAILY}, Window.DAY, False),
    ("duration", {"recurring_pattern": {"window": "longterm"}}, Window.LONGTERM, False),
    ("duration", {"recurring_pattern": {"window": "month"}}, Window.MONTH, False),
    ("event", {}, Window.LONGTERM, False),
    ("event", {"expires_at": END}, Window.LONGTERM, False),
]


@pytest.mark.parametrize(("kind", "content", "rhythm", "oneshot"), DOCUMENTED)
def test_every_content_of_the_document_is_read_and_written_as_it_was(kind, content, rhythm, oneshot):
    read = read_content(kind, content)
    assert (read.kind, read.rhythm, read.oneshot) == (RecordKind(kind), rhythm, oneshot)
    assert write_content(read, zone("Asia/Shanghai")) == content
    assert read_content(kind, write_content(read)) == read


def test_instants_are_kept_in_utc():
    read = read_content("duration", {"expires_at": END})
    assert read.expires_at == datetime(2026, 10, 12, 15, 59, 59, tzinfo=UTC)
    assert read.expires_at.tzinfo is UTC


def test_null_is_the_same_as_nothing():
    content = {"target_minutes": None, "expires_at": None, "recurring_pattern": DAILY}
    assert write_content(read_content("duration", content)) == {"recurring_pattern": DAILY}


def test_the_top_level_window_of_progress_decides_the_period():
    content = {"target": 8, "unit": "杯", "window": "day", "recurring_pattern": {"window": "week"}}
    read = read_content("progress", content)
    assert read.rhythm is Window.DAY
    assert write_content(read) == content


PROGRESS = {"target": 8, "unit": "杯", "window": "day", "recurring_pattern": DAILY}

REFUSED = [
    ("counter", {}, "没有「counter」这种记录，可用：progress、duration、event。"),
    ("", {}, "没有「」这种记录"),
    ("progress", [], "记录内容要写成 JSON 对象。"),
    ("progress", {}, "progress 记录要写 recurring_pattern（周期）或 expires_at（截止）之一。"),
    ("duration", {}, "duration 记录要写 recurring_pattern"),
    ("duration", {"target_minutes": 60}, "duration 记录要写 recurring_pattern"),
    ("duration", {"window": "day", **PROGRESS}, "duration 记录没有「window」这个字段，可用：target_minutes、"),
    ("progress", {**PROGRESS, "current": 3}, "progress 记录没有「current」这个字段"),
    ("event", {"target": 3}, "event 记录没有「target」这个字段"),
    ("event", {"window": "day"}, "event 记录没有「window」这个字段"),
    ("progress", {"unit": "杯", "window": "day", "expires_at": END}, "progress 记录缺少「target」。"),
    ("progress", {"target": 8, "window": "day", "expires_at": END}, "progress 记录缺少「unit」。"),
    ("progress", {"target": 8, "unit": "杯", "expires_at": END}, "progress 记录缺少「window」。"),
    ("progress", {**PROGRESS, "target": 0}, "target 应为 1 到 1000000000 的整数，现在是「0」。"),
    ("progress", {**PROGRESS, "target": -1}, "target 应为 1 到"),
    ("progress", {**PROGRESS, "target": 8.0}, "target 应为 1 到"),
    ("progress", {**PROGRESS, "target": True}, "target 应为 1 到"),
    ("progress", {**PROGRESS, "target": "8"}, "target 应为 1 到"),
    ("progress", {**PROGRESS, "target": 10**30}, "target 应为 1 到"),
    ("duration", {"target_minutes": 0, "recurring_pattern": DAILY}, "target_minutes 应为 1 到"),
    ("progress", {**PROGRESS, "window": "year"}, "window 不能是「year」，可用：day、week、month、longterm。"),
    ("progress", {**PROGRESS, "window": ["day"]}, "window 不能是"),
    ("progress", {**PROGRESS, "unit": " "}, "unit 要写单位，如 杯、次，最多 16 个字。"),
    ("progress", {**PROGRESS, "unit": "杯" * 17}, "unit 要写单位"),
    ("progress", {**PROGRESS, "unit": "杯\x00"}, "unit 要写单位"),
    ("progress", {**PROGRESS, "unit": 8}, "unit 要写单位"),
    ("duration", {"recurring_pattern": {}}, 'recurring_pattern 要写成 {"window": "day"} 这样，只有 window。'),
    ("duration", {"recurring_pattern": "day"}, "recurring_pattern 要写成"),
    ("duration", {"recurring_pattern": {"window": "day", "n": 2}}, "recurring_pattern 要写成"),
    ("duration", {"recurring_pattern": {"window": "hour"}}, "recurring_pattern.window 不能是「hour」"),
    ("duration", {"recurring_pattern": {"window": None}}, "recurring_pattern.window 不能是「None」"),
    ("duration", {"expires_at": "tomorrow"}, "看不懂时间「tomorrow」"),
    ("duration", {"expires_at": "2026-10-12T23:59:59"}, "缺少时区偏移"),
    ("duration", {"expires_at": 1791766800}, "看不懂时间"),
    ("duration", {"expires_at": "9999-12-31T23:59:59+00:00"}, "看不懂时间"),
    ("duration", {"expires_at": "0001-01-01T00:00:00+00:00"}, "看不懂时间"),
]


@pytest.mark.parametrize(("kind", "content", "words"), REFUSED)
def test_what_is_no_content_gets_one_clear_line(kind, content, words):
    with pytest.raises(BadInput) as caught:
        read_content(kind, content)
    assert str(caught.value).startswith(words) or words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_patch_sets_fields_anew_and_takes_away_what_may_be_missing():
    before = read_content("progress", PROGRESS)
    assert write_content(patched(before, {"target": 10, "unit": " 次 "})) == {**PROGRESS, "target": 10, "unit": "次"}
    once = patched(before, {"recurring_pattern": None, "expires_at": END})
    assert (once.recurring, once.oneshot) == (None, True)


@pytest.mark.parametrize(
    ("kind", "patch", "words"),
    [
        ("progress", {}, "没有要改的内容，可改：target、unit、window、recurring_pattern、expires_at。"),
        ("progress", [], "要改的内容要写成 JSON 对象。"),
        ("progress", {"current": 3}, "progress 记录不能改「current」，可改：target、"),
        ("progress", {"kind": "event"}, "progress 记录不能改「kind」"),
        ("progress", {"target": None}, "progress 记录缺少「target」。"),
        ("progress", {"recurring_pattern": None}, "progress 记录要写 recurring_pattern"),
        ("duration", {"window": "week"}, "duration 记录不能改「window」，可改：target_minutes、"),
        ("event", {"target": 3}, "event 记录不能改「target」，可改：recurring_pattern、expires_at。"),
    ],
)
def test_a_patch_that_does_not_fit_is_refused(kind, patch, words):
    content = {"progress": PROGRESS, "duration": {"recurring_pattern": DAILY}, "event": {}}[kind]
    with pytest.raises(BadInput, match=words):
        patched(read_content(kind, content), patch)
