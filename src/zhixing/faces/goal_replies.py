"""What is answered about goals: the board of one, and refusals as the errors that people and programs know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from zhixing.app import App
from zhixing.faces import goal_wire
from zhixing.goals.loop.replies import Reply
from zhixing.goals.running.listing import Listing
from zhixing.kernel.errors import BadInput, Conflict, NotFound, Refused, ZhixingError
from zhixing.kernel.wording import section

_NAMES = {"TaskNotFoundError": "goal_task_none", "NodeNotFoundError": "goal_node_none"}
_KINDS: Mapping[str, type[ZhixingError]] = {
    "TaskNotFoundError": NotFound,
    "NodeNotFoundError": NotFound,
    "ValidationError": BadInput,
    "ForbiddenError": Refused,
}


def must_be_done(reply: Reply) -> Reply:
    """Return an answer; raise the error that a refusal is."""
    if reply.error:
        key = _NAMES.get(reply.error, f"goal_reply_{reply.why}")
        kind = _KINDS.get(reply.error, Conflict)
        raise kind(key if key in section("errors", "zh") else "goal_reply_other")
    return reply


def board_of(app: App, goal: str, node: str = "", log: Literal["none", "actions"] = "none") -> dict[str, Any]:
    """Return the dashboard of a goal, or of what is under a node, as the HTTP API has it. Raises `NotFound`."""
    board = must_be_done(app.goals.goals.dashboard(goal, node, log)).data
    record = Listing(app.store).record(goal)
    if record is None:
        raise NotFound("goal_task_none")
    return goal_wire.of_dashboard(board, record)
