"""A new rule on a hub (mijia §4.3): what is decided before anything is written, and the writing that cleans up.

Variables need their rule, and the rule its variables: so first a shell, switched off, with one card; then the
variables; then the rule itself. Who asks again with the same id goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from zhixing.graphs.checks.finding import Profile, Verdict
from zhixing.graphs.checks.variables_shape import GLOBAL
from zhixing.graphs.hubs.asking import Reader
from zhixing.graphs.hubs.canonical import same_nodes
from zhixing.graphs.hubs.new_variables import MOST_NEW, NewVariable, checked_name
from zhixing.graphs.hubs.outcomes import InvalidRule, Outcome
from zhixing.graphs.hubs.preparing import (
    ID_DIGITS,
    free_id,
    judged,
    milliseconds,
    with_durations,
    with_places,
    with_variables,
)
from zhixing.graphs.hubs.scopes import scopes_named, with_own_scope
from zhixing.graphs.hubs.steps import (
    CreateVariable,
    DeleteGraph,
    DeleteScope,
    DeleteVariable,
    SetGraph,
    Step,
    carry_out,
)
from zhixing.graphs.reading import rule_from
from zhixing.graphs.rule import Node, Rule
from zhixing.graphs.specs.home import Home
from zhixing.graphs.specs.jsontext import shown
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, Conflict, TooLarge, Unavailable, ZhixingError
from zhixing.world.hub.port import Hub, HubRefused

SETUP: Final = "setup"
"""The one card of a shell."""


@dataclass(frozen=True, slots=True)
class NewRule:
    """A rule to be made. `id` is that of `choose_id` where the caller may have to ask again, "" for any."""

    name: str
    nodes: tuple[Node, ...]
    variables: tuple[NewVariable, ...] = ()
    enable: bool = True
    id: str = ""


class Start(StrEnum):
    """What was there under the id."""

    FRESH = "fresh"
    """Nothing."""
    SHELL = "shell"
    """The shell of an earlier try."""
    DONE = "done"
    """The rule itself: an earlier try was carried out, and its answer was lost."""


@dataclass(frozen=True, slots=True)
class Creation:
    """A plan: `steps` make the rule, `undo` takes away what they made. Nothing may be written unless it is valid."""

    rule: Rule
    start: Start
    verdict: Verdict
    steps: tuple[Step, ...]
    undo: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Created:
    """What became of it. With an outcome of `UNKNOWN` the same request with this id goes on where it stopped."""

    id: str
    rule: Rule
    start: Start
    outcome: Outcome
    verdict: Verdict


def choose_id(hub: Hub, clock: Clock) -> str:
    """Choose an id for a rule that is made later, so that asking twice makes one rule (mijia §4.4)."""
    reader = Reader(hub)
    return free_id(clock.now(), [entry.id for entry in reader.entries()], reader.scopes())


def create_rule(hub: Hub, new: NewRule, home: Home, clock: Clock) -> Created:
    """Make a rule. Specifications are those of `home`; devices and variables are read from the hub.

    Raises `InvalidRule` for errors, `Conflict` when something else has the id or a variable is there; then nothing was
    written. When the hub fails on the way, what was made is taken away and the failure raised; `Unavailable` names what
    could not be taken away.
    """
    return execute(hub, prepare_creation(hub, new, home, clock))


def prepare_creation(hub: Hub, new: NewRule, home: Home, clock: Clock, profile: Profile = Profile.EDITOR) -> Creation:
    """Read what is there and decide; nothing is written."""
    reader = Reader(hub)
    now = clock.now()
    name = new.id or free_id(now, [entry.id for entry in reader.entries()], reader.scopes())
    rule = _drawn(new, name, now)
    wanted = {GLOBAL, rule.scope, *scopes_named(rule)}
    return plan_creation(new, rule, reader.rule(name), reader.home(home, sorted(wanted)), profile)


def plan_creation(
    new: NewRule, rule: Rule, there: Rule | None, home: Home, profile: Profile = Profile.EDITOR
) -> Creation:
    """Decide how to make a rule. `there` is what has its id, `home` has the scopes that it names. Pure."""
    variables = _variables(new.variables, rule.scope)
    start = _start(rule, there)
    missing = [each for each in variables if not _is_there(each, home, start)]
    verdict = judged(rule, with_variables(home, (each.variable for each in variables)), profile=profile)
    shell = shell_of(rule)
    steps: list[Step] = []
    if start is Start.FRESH and variables:
        steps.append(SetGraph(shell, None))
    if start is not Start.DONE:
        steps += [CreateVariable(each) for each in missing]
        steps.append(SetGraph(rule, shell if variables or start is Start.SHELL else None))
    shared = (DeleteVariable(each.scope, each.id) for each in missing if each.scope != rule.scope)
    local = [DeleteScope(rule.scope)] if any(each.scope == rule.scope for each in variables) else []
    return Creation(rule, start, verdict, tuple(steps), (DeleteGraph(rule.id), *local, *shared))


def execute(hub: Hub, plan: Creation) -> Created:
    """Carry out a plan; see `create_rule`."""
    if plan.start is not Start.DONE and not plan.verdict.valid:
        raise InvalidRule(plan.verdict)
    outcome = Outcome.APPLIED
    for number, step in enumerate(plan.steps):
        try:
            outcome = carry_out(hub, step)
        except (HubRefused, Unavailable) as error:
            _undo(hub, plan, number, error)
            raise
        if outcome is Outcome.UNKNOWN:
            break
        if outcome is Outcome.NOT_APPLIED or (outcome is Outcome.ALTERED and not isinstance(step, SetGraph)):
            lost = Unavailable("graph_hub_not_written", id=plan.rule.id)
            _undo(hub, plan, number, lost)
            raise lost
    return Created(plan.rule.id, plan.rule, plan.start, outcome, plan.verdict)


def _undo(hub: Hub, plan: Creation, done: int, failure: ZhixingError) -> None:
    """Take away what was made, the rule first: its variables go only once it is seen to be gone."""
    if done == 0 and plan.start is Start.FRESH:
        return
    made = {(step.new.scope, step.new.id) for step in plan.steps[:done] if isinstance(step, CreateVariable)}
    for step in plan.undo:
        if isinstance(step, DeleteVariable) and (step.scope, step.id) not in made:
            continue
        try:
            gone = carry_out(hub, step) is Outcome.APPLIED
        except (HubRefused, Unavailable):
            gone = False
        if not gone:
            raise Unavailable("graph_hub_left_behind", id=plan.rule.id, scope=plan.rule.scope) from failure


def _drawn(new: NewRule, name: str, now: datetime) -> Rule:
    """Make the JSON of a new rule (mijia §1.1), with its own scope, places and what timers show."""
    if len(name) != ID_DIGITS or not (name.isascii() and name.isdigit()):
        raise BadInput("graph_hub_id_form", id=shown(name), digits=ID_DIGITS)
    view = {"x": 0, "y": 0, "scale": 1, "rotate": 0}
    about = {"name": checked_name(new.name), "lastUpdateTime": milliseconds(now), "transform": view}
    cfg = {"id": name, "enable": new.enable, "uiType": "graph", "userData": about}
    bare = rule_from({"id": name, "nodes": [node.raw for node in new.nodes], "cfg": cfg})
    return with_durations(with_places(with_own_scope(bare)))


def shell_of(rule: Rule) -> Rule:
    """Return what stands for a rule while its variables are made: switched off, with one card that does nothing."""
    card: Mapping[str, Any] = {
        "id": SETUP,
        "type": "onLoad",
        "cfg": {"name": "onLoad", "version": 1},
        "props": {},
        "inputs": {},
        "outputs": {"output": []},
    }
    return Rule.of({"id": rule.id, "nodes": [card], "cfg": {**rule.cfg, "enable": False}})


def _start(rule: Rule, there: Rule | None) -> Start:
    if there is None:
        return Start.FRESH
    if same_nodes(there, rule):
        # It may have been renamed or switched since.
        return Start.DONE
    if there.name == rule.name and not there.enabled and same_nodes(there, shell_of(rule)):
        return Start.SHELL
    raise Conflict("graph_hub_id_taken", id=rule.id, name=shown(there.name))


def _variables(given: Iterable[NewVariable], own: str) -> tuple[NewVariable, ...]:
    found = tuple(each.within(own) for each in given)
    if len(found) > MOST_NEW:
        raise TooLarge("variable_new_many", limit=MOST_NEW)
    seen: set[tuple[str, str]] = set()
    for each in found:
        if each.scope not in {GLOBAL, own}:
            raise BadInput("variable_scope_other", id=each.id, scope=each.scope, own=own)
        if (each.scope, each.id) in seen:
            raise BadInput("variable_twice", id=each.id)
        seen.add((each.scope, each.id))
    return found


def _is_there(new: NewVariable, home: Home, start: Start) -> bool:
    """Tell whether an earlier try made a variable. One of the rule's own scope is always ours: the id is."""
    found = home.variable(new.scope, new.id)
    if found is None:
        return False
    ours = new.scope != GLOBAL or start is not Start.FRESH
    if not ours or found.type is not new.type:
        raise Conflict("variable_exists", id=new.id, scope=new.scope)
    return True
