"""What can be typed for a trigger."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.kernel.errors import ZhixingError
from zhixing.kernel.moments import zone
from zhixing.tasks.schedule.cron import Cron
from zhixing.tasks.schedule.expression import parse_expression
from zhixing.tasks.schedule.model import At, Every
from zhixing.tasks.schedule.next import upcoming

SHANGHAI = zone("Asia/Shanghai")
SAID = datetime(2026, 10, 12, 2, 3, 4, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "trigger"),
    [
        ("0 9 * * 1-5", Cron.parse("0 9 * * 1-5")),
        ("@daily", Cron.parse("@daily")),
        (" @DAILY ", Cron.parse("@DAILY")),
        ("every 90s", Every(90, SAID)),
        ("every 15m", Every(900, SAID)),
        ("EVERY 2 H", Every(7_200, SAID)),
        ("every 1d", Every(86_400, SAID)),
        ("at 2026-10-12T10:00:00+08:00", At(datetime(2026, 10, 12, 10, tzinfo=timezone(timedelta(hours=8))))),
        ("at 2026-10-12 10:00+08:00", At(datetime(2026, 10, 12, 10, tzinfo=timezone(timedelta(hours=8))))),
        ("AT 2026-10-12T02:00:00Z", At(datetime(2026, 10, 12, 2, tzinfo=UTC))),
    ],
)
def test_an_expression_is_read(text: str, trigger: object):
    assert parse_expression(text, SHANGHAI, SAID) == trigger


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "expression_empty"),
        ("   ", "expression_empty"),
        ("9am", "expression_unreadable"),
        ("30", "expression_unreadable"),
        ("2026-10-12T10:00:00+08:00", "expression_unreadable"),
        ("every", "every_unreadable"),
        ("every 15", "every_unreadable"),
        ("every 500ms", "every_unreadable"),
        ("every 1.5h", "every_unreadable"),
        ("every -5m", "every_unreadable"),
        ("every five minutes", "every_unreadable"),
        ("every 1h30m", "every_unreadable"),
        ("every 0s", "every_out_of_range"),
        ("every 999999999d", "every_out_of_range"),
        ("at", "instant_unreadable"),
        ("at tomorrow", "instant_unreadable"),
        ("at 2026-02-30T10:00:00+08:00", "instant_unreadable"),
        ("at 2026-10-12T10:00:00", "instant_without_offset"),
        ("at 2026-10-12", "instant_without_offset"),
        ("@every 5m", "cron_alias"),
        ("9 点", "cron_fields"),
        ("0 0 9 * * *", "cron_seconds"),
    ],
)
def test_an_expression_is_refused(text: str, key: str):
    with pytest.raises(ZhixingError) as refusal:
        parse_expression(text, SHANGHAI)
    assert refusal.value.key == key
    assert str(refusal.value)


def test_every_without_an_anchor_falls_on_the_quarters_of_the_zone():
    kolkata = zone("Asia/Kolkata")
    found = upcoming(parse_expression("every 15m", kolkata), kolkata, SAID, 2)
    assert [f"{instant.astimezone(kolkata):%H:%M:%S}" for instant in found] == ["07:45:00", "08:00:00"]


@pytest.mark.parametrize(
    "text", ["0 9 * * 1-5", "@daily", "every 90s", "every 15m", "every 1d", "at 2026-10-12T10:00:00+08:00"]
)
def test_a_trigger_can_be_written_and_read_again(text: str):
    trigger = parse_expression(text, SHANGHAI, SAID)
    written = trigger.text if isinstance(trigger, Cron) else trigger.expression
    assert written == text
    assert parse_expression(written, SHANGHAI, SAID) == trigger


@given(st.text(max_size=300))
def test_no_text_does_more_than_be_refused(text: str):
    for head in ("", "every ", "at ", "@", "* * * * "):
        with suppress(ZhixingError):
            parse_expression(head + text, SHANGHAI)
