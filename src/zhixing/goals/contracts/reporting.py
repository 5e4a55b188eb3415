"""Messages of executors as they come in, in every shape that is known, tried in order (taskloop §2.6).

| shape | known by | means |
|---|---|---|
| a | a workflow of its own, no name of a leaf | nothing that could be placed |
| b | `event_type` with `data` or `scope` | the end of what runs in a session |
| c | `workflow_source` or `is_success` | start or result of a node |
| d | `loop_task_id` with `result` | result of a leaf |
| e | `task_id`, `node_id`, `status` | state of a node |

What is said is not judged here: `success` that is no boolean, or a FAIL without gaps, goes on as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from zhixing.goals.contracts.executing import read_execution
from zhixing.goals.contracts.fields import LARGEST_RESULT, Fields, must_be_bounded, must_fit
from zhixing.goals.contracts.naming import read_loop_task_id
from zhixing.goals.contracts.shapes import LONGEST_ID, compact
from zhixing.goals.loop.events import Report, Started
from zhixing.goals.loop.results import verdict_of
from zhixing.kernel.errors import BadInput

LONGEST_NAME = 2 * LONGEST_ID + 2
"""Characters of a `loop_task_id`."""

_BEGUN = {"START", "STARTED", "RUNNING", "EXECUTING", "PLANNING"}
_ENDED = {"completed", "failed", "aborted"}


class Uncorrelated(BadInput):
    """A message whose names contradict each other, or name nothing."""


@dataclass(frozen=True, slots=True)
class Named:
    """A message about a leaf that it names; without a node it is about the whole goal, whose root has its id."""

    task_id: str
    event: Report | Started


@dataclass(frozen=True, slots=True)
class InSession:
    """What runs in a session ended; `report_on` says what that means for the node that ran there."""

    session_id: str
    outcome: Literal["completed", "failed", "aborted"]
    content: str
    error: str

    def report_on(self, node_id: str, attempt: int) -> Report | None:
        """Return the report; None for an end that says nothing of the result, which then has to be fetched."""
        if self.outcome != "completed":
            return Report(node_id, exec_error=self.error or f"run_status_{self.outcome}", attempt=attempt)
        return read_execution(node_id, self.content, attempt=attempt) if self.content else None


@dataclass(frozen=True, slots=True)
class Unplaced:
    """A message that belongs to nothing that is known here."""


Callback = Named | InSession | Unplaced


def read_callback(body: Mapping[str, Any]) -> Callback:
    """Read a message. Raises `Uncorrelated`, and `BadInput` for a shape that is none of the known ones."""
    _must_be_taken(body)
    fields = Fields(body)
    if fields.has("event_type") and (fields.has("data") or fields.has("scope")):
        return _of_event(fields)
    named = fields.has("loop_task_id") or fields.has("task_id")
    if not named and any(fields.has(key) for key in ("workflow_id", "workflow_instance_id", "workflow_run_id")):
        return Unplaced()
    if not named:
        raise BadInput("goal_callback_unknown")
    task_id, node_id = _names(fields)
    return Named(task_id, _said_of(fields, node_id))


def read_start(body: Mapping[str, Any]) -> Named:
    """Read that a node or, without one, a workflow began. Raises like `read_callback`."""
    must_be_bounded(body)
    task_id, node_id = _names(Fields(body))
    return Named(task_id, Started(node_id))


def read_result(body: Mapping[str, Any]) -> Callback:
    """Read the result of a node or, without one, of a workflow; without a name, of what ran in its session.

    Raises like `read_callback`.
    """
    _must_be_taken(body)
    fields = Fields(body)
    session_id = fields.id("session_id") or fields.id("main_session_id")
    if fields.has("loop_task_id") or fields.has("task_id") or not session_id:
        task_id, node_id = _names(fields)
        return Named(task_id, _said_of(fields, node_id))
    if fields.given.get("is_success", fields.given.get("success")) is True:
        return InSession(session_id, "completed", compact({"success": True, "data": fields.given.get("output")}), "")
    return InSession(session_id, "failed", "", _text(fields.given.get("failed_info")))


def _must_be_taken(body: Mapping[str, Any]) -> None:
    must_be_bounded(body)
    must_fit(body, "result", LARGEST_RESULT)


def _names(fields: Fields) -> tuple[str, str]:
    """Return the ids of task and node, which may come twice and then have to agree."""
    task_id, node_id = fields.id("task_id"), fields.id("node_id")
    whole = fields.text("loop_task_id", LONGEST_NAME)
    if whole:
        found = read_loop_task_id(whole)
        if found is None or not whole.isprintable() or task_id not in {"", found[0]} or node_id not in {"", found[1]}:
            raise Uncorrelated("goal_callback_names")
        return found
    if not task_id:
        raise Uncorrelated("goal_callback_names")
    return task_id, node_id or task_id


def _said_of(fields: Fields, node_id: str) -> Report | Started:
    if fields.has("workflow_source") or "is_success" in fields.given:
        return _rich(fields, node_id)
    if "result" in fields.given:
        return _strict(fields, node_id)
    if fields.has("status"):
        return _of_state(fields, node_id)
    raise BadInput("goal_callback_unknown")


def _rich(fields: Fields, node_id: str) -> Report | Started:
    status, ended = fields.text("status", LONGEST_ID).upper(), fields.has("is_success")
    if status in _BEGUN and not ended:
        return Started(node_id)
    detail = _text(fields.given.get("failed_info"))
    extra = fields.object("ext_info") if isinstance(fields.given.get("ext_info"), Mapping) else Fields({})
    return Report(
        node_id,
        fields.given.get("is_success"),
        fields.given.get("output"),
        fields.given.get("gaps"),
        detail or None,
        event_id=fields.id("event_id") or extra.id("event_id"),
    )


def _strict(fields: Fields, node_id: str) -> Report:
    result = fields.given["result"]
    event_id = fields.id("event_id")
    if result is None or isinstance(result, str):
        read = read_execution(node_id, result or "")
        return Report(node_id, read.success, read.data, read.gaps, read.fail_detail, read.exec_error, event_id=event_id)
    inner = fields.object("result")
    extra = inner.object("_ext_info") if isinstance(inner.given.get("_ext_info"), Mapping) else Fields({})
    return Report(
        node_id,
        inner.given.get("success"),
        inner.given.get("data"),
        inner.given.get("gaps"),
        inner.given.get("fail_detail"),
        inner.given.get("exec_error"),
        event_id=event_id or extra.id("event_id"),
    )


def _of_state(fields: Fields, node_id: str) -> Report | Started:
    status = fields.words("status", LONGEST_ID).upper()
    accepted, props = fields.object("acceptance_result"), fields.object("extend_props")
    if status in _BEGUN and not accepted.has("verdict"):
        return Started(node_id)
    verdict = accepted.text("verdict", LONGEST_ID) or (status if verdict_of(status) is not None else "")
    error = props.given.get("exec_error") or ("" if verdict else f"reported_{status.lower()}")
    return Report(
        node_id,
        None,
        fields.given.get("output"),
        accepted.given.get("gaps"),
        props.given.get("fail_detail"),
        error or None,
        verdict or None,
        event_id=fields.id("event_id"),
    )


def _of_event(fields: Fields) -> Callback:
    data, scope = (_object(fields.given.get(key)) for key in ("data", "scope"))
    session_id = data.id("session_id") or scope.id("session_id") or fields.id("session_id")
    outcome = re.split(r"[._:/-]", fields.text("event_type", LONGEST_NAME).lower())[-1]
    if not session_id or outcome not in _ENDED:
        return Unplaced()
    content = next((data.given[key] for key in ("output", "result", "content") if data.has(key)), "")
    error = next((data.given[key] for key in ("error_message", "error", "reason") if data.has(key)), "")
    # One of the three, as was just looked up.
    ended: Any = outcome
    return InSession(session_id, ended, _text(content), _text(error)[:LONGEST_ID])


def _object(value: object) -> Fields:
    return Fields(value if isinstance(value, Mapping) else {})


def _text(value: object) -> str:
    return "" if value is None else value if isinstance(value, str) else compact(value)
