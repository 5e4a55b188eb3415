"""Findings about rule graphs as JSON, under the names that the published validators use (mijia §2)."""

from __future__ import annotations

from typing import Any

from zhixing.graphs.checks.finding import Finding, Verdict

Wire = dict[str, Any]


def of_verdict(verdict: Verdict) -> Wire:
    """Write what a validator found; `warnings` holds hints, too."""
    return {
        "valid": verdict.valid,
        "errors": [of_finding(each) for each in verdict.errors],
        "warnings": [of_finding(each) for each in verdict.warnings],
        "errorCount": len(verdict.errors),
        "warningCount": len(verdict.warnings),
    }


def of_finding(finding: Finding) -> Wire:
    """Write a finding; `fixes` are changes inside the node that settle it."""
    return {
        "nodeId": finding.node,
        "type": finding.code,
        "level": finding.level.value,
        "message": finding.text(),
        "fixes": [{"path": list(fix.path), "value": fix.value} for fix in finding.fixes],
    }
