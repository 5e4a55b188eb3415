"""version: which one this is."""

from __future__ import annotations

import platform
import sqlite3
from importlib import metadata

from zhixing.faces.cli.options import AtDesk, Json
from zhixing.kernel.wording import wording


def version(*, as_json: Json = False, desk: AtDesk) -> None:
    """Print the version."""
    found = {
        "zhixing": metadata.version("zhixing"),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
    }
    desk.answer(found, [wording("cli.version", **found)], as_json=as_json)
