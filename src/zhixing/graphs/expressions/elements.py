"""The elements of varSetNumber and varSetString, as the gateway stores them and as a person writes them.

Stored: `[{"type": "var", "scope": "global", "id": "count"}, {"type": "const", "value": " + 1"}]`.
Written: `{global.count} + 1`; a brace that is meant as one is doubled.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from zhixing.graphs.expressions.faults import Fault

MOST_ELEMENTS = 200
"""Elements of one node."""
LONGEST_TEXT = 4000
"""Characters of the constants of one node together, and of a text that is written."""
DOLLAR = "$"
"""What stands for a variable in the joined text, and what a template may write in a constant."""

_NAME = r"[^{}.|\s]{1,64}"
_NAMED = re.compile(_NAME)
_WRITTEN = re.compile(rf"\{{\{{|\}}\}}|\{{(?P<scope>{_NAME})\.(?P<id>{_NAME})\}}|[{{}}]")


@dataclass(frozen=True, slots=True, order=True)
class Variable:
    """A variable by scope (`global`, or `R` and the digits of a rule) and id; also the element that reads it."""

    scope: str
    id: str

    @property
    def key(self) -> str:
        """`scope.id`, as results and messages name it."""
        return f"{self.scope}.{self.id}"


@dataclass(frozen=True, slots=True)
class Const:
    """A piece of text that stands as it is."""

    value: str


Element = Const | Variable


def read_elements(stored: object) -> tuple[Element, ...] | Fault:
    """Read `props.elements`. Keys beside the known ones are left alone."""
    if not isinstance(stored, list | tuple):
        return Fault("elements_not_array")
    if len(stored) > MOST_ELEMENTS:
        return Fault("too_many_elements", {"limit": MOST_ELEMENTS})
    elements: list[Element] = []
    for number, each in enumerate(stored, 1):
        match each:
            case {"type": "const", "value": str(value)}:
                elements.append(Const(value))
            case {"type": "var", "scope": str(scope), "id": str(name)} if _NAMED.fullmatch(scope) and _NAMED.fullmatch(
                name
            ):
                elements.append(Variable(scope, name))
            case _:
                return Fault("element_invalid", {"number": number})
    return _within(elements)


def stored_elements(elements: Iterable[Element]) -> list[dict[str, str]]:
    """Return them as the gateway stores them."""
    return [
        {"type": "const", "value": each.value}
        if isinstance(each, Const)
        else {"type": "var", "scope": each.scope, "id": each.id}
        for each in elements
    ]


def elements_of(text: str) -> tuple[Element, ...] | Fault:
    """Read what a person writes: constants with `{scope.id}` between them. No two constants stand side by side."""
    if len(text) > LONGEST_TEXT:
        return Fault("too_long", {"limit": LONGEST_TEXT})
    elements: list[Element] = []
    done = 0
    for found in _WRITTEN.finditer(text):
        elements.append(Const(text[done : found.start()]))
        done = found.end()
        if found["scope"]:
            elements.append(Variable(found["scope"], found["id"]))
        elif len(found[0]) == 2:
            elements.append(Const(found[0][0]))
        else:
            return Fault("brace", {"brace": found[0]}, found.start())
    elements.append(Const(text[done:]))
    joined = _joined(elements)
    if len(joined) > MOST_ELEMENTS:
        return Fault("too_many_elements", {"limit": MOST_ELEMENTS})
    return joined


def text_of(elements: Iterable[Element]) -> str:
    """Write them as a person does; `elements_of` reads the same elements back, constants joined."""
    return "".join(
        each.value.replace("{", "{{").replace("}", "}}") if isinstance(each, Const) else f"{{{each.key}}}"
        for each in elements
    )


def variables_of(elements: Iterable[Element]) -> tuple[Variable, ...]:
    """Return the variables they read, each once, in the order of their first use."""
    return tuple(dict.fromkeys(each for each in elements if isinstance(each, Variable)))


def has_dollar(elements: Iterable[Element]) -> bool:
    """Whether a constant holds a `$` of its own, of which nobody knows what the gateway puts there (mijia.md §1.11)."""
    return any(isinstance(each, Const) and DOLLAR in each.value for each in elements)


def without_dollar(elements: Iterable[Element], target: Variable) -> tuple[Element, ...]:
    """Put the variable that is set in the place of each `$` of a constant: the safe form of the seed's template."""
    replaced: list[Element] = []
    for each in elements:
        if not isinstance(each, Const):
            replaced.append(each)
            continue
        for place, piece in enumerate(each.value.split(DOLLAR)):
            replaced += [target, Const(piece)] if place else [Const(piece)]
    return _joined(replaced)


def _joined(elements: Sequence[Element]) -> tuple[Element, ...]:
    """Leave out empty constants and join those that stand side by side."""
    joined: list[Element] = []
    for each in elements:
        last = joined[-1] if joined else None
        if isinstance(each, Const) and isinstance(last, Const):
            joined[-1] = Const(last.value + each.value)
        elif each != Const(""):
            joined.append(each)
    return tuple(joined)


def _within(elements: Sequence[Element]) -> tuple[Element, ...] | Fault:
    if sum(len(each.value) for each in elements if isinstance(each, Const)) > LONGEST_TEXT:
        return Fault("too_long", {"limit": LONGEST_TEXT})
    return tuple(elements)
