"""What a call makes of a draft, given what it is and what time it is: pure. Raises what the caller is told.

A committed draft stays for the same half hour as a draft that is being built, to answer a repeated commit. One whose
commit is not settled is never forgotten: under its id of the rule something may be on the hub.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from zhixing.graphs.drafts.committing import Created, Outcome, Taken, Unknown, Unreached
from zhixing.graphs.drafts.model import (
    LEASE,
    MOST_BYTES,
    MOST_DRAFTS,
    MOST_IN_BATCH,
    MOST_NODES,
    Change,
    Draft,
    DraftState,
    Hold,
    Slot,
)
from zhixing.kernel.errors import BadInput, Conflict, TooLarge

_EARLIEST_RULE = 10**12
_LATEST_RULE = 10**13 - 1


@dataclass(frozen=True, slots=True)
class Begun:
    """A commit under way: the draft as it is meanwhile, and the state in which it was found."""

    draft: Draft
    before: DraftState


def is_expired(draft: Draft, now: datetime) -> bool:
    """Whether a draft is forgotten by now."""
    return draft.expires_at is not None and draft.expires_at <= now


def is_held(draft: Draft, now: datetime) -> bool:
    """Whether somebody is committing the draft; an end that lies too far ahead was written by a wrong clock.

    Clocks of two machines may differ a little, so what is too far leaves room for that.
    """
    return draft.hold is not None and now < draft.hold.until <= now + 2 * LEASE


def stale(drafts: Iterable[Draft], now: datetime) -> tuple[Draft, ...]:
    """Return the drafts to forget: those that expired, and the oldest of too many committed ones."""
    given = tuple(drafts)
    gone = [draft for draft in given if is_expired(draft, now)]
    done = [draft for draft in given if draft.state is DraftState.COMMITTED and draft not in gone]
    done.sort(key=lambda draft: draft.updated_at)
    return (*gone, *done[: max(0, len(done) - MOST_DRAFTS)])


def must_have_room(drafts: Iterable[Draft]) -> None:
    """Refuse another draft beside these when too many are open; raise `Conflict`."""
    if sum(draft.state is not DraftState.COMMITTED for draft in drafts) >= MOST_DRAFTS:
        raise Conflict("graph_draft_many", limit=MOST_DRAFTS)


def appended(draft: Draft, batch: Sequence[Slot], now: datetime) -> Change:
    """Add nodes. One that is there alike stays, so a batch may be sent again; one that is there otherwise is refused.

    Raises `Conflict` then, and when the draft takes no nodes; `BadInput` without nodes, `TooLarge` beyond a bound.
    """
    _must_be_building(draft, now)
    if not batch:
        raise BadInput("graph_draft_batch_empty", limit=MOST_IN_BATCH)
    before = {slot.id: slot for slot in draft.nodes}
    other = next((slot for slot in batch if slot.id in before and slot.digest != before[slot.id].digest), None)
    if other is not None:
        raise Conflict("graph_draft_other_body", id=other.id)
    return _changed(draft, batch, (), now)


def edited(draft: Draft, upsert: Sequence[Slot], remove: Collection[str], now: datetime) -> Change:
    """Exchange nodes where they stand, add those that are new, take others away; the wires of the rest stay.

    Raises `BadInput` when there is nothing to do or an id is on both sides, and what `appended` raises.
    """
    _must_be_building(draft, now)
    if not upsert and not remove:
        raise BadInput("graph_draft_edit_empty")
    both = next((slot.id for slot in upsert if slot.id in remove), None)
    if both is not None:
        raise BadInput("graph_draft_both", id=both)
    return _changed(draft, upsert, remove, now)


def must_be_free(draft: Draft, now: datetime) -> None:
    """Refuse to give up a draft that is being committed; raise `Conflict`. One that is not settled may be given up."""
    if is_held(draft, now):
        raise busy(draft.id)


def started(draft: Draft, holder: str, rule_id: str, now: datetime) -> Begun:
    """Begin a commit, or go on with one that was cut off, under the id that was chosen first; `rule_id` is a new one.

    Raises `Conflict` when somebody is at it, and when there is no node. Not for committed drafts.
    """
    if is_held(draft, now):
        raise busy(draft.id)
    if not draft.nodes:
        raise Conflict("graph_draft_empty", id=draft.id)
    after = replace(
        draft,
        state=DraftState.COMMITTING,
        rule_id=draft.rule_id or rule_id,
        attempt=draft.attempt + 1,
        hold=Hold(holder, now + LEASE),
        updated_at=now,
    )
    return Begun(after, draft.state)


def released(draft: Draft, holder: str) -> Draft:
    """Let go of a draft that `holder` holds, who is known to be doing nothing with it any more."""
    return replace(draft, hold=None) if draft.hold is not None and draft.hold.holder == holder else draft


def ended(draft: Draft | None, begun: Begun, outcome: Outcome, now: datetime) -> Draft:
    """End a commit by what came of it. Raises `Conflict` when another one took it over, or it is gone: that one counts.

    When nobody knows what is on the hub, the draft is let go of and stays unsettled; so does one that was so already
    and whose hub was not reached. An id that another rule has is forgotten; but where an earlier try may have written,
    what stands there is more likely our own rule that somebody changed since, and another id would make it twice.
    """
    if draft is None or draft.state is not DraftState.COMMITTING or draft.attempt != begun.draft.attempt:
        raise Conflict("graph_draft_superseded")
    match outcome:
        case Created():
            state = DraftState.COMMITTED
        case Unknown():
            state = DraftState.COMMITTING
        case Unreached() | Taken():
            state = begun.before
        case _:
            state = DraftState.BUILDING
    rule_id = None if isinstance(outcome, Taken) and state is DraftState.BUILDING else draft.rule_id
    return replace(draft, state=state, rule_id=rule_id, hold=None, updated_at=now)


def new_rule_id(now: datetime, taken: Collection[str]) -> str:
    """Return an id for a rule: 13 digits, milliseconds since the epoch (mijia §0.3 X7), or the next free ones."""
    number = min(max(int(now.timestamp() * 1000), _EARLIEST_RULE), _LATEST_RULE - len(taken))
    return str(next(each for each in range(number, number + len(taken) + 1) if str(each) not in taken))


def busy(draft_id: str) -> Conflict:
    """Return the refusal of what a commit under way does not allow."""
    return Conflict("graph_draft_busy", id=draft_id, minutes=int(LEASE.total_seconds()) // 60)


def _must_be_building(draft: Draft, now: datetime) -> None:
    if draft.state is DraftState.COMMITTED:
        raise Conflict("graph_draft_committed", id=draft.id, rule=draft.rule_id)
    if is_held(draft, now):
        raise busy(draft.id)
    if draft.state is DraftState.COMMITTING:
        raise Conflict("graph_draft_unsettled", id=draft.id)


def _changed(draft: Draft, upsert: Sequence[Slot], remove: Collection[str], now: datetime) -> Change:
    before = {slot.id: slot for slot in draft.nodes}
    same = {slot.id for slot in upsert if slot.id in before and slot.digest == before[slot.id].digest}
    after = {name: slot for name, slot in before.items() if name not in remove}
    after |= {slot.id: slot for slot in upsert if slot.id not in same}
    changed = replace(draft, nodes=tuple(after.values()), updated_at=now)
    if len(after) > MOST_NODES:
        raise TooLarge("graph_draft_nodes_many", limit=MOST_NODES)
    if changed.size > MOST_BYTES:
        raise TooLarge("graph_draft_large", limit=MOST_BYTES // 2**20)
    return Change(
        changed,
        added=tuple(slot.id for slot in upsert if slot.id not in before),
        replaced=tuple(slot.id for slot in upsert if slot.id in before and slot.id not in same),
        same=tuple(slot.id for slot in upsert if slot.id in same),
        removed=tuple(name for name in remove if name in before),
        missing=tuple(name for name in remove if name not in before),
    )
