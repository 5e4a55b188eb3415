"""A goal as people and programs see it (taskloop §2.4): product states, relations, runs; nothing internal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from zhixing.goals.loop.board import Action
from zhixing.goals.loop.model import Acceptance, Graph, Node, TaskSpec
from zhixing.goals.loop.outputs import flat
from zhixing.goals.loop.tree import children_of
from zhixing.goals.loop.values import product_status


def dashboard(graph: Graph, node_id: str = "", actions: Iterable[Action] | None = None) -> dict[str, Any]:
    """Return a goal, or what is under one of its nodes; with `actions`, each node has its part of the action log.

    Raises `KeyError` for an unknown node.
    """
    head = graph.head
    shown = set(_below(graph, node_id)) if node_id else set(graph.nodes)
    logged = None if actions is None else [_action(each) for each in actions if each.node_id in shown]
    return {
        "task_id": graph.root.id,
        "loop_round": head.loop_round,
        "status": product_status(head.status).value,
        "output": dict(head.output),
        "tasks": [_task(graph, node, logged) for node in graph.nodes.values() if node.id in shown],
        "relations": [
            {"src_id": each.parent, "dst_id": each.child, "type": "DEPENDENCY", "extend_props": {}}
            for each in head.relations
            if {each.parent, each.child} <= shown
        ],
        "extend_props": _props(graph),
    }


def _below(graph: Graph, node_id: str) -> list[str]:
    """Return a node and all that hangs under it."""
    found = [graph.nodes[node_id].id]
    for each in found:
        found += [child.id for child in children_of(graph, each)]
    return found


def _props(graph: Graph) -> dict[str, Any]:
    head = graph.head
    props = {
        "bbs_mode": head.relay.mode,
        "bbs_relay_count": head.relay.count,
        "hung_reason": head.hung_reason,
        "tokens_spent": head.spent.tokens,
        "cost_spent": head.spent.cost,
    }
    return {key: value for key, value in props.items() if value is not None}


def _task(graph: Graph, node: Node, logged: list[dict[str, Any]] | None) -> dict[str, Any]:
    run = node.run
    info: dict[str, Any] = {
        "run_mode": run.run_mode,
        "assignee": run.assignee,
        "start_time": run.first_start,
        "end_time": run.ended_at,
        "output": flat(run.output),
        "acceptance_result": None if run.acceptance is None else _acceptance(run.acceptance),
        "extend_props": _run_props(graph, node),
    }
    if logged is not None:
        own = [each for each in logged if each["node_id"] == node.id]
        info["action_log"] = [{key: value for key, value in each.items() if key != "node_id"} for each in own]
    return {
        "node_id": node.id,
        "task_id": graph.root.id,
        "status": product_status(node.status).value,
        "task_spec": spec_json(node.spec, node.id),
        "run_info": info,
    }


def _run_props(graph: Graph, node: Node) -> dict[str, Any]:
    """Return what else is known of a run; who owns the rest of the goal is shown at the root: bots look there."""
    run = node.run
    props = {
        "attempt": run.attempt,
        "harness_retries": run.retries,
        "hung_reason": run.hung_reason,
        "superseded": run.superseded,
        "dispatch_error": run.dispatch_error,
        "delivery_unknown": run.dispatch == "unknown",
        "last_exec_error": run.last_exec_error,
        "miss_events": list(run.miss_events),
        "plan_round": run.plan_round,
        "run_id": run.run_id,
        "session_id": run.session_id,
        "late_results": run.late_count,
    }
    if node.id == graph.root.id:
        props |= {"bbs_owner": graph.head.relay.owner, "bbs_claim_at": graph.head.relay.claimed_at}
    return {key: value for key, value in props.items() if value}


def _acceptance(given: Acceptance) -> dict[str, Any]:
    metric = [{"ac_id": each.ac_id, "passed": each.passed, "evidence": each.evidence} for each in given.metric]
    return {"verdict": given.verdict.value, "acceptances_metric": metric, "gaps": list(given.gaps)}


def spec_json(spec: TaskSpec, node_id: str) -> dict[str, Any]:
    """Return a specification as the API has it."""
    return {
        "metadata": {"task_id": node_id, "title": spec.title, "instruction": spec.instruction},
        "context": {"background": spec.background, "extend_props": dict(spec.extend_props)},
        "goal": {
            "objective": spec.objective,
            "acceptances": [{"id": each.id, "description": each.description} for each in spec.acceptances],
        },
    }


def _action(given: Action) -> dict[str, Any]:
    return {
        "node_id": given.node_id,
        "seq": given.seq,
        "ts": given.ts,
        "action": given.action,
        "loop_round": given.loop_round,
        "attempt": given.attempt,
        "status_from": product_status(given.status_from).value,
        "status_to": product_status(given.status_to).value,
        "payload": given.payload,
    }
