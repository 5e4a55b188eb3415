"""Which scenario a text belongs to: what arrived decides, never who received it (taskloop §0.3).

A framework header comes before everything a person may write, and a leaf's own content last. A message that belongs
to the trunk alone is no scenario's, whatever words are in it; only a relay message is answered with the content of a
scenario, while the trunk does the rest of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from zhixing.goals.contracts import bidding, planning, searching
from zhixing.goals.overlays.model import Overlay

LONGEST = 500_000
"""Characters of a text in which signals are looked for."""
_TASK, _RESUME, _PANEL, _GROUP = "/task", "[RESUME_TASK]", "<AixUI", "[task-loop]"
_RELAY = f"skill={bidding.SKILL}"


class Part(Enum):
    """What a text asks a scenario for."""

    PLANNING = "planning"
    SEARCHING = "searching"
    ANSWER = "answer"


def part_of(text: str) -> Part | None:
    """Return what a text would ask a scenario for; None when it is the trunk's own (§0.3: 5 > 7, 2, 3 > 4 > 1 > 6)."""
    text = text[:LONGEST].strip()
    if text.startswith(planning.HEADERS):
        return Part.PLANNING
    if text.startswith(searching.HEADERS):
        return Part.SEARCHING
    if _RELAY in text.splitlines():
        return Part.ANSWER
    own = text.startswith((bidding.HEADER, _GROUP, _TASK, _PANEL)) or _RESUME in text
    return None if own or not text else Part.ANSWER


def signals(text: str, overlays: Sequence[Overlay]) -> Overlay | None:
    """Return the scenario whose signal is in a text and that has the part asked for; the first of several."""
    part = part_of(text)
    if part is None:
        return None
    looked_at = text[:LONGEST]
    named = (each for each in overlays if any(word in looked_at for word in each.keywords))
    return next((each for each in named if _has(each, part)), None)


def _has(overlay: Overlay, part: Part) -> bool:
    parts = {Part.PLANNING: overlay.planning, Part.SEARCHING: overlay.searching, Part.ANSWER: overlay.answer}
    return parts[part] is not None
