"""What a bot says, as it may be kept: within bounds, without NUL and halves of characters."""

from __future__ import annotations

from zhixing.world.bots.port import COMPLETED, FAILED, Said

LONGEST_CONTENT = 200_000
"""Characters of an answer; the readers of answers look no further."""
LONGEST_ERROR = 500
LONGEST_ID = 200
"""Characters of the number of a run."""


def plain(text: str) -> str:
    """Return a text that every store takes: halves of characters become `?`, NUL becomes `�`."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def said(content: str, run_status: str = COMPLETED, error: str = "", tokens: int = 0, cost: float = 0.0) -> Said:
    """Return what a bot said. What is too long has failed: a part of an answer is none."""
    if len(content) > LONGEST_CONTENT:
        run_status, error = FAILED, error or "answer_large"
    return Said(plain(content[:LONGEST_CONTENT]), run_status, plain(error[:LONGEST_ERROR]), tokens, cost)


def failed(reason: str, content: str = "") -> Said:
    """Return that a bot has failed, and what it said before."""
    return said(content, FAILED, reason)


def is_id(given: object) -> bool:
    """Whether something can be the number of a run."""
    return isinstance(given, str) and 0 < len(given) <= LONGEST_ID and given.isprintable()
