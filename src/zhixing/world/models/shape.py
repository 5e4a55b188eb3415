"""The shape that a reply must have: the part of JSON Schema that every server which enforces schemas understands.

A schema is an object of `type` (a name, or a name and "null"), `properties`, `required`, `additionalProperties`,
`items`, `enum`, `anyOf` and `description`. The whole is an object; every object lists all its properties as required
and allows no other: what may be missing is said with "null". How long and how large things may be is for the asker's
own check, because servers disagree about such bounds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Schema = Mapping[str, Any]

_KEYWORDS = {"type", "properties", "required", "additionalProperties", "items", "enum", "anyOf", "description"}
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class Shape:
    """A schema under a name. A schema outside the understood part is a mistake in the program: `ValueError`."""

    name: str
    schema: Schema = field(repr=False)

    def __post_init__(self) -> None:
        if _NAME.fullmatch(self.name) is None:
            raise ValueError(f"{self.name!r} is no name for a shape")
        _check(self.schema, self.name)
        if self.schema.get("type") != "object":
            raise ValueError(f"{self.name}: a reply is an object")

    def text(self) -> str:
        """Return the schema as it is shown to a model."""
        return json.dumps(self.schema, ensure_ascii=False)

    def mismatch(self, value: object) -> str:
        """Say where `value` differs, in one sentence for the model, or "".

        The sentence names places by our properties and by numbers; it repeats nothing out of `value`.
        """
        return _mismatch(value, self.schema, "")


def _check(schema: Schema, place: str) -> None:
    strange = set(schema) - _KEYWORDS
    if strange:
        raise ValueError(f"{place}: not understood: {sorted(strange)}")
    for option in schema.get("anyOf", ()):
        _check(option, place)
    types = _types(schema)
    if not types <= set(_TYPES):
        raise ValueError(f"{place}: no such type: {sorted(types - set(_TYPES))}")
    if not types and not schema.get("anyOf") and "enum" not in schema:
        raise ValueError(f"{place}: says nothing")
    if "array" in types:
        _check(schema.get("items", {}), f"{place}[]")
    if "object" in types:
        properties = schema.get("properties", {})
        if schema.get("additionalProperties") is not False or set(schema.get("required", ())) != set(properties):
            raise ValueError(f"{place}: an object requires all its properties and allows no others")
        for name, inner in properties.items():
            _check(inner, f"{place}.{name}")


def _types(schema: Schema) -> set[str]:
    named = schema.get("type", [])
    return {named} if isinstance(named, str) else set(named)


def _mismatch(value: object, schema: Schema, place: str) -> str:
    here = f"「{place}」" if place else "回答"
    if schema.get("anyOf") and all(_mismatch(value, option, place) for option in schema["anyOf"]):
        return f"{here}不是允许的几种写法之一"
    if "enum" in schema and not any(_same(value, allowed) for allowed in schema["enum"]):
        return f"{here}只能是 {json.dumps(list(schema['enum']), ensure_ascii=False)} 之一"
    types = _types(schema)
    if types and not any(_is(value, name) for name in types):
        return f"{here}应是 {' 或 '.join(sorted(types))}"
    if isinstance(value, dict) and "properties" in schema:
        return _object_mismatch(value, schema["properties"], place, here)
    if isinstance(value, list) and "items" in schema:
        found = (_mismatch(item, schema["items"], f"{place}[{index}]") for index, item in enumerate(value))
        return next(filter(None, found), "")
    return ""


def _object_mismatch(value: Mapping[str, object], properties: Mapping[str, Schema], place: str, here: str) -> str:
    missing = [name for name in properties if name not in value]
    if missing:
        return f"{here}缺少 {'、'.join(missing)}"
    before = f"{place}." if place else ""
    found = (_mismatch(value[name], inner, before + name) for name, inner in properties.items())
    return next(filter(None, found), "")


def _is(value: object, name: str) -> bool:
    # Python takes True for a number; JSON does not.
    return isinstance(value, _TYPES[name]) and (name == "boolean" or not isinstance(value, bool))


def _same(value: object, allowed: object) -> bool:
    return value == allowed and isinstance(value, bool) == isinstance(allowed, bool)
