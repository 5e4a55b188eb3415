"""rule trigger, logs, logs-cleanup: having a rule answer by hand, and when rules answered (miloco.md §1.6, §2.4)."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Literal

from cyclopts import Parameter

from zhixing.faces.cli.desk import WHO
from zhixing.faces.cli.options import AtDesk
from zhixing.faces.miloco.envelope import Wire
from zhixing.faces.miloco.house import backend
from zhixing.faces.miloco.options import Maybe, Whole, plain, since_of, within
from zhixing.faces.miloco.rules import RuleId
from zhixing.faces.miloco.shaping import Iso
from zhixing.faces.miloco.tasks import iso_of
from zhixing.household import firings
from zhixing.household.doing.model import Step, StepState
from zhixing.household.firings import LARGEST_PAGE, Firing, Success
from zhixing.kernel.errors import Conflict, NotFound
from zhixing.tasks.occurrence import reason_text
from zhixing.tasks.rules.model import Direction

KEEP_DAYS = 7
MOST_DAYS = 3_650
LONGEST_CONTEXT = 200

_EVENTS = {Direction.ENTER: "ENTERED", Direction.EXIT: "EXITED", Direction.TARGET: "TARGET_FIRED"}
KindOf = Annotated[
    Literal["RULE_TRIGGER_SUCCESS", "RULE_TRIGGER_FAILURE"] | None, Parameter(name="--kind", negative=())
]


def trigger(rule: RuleId, /, *, context: Maybe = None, desk: AtDesk) -> Wire:
    """Have a rule give its first answer now, whatever it sees."""
    because = " ".join((context or "").split())[:LONGEST_CONTEXT]
    with backend(desk) as app:
        try:
            with app.store.write() as tx:
                fired = app.rules.trigger(tx, plain(rule), because=because, who=WHO)
                if fired is None or not fired.rule.enabled:
                    # What it did already is undone with the transaction.
                    raise Conflict("miloco_rule_silent", id=plain(rule)[:64])
        except NotFound as error:
            raise Conflict("miloco_rule_silent", id=plain(rule)[:64]) from error
        return {"rule_id": fired.rule.id, "execute_id": fired.occurrence_id, "event": _EVENTS[fired.direction]}


def logs(*, rule: Maybe = None, limit: Whole = 10, since: Maybe = None, kind: KindOf = None, desk: AtDesk) -> Wire:
    """Return when rules answered."""
    within("--limit", limit, 1, LARGEST_PAGE)
    start = since_of(since, desk.clock.now())
    with backend(desk) as app, app.store.read() as tx:
        found = firings.page(
            tx, rule_id=rule, success=None if kind is None else Success(kind), since=start, limit=limit
        )
        return {"rule_logs": [_line(each, iso_of(app)) for each in found.firings], "total_items": found.total}


def clean_up(*, keep_days: Whole = KEEP_DAYS, desk: AtDesk) -> Wire:
    """Leave older entries out of the logs from now on."""
    within("--keep-days", keep_days, 1, MOST_DAYS)
    with backend(desk) as app, app.store.write() as tx:
        return {"deleted": firings.hide(tx, desk.clock.now() - timedelta(days=keep_days))}


def _line(firing: Firing, iso: Iso) -> Wire:
    occurrence, rule = firing.occurrence, firing.rule
    return {
        "id": occurrence.id,
        "timestamp": iso(occurrence.due),
        "kind": firing.success.value,
        "rule_id": firing.rule_id,
        "rule_name": "" if rule is None else rule.plan.name,
        "rule_query": "" if rule is None else rule.plan.trigger.query,
        "trigger_context": firing.because,
        "execute_result": {
            "event": _EVENTS[firing.direction],
            "action_results": [_step(step) for step in firing.steps],
            "dynamic_rule_event_sent": bool(_answer(firing)),
        },
        "task_id": firing.slug,
        "state": occurrence.state.value,
        "reason": occurrence.reason or "",
        "reason_text": reason_text(occurrence.reason) if occurrence.reason else "",
        "finished_at": iso(occurrence.finished_at),
    }


def _answer(firing: Firing) -> tuple[str, ...]:
    """Return the words that the rule answers with in this direction."""
    if firing.rule is None:
        return ()
    plan = firing.rule.plan
    return {Direction.ENTER: plan.on_enter, Direction.EXIT: plan.on_exit, Direction.TARGET: plan.on_target}[
        firing.direction
    ].descs


def _step(step: Step) -> Wire:
    return {
        "action": {"did": step.did, "iid": step.iid, "value": step.wanted},
        "result": step.good,
        "skipped": step.state is StepState.SKIPPED,
        "error": None if step.good else step.why() or step.state.value,
        "state": step.state.value,
    }
