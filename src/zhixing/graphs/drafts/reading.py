"""What is given to a draft, as JSON values: a name, a batch of nodes, ids to remove. Pure.

The bounds of one call are checked here, those of a whole draft in `deciding`. Whether nodes make a rule that works is
for the checks to say when it is committed; only an id that no gateway takes is refused at once, because by it the node
is found again.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from zhixing.graphs.drafts.model import MOST_BATCH_BYTES, MOST_IN_BATCH, Slot
from zhixing.graphs.reading import node_from
from zhixing.graphs.specs.jsontext import fingerprint, read_json
from zhixing.kernel.errors import BadInput, TooLarge

LONGEST_NAME = 100
"""Characters of the name of a rule."""
LONGEST_ID = 64
"""Characters of the id of a node (mijia §1.2 says letters and digits, and no length)."""

_ID = re.compile(rf"[0-9a-zA-Z]{{1,{LONGEST_ID}}}")


@dataclass(frozen=True, slots=True)
class Uploaded:
    """A node as it is kept: `body` is its JSON, to the letter but for spaces."""

    slot: Slot
    body: str


def name_from(value: object) -> str:
    """Read the name of a rule: printable text on one line. Raises `BadInput`."""
    found = value.strip() if isinstance(value, str) else ""
    if not found or len(found) > LONGEST_NAME or not found.isprintable():
        raise BadInput("graph_draft_name", limit=LONGEST_NAME)
    return found


def batch_from(value: object, field: str = "nodes") -> tuple[Uploaded, ...]:
    """Read the nodes of a batch. Raises `BadInput` and `TooLarge`, and what `graphs.reading.node_from` raises."""
    found = tuple(_uploaded(each, number) for number, each in enumerate(listed(value, field, MOST_IN_BATCH), 1))
    if sum(each.slot.size for each in found) > MOST_BATCH_BYTES:
        raise TooLarge("graph_draft_batch_large", limit=MOST_BATCH_BYTES // 1024)
    if (name := twice(each.slot.id for each in found)) is not None:
        raise BadInput("graph_draft_twice", id=name)
    return found


def removed_from(value: object, field: str = "removeIds") -> tuple[str, ...]:
    """Read the ids of nodes to remove; one that is written twice counts once."""
    given = listed(value, field, MOST_IN_BATCH)
    return tuple(dict.fromkeys(_id(each, number) for number, each in enumerate(given, 1)))


def listed(value: object, field: str, limit: int) -> Sequence[Any]:
    """Return a list of at most `limit`; `field` is what its writer calls it."""
    if not isinstance(value, list | tuple):
        raise BadInput("graph_draft_not_list", field=field, limit=limit)
    if len(value) > limit:
        raise TooLarge("graph_draft_list_long", field=field, limit=limit)
    return value


def twice(names: Iterable[str]) -> str | None:
    """Return a name that is there more than once."""
    return next((name for name, count in Counter(names).items() if count > 1), None)


def _id(value: object, number: int) -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise BadInput("graph_draft_node_id", number=number, limit=LONGEST_ID)
    return value


def _uploaded(value: object, number: int) -> Uploaded:
    node = node_from(value)
    name = _id(node.id, number)
    body = json.dumps(node.raw, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    size = len(body.encode())
    if size > MOST_BATCH_BYTES:
        raise TooLarge("graph_draft_batch_large", limit=MOST_BATCH_BYTES // 1024)
    return Uploaded(Slot(name, _digest(body), size), body)


def _digest(body: str) -> str:
    """Return what is equal for nodes that differ only in the order of keys and in how a number is written."""
    return sha256(fingerprint(read_json(body.encode())).encode()).hexdigest()
