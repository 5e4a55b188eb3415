"""Variables that come with a draft, from JSON values to its row and back. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable

from zhixing.graphs.checks.variables_shape import GLOBAL, PLACEHOLDER
from zhixing.graphs.drafts.reading import listed, twice
from zhixing.graphs.hubs.new_variables import MOST_NEW, NewVariable, new_variable
from zhixing.graphs.specs.model import Dtype
from zhixing.kernel.errors import BadInput

_TEXTS = ("id", "type", "name", "scope")


def variables_from(value: object, field: str = "variables") -> tuple[NewVariable, ...]:
    """Read the variables of a rule: `{id, type, value, name?, scope?}` each (mijia §4.1, §4.2).

    Scope `rule`, which is meant where none is written, stands for the scope of the rule to be; the other one is
    `global`. Raises `BadInput`, and what `new_variable` raises.
    """
    found = tuple(_variable(each, number) for number, each in enumerate(listed(value, field, MOST_NEW), 1))
    if (name := twice(f"{each.scope}.{each.id}" for each in found)) is not None:
        raise BadInput("graph_draft_variable_twice", id=name)
    return found


def encode(variables: Iterable[NewVariable]) -> str:
    """Write variables as they are kept."""
    rows = [
        {"id": each.id, "type": each.type.value, "value": each.value, "name": each.name, "scope": each.scope}
        for each in variables
    ]
    return json.dumps(rows, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def decode(kept: str) -> tuple[NewVariable, ...]:
    """Read what `encode` wrote."""
    return tuple(NewVariable(**{**row, "type": Dtype(row["type"])}) for row in json.loads(kept))


def _variable(value: object, number: int) -> NewVariable:
    given = value if isinstance(value, dict) else {}
    row = {"name": "", "scope": PLACEHOLDER, **{name: each for name, each in given.items() if each is not None}}
    wrong = next((name for name in _TEXTS if not isinstance(row.get(name), str)), None)
    if wrong is None and row["scope"] not in (PLACEHOLDER, GLOBAL):
        wrong = "scope"
    if wrong is not None:
        raise BadInput("graph_draft_variable", number=number, field=wrong)
    return new_variable(row["id"], row["type"], row.get("value"), row["name"], row["scope"])
