"""What a reported result means, and what makes it the same report (§2.6)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zhixing.goals.loop.events import BbsResult, Report
from zhixing.goals.loop.limits import LONGEST_LATE, MOST_GAPS
from zhixing.goals.loop.outputs import kept
from zhixing.goals.loop.values import ExecError

_PASSED = {"PASS", "DONE", "SUCCESS"}
_FAILED = {"FAIL", "FAILED"}


@dataclass(frozen=True, slots=True)
class Passed:
    """The executor holds every criterion met."""

    output: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Failed:
    """Something is missing."""

    output: Mapping[str, Any]
    gaps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """There is no result: the execution went wrong, or what came is none. Never a PASS."""

    error: str


Result = Passed | Failed | Broken


def result_of(report: Report) -> Result:
    """Return what a report means. An error wins over a success; only a JSON boolean is a success or its absence."""
    if report.exec_error:
        return Broken(_text(report.exec_error))
    success = _success(report)
    if success is None:
        return Broken(ExecError.TERMINAL_RESULT_INVALID)
    if success:
        return Passed(kept(report.data))
    gaps = gaps_of(report.gaps)
    if not gaps and isinstance(report.fail_detail, str) and report.fail_detail.strip():
        gaps = (report.fail_detail,)
    return Failed(kept(report.data), gaps) if gaps else Broken(ExecError.TERMINAL_RESULT_INVALID)


def gaps_of(given: object) -> tuple[str, ...]:
    """Return the gaps that say something."""
    if not isinstance(given, list | tuple):
        return ()
    return tuple(each for each in given if isinstance(each, str) and each.strip())[:MOST_GAPS]


def _success(report: Report) -> bool | None:
    """Return the claim of a report, None when there is none or two that differ."""
    by_verdict = verdict_of(report.verdict) if isinstance(report.verdict, str) else None
    if report.success is None:
        return by_verdict
    if not isinstance(report.success, bool) or by_verdict not in {None, report.success}:
        return None
    return report.success


def verdict_of(word: str) -> bool | None:
    """Return what a verdict says, old and new words alike; None for others."""
    return True if word.upper() in _PASSED else False if word.upper() in _FAILED else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


def content_of(report: Report) -> dict[str, Any]:
    """Return what a report says, for keeping and comparing."""
    said = {
        "success": report.success,
        "data": report.data,
        "gaps": report.gaps,
        "fail_detail": report.fail_detail,
        "exec_error": report.exec_error,
        "verdict": report.verdict,
    }
    return {key: value for key, value in said.items() if value is not None}


def shortened(content: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a late result says as a node keeps it: of a long one the beginning of its text."""
    text = json.dumps(content, ensure_ascii=False, default=str)
    return content if len(text) <= LONGEST_LATE else {"beginning": text[:LONGEST_LATE]}


def without_content(event: Report | BbsResult) -> Report | BbsResult:
    """Return who reports about what, without what is said."""
    if isinstance(event, Report):
        return Report(event.node, attempt=event.attempt, by=event.by, kind=event.kind)
    return BbsResult(event.bot, event.node, "")


def digest_of(subject: str, disposition: str, attempt: int, content: Mapping[str, Any]) -> str:
    """Return what makes two messages the same, whatever the order of their keys."""
    canonical = json.dumps([subject, disposition, attempt, content], ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()[:32]
