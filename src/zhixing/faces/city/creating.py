"""task create."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from zhixing.documents.model import Definition, Standing
from zhixing.documents.when import MANUAL, read_when
from zhixing.faces.city.fields import (
    UNSAID,
    Extras,
    Flag,
    Maybe,
    MaybeKind,
    MaybeStatus,
    SessionId,
    Text,
    Truth,
    body_of,
    description_of,
    kind_of,
    named,
    session_of,
    standing_of,
    title_of,
    values_of,
)
from zhixing.faces.city.here import Answer, AtHere, changing
from zhixing.faces.city.replies import changed
from zhixing.faces.cli.desk import WHO
from zhixing.kernel.wording import wording

When = Annotated[str, Parameter(negative=())]


def create(
    *,
    title: Text,
    description: Text,
    session_id: SessionId = None,
    when: When = MANUAL,
    kind: MaybeKind = None,
    review: Truth = None,
    status: MaybeStatus = None,
    activate: Flag = False,
    body: Maybe = None,
    body_file: Maybe = None,
    overwrite: Flag = False,
    extras: Extras = UNSAID,
    here: AtHere,
) -> Answer:
    """Make a task; one of exactly that title stays as it is unless it is to be overwritten."""
    wanted = Definition(
        title=title_of(title),
        description=description_of(description),
        when=named("--when", read_when, when),
        session_id=session_of(session_id, here),
        body=body_of(body, body_file, here) or "",
        status=standing_of(status, activate=activate) or Standing.ENABLED,
        kind=kind_of(kind),
        review=bool(review),
        **values_of(extras),
    )
    with changing(here) as project:
        made = project.documents.create(project.path, wanted, who=WHO, overwrite=overwrite)
        key = "reused" if made.reused else "created"
        message = wording(f"city.{key}", title=made.view.title)
        return changed(project, made.view, message, reusedExisting=made.reused)
