"""The joined text of an expression, cut into tokens (mijia.md §1.11).

An operand is whatever stands between operators, brackets and commas: the name of a function when a bracket follows,
else a number or exactly `$`. A sign right after an `e` belongs to the operand, so `1e-3` survives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from zhixing.graphs.expressions.arithmetic import BLANKS, read_number
from zhixing.graphs.expressions.elements import DOLLAR, LONGEST_TEXT, Const, Element, Variable
from zhixing.graphs.expressions.faults import Broken, Code, Fault
from zhixing.graphs.expressions.functions import FUNCTIONS
from zhixing.graphs.expressions.tree import Dollar, Number

MOST_TOKENS = 1000
"""Tokens of one expression."""
DEEPEST = 50
"""Brackets inside one another."""
LONGEST_PART = 20
"""Characters of the wrong part that a message repeats."""

OPERATORS = frozenset("+-*/%")
SIGNS = frozenset("+-")
_MARKS = OPERATORS | frozenset("(),")
_WIDE = frozenset("（），＋－×÷＊／％＄。．０１２３４５６７８９")


@dataclass(frozen=True, slots=True)
class Mark:
    """An operator, a bracket or a comma."""

    sign: str
    position: int


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a function; a bracket follows."""

    name: str
    position: int


@dataclass(frozen=True, slots=True)
class Operand:
    """A number, a variable or a bare `$`."""

    leaf: Number | Variable | Dollar
    position: int


Token = Mark | Name | Operand
Places = Mapping[int, Variable]
"""Which variable stands at which `$` of the joined text."""


def joined(elements: Sequence[Element]) -> tuple[str, Places]:
    """Return the joined text, and which variable stands at which `$` of it."""
    pieces: list[str] = []
    places: dict[int, Variable] = {}
    length = 0
    for each in elements:
        piece = each.value if isinstance(each, Const) else DOLLAR
        if isinstance(each, Variable):
            places[length] = each
        pieces.append(piece)
        length += len(piece)
        if length > LONGEST_TEXT:
            raise Broken(Fault("too_long", {"limit": LONGEST_TEXT}))
    return "".join(pieces), places


def tokens_of(text: str, places: Places) -> tuple[Token, ...]:
    """Cut the text. Raises `Broken` for an operand that is none, brackets that do not match, and passed bounds."""
    tokens: list[Token] = []
    open_at: list[int] = []
    for token in _cut(text, places):
        if len(tokens) >= MOST_TOKENS:
            raise Broken(Fault("too_many_tokens", {"limit": MOST_TOKENS}))
        tokens.append(token)
        if not isinstance(token, Mark):
            continue
        if token.sign == "(":
            open_at.append(token.position)
            if len(open_at) > DEEPEST:
                raise Broken(Fault("too_deep", {"limit": DEEPEST}, token.position))
        elif token.sign == ")":
            if not open_at:
                raise Broken(Fault("bracket_unopened", {}, token.position))
            open_at.pop()
    if open_at:
        raise Broken(Fault("bracket_unclosed", {}, open_at[-1]))
    return tuple(tokens)


def _cut(text: str, places: Places) -> Iterator[Token]:
    start = 0
    for position, character in enumerate(text):
        of_exponent = character in SIGNS and position > start and text[position - 1] == "e"
        if of_exponent or character not in _MARKS:
            continue
        yield from _operand(text, start, position, places)
        yield Mark(character, position)
        start = position + 1
    yield from _operand(text, start, len(text), places)


def _operand(text: str, start: int, end: int, places: Places) -> Iterator[Token]:
    part = text[start:end]
    written = part.strip(BLANKS)
    if not written:
        return
    start += len(part) - len(part.lstrip(BLANKS))
    if text[end : end + 1] == "(":
        yield Name(written, start)
    elif written == DOLLAR:
        yield Operand(places.get(start, Dollar()), start)
    elif (value := read_number(written)) is not None:
        yield Operand(Number(value), start)
    else:
        raise Broken(_no_number(text, start, start + len(written), places))


def _no_number(text: str, start: int, end: int, places: Places) -> Fault:
    """Say what is wrong with an operand, as helpfully as it can be told."""
    written = text[start:end]
    if written in FUNCTIONS:
        return Fault("call_without_brackets", {"name": written}, start)
    for place, character in enumerate(written):
        if character in _WIDE:
            return Fault("wide_character", {"character": character}, start + place)
    if "^" in written:
        return Fault("power_sign", {}, start + written.index("^"))
    code: Code = "operator_missing" if DOLLAR in written else "invalid_number"
    return Fault(code, {"part": shown(text, start, end, places)}, start)


def shown(text: str, start: int, end: int, places: Places) -> str:
    """Return what a message repeats of a part: variables as they are written, cut where it gets long."""
    end = min(end, len(text))
    part = "".join(
        f"{{{places[place].key}}}" if place in places else text[place]
        for place in range(start, min(end, start + LONGEST_PART))
    )
    return " ".join(part.split()) + ("…" if end > start + LONGEST_PART else "")
