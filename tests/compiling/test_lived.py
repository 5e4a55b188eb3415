"""What is compiled gives the commands that the household task gives, at the same instants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.compiling.lived import START, Both, Told, told
from tests.compiling.plans import (
    BUTTON,
    DAMP,
    DOOR,
    HALL_OFF,
    HALL_ON,
    MOTION,
    OFF,
    ON,
    WARM,
    WINDOW,
    cron,
    rule,
    state,
    switch,
    task,
)

from zhixing.graphs.hubs.outcomes import Outcome

LIGHT, HALL = ("light_living", 2, 1), ("light_entrance", 2, 1)
LIT, DARK = (*LIGHT, (True,)), (*LIGHT, (False,))
HALL_LIT, HALL_DARK = (*HALL, (True,)), (*HALL, (False,))
HOUR, DAY = 3_600, 86_400
TOGGLE = {"did": "light_living", "iid": "action.toggle", "idempotent": False, "cooldown_minutes": 2}


def door(*times: float, source: str = DOOR, first: bool = False) -> tuple[Told, ...]:
    """Say when a contact changes, from closed; it was told of before the start."""
    return (
        told(0, source, first),
        *(told(at, source, bool(number % 2) == first) for number, at in enumerate(times)),
    )


def closed(story: Sequence[Told]) -> tuple[Told, ...]:
    """Let a story be about the opposite condition."""
    return tuple(Told(each.at, each.source, each.value, not each.holds) for each in story)


@dataclass(frozen=True)
class Case:
    name: str
    plan: dict[str, Any]
    story: tuple[Told, ...]
    seconds: float
    given: list[tuple[float, Any]] = field(default_factory=list)
    """What is expected, in seconds."""
    start: timedelta = timedelta(0)


OPEN = "大门开着"
CASES = [
    Case("a door that opens lights the room, each time", task(rule(OPEN, DOOR, action=ON)), door(5, 9, 20), 60,
         [(5, LIT), (20, LIT)]),
    Case("a door that closes", task(rule("门关上了", DOOR, action=OFF)), closed(door(5, 9)), 60, [(9, DARK)]),
    Case("two commands in their order", task(rule(OPEN, DOOR, actions=[HALL_ON, ON])), door(5), 60,
         [(5, HALL_LIT), (5, LIT)]),
    Case("open for long enough", task(rule(OPEN, DOOR, action=ON, duration_seconds=60)), door(5, 64, 100), 300,
         [(160, LIT)]),
    Case("nobody for five minutes", task(rule("玄关没人", MOTION, action=HALL_OFF, duration_seconds=300)),
         closed(door(10, 20, 200, 210, source=MOTION)), 900, [(510, HALL_DARK)]),
    Case("in and out, with a short break between", task(state(OPEN, DOOR)), door(5, 50, 70, 100), 300,
         [(5, LIT), (160, DARK)]),
    Case("out at once", task(state(OPEN, DOOR, debounce=0)), door(5, 50, 51, 60), 300,
         [(5, LIT), (50, DARK), (51, LIT), (60, DARK)]),
    Case("in after a minute, out after half a one",
         task(state(OPEN, DOOR, debounce=30, duration_seconds=60)), door(5, 40, 50, 120, 130, 140), 400,
         [(110, LIT), (170, DARK)]),
    Case("only out", task(state(OPEN, DOOR, enter=None)), door(5, 50), 300, [(110, DARK)]),
    Case("only in, and not again after a short break", task(state(OPEN, DOOR, leave=None)), door(5, 50, 70), 300,
         [(5, LIT)]),
    Case("quiet hours", task(rule(OPEN, DOOR, action=ON, quiet=["10:01-10:03"])), door(5, 9, 70, 100, 200), 300,
         [(5, LIT), (200, LIT)]),
    Case("who came in quiet hours is not seen out", task(state(OPEN, DOOR, quiet=["10:01-10:03"])),
         door(70, 100, 400, 500), 900, [(400, LIT), (560, DARK)]),
    Case("a break does not end a silence", task(state(OPEN, DOOR, quiet=["10:01-10:02"])),
         door(110, 115, 125, 300), 900, []),
    Case("quiet hours over midnight", task(rule(OPEN, DOOR, action=ON, quiet=["22:00-06:00"])), door(5, 9, 20), 60,
         [], start=timedelta(hours=13)),
    Case("not again too soon", task(rule(OPEN, DOOR, action=ON, cooldown_seconds=60)), door(5, 9, 64, 70, 90), 200,
         [(5, LIT), (90, LIT)]),
    Case("who came in too soon is not seen out", task(state(OPEN, DOOR, debounce=10, cooldown_seconds=100)),
         door(5, 20, 50, 60, 200, 210), 400, [(5, LIT), (30, DARK), (200, LIT), (220, DARK)]),
    Case("any of two", task(rule("开着", DOOR, WINDOW, action=ON)),
         (*door(5, 40), *door(20, 50, 60, source=WINDOW)), 200, [(5, LIT), (60, LIT)]),
    Case("all of two", task(rule("关着", DOOR, WINDOW, action=OFF, agreement="all")),
         closed((*door(5, 40), *door(20, 50, source=WINDOW))), 200, [(50, DARK)]),
    Case("too warm", task(rule("温度高于 28 度", WARM, action=switch("ac_living", value=True))),
         (told(0, WARM, 26.0, holds=False), told(5, WARM, 28.0, holds=False), told(9, WARM, 28.1, holds=True),
          told(20, WARM, 30.0, holds=True)), 60, [(9, ("ac_living", 2, 1, (True,)))]),
    Case("damp enough, in and out",
         task(state("湿度不低于60%", DAMP, enter=switch("humidifier_kids", value=False),
                    leave=switch("humidifier_kids", value=True), debounce=0)),
         (told(0, DAMP, 45, holds=False), told(5, DAMP, 60, holds=True), told(9, DAMP, 59, holds=False)), 60,
         [(5, ("humidifier_kids", 2, 1, (False,))), (9, ("humidifier_kids", 2, 1, (True,)))]),
    Case("a button, each time", task(rule("双击床头按钮", BUTTON, action=ON)),
         (told(5, BUTTON, "double"), told(9, BUTTON, "click", holds=False), told(20, BUTTON, "double")), 60,
         [(5, LIT), (20, LIT)]),
    Case("a command that waits before it is given again", task(rule(OPEN, DOOR, action=TOGGLE)),
         door(5, 9, 60, 70, 130), 200, [(5, (*LIGHT, ())), (130, (*LIGHT, ()))]),
    Case("commands in words", task(rule(OPEN, DOOR, action_desc="打开客厅吸顶灯；关掉玄关灯")), door(5), 60,
         [(5, LIT), (5, HALL_DARK)]),
    Case("words in, a command out",
         task(rule(OPEN, DOOR, mode="state", on_enter_desc="把主卧空调调到24度", on_exit_action=OFF)),
         door(5, 50), 300, [(5, ("ac_bedroom", 2, 1, (True,))), (5, ("ac_bedroom", 2, 3, (24,))), (110, DARK)]),
    Case("on working days", task(cron("30 7 * * 1-5", "打开客厅吸顶灯")), (), 7 * DAY,
         [(day * DAY + 21.5 * HOUR, LIT) for day in (0, 1, 2, 3, 6)]),
    Case("on Sundays", task(cron("0 9 * * 0", "打开客厅吸顶灯")), (), 8 * DAY, [(5 * DAY + 23 * HOUR, LIT)]),
    Case("a weekday beside all days of the month is any day", task(cron("0 11 1-31 * 2", "打开客厅吸顶灯")), (),
         2 * DAY, [(HOUR, LIT), (DAY + HOUR, LIT)]),
    Case("several times a day", task(cron("0,30 11-12 * * *", "关掉客厅吸顶灯")), (), 4 * HOUR,
         [(at * HOUR, DARK) for at in (1, 1.5, 2, 2.5)]),
    Case("every five minutes",
         task({"name": "常开", "kind": "every", "every_ms": 300_000, "message": "打开客厅吸顶灯"}),
         (), 1_000, [(300, LIT), (600, LIT), (900, LIT)]),
    Case("two jobs with the same minute", task(cron("0 11 * * *", "打开客厅吸顶灯", "甲"),
         cron("0 11 * * *", "打开玄关灯", "乙")), (), 2 * HOUR, [(HOUR, LIT), (HOUR, HALL_LIT)]),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_hub_does_what_the_home_does(case: Case, tmp_path: Path) -> None:
    both = Both(tmp_path, START + case.start)
    slug = both.apply(case.plan)
    compiled = both.compiled(slug)
    expected = [(round(at * 1_000), deed) for at, deed in case.given]
    assert [each.text() for each in compiled.left] == []
    assert compiled.verdict.valid
    assert compiled.trials
    assert all(each.passed for each in compiled.trials)
    assert both.ran(compiled, case.story, case.seconds) == expected
    assert both.lived(slug, case.story, case.seconds) == expected


def test_the_rule_runs_on_the_gateway_of_the_home(tmp_path: Path) -> None:
    both = Both(tmp_path)
    compiled = both.compiled(both.apply(task(state(OPEN, DOOR, debounce=5))))
    assert compiled.rule is not None
    assert both.app.graphs.deploy(compiled.rule).outcome is Outcome.APPLIED
    shown = []
    for at, opened in ((10, True), (20, False), (22, True), (30, False)):
        both.pass_time(at)
        both.app.hub.set_property(DOOR, "contact-state", opened)
        both.pass_time(at + 1)
        shown.append(both.app.hub.read("light_living", "prop.2.1"))
    both.pass_time(40)
    shown.append(both.app.hub.read("light_living", "prop.2.1"))
    assert [each.value for each in shown] == [True, True, True, True, False]
