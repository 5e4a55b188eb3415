"""The fixed answer of a leaf, and what scripted executors report (taskloop §5.5). Only the slot of an answer varies."""

from __future__ import annotations

import re
from typing import Any

from zhixing.goals.contracts.shapes import spread
from zhixing.goals.overlays.model import Overlay, Slot
from zhixing.goals.overlays.signals import LONGEST

LONGEST_WORD = 20
"""Characters of what stands in a slot."""


def answer(overlay: Overlay, instruction: str) -> str | None:
    """Return the answer to a leaf: one fenced JSON block and nothing else.

    None when the scenario has no answer, or the instruction does not hold its signal.
    """
    mock = overlay.answer
    text = instruction[:LONGEST]
    if mock is None or not any(each in text for each in overlay.keywords):
        return None
    reply: Any = mock.reply
    if mock.slot is not None:
        reply = _filled(reply, f"{{{mock.slot.name}}}", _word(mock.slot, text))
    return f"```json\n{spread(reply)}\n```"


def result(overlay: Overlay, node_id: str) -> str | None:
    """Return what a scripted executor of a node ends its run with; None when the scenario does not say."""
    return overlay.example.results.get(node_id)


def _word(slot: Slot, text: str) -> str:
    """Return what was asked about: one word without spaces and signs between the marks, or one that is known."""
    between = rf"{re.escape(slot.after)}的?(\w{{1,{LONGEST_WORD}}}?){re.escape(slot.before)}"
    found = re.search(between, text)
    if found is not None:
        return found[1]
    return next((each for each in slot.known if each in text), slot.default)


def _filled(value: Any, mark: str, word: str) -> Any:
    if isinstance(value, str):
        return value.replace(mark, word)
    if isinstance(value, list):
        return [_filled(each, mark, word) for each in value]
    if isinstance(value, dict):
        return {key: _filled(each, mark, word) for key, each in value.items()}
    return value
