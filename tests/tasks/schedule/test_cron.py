"""Reading cron expressions, and their instants where no clock is moved."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.kernel.moments import zone
from zhixing.tasks.schedule.cron import ALIASES, Cron

MONDAY_NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def firings(expression: str, n: int = 4, after: datetime = MONDAY_NOON) -> list[str]:
    instants = Cron.parse(expression).instants(after, zone("UTC"))
    return [f"{next(instants):%y-%m-%d %H:%M}" for _ in range(n)]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("* * * * *", ["26-11-30 12:01", "26-11-30 12:02", "26-11-30 12:03"]),
        ("0 9 * * *", ["26-12-01 09:00", "26-12-02 09:00", "26-12-03 09:00"]),
        ("*/20 * * * *", ["26-11-30 12:20", "26-11-30 12:40", "26-11-30 13:00"]),
        ("5/20 * * * *", ["26-11-30 12:05", "26-11-30 12:25", "26-11-30 12:45"]),
        ("1-59/29 * * * *", ["26-11-30 12:01", "26-11-30 12:30", "26-11-30 12:59"]),
        ("0 9 * * 0", ["26-12-06 09:00", "26-12-13 09:00", "26-12-20 09:00"]),
        ("0 9 * * 7", ["26-12-06 09:00", "26-12-13 09:00", "26-12-20 09:00"]),
        ("0 9 * * SUN", ["26-12-06 09:00", "26-12-13 09:00", "26-12-20 09:00"]),
        ("0 9 * * 5-7", ["26-12-04 09:00", "26-12-05 09:00", "26-12-06 09:00"]),
        ("0 9 * * sun-tue", ["26-12-01 09:00", "26-12-06 09:00", "26-12-07 09:00"]),
        ("0 9 * * Mon,wed", ["26-12-02 09:00", "26-12-07 09:00", "26-12-09 09:00"]),
        ("0 9 1 jan,JUL *", ["27-01-01 09:00", "27-07-01 09:00", "28-01-01 09:00"]),
        ("0 9 31 * *", ["26-12-31 09:00", "27-01-31 09:00", "27-03-31 09:00"]),
        ("0 9 29 2 *", ["28-02-29 09:00", "32-02-29 09:00", "36-02-29 09:00"]),
        ("0 9 13 * 5", ["26-12-04 09:00", "26-12-11 09:00", "26-12-13 09:00"]),
        ("0 9 29 2 1", ["27-02-01 09:00", "27-02-08 09:00", "27-02-15 09:00"]),
        ("0 9 */2 * 1", ["26-12-07 09:00", "26-12-21 09:00", "27-01-11 09:00"]),
        ("0 9 1-7 * */6", ["26-12-05 09:00", "26-12-06 09:00", "27-01-02 09:00"]),
        ("0 9 L * *", ["26-12-31 09:00", "27-01-31 09:00", "27-02-28 09:00"]),
        ("0 9 15,L * *", ["26-12-15 09:00", "26-12-31 09:00", "27-01-15 09:00"]),
        ("0 9 LW * *", ["26-12-31 09:00", "27-01-29 09:00", "27-02-26 09:00"]),
        ("0 9 * * fri#2", ["26-12-11 09:00", "27-01-08 09:00", "27-02-12 09:00"]),
        ("0 9 * * friL", ["26-12-25 09:00", "27-01-29 09:00", "27-02-26 09:00"]),
        ("0 9 * * 7#1", ["26-12-06 09:00", "27-01-03 09:00", "27-02-07 09:00"]),
    ],
)
def test_an_expression_occurs_at(expression: str, expected: list[str]):
    assert firings(expression, 3) == expected


@pytest.mark.parametrize(
    ("expression", "after", "expected"),
    [
        ("0 9 * * *", "2026-12-01T09:00:00+00:00", "26-12-02 09:00"),
        ("0 9 * * *", "2026-12-01T08:59:59.999999+00:00", "26-12-01 09:00"),
        ("0 9 * * *", "2026-12-01T09:00:00.000001+00:00", "26-12-02 09:00"),
        ("* * * * *", "2026-12-01T09:00:30+00:00", "26-12-01 09:01"),
        ("0 9 * * *", "2026-12-01T17:00:00+08:00", "26-12-02 09:00"),
    ],
)
def test_next_is_strictly_later(expression: str, after: str, expected: str):
    assert firings(expression, 1, datetime.fromisoformat(after)) == [expected]


@pytest.mark.parametrize(("alias", "expression"), ALIASES.items())
def test_an_alias_is_its_expression(alias: str, expression: str):
    assert Cron.parse(alias.upper()).expression == expression
    assert firings(alias) == firings(expression)


def test_the_written_text_is_kept_beside_the_numbers():
    cron = Cron.parse("  0 9 *  JAN-mar Mon-FRI,sun ")
    assert cron.text == "0 9 * JAN-mar Mon-FRI,sun"
    assert cron.expression == "0 9 * 1-3 1-5,0"


@pytest.mark.parametrize(
    ("expression", "key", "told"),
    [
        ("0 22-2 * * *", "cron_wrap", "22-23,0-2"),
        ("0 9 * * fri-mon", "cron_wrap", "5-7,1"),
        ("0 9 * * fri-sun", "cron_wrap", "5-7"),
        ("0 9 * * 6-0", "cron_wrap", "6-7"),
        ("50-10/20 * * * *", "cron_wrap", "10,50"),
        ("0 0 28-3 * *", "cron_wrap", "28-31,1-3"),
        ("0 0 1 nov-feb *", "cron_wrap", "11-12,1-2"),
        ("*/60 * * * *", "cron_step", "「0」"),
        ("*/90 * * * *", "cron_step", "「0」"),
        ("0 */24 * * *", "cron_step", "「0」"),
        ("0 0 */31 * *", "cron_step", "「1」"),
        ("0 0 1 */12 *", "cron_step", "「1」"),
        ("0 0 * * */7", "cron_step", "「0」"),
        ("55/10 * * * *", "cron_step", "「55」"),
        ("0-10/20 * * * *", "cron_step", "「0」"),
        ("*/0 * * * *", "cron_step_zero", "*/0"),
        ("60 * * * *", "cron_number", "0 到 59"),
        ("0 24 * * *", "cron_number", "0 到 23"),
        ("0 9 0 * *", "cron_number", "1 到 31"),
        ("0 9 32 * *", "cron_number", "1 到 31"),
        ("0 9 * 13 *", "cron_number", "1 到 12"),
        ("0 9 * * 8", "cron_number", "0 到 7"),
        ("0 9 * * *-5", "cron_term", "第 5 段"),
        ("0 9 * foo *", "cron_term", "foo"),
        ("0 9 * mon *", "cron_term", "mon"),
        ("0 9 15W * *", "cron_term", "15w"),
        ("0 9 L-3 * *", "cron_term", "l-3"),
        ("0 9 * * 5#6", "cron_term", "5#6"),
        ("0 9 * * L5", "cron_term", "l5"),
        ("H 9 * * *", "cron_term", "第 1 段"),
        ("-5 9 * * *", "cron_term", "-5"),
        ("1,,2 9 * * *", "cron_term", "第 1 段"),
        ("1.5 9 * * *", "cron_term", "1.5"),
        ("* 9 ＊ * *", "cron_term", "＊"),
        ("٣ 9 * * *", "cron_term", "第 1 段"),
        ("0 9 ? * 1", "cron_question", "*"),
        ("0 9 * *", "cron_fields", "4 段"),
        ("", "cron_fields", "0 段"),
        ("0 0 9 * * * 2026", "cron_fields", "7 段"),
        ("0 0 9 * * *", "cron_seconds", "0 9 * * *"),
        ("CRON_TZ=Asia/Tokyo 0 9 * * *", "cron_zone_inside", "「0 9 * * *」"),
        ("TZ=UTC @daily", "cron_zone_inside", "「@daily」"),
        ("@every 5m", "cron_alias", "every 15m"),
        ("@reboot", "cron_alias", "@daily"),
        ("0 9 30 2 *", "cron_never", "0 9 30 2 *"),
        ("0 0 31 4,6,9,11 *", "cron_never", "永远不会到"),
        ("0 0 30 2 */2", "cron_never", "永远不会到"),
        ("0 0 */28 * 1#3", "cron_never", "永远不会到"),
    ],
)
def test_an_expression_is_refused_with_what_to_write(expression: str, key: str, told: str):
    with pytest.raises(BadInput) as refusal:
        Cron.parse(expression)
    assert refusal.value.key == key
    assert told in str(refusal.value)


@pytest.mark.parametrize("length", [201, 100_000])
def test_an_endless_expression_is_refused(length: int):
    with pytest.raises(TooLarge):
        Cron.parse("1," * (length // 2) + "1 9 * * *")


@pytest.mark.parametrize("expression", ["0 0 29 2 *", "*/59 * * * *", "0 0 */30 * *", "0 0 30 2 1", "*/7 */5 * * *"])
def test_the_rare_and_the_uneven_are_accepted(expression: str):
    assert firings(expression)


def test_nothing_comes_after_the_end_of_the_calendar():
    end = datetime(9999, 12, 31, 23, 59, 30, tzinfo=UTC)
    assert Cron.parse("* * * * *").next(end, zone("UTC")) is None
    assert Cron.parse("* * * * *").next(end, zone("America/New_York")) is None
    assert Cron.parse("0 9 * * *").next(end, zone("Asia/Shanghai")) is None
