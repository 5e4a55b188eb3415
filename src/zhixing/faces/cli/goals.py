"""goal: goals that bots reach together. `replay` needs no home, no store and no network."""

from __future__ import annotations

from typing import Annotated

import msgspec
from cyclopts import App, Parameter

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.files import lines_of, opened_file
from zhixing.faces.cli.options import AtDesk, Json
from zhixing.goals.loop.replaying import replayed
from zhixing.kernel.errors import BadInput, ZhixingError

goal = App(name="goal", help_flags=(), version_flags=())

for _name, _place in {
    "start": "goal_starting:start_",
    "list": "goal_watching:list_",
    "show": "goal_watching:show",
    "watch": "goal_watching:watch",
    "cancel": "goal_steering:cancel",
    "retry": "goal_steering:retry",
    "resolve": "goal_steering:resolve",
    "budget": "goal_steering:budget",
    "bots": "goal_bots:bots",
    "token": "goal_bots:token",
    "relay": "goal_relaying:relay",
    "talks": "goal_talking:talks",
}.items():
    goal.command(f"zhixing.faces.cli.{_place}", name=_name)

Batch = Annotated[str, Parameter(name="--batch")]

LONGEST_LINE = 1 << 20
"""Bytes of one line of a batch."""


@goal.command(name="replay")
def replay(*, batch: Batch, as_json: Json = False, desk: AtDesk) -> None:  # noqa: ARG001 - JSON lines either way
    """Run event scripts through the decider of goals, one JSON object a line, and print what each leads to."""
    with opened_file(batch, desk) as source:
        for line in lines_of(source, LONGEST_LINE):
            if line.strip():
                _give(line, desk)


def _give(line: str, desk: Desk) -> None:
    """Answer one script; what cannot be used is answered with `error`."""
    script: object = None
    try:
        if len(line) >= LONGEST_LINE:
            raise BadInput("line_too_long", limit=LONGEST_LINE)
        script = msgspec.json.decode(line)
        if not isinstance(script, dict):
            raise BadInput("goal_script_unreadable")
        desk.give(replayed(script))
    except (msgspec.DecodeError, RecursionError):
        desk.give({"id": None, "error": str(BadInput("goal_script_unreadable"))})
    except ZhixingError as error:
        desk.give({"id": script.get("id") if isinstance(script, dict) else None, "error": str(error)})
