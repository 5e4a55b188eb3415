"""Goals that another system drives: their result is mirrored and nothing else is done about them (§2.3)."""

from __future__ import annotations

from zhixing.goals.loop.board import Board
from zhixing.goals.loop.model import Acceptance
from zhixing.goals.loop.outputs import final_output, partial_output
from zhixing.goals.loop.values import GraphStatus, NodeStatus, Verdict


def mirror(board: Board, *, passed: bool, gaps: tuple[str, ...] = ()) -> None:
    """End the root, and with it the graph, as the other system ended."""
    verdict = Verdict.PASS if passed else Verdict.FAIL
    status = NodeStatus.DONE if passed else NodeStatus.FAILED
    board.move(board.root_id, status, "verify", acceptance=Acceptance(verdict, gaps=gaps), ended_at=board.now)
    board.change_head(status=GraphStatus.DONE if passed else GraphStatus.FAILED, awaited=())
    board.change_head(output=final_output(board.graph) if passed else partial_output(board.graph))
    board.tell("done" if passed else "failed")
