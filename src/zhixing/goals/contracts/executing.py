"""What the executor of a leaf is told, and what a single bot's final words say (taskloop §4.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zhixing.goals.contracts.extracting import first_among, placed_values
from zhixing.goals.contracts.naming import loop_task_id
from zhixing.goals.contracts.planning import COMPLETED
from zhixing.goals.contracts.shapes import compact, criteria_of, output_of, spread
from zhixing.goals.loop.events import Report
from zhixing.goals.loop.limits import NO_SPENDING, Spent
from zhixing.goals.loop.model import Graph
from zhixing.goals.loop.tree import children_of, parent_of
from zhixing.goals.loop.values import NodeStatus

_ORDER = "请严格按顺序做：先执行任务，再逐条对照验收标准检查，最后判定是否通过。"
_FORMAT = """\
最后的回复以一个 JSON 对象结尾，不要发 HTTP 请求：
{"success": true 或 false, "data": "实际产出", "gaps": ["还缺什么"]}
- 每条验收标准都达到：success 是 true，gaps 是 []
- 没有全部达到：success 是 false，gaps 逐条写清还缺什么，data 是已有的产出"""
_REPORT = "只由 {reporter} 上报结果：向 {backend}/api/v1/collaboration/tasks/callback/report 发 POST，内容是"


def execute_prompt(graph: Graph, node_id: str, closing: str = "") -> str:
    """Return what a single bot is told of a leaf; `closing` is a last line, empty for none."""
    parts = [*_task(graph, node_id), _ORDER, _FORMAT]
    return "\n\n".join([*parts, closing] if closing else parts)


def group_context(graph: Graph, node_id: str, backend: str) -> str:
    """Return what a group is told of a leaf: with the one member that reports, and where to."""
    name, run = loop_task_id(graph.root.id, node_id), graph.nodes[node_id].run
    head = f"[task-loop] loop_task_id={name}; backend={backend}"
    report = _REPORT.format(reporter=run.reporter or "群主", backend=backend)
    result = '{"success": true 或 false, "data": {"result": "实际产出"}, "gaps": []}'
    body = f'{{"loop_task_id": {compact(name)}, "result": {result}}}'
    return "\n\n".join([head, *_task(graph, node_id), _ORDER, f"{report}\n{body}"])


def _task(graph: Graph, node_id: str) -> list[str]:
    """Return the leaf, what it is a part of, and what was finished beside it."""
    spec = graph.nodes[node_id].spec
    above = parent_of(graph, node_id)
    parts = []
    if above is not None:
        parent = graph.nodes[above].spec
        parts.append(f"上级目标：{parent.objective or parent.title}")
        upstream = _upstream(graph, above, node_id)
        parts += [f"上游产出\n{spread(upstream)}"] if upstream else []
    gaps = _gaps_to_mend(graph, above)
    parts += [f"要补上的差距\n{spread(gaps)}"] if gaps else []
    parts += [f"目标：{spec.objective}", f"任务：{spec.instruction}"]
    parts += [f"背景：{spec.background}"] if spec.background else []
    return [*parts, f"验收标准\n{spread(criteria_of(spec))}"]


def _upstream(graph: Graph, above: str, node_id: str) -> list[dict[str, Any]]:
    done = [n for n in children_of(graph, above) if n.id != node_id and n.status is NodeStatus.DONE]
    return [{"node_id": n.id, "title": n.spec.title, "output": output_of(n)} for n in done]


def _gaps_to_mend(graph: Graph, above: str | None) -> list[str]:
    """Return the gaps of the node above that failed its acceptance, and for which this leaf was made."""
    accepted = None if above is None else graph.nodes[above].run.acceptance
    return [] if accepted is None else list(accepted.gaps)


def read_execution(
    node_id: str,
    content: str,
    *,
    run_status: str = COMPLETED,
    error: str = "",
    attempt: int | None = None,
    spent: Spent = NO_SPENDING,
) -> Report:
    """Return the report that a single bot's run amounts to: without a result object it is none, and never a success.

    A success that is only quoted is none either: one inside a sentence, or one that other words follow where another
    object of the reply denies it.
    """
    if run_status.upper() != COMPLETED:
        return Report(node_id, exec_error=error or f"run_status_{run_status}", attempt=attempt, spent=spent)
    found = _final(content)
    return Report(
        node_id,
        found.get("success"),
        found.get("data"),
        found.get("gaps"),
        found.get("fail_detail"),
        found.get("exec_error"),
        attempt=attempt,
        spent=spent,
    )


def _final(content: str) -> Mapping[str, Any]:
    """Return the result that a reply hands in, empty for none."""
    placed = placed_values(content)
    found = first_among([value for value, end in placed if not _goes_on(content, end)], _result)
    if found is None:
        quoted = first_among([value for value, _ in placed], _result)
        return {} if quoted is None or quoted.get("success") is True else quoted
    if found.get("success") is True and not content.rstrip(_CLOSING).endswith(("}", "]")):
        denied = any(_result(value) is not None and value.get("success") is False for value, _ in placed)
        return {} if denied else found
    return found


_CLOSING = " \t\r\n`"
_PUNCTUATION = " \t\r`\"'”’」』）)】。.!！；;，,、"


def _goes_on(content: str, end: int) -> bool:
    """Whether words follow a value in its line that are no value: it stands in a sentence."""
    rest = content[end:].partition("\n")[0].strip(_PUNCTUATION)
    return bool(rest) and not rest.startswith(("{", "["))


def _result(value: object) -> Mapping[str, Any] | None:
    return value if isinstance(value, Mapping) and ("success" in value or "exec_error" in value) else None
