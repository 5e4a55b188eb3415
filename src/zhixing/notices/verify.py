"""Whether a reply may be believed: every piece of it against the words it rests on (document 004 §3).

`verify` is pure and has three answers for each piece. What contradicts the source, or is not in it, makes the whole
reply `Rejected`, so that the model may repair it. What the words decide differently is decided by the words: a reminder
called a start, a time that was changed (a detail), one that is off (unknown), a lead that was left out. A summary that
says more or less than its evidence is replaced by the evidence. Times are never taken from a reply: it points at
expressions, and our lexer reads them where they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import timedelta

import msgspec
from msgspec.structs import replace

from zhixing.kernel.moments import zone as find_zone
from zhixing.language.cues import Cue, find_cues
from zhixing.language.timex import NO_HOUR, ClockStyle, ClockWords, Lead, Span, TimeExpression
from zhixing.notices.ground import Ground
from zhixing.notices.messages import Message, Messages
from zhixing.notices.model import (
    LONGEST_LEAD,
    UNTIMED,
    Candidate,
    CandidateNode,
    NodeKind,
    Source,
    Submission,
)
from zhixing.notices.protocol import PROTOCOL, Fault, Rejected, Reply, WireItem, WireNode
from zhixing.notices.roles import TIMED, TOLD, Roles, Standing
from zhixing.notices.summaries import summary
from zhixing.notices.targets import target

_BLANK = TimeExpression((0, 0))
_ABOUT_A_TIME = TimeExpression((0, 0), clock=ClockWords(NO_HOUR, 0, ClockStyle.SPOKEN))
_CLOCK_WORDS = re.compile(r"[点时:]|[上下]午|早|晚")
LONGEST_TRANSCRIPT = 20_000


class _Found(msgspec.Struct, frozen=True):
    """A node where it stands: `index` is its time in the ground, None where our lexer cannot read one."""

    kind: NodeKind
    span: Span
    evidence: Span
    index: int | None
    doubt: str = ""
    lead: tuple[Lead, Span] | None = None
    dropped: bool = False
    """Not a time of the user's: it becomes a detail."""


class _Fault(Exception):
    def __init__(self, why: Fault, place: str = "") -> None:
        super().__init__(why)
        self.rejected = Rejected(why, place)


def verify(reply: Reply, submission: Submission, client_protocol: int = PROTOCOL) -> tuple[Candidate, ...] | Rejected:
    """Return what of `reply` stands in the source, one candidate an item; or why none of it counts.

    The source is the submitted text, and for an image the transcript of the same reply: that the transcript is what the
    image says cannot be verified. A client of protocol 1 keeps its old reading: no leads, and starts are starts.
    """
    text = submission.text
    if submission.source is Source.IMAGE:
        text = reply.transcript or ""
        if not text.strip() or len(text) > LONGEST_TRANSCRIPT:
            return Rejected(Fault.TRANSCRIPT, "transcript")
    verifier = _Verifier(Ground(text), submission, client_protocol)
    try:
        return tuple(verifier.item(item, f"items[{index}]") for index, item in enumerate(reply.items))
    except _Fault as fault:
        return fault.rejected


