"""Replies of a model, as tests write them."""

from __future__ import annotations

from typing import Any


def node(kind: str, expression: str, evidence: str) -> dict[str, Any]:
    return {"kind": kind, "expression": expression, "evidence": evidence, "leadMinutes": None, "leadEvidence": None}


def item(evidence: str, *nodes: dict[str, Any], title: str = "开会", sent_on: str | None = None) -> dict[str, Any]:
    return {
        "nodes": list(nodes),
        "title": title,
        "action": "",
        "evidence": evidence,
        "details": [],
        "ambiguities": [],
        "speaker": "other",
        "sentOn": sent_on,
    }


def reply(transcript: str | None, *items: dict[str, Any]) -> dict[str, Any]:
    return {"version": 1, "transcript": transcript, "items": list(items)}
