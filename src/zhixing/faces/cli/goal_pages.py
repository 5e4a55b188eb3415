"""What a person reads at the command line about a goal: how it stands, step by step, and what can be done. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from zoneinfo import ZoneInfo

from zhixing.faces.cli.pages import INDENT, NOTHING
from zhixing.goals.keeping.chronicle import title_of
from zhixing.goals.keeping.news import reason_text, result_lines
from zhixing.goals.keeping.texts import excerpt, single_line, word
from zhixing.goals.loop.board import Action
from zhixing.goals.loop.model import Graph, Node
from zhixing.goals.loop.outputs import flat
from zhixing.goals.loop.tree import children_of, is_external, is_over
from zhixing.goals.loop.values import Dispatch, GraphStatus, Hung, NodeStatus
from zhixing.goals.running.rows import Listed
from zhixing.kernel.moments import from_micros
from zhixing.kernel.wording import section, wording

DEEPEST = 12
"""Levels of a tree that are indented further."""
_DISPATCHED = {Dispatch.QUEUED, Dispatch.SEARCHING, Dispatch.DISPATCHING, Dispatch.ERROR, Dispatch.UNKNOWN}


def goal_row(record: Listed, zone: ZoneInfo) -> list[str]:
    """Return the row of a goal in a list: id, state, when it was handed in, title."""
    key = "relay" if record.bbs_mode and record.status is GraphStatus.RUNNING else record.status.value
    return [
        record.info.task_id,
        wording(f"goal_pages.row_{key}") if key == "relay" else wording(f"goal_news.status_{key}"),
        moment(record.created_at, zone),
        single_line(record.info.spec.title or record.info.spec.objective),
    ]


def goal_page(graph: Graph, task_id: str | None, now: int, node_id: str = "") -> list[str]:
    """Say what is wanted, how far it is, why it hangs, what was used, and what can be done; `now` is milliseconds."""
    top = graph.nodes[node_id] if node_id else graph.root
    lines = [_head(graph, task_id), *(INDENT + each for each in _wanted(graph, top))]
    steps = list(_steps(graph, top, 0))
    if steps:
        lines += [wording("goal_pages.steps"), *(INDENT + each for each in steps)]
    if not node_id:
        lines += _relay(graph)
        lines += result_lines(graph) if is_over(graph) else []
        lines.append(budget_line(graph, now))
    return [*lines, *what_to_do(graph)]


def status_text(graph: Graph) -> str:
    """Say how a goal stands, and why."""
    head = graph.head
    said = wording(f"goal_news.status_{head.status.value}")
    reason = head.hung_reason or (graph.root.run.hung_reason if head.status is not GraphStatus.DONE else None)
    if reason is None or head.status is GraphStatus.CANCELLED:
        return said
    return wording("goal_news.task_because", status=said, reason=reason_text(reason.value))


def _head(graph: Graph, task_id: str | None) -> str:
    key = "head" if task_id is None else "head_task"
    return wording(f"goal_pages.{key}", goal=word(graph.root.id), task=task_id, status=status_text(graph))


def _wanted(graph: Graph, node: Node) -> Iterator[str]:
    yield title_of(node)
    if node.spec.objective and single_line(node.spec.objective) != title_of(node):
        yield wording("goal_pages.objective", text=single_line(node.spec.objective))
    if node.id == graph.root.id:
        yield wording("goal_pages.owner", bot=single_line(graph.head.info.owner_bot_id))
    else:
        yield _step(graph, node)
    yield from _criteria(node)


def _criteria(node: Node) -> Iterator[str]:
    """Say of each criterion whether it was found met, and on what evidence; then what is missing."""
    accepted = node.run.acceptance
    judged = {} if accepted is None else {each.ac_id: each for each in accepted.metric}
    for each in node.spec.acceptances:
        found = judged.get(each.id)
        key = "criterion_open" if found is None else "criterion_met" if found.passed else "criterion_unmet"
        said = wording(f"goal_pages.{key}", id=single_line(each.id), text=single_line(each.description))
        evidence = "" if found is None else single_line(found.evidence)
        yield wording("goal_pages.because", said=said, why=evidence) if evidence else said
    if accepted is not None and accepted.gaps:
        yield wording("goal_pages.gaps", gaps=_several(accepted.gaps))


def _steps(graph: Graph, above: Node, level: int) -> Iterator[str]:
    for node in children_of(graph, above.id):
        indent = INDENT * min(level, DEEPEST)
        yield indent + _step(graph, node)
        yield from (indent + INDENT + line for line in _about(node))
        yield from _steps(graph, node, level + 1)


def _step(graph: Graph, node: Node) -> str:
    """Say how a node stands: its state, its title, its id, who does it, and which attempt it is."""
    run = node.run
    parts = [f"[{state_text(node)}]", title_of(node), word(node.id)]
    if run.assignee:
        parts.append(wording("goal_pages.by", bot=single_line(run.assignee)))
    if run.attempt > 1:
        parts.append(wording("goal_pages.attempt", attempt=run.attempt))
    if node.id in {each.subject for each in graph.head.awaited} and node.status is NodeStatus.PENDING:
        parts.append(wording("goal_pages.awaited"))
    return "  ".join(parts)


def _about(node: Node) -> Iterator[str]:
    run = node.run
    if run.hung_reason is not None and node.status is NodeStatus.HUNG and not run.superseded:
        yield wording("goal_pages.hangs", reason=reason_text(run.hung_reason.value))
    if run.dispatch is Dispatch.UNKNOWN and node.status in {NodeStatus.PENDING, NodeStatus.RUNNING}:
        yield wording("goal_pages.unsure")
    if run.dispatch_error and node.status is NodeStatus.PENDING:
        yield wording("goal_pages.not_sent", why=single_line(run.dispatch_error))
    if run.last_exec_error and node.status is not NodeStatus.DONE:
        yield wording("goal_pages.failed_before", why=single_line(run.last_exec_error))
    output = flat(run.output)
    if output and node.status in {NodeStatus.DONE, NodeStatus.FAILED, NodeStatus.HUNG}:
        yield wording("goal_pages.output", says=excerpt(output))
    yield from _criteria(node)
    if run.late_count:
        yield wording("goal_pages.late", count=run.late_count)


def state_text(node: Node) -> str:
    """Say how a node stands, in a word."""
    if node.run.superseded:
        return wording("goal_pages.superseded")
    if node.status is NodeStatus.PENDING and node.run.dispatch in _DISPATCHED:
        return wording(f"goal_pages.dispatch_{node.run.dispatch.value}")
    return wording(f"goal_pages.node_{node.status.value}")


def _relay(graph: Graph) -> Iterator[str]:
    relay = graph.head.relay
    if not relay.mode or graph.head.status is not GraphStatus.RUNNING:
        return
    if relay.owner:
        yield wording("goal_news.task_relay", bot=single_line(relay.owner))
    else:
        yield wording("goal_news.task_relay_wanted")


def budget_line(graph: Graph, now: int) -> str:
    """Say what a goal has used, and of how much; `now` is milliseconds."""
    head, limits = graph.head, graph.head.info.limits
    ended = graph.root.run.ended_at if is_over(graph) else None
    age = max(0, (ended or now) - head.started_at)
    parts = [
        _used("tokens", str(head.spent.tokens), None if limits.tokens is None else str(limits.tokens)),
        _used("cost", _amount(head.spent.cost), None if limits.cost is None else _amount(limits.cost)),
        _used("wall_clock", span(age), None if limits.wall_clock is None else span(limits.wall_clock)),
    ]
    return wording("goal_pages.used", parts=wording("goal_news.separator").join(parts))


def _used(name: str, used: str, limit: str | None) -> str:
    key = "used_of" if limit is not None else "used_free"
    return wording(f"goal_pages.{key}", what=wording(f"goal_news.limit_{name}"), used=used, limit=limit)


def _amount(cost: float) -> str:
    return f"{cost:.4f}".rstrip("0").rstrip(".")


def span(millis: int) -> str:
    """Name a length of time in its two largest units."""
    seconds = millis // 1000
    hours, minutes, seconds = seconds // 3600, seconds % 3600 // 60, seconds % 60
    if hours:
        return wording("goal_pages.hours", hours=hours, minutes=minutes)
    if minutes:
        return wording("goal_pages.minutes", minutes=minutes, seconds=seconds)
    return wording("goal_pages.seconds", seconds=seconds)


def what_to_do(graph: Graph) -> list[str]:
    """Say what a person can do about a goal as it is now."""
    goal, status = word(graph.root.id), graph.head.status
    if status not in {GraphStatus.RUNNING, GraphStatus.HUNG} or (is_external(graph) and status is GraphStatus.HUNG):
        return []
    lines = []
    if Hung.BUDGET_EXHAUSTED in {graph.head.hung_reason, graph.root.run.hung_reason}:
        lines.append(wording("goal_pages.do_budget", goal=goal))
    parents = {each.parent for each in graph.head.relations}
    for node in graph.nodes.values():
        hangs = node.status is NodeStatus.HUNG and not node.run.superseded and node.id not in parents
        unsure = node.run.dispatch is Dispatch.UNKNOWN and node.status is NodeStatus.PENDING
        if hangs and node.id != graph.root.id:
            lines.append(wording("goal_pages.do_node", goal=goal, id=word(node.id), node=title_of(node)))
        elif unsure:
            lines.append(wording("goal_pages.do_unsure", goal=goal, id=word(node.id), node=title_of(node)))
    if graph.head.relay.mode and graph.head.relay.owner is None:
        lines.append(wording("goal_pages.do_relay", goal=goal))
    if status is GraphStatus.HUNG:
        lines.append(wording("goal_pages.do_all", goal=goal))
    return [*lines, wording("goal_pages.do_cancel", goal=goal)]


def action_lines(graph: Graph, actions: list[Action], zone: ZoneInfo, node_id: str = "") -> list[str]:
    """Say what happened to the nodes of a goal, in order; with `node_id`, to that one."""
    names = section("goal_pages", "zh")
    lines = []
    for each in actions:
        if node_id and each.node_id != node_id:
            continue
        node = graph.nodes.get(each.node_id)
        what = names.get(f"action_{each.action}", single_line(each.action))
        moved = (
            ""
            if each.status_from is each.status_to
            else wording(
                "goal_pages.moved",
                before=wording(f"goal_pages.node_{each.status_from.value}"),
                after=wording(f"goal_pages.node_{each.status_to.value}"),
            )
        )
        lines.append(
            wording(
                "goal_pages.action",
                when=moment(each.ts, zone),
                node=single_line(each.node_id) if node is None else title_of(node),
                what=what,
                moved=moved,
                more=excerpt(each.payload, 120) if any(each.payload.values()) else "",
            ).rstrip()
        )
    return lines


def moment(millis: int, zone: ZoneInfo) -> str:
    """Name an instant on the clock of the home."""
    return f"{from_micros(millis * 1000).astimezone(zone):%m-%d %H:%M:%S}"


def _several(texts: tuple[str, ...]) -> str:
    return wording("goal_news.separator").join(single_line(each) for each in texts[:5]) or NOTHING
