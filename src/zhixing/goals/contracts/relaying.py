"""What relay bots send: that they take the rest of a goal, the node they will do, and its result (taskloop §2.7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zhixing.goals.contracts.fields import LARGEST_RESULT, Fields, must_be_bounded, must_fit
from zhixing.goals.contracts.requesting import KEY, LARGEST_CONFIG, LONGEST_KEY, LONGEST_TITLE, read_criteria
from zhixing.goals.contracts.shapes import LONGEST_ID, LONGEST_TEXT
from zhixing.goals.loop.events import BbsResult
from zhixing.goals.loop.limits import MOST_GAPS
from zhixing.goals.loop.model import Judgement, TaskSpec
from zhixing.goals.loop.outputs import OUTPUT
from zhixing.kernel.errors import BadInput

MOST_JUDGED = 100
LONGEST_GAP = 4000


@dataclass(frozen=True, slots=True)
class Claiming:
    """A bot that wants the rest of a goal."""

    task_id: str
    bot_id: str


@dataclass(frozen=True, slots=True)
class Attaching:
    """A node that a bot wants to do under `parent`; the same `key` is the same node."""

    task_id: str
    bot_id: str
    parent: str
    spec: TaskSpec
    key: str


def read_claim(body: Mapping[str, Any]) -> Claiming:
    """Read a claim. Raises `BadInput` with the name of what is wrong."""
    must_be_bounded(body)
    fields = Fields(body)
    return Claiming(fields.needed_id("task_id"), fields.needed_id("bot_id"))


def read_attach(body: Mapping[str, Any]) -> Attaching:
    """Read the node of a relay; the `task_id` in its metadata is only a label. Raises like `read_claim`.

    It has to say what is to be done: what is left out is taken from its parent, and a mere copy of that would be done
    over and over.
    """
    must_be_bounded(body)
    fields = Fields(body)
    given = fields.object("task_spec")
    metadata, context, goal = given.object("metadata"), given.object("context"), given.object("goal")
    spec = TaskSpec(
        metadata.text("title", LONGEST_TITLE),
        metadata.text("instruction"),
        context.text("background"),
        goal.text("objective"),
        read_criteria(goal),
        context.mapping("extend_props"),
    )
    must_fit(spec.extend_props, context.name("extend_props"), LARGEST_CONFIG)
    if not (spec.instruction or spec.objective):
        raise BadInput("goal_field_missing", name=goal.name("objective"))
    return Attaching(
        fields.needed_id("task_id"),
        fields.needed_id("bot_id"),
        fields.needed_id("parent_node_id"),
        spec,
        fields.text(KEY, LONGEST_KEY),
    )


def read_relay_result(body: Mapping[str, Any]) -> tuple[str, BbsResult]:
    """Read what a relay came to, with the goal it is part of. Raises like `read_claim`."""
    must_be_bounded(body)
    fields = Fields(body)
    accepted = fields.object("acceptance_result")
    patch = fields.given.get("output_patch")
    must_fit(patch, "output_patch", LARGEST_RESULT)
    result = BbsResult(
        bot=fields.needed_id("bot_id"),
        node=fields.needed_id("node_id"),
        verdict=accepted.text("verdict", LONGEST_ID),
        metric=tuple(
            _judgement(Fields(each, f"{accepted.name('acceptances_metric')}[{at}]"))
            for at, each in enumerate(accepted.items("acceptances_metric", MOST_JUDGED))
        ),
        gaps=accepted.texts("gaps", MOST_GAPS, LONGEST_GAP),
        output={OUTPUT: patch} if isinstance(patch, str) and patch else fields.mapping("output_patch") if patch else {},
        exec_error=fields.text("exec_error", LONGEST_GAP),
    )
    return fields.needed_id("task_id"), result


def _judgement(given: Fields) -> Judgement:
    ac_id = given.id("ac_id") or given.needed_id("id")
    passed = given.given.get("passed")
    if not isinstance(passed, bool):
        raise BadInput("goal_field_truth", name=given.name("passed"))
    return Judgement(ac_id, passed=passed, evidence=given.text("evidence", LONGEST_TEXT) or given.text("reason"))
