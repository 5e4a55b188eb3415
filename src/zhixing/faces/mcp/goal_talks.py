"""Tools: conversations about goals. `say` with /task begins one, `answer` goes on with it and presses its buttons."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from zhixing.faces.cli.house import House
from zhixing.faces.goal_talk_wire import goal_talk_id, of_goal_talk
from zhixing.faces.mcp.arguments import LONGEST_ID, Before, Limit
from zhixing.faces.mcp.tool import Effect, Tool
from zhixing.faces.wire import Wire
from zhixing.goals.talking.talk import OPEN


def goal_talk_list(
    home: House,
    *,
    open_only: Annotated[bool, Field(description="Only those that something may still come of.")] = False,
    limit: Limit = 20,
    before: Before = None,
) -> Wire:
    """List conversations about goals (q3) and what became of them, the newest first."""
    cursor = None if before is None else goal_talk_id(before)
    found = home.app.goals.talks.page(states=OPEN if open_only else (), limit=limit, before=cursor)
    return {"talks": [of_goal_talk(each) for each in found]}


def goal_talk_show(
    home: House, *, talk: Annotated[str, Field(max_length=LONGEST_ID, description="Id of a conversation: q3.")]
) -> Wire:
    """Show one conversation about a goal: its card, what is asked, or what became of it."""
    return of_goal_talk(home.app.goals.talks.show(goal_talk_id(talk)))


TOOLS = (
    Tool.of(goal_talk_list, Effect.READS),
    Tool.of(goal_talk_show, Effect.READS),
)
