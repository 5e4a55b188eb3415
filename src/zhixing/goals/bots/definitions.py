"""The state machine of a group, as the YAML of a formation writes it.

    name: 写作评审
    roles:
      作者: 写完整的稿子
      评审: 看是否答到点上
    start: 起草
    most_turns: 20
    states:
      起草: {role: 作者, task: 写完整的草稿, next: 评审}
      评审: {role: 评审, task: 决定通过还是退回, next: {通过: 定稿, 退回: 起草}}
      定稿: {role: 作者, task: 写出定稿, end: true}

In each state one role speaks. `next` is the one state that follows, or the state for each outcome that may be said.
An end has `end: true` and no `next`; one without a role is over when it is reached.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from zhixing.goals.bots.tables import Fields, Form, one_line, read_text
from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.kernel.wording import wording
from zhixing.world.devices.names import quoted

LONGEST = 20_000
"""Characters of a definition."""
LONGEST_NAME = 60
LONGEST_TASK = 4000
MOST_ROLES = 20
MOST_STATES = 50
MOST_OUTCOMES = 10
MOST_TURNS = 200
DEFAULT_TURNS = 40


@dataclass(frozen=True, slots=True)
class Role:
    """A part that one bot plays."""

    name: str
    responsibility: str = ""


@dataclass(frozen=True, slots=True)
class Move:
    """Where an outcome leads; an empty outcome is whatever is said."""

    target: str
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """One step: who speaks, what about, and where it leads. An end leads nowhere; only ends may have no role."""

    name: str
    role: str = ""
    task: str = ""
    moves: tuple[Move, ...] = ()

    @property
    def outcomes(self) -> tuple[str, ...]:
        """What may be said to go on; empty when anything may."""
        return tuple(each.outcome for each in self.moves if each.outcome)


@dataclass(frozen=True, slots=True)
class Definition:
    """A state machine whose states can all be reached, and all lead to an end."""

    name: str
    roles: tuple[Role, ...]
    start: str
    states: tuple[State, ...]
    most_turns: int = DEFAULT_TURNS

    def state(self, name: str) -> State:
        """Return the state of a name that is known to be there."""
        return next(each for each in self.states if each.name == name)


def read_definition(text: str) -> Definition:
    """Return the state machine of a YAML text; raises `BadInput` for the first thing wrong."""
    where = wording("goal_bots.where_machine")
    given = read_text(text, Form.YAML, LONGEST)
    fields = Fields(given, where, ("name", "roles", "start", "states", "most_turns"))
    found = Definition(
        fields.text("name", LONGEST_NAME, ""),
        tuple(_role(fields, *each) for each in _named(fields, "roles", MOST_ROLES)),
        fields.text("start", LONGEST_NAME),
        tuple(_state(*each) for each in _named(fields, "states", MOST_STATES)),
        fields.whole("most_turns", 1, MOST_TURNS, DEFAULT_TURNS),
    )
    _check_names(found)
    _check_ways(found)
    return found


def _named(fields: Fields, name: str, most: int) -> list[tuple[str, object]]:
    """Return the entries of a table of at least one, whose names are texts."""
    given = fields.value(name)
    if not isinstance(given, Mapping) or not given:
        raise BadInput("bot_machine_table", name=name)
    if len(given) > most:
        raise TooLarge("bot_list_long", where=fields.where, name=name, limit=most)
    return [(one_line(key, fields.where, name, LONGEST_NAME), value) for key, value in given.items()]


def _role(fields: Fields, name: str, given: object) -> Role:
    return Role(name, "" if given is None else one_line(given, fields.where, name, LONGEST_TASK))


def _state(name: str, given: object) -> State:
    fields = Fields(given, wording("goal_bots.where_state", name=name), ("role", "task", "next", "end"))
    ends = fields.truth("end", default=False)
    if ends == fields.has("next"):
        raise BadInput("bot_machine_end_leads" if ends else "bot_machine_dead_end", state=name)
    role = fields.text("role", LONGEST_NAME, "" if ends else None)
    return State(name, role, fields.prose("task", LONGEST_TASK), () if ends else _moves(fields))


def _moves(fields: Fields) -> tuple[Move, ...]:
    given = fields.value("next")
    if not isinstance(given, Mapping):
        return (Move(one_line(given, fields.where, "next", LONGEST_NAME)),)
    if not given or len(given) > MOST_OUTCOMES:
        raise TooLarge("bot_machine_outcomes", where=fields.where, limit=MOST_OUTCOMES)
    return tuple(
        Move(one_line(target, fields.where, "next", LONGEST_NAME), one_line(key, fields.where, "next", LONGEST_NAME))
        for key, target in given.items()
    )


def _check_names(found: Definition) -> None:
    """Refuse what names a state or a role that is not there, and roles that nobody plays."""
    names, roles = [each.name for each in found.states], [each.name for each in found.roles]
    if found.start not in names:
        raise BadInput("bot_machine_start", name=quoted(found.start), known="、".join(names))
    for state in found.states:
        if state.role and state.role not in roles:
            raise BadInput("bot_machine_role", state=state.name, name=quoted(state.role), known="、".join(roles))
        for move in state.moves:
            if move.target not in names:
                raise BadInput("bot_machine_target", state=state.name, name=quoted(move.target))
    idle = set(roles) - {each.role for each in found.states}
    if idle:
        raise BadInput("bot_machine_role_idle", name=next(each for each in roles if each in idle))


def _check_ways(found: Definition) -> None:
    """Refuse states that cannot be reached, and those from which no end can be."""
    onward = {each.name: {move.target for move in each.moves} for each in found.states}
    reached = _closure({found.start}, onward)
    back: dict[str, set[str]] = {name: set() for name in onward}
    for name, targets in onward.items():
        for target in targets:
            back[target].add(name)
    ending = _closure({each.name for each in found.states if not each.moves}, back)
    for state in found.states:
        if state.name not in reached:
            raise BadInput("bot_machine_unreachable", state=state.name)
        if state.name not in ending:
            raise BadInput("bot_machine_endless", state=state.name)


def _closure(first: Collection[str], onward: Mapping[str, Collection[str]]) -> set[str]:
    found, left = set(first), list(first)
    while left:
        new = set(onward[left.pop()]) - found
        found |= new
        left.extend(new)
    return found
