"""JSON lines in, JSON lines out, in the order of the input, without a store or a network (`zhixing plan --batch`).

A line that cannot be used yields one object with outcome `rejected` and the reason in `why`; the batch goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from zhixing.household.assembling.assembler import assemble
from zhixing.household.assembling.wire import read_request, to_wire
from zhixing.kernel.errors import BadInput, ZhixingError

LONGEST_LINE = 1 << 20
"""Characters of one input line."""

_decode = msgspec.json.decode
_encode = msgspec.json.Encoder().encode


def plan_lines(lines: Iterable[str]) -> Iterator[bytes]:
    """Yield one JSON object, without line end, for each line that is not blank."""
    for line in lines:
        if line.strip():
            yield _encode(_answer(line))


def _answer(line: str) -> dict[str, Any]:
    given: object = None
    try:
        if len(line) > LONGEST_LINE:
            raise BadInput("line_too_long", limit=LONGEST_LINE)
        given = _decode(line)
        name, request = read_request(given)
        return to_wire(name, assemble(request))
    except (msgspec.DecodeError, RecursionError) as error:
        return _rejected(None, str(BadInput("line_unreadable", reason=str(error).splitlines()[0][:120])))
    except ZhixingError as error:
        return _rejected(given, str(error))


def _rejected(given: object, why: str) -> dict[str, Any]:
    name = given.get("id") if isinstance(given, Mapping) else None
    return {"id": name if isinstance(name, str | int) else None, "outcome": "rejected", "op": None, "why": why}
