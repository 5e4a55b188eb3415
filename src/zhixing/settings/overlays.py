"""The scenarios that the settings name."""

from __future__ import annotations

from collections.abc import Sequence

from zhixing.goals.overlays.folders import load_overlays
from zhixing.goals.overlays.model import Overlay
from zhixing.kernel.errors import ZhixingError


def overlays_of(names: Sequence[str]) -> tuple[tuple[Overlay, ...], ZhixingError | None]:
    """Return the scenarios, or none of them and what is wrong with the first that cannot be used."""
    try:
        return load_overlays(names), None
    except ZhixingError as fault:
        return (), fault
