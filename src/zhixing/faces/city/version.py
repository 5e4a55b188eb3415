"""version: which one this is."""

from __future__ import annotations

from importlib import metadata

from zhixing.faces.city.here import Answer, AtHere


def version(*, here: AtHere) -> Answer:  # noqa: ARG001 - every command has one
    """Return the version."""
    number = metadata.version("zhixing")
    return Answer({"version": number}, [f"zhixing {number}"])
