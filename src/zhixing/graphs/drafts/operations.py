"""Drafts of rule graphs: begin, append, edit, look, commit, discard. Each call is one transaction, a commit is two.

A commit holds its draft for `model.LEASE`, so that another process leaves it alone; a process that was restarted under
the same name knows that its own earlier hold means nothing, and goes on at once.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime

from zhixing.graphs.checks.finding import Finding, Verdict
from zhixing.graphs.drafts import deciding, rows
from zhixing.graphs.drafts.committing import Committing, Created, Failed, Outcome, Rejected, Taken, Unknown, Unreached
from zhixing.graphs.drafts.deciding import Begun
from zhixing.graphs.drafts.model import TTL, Change, Draft, DraftState
from zhixing.graphs.drafts.reading import batch_from, name_from, removed_from
from zhixing.graphs.drafts.variables import variables_from
from zhixing.graphs.rule import Node
from zhixing.graphs.specs.jsontext import shown
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import Conflict, NotFound, Unavailable
from zhixing.store.connection import Store, Tx


@dataclass(frozen=True, slots=True)
class Committed:
    """The rule is on the hub; the draft tells its id. `warnings` are told once, by the commit that made it."""

    draft: Draft
    warnings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class NotCommitted:
    """The rule has errors. The draft is kept and can be edited."""

    draft: Draft
    verdict: Verdict


class Drafts:
    """Drafts of rule graphs. Safe to use from several threads and processes.

    `holder` names who commits here; only one process at a time may bear it, such as the server of a home. Without a
    name, a commit that was cut off can be taken up after `model.LEASE`.
    """

    def __init__(self, store: Store, clock: Clock, committing: Committing, *, holder: str | None = None) -> None:
        self._store = store
        self._clock = clock
        self._committing = committing
        self._holder = secrets.token_hex(8) if holder is None else holder
        self._under_way: set[str] = set()
        self._guard = threading.Lock()

    def begin(self, name: object, variables: object = (), *, enable: bool = True, who: str) -> Draft:
        """Begin a draft. Raises `BadInput`, and `Conflict` when too many are open."""
        called, declared = name_from(name), variables_from(variables)
        with self._store.write() as tx:
            now = self._clock.now()
            self._clean(tx, now)
            deciding.must_have_room(rows.heads(tx))
            return rows.insert(tx, called, declared, enable=enable, who=who, now=now)

    def append(self, draft_id: str, nodes: object) -> Change:
        """Add 1 to 25 nodes; nodes that are there alike stay. Raises `BadInput`, `TooLarge`, `NotFound`, `Conflict`."""
        batch = batch_from(nodes)
        with self._store.write() as tx:
            now = self._clock.now()
            draft = self._honest(self._living(tx, draft_id, now))
            change = deciding.appended(draft, [each.slot for each in batch], now)
            rows.change(tx, change, {each.slot.id: each.body for each in batch})
        return change

    def edit(self, draft_id: str, upsert: object = (), remove: object = ()) -> Change:
        """Exchange or add up to 25 nodes and remove up to 25. Raises what `append` raises."""
        batch, gone = batch_from(upsert, "upsert"), removed_from(remove)
        with self._store.write() as tx:
            now = self._clock.now()
            draft = self._honest(self._living(tx, draft_id, now))
            change = deciding.edited(draft, [each.slot for each in batch], gone, now)
            rows.change(tx, change, {each.slot.id: each.body for each in batch})
        return change

    def status(self, draft_id: str) -> Draft:
        """Return a draft. Raises `NotFound`."""
        with self._store.read() as tx:
            return self._living(tx, draft_id, self._clock.now())

    def nodes(self, draft_id: str) -> tuple[Node, ...]:
        """Return the nodes of a draft. Raises `NotFound`."""
        with self._store.read() as tx:
            return rows.nodes(tx, self._living(tx, draft_id, self._clock.now()).id)

    def page(self) -> tuple[Draft, ...]:
        """Return all drafts, the oldest first."""
        with self._store.read() as tx:
            now = self._clock.now()
            return tuple(
                self._living(tx, draft.id, now) for draft in rows.heads(tx) if not deciding.is_expired(draft, now)
            )

    def discard(self, draft_id: str) -> Draft | None:
        """Give up a draft and return it as it was; None when there is none, so that it may be said twice.

        The rule of a committed draft stays on the hub, and so may that of one whose commit is not settled. Raises
        `Conflict` while it is being committed.
        """
        with self._store.write() as tx:
            now = self._clock.now()
            draft = rows.find(tx, draft_id)
            if draft is None or deciding.is_expired(draft, now):
                return None
            deciding.must_be_free(self._honest(draft), now)
            rows.delete(tx, draft.id)
        return draft

    def commit(self, draft_id: str) -> Committed | NotCommitted:
        """Check, lay out and make the rule in one call; said again, it gives the same id of the rule again.

        Raises `NotFound`; `Conflict` while another commit is at it, without nodes, and when the id of the rule is that
        of another one; `Unavailable` when nobody knows what is on the hub (the next commit finds out, with the same
        id); and the error for which the rule could not be made. Whatever the port raises is raised on.
        """
        with self._gate(draft_id):
            with self._store.write() as tx:
                begun = self._start(tx, draft_id)
                draft, nodes = begun.draft, rows.nodes(tx, draft_id)
            if draft.state is DraftState.COMMITTED:
                return Committed(draft)
            try:
                outcome = self._committing.commit(
                    draft.rule_id or "", draft.name, nodes, draft.variables, enable=draft.enable
                )
            except BaseException:
                # Taken over or not, what the caller has to hear is what went wrong.
                with suppress(Conflict):
                    self._end(begun, Unknown())
                raise
            return _told(self._end(begun, outcome), begun, outcome)

    def clean(self) -> int:
        """Forget what has expired; return how many drafts. `begin` does so by itself."""
        with self._store.write() as tx:
            return self._clean(tx, self._clock.now())

    # Inside

    def _start(self, tx: Tx, draft_id: str) -> Begun:
        now = self._clock.now()
        draft = deciding.released(self._living(tx, draft_id, now), self._holder)
        if draft.state is DraftState.COMMITTED:
            return Begun(draft, draft.state)
        taken = {each.rule_id for each in rows.heads(tx) if each.rule_id is not None}
        begun = deciding.started(draft, self._holder, deciding.new_rule_id(now, taken), now)
        rows.save(tx, begun.draft)
        return begun

    def _end(self, begun: Begun, outcome: Outcome) -> Draft:
        with self._store.write() as tx:
            now = self._clock.now()
            ended = rows.save(tx, deciding.ended(rows.find(tx, begun.draft.id), begun, outcome, now))
            self._clean(tx, now)
        return ended

    @contextmanager
    def _gate(self, draft_id: str) -> Iterator[None]:
        """Let one commit of a draft at a time through in this process."""
        with self._guard:
            if draft_id in self._under_way:
                raise deciding.busy(draft_id)
            self._under_way.add(draft_id)
        try:
            yield
        finally:
            with self._guard:
                self._under_way.discard(draft_id)

    def _honest(self, draft: Draft) -> Draft:
        """Return a draft without a hold of ours behind which no commit is: one of a process that was killed."""
        with self._guard:
            return draft if draft.id in self._under_way else deciding.released(draft, self._holder)

    @staticmethod
    def _living(tx: Tx, draft_id: str, now: datetime) -> Draft:
        draft = rows.find(tx, draft_id)
        if draft is None or deciding.is_expired(draft, now):
            raise NotFound("graph_draft_unknown", id=shown(draft_id), minutes=int(TTL.total_seconds()) // 60)
        return draft

    @staticmethod
    def _clean(tx: Tx, now: datetime) -> int:
        gone = deciding.stale(rows.heads(tx), now)
        for draft in gone:
            rows.delete(tx, draft.id)
        return len(gone)


def _told(draft: Draft, begun: Begun, outcome: Outcome) -> Committed | NotCommitted:
    rule_id = begun.draft.rule_id
    match outcome:
        case Created(warnings):
            return Committed(draft, warnings)
        case Rejected(verdict):
            return NotCommitted(draft, verdict)
        case Failed(error) | Unreached(error):
            raise error
        case Taken():
            kept = draft.rule_id is not None
            raise Conflict("graph_draft_rule_differs" if kept else "graph_draft_rule_taken", id=draft.id, rule=rule_id)
        case Unknown(error):
            raise Unavailable("graph_draft_not_known", id=draft.id, rule=rule_id) from error
