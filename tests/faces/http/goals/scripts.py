"""Scripts of owner bots for goals whose id only the server knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zhixing.goals.running.scripted import MISSED, ScriptedDeliverer, ScriptedPlanner, planned

RUNS = ScriptedDeliverer


class Plans(dict[str, Sequence[Any]]):
    """Plans by node; what is not named is the root."""

    def __missing__(self, key: str) -> Sequence[Any]:
        return self[""]


def owner(*children: str, searches: Any = None, **plans: Sequence[Any]) -> ScriptedPlanner:
    """Return an owner bot that splits the root once, and then sees no gap."""
    return ScriptedPlanner(Plans({"": [planned(*children), planned()], **plans}), searches or {})


def endless(*nodes: str) -> ScriptedDeliverer:
    """Return executors that never come to an end by themselves at these nodes."""
    return ScriptedDeliverer({node: [None] for node in nodes})


def lonely(*nodes: str) -> ScriptedPlanner:
    """Return an owner bot that finds nobody for these nodes."""
    return owner(*nodes, searches={node: [MISSED] for node in nodes})
