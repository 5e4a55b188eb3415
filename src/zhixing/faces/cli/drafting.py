"""drafts: document tasks that are talked about before they are saved."""

from __future__ import annotations

from zhixing.faces.cli.draft_pages import draft_row, show_draft
from zhixing.faces.cli.house import house
from zhixing.faces.cli.options import AtDesk, Json, Limit, within
from zhixing.faces.draft_wire import draft_id, of_draft
from zhixing.kernel.wording import wording
from zhixing.tasks.sentences import LARGEST_PAGE


def drafts(draft: str | None = None, /, *, limit: Limit = 20, as_json: Json = False, desk: AtDesk) -> None:
    """List drafts of document tasks, the newest first; or show one."""
    within("--limit", limit, 1, LARGEST_PAGE)
    with house(desk) as home:
        if draft is not None:
            show_draft(home.app.drafts.show(draft_id(draft)), home, desk, as_json=as_json)
            return
        found = home.app.drafts.page(limit=limit)
    if as_json:
        desk.give({"drafts": [of_draft(one) for one in found]})
    elif found:
        desk.lay_out([draft_row(one) for one in found])
    else:
        desk.say(wording("documents.drafts_none"))
