"""Handing a goal in: from words, or from a whole `TaskRequest`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zhixing.app import App
from zhixing.faces.goal_replies import must_be_done
from zhixing.goals.contracts.requesting import KEY, read_request
from zhixing.goals.recognising.mapping import LONGEST_TITLE, SourceType
from zhixing.goals.room import USER
from zhixing.goals.running.listing import Listing
from zhixing.goals.running.rows import Listed
from zhixing.kernel.errors import BadInput, Conflict, NotFound
from zhixing.kernel.wording import wording


@dataclass(frozen=True, slots=True)
class Wanted:
    """A goal in words. Without criteria the words themselves are the one criterion."""

    text: str
    criteria: tuple[str, ...] = ()
    deliverables: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    title: str = ""


def request_of(wanted: Wanted) -> dict[str, Any]:
    """Return the request for a goal in words. Raises `BadInput` where there are none."""
    text = wanted.text.strip()
    if not text:
        raise BadInput("goal_words_missing")
    title = wanted.title.strip() or " ".join(text.split())
    return {
        "task_spec": {
            "metadata": {
                "title": title if len(title) <= LONGEST_TITLE or wanted.title else title[: LONGEST_TITLE - 1] + "…",
                "instruction": _instruction(text, wanted),
            },
            "context": {"background": text},
            "goal": {
                "objective": text,
                "acceptances": [
                    {"id": f"ac{at}", "acceptance": each} for at, each in enumerate(wanted.criteria or (text,), 1)
                ],
            },
        },
        "source_type": SourceType.API.value,
    }


def start(app: App, body: Mapping[str, Any], key: str = "") -> Listed:
    """Hand a goal in; it is kept and under way. The same key again is the same goal.

    Who asks is the home, and its owner bot plans, unless the body says otherwise. Raises `BadInput` for a body that
    cannot be used, `Conflict` for a key under which another goal was handed in.
    """
    config = body.get("execution_config")
    if key:
        within = config if isinstance(config, Mapping) else {}
        if within.get(KEY) not in (None, "", key):
            raise BadInput("goal_key_twice", name=KEY)
        body = {**body, "execution_config": {**within, KEY: key}} if isinstance(config, Mapping | None) else body
    named = {name: body.get(name) or default for name, default in _askers(app).items()}
    requested = read_request({**body, **named})
    reply = must_be_done(app.goals.goals.execute(requested.info, requested.config))
    record = Listing(app.store).record(str(reply.data["task_id"]))
    if record is None:
        raise NotFound("goal_task_none")
    if record.config != requested.config:
        raise Conflict("goal_reply_key_reused")
    return record


def _askers(app: App) -> dict[str, str]:
    return {"owner_user_id": USER, "owner_bot_id": app.goals.owner}


def _instruction(text: str, wanted: Wanted) -> str:
    """Return everything that was said, a line an element, as a talk would write it."""
    said = {
        "goal": (text,),
        "deliverables": wanted.deliverables,
        "acceptance_criteria": wanted.criteria,
        "constraints": wanted.constraints,
    }
    return "\n".join(
        wording("goal_cards.instruction", name=wording(f"goal_cards.short_{name}"), values="；".join(values))
        for name, values in said.items()
        if values
    )
