"""JSON lines in, JSON lines out, in the order of the input, without a store or a network (`zhixing recognise --batch`).

A line that cannot be used yields one object with outcome `rejected` and the reason in `why`; the batch goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from zhixing.goals.recognising.cards import body_of
from zhixing.goals.recognising.model import Message, NeedsModel, Recognition, Role, Shown
from zhixing.goals.recognising.recognising import recognise
from zhixing.kernel.errors import BadInput, ZhixingError

LONGEST_LINE = 1 << 20
"""Characters of one input line."""


class _GivenMessage(msgspec.Struct):
    role: Role
    text: str


class _Line(msgspec.Struct):
    messages: list[_GivenMessage]
    id: str | int | None = None
    context: str | None = None


_decode = msgspec.json.Decoder(_Line).decode
_encode = msgspec.json.Encoder().encode


def recognise_lines(lines: Iterable[str]) -> Iterator[bytes]:
    """Yield one JSON object, without line end, for each line that is not blank."""
    for line in lines:
        if line.strip():
            yield _encode(_answer(line))


def to_wire(found: Recognition, name: str | int | None) -> dict[str, Any]:
    """Return the contract's output object."""
    shown = found if isinstance(found, Shown) else None
    outcome = "card" if shown else "needs_model" if isinstance(found, NeedsModel) else "silent"
    return {
        "id": name,
        "cards": [body_of(shown.card)] if shown else [],
        "markers": list(shown.markers) if shown else [],
        "silent": outcome == "silent",
        "outcome": outcome,
    }


def _answer(line: str) -> dict[str, Any]:
    try:
        if len(line) > LONGEST_LINE:
            raise BadInput("line_too_long", limit=LONGEST_LINE)
        given = _decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        return _rejected(str(BadInput("line_unreadable", reason=str(error).splitlines()[0][:120])))
    except ZhixingError as error:
        return _rejected(str(error))
    messages = [Message(each.role, each.text) for each in given.messages]
    return to_wire(recognise(messages, given.context), given.id)


def _rejected(why: str) -> dict[str, Any]:
    return {"id": None, "cards": [], "markers": [], "silent": True, "outcome": "rejected", "why": why}
