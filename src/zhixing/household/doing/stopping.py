"""Telling that a rule was stopped by its own limit: once, in the inbox."""

from __future__ import annotations

from zhixing.household.doing.telling import Telling
from zhixing.kernel.clock import Clock
from zhixing.kernel.wording import wording
from zhixing.store.connection import Tx
from zhixing.tasks import occurrences
from zhixing.tasks.journal import CLOCK
from zhixing.tasks.occurrence import OccurrenceState
from zhixing.tasks.rules.model import Rule


def tell_stopped(tx: Tx, telling: Telling, clock: Clock, rule: Rule) -> None:
    """Tell that a rule answered so often that it probably triggers itself, and stands still until somebody looks."""
    now = clock.now()
    entered = occurrences.new(
        rule.task_id, f"rule:{rule.id}:stopped", now.isoformat(), now, OccurrenceState.DONE, now=now, reason="limit"
    )
    occurrence = occurrences.add(tx, entered, now=now, who=CLOCK)
    limit = rule.plan.limit
    if occurrence is not None and limit is not None:
        text = wording("doing.rule_stopped", rule=rule.plan.name, seconds=limit.seconds, fires=limit.fires, id=rule.id)
        telling.news(tx, rule.task_id, occurrence.id, text, due_at=now)
