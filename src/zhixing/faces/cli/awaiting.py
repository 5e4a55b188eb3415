"""Waiting for what follows from a verdict: somebody tries a rule out and wants to see it act."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import datetime

from zhixing.faces.cli.house import House
from zhixing.faces.household_words import occurrence_lines
from zhixing.kernel.moments import zone as find_zone
from zhixing.store.connection import Tx
from zhixing.tasks import occurrences
from zhixing.tasks import store as tasks
from zhixing.tasks.occurrence import Occurrence
from zhixing.tasks.rules import store as rules

LONGEST = 3_600
"""Seconds."""
_LOOK = 0.2
_NEWEST = 20
"""Occurrences of a task that are looked through."""


def await_answers(home: House, query: str, since: datetime, seconds: int) -> list[Occurrence]:
    """Wait until rules that watch a condition have answered and are done, at most `seconds`; return what they did."""
    clock = home.app.clock
    end = clock.monotonic() + seconds
    never = threading.Event()
    while True:
        with home.app.store.read() as tx:
            found = list(_answers(home, tx, query, since))
        if (found and not any(one.open for one in found)) or clock.monotonic() >= end:
            return found
        clock.wait(never, _LOOK)


def answer_lines(home: House, found: list[Occurrence]) -> list[str]:
    """Say what became of each answer."""
    names, now = home.names(), home.app.clock.now()
    lines = []
    for one in found:
        with home.app.store.read() as tx:
            told = home.app.delivery.messages(tx, one.id)
            steps = home.app.doing.steps(tx, [one.id])
            zone = find_zone(tasks.get(tx, one.task_id).zone)
        lines.extend(occurrence_lines(one, told, steps, names=names, zone=zone, now=now))
    return lines


def _answers(home: House, tx: Tx, query: str, since: datetime) -> Iterator[Occurrence]:
    asked = [rule_id for one in home.app.rules.asked(tx) if one.query == query for rule_id in one.rule_ids]
    for rule_id in asked:
        for one in occurrences.of_task(tx, rules.get(tx, rule_id).task_id, _NEWEST):
            if one.part.startswith(f"rule:{rule_id}:") and one.claimed_at is not None and one.claimed_at >= since:
                yield one
