"""A rule of a hub changed, switched or deleted (mijia §4.3): only what is given changes, and it is read back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from zhixing.graphs.checks.finding import Verdict
from zhixing.graphs.checks.variables_shape import GLOBAL
from zhixing.graphs.hubs.asking import Reader
from zhixing.graphs.hubs.canonical import same_rule
from zhixing.graphs.hubs.entries import strange
from zhixing.graphs.hubs.new_variables import checked_name
from zhixing.graphs.hubs.outcomes import InvalidRule, Outcome
from zhixing.graphs.hubs.preparing import judged, milliseconds, places_kept, with_durations, with_places
from zhixing.graphs.hubs.scopes import scope_of, scopes_named
from zhixing.graphs.hubs.steps import ChangeConfig, DeleteGraph, DeleteScope, SetGraph, carry_out
from zhixing.graphs.reading import rule_from
from zhixing.graphs.rule import Node, Rule
from zhixing.graphs.specs.home import NOTHING_KNOWN, Home
from zhixing.graphs.writing import with_cfg, with_user_data
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import Unavailable
from zhixing.world.hub.port import Hub, HubRefused, Method

FINE = Verdict((), ())
"""The verdict where no card changes: what is there already is not judged again."""


@dataclass(frozen=True, slots=True)
class Change:
    """What is to change; None stays. `nodes` are all cards from now on: what one lacks, it loses (§8 case 26)."""

    id: str
    name: str | None = None
    nodes: tuple[Node, ...] | None = None
    enable: bool | None = None


@dataclass(frozen=True, slots=True)
class Update:
    """A plan; `step` is None when all is so already. Nothing may be written unless it is valid."""

    before: Rule
    after: Rule
    verdict: Verdict
    step: SetGraph | ChangeConfig | None


@dataclass(frozen=True, slots=True)
class Updated:
    """What became of it; `rule` is what was to be there."""

    id: str
    rule: Rule
    outcome: Outcome
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Deleted:
    """What became of it: whether the rule is gone, and whether its own variables (scope `scope`) are."""

    id: str
    scope: str
    outcome: Outcome
    variables: Outcome
    """`NOT_APPLIED` as well when they were left alone: the rule is not seen to be gone, or another one shares them."""


def update_rule(hub: Hub, change: Change, home: Home, clock: Clock) -> Updated:
    """Change a rule. Specifications are those of `home`; devices and variables are read from the hub.

    Raises `NotFound`, and `InvalidRule` for errors; then nothing was written.
    """
    return execute_update(hub, prepare_update(hub, change, home, clock))


def prepare_update(hub: Hub, change: Change, home: Home, clock: Clock) -> Update:
    """Read what is there and decide; nothing is written."""
    reader = Reader(hub)
    before = reader.known_rule(change.id)
    after = changed(before, change, clock.now())
    return plan_update(before, after, home if change.nodes is None else home_for(reader, after, home))


def plan_update(before: Rule, after: Rule, home: Home) -> Update:
    """Decide how to get from one rule to the other. Pure."""
    if before.raw["nodes"] is after.raw["nodes"]:  # an edit that is not about the cards leaves them the same object
        return Update(before, after, FINE, None if same_rule(before, after) else ChangeConfig(after, before))
    return Update(before, after, judged(after, home, before), SetGraph(after, before))


def changed(before: Rule, change: Change, now: datetime) -> Rule:
    """Return the rule as it is to be. What is not given stays: switch, tags, version, places of cards (§8 case 4).

    Raises `Unavailable` when the hub does not say whether the rule is on, or what the editor keeps about it: both are
    sent again.
    """
    check_settings(before)
    after = before
    if change.enable is not None:
        after = with_cfg(after, {"enable": change.enable})
    if change.name is not None and checked_name(change.name) != before.name:
        after = with_user_data(after, {"name": checked_name(change.name)})
    if change.nodes is not None:
        bare = rule_from({**after.raw, "nodes": [node.raw for node in change.nodes]})
        after = with_durations(with_places(places_kept(bare, before)))
    if same_rule(before, after):
        return before
    # Switching a rule is no edit: the editor does not note the time of it either.
    only_switched = change.name is None and change.nodes is None
    return after if only_switched else with_user_data(after, {"lastUpdateTime": milliseconds(now)})


def check_settings(rule: Rule) -> None:
    """Raise `Unavailable` when a hub does not tell the settings of a rule that are sent again with each change."""
    if not isinstance(rule.cfg.get("enable"), bool) or not isinstance(rule.cfg.get("userData"), dict):
        raise strange(Method.GET_GRAPHS)


def execute_update(hub: Hub, plan: Update) -> Updated:
    """Carry out a plan; see `update_rule`."""
    if not plan.verdict.valid:
        raise InvalidRule(plan.verdict)
    outcome = Outcome.APPLIED if plan.step is None else carry_out(hub, plan.step)
    return Updated(plan.after.id, plan.after, outcome, plan.verdict)


def switch_rule(hub: Hub, name: str, clock: Clock, *, enable: bool) -> Updated:
    """Switch a rule on or off, and nothing else of it. Raises `NotFound`."""
    before = Reader(hub).known_rule(name)
    after = changed(before, Change(name, enable=enable), clock.now())
    return execute_update(hub, plan_update(before, after, NOTHING_KNOWN))


def delete_rule(hub: Hub, name: str) -> Deleted:
    """Delete a rule, and once it is seen to be gone its own variables (§4.1). Raises `NotFound`."""
    reader = Reader(hub)
    reader.known_rule(name)
    scope = scope_of(name)
    outcome = carry_out(hub, DeleteGraph(name))
    if outcome is not Outcome.APPLIED:
        return Deleted(name, scope, outcome, Outcome.NOT_APPLIED)
    return Deleted(name, scope, outcome, _empty(hub, reader, scope))


def home_for(reader: Reader, rule: Rule, home: Home) -> Home:
    """Return the home with the devices as they are, and the variables of the scopes that a rule names."""
    return reader.home(home, sorted({GLOBAL, rule.scope, *scopes_named(rule)}))


def _empty(hub: Hub, reader: Reader, scope: str) -> Outcome:
    try:
        if scope not in reader.scopes():
            return Outcome.APPLIED
        if any(entry.scope == scope for entry in reader.entries()):
            # A rule with an id in the old form shares the scope of the one without the prefix (§0.3 X7).
            return Outcome.NOT_APPLIED
        return carry_out(hub, DeleteScope(scope))
    except (HubRefused, Unavailable):
        return Outcome.UNKNOWN
