"""Which project a command means, and which of its tasks."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zhixing.documents import files
from zhixing.documents.operations import Documents
from zhixing.kernel.errors import NotFound

_NEAREST = 3
_LONGEST = 64


def project_to_change(documents: Documents, folder: Path | None) -> Path:
    """Return the project that is meant, None being the home's own; it has a folder of tasks afterwards."""
    return documents.project(folder)


def project_to_read(documents: Documents, folder: Path | None) -> Path:
    """Return the project that is meant; nothing is made, and nothing that is in it begins to count."""
    return documents.project(None) if folder is None else files.project_of(folder)


def project_here(wanted: str | None) -> Path | None:
    """Return the folder that was asked for, else the present one if it has tasks; None means the home's own."""
    if wanted is not None:
        return Path(wanted)
    return Path() if files.tasks_folder(Path()).is_dir() else None


@contextmanager
def titled(documents: Documents, project: Path, title: str) -> Iterator[None]:
    """Name the nearest titles where nothing has that title."""
    try:
        yield
    except NotFound as error:
        if error.key != "document_unknown":
            raise
        raise unknown_title(documents, project, title) from error


def unknown_title(documents: Documents, project: Path, title: str) -> NotFound:
    """Return the error for a title that nothing has, naming the nearest ones and where was looked."""
    known: dict[str, str] = {}
    for view in documents.tasks_of(project):
        known.setdefault(_plain(view.title), view.title)
    close = difflib.get_close_matches(_plain(title), known, n=_NEAREST, cutoff=0.5)
    if close:
        names = "、".join(f"「{known[name]}」" for name in close)
        return NotFound("city_title_near", title=title[:_LONGEST], nearest=names)
    return NotFound("city_title_unknown", title=title[:_LONGEST], project=project)


def _plain(title: str) -> str:
    return " ".join(title[:_LONGEST].replace("-", " ").replace("_", " ").casefold().split())
