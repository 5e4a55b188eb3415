"""What bots that take relays are asked, what they bid, and what the winner is told (taskloop §4.9)."""

from __future__ import annotations

from typing import Any

from zhixing.goals.contracts.extracting import first_fitting
from zhixing.goals.contracts.planning import COMPLETED, snapshot
from zhixing.goals.contracts.shapes import spread
from zhixing.goals.loop.hanging import counts
from zhixing.goals.loop.model import Graph
from zhixing.goals.loop.tree import children_of
from zhixing.goals.loop.values import NodeStatus

HEADER = "[bbs-bid]"
SKILL = "bbs-relay-single-task"
"""The skill by which a relay bot knows what to do."""

_ASK = "下面的任务还没有完成。请估计你一个人能完成剩余事项的百分之几。"
_FORMAT = '只返回一个 JSON 对象：{"completion_rate": 0 到 100 的整数}；一点也做不了就是 0。'
_WON = """\
你被选中接力完成下面任务的剩余事项，根节点已经替你占好，不用再认领。
skill={skill}
task_id={task_id}
backend={backend}
你的 bot_id={bot}"""


def bid_prompt(graph: Graph) -> str:
    """Return the question what a bot could do of the rest."""
    return f"{HEADER} {_ASK}\n\n任务态快照\n{spread(remaining(graph))}\n\n{_FORMAT}"


def relay_message(graph: Graph, bot: str, backend: str) -> str:
    """Return what the winner is told; what is left, it works out by itself."""
    head = _WON.format(skill=SKILL, task_id=graph.root.id, backend=backend, bot=bot)
    return f"{head}\n\n任务态快照\n{spread(remaining(graph))}"


def remaining(graph: Graph) -> dict[str, Any]:
    """Return the goal as a relay sees it: the gaps hold what hangs, besides what earlier relays left."""
    shown = snapshot(graph, graph.root.id)
    hung = [n for n in children_of(graph, graph.root.id) if n.status is NodeStatus.HUNG and counts(n)]
    gaps = [f"{n.spec.title or n.id}（{n.run.hung_reason}）" for n in hung]
    return {**shown, "gaps": [*gaps, *shown["gaps"]]}


def read_bid(content: str, *, run_status: str = COMPLETED) -> object:
    """Return the bid as it was written, None when there is none; if it is a percentage is decided with the bids."""
    if run_status.upper() != COMPLETED:
        return None
    found = first_fitting(content, lambda value: value if isinstance(value, dict) and _KEY in value else None)
    return None if found is None else found[_KEY]


_KEY = "completion_rate"
