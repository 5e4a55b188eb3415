"""A backup of one rule and its own variables, as it is stored and read again (mijia §4.5)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from zhixing.graphs.hubs.asking import Reader
from zhixing.graphs.hubs.entries import MOST_VARIABLES
from zhixing.graphs.hubs.new_variables import NewVariable, kept_variable
from zhixing.graphs.hubs.scopes import scope_of
from zhixing.graphs.reading import rule_from
from zhixing.graphs.rule import Json, Rule
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.world.hub.port import Hub

MOST_BYTES: Final = 32 * 1024 * 1024
"""UTF-8 bytes of one receipt."""
_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a hub held under an id at an instant: `rule` is None when it held nothing."""

    id: str
    at: datetime
    rule: Rule | None
    variables: tuple[NewVariable, ...]
    """Those of the rule's own scope, with their values then."""

    def to_json(self) -> str:
        """Write it; `read_receipt` reads it again. Raises `TooLarge`."""
        variables = [
            {"id": each.id, "type": each.type.value, "value": each.value, "userData": {**each.about}}
            for each in self.variables
        ]
        rule = None if self.rule is None else self.rule.raw
        whole = {"version": _VERSION, "id": self.id, "at": self.at.isoformat(), "rule": rule, "variables": variables}
        written = json.dumps(whole, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        _check_size(written)
        return written


def back_up(hub: Hub, name: str, clock: Clock) -> Receipt:
    """Take a receipt of what a hub holds under an id."""
    return receipt_of(Reader(hub), name, Reader(hub).rule(name), clock)


def receipt_of(reader: Reader, name: str, rule: Rule | None, clock: Clock) -> Receipt:
    """Take a receipt of a rule that was just read, with its variables."""
    return Receipt(name, clock.now(), rule, reader.kept(scope_of(name)))


def read_receipt(text: str) -> Receipt:
    """Read a receipt. Raises `BadInput` for what is none, and `TooLarge`."""
    _check_size(text)
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput("graph_hub_receipt") from error
    try:
        return _receipt(found)
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput("graph_hub_receipt") from error


def _receipt(found: Mapping[str, Any]) -> Receipt:
    name, at = found["id"], datetime.fromisoformat(found["at"])
    rule = None if found["rule"] is None else rule_from(found["rule"])
    variables = found["variables"]
    right = found["version"] == _VERSION and isinstance(name, str) and at.tzinfo is not None
    if not right or (rule is not None and rule.id != name) or not isinstance(variables, list):
        raise ValueError
    if len(variables) > MOST_VARIABLES:
        raise TooLarge("variable_many", scope=scope_of(name), limit=MOST_VARIABLES)
    return Receipt(name, at, rule, tuple(_variable(scope_of(name), each) for each in variables))


def _variable(scope: str, row: Mapping[str, Json]) -> NewVariable:
    about = row["userData"]
    if not isinstance(about, dict) or not isinstance(row["id"], str):
        raise TypeError
    return kept_variable(scope, row["id"], row["type"], row["value"], about)


def _check_size(text: str) -> None:
    if len(text) > MOST_BYTES or len(text.encode(errors="replace")) > MOST_BYTES:
        raise TooLarge("graph_hub_receipt_large", limit=MOST_BYTES // 2**20)
