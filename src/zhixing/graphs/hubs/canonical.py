"""What is written alike for a hub: the order of keys and the way a number is written tell nothing. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from zhixing.graphs.rule import Json, Rule

_VIEW = "transform"
"""The part of the window of the editor that is shown; panning it changes nothing (mijia §1.1)."""


def canonical(value: Json) -> str:
    """Write a value so that equal content is equal text. The value is bounded in depth, as those of a `Rule` are."""
    return json.dumps(_plain(value), ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def alike(left: Json, right: Json) -> bool:
    """Tell whether two values say the same."""
    return canonical(left) == canonical(right)


def same_nodes(left: Rule, right: Rule) -> bool:
    """Tell whether two rules have the same cards in the same order."""
    return alike(left.raw.get("nodes"), right.raw.get("nodes"))


def same_settings(left: Rule, right: Rule) -> bool:
    """Tell whether two rules are switched alike and have the same data of the editor, the view set aside."""
    return alike(_settings(left), _settings(right))


def same_rule(left: Rule | None, right: Rule | None) -> bool:
    """Tell whether two rules say the same; nothing is the same as nothing."""
    if left is None or right is None:
        return left is right
    return left.id == right.id and same_nodes(left, right) and same_settings(left, right)


def fingerprint(rule: Rule | None) -> str:
    """Return a short text that changes when the rule does; of no rule, an empty one."""
    if rule is None:
        return ""
    whole = {"id": rule.id, "nodes": rule.raw.get("nodes"), "cfg": _settings(rule)}
    return hashlib.sha256(canonical(whole).encode()).hexdigest()[:32]


def _settings(rule: Rule) -> Mapping[str, Json]:
    about = {name: value for name, value in rule.user_data.items() if name != _VIEW}
    return {"enable": rule.cfg.get("enable"), "uiType": rule.cfg.get("uiType"), "userData": about}


def _plain(value: Json) -> Json:
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
