"""Cards that query and set variables: varGet, varSetNumber, varSetString."""

from __future__ import annotations

from zhixing.graphs.expressions.elements import read_elements
from zhixing.graphs.expressions.evaluating import Surroundings, evaluate, unproven_in
from zhixing.graphs.expressions.faults import Fault
from zhixing.graphs.expressions.parsing import expression_of
from zhixing.graphs.expressions.strings import joined_text
from zhixing.graphs.rule import Node
from zhixing.graphs.simulating.cards import Card, store, variable_of
from zhixing.graphs.simulating.effects import Effects, Emit, Fail, Tell, Unproven
from zhixing.graphs.simulating.predicates import Predicate
from zhixing.graphs.simulating.world import World


class VariableQuery(Card):
    """`varGet`."""

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        self._about = variable_of(node.props)
        self._predicate = Predicate.of(node.props)

    def pulse(self, _pin: str, /) -> Effects:
        """Go on at one of the two outputs, at neither when there is no such variable."""
        value = self.world.variables.get(self._about)
        if value is None:
            yield Fail("variable_missing", {"variable": self._about.key})
            return
        yield Tell(value)
        yield Emit("output" if self._predicate.holds(value) else "output2", pulse=True)


class SetNumber(Card):
    """`varSetNumber`."""

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        self._target = variable_of(node.props)
        elements = read_elements(node.props.get("elements"))
        self._expression = elements if isinstance(elements, Fault) else expression_of(elements)
        self._unproven = () if isinstance(self._expression, Fault) else unproven_in(self._expression)

    def pulse(self, _pin: str, /) -> Effects:
        """Work it out, store it and pulse; the variable keeps its value when there is no result."""
        expression = self._expression
        if isinstance(expression, Fault):
            yield Fail(expression.code, fault=expression)
            return
        for option in self._unproven:
            yield Unproven(option)
        now = self.world.wall.astimezone(self.world.tz)
        found = evaluate(
            expression,
            Surroundings(self.world.variables, now, self.world.chance, self._target, self.world.options.expressions),
        )
        if isinstance(found, Fault):
            yield Fail(found.code, fault=found)
        else:
            yield from store(self._target, found, self.world)


class SetString(Card):
    """`varSetString`."""

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        self._target = variable_of(node.props)
        self._elements = read_elements(node.props.get("elements"))

    def pulse(self, _pin: str, /) -> Effects:
        """Join it, store it and pulse; the variable keeps its value when a variable is missing."""
        elements = self._elements
        found = elements if isinstance(elements, Fault) else joined_text(elements, self.world.variables)
        if isinstance(found, Fault):
            yield Fail(found.code, fault=found)
        else:
            yield from store(self._target, found, self.world)
