"""talks: what was said about the home, and what became of it."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from zhixing.faces.cli.house import house
from zhixing.faces.cli.options import AtDesk, Json, Limit, within
from zhixing.faces.cli.talk_pages import show_talk, talk_row
from zhixing.faces.talk_wire import of_talk, talk_id
from zhixing.household.talking.store import LARGEST_PAGE
from zhixing.household.talking.talk import OPEN
from zhixing.kernel.wording import wording

Open = Annotated[bool, Parameter(name="--open", negative=())]


def talks(
    talk: str | None = None, /, *, open_only: Open = False, limit: Limit = 20, as_json: Json = False, desk: AtDesk
) -> None:
    """List what was said about the home, the newest first; or show one sentence."""
    within("--limit", limit, 1, LARGEST_PAGE)
    with house(desk) as home:
        if talk is not None:
            show_talk(home.app.talks.get(talk_id(talk)), home, desk, as_json=as_json)
            return
        found = home.app.talks.list(states=OPEN if open_only else (), limit=limit)
    if as_json:
        desk.give({"talks": [of_talk(one) for one in found]})
    elif found:
        desk.lay_out([talk_row(one) for one in found])
    else:
        desk.say(wording("talking.none_said"))
