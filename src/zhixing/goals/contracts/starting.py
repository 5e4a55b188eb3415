"""What starts a workflow: the command that the owner bot is sent (taskloop §2.3)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

MOST_ARGUMENTS = 64
LONGEST_COMMAND = 20_000


def workflow_command(workflow_id: str, config: Mapping[str, Any], otherwise: str) -> str:
    """Return what the owner bot is told: `/<workflow> <arguments>`; without arguments, with what the goal asks for."""
    given = config.get("args")
    items = given[:MOST_ARGUMENTS] if isinstance(given, list) else [given]
    said = [_argument(each) for each in items if isinstance(each, str | int | float)]
    words = " ".join(each for each in said if each) or otherwise
    return f"/{workflow_id} {words}".strip()[:LONGEST_COMMAND]


def _argument(given: str | float) -> str:
    return given.strip() if isinstance(given, str) else json.dumps(given)
