"""goal start: a goal at once, from words or from a whole `TaskRequest`."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import Parameter

from zhixing.faces import goal_wire
from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.files import content_of, json_of
from zhixing.faces.cli.house import House, house
from zhixing.faces.cli.options import TYPED, AtDesk, Json, text_of
from zhixing.faces.cli.usage import Usage
from zhixing.faces.goal_starting import Wanted, request_of, start
from zhixing.goals.keeping.texts import word
from zhixing.goals.loop.values import TaskType
from zhixing.goals.running.rows import Listed
from zhixing.kernel.errors import BadInput
from zhixing.kernel.wording import wording

LARGEST_FILE = 1 << 20
"""Bytes of a request, and of a definition of a state machine."""

Texts = tuple[str, ...]
File = Annotated[str | None, Parameter(name="--file")]
Criteria = Annotated[Texts, Parameter(name="--ac", negative=(), json_list=False)]
Deliverables = Annotated[Texts, Parameter(name="--deliverable", negative=(), json_list=False)]
Constraints = Annotated[Texts, Parameter(name="--constraint", negative=(), json_list=False)]
Title = Annotated[str | None, Parameter(name="--title")]
Owner = Annotated[str | None, Parameter(name="--owner")]
Workflow = Annotated[str | None, Parameter(name="--workflow")]
Definition = Annotated[str | None, Parameter(name="--yaml")]
Participants = Annotated[Texts, Parameter(name="--bot", negative=(), json_list=False)]
Roles = Annotated[Texts, Parameter(name="--role", negative=(), json_list=False)]
Tokens = Annotated[int | None, Parameter(name="--tokens")]
Cost = Annotated[float | None, Parameter(name="--cost")]
Hours = Annotated[float | None, Parameter(name="--hours")]
Depth = Annotated[int | None, Parameter(name="--depth")]
Sets = Annotated[Texts, Parameter(name="--set", negative=(), json_list=False)]
Key = Annotated[str | None, Parameter(name="--key")]


def start_(
    *text: str,
    file: File = None,
    criteria: Criteria = (),
    deliverables: Deliverables = (),
    constraints: Constraints = (),
    title: Title = None,
    owner: Owner = None,
    workflow: Workflow = None,
    definition: Definition = None,
    participants: Participants = (),
    roles: Roles = (),
    tokens: Tokens = None,
    cost: Cost = None,
    hours: Hours = None,
    depth: Depth = None,
    sets: Sets = (),
    key: Key = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Hand a goal in; it is kept and under way when this returns."""
    if bool(text) == (file is not None):
        raise Usage("usage_goal_start")
    if file is not None and (criteria or deliverables or constraints or title is not None):
        raise Usage("usage_goal_file")
    if workflow is not None and definition is not None:
        raise Usage("usage_goal_driver")
    config = {
        "MAX_TOKENS": tokens,
        "MAX_COST": cost,
        "MAX_WALL_CLOCK": None if hours is None else hours * 3600,
        "MAX_DEPTH": depth,
        **_set(sets),
        **_driver(workflow, definition, desk),
        "participant_bot_ids": list(map(_plain, participants)) or None,
        "participant_bindings": _pairs(roles) or None,
    }
    words = text_of(text, desk)
    if file is not None:
        body = _request_in(file, desk)
    else:
        told = [tuple(map(_plain, each)) for each in (criteria, deliverables, constraints)]
        body = request_of(Wanted(words, told[0], told[1], told[2], title or ""))
    body = _with(body, {name: value for name, value in config.items() if value is not None})
    if owner is not None:
        body["owner_bot_id"] = owner
    with house(desk) as home:
        home.check_length(words)
        record = start(home.app, body, key or "")
        lines = [*_lines(home, record, said_criteria=file is not None or bool(criteria)), *home.goal_notes()]
    desk.answer(goal_wire.of_accepted(record), lines, as_json=as_json)


def _request_in(file: str, desk: Desk) -> dict[str, Any]:
    given = json_of(file, desk, LARGEST_FILE)
    if not isinstance(given, dict):
        raise BadInput("goal_field_object", name=_plain(file)[:64])
    return given


def _with(body: dict[str, Any], added: dict[str, Any]) -> dict[str, Any]:
    """Return a request with more in its execution config; what options say comes before what the file says."""
    config = body.get("execution_config")
    if config is not None and not isinstance(config, dict):
        raise BadInput("goal_field_object", name="execution_config")
    return {**body, "execution_config": {**(config or {}), **added}} if added else dict(body)


def _lines(home: House, record: Listed, *, said_criteria: bool) -> list[str]:
    goal = record.info.task_id
    with home.app.store.read() as tx:
        task = home.app.goals.keeping.task_of(tx, goal)
    lines = [wording("goal_pages.started" if task is None else "goal_pages.started_task", goal=goal, task=task)]
    if not said_criteria:
        lines.append(wording("goal_pages.no_criteria"))
    return [*lines, wording("goal_pages.look", goal=word(goal))]


def _driver(workflow: str | None, definition: str | None, desk: Desk) -> dict[str, Any]:
    if workflow is not None:
        return {"task_type": TaskType.WORKFLOW.value, "workflow_id": workflow}
    if definition is None:
        return {}
    try:
        text = content_of(definition, desk, LARGEST_FILE).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput("input_not_utf8", line=str(error.object[: error.start].count(b"\n") + 1)) from error
    return {"task_type": TaskType.YAML.value, "group_kind": "state_machine", "yaml": text}


def _set(sets: Texts) -> dict[str, float]:
    """Read limits, as `MAX_LOOP=3`; whether there is such a limit is seen with the request."""
    found: dict[str, float] = {}
    for name, value in _pairs(sets).items():
        try:
            number = float(value)
        except ValueError as error:
            raise BadInput("number_unreadable", name=name[:64], value=value[:64]) from error
        found[name] = int(number) if number.is_integer() else number
    return found


def _pairs(given: Texts) -> dict[str, str]:
    found = {}
    for each in map(_plain, given):
        name, equals, value = each.partition("=")
        if not (name.strip() and equals and value.strip()):
            raise Usage("usage_goal_pair", given=each[:64])
        found[name.strip()] = value.strip()
    return found


def _plain(word_: str) -> str:
    return word_.removeprefix(TYPED)
