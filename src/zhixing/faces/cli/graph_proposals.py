"""graph draft, graph proposals: sentences on their way to rules of the hub."""

from __future__ import annotations

from typing import Annotated

from cyclopts import App, Parameter

from zhixing.faces.cli.desk import WHO
from zhixing.faces.cli.graph_place import Gateway, Passcode, hub
from zhixing.faces.cli.options import AtDesk, Json, Limit, Words, text_of, within
from zhixing.faces.cli.proposal_pages import proposal_row, show_proposal
from zhixing.faces.cli.usage import Usage
from zhixing.faces.proposal_wire import of_proposal, proposal_id
from zhixing.graphs.proposals.operations import ENABLED
from zhixing.graphs.proposals.proposed import ProposalState
from zhixing.kernel.wording import wording
from zhixing.tasks.sentences import LARGEST_PAGE

proposals = App(name="proposals", help_flags=(), version_flags=())

ProposalId = Annotated[str, Parameter(name="PROPOSAL")]
Save = Annotated[bool, Parameter(name="--save", negative=())]
Revision = Annotated[int | None, Parameter(name=["--revision", "-r"])]
Key = Annotated[str | None, Parameter(name="--key")]
Open = Annotated[bool, Parameter(name="--open", negative=())]
Before = Annotated[str | None, Parameter(name="--before")]


def draft(
    *text: str,
    save: Save = False,
    key: Key = None,
    gateway: Gateway = None,
    passcode: Passcode = None,
    as_json: Json = False,
    desk: AtDesk,
) -> int:
    """Show which rule of the hub a sentence becomes; the exit code is 1 when `--save` could not save it."""
    if not text:
        raise Usage("usage_graph_draft")
    words = text_of(text, desk)
    with hub(desk, gateway, passcode) as home:
        home.check_length(words)
        kept = home.app.proposals
        view = kept.say(words, who=WHO, key=key)
        if save and view.composed is not None:
            view = kept.answer(view.row.id, ENABLED, who=WHO, revision=view.row.revision)
        show_proposal(view, home, desk, as_json=as_json)
    unsaved = save and view.row.state is not ProposalState.SAVED
    if unsaved and not as_json:
        desk.say(wording("proposals.not_saved"))
    return 1 if unsaved else 0


@proposals.command(name="list")
def list_(
    *, only_open: Open = False, limit: Limit = 20, before: Before = None, as_json: Json = False, desk: AtDesk
) -> None:
    """List what was said and what became of it, the newest first."""
    within("--limit", limit, 1, LARGEST_PAGE)
    states = [state for state in ProposalState if state.open] if only_open else []
    cursor = None if before is None else proposal_id(before)
    with hub(desk, None, None) as home:
        found = home.app.proposals.page(states=states, limit=limit, before=cursor)
    if as_json:
        desk.give({"proposals": [of_proposal(each) for each in found]})
        return
    desk.lay_out([proposal_row(each) for each in found])
    if not found:
        desk.say(wording("proposals.none"))


@proposals.command(name="show")
def show(
    proposal: ProposalId,
    /,
    *,
    gateway: Gateway = None,
    passcode: Passcode = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Show what would be saved and what is asked, or what became of it."""
    with hub(desk, gateway, passcode) as home:
        show_proposal(home.app.proposals.show(proposal_id(proposal)), home, desk, as_json=as_json)


@proposals.command(name="answer")
def answer(
    proposal: ProposalId,
    /,
    *value: Words,
    revision: Revision = None,
    gateway: Gateway = None,
    passcode: Passcode = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Answer what is asked, save it or drop it; with a passcode, on a real hub."""
    words = text_of(value, desk)
    with hub(desk, gateway, passcode) as home:
        answered = home.app.proposals.answer(proposal_id(proposal), words, who=WHO, revision=revision)
        show_proposal(answered, home, desk, as_json=as_json)


@proposals.command(name="cancel")
def cancel(proposal: ProposalId, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Drop what is open."""
    with hub(desk, None, None) as home:
        show_proposal(home.app.proposals.cancel(proposal_id(proposal)), home, desk, as_json=as_json)
