"""Effects as jobs of the engine: the key of an effect is the key of its job, so the same effect is done once.

Deliveries and withdrawals of one node take turns, as do the news of one goal; everything else runs side by side.
"""

from __future__ import annotations

from datetime import datetime
from typing import TypeVar

import msgspec

from zhixing.engine.model import Job
from zhixing.goals.loop.effects import Deliver, Effect, StartExternal, Tell, Wake, Withdraw
from zhixing.kernel.moments import from_micros

E = TypeVar("E", bound=Effect)


def name_of(kind: type[Effect]) -> str:
    """Return the name of the jobs that do effects of a kind."""
    return f"goal_{kind.__name__.lower()}"


def job_of(effect: Effect, now: datetime) -> Job:
    """Return the job that does an effect."""
    due = from_micros(effect.at * 1000) if isinstance(effect, Wake) else now
    return Job(name_of(type(effect)), effect.key, due, msgspec.to_builtins(effect), _lane_of(effect))


def effect_in(job: Job, kind: type[E]) -> E:
    """Return the effect of a job."""
    return msgspec.convert(dict(job.payload), kind)


def _lane_of(effect: Effect) -> str | None:
    match effect:
        case Deliver() | StartExternal() | Withdraw():
            return f"goal/{effect.task_id}/{effect.subject}"
        case Tell():
            return f"goal-news/{effect.task_id}"
        case _:
            return None
