"""graph from-task: what of a household task a hub can run, as a rule graph. Only looks; `graph deploy` writes."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from zhixing.compiling.operations import to_graph
from zhixing.faces.cli.files import save_text
from zhixing.faces.cli.graph_place import Gateway, Passcode, hub
from zhixing.faces.cli.house import House
from zhixing.faces.cli.options import AtDesk, Json
from zhixing.faces.compiled_wire import compiled_lines, of_compiled
from zhixing.graphs.writing import write_rule
from zhixing.household import registry
from zhixing.kernel.errors import BadInput
from zhixing.kernel.wording import wording


def from_task(
    task: Annotated[str, Parameter(name="TASK")],
    /,
    *,
    out: Annotated[str | None, Parameter(name="--out")] = None,
    gateway: Gateway = None,
    passcode: Passcode = None,
    as_json: Json = False,
    desk: AtDesk,
) -> int:
    """Turn a household task into a rule graph; the exit code is 1 when nothing of it can run on the hub."""
    with hub(desk, gateway, passcode) as home:
        slug, app = _slug(home, task), home.app
        found = to_graph(app.household, app.hub, app.graphs.home(), slug, zone=app.zone.name, now=desk.clock.now())
    lines = compiled_lines(found, slug)
    if out is not None and found.rule is not None:
        save_text(out, write_rule(found.rule, indent=2))
        lines.append(wording("compiling.saved", id=found.rule.id, file=out))
    desk.answer(of_compiled(found), lines, as_json=as_json)
    return 0 if found.rule is not None else 1


def _slug(home: House, task: str) -> str:
    with home.app.store.read() as tx:
        known = home.task(tx, task).id
        slug = registry.slug_of(tx, known)
    if slug is None:
        raise BadInput("task_not_household", id=known[:64])
    return slug
