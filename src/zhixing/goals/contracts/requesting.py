"""What a caller hands in: the `TaskRequest` of `POST /execute` as a goal (taskloop §2.3).

Read in one way wherever it comes from: over HTTP, from a talk, from the command line. Server fields (`task_id`,
`status` and instants) that a caller sends are left alone: they are not theirs to choose.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zhixing.goals.contracts.fields import Fields, must_be_bounded, must_fit
from zhixing.goals.contracts.shapes import LONGEST_ID, MOST_CRITERIA
from zhixing.goals.loop.limits import LIMIT_KEYS, InvalidLimit, Limits, read_limits
from zhixing.goals.loop.model import Criterion, TaskInfo, TaskSpec
from zhixing.goals.loop.values import CollabMode, TaskType
from zhixing.kernel.errors import BadInput

LONGEST_TITLE = 500
LONGEST_CRITERION = 4000
LONGEST_KEY = 200
LARGEST_CONFIG = 64 * 1024
"""Bytes of an execution config, and of `extend_props`, written as JSON."""
MOST_PARTICIPANTS = 32
MOST_ARGUMENTS = 64
KEY = "idempotency_key"
"""The entry of an execution config under which the same request, sent again, is the same goal."""

SOURCES = ("bot", "coop_group", "api")
_KINDS = tuple(each.value for each in TaskType)
_GROUPS = tuple(each.value for each in CollabMode)


@dataclass(frozen=True, slots=True)
class Requested:
    """A goal as it was asked for: `info` without an id, and the execution config with everything the caller put there.

    The idempotency key stands in `info.key` and no longer in `config`.
    """

    info: TaskInfo
    config: Mapping[str, Any]


def read_request(body: Mapping[str, Any]) -> Requested:
    """Read a `TaskRequest`.

    Raises `BadInput` with the whole name of the first field that is missing, of the wrong kind or out of its bounds,
    and `TooLarge` for what is longer, deeper or more than is taken.
    """
    must_be_bounded(body)
    fields = Fields(body)
    config = fields.object("execution_config")
    kind = _kind(config)
    return Requested(
        TaskInfo(
            task_id="",
            spec=_spec(fields.object("task_spec")),
            task_type=kind,
            workflow_id=_workflow(config) if kind is TaskType.WORKFLOW else "",
            source_type=fields.choice("source_type", SOURCES, SOURCES[0]),
            owner_user_id=fields.needed_id("owner_user_id"),
            owner_bot_id=fields.needed_id("owner_bot_id"),
            limits=_limits(config),
            key=config.text(KEY, LONGEST_KEY),
        ),
        _config(config, kind),
    )


def _spec(given: Fields) -> TaskSpec:
    metadata, context, goal = given.object("metadata"), given.object("context"), given.object("goal")
    props = context.mapping("extend_props")
    must_fit(props, context.name("extend_props"), LARGEST_CONFIG)
    return TaskSpec(
        metadata.words("title", LONGEST_TITLE),
        metadata.words("instruction"),
        context.text("background"),
        goal.words("objective"),
        read_criteria(goal),
        props,
    )


def read_criteria(goal: Fields) -> tuple[Criterion, ...]:
    """Return the criteria of a goal; their text is called `acceptance`, or `description`, or stands alone (§9.1, 34).

    A criterion without an id is called after its place: `ac1`, `ac2`, …
    """
    items = goal.items("acceptances", MOST_CRITERIA)
    each_read = [_criterion(each, f"{goal.name('acceptances')}[{at}]") for at, each in enumerate(items)]
    taken = {ac_id for ac_id, _ in each_read if ac_id}
    if len(taken) < sum(bool(ac_id) for ac_id, _ in each_read):
        raise BadInput("goal_acceptance_twice", name=goal.name("acceptances"))
    found = []
    for place, (given, text) in enumerate(each_read, 1):
        ac_id, number = given or f"ac{place}", len(each_read)
        while not given and ac_id in taken:
            number += 1
            ac_id = f"ac{number}"
        taken.add(ac_id)
        found.append(Criterion(ac_id, text))
    return tuple(found)


def _criterion(given: object, place: str) -> tuple[str, str]:
    fields = Fields({"acceptance": given} if isinstance(given, str) else given, place)
    name = "description" if fields.has("description") and not fields.has("acceptance") else "acceptance"
    return fields.id("id"), fields.words(name, LONGEST_CRITERION)


def _kind(config: Fields) -> TaskType:
    """Return who drives the goal; one that names a workflow or a definition has to say which it means."""
    if not config.has("task_type") and (config.has("workflow_id") or config.has("yaml")):
        raise BadInput("goal_field_missing", name=config.name("task_type"))
    return TaskType(config.choice("task_type", _KINDS, TaskType.DYNAMIC.value))


def _workflow(config: Fields) -> str:
    if not config.id("workflow_id"):
        raise BadInput("goal_workflow_missing")
    return config.id("workflow_id")


def _limits(config: Fields) -> Limits:
    for key in config.given:
        # What looks like a limit and is none would limit nothing, and nobody would notice.
        if key not in LIMIT_KEYS and key.startswith(("MAX_", "BBS_MAX_")):
            raise BadInput("goal_limit_unknown", name=config.name(key), known="、".join(sorted(LIMIT_KEYS)))
    try:
        return read_limits(config.given)
    except InvalidLimit as error:
        raise BadInput("goal_limit_wrong", name=config.name(error.key)) from None


def _config(config: Fields, kind: TaskType) -> dict[str, Any]:
    """Return the config as it was sent; what others read of it is checked here, where the caller can be told."""
    config.texts("participant_bot_ids", MOST_PARTICIPANTS, LONGEST_ID)
    config.mapping("participant_bindings")
    config.text("group_name", LONGEST_TITLE)
    _must_be_arguments(config)
    group = config.choice("group_kind", _GROUPS, CollabMode.MANAGER_WORKER.value)
    if config.has("yaml") and not isinstance(config.given["yaml"], str | Mapping):
        raise BadInput("goal_field_text", name=config.name("yaml"))
    if kind is TaskType.YAML and group == CollabMode.STATE_MACHINE and not config.has("yaml"):
        raise BadInput("goal_field_missing", name=config.name("yaml"))
    found = {key: value for key, value in config.given.items() if key != KEY}
    must_fit(found, "execution_config", LARGEST_CONFIG)
    return found


def _must_be_arguments(config: Fields) -> None:
    given = config.given.get("args")
    if given is None or isinstance(given, str):
        return
    for at, each in enumerate(config.items("args", MOST_ARGUMENTS)):
        if not isinstance(each, str | int | float):
            raise BadInput("goal_field_text", name=f"{config.name('args')}[{at}]")
