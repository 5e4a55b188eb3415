"""What the elements of varSetString give now: everything in a row, nothing worked out (mijia.md §1.11)."""

from __future__ import annotations

from collections.abc import Iterable

from zhixing.graphs.expressions.arithmetic import number_text
from zhixing.graphs.expressions.elements import Const, Element
from zhixing.graphs.expressions.evaluating import Variables
from zhixing.graphs.expressions.faults import Fault

LONGEST_RESULT = 10_000
"""Characters of a text variable; a node that appends to its own variable stops here."""


def joined_text(elements: Iterable[Element], variables: Variables) -> str | Fault:
    """Join constants and values; a number is written in JavaScript's shortest form, no elements give an empty text."""
    pieces: list[str] = []
    length = 0
    for each in elements:
        if isinstance(each, Const):
            piece = each.value
        elif (value := variables.get(each)) is None:
            return Fault("variable_missing", {"variable": each.key})
        else:
            piece = value if isinstance(value, str) else number_text(value)
        length += len(piece)
        if length > LONGEST_RESULT:
            return Fault("result_too_long", {"limit": LONGEST_RESULT})
        pieces.append(piece)
    return "".join(pieces)
