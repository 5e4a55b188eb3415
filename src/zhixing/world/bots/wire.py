"""The words of our own protocol between this program and a bot that speaks HTTP (docs/goal-bots.md): pure."""

from __future__ import annotations

import json
import math
from typing import Any

import msgspec

from zhixing.world.bots.hearing import LONGEST_ID, is_id, plain, said
from zhixing.world.bots.port import COMPLETED, FAILED, Errand, Receipt, Said, Unclear

MOST_TOKENS = 10**12
MOST_COST = 1e12


def request_of(errand: Errand) -> bytes:
    """Return the body that hands over an errand."""
    return msgspec.json.encode(
        {
            "key": plain(errand.key),
            "loop_task_id": plain(errand.loop_task_id),
            "attempt": errand.attempt,
            "text": plain(errand.text),
        }
    )


def read_object(body: bytes) -> dict[str, Any]:
    """Return the JSON object of an answer; raises `Unclear` for anything else, which some gateway may have said."""
    try:
        # Halves of characters are let in here: programs cut texts in the middle of them.
        value = json.loads(body)
    except (ValueError, RecursionError):
        raise Unclear("answer_broken") from None
    if not isinstance(value, dict):
        raise Unclear("answer_broken")
    return value


def read_receipt(value: dict[str, Any]) -> Receipt:
    """Return where an errand runs; raises `Unclear` when that is not said."""
    run_id, session_id = value.get("run_id"), value.get("session_id") or ""
    if not isinstance(run_id, str) or not is_id(run_id) or not isinstance(session_id, str):
        raise Unclear("answer_broken")
    return Receipt(run_id, session_id if is_id(session_id) and len(session_id) <= LONGEST_ID else "")


def read_said(value: dict[str, Any]) -> Said:
    """Return what an errand came to; raises `Unclear` when that is not said in the right words.

    A `content` may be missing where the run has failed; who names an error and no status has failed.
    """
    error = value.get("error")
    run_status = value.get("run_status", FAILED if error else COMPLETED)
    content = value.get("content", "" if run_status == FAILED else None)
    usage = value.get("usage")
    usage = {} if usage is None else usage
    error = "" if error is None else error
    if (
        run_status not in (COMPLETED, FAILED)
        or not isinstance(content, str)
        or not isinstance(error, str)
        or not isinstance(usage, dict)
    ):
        raise Unclear("answer_broken")
    return said(content, run_status, error, _tokens(usage.get("tokens", 0)), _cost(usage.get("cost", 0)))


def _tokens(given: object) -> int:
    if not isinstance(given, int) or isinstance(given, bool) or not 0 <= given <= MOST_TOKENS:
        raise Unclear("answer_broken")
    return given


def _cost(given: object) -> float:
    if not isinstance(given, int | float) or isinstance(given, bool):
        raise Unclear("answer_broken")
    if not 0 <= given <= MOST_COST or not math.isfinite(given):
        raise Unclear("answer_broken")
    return float(given)
