"""The reply of a model that works in turns: why, one tool, and what that tool is to work with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from zhixing.world.models.shape import Shape


def turn_shape(name: str, tools: Iterable[str], arguments: Mapping[str, Any]) -> Shape:
    """Return the shape of such a reply. `arguments` are those of all tools, each with the schema of its value."""
    return Shape(
        name,
        {
            "type": "object",
            "properties": {
                "thought": {"type": "string", "description": "一句话：为什么这样做"},
                "tool": {"type": "string", "enum": list(tools)},
                "arguments": {
                    "type": "object",
                    "properties": dict(arguments),
                    "required": list(arguments),
                    "additionalProperties": False,
                    "description": "工具不用的参数写 null",
                },
            },
            "required": ["thought", "tool", "arguments"],
            "additionalProperties": False,
        },
    )
