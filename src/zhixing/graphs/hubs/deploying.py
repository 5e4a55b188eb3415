"""A whole rule brought to a hub so that it can be taken back (mijia §4.5): plan, backup, write, read back, roll back.

A plan is for what was there when it was made: when that has changed since, it is refused. Before anything is written
the caller is given a receipt to keep; what it says can be put back later. A write without an answer is read back, and
never sent again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from zhixing.graphs.checks.finding import Verdict
from zhixing.graphs.hubs.asking import Reader
from zhixing.graphs.hubs.canonical import canonical, fingerprint, same_nodes, same_rule
from zhixing.graphs.hubs.creating import shell_of
from zhixing.graphs.hubs.diff import Diff, diff_of
from zhixing.graphs.hubs.new_variables import NewVariable, checked_name
from zhixing.graphs.hubs.outcomes import InvalidRule, Outcome
from zhixing.graphs.hubs.preparing import (
    ID_DIGITS,
    judged,
    milliseconds,
    places_filled,
    with_durations,
    with_places,
)
from zhixing.graphs.hubs.receipts import Receipt, receipt_of
from zhixing.graphs.hubs.steps import ChangeConfig, CreateVariable, SetGraph, Step, carry_out
from zhixing.graphs.hubs.updating import check_settings, delete_rule, home_for
from zhixing.graphs.rule import Rule
from zhixing.graphs.specs.home import Home
from zhixing.graphs.specs.jsontext import shown
from zhixing.graphs.writing import with_cfg, with_user_data
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, Conflict, Unavailable
from zhixing.world.hub.port import Hub, HubRefused

Keep = Callable[[Receipt], object]
"""Stores a receipt. It is called before anything is written; when it raises, nothing is."""

_STAMP: Final = "lastUpdateTime"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be written, and how it differs from what is there; `before` is None when nothing is."""

    before: Rule | None
    after: Rule
    diff: Diff
    verdict: Verdict

    @property
    def fingerprint(self) -> str:
        """What was there, in short; "" when nothing was."""
        return fingerprint(self.before)

    @property
    def token(self) -> str:
        """Name the change: the same for a plan made again later, as long as neither side of it has changed."""
        about = {name: value for name, value in self.after.user_data.items() if name != _STAMP}
        wanted = canonical([self.after.raw.get("nodes"), {**self.after.cfg, "userData": about}])
        return hashlib.sha256(f"{self.fingerprint} {wanted}".encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Deployed:
    """What became of it. `found` is what is there when it is neither what was wanted nor what was there before."""

    receipt: Receipt
    outcome: Outcome
    found: Rule | None = None
    difference: Diff | None = None
    """From what was wanted to `found`."""


@dataclass(frozen=True, slots=True)
class RolledBack:
    """What became of putting a receipt back; `receipt` is of what was there until then."""

    receipt: Receipt
    outcome: Outcome
    made: tuple[str, ...] = ()
    """Ids of variables that were gone and have been made again; others keep the values they have now."""


def plan_deployment(hub: Hub, rule: Rule, home: Home, clock: Clock) -> Plan:
    """Compare a rule with what a hub has under its id; nothing is written.

    Specifications are those of `home`; devices and variables are read from the hub.
    """
    reader = Reader(hub)
    before = reader.rule(rule.id)
    after = intended(rule, before, clock.now())
    return Plan(before, after, diff_of(before, after), judged(after, home_for(reader, after, home), before))


def intended(rule: Rule, before: Rule | None, now: datetime) -> Rule:
    """Return a rule as it is to be written. Settings that it does not name, and places, stay as they are. Pure.

    Raises `BadInput` for an id that no rule may have, and it or `TooLarge` for a name that no editor shows in one
    line, unless a rule of the hub has it already.
    """
    if rule.name and (before is None or rule.name != before.name):
        checked_name(rule.name)
    if before is None:
        if len(rule.id) != ID_DIGITS or not (rule.id.isascii() and rule.id.isdigit()):
            raise BadInput("graph_hub_id_form", id=shown(rule.id), digits=ID_DIGITS)
        new = with_cfg(rule, {"id": rule.id, "uiType": rule.cfg.get("uiType", "graph")})
        return with_user_data(with_durations(with_places(new)), {_STAMP: milliseconds(now)})
    check_settings(before)
    about = {**before.user_data, **rule.user_data, _STAMP: before.user_data.get(_STAMP)}
    if _STAMP not in before.user_data:
        del about[_STAMP]
    same = rule.having(cfg={**before.cfg, **rule.cfg, "id": rule.id, "userData": about})
    drawn = with_durations(with_places(places_filled(same, before)))
    return before if same_rule(drawn, before) else with_user_data(drawn, {_STAMP: milliseconds(now)})


def apply_plan(hub: Hub, plan: Plan, clock: Clock, keep: Keep) -> Deployed:
    """Write what a plan says, once, and read it back.

    Raises `InvalidRule` for errors and `Conflict` when something else is there by now; then nothing was written.
    """
    if not plan.verdict.valid:
        raise InvalidRule(plan.verdict)
    reader = Reader(hub)
    now = reader.rule(plan.after.id)
    if fingerprint(now) != plan.fingerprint:
        raise Conflict("graph_hub_stale", id=plan.after.id)
    receipt = receipt_of(reader, plan.after.id, now, clock)
    keep(receipt)
    if same_rule(now, plan.after):
        return Deployed(receipt, Outcome.APPLIED)
    outcome = carry_out(hub, _step(now, plan.after))
    if outcome is not Outcome.ALTERED:
        return Deployed(receipt, outcome)
    try:
        found = reader.rule(plan.after.id)
    except (Unavailable, HubRefused):
        found = None
    return Deployed(receipt, outcome, found, None if found is None else diff_of(plan.after, found))


def roll_back(hub: Hub, receipt: Receipt, clock: Clock, keep: Keep) -> RolledBack:
    """Put back what a receipt says: its rule, and those of the rule's own variables that are gone.

    What is there until then is given to `keep` first, so that this can be taken back too. Stops at the first step that
    is not seen to be done. Raises `Conflict` when a variable has another type by now; then nothing was written.
    """
    reader = Reader(hub)
    now = reader.rule(receipt.id)
    present = receipt_of(reader, receipt.id, now, clock)
    missing = _missing(receipt, present)
    keep(present)
    if receipt.rule is None:
        return RolledBack(present, Outcome.APPLIED if now is None else _deleted(hub, receipt.id))
    outcome, made = Outcome.APPLIED, []
    for step in _restoring(receipt.rule, now, missing):
        outcome = carry_out(hub, step)
        if outcome not in {Outcome.APPLIED, Outcome.ALTERED}:
            break
        if isinstance(step, CreateVariable):
            made.append(step.new.id)
    return RolledBack(present, outcome, tuple(made))


def _step(now: Rule | None, after: Rule) -> Step:
    if now is not None and same_nodes(now, after) and now.cfg.get("uiType") == after.cfg.get("uiType"):
        return ChangeConfig(after, now)
    return SetGraph(after, now)


def _deleted(hub: Hub, name: str) -> Outcome:
    deleted = delete_rule(hub, name)
    return deleted.variables if deleted.outcome is Outcome.APPLIED else deleted.outcome


def _restoring(rule: Rule, now: Rule | None, missing: tuple[NewVariable, ...]) -> list[Step]:
    steps: list[Step] = [CreateVariable(each) for each in missing]
    if now is None and missing:
        shell = shell_of(rule)
        return [SetGraph(shell, None), *steps, SetGraph(rule, shell)]
    return steps if same_rule(now, rule) else [*steps, _step(now, rule)]


def _missing(receipt: Receipt, present: Receipt) -> tuple[NewVariable, ...]:
    there = {each.id: each for each in present.variables}
    for each in receipt.variables:
        if each.id in there and there[each.id].type is not each.type:
            raise Conflict("variable_exists", id=each.id, scope=each.scope)
    return tuple(each for each in receipt.variables if each.id not in there)
