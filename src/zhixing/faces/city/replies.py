"""What is answered about a task that was changed: all that one has to see to notice a mistake."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from zhixing.documents.operations import DocumentView
from zhixing.documents.when import run_line, when_words, write_when
from zhixing.faces.city.here import Answer, Project, Wire
from zhixing.faces.document_access import remarks
from zhixing.faces.document_wire import of_findings
from zhixing.faces.document_words import finding_line, task_lines
from zhixing.kernel.moments import iso
from zhixing.kernel.moments import zone as find_zone


def changed(project: Project, view: DocumentView, message: str, **more: object) -> Answer:
    """Answer with a task as it is now: when it runs next, and what is worth a warning."""
    found = remarks(project.documents, view)
    notes = project.house.document_notes() if view.next_runs else []
    data: Wire = {
        "success": True,
        "title": view.title,
        "message": message,
        "taskMdPath": str(view.file),
        **more,
        "taskId": view.task_id,
        "revision": view.revision,
        **scheduled(view, view.next_runs),
        "warnings": of_findings(found),
        "notes": notes,
    }
    lines = [message, *task_lines(view), *map(finding_line, found), *notes]
    return Answer(data, lines)


def scheduled(view: DocumentView, instants: Sequence[datetime]) -> Wire:
    """Write whether and when a task runs, and these next instants."""
    definition, zone = view.definition, find_zone(view.zone)
    return {
        "status": None if definition is None else definition.status.value,
        "when": None if definition is None else write_when(definition.when),
        "whenWords": None if definition is None else when_words(definition.when),
        "zone": view.zone,
        "nextRuns": [iso(at, zone) for at in instants],
        "nextRunsWords": [run_line(at) for at in instants],
    }
