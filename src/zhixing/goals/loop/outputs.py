"""What nodes and goals hand over: outputs rolled up from children, the final deliverable, partial results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zhixing.goals.loop.model import Graph, Node
from zhixing.goals.loop.tree import children_of, is_external
from zhixing.goals.loop.values import NodeStatus

OUTPUT = "output"
RESULT = "result"
_OWN = "own"


def flat(output: Mapping[str, Any]) -> Any:
    """Return an output as it is shown: what is only {"output": X} is X (§2.4)."""
    return output[OUTPUT] if set(output) == {OUTPUT} else dict(output)


def kept(data: object) -> dict[str, Any]:
    """Return what a report brought as an output; {"result": "…"} is that text (§2.6)."""
    if data is None or data == "":
        return {}
    if isinstance(data, Mapping) and set(data) == {RESULT}:
        return {OUTPUT: data[RESULT]}
    return {OUTPUT: data}


def rolled_up(graph: Graph, node: Node) -> dict[str, Any]:
    """Return the output of a node that closes over its children: theirs, by id, and its own unfinished one."""
    parts = {each.id: flat(each.run.output) for each in children_of(graph, node.id) if each.status is NodeStatus.DONE}
    if node.run.output:
        parts = {_OWN: flat(node.run.output), **parts}
    return {OUTPUT: parts}


def final_output(graph: Graph) -> dict[str, Any]:
    """Return the deliverable of a goal: what every finished child of the root delivered, and the criteria."""
    if is_external(graph):
        return {RESULT: "all_done", "deliverables": {graph.root.id: flat(graph.root.run.output)}}
    return {RESULT: "all_done", "deliverables": _delivered(graph), "criteria": _criteria(graph.root)}


def partial_output(graph: Graph) -> dict[str, Any]:
    """Return what there is of a goal that stopped, and why it is not more."""
    reasons = {n.id: n.run.hung_reason.value for n in graph.nodes.values() if n.run.hung_reason is not None}
    gaps = {
        n.id: list(n.run.acceptance.gaps) for n in graph.nodes.values() if n.run.acceptance and n.run.acceptance.gaps
    }
    judged = {each["ac_id"] for each in _criteria(graph.root) if each["passed"]}
    return {
        RESULT: "partial",
        "deliverables": _delivered(graph),
        "reasons": reasons,
        "gaps": gaps,
        "unverified": [each.id for each in graph.root.spec.acceptances if each.id not in judged],
    }


def _delivered(graph: Graph) -> dict[str, Any]:
    """Return the output of every finished node that no finished parent speaks for."""
    done = {each.id for each in graph.nodes.values() if each.status is NodeStatus.DONE and each.id != graph.root.id}
    spoken_for = {each.child for each in graph.head.relations if each.parent in done}
    return {each: flat(graph.nodes[each].run.output) for each in graph.nodes if each in done - spoken_for}


def _criteria(node: Node) -> list[dict[str, Any]]:
    metric = node.run.acceptance.metric if node.run.acceptance is not None else ()
    return [{"ac_id": each.ac_id, "passed": each.passed, "evidence": each.evidence} for each in metric]
