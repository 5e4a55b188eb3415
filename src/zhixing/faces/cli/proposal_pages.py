"""What a person reads at the command line about a sentence on its way to a rule of the hub."""

from __future__ import annotations

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import House
from zhixing.faces.cli.pages import INDENT, NOTHING
from zhixing.faces.proposal_wire import of_proposal
from zhixing.faces.rule_words import single_line
from zhixing.faces.talk_wire import shown_options
from zhixing.graphs.proposals.operations import ProposalView
from zhixing.graphs.proposals.proposed import ProposalState
from zhixing.kernel.wording import wording


def proposal_page(view: ProposalView) -> list[str]:
    """Say what would be saved and what is asked, or what became of it."""
    row, question = view.row, view.question
    lines = [f"{row.id}  {single_line(row.text)}", *(INDENT + line for line in view.lines)]
    if question is not None:
        if view.composed is None:
            lines += [f"{INDENT}{INDENT}{letter}. {label}" for letter, label in shown_options(question)]
        key = "answer_how" if question.options else "answer_how_words"
        lines.append(INDENT + wording(f"proposals.{key}", id=row.id))
    if row.state is ProposalState.PENDING_AI:
        lines.append(INDENT + wording("proposals.look_again", id=row.id))
    if row.task_id is not None:
        lines.append(INDENT + wording("proposals.saved_task", id=row.task_id))
    return lines


def proposal_row(view: ProposalView) -> list[str]:
    """Return the row of a proposal in a list: id, state, its task, its words."""
    row = view.row
    state = wording(f"proposals.state_{row.state.value}")
    return [row.id, state, row.task_id or NOTHING, single_line(row.text)]


def show_proposal(view: ProposalView, home: House, desk: Desk, *, as_json: bool) -> None:
    """Print it; where a rule was made or a model is waited for, with what its user has to know about this home."""
    lines = proposal_page(view)
    if view.row.state in (ProposalState.SAVED, ProposalState.PENDING_AI):
        lines.extend(home.graph_notes())
    desk.answer(of_proposal(view), lines, as_json=as_json)
