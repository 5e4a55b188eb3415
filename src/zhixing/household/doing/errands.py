"""Device commands on their way: which jobs carry them, and how they are written into a job. Pure.

All fires of one transaction whose rules share a lane travel in one job: one start and one commit for many. The commands
travel as they were when the rule fired; what the rule became meanwhile does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Any

from zhixing.engine.model import Job
from zhixing.household.doing.model import Errand
from zhixing.kernel.moments import from_micros, micros
from zhixing.tasks.rules.model import DeviceAction, Fired

ACT = "household.act"
"""The name of the job that gives the commands of answers to devices."""
LOOK = "household.look"
"""The name of the job that looks which devices are meant by an answer in words, and then has them commanded."""
LANES = 12
"""Answers of one rule keep their order; this many act at the same time.

Fewer than an engine has workers: devices that are slow to answer must not hold up a reminder. And few enough that what
is due together starts together, in one transaction.
"""
LARGEST_LOAD = 100
"""Answers carried by one job."""


def lane_of(rule_id: str) -> str:
    """Return the lane in which the answers of a rule act, one after the other."""
    digits = rule_id[1:]
    number = int(digits) if digits.isascii() and digits.isdigit() else sum(rule_id.encode())
    return f"act:{number % LANES}"


def jobs_for(fires: Iterable[Fired], now: datetime) -> list[Job]:
    """Return the jobs that carry the commands of some answers, in the order of their lanes."""
    lanes: dict[str, list[Fired]] = {}
    for fired in fires:
        lanes.setdefault(lane_of(fired.rule.id), []).append(fired)
    return [_job(load, lane, now) for lane, all_of_it in lanes.items() for load in _loads(all_of_it)]


def key_of(occurrence_id: str) -> str:
    """Return the key of the job that carries the commands of one answer, and of no other."""
    return f"act:{occurrence_id}"


def look_key_of(occurrence_id: str) -> str:
    """Return the key of the job that looks which devices one answer means."""
    return f"look:{occurrence_id}"


def job_for(errand: Errand, now: datetime) -> Job:
    """Return the job that carries the commands of one message, or of one answer in words."""
    return Job(ACT, key_of(errand.occurrence_id), now, {"errands": [_errand_written(errand)]}, lane_of(errand.rule_id))


def errands_of(payload: Mapping[str, Any]) -> tuple[Errand, ...]:
    """Read what a job carries."""
    return tuple(
        Errand(occurrence_id, rule_id, task_id, from_micros(at), tuple(map(_action, actions)))
        for occurrence_id, rule_id, task_id, at, actions in payload["errands"]
    )


def _loads(fires: Sequence[Fired]) -> Iterator[Sequence[Fired]]:
    for start in range(0, len(fires), LARGEST_LOAD):
        yield fires[start : start + LARGEST_LOAD]


def _job(load: Sequence[Fired], lane: str, now: datetime) -> Job:
    named = load[0].occurrence_id
    if len(load) > 1:
        named = blake2b("\x1f".join(fired.occurrence_id for fired in load).encode(), digest_size=12).hexdigest()
    return Job(ACT, key_of(named), now, {"errands": [_written(fired) for fired in load]}, lane)


def _written(fired: Fired) -> tuple[object, ...]:
    rule = fired.rule
    return _errand_written(Errand(fired.occurrence_id, rule.id, rule.task_id, fired.at, fired.response.actions))


def _errand_written(errand: Errand) -> tuple[object, ...]:
    actions = [
        (one.did, one.iid, one.value, one.params, one.idempotent, one.cooldown_minutes) for one in errand.actions
    ]
    return (errand.occurrence_id, errand.rule_id, errand.task_id, micros(errand.at), actions)


def _action(written: Sequence[Any]) -> DeviceAction:
    did, iid, value, params, idempotent, cooldown = written
    return DeviceAction(did, iid, value, tuple(params), idempotent, cooldown)
