"""What a user may expect of a rule, as data: `cases/watched.jsonl`, written from the documents.

`seen` are verdicts: T, F or U (cannot tell), the second, and behind it ! for firm, + for lasting, @name for an event;
T0..60/4 is one every four seconds, a letter in front is the source (a where there is none). `does` is all that follows:
E enter, X exit, G target, S stopped, N near miss with what it held of what it needed, each with the second it is for.
A `does` of -E only says that it never enters.
"""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from zhixing.household.replaying import WHILE, Replayed, read_rule, replay_rule
from zhixing.tasks.rules.replay import Interlude, Step, Transition, replay
from zhixing.world.perception.reading import read_verdict

CASES = [json.loads(line) for line in (Path(__file__).parent / "cases/watched.jsonl").read_text().splitlines()]
WORD = re.compile(r"([abc]?)([TFU])([\d.]+)(?:\.\.(\d+)/(\d+))?(!?)(\+?)(?:@(\w+))?")
VALUES = {"T": True, "F": False, "U": None}
LETTERS = {"enter": "E", "exit": "X", "target": "G", "near_miss": "N", "stopped": "S"}


def begun(case: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(case.get("start", "2026-10-12T20:00:00+08:00"))


def verdicts(case: dict[str, Any]) -> list[Any]:
    start, rows = begun(case), []
    for word in case["seen"].split():
        match = WORD.fullmatch(word)
        assert match, word
        source, value, first, last, step, firm, lasting, event = match.groups()
        moments = [float(first)] if last is None else range(int(first.rstrip(".")), int(last) + 1, int(step))
        for second in moments:
            said = {"source": source or "a", "condition": case["rule"]["condition"], "value": VALUES[value]}
            said |= {
                "at": (start + timedelta(seconds=second)).isoformat(),
                "firm": bool(firm),
                "lasting": bool(lasting),
            }
            rows.append((second, said | ({"event": event} if event else {})))
    return [read_verdict(said) for _, said in sorted(rows, key=lambda row: row[0])]


def replayed(case: dict[str, Any]) -> Replayed:
    until = case.get("until")
    return replay_rule(
        read_rule(case["rule"]),
        case.get("zone", "Asia/Shanghai"),
        verdicts(case),
        until=None if until is None else begun(case) + timedelta(seconds=until),
        target_after=case["target"] * 60 if "target" in case else None,
    )


def letters(case: dict[str, Any], transitions: tuple[Transition, ...]) -> str:
    words = []
    for one in transitions:
        held = f":{one.held:g}/{one.needed:g}" if one.what == "near_miss" and one.needed else ""
        words.append(f"{LETTERS[one.what]}{(one.at - begun(case)).total_seconds():g}{held}")
    return " ".join(words)


def check(case: dict[str, Any], told: str) -> None:
    if case["does"] == "-E":
        assert "E" not in told, told
    else:
        assert told == case["does"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_a_rule_does_what_a_user_may_expect(case):
    check(case, letters(case, replayed(case).transitions))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_restarts_change_nothing(case):
    seen, before = verdicts(case), replayed(case)
    restarts = [Interlude(verdict.at, Step.RESTART) for verdict in seen[1::3]]
    again = replay(
        before.plan,
        case.get("zone", "Asia/Shanghai"),
        seen,
        before.until,
        made=seen[0].at - WHILE,
        interludes=restarts,
        target_after=case["target"] * 60 if "target" in case else None,
    )
    check(case, letters(case, again))


def test_a_single_last_verdict_is_waited_for():
    case = {"rule": {**CASES[0]["rule"], "exit_debounce_seconds": 0}, "seen": "T0 F4"}
    assert replayed(case).until == begun(case) + timedelta(seconds=14)


def test_what_the_rule_does_not_watch_is_counted():
    case = {"rule": CASES[0]["rule"], "seen": "T0 bT1 bT2 cF3"}
    assert replayed(case).unheard == 3
    other = {"rule": {**CASES[0]["rule"], "condition": "有人站着"}, "seen": "T0 T1"}
    told = replay_rule(read_rule(CASES[0]["rule"]), "Asia/Shanghai", verdicts(other))
    assert (told.unheard, told.transitions) == (2, ())
