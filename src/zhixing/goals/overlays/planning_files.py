"""`planning.toml`: the tasks, what a root may want, the rows, and the remedy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from zhixing.goals.loop.model import TaskSpec
from zhixing.goals.overlays.model import Deliverable, Planning, Remedy, Row, State
from zhixing.goals.overlays.specs import specs_of
from zhixing.goals.overlays.tables import Table


def read_planning(table: Table, keywords: tuple[str, ...]) -> Planning:
    """Return the planning table.

    Every task carries a signal word in its instruction: else the question who does it, and the leaf itself, would not
    be known as the scenario's.
    """
    table.only("otherwise", "tasks", "deliverables", "plan", "remedy")
    tasks = specs_of(table, "tasks")
    for number, (name, spec) in enumerate(tasks.items()):
        if not any(each in spec.instruction for each in keywords):
            raise Table(table.source, {}, "tasks", number).fault("unsignalled", "instruction", name=name)
    deliverables = _unique(table, tuple(_deliverable(each, tasks) for each in table.rows("deliverables")))
    rows = tuple(_row(each, tasks, deliverables) for each in table.rows("plan"))
    if not rows:
        raise table.fault("key_missing", field="plan")
    remedy = _remedy(table.table("remedy"), keywords) if "remedy" in table.values else None
    return Planning(tasks, rows, table.text("otherwise"), deliverables, remedy)


def _unique(table: Table, deliverables: tuple[Deliverable, ...]) -> tuple[Deliverable, ...]:
    names = [each.id for each in deliverables]
    for number, name in enumerate(names):
        if name in names[:number]:
            raise Table(table.source, {}, "deliverables", number).fault("twice", "id", name=name)
    return deliverables


def _deliverable(table: Table, tasks: Mapping[str, TaskSpec]) -> Deliverable:
    table.only("id", "name", "words", "task", "keys")
    task, keys = table.text("task", ""), table.texts("keys")
    _known(table, "task", [task] if task else [], tasks)
    if not task and not keys:
        raise table.fault("key_missing", field="task")
    return Deliverable(table.id("id"), table.text("name"), table.texts("words", least=1), task, keys)


def _row(table: Table, tasks: Mapping[str, TaskSpec], deliverables: tuple[Deliverable, ...]) -> Row:
    table.only("wanted", "state", "done", "tasks", "closed", "detail")
    wanted = frozenset(table.texts("wanted", least=1)) if "wanted" in table.values else None
    _known(table, "wanted", wanted or (), [each.id for each in deliverables])
    done, given = table.texts("done"), table.texts("tasks")
    _known(table, "done", done, tasks)
    _known(table, "tasks", given, tasks)
    closed, detail = table.flag("closed"), table.text("detail", "")
    if sum((bool(given), closed, bool(detail))) != 1:
        raise table.fault("row_outcome")
    if closed and not done and _state(table) is not State.DELIVERED:
        raise table.fault("row_closed", "closed")
    return Row(wanted, _state(table), frozenset(done), given, closed, detail)


def _state(table: Table) -> State | None:
    """Return the state that a row asks for; it is one of wanted deliverables."""
    if "state" not in table.values:
        return None
    state = State(table.choice("state", tuple(State)))
    if "wanted" not in table.values:
        raise table.fault("key_missing", field="wanted")
    return state


def _known(table: Table, key: str, names: Iterable[str], known: Iterable[str]) -> None:
    for each in names:
        if each not in set(known):
            raise table.fault("reference", key, field=key, name=each)


def _remedy(table: Table, keywords: tuple[str, ...]) -> Remedy:
    table.only("suffix", "title", "instruction", "objective", "acceptance")
    remedy = Remedy(
        table.text("suffix", longest=32),
        table.text("title"),
        table.text("instruction"),
        table.text("objective"),
        table.text("acceptance"),
    )
    if not any(each in remedy.instruction for each in keywords):
        raise table.fault("unsignalled", "instruction", name=remedy.suffix)
    return remedy
