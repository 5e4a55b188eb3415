"""Sessions of a record that a rule began and will not end: it is stopped, removed, or changed into another one."""

from __future__ import annotations

from zhixing.household.descs import Phrase, read_desc
from zhixing.household.parts import Parts
from zhixing.kernel.moments import from_micros
from zhixing.store.connection import Tx
from zhixing.tasks.records import store as records
from zhixing.tasks.records.model import RecordKind
from zhixing.tasks.rules import store as rules
from zhixing.tasks.rules.machine import Phase
from zhixing.tasks.rules.model import Plan, Response, Rule
from zhixing.tasks.rules.store import RuleRow


def let_go(parts: Parts, tx: Tx, rule: Rule, *, who: str, to: Plan | None = None) -> None:
    """End the session that a rule holds open before it becomes `to` (None: before it is stopped or removed).

    The session ends now, or, where the exit of the episode pends already, when that began. It goes on where the rule
    goes on with its episode, and where another rule of the task keeps it open.
    """
    if to is not None and to.trigger == rule.plan.trigger and _says(to.on_exit, Phrase.END):
        return
    record = records.find(tx, rule.task_id)
    if record is None or record.content.kind is not RecordKind.DURATION:
        return
    for row in rules.rows_of_task(tx, rule.task_id):
        if row.rule.id == rule.id and _holds(row):
            now = parts.clock.now()
            at = min(now, from_micros(row.state.left_at)) if row.state.phase is Phase.LEAVING else now
            key = f"{rule.id}:{rule.revision}:stopped"
            parts.records.end_session(tx, rule.task_id, at=at, key=key, who=who, holder=rule.id)


def _holds(row: RuleRow) -> bool:
    """Whether a rule is in an episode in which it began a session."""
    state = row.state
    inside = state.phase is Phase.INSIDE or (state.phase is Phase.LEAVING and not state.silent)
    return row.rule.enabled and inside and _says(row.rule.plan.on_enter, Phrase.START)


def _says(response: Response, phrase: Phrase) -> bool:
    found = (read_desc(text).record for text in response.descs)
    return any(record is not None and record.phrase is phrase for record in found)
