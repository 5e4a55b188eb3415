"""The life of the variables of a hub: made, read, set, renamed, deleted (mijia §4.1; seed: 变量生命周期能力).

A write that got no answer is read back: when it is not there, `Unavailable` says so, and when that cannot be read,
`Unconfirmed` does. Nothing is written twice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from zhixing.graphs.catalogue import node_type
from zhixing.graphs.checks.finding import GRAPH
from zhixing.graphs.checks.variables import uses_of
from zhixing.graphs.checks.variables_shape import GLOBAL
from zhixing.graphs.hubs.asking import Reader, UnreadGraph
from zhixing.graphs.hubs.entries import MOST_VARIABLES, VariableConfig
from zhixing.graphs.hubs.new_variables import NewVariable, checked_name, checked_value
from zhixing.graphs.hubs.outcomes import Outcome, answered, seen
from zhixing.graphs.hubs.scopes import checked_scope
from zhixing.graphs.rule import Json, Rule
from zhixing.graphs.specs.home import Variable
from zhixing.graphs.specs.jsontext import shown
from zhixing.kernel.errors import Conflict, NotFound, TooLarge, Unavailable
from zhixing.world.hub.port import Hub, Method, Unconfirmed

MOST_PLACES = 200
"""Places where a variable is used that are named."""
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class VariablePlace:
    """A node that names a variable."""

    rule: str
    rule_name: str
    node: str


@dataclass(frozen=True, slots=True)
class VariableUsage:
    """Where a variable is used, the first `MOST_PLACES`; `unread` are graphs of which nothing is known."""

    places: tuple[VariablePlace, ...]
    unread: tuple[UnreadGraph, ...]

    @property
    def complete(self) -> bool:
        """Whether every graph was looked at."""
        return not self.unread


class Variables:
    """The variables of one hub. A scope is `global` or `R` and the digits of a rule's id; all methods check that."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._reader = Reader(hub)

    def scopes(self) -> tuple[str, ...]:
        """Return the scopes that have variables."""
        return self._reader.scopes()

    def listed(self, scope: str) -> tuple[Variable, ...]:
        """Return the variables of a scope; none for a scope that the hub does not have."""
        if checked_scope(scope) not in self._reader.scopes():
            return ()
        return tuple(self._reader.variables(scope).values())

    def value(self, scope: str, name: str) -> int | float | str:
        """Return the value of a variable. Raises `NotFound`."""
        self._existing(scope, name)
        return self._reader.value(scope, name)

    def config(self, scope: str, name: str) -> VariableConfig:
        """Return the type and the editor's data of a variable. Raises `NotFound`."""
        self._existing(scope, name)
        return self._reader.config(scope, name)

    def create(self, new: NewVariable) -> Variable:
        """Make a variable of an explicit scope. Raises `Conflict` for an id that is there already.

        A rule's own scope must be that of a rule the hub has, so a slip in it is told and leaves no litter.
        """
        scope = checked_scope(new.scope)
        if scope != GLOBAL and all(entry.scope != scope for entry in self._reader.entries()):
            raise NotFound("variable_scope_unknown", scope=scope)
        there = {each.id for each in self.listed(scope)}
        if new.id in there:
            raise Conflict("variable_exists", id=new.id, scope=scope)
        if len(there) >= MOST_VARIABLES:
            raise TooLarge("variable_many", scope=scope, limit=MOST_VARIABLES)
        confirmed(lambda: send_new(self._hub, new), lambda: look_for(self._reader, new), new.id)
        return new.variable

    def set(self, scope: str, name: str, value: Json) -> Variable:
        """Set the value of a variable that exists. Raises `NotFound` with the hint to make it first."""
        before = self._existing(scope, name)
        found = checked_value(before.type, value, name)
        params = {"scope": scope, "id": name, "value": found}

        def look() -> Outcome:
            # Another value proves nothing: a rule that hears of the new one may have set it back at once.
            return Outcome.APPLIED if self._reader.value(scope, name) == found else Outcome.UNKNOWN

        confirmed(lambda: self._hub.call(Method.SET_VARIABLE_VALUE, params), look, name)
        return replace(before, value=found)

    def rename(self, scope: str, name: str, title: str) -> Variable:
        """Change what the editor calls a variable; the rest of its data stays. Raises `NotFound`."""
        before = self._existing(scope, name)
        shown_as = checked_name(title)
        about = {**self._reader.config(scope, name).user_data, "name": shown_as}
        params = {"scope": scope, "id": name, "userData": about}

        def look() -> Outcome:
            now = self._reader.config(scope, name).name
            return seen(wanted=now == shown_as, before=now == before.name)

        confirmed(lambda: self._hub.call(Method.SET_VARIABLE_CONFIG, params), look, name)
        return replace(before, name=shown_as)

    def uses(self, scope: str, name: str) -> VariableUsage:
        """Look through all graphs for a variable, whether it exists or not."""
        checked_scope(scope)
        found = self._reader.rules()
        places = [place for rule in found.rules for place in places_of(rule, scope, name)]
        return VariableUsage(tuple(places[:MOST_PLACES]), found.unread)

    def delete(self, scope: str, name: str) -> None:
        """Delete a variable that no rule uses. It cannot be had back.

        Raises `NotFound`, and `Conflict` while a rule uses it or not every graph could be read.
        """
        self._existing(scope, name)
        usage = self.uses(scope, name)
        if usage.places:
            rules = dict.fromkeys(place.rule_name or place.rule for place in usage.places)
            named = "、".join(shown(each) for each in list(rules)[:_MOST_NAMED])
            raise Conflict("variable_used", id=name, count=len(rules), rules=named)
        if not usage.complete:
            raise Conflict("variable_use_unknown", id=name, count=len(usage.unread))

        def look() -> Outcome:
            return seen(wanted=self._found(scope, name) is None, before=True)

        params = {"scope": scope, "id": name}
        confirmed(lambda: self._hub.call(Method.DELETE_VARIABLE, params), look, name)

    def _existing(self, scope: str, name: str) -> Variable:
        found = self._found(checked_scope(scope), name)
        if found is None:
            raise NotFound("variable_unknown", id=shown(name), scope=scope)
        return found

    def _found(self, scope: str, name: str) -> Variable | None:
        return next((each for each in self.listed(scope) if each.id == name), None)


