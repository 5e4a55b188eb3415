"""goal talks: conversations about goals before they run."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from zhixing.faces.cli.goal_talk_pages import goal_talk_row, show_goal_talk
from zhixing.faces.cli.house import house
from zhixing.faces.cli.options import AtDesk, Json, Limit, within
from zhixing.faces.goal_talk_wire import goal_talk_id, of_goal_talk
from zhixing.goals.talking.talk import OPEN
from zhixing.kernel.wording import wording
from zhixing.tasks.sentences import LARGEST_PAGE

Open = Annotated[bool, Parameter(name="--open", negative=())]
Before = Annotated[str | None, Parameter(name="--before")]


def talks(
    talk: str | None = None,
    /,
    *,
    only_open: Open = False,
    limit: Limit = 20,
    before: Before = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """List conversations about goals, the newest first; or show one."""
    within("--limit", limit, 1, LARGEST_PAGE)
    with house(desk) as home:
        kept = home.app.goals.talks
        if talk is not None:
            show_goal_talk(kept.show(goal_talk_id(talk)), home, desk, as_json=as_json)
            return
        cursor = None if before is None else goal_talk_id(before)
        found = kept.page(states=OPEN if only_open else (), limit=limit, before=cursor)
    if as_json:
        desk.give({"talks": [of_goal_talk(one) for one in found]})
    elif found:
        desk.lay_out([goal_talk_row(one) for one in found])
    else:
        desk.say(wording("goal_talks.none"))
