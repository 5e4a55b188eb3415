"""The question for the gap of a node, and what its answer says (taskloop §4.3).

No answer ever reads as "closed" by mistake: that takes `has_gap` false in an object with an empty list of tasks, or
an empty list that is the whole reply.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zhixing.goals.contracts.extracting import candidates, is_bare, json_values
from zhixing.goals.contracts.shapes import criteria_of, id_of, list_of, output_of, read_spec, spread, text_of
from zhixing.goals.loop.events import Child, PlanResult
from zhixing.goals.loop.limits import NO_SPENDING, Spent
from zhixing.goals.loop.model import Graph, Judgement
from zhixing.goals.loop.tree import children_of, is_scoped
from zhixing.goals.loop.values import NodeStatus

HEADERS = ("[planning]", "[task-planning]")
"""How the question begins; the second is understood, not written."""
NO_WEB = "约束：不要联网搜索，只根据以上内容和你已有的知识判断；缺的数据用合理的假设补上，并标明是假设。"
"""A closing line for bots that cannot reach the net."""
COMPLETED = "COMPLETED"
MOST_CHILDREN = 50

_ASK = "请计算目标节点的差距（目标减去已完成的产出），给出下一批可以执行的子任务；没有差距时 has_gap=false。"
_HINT = "已完成的子节点及其产出在快照的 done_children 里，不要重复给出。"
_FORMAT = """\
返回格式
只返回一个 JSON 对象：{"tasks": [...], "has_gap": true 或 false, "gap_detail": "..."}
- 还有差距，能拆：tasks 是下一批子任务，metadata.task_id 是新节点的 id，不得与已有的重复：
  {"tasks": [{"metadata": {"task_id": "...", "title": "...", "instruction": "..."}, \
"context": {"background": "...", "extend_props": {}}, \
"goal": {"objective": "...", "acceptances": [{"id": "...", "description": "..."}]}}], \
"has_gap": true, "gap_detail": ""}
- 差距已闭合：{"tasks": [], "has_gap": false, "gap_detail": "done"}
- 有差距但拆不出：{"tasks": [], "has_gap": true, "gap_detail": "原因"}
可以另加 acceptance_verdicts，逐条判定验收标准：[{"ac_id": "...", "passed": true 或 false, "reason": "证据"}]"""


def planning_prompt(graph: Graph, target: str, closing: str = "") -> str:
    """Return the question for the gap of a node; `closing` is a last line, empty for none."""
    head = [f"{HEADERS[0]} {_ASK}", f"目标节点 node_id={target}", _HINT]
    parts = ["\n".join(head), f"任务态快照\n{spread(snapshot(graph, target))}", _FORMAT]
    return "\n\n".join([*parts, closing] if closing else parts)


def snapshot(graph: Graph, target: str) -> dict[str, Any]:
    """Return what the planner is shown of a node and of what was done under it."""
    node = graph.nodes[target]
    children = children_of(graph, target)
    done = [each for each in children if each.status is NodeStatus.DONE]
    return {
        "node_id": target,
        "status": node.status.value,
        "goal": node.spec.objective,
        "instruction": node.spec.instruction,
        "background": node.spec.background,
        "acceptances": criteria_of(node.spec),
        "done_children": [{"node_id": n.id, "title": n.spec.title, "output": output_of(n)} for n in done],
        "gaps": _gaps(graph, target),
        "loop_round": graph.head.loop_round,
    }


def _gaps(graph: Graph, target: str) -> list[str]:
    """Return what is known to be missing, by the node's own last acceptance and by relays that failed."""
    nodes = [graph.nodes[target], *(n for n in children_of(graph, target) if is_scoped(n))]
    accepted = [n.run.acceptance for n in nodes if n.run.acceptance is not None]
    return [gap for each in accepted for gap in each.gaps]


def read_plan(
    target: str,
    content: str,
    *,
    run_status: str = COMPLETED,
    attempt: int | None = None,
    spent: Spent = NO_SPENDING,
) -> PlanResult:
    """Return what a reply says about a node. Whatever cannot be used is a gap whose detail begins with `plan_`."""
    children, has_gap, detail, verdicts = _unheard(content, run_status) or _heard(content)
    return PlanResult(target, children, has_gap, detail, verdicts, attempt, spent)


_Read = tuple[tuple[Child, ...], bool, str, tuple[Judgement, ...] | None]


def _unheard(content: str, run_status: str) -> _Read | None:
    if run_status.upper() != COMPLETED:
        return (), True, "plan_not_completed", None
    return None if content.strip() else ((), True, "plan_empty_content", None)


def _heard(content: str) -> _Read:
    """Return what fits the format, the last of several; that the gap is closed counts only when none says otherwise."""
    found = [read for each in candidates(content) if (read := _read(each, content)) is not None]
    if not found:
        return (), True, "plan_shape_unexpected" if json_values(content) else "plan_parse_fail", None
    if _is_closed(found[0]) and not all(map(_is_closed, found)):
        return (), True, "plan_ambiguous", None
    return found[0]


def _is_closed(read: _Read) -> bool:
    return not read[0] and not read[1]


def _read(value: object, content: str) -> _Read | None:
    if isinstance(value, list):
        children = _children(value)
        return (children, True, "", None) if children else _read_empty(value, content)
    if not isinstance(value, Mapping) or not isinstance(value.get("tasks"), list):
        return None
    children, has_gap = _children(value["tasks"]), value.get("has_gap")
    if not children and (value["tasks"] or not isinstance(has_gap, bool)):
        return None
    return children, has_gap is not False, text_of(value, "gap_detail"), _verdicts(value)


def _read_empty(value: list[Any], content: str) -> _Read | None:
    """Return that the gap is closed where an empty list is the whole reply; one between sentences says nothing."""
    return ((), False, "done", None) if not value and is_bare(content, value) else None


def _children(given: list[Any]) -> tuple[Child, ...]:
    """Return the tasks that have an id. Which of them are new is decided where the graph is known."""
    known = [each for each in given[:MOST_CHILDREN] if isinstance(each, Mapping)]
    return tuple(
        Child(task_id, read_spec(each)) for each in known if (task_id := id_of(each.get("metadata"), "task_id"))
    )


def _verdicts(value: Mapping[str, Any]) -> tuple[Judgement, ...] | None:
    given = list_of(value, "acceptance_verdicts")
    if not given:
        return None
    judged = [each for each in given if isinstance(each, Mapping)]
    return tuple(
        Judgement(id_of(each, "ac_id"), passed=each.get("passed") is True, evidence=text_of(each, "reason"))
        for each in judged
    )
