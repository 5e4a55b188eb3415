"""What was read in a notice, as programs get it: the candidate of document 004 §3, whoever read it. Pure.

A notice that is one matter has its members at the root, as clients of every protocol read them; one whose matters the
user has not chosen among yet has `items`. All of it was verified; what nobody has read yet has no candidate.
"""

from __future__ import annotations

from typing import Any

from zhixing.notices.model import Candidate, CandidateNode, Entry, Node, NodeKind, Source
from zhixing.notices.notice import Notice, NoticeState
from zhixing.notices.protocol import VERSION, Rejected, Reply, downgrade, read_reply
from zhixing.notices.replies import chosen_items, read_candidates
from zhixing.notices.spoken import read_submission

_UNREAD = frozenset((NoticeState.RECEIVED, NoticeState.NOTE, NoticeState.PENDING_AI))


def candidate_of(notice: Notice, client_protocol: int) -> dict[str, Any] | None:
    """Return what was read of the current words, for a client of that protocol; None where nothing was."""
    found = _candidate(notice)
    return None if found is None else downgrade(found, client_protocol)


def _candidate(notice: Notice) -> dict[str, Any] | None:
    if notice.reply is not None:
        return _of_reply(notice, notice.reply)
    words = notice.current
    if notice.state in _UNREAD or words.entry is Entry.NOTE or words.source in (Source.IMAGE, Source.QUOTE):
        return None
    read = read_submission(words)
    if isinstance(read, Candidate):
        return {"version": VERSION, **_matter(read)}
    return _of_series(notice)


def _of_reply(notice: Notice, reply: str) -> dict[str, Any] | None:
    found = read_candidates(notice.current, reply)
    if isinstance(found, Rejected) or not found:
        return None
    root: dict[str, Any] = {"version": VERSION}
    if notice.current.source is Source.IMAGE:
        said = read_reply(reply)
        root["transcript"] = said.transcript if isinstance(said, Reply) else None
    chosen = chosen_items(found, notice.answers) if notice.item is None else (notice.item,)
    if len(found) == 1 or chosen:
        return {**root, **_matter(found[chosen[0] if chosen else 0])}
    return {**root, "items": [_matter(one) for one in found]}


def _of_series(notice: Notice) -> dict[str, Any] | None:
    """Return the rule that the grammar for what repeats read; the words of a model are a reply."""
    known = notice.understood
    if known is None or not any(node.kind is NodeKind.REPEAT for node in known.nodes):
        return None
    return {
        "version": VERSION,
        "title": known.title,
        "action": known.action,
        "evidence": known.evidence,
        "details": list(known.details),
        "nodes": [_node(node) for node in known.nodes],
        "ambiguities": [],
    }


def _matter(candidate: Candidate) -> dict[str, Any]:
    return {
        "title": candidate.title,
        "action": candidate.action,
        "evidence": candidate.evidence,
        "details": list(candidate.details),
        "nodes": [_node(node) for node in candidate.nodes],
        "ambiguities": [{"about": doubt} for doubt in candidate.doubts],
    }


def _node(node: CandidateNode | Node) -> dict[str, Any]:
    return {
        "kind": node.kind.value,
        "expression": node.expression,
        "evidence": node.evidence,
        "leadMinutes": node.lead_minutes,
        "leadEvidence": node.lead_evidence,
    }
