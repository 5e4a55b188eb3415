"""What people send to steer a goal: give it up, try again, answer for a node, set what it may use (taskloop §10)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zhixing.goals.contracts.fields import LARGEST_RESULT, Fields, must_be_bounded, must_fit
from zhixing.goals.loop.events import Budget
from zhixing.goals.loop.limits import InvalidLimit, read_limits
from zhixing.kernel.errors import BadInput

BUDGETS = ("MAX_TOKENS", "MAX_COST", "MAX_WALL_CLOCK")
LEFT = "tokens_left"


@dataclass(frozen=True, slots=True)
class Steered:
    """The goal, and its node: empty for the whole goal."""

    task_id: str
    node_id: str = ""


def read_steered(body: Mapping[str, Any]) -> Steered:
    """Read which goal, and maybe which node. Raises `BadInput` with the name of what is wrong."""
    must_be_bounded(body)
    fields = Fields(body)
    return Steered(fields.needed_id("task_id"), fields.id("node_id"))


def read_resolved(body: Mapping[str, Any]) -> tuple[Steered, Any]:
    """Read the answer for a node: any JSON that says something. Raises like `read_steered`."""
    must_be_bounded(body)
    fields = Fields(body)
    output = fields.given.get("output")
    if output is None or output in ("", [], {}) or (isinstance(output, str) and not output.strip()):
        raise BadInput("goal_field_missing", name="output")
    must_fit(output, "output", LARGEST_RESULT)
    return Steered(fields.needed_id("task_id"), fields.needed_id("node_id")), output


def read_budget(body: Mapping[str, Any]) -> tuple[str, Budget]:
    """Read what a goal may use, under the names of the execution config: tokens, cost, and seconds in all.

    `tokens_left` is how many tokens more. Raises like `read_steered`, also when nothing is set.
    """
    must_be_bounded(body)
    fields = Fields(body)
    given = {key: fields.given[key] for key in BUDGETS if fields.has(key)}
    left = fields.given.get(LEFT)
    if left is not None and (not isinstance(left, int) or isinstance(left, bool) or left < 0):
        raise BadInput("goal_limit_wrong", name=LEFT)
    if (not given and left is None) or ("MAX_TOKENS" in given and left is not None):
        raise BadInput("goal_budget_none", names="、".join((*BUDGETS, LEFT)))
    try:
        limits = read_limits(given)
    except InvalidLimit as error:
        raise BadInput("goal_limit_wrong", name=error.key) from None
    return fields.needed_id("task_id"), Budget(limits.tokens, limits.cost, limits.wall_clock, left)
