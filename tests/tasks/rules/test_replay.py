"""The machine, on a virtual clock: tables of what a rule does, with as many that do not fire as that do.

Every table runs again with a restart before every verdict: what is kept of a rule must be all there is to it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from tests.tasks.rules.conftest import SAY, SHANGHAI, at, frames, plan, seconds, verdict

from zhixing.tasks.rules.model import NOTHING, Limit, QuietSpan
from zhixing.tasks.rules.replay import Interlude, Step, Transition, replay


@dataclass(frozen=True)
class Case:
    """Verdicts every four seconds and what follows: `enter 4`, `exit 64 left 4`, `near held 18/20`."""

    name: str
    verdicts: Any
    expected: list[str]
    rule: dict[str, Any] = field(default_factory=dict)
    made: float | None = -1000
    until: float = 400
    more: dict[str, Any] = field(default_factory=dict)
    restarts: bool = True


def short(transition: Transition) -> str:
    match transition.what:
        case "near_miss":
            held = f" {transition.held:g}/{transition.needed:g}" if transition.needed else ""
            return f"near {transition.why}{held}"
        case "exit":
            return f"exit {seconds(transition.at)} left {seconds(transition.left)}"
        case _:
            return f"{transition.what} {seconds(transition.at)}"


def read(verdicts: Any) -> list:
    if isinstance(verdicts, str):
        return frames(verdicts)
    return list(verdicts) if isinstance(verdicts, tuple) else sorted(verdicts, key=lambda each: each.at)


def run(case: Case, *, restarts: bool) -> list[str]:
    verdicts = read(case.verdicts)
    mode = case.rule.get("mode", "event")
    interludes = list(case.more.get("interludes", ()))
    if restarts:
        # Long enough before the verdict for nothing to be due at the same instant.
        interludes += [Interlude(each.at - timedelta(milliseconds=1), Step.RESTART) for each in verdicts]
        interludes.sort(key=lambda each: each.at)
    done = replay(
        plan(mode, **{name: value for name, value in case.rule.items() if name != "mode"}),
        SHANGHAI,
        verdicts,
        at(case.until),
        made=None if case.made is None else at(case.made),
        **(case.more | {"interludes": interludes}),
    )
    return [short(transition) for transition in done]


def stopped(first: float, last: float) -> dict[str, Any]:
    return {"interludes": (Interlude(at(first), Step.STOP), Interlude(at(last), Step.START))}


TWO = {"sources": ("cam1", "cam2")}
ALL = {"sources": ("cam1", "cam2"), "agreement": "all"}
STATE = {"mode": "state"}
NEVER: list[str] = []


def both(first: str, second: str, **rest: Any) -> list:
    return frames(first, source="cam1", **rest) + frames(second, source="cam2", **rest)


EVENT = [
    Case("a first true after a false fires", "F T", ["enter 4"]),
    Case("a single true fires", "F T F F F", ["enter 4"]),
    Case("it fires again after it was confirmed to be over", "F T F F T", ["enter 4", "enter 16"]),
    Case("a single false does not end the episode", "F T F T F T", ["enter 4"]),
    Case("nothing but false never fires", "F F F F", NEVER),
    Case("nothing but unknown never fires", "U U U U", NEVER),
    Case("true that goes on fires once", "F T T T T T T T", ["enter 4"]),
    Case("unknown does not end the episode", "F T U U U U U U U U U U U U T", ["enter 4"]),
    Case("unknown between two false does not matter", "F T F U F T", ["enter 4", "enter 20"]),
    Case("a false that nothing contradicts for ten seconds counts", "F T F . . T", ["enter 4", "enter 20"]),
    Case("a false contradicted within ten seconds does not", "F T F . T", ["enter 4"]),
    Case("a firm false needs no second", [*frames("F T"), verdict("F", 8, firm=True), verdict("T", 9)],
         ["enter 4", "enter 9"]),
    Case("the same false told again confirms nothing", [*frames("F T F"), verdict("F", 8), *frames("T T", first=12)],
         ["enter 4"], restarts=False),
    Case("an older verdict is ignored", (*frames("F T F F"), verdict("T", 11.5)), ["enter 4"], restarts=False),
    Case("one of the same instant is not", (*frames("F T F F"), verdict("T", 12)), ["enter 4", "enter 12"],
         restarts=False),
    Case("a verdict about something else is ignored", frames("F T T", query="下雨"), NEVER),
    Case("a source the rule does not name is ignored", frames("F T T", source="cam9"), NEVER),
    Case("what was so when the rule was made is how things were", "T T T", ["near already_true"], made=None),
    Case("what comes within a minute of its making without a false before is, too", [verdict("T", 59)],
         ["near already_true"], made=0),
    Case("what comes later fires", [verdict("T", 61)], ["enter 61"], made=0),
    Case("after that it fires as ever", "T F F T", ["near already_true", "enter 12"], made=None),
    Case("a false first makes the true an edge", "F T", ["enter 4"], made=None),
    Case("cooldown keeps an episode silent", "F T F F T F F", ["enter 4", "near cooldown"], {"cooldown": 60}),
    Case("after the cooldown it fires again", [*frames("F T F F"), verdict("T", 64)], ["enter 4", "enter 64"],
         {"cooldown": 60}),
    Case("an episode that began silently stays silent", [*frames("F T F F T T T T"), *frames("T T T", first=80)],
         ["enter 4", "near cooldown"], {"cooldown": 60}),
    Case("in quiet hours it does not fire", "F T F F", ["near quiet"], {"quiet": (QuietSpan(10 * 60, 11 * 60),)}),
    Case("outside of quiet hours it does", "F T F F", ["enter 4"], {"quiet": (QuietSpan(11 * 60, 10 * 60),)}),
    Case("a rule that fires too often is stopped", "F T F F T F F T F F T F F T F F",
         ["enter 4", "enter 16", "stopped 28"],
         {"limit": Limit(2, 60)}),
    Case("a rule that fires as often as it may is not", [*frames("F T F F T F F"), *frames("T F F", first=100)],
         ["enter 4", "enter 16", "enter 100"], {"limit": Limit(2, 60)}),
]  # fmt: skip

DURATION = [
    Case("it fires when it held for long enough", "F T T T T T T T", ["enter 24"], {"duration": 20}),
    Case("it fires once while it goes on holding", "F" + "T" * 30, ["enter 24"], {"duration": 20}),
    Case("it does not fire before", "F T T T T T", NEVER, {"duration": 20}, until=23.9),
    Case("it fires without a verdict at that instant", "F T T", ["enter 24"], {"duration": 20}, restarts=False),
    Case("it does not fire when it was over before", "F T T T F F T", ["enter 44"], {"duration": 20}),
    Case("a single false neither breaks nor extends it", "F T T F T T T T", ["enter 24"], {"duration": 20}),
    Case("a short unknown neither breaks nor extends it", "F T T U T T T T", ["enter 24"], {"duration": 20}),
    Case("what held nearly long enough is told", [*frames("F T T T T"), verdict("F", 23), verdict("F", 25)],
         ["near held 19/20"], {"duration": 20}),
    Case("what held for half of it is not", "F T T T F F", NEVER, {"duration": 20}),
    Case("a doubt at the deadline waits, and true resolves it", "F T T T T T F T", ["enter 24"], {"duration": 20}),
    Case("a doubt at the deadline waits, and false resolves it",
         [*frames("F T T T T T"), verdict("F", 23), verdict("F", 27)],
         ["near held 19/20"], {"duration": 20}),
    Case("unknown at the deadline waits", "F T T T T T U T", ["enter 24"], {"duration": 20}),
    Case("unknown at the deadline and then false does not fire",
         [*frames("F T T T T"), verdict("U", 22), *frames("F F", first=28)],
         ["near held 18/20"], {"duration": 20}),
    Case("an unknown longer than tolerated starts it anew", "F T T U U U T T T T T T",
         ["near unknown 8/20", "enter 44"],
         {"duration": 20, "tolerance": 5}),
    Case("an unknown as long as tolerated does not", "F T T U . T T T T T T", ["enter 24"],
         {"duration": 20, "tolerance": 8}),
    Case("what was so when it was made counts from then", "T T T T T T T", ["enter 20"], {"duration": 20}, made=None),
    Case("it fires again after another whole duration", "F TTTTTT FF TTTTTT", ["enter 24", "enter 56"],
         {"duration": 20}),
    Case("two short holds do not add up", "F TTT FF TTT FF TTT FF", NEVER, {"duration": 20}),
    Case("a source that falls silent is unknown after a while", "F T", ["near unknown 180/300"], {"duration": 300}),
    Case("a verdict that lasts stands", [verdict("F", 0, lasting=True), verdict("T", 4, lasting=True)], ["enter 304"],
         {"duration": 300}),
    Case("without an expiry every verdict stands", "F T", ["enter 304"], {"duration": 300, "expiry": None}),
    Case("quiet hours count when it would fire", "F T T T T T T T", ["near quiet 20/20"],
         {"duration": 20, "quiet": (QuietSpan(10 * 60, 10 * 60 + 1),)}),
]  # fmt: skip

STATES = [
    Case("it enters and leaves", "F T F F", ["enter 4", "exit 68 left 8"], STATE),
    Case("the exit counts from the first false", "T F F F F F", ["enter 0", "exit 64 left 4"], STATE),
    Case("a single false is no exit", "F T F T", ["enter 4"], STATE, until=170),
    Case("a sure return cancels the exit", "T F F T T", ["enter 0"], STATE, until=170),
    Case("an unsure return does not", "T F F T F F", ["enter 0", "exit 64 left 4"], STATE),
    Case("a return that nothing contradicts for ten seconds is sure", "T F F T . . F F",
         ["enter 0", "exit 84 left 24"], STATE),
    Case("a firm return cancels at once", [*frames("T F F"), verdict("T", 12, firm=True)], ["enter 0"],
         STATE, until=170),
    Case("after the exit it enters anew", [*frames("T F F"), *frames("T T", first=80)],
         ["enter 0", "exit 64 left 4", "enter 80"], STATE, until=170),
    Case("without a debounce it leaves at once", "T F F", ["enter 0", "exit 4 left 4"], STATE | {"exit_debounce": 0}),
    Case("without a debounce a single false still has to be confirmed", "T F T", ["enter 0"],
         STATE | {"exit_debounce": 0},
         until=170),
    Case("a long debounce makes coming back no new arrival", [*frames("T F F"), *frames("T T F F", first=1000)],
         ["enter 0", "exit 2808 left 1008"], STATE | {"exit_debounce": 1800}, until=4000),
    Case("unknown is no exit", "T U U U U", ["enter 0"], STATE, until=9000),
    Case("silence is no exit", "T", ["enter 0"], STATE, until=9000),
    Case("after an unknown it had ended when the unknown began", "T T U U U F F", ["enter 0", "exit 68 left 8"], STATE),
    Case("what is true when it is made enters", "T T", ["enter 0"], STATE, made=None, until=170),
    Case("what was never entered is not left", "F F F F", NEVER, STATE),
    Case("a duration that was not reached enters nothing and leaves nothing", "F T T F F", NEVER,
         STATE | {"duration": 20}),
    Case("a duration that was reached enters", "F TTTTTT FF", ["enter 24", "exit 88 left 28"],
         STATE | {"duration": 20}),
    Case("with nothing to say on leaving, the episode still ends", [*frames("T F F"), *frames("T T", first=80)],
         ["enter 0", "exit 64 left 4", "enter 80"], STATE | {"on_exit": NOTHING}, until=170),
    Case("what was silent on entering is silent on leaving", "F T F F", ["near quiet"],
         STATE | {"quiet": (QuietSpan(10 * 60, 10 * 60 + 1),)}),
    Case("a return within the debounce is no new episode after quiet hours either",
         [*frames("F T T F F", first=40), *frames("T T", first=80)], ["near quiet"],
         STATE | {"quiet": (QuietSpan(10 * 60, 10 * 60 + 1),)}, until=170),
    Case("the cooldown keeps the next episode silent", [*frames("T F F"), *frames("T T F F", first=80)],
         ["enter 0", "exit 64 left 4", "near cooldown"], STATE | {"cooldown": 600}),
]  # fmt: skip

TARGETS = [
    Case("a target is reached", "T" * 20, ["enter 0", "target 30"], STATE | {"on_target": SAY}, until=76,
         more={"target_after": 30}),
    Case("it is reached once", "T" * 60, ["enter 0", "target 30"], STATE | {"on_target": SAY}, until=240,
         more={"target_after": 30}),
    Case("it is not reached where nothing is to be said", "T" * 20, ["enter 0"],
         STATE, until=76, more={"target_after": 30}),
    Case("what was over before does not reach it", "T T T T F F", ["enter 0", "exit 76 left 16"],
         STATE | {"on_target": SAY},
         more={"target_after": 30}),
    Case("what is over after it reached it", "TTTTTTTTT FF", ["enter 0", "target 30", "exit 96 left 36"],
         STATE | {"on_target": SAY}, more={"target_after": 30}),
    Case("a doubt at that instant waits, and true resolves it", "TTTTTTT F T T", ["enter 0", "target 30"],
         STATE | {"on_target": SAY}, until=36, more={"target_after": 30}),
    Case("a doubt at that instant waits, and false resolves it", "TTTTTTT F F F", ["enter 0", "exit 88 left 28"],
         STATE | {"on_target": SAY}, more={"target_after": 30}),
    Case("coming back before the exit goes on towards it", "TTT FF TTTTT", ["enter 0", "target 30"],
         STATE | {"on_target": SAY}, until=38, more={"target_after": 30}),
]  # fmt: skip

SEVERAL = [
    Case("any: one of two is enough", both("F T T", "F F F"), ["enter 4"], TWO),
    Case("any: going from one to the other is one episode", both("F T F F F F F", "F F T T T F F"),
         ["enter 4", "exit 80 left 20"], TWO | STATE),
    Case("any: both false is over, since the later one", both("F T F F F", "F T T F F"),
         ["enter 4", "exit 72 left 12"], TWO | STATE),
    Case("any: one false and one that saw it and cannot tell is unknown", both("T F F F", "T U U U"), ["enter 0"],
         TWO | STATE),
    Case("any: one that did not see it and cannot tell holds nothing up", both("F T T F F", "F U U U U"),
         ["enter 4", "exit 72 left 12"], TWO | STATE),
    Case("any: nor does one that could never tell", both("F T T F F", "U U U U U"), ["enter 4", "exit 72 left 12"],
         TWO | STATE),
    Case("any: nor one that was never heard", both("F T T F F", ""), ["enter 4", "exit 72 left 12"], TWO | STATE),
    Case("any: where one fell silent, what happens again is news", both("F T F F" + " ." * 56 + " T", "F F"),
         ["enter 4", "enter 240"], TWO),
    Case("any: all that cannot tell are unknown", both("F T U U U", "F U U U U"), ["enter 4"], TWO | STATE),
    Case("all: one of two is not enough", both("F T T T", "F F F F"), NEVER, ALL),
    Case("all: both are", both("F T T T", "F F T T"), ["enter 8"], ALL),
    Case("all: one that was never heard is not", both("F T T T", ""), NEVER, ALL),
    Case("all: one that cannot tell is not", both("F T T T", "F U U U"), NEVER, ALL),
    Case("all: one false is over", both("F T T T T", "F T T F F"), ["enter 4", "exit 72 left 12"], ALL | STATE),
    Case("all: one unknown is not over", both("F T T T T", "F T T U U"), ["enter 4"], ALL | STATE),
    Case("all cameras: one that was never heard does not agree", both("F T T T", ""), NEVER,
         {"sources": (), "agreement": "all"}, more={"cameras": ("cam1", "cam2")}),
    Case("any camera: one that was never heard does not matter", both("F T F F", ""), ["enter 4", "exit 68 left 8"],
         {"sources": ()} | STATE, more={"cameras": ("cam1", "cam2")}),
    Case("a sensor that is no camera in use does not count", both("F F F", "F T T"), NEVER, {"sources": ()},
         more={"cameras": ("cam1",)}),
]  # fmt: skip

EVENTS = [
    Case("an event fires", [verdict("T", 5, event="e1")], ["enter 5"]),
    Case("an event fires right after the rule was made", [verdict("T", 5, event="e1")], ["enter 5"], made=4),
    Case("the same event again does not", [verdict("T", 5, event="e1"), verdict("T", 9, event="e1")], ["enter 5"]),
    Case("another event does", [verdict("T", 5, event="e1"), verdict("T", 9, event="e2")], ["enter 5", "enter 9"]),
    Case("an unknown between them is not one",
         [verdict("T", 5, event="e1"), verdict("U", 7), verdict("T", 9, event="e1")],
         ["enter 5"]),
    Case("an event holds for no time", [verdict("T", 5, event="e1")], NEVER, {"duration": 1}),
    Case("an event is entered and left", [verdict("T", 5, event="e1")], ["enter 5", "exit 65 left 5"], STATE),
    Case("two events within the debounce are one episode, as of the last",
         [verdict("T", 5, event="e1"), verdict("T", 30, event="e2")],
         ["enter 5", "exit 90 left 30"], STATE),
]  # fmt: skip

STOPS = [
    Case("what is stopped does not fire", "F T T", NEVER, more=stopped(2, 300)),
    Case("what was so when it starts again does not fire", "F T T T T F F T", ["near already_true", "enter 28"],
         more=stopped(2, 10)),
    Case("a pending duration is taken up", "F TTTTTTTTT", ["enter 24"], {"duration": 20}, more=stopped(9, 15)),
    Case("a duration that passed does not fire", "F TTTTTTTTT", ["near passed_while_stopped 26/20"], {"duration": 20},
         more=stopped(9, 30)),
    Case("a pending exit is called off", "T F F", ["enter 0"], STATE, more=stopped(20, 300)),
    Case("a pending exit does not come back", "T F F", ["enter 0"], STATE, more=stopped(20, 30)),
    Case("a state rule enters what is so when it starts again", "F T T T T", ["enter 10"],
         STATE, more=stopped(2, 10), until=170),
    Case("an event rule does not fire a second time for the same", "F T T T T", ["enter 4"], more=stopped(9, 11)),
]  # fmt: skip

CASES = [*EVENT, *DURATION, *STATES, *TARGETS, *SEVERAL, *EVENTS, *STOPS]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_rule_does(case: Case):
    assert run(case, restarts=False) == case.expected


@pytest.mark.parametrize("case", [case for case in CASES if case.restarts], ids=lambda case: case.name)
def test_with_a_restart_before_every_verdict_it_does_the_same(case: Case):
    done = run(case, restarts=True)
    assert done == case.expected


def test_half_of_the_tables_are_about_what_does_not_happen():
    quiet = [case for case in CASES if not any(step.startswith(("enter", "exit", "target")) for step in case.expected)
             or "not" in case.name.split() or "no" in case.name.split()]  # fmt: skip
    assert len(quiet) * 2 >= len(CASES) - len(quiet)
