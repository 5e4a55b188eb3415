"""What the system says, in words."""

from __future__ import annotations


def why(error: OSError) -> str:
    """Say in words why the system refused."""
    from zhixing.settings import place  # noqa: PLC0415 - reads all settings code, and is seldom needed

    return place.why(error)