def send_new(hub: Hub, new: NewVariable) -> None:
    """Ask for a variable to be made. The name goes into `userData`, or the editor would not show it (§4.1)."""
    params = {"scope": new.scope, "id": new.id, "type": new.type.value, "value": new.value}
    hub.call(Method.CREATE_VARIABLE, {**params, "userData": {**new.about, "name": new.name or new.id}})


def look_for(reader: Reader, new: NewVariable) -> Outcome:
    """Tell whether a variable that was to be made is there."""
    if new.scope not in reader.scopes():
        return Outcome.NOT_APPLIED
    found = reader.variables(new.scope).get(new.id)
    return seen(wanted=found is not None and found.type is new.type, before=found is None)


def confirmed(write: Callable[[], object], look: Callable[[], Outcome], name: str) -> None:
    """Write once; return when it is done. Raises `Unavailable` when it is not, `Unconfirmed` when nobody knows."""
    match answered(write, look):
        case Outcome.APPLIED:
            return
        case Outcome.NOT_APPLIED:
            raise Unavailable("variable_not_written", id=shown(name))
        case _:
            raise Unconfirmed("variable_unconfirmed", id=shown(name))


def places_of(rule: Rule, scope: str, name: str) -> tuple[VariablePlace, ...]:
    """Return the nodes of a rule that name a variable; of a type nobody knows, any that has both names together."""
    uses = {use.node for use in uses_of(rule) if (use.scope, use.id) == (scope, name)}
    return tuple(
        VariablePlace(rule.id, rule.name, node.id)
        for node in rule.nodes
        if (node.id or GRAPH) in uses or (node_type(node.type) is None and _names(node.props, scope, name))
    )


def _names(value: Json, scope: str, name: str) -> bool:
    """Look for an object with both names, at any depth; a rule is bounded in depth."""
    if isinstance(value, dict):
        if value.get("scope") == scope and value.get("id") == name:
            return True
        return any(_names(inner, scope, name) for inner in value.values())
    return isinstance(value, list) and any(_names(inner, scope, name) for inner in value)
