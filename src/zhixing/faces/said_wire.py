"""What programs get of a sentence, whatever it became."""

from __future__ import annotations

from zhixing.documents.drafts import DraftView
from zhixing.faces.draft_wire import of_draft
from zhixing.faces.talk_wire import of_talk
from zhixing.faces.wire import Wire, of_notice
from zhixing.household.talking.talk import Talk
from zhixing.notices.notice import Notice


def of_said(said: Notice | Talk | DraftView) -> Wire:
    """Write it as what it is; `way` says which."""
    match said:
        case Talk():
            return of_talk(said)
        case DraftView():
            return of_draft(said)
        case _:
            return of_notice(said)


def id_of(said: Notice | Talk | DraftView) -> str:
    """Return the id by which it goes on: of the draft, the talk or the task."""
    match said:
        case Talk():
            return said.id
        case DraftView():
            return said.row.id
        case _:
            return said.task.id
