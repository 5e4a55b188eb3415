"""What a person reads at the command line about a draft of a document task."""

from __future__ import annotations

from zhixing.documents.drafted import DraftState
from zhixing.documents.drafts import DraftView
from zhixing.documents.when import run_line
from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import House
from zhixing.faces.cli.pages import INDENT
from zhixing.faces.draft_wire import of_draft
from zhixing.faces.talk_wire import shown_options
from zhixing.kernel.wording import wording


def draft_page(view: DraftView) -> list[str]:
    """Say what would be saved and what is asked, or what became of it."""
    lines = [f"{view.row.id}  {view.row.text}"]
    lines += [INDENT + line for text in view.lines for line in text.splitlines()]
    if view.question is not None:
        lines += [f"{INDENT}{INDENT}{letter}. {label}" for letter, label in shown_options(view.question)]
        lines.append(INDENT + wording("documents.answer_how", id=view.row.id))
    if view.task is not None:
        lines.append(INDENT + wording("documents.saved_where", file=view.task.file))
        lines += [INDENT + wording("documents.saved_next", at=run_line(at)) for at in view.task.next_runs[:1]]
    return lines


def draft_row(view: DraftView) -> list[str]:
    """Return the row of a draft in a list: id, state, its words."""
    return [view.row.id, wording(f"documents.draft_state_{view.row.state.value}"), view.row.text]


def show_draft(view: DraftView, home: House, desk: Desk, *, as_json: bool) -> None:
    """Print it; where a task was made, with what its user has to know about this home."""
    lines = draft_page(view)
    if view.row.state is DraftState.SAVED:
        lines.extend(home.document_notes())
    desk.answer(of_draft(view), lines, as_json=as_json)
