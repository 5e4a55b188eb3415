"""What others do with groups: begin a talk, look at it, stop it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from zhixing.engine.model import Engine, Retry, Share
from zhixing.goals.bots.forming import Group, form_group
from zhixing.goals.bots.profiles import Catalog
from zhixing.goals.bots.searching import KnownGroup
from zhixing.goals.groups import rows
from zhixing.goals.groups.model import (
    CLOSING_SHARE,
    LONGEST_CONTEXT,
    LONGEST_KEY,
    LONGEST_MS,
    MOST_KNOWN,
    SHORTEST_MS,
    UNKNOWN_RUN,
    Kept,
    Line,
    State,
    Wanted,
    heard_of,
    kept_text,
)
from zhixing.goals.groups.standing import started
from zhixing.goals.groups.turns import TURN, Ask, TalkEnded, TurnCounted, Turns, nobody_counts, nobody_knows
from zhixing.goals.running.ports import Arrived, Heard
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, NotFound, TooLarge
from zhixing.kernel.moments import millis
from zhixing.store.connection import Store, Tx
from zhixing.world.bots.port import FAILED
from zhixing.world.devices.names import quoted

_SOON = Retry(factor=2, longest=timedelta(seconds=15))
"""A talk has an end of its own: who was lost with a process may not wait long for the next."""
TALKING = Share("goals talking", 6)
"""For turns: whoever is asked may think for minutes."""


class Groups:
    """The groups of a store, and their talks. Make it before the engine starts, then call `take_up`.

    `catalog` gives the bots there are now; `ask` asks one, as long as its errand says (it raises `NotSent` when nobody
    was reached), and `take_up` goes on with an errand that may have left (it raises `Unclear` when nobody knows);
    `ended` is told of the end of each talk that was not stopped, in the transaction in which it ends, and `used` what
    each turn used. Turns are waited
    for in `share`.
    """

    def __init__(
        self,
        store: Store,
        engine: Engine,
        clock: Clock,
        *,
        catalog: Callable[[], Catalog],
        ask: Ask,
        ended: TalkEnded,
        take_up: Ask = nobody_knows,
        used: TurnCounted = nobody_counts,
        share: Share = TALKING,
    ) -> None:
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._turns = Turns(engine, clock, catalog, ask=ask, take_up=take_up, ended=ended, used=used)
        engine.register(TURN, self._turns.turn, _SOON, self._turns.turn_failed, share)

    def begin(self, wanted: Wanted) -> Arrived:
        """Begin a talk; the same key is the same talk. A group that is to be formed is formed with it.

        Raises `BadInput`, and its kind, for a formation that is no group, a group that is not there, and a text that is
        too long; then nothing was begun.
        """
        _check(wanted)
        formed = None if wanted.formation is None else self._formed(wanted)
        with self._store.write() as tx:
            there = rows.by_key(tx, wanted.key)
            if there is None:
                there = self._begun(tx, wanted, formed)
        return _arrived(there)

    def found(self, key: str) -> Arrived | None:
        """Return where the talk of a delivery runs, None when it never began."""
        with self._store.read() as tx:
            kept = rows.by_key(tx, key)
        return None if kept is None else _arrived(kept)

    def result(self, run_id: str) -> Heard | None:
        """Return what a talk came to, None while it is under way; one that is not there has failed."""
        with self._store.read() as tx:
            kept = rows.by_run(tx, run_id)
        if kept is None:
            return Heard("", FAILED, UNKNOWN_RUN)
        return None if kept.state is State.RUNNING else heard_of(kept)

    def stop(self, run_id: str) -> None:
        """Stop a talk: nobody else is asked, and answers that still come are kept and change nothing."""
        with self._store.write() as tx:
            kept = rows.by_run(tx, run_id)
            if kept is not None and kept.state is State.RUNNING:
                self._turns.stop(tx, kept)

    def known(self) -> tuple[KnownGroup, ...]:
        """Return the groups that could do more, the newest first, `MOST_KNOWN` at most."""
        with self._store.read() as tx:
            return rows.known_groups(tx, MOST_KNOWN)

    def group(self, group_id: str) -> Group | None:
        """Return a group, None when there is none of that id."""
        with self._store.read() as tx:
            return rows.group_of(tx, group_id)

    def members(self, group_id: str) -> tuple[str, ...]:
        """Return the bots of a group, the one that reports first; nobody when there is no such group."""
        group = self.group(group_id)
        return () if group is None else (group.reporter, *group.others)

    def talk(self, run_id: str) -> Kept | None:
        """Return a talk as it is now."""
        with self._store.read() as tx:
            return rows.by_run(tx, run_id)

    def lines(self, run_id: str) -> tuple[Line, ...]:
        """Return what was said in a talk, in order."""
        with self._store.read() as tx:
            return rows.lines_of(tx, run_id)

    def take_up(self) -> int:
        """Go on with every talk that is under way, at the start of the program; return how many there are.

        Its jobs are there as they were left: only those that are not are made again.
        """
        with self._store.read() as tx:
            under_way = rows.running(tx)
        for run_id in under_way:
            with self._store.write() as tx:
                kept = rows.by_run(tx, run_id)
                if kept is not None and kept.state is State.RUNNING:
                    self._turns.call(tx, kept, kept.standing.turns.values())
        return len(under_way)

    def _formed(self, wanted: Wanted) -> Group | None:
        formation = wanted.formation
        if formation is None:
            return None
        named = formation if formation.group_name or not wanted.name else replace(formation, group_name=wanted.name)
        return form_group(named, self._catalog())

    def _begun(self, tx: Tx, wanted: Wanted, formed: Group | None) -> Kept:
        """Keep a talk with its group and the jobs of its first turns."""
        token, now = hashlib.sha256(wanted.key.encode()).hexdigest()[:24], self._now()
        group_id = wanted.group_id or f"group-{token}"
        if formed is not None:
            group_id = f"group-{token}"
            rows.add_group(tx, group_id, formed, (wanted.task_id, wanted.node_id), now)
        group = rows.group_of(tx, group_id)
        if group is None:
            raise NotFound("goal_group_unknown", id=quoted(group_id))
        span = min(max(wanted.millis, SHORTEST_MS), LONGEST_MS)
        kept = Kept(
            wanted.key,
            f"talk-{token}",
            group_id,
            group,
            wanted.task_id,
            wanted.node_id,
            wanted.attempt,
            kept_text(wanted.text, LONGEST_CONTEXT),
            now,
            now + int(span * CLOSING_SHARE),
            now + span,
            started(group),
        )
        if rows.add(tx, kept):
            self._turns.call(tx, kept, kept.standing.turns.values())
        return kept

    def _now(self) -> int:
        return millis(self._clock.now())


def _check(wanted: Wanted) -> None:
    if not wanted.key or len(wanted.key) > LONGEST_KEY:
        raise BadInput("goal_group_key", limit=LONGEST_KEY)
    if (wanted.formation is None) == (not wanted.group_id):
        raise BadInput("goal_group_which")
    if len(wanted.text) > LONGEST_CONTEXT:
        raise TooLarge("goal_group_text", limit=LONGEST_CONTEXT)


def _arrived(kept: Kept) -> Arrived:
    return Arrived(kept.group_id, kept.run_id, kept.run_id)
