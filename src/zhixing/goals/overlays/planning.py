"""The planning table applied: what a planning question about a node is answered (taskloop §5.1, §5.4).

The root is the node that the scenario does not know by name. Rows are about the root; a leaf that failed with gaps
gets one remedy, and is closed when that is done. Any other question is a gap that the scenario cannot split, never a
closed one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zhixing.goals.contracts.extracting import candidates
from zhixing.goals.contracts.shapes import LONGEST_ID, compact, criteria_of, list_of, text_of
from zhixing.goals.loop.model import Criterion, TaskSpec
from zhixing.goals.loop.values import NodeStatus
from zhixing.goals.overlays.model import Deliverable, Overlay, Planning, Remedy, Row, State

_CUT = "…"
MOST_GAPS = 2000
"""Characters of gaps in a remedy."""


def plan(overlay: Overlay, target: str, snapshot: Mapping[str, Any]) -> str | None:
    """Return the reply about a node, given what the planner is shown of it (`contracts.planning.snapshot`).

    None when the scenario has no planning table: then the trunk plans.
    """
    table = overlay.planning
    if table is None:
        return None
    remedied = _remedied(table, target, snapshot)
    if remedied is not None:
        return remedied
    if target in table.tasks or (table.remedy is not None and target.endswith(table.remedy.suffix)):
        return _open(table.otherwise)
    return _by_rows(table, snapshot)


def _remedied(table: Planning, target: str, snapshot: Mapping[str, Any]) -> str | None:
    """Return the reply about a leaf that failed its acceptance; None when it is none."""
    remedy = table.remedy
    if remedy is None:
        return None
    name = f"{target}{remedy.suffix}"
    if name in _done(snapshot):
        return _closed()
    gaps = [each for each in list_of(snapshot, "gaps") if isinstance(each, str) and each.strip()]
    if not gaps or text_of(snapshot, "status") != NodeStatus.FAILED or len(name) > LONGEST_ID:
        return None
    return _children({name: _remedy_spec(table, remedy, target, gaps)})


def _remedy_spec(table: Planning, remedy: Remedy, target: str, gaps: list[str]) -> TaskSpec:
    known = table.tasks.get(target)
    title = target if known is None else known.title

    def filled(template: str) -> str:
        return template.replace("{node}", target).replace("{title}", title).replace("{gaps}", told)

    told = "；".join(gaps)[:MOST_GAPS]
    criterion = Criterion("ac_remediate", filled(remedy.acceptance))
    background = "" if known is None else known.background
    return TaskSpec(
        filled(remedy.title), filled(remedy.instruction), background, filled(remedy.objective), (criterion,)
    )


def _by_rows(table: Planning, snapshot: Mapping[str, Any]) -> str:
    done = _done(snapshot)
    wanted = [each for each in table.deliverables if _is_wanted(each, snapshot)]
    missing = [each for each in wanted if not _is_there(each, done)]
    state = State.DELIVERED if wanted and not missing else State.LACKING if done else State.UNTOUCHED
    fitting = [each for each in table.rows if _fits(each, frozenset(each.id for each in wanted), state, done)]
    if not fitting:
        return _open(table.otherwise)
    row = fitting[-1]
    left = {name: table.tasks[name] for name in row.tasks if name not in done}
    if left:
        return _children(left)
    if row.closed:
        return _closed()
    return _open(row.detail.replace("{missing}", "、".join(each.name for each in missing)) or table.otherwise)


def _fits(row: Row, wanted: frozenset[str], state: State, done: Mapping[str, Any]) -> bool:
    return row.wanted in {None, wanted} and row.state in {None, state} and row.done <= done.keys()


def _done(snapshot: Mapping[str, Any]) -> dict[str, Any]:
    """Return the outputs of the finished children, by id."""
    given = [each for each in list_of(snapshot, "done_children") if isinstance(each, Mapping)]
    return {name: each.get("output") for each in given if (name := text_of(each, "node_id"))}


def _is_wanted(deliverable: Deliverable, snapshot: Mapping[str, Any]) -> bool:
    criteria = [text_of(each, "description") for each in list_of(snapshot, "acceptances")]
    return any(word in each for each in criteria for word in deliverable.words)


def _is_there(deliverable: Deliverable, done: Mapping[str, Any]) -> bool:
    if done.get(deliverable.task):
        return True
    return any(_holds(output, key) for output in done.values() for key in deliverable.keys)


def _holds(output: object, key: str) -> bool:
    """Whether an output has something under a key, as an object or as text that holds one; a long text may be cut."""
    if isinstance(output, str):
        cut = output.startswith("{") and output.endswith(_CUT) and f'"{key}": ' in output
        return cut or any(isinstance(each, Mapping) and each.get(key) for each in candidates(output))
    return isinstance(output, Mapping) and bool(output.get(key))


def _children(specs: Mapping[str, TaskSpec]) -> str:
    return _reply([_task(name, spec) for name, spec in specs.items()], "", has_gap=True)


def _closed() -> str:
    return _reply([], "done", has_gap=False)


def _open(detail: str) -> str:
    return _reply([], detail, has_gap=True)


def _reply(tasks: list[dict[str, Any]], detail: str, *, has_gap: bool) -> str:
    return compact({"tasks": tasks, "has_gap": has_gap, "gap_detail": detail})


def _task(name: str, spec: TaskSpec) -> dict[str, Any]:
    return {
        "metadata": {"task_id": name, "title": spec.title, "instruction": spec.instruction},
        "context": {"background": spec.background, "extend_props": dict(spec.extend_props)},
        "goal": {"objective": spec.objective, "acceptances": criteria_of(spec)},
    }
