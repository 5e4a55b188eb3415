"""version: which one this is."""

from __future__ import annotations

from importlib import metadata

from zhixing.faces.cli.options import AtDesk
from zhixing.faces.miloco.envelope import Wire


def version(*, desk: AtDesk) -> Wire:  # noqa: ARG001 - every command has one
    """Return the version."""
    return {"version": metadata.version("zhixing")}
