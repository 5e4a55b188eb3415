"""A whole draft → the `TaskRequest` that is executed (taskloop §1.7). Pure; what the platform knows comes as arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from zhixing.goals.recognising.cues import NO_CONSTRAINT
from zhixing.goals.recognising.inferring import name_of
from zhixing.goals.recognising.model import Draft, Element
from zhixing.kernel.errors import BadInput
from zhixing.kernel.wording import wording

LONGEST_TITLE = 40
"""Characters of a title that is cut from a goal."""


class SourceType(StrEnum):
    """Where a task was asked for."""

    BOT = "bot"
    COOP_GROUP = "coop_group"
    API = "api"


@dataclass(frozen=True, slots=True)
class Acceptance:
    """One criterion. On the wire its text is called `acceptance` (taskloop §9.1, 34: inside it is a description)."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, and where: injected by the platform, never read off the words."""

    owner_user_id: str
    owner_bot_id: str
    source_type: SourceType = SourceType.BOT
    background: str = ""
    teamclaw_context: Mapping[str, str] = field(default_factory=dict)
    """Session, group or parent task: `{main_session_id, parent_task_id, …}`."""


@dataclass(frozen=True, slots=True)
class TaskRequest:
    """The body of `POST /api/v1/collaboration/tasks/execute`. `workflow_id` is None for a dynamic task."""

    title: str
    instruction: str
    objective: str
    acceptances: tuple[Acceptance, ...]
    asker: Asker
    workflow_id: str | None

    def to_wire(self) -> dict[str, Any]:
        """Return the request as JSON."""
        extend = {"teamclaw_context": dict(self.asker.teamclaw_context)} if self.asker.teamclaw_context else {}
        workflow = {} if self.workflow_id is None else {"workflow_id": self.workflow_id}
        return {
            "task_spec": {
                "metadata": {"title": self.title, "instruction": self.instruction},
                "context": {"background": self.asker.background or self.objective, "extend_props": extend},
                "goal": {
                    "objective": self.objective,
                    "acceptances": [{"id": each.id, "acceptance": each.text} for each in self.acceptances],
                },
            },
            "source_type": self.asker.source_type.value,
            "owner_user_id": self.asker.owner_user_id,
            "owner_bot_id": self.asker.owner_bot_id,
            "execution_config": {"task_type": "dynamic" if self.workflow_id is None else "workflow", **workflow},
        }


def task_request(draft: Draft, asker: Asker) -> TaskRequest:
    """Return the request for a whole draft. Raises `BadInput` where an element, the workflow or the owner is missing."""
    if draft.missing:
        names = "、".join(map(name_of, draft.missing))
        raise BadInput("goal_draft_incomplete", names=names)
    if draft.lacks_id:
        raise BadInput("goal_workflow_missing")
    if not (asker.owner_user_id and asker.owner_bot_id):
        raise BadInput("goal_owner_missing")
    acceptances = tuple(Acceptance(f"ac{n}", text) for n, text in enumerate(draft.acceptance_criteria, 1))
    return TaskRequest(_title(draft.goal), _instruction(draft), draft.goal, acceptances, asker, draft.workflow_id)


def _title(goal: str) -> str:
    return goal if len(goal) <= LONGEST_TITLE else goal[: LONGEST_TITLE - 1] + "…"


def _instruction(draft: Draft) -> str:
    """Return everything that was agreed, a line an element; the workflow is no part of it."""
    rows = [
        wording("goal_cards.instruction", name=wording(f"goal_cards.short_{each.value}"), values="；".join(values))
        for each in Element
        if (values := tuple(value for value in draft.values(each) if value != NO_CONSTRAINT))
    ]
    if draft.resources:
        rows.append(
            wording(
                "goal_cards.instruction", name=wording("goal_cards.short_resources"), values=" ".join(draft.resources)
            )
        )
    return "\n".join(rows)
