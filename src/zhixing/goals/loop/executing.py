"""A goal is handed in: refused when it cannot be run, else its first question or its start elsewhere (§2.3)."""

from __future__ import annotations

from zhixing.goals.loop.board import Board
from zhixing.goals.loop.effects import Kind
from zhixing.goals.loop.hanging import ask_for_plan
from zhixing.goals.loop.model import Graph, Head, Node, RunInfo, TaskInfo
from zhixing.goals.loop.replies import Reply, invalid
from zhixing.goals.loop.values import GraphStatus, NodeStatus, RunMode, TaskType


def refusal(info: TaskInfo) -> Reply | None:
    """Return why a goal cannot be run, None when it can."""
    if not info.task_id:
        return invalid("task_id")
    if info.task_type is TaskType.WORKFLOW and not info.workflow_id.strip():
        return invalid("workflow_id")
    ids = [each.id for each in info.spec.acceptances]
    if len(set(ids)) != len(ids) or not all(ids):
        return invalid("acceptances")
    return None


def executed(info: TaskInfo, now: int) -> Board:
    """Return a new graph on its way: the root plans, or runs where another system drives it."""
    board = Board(Graph(Head(info, GraphStatus.RUNNING, now), {}), now)
    root = info.task_id
    if info.task_type is TaskType.DYNAMIC:
        board.nodes[root] = Node(root, info.spec, run=RunInfo(since=now, first_start=now))
        board.move(root, NodeStatus.PLANNING, "transition")
        ask_for_plan(board, root)
        return board
    workflow = info.task_type is TaskType.WORKFLOW
    mode = RunMode.SINGLE_BOT if workflow else RunMode.COOP_GROUP
    run = RunInfo(mode, info.owner_bot_id or None, info.owner_bot_id, since=now, first_start=now)
    board.nodes[root] = Node(root, info.spec, run=run)
    board.move(root, NodeStatus.RUNNING, "dispatch")
    board.ask(Kind.START_WORKFLOW if workflow else Kind.START_YAML, root, 1)
    return board
