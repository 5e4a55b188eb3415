"""graph drafts: rules that agents are building in batches."""

from __future__ import annotations

from typing import Annotated

from cyclopts import App, Parameter

from zhixing.faces import gateway_wire
from zhixing.faces.cli.graph_pages import card_line, draft_row
from zhixing.faces.cli.graph_place import Gateway, Passcode, hub
from zhixing.faces.cli.graphs import verdict_lines
from zhixing.faces.cli.options import AtDesk, Json
from zhixing.faces.cli.pages import INDENT
from zhixing.faces.graph_wire import of_verdict
from zhixing.graphs.drafts.operations import NotCommitted
from zhixing.graphs.rule import Rule
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording

drafts = App(name="drafts", help_flags=(), version_flags=())

DraftId = Annotated[str, Parameter(name="DRAFT")]


@drafts.command(name="list")
def list_(*, as_json: Json = False, desk: AtDesk) -> None:
    """List the drafts, the oldest first."""
    with hub(desk, None, None) as home:
        found = home.app.graphs.drafts.page()
        zone = find_zone(home.app.zone.name)
    if as_json:
        desk.give({"drafts": [gateway_wire.of_draft(each, zone) for each in found]})
        return
    desk.lay_out([draft_row(each) for each in found])
    if not found:
        desk.say(wording("graph_pages.drafts_none"))


@drafts.command(name="show")
def show(draft: DraftId, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Show a draft and its cards."""
    with hub(desk, None, None) as home:
        kept = home.app.graphs.drafts
        found, nodes = kept.status(draft), kept.nodes(draft)
        zone = find_zone(home.app.zone.name)
    if as_json:
        desk.give({**gateway_wire.of_draft(found, zone), "nodes": [each.raw for each in nodes]})
        return
    desk.lay_out([draft_row(found)])
    desk.say(*(INDENT + card_line(each) for each in nodes))


@drafts.command(name="commit")
def commit(
    draft: DraftId, /, *, gateway: Gateway = None, passcode: Passcode = None, as_json: Json = False, desk: AtDesk
) -> int:
    """Check a draft, lay it out and make its rule on the hub; said again, it makes no second one."""
    with hub(desk, gateway, passcode) as home:
        kept = home.app.graphs.drafts
        done = kept.commit(draft)
        rule = Rule.of({"id": done.draft.id, "nodes": [each.raw for each in kept.nodes(draft)]})
    if isinstance(done, NotCommitted):
        head = wording("graph_pages.draft_invalid", id=done.draft.id, count=len(done.verdict.errors))
        wire = {"draftId": done.draft.id, "graphId": None, "verdict": of_verdict(done.verdict)}
        desk.answer(wire, [head, *verdict_lines(done.verdict, rule)], as_json=as_json)
        return 1
    wire = gateway_wire.of_committed(done)
    desk.answer(wire, [str(wire["message"])], as_json=as_json)
    return 0


@drafts.command(name="discard")
def discard(draft: DraftId, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Give up a draft; the rule of one that is committed stays on the hub."""
    with hub(desk, None, None) as home:
        gone = home.app.graphs.drafts.discard(draft)
    key = "draft_discarded" if gone is not None else "draft_gone"
    line = wording(f"graph_pages.{key}", id=draft)
    desk.answer({"draftId": draft, "discarded": gone is not None}, [line], as_json=as_json)
