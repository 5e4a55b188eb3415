"""One rule over recorded verdicts: what it would have done, and when. Pure; needs no home and no store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from zhixing.household.rule_reading import read_fields
from zhixing.household.rulebook import make_plan
from zhixing.kernel.errors import BadInput
from zhixing.tasks.rules.hearing import SECOND, SETTLED_AFTER
from zhixing.tasks.rules.machine import Happening
from zhixing.tasks.rules.model import Mode, Plan, Trigger
from zhixing.tasks.rules.replay import Transition, replay
from zhixing.world.perception.verdict import Verdict

_KEPT_BY_US = frozenset(
    {"id", "rule_id", "task_id", "enabled", "lifecycle", "terminate_when", "duration_ratio", "created_at", "updated_at"}
)
"""What a list of rules says about one beside its fields."""

FIRST_YEAR, LAST_YEAR = 1970, 9000
WHILE = timedelta(minutes=2)
"""How long a rule or a task has been there when a recording begins: what it first sees is news, not how things were."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a rule did until `until`, and how it stood then.

    `inside`: it was answered on entering, and its end has not come; `since` is when that episode began. `stopped`: by
    its own limit. `unheard`: how many verdicts are of another condition or source than the rule watches.
    """

    plan: Plan
    until: datetime
    transitions: tuple[Transition, ...]
    inside: bool
    since: datetime | None
    stopped: bool
    unheard: int


def read_rule(value: object) -> Plan:
    """Read a rule as a plan has it in `rules`, or as `rule list` gives it. Raises `BadInput`."""
    if not isinstance(value, Mapping):
        raise BadInput("rule_no_object")
    rule = value.get("rule", value)
    if isinstance(rule, Mapping):
        rule = {name: field for name, field in rule.items() if name not in _KEPT_BY_US}
        if "name" not in rule:
            rule["name"] = "rule"
    return make_plan(read_fields(rule))


def check_instants(instants: Iterable[datetime]) -> None:
    """Raise `BadInput` for an instant next to the ends of the calendar: nothing can be reckoned from there."""
    for at in instants:
        if not FIRST_YEAR <= at.year <= LAST_YEAR:
            raise BadInput("instant_far", at=at.isoformat(), first=FIRST_YEAR, last=LAST_YEAR)


def replay_rule(
    plan: Plan,
    zone: str,
    verdicts: Sequence[Verdict],
    *,
    until: datetime | None = None,
    target_after: int | None = None,
) -> Replayed:
    """Let a rule see verdicts, whatever their order in the file. It has been there for a while when they begin.

    Without `until` it is watched for as long behind the last verdict as a duration or an exit of its own may take, and
    at least until that verdict is believed. Raises `BadInput` for a target that a rule has no answer to.
    """
    if target_after is not None and not plan.on_target:
        raise BadInput("replay_without_target")
    in_order = sorted(verdicts, key=lambda verdict: verdict.at)
    check_instants([verdict.at for verdict in (*in_order[:1], *in_order[-1:])])
    check_instants([] if until is None else [until])
    if until is None:
        if not in_order:
            raise BadInput("replay_without_end")
        behind = plan.trigger.duration + max(plan.exit_debounce, SETTLED_AFTER // SECOND)
        until = in_order[-1].at + timedelta(seconds=behind)
    made = min(in_order[0].at - WHILE, until) if in_order else until
    transitions = replay(plan, zone, in_order, until, made=made, target_after=target_after)
    since: datetime | None = None
    for one in transitions:
        if one.what == Happening.ENTER:
            since = one.since
        elif one.what == Happening.EXIT:
            since = None
    stopped = any(one.what == Happening.STOPPED for one in transitions)
    inside = since is not None and plan.trigger.mode is Mode.STATE
    unheard = sum(not _watches(plan.trigger, verdict) for verdict in verdicts)
    return Replayed(plan, until, transitions, inside, since if inside else None, stopped, unheard)


def _watches(trigger: Trigger, verdict: Verdict) -> bool:
    return verdict.query == trigger.query and (not trigger.sources or verdict.source in trigger.sources)