class _Verifier:
    def __init__(self, ground: Ground, submission: Submission, protocol: int) -> None:
        self._ground = ground
        self._roles = Roles(ground)
        self._leads = [(target(ground, self._roles, *lead), lead) for lead in ground.leads]
        self._messages = Messages(ground, submission)
        self._older = protocol < PROTOCOL
        self._foreign_clock = _other_clock(ground.plain, submission)

    def item(self, item: WireItem, place: str) -> Candidate:
        """Verify one item."""
        evidence = self._quote(item.evidence, f"{place}.evidence") if item.evidence.strip() else None
        if evidence is None and item.action.strip():
            # An action without evidence is its own.
            evidence = self._quote(item.action, f"{place}.action")
        details = [
            self._quote(detail, f"{place}.details[{i}]") for i, detail in enumerate(item.details) if detail.strip()
        ]
        if (item.sent_on or "").strip():
            self._quote(item.sent_on or "", f"{place}.sentOn")
        message = self._messages.of(item)
        found = [self._node(node, f"{place}.nodes[{i}]") for i, node in enumerate(item.nodes)]
        for index, one in enumerate(found):
            if one.index is not None and message.is_heading(one.index):
                raise _Fault(Fault.KIND, f"{place}.nodes[{index}].kind")
        dropped = [one for one in found if one.dropped]
        kept = sorted((one for one in found if not one.dropped), key=lambda one: (one.span, one.kind))
        if any(self._superseded(one) for one in dropped) and not any(one.kind in TIMED for one in kept):
            raise _Fault(Fault.SUPERSEDED, f"{place}.nodes")
        _only_once(kept, place)
        kept = self._with_leads(kept)
        if evidence is None:
            evidence = next((one.evidence for one in (*kept, *found)), (0, len(self._ground.text)))
        unsure = _unsure(item, self._ground)
        nodes = tuple(self._candidate_node(one, kept, message, unsure) for one in kept)
        title, action = summary(item.title, item.action, self._ground, evidence)
        doubts = [one.about for one in item.ambiguities if one.about != "time"] + [
            one.doubt for one in kept if one.doubt
        ]
        lines = [self._ground.words(span).strip() for span in (*details, *(one.evidence for one in dropped))]
        return Candidate(
            title,
            action,
            self._ground.words(evidence).strip(),
            tuple(dict.fromkeys(lines)),
            tuple(dict.fromkeys(nodes)),
            tuple(dict.fromkeys(doubts)),
        )

    def _quote(self, quote: str, place: str) -> Span:
        span = next(self._ground.places(quote), None)
        if span is None:
            raise _Fault(Fault.EVIDENCE, place)
        return span

    # One node.

    def _node(self, node: WireNode, place: str) -> _Found:
        """Return the node at the first of its places at which the words agree with it."""
        self._quote(node.evidence, f"{place}.evidence")
        fault: _Fault | None = None
        for evidence in self._ground.places(node.evidence):
            for span in self._ground.places(node.expression, evidence):
                try:
                    return self._placed(node, self._trimmed(span), evidence, place)
                except _Fault as found:
                    fault = fault or found
        raise fault or _Fault(Fault.EXPRESSION, f"{place}.expression")

    def _trimmed(self, span: Span) -> Span:
        words = self._ground.words(span)
        return span[0] + len(words) - len(words.lstrip()), span[1] - len(words) + len(words.rstrip())

    def _placed(self, node: WireNode, span: Span, evidence: Span, place: str) -> _Found:
        lead = self._lead(node, place)
        if node.kind in UNTIMED:
            if lead is not None:
                raise _Fault(Fault.LEAD_TARGET, f"{place}.leadEvidence")
            if node.kind is NodeKind.REPEAT and Cue.REPEAT not in find_cues(self._ground.plain[span[0] : span[1]]):
                raise _Fault(Fault.REPEAT, f"{place}.expression")
            return _Found(node.kind, span, evidence, None)
        index = self._time_at(node.kind, span, f"{place}.expression")
        at = span if index is None else self._ground.times[index].said.span
        found = _Found(node.kind, at, evidence, index, lead=lead)
        match self._roles.standing(at, index):
            case Standing.REPEATED:
                raise _Fault(Fault.REPEAT, f"{place}.kind")
            case Standing.SUPERSEDED | Standing.NOT_OURS:
                return replace(found, dropped=True, lead=None)
            case Standing.OFF:
                return replace(found, kind=NodeKind.UNKNOWN, lead=None)
            case Standing.CONDITIONAL:
                found = replace(found, doubt="condition")
            case Standing.GROUPED:
                found = replace(found, doubt="identity")
        found = replace(found, kind=self._kind(node.kind, found, f"{place}.kind"))
        self._check_target(found, place)
        return found

    def _time_at(self, kind: NodeKind, span: Span, place: str) -> int | None:
        """Return the one time at which the expression points, None for one that cannot be read."""
        ground = self._ground
        touched = ground.touched(span)
        if not touched:
            if not ground.says_time(span):
                raise _Fault(Fault.NO_TIME, place)
            return None
        spans = [ground.times[index].said.span for index in touched]
        if spans[0][0] < span[0] or spans[-1][1] > span[1]:
            raise _Fault(Fault.CUT, place)
        if len(touched) == 1:
            return touched[0]
        if len(touched) == 2 and ground.times[touched[1]].closes and kind is not NodeKind.REMINDER:
            # 3点到5点 as the expression of both its ends.
            return touched[kind in (NodeKind.END, NodeKind.DEADLINE)]
        raise _Fault(Fault.CUT, place)

    def _kind(self, kind: NodeKind, found: _Found, place: str) -> NodeKind:
        allowed = self._roles.permitted(found.span, found.index)
        if self._older and NodeKind.REMINDER in allowed and kind is NodeKind.START:
            return kind
        if allowed == {NodeKind.REMINDER}:
            # An older service calls a reminder a start; the words have it (§3, last sentence).
            if kind in (NodeKind.START, NodeKind.REMINDER):
                return NodeKind.REMINDER
        elif kind in allowed:
            return kind
        raise _Fault(Fault.KIND, place)

    # Leads.

    def _lead(self, node: WireNode, place: str) -> tuple[Lead, Span] | None:
        """Return the lead that the words ask for, as our lexer reads it there."""
        minutes, evidence = node.lead_minutes, node.lead_evidence
        if minutes is None and not (evidence or "").strip():
            return None
        if minutes is None or not (evidence or "").strip():
            raise _Fault(Fault.LEAD_PAIR, f"{place}.leadEvidence" if minutes is not None else f"{place}.leadMinutes")
        if not 0 <= minutes <= LONGEST_LEAD:
            raise _Fault(Fault.LEAD_RANGE, f"{place}.leadMinutes")
        self._quote(evidence or "", f"{place}.leadEvidence")
        for start, end in self._ground.places(evidence or ""):
            inside = [one for one in self._ground.leads if start <= one[0].span[0] and one[0].span[1] <= end]
            if len(inside) == 1 and inside[0][0].duration.minutes == minutes:
                return inside[0]
        raise _Fault(Fault.LEAD_WORDS, f"{place}.leadMinutes")

    def _check_target(self, found: _Found, place: str) -> None:
        if found.lead is None:
            return
        meant = next(index for index, lead in self._leads if lead == found.lead)
        if found.kind is NodeKind.REMINDER or (meant is not None and meant != found.index):
            raise _Fault(Fault.LEAD_TARGET, f"{place}.leadEvidence")
        if found.kind is NodeKind.END and meant is None:
            raise _Fault(Fault.LEAD_TARGET, f"{place}.leadEvidence")

    def _with_leads(self, nodes: list[_Found]) -> list[_Found]:
        """Give every node the leads that the words ask for at its time, also where the model left them out.

        An old service knows no leads; a default in place of one would be a time that the user did not want.
        """
        if self._older:
            return nodes
        told = {one.index for one in nodes if one.kind in TOLD - {NodeKind.REMINDER}}
        found: list[_Found] = []
        for one in nodes:
            leads = [
                lead for index, lead in self._leads if (told == {one.index} if index is None else index == one.index)
            ]
            given = [other.lead for other in nodes if other.lead is not None and other.span == one.span]
            if one.kind not in TIMED or one.kind is NodeKind.REMINDER:
                leads = given = []
            distinct = {lead.duration: (lead, clause) for lead, clause in (*given, *leads) if _within_range(lead)}
            found.extend([replace(one, lead=lead) for lead in distinct.values()] or [one])
        return found

    # What a candidate keeps.

    def _candidate_node(
        self, one: _Found, kept: list[_Found], message: Message, unsure: Iterable[Span] | None
    ) -> CandidateNode:
        ground = self._ground
        expression, evidence = ground.words(one.span), ground.words(one.evidence)
        if one.kind in UNTIMED:
            return CandidateNode(one.kind, expression, evidence, _BLANK)
        time, carried, closes = self._unread(one), False, False
        if one.index is not None and not self._unclear(one, unsure):
            stands = ground.times[one.index]
            time, carried = stands.time, stands.carried
            closes = stands.closes and any(other.index == one.index - 1 for other in kept)
        lead = one.lead[0] if one.lead else None
        return CandidateNode(
            one.kind,
            expression,
            evidence,
            time,
            lead.duration.minutes if lead else None,
            ground.words(lead.span).strip() if lead else None,
            lead_in_days=lead is not None and bool(lead.duration.days) and lead.duration.in_whole_days,
            quoted=message.quotes(one.span, one.kind),
            sent_on=message.sent_on(one.span),
            carried=carried,
            closes=closes,
        )

    def _unread(self, one: _Found) -> TimeExpression:
        """Return a time of which everything has to be asked, its clock as well where the words have one."""
        said = self._ground.times[one.index].said if one.index is not None else None
        clock = said.clock is not None if said else _CLOCK_WORDS.search(self._ground.plain, *one.span) is not None
        return _ABOUT_A_TIME if clock else _BLANK

    def _unclear(self, one: _Found, unsure: Iterable[Span] | None) -> bool:
        """Whether the user has to say the time himself, whatever the lexer reads."""
        if self._foreign_clock or self._ground.doubtful(one.span):
            return True
        return unsure is not None and (not unsure or any(a < one.span[1] and one.span[0] < b for a, b in unsure))

    def _superseded(self, one: _Found) -> bool:
        return self._roles.standing(one.span, one.index) is Standing.SUPERSEDED


_BEIJING = timedelta(hours=8)


def _other_clock(plain: str, submission: Submission) -> bool:
    """Whether the text counts by the clock of Beijing and the user lives by another one."""
    return "北京时间" in plain and find_zone(submission.zone).utcoffset(submission.submitted_at) != _BEIJING


def _within_range(lead: Lead) -> bool:
    minutes = lead.duration.minutes
    return minutes is not None and 0 <= minutes <= LONGEST_LEAD


def _only_once(nodes: Iterable[_Found], place: str) -> None:
    """Refuse one time as two things."""
    kinds: dict[Span, NodeKind] = {}
    for one in nodes:
        if one.kind in TIMED and kinds.setdefault(one.span, one.kind) is not one.kind:
            raise _Fault(Fault.TWICE, f"{place}.nodes")


def _unsure(item: WireItem, ground: Ground) -> list[Span] | None:
    """Return the times that the model found contradictory: none (None), some, or all (empty)."""
    about = [one for one in item.ambiguities if one.about == "time"]
    if not about:
        return None
    spans = [span for one in about for span in ground.places(one.expression or "")]
    return spans if all((one.expression or "").strip() for one in about) else []
