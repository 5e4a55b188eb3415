"""What programs get of a draft of a document task, and what a person reads of it. Pure."""

from __future__ import annotations

from zhixing.documents.drafted import PREFIX
from zhixing.documents.drafts import DraftView
from zhixing.documents.writing import write_definition
from zhixing.faces.document_wire import of_document
from zhixing.faces.ids import needed_id, read_id
from zhixing.faces.wire import Wire, of_question
from zhixing.kernel.moments import iso
from zhixing.kernel.moments import zone as find_zone
from zhixing.tasks.task import Way


def is_draft(written: str) -> bool:
    """Whether a person means a draft (d12)."""
    return read_id(written, PREFIX) is not None


def draft_id(written: str) -> str:
    """Return the id that a person means by `d12` or `D12`; raise `NotFound` where it is none."""
    return needed_id(written, PREFIX, "draft_unknown")


def of_draft(view: DraftView) -> Wire:
    """Write a draft: `lines` is what is shown, `text` of `taskMd` the file that would be saved."""
    row = view.row
    return {
        "id": row.id,
        "way": Way.DOCUMENT.value,
        "text": row.text,
        "state": row.state.value,
        "revision": row.revision,
        "zone": row.zone,
        "saidAt": iso(row.said_at, find_zone(row.zone)),
        "sessionId": row.session_id,
        "lines": list(view.lines),
        "taskMd": None if view.draft is None else write_definition(view.draft.definition),
        "tips": [] if view.draft is None else list(view.draft.tips),
        "question": None if view.question is None else of_question(view.question),
        "document": None if view.task is None else of_document(view.task),
    }
