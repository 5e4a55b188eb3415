"""task update, status, enable, disable: a task is changed; what is not named stays as it is written."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from zhixing.documents.model import Standing
from zhixing.documents.operations import Change
from zhixing.documents.reading import LEGACY
from zhixing.documents.when import MANUAL
from zhixing.documents.yamlblock import Value
from zhixing.faces.city.fields import (
    UNSAID,
    Extras,
    Flag,
    Maybe,
    MaybeKind,
    MaybeStatus,
    SessionId,
    StatusOf,
    Title,
    Truth,
    body_of,
    description_of,
    fields_of,
    plain,
    session_of,
    standing_of,
    title_of,
    when_of,
)
from zhixing.faces.city.here import Answer, AtHere, Here, changing
from zhixing.faces.city.replies import changed
from zhixing.faces.cli.desk import WHO
from zhixing.faces.cli.projects import titled
from zhixing.faces.cli.usage import Usage
from zhixing.kernel.wording import wording

NewTitle = Annotated[str | None, Parameter(name="--title", negative=())]


def update(
    title: Title,
    /,
    *,
    title_next: NewTitle = None,
    description: Maybe = None,
    session_id: SessionId = None,
    when: Maybe = None,
    clear_when: Flag = False,
    kind: MaybeKind = None,
    review: Truth = None,
    status: MaybeStatus = None,
    activate: Flag = False,
    body: Maybe = None,
    body_file: Maybe = None,
    clear_body: Flag = False,
    revision: Maybe = None,
    extras: Extras = UNSAID,
    here: AtHere,
) -> Answer:
    """Change a task."""
    if when is not None and clear_when:
        raise Usage("city_both", first="--when", second="--clear-when")
    if clear_body and (body is not None or body_file is not None):
        raise Usage("city_both", first="--body", second="--clear-body")
    standing = standing_of(status, activate=activate)
    given = {
        "title": None if title_next is None else title_of(title_next),
        "description": None if description is None else description_of(description),
        "sessionId": None if session_id is None else session_of(session_id, here),
        "when": MANUAL if clear_when else None if when is None else when_of(when),
        "kind": kind,
        "review": None if review is None else "true" if review else "false",
        "status": None if standing is None else standing.value,
    }
    fields: dict[str, Value | None] = {name: value for name, value in given.items() if value is not None}
    fields |= fields_of(extras)
    if "when" in fields:
        fields |= dict.fromkeys(LEGACY)
    text = "" if clear_body else body_of(body, body_file, here)
    if not fields and text is None:
        raise Usage("city_nothing_to_change")
    return _change(here, title, Change(fields, text), revision)


def status(title: Title, status_: Annotated[StatusOf, Parameter(name="STATUS")], /, *, here: AtHere) -> Answer:
    """Enable, pause or disable a task."""
    return _change(here, title, Change({"status": status_}))


def enable(title: Title, /, *, here: AtHere) -> Answer:
    """Have a task scheduled."""
    return _change(here, title, Change({"status": Standing.ENABLED.value}))


def disable(title: Title, /, *, here: AtHere) -> Answer:
    """Have a task not scheduled any more."""
    return _change(here, title, Change({"status": Standing.DISABLED.value}))


def _change(here: Here, written: str, change: Change, revision: str | None = None) -> Answer:
    title = plain(written)
    with changing(here) as project, titled(project.documents, project.path, title):
        before = project.documents.get(project.path, title)
        after = project.documents.update(project.path, title, change, who=WHO, revision=revision)
        same = before.revision == after.revision
        message = wording("city.unchanged" if same else "city.updated", title=after.title)
        return changed(project, after, message, changed=not same)
