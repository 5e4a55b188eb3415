"""A variable to be made, and what a variable may be called and hold (mijia §4.1; seed: 变量生命周期能力). Pure."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from typing import Final

from zhixing.graphs.checks.variables_shape import PLACEHOLDER
from zhixing.graphs.hubs.entries import strange, variable_rows
from zhixing.graphs.hubs.scopes import checked_scope
from zhixing.graphs.rule import Json, Members
from zhixing.graphs.specs.home import Variable
from zhixing.graphs.specs.jsontext import shown
from zhixing.graphs.specs.model import Dtype
from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.world.hub.port import Method

LONGEST_ID: Final = 64
"""Characters of a variable's id."""
LONGEST_NAME: Final = 100
"""Characters of a name that is shown."""
LONGEST_VALUE: Final = 10_000
"""Characters of a variable's text that is given."""
MOST_NEW: Final = 100
"""Variables that a rule may bring along."""

_ID = re.compile(r"[a-zA-Z0-9]+")


@dataclass(frozen=True, slots=True)
class NewVariable:
    """A variable to be made. A scope of `rule` is that of the rule it comes with; without a name the id is shown."""

    id: str
    type: Dtype
    value: int | float | str
    name: str = ""
    scope: str = PLACEHOLDER
    about: Members = field(default_factory=dict)
    """What else the editor keeps about it, where it is made again."""

    @property
    def variable(self) -> Variable:
        """What it is once it is there."""
        return Variable(self.scope, self.id, self.type, self.value, self.name)

    def within(self, own: str) -> NewVariable:
        """Return it with the scope of its rule in the place of `rule`, checked. Raises `BadInput`."""
        scope = own if self.scope in {PLACEHOLDER, own} else checked_scope(self.scope)
        return replace(self, scope=scope)


def new_variable(id_: str, type_: str, value: Json, name: str = "", scope: str = PLACEHOLDER) -> NewVariable:
    """Make a variable of what was given. Raises `BadInput` for an id, a type, a value or a name that is none.

    The name goes where the editor's picker looks for it, so it is never left out (§4.1).
    """
    if not _ID.fullmatch(id_):
        raise BadInput("variable_id_form", id=shown(id_))
    if len(id_) > LONGEST_ID:
        raise TooLarge("variable_id_long", limit=LONGEST_ID)
    kind = checked_type(type_)
    return NewVariable(id_, kind, checked_value(kind, value, id_), checked_name(name or id_), scope)


def kept_of(scope: str, answer: Json) -> tuple[NewVariable, ...]:
    """Read `getVarList` so that the variables can be made again as they are. Raises `Unavailable` where they cannot."""
    try:
        return tuple(
            kept_variable(scope, name, row.get("type"), row.get("value"), row.get("userData"))
            for name, row in variable_rows(scope, answer).items()
        )
    except BadInput as error:
        raise strange(Method.GET_VARIABLES) from error


def kept_variable(scope: str, name: str, type_: Json, value: Json, about: Json) -> NewVariable:
    """Make a variable of what a hub held. Raises `BadInput` for a type or value that is none."""
    kept = about if isinstance(about, dict) else {}
    title = kept.get("name")
    kind = checked_type(type_ if isinstance(type_, str) else "")
    shown_as = title if isinstance(title, str) else ""
    return NewVariable(name, kind, _fitting(kind, value, name), shown_as, scope, kept)


def checked_type(given: str) -> Dtype:
    """Return the type, `number` or `string`; the hub knows no other."""
    if given not in {Dtype.NUMBER, Dtype.STRING}:
        raise BadInput("variable_type_form", type=shown(given))
    return Dtype(given)


def checked_value(kind: Dtype, value: Json, id_: str) -> int | float | str:
    """Return a value that fits the type and is not too long; true, false, NaN and the infinities are none."""
    found = _fitting(kind, value, id_)
    if isinstance(found, str) and len(found) > LONGEST_VALUE:
        raise TooLarge("variable_value_long", limit=LONGEST_VALUE)
    return found


def checked_name(name: str) -> str:
    """Return a name that the editor can show in one line."""
    found = name.strip()
    if not found or not found.isprintable():
        raise BadInput("graph_hub_name_form")
    if len(found) > LONGEST_NAME:
        raise TooLarge("graph_hub_name_long", limit=LONGEST_NAME)
    return found


def _fitting(kind: Dtype, value: Json, id_: str) -> int | float | str:
    if kind is Dtype.STRING:
        if not isinstance(value, str) or any("\ud800" <= each <= "\udfff" for each in value):
            raise BadInput("variable_not_string", id=shown(id_))
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or not _finite(value):
        raise BadInput("variable_not_number", id=shown(id_))
    return value


def _finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number that no double holds
        return False
