"""Triggers as a user reads them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.kernel.moments import zone
from zhixing.tasks.schedule.expression import parse_expression
from zhixing.tasks.schedule.words import in_words

SHANGHAI = zone("Asia/Shanghai")


@pytest.mark.parametrize(
    ("expression", "chinese", "english"),
    [
        ("* * * * *", "每分钟", "every minute"),
        ("*/5 * * * *", "每 5 分钟", "every 5 minutes"),
        ("*/25 * * * *", "每小时的第 0、25、50 分", "at minute 0, 25, 50 of every hour"),
        ("0 * * * *", "每小时整点", "every full hour"),
        ("5/15 * * * *", "每小时的第 5、20、35、50 分", "at minute 5, 20, 35, 50 of every hour"),
        ("0 */2 * * *", "每 2 小时整点（从 0 点起）", "every 2 hours on the hour (from 00:00)"),
        ("0 */5 * * *", "每天，0、5、10、15、20 点整", "every day, at full hour 0, 5, 10, 15, 20"),
        ("* 3 * * *", "每天，3 点的每分钟", "every day, every minute of hour 3"),
        ("@daily", "每天 00:00", "every day at 00:00"),
        ("@weekly", "每周日 00:00", "every Sunday at 00:00"),
        ("@yearly", "每年 1 月 1 日 00:00", "day 1 of every January at 00:00"),
        ("0 9 * * 1-5", "每周一至周五 09:00", "every Monday–Friday at 09:00"),
        ("30 7,12 * * sat,sun", "每周六、周日 07:30、12:30", "every Saturday, Sunday at 07:30, 12:30"),
        ("0 9 * * 5-7", "每周五至周日 09:00", "every Friday–Sunday at 09:00"),
        ("0 9 1,15 * *", "每月 1、15 日 09:00", "day 1, 15 of every month at 09:00"),
        ("0 9 29 2 *", "每年 2 月 29 日 09:00", "day 29 of every February at 09:00"),
        ("0 9 L * *", "每月最后一天 09:00", "the last day of every month at 09:00"),
        ("0 9 * * 5#2", "每月的第 2 个周五 09:00", "Friday no. 2 of every month at 09:00"),
        ("0 9 * * 5L", "每月的最后一个周五 09:00", "the last Friday of every month at 09:00"),
        ("0 9 * 7-9 1", "每年 7 月至 9 月的周一 09:00", "Monday of every July–September at 09:00"),
        ("0 9 * 12 *", "每年 12 月每天 09:00", "every day of every December at 09:00"),
        # Day of month and weekday are alternatives …
        ("0 9 15 * 1", "每月 15 日或周一 09:00", "day 15 or Monday of every month at 09:00"),
        ("0 9 1-31 * 1", "每天 09:00", "every day at 09:00"),
        # … unless one of them starts with a star.
        ("0 9 */10 * 1", "每月 1、11、21、31 日里的周一 09:00", "Monday on day 1, 11, 21, 31 of every month at 09:00"),
        ("0 9 */1 * 1", "每周一 09:00", "every Monday at 09:00"),
        (
            "*/15 9-17 * * mon-fri",
            "每周一至周五，9–17 点内每 15 分钟",
            "every Monday–Friday, every 15 minutes in hour 9–17",
        ),
        ("every 90s", "每 90 秒", "every 90 s"),
        ("every 120m", "每 2 小时", "every 2 h"),
        ("every 1d", "每 1 天（1×24 小时）", "every 1 × 24 h"),
        ("at 2026-10-12T10:00:00+08:00", "2026-10-12 10:00:00+08:00，一次", "2026-10-12 10:00:00+08:00, once"),
    ],
)
def test_a_trigger_in_words(expression: str, chinese: str, english: str):
    trigger = parse_expression(expression, SHANGHAI)
    assert in_words(trigger) == chinese
    assert in_words(trigger, "en") == english


@given(
    st.sampled_from(["*", "*/5", "*/7", "0", "0-59", "3-9/2", "1,2,40"]),
    st.sampled_from(["*", "*/2", "*/7", "8", "9-17", "0-23", "1,2,4,8,16"]),
    st.sampled_from(["*", "*/2", "1-31", "15", "L", "LW", "1,2,L"]),
    st.sampled_from(["*", "*/3", "2", "1-12", "1,6"]),
    st.sampled_from(["*", "*/2", "1-5", "7", "fri#1", "friL", "1,fri#1"]),
)
def test_different_patterns_read_differently(minute: str, hour: str, day: str, month: str, weekday: str):
    """The words lose nothing: whoever changes one field sees it, unless it means the same."""
    said = in_words(parse_expression(f"{minute} {hour} {day} {month} {weekday}", SHANGHAI))
    assert said != in_words(parse_expression(f"17 {hour} {day} {month} {weekday}", SHANGHAI))
    assert said != in_words(parse_expression(f"{minute} 5 {day} {month} {weekday}", SHANGHAI))
