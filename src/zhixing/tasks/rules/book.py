"""A copy of all rules and of what is known, in memory, for whoever holds the write transaction.

It is good as long as the book's row has the generation it was read or written at, and as long as the transaction that
changed it last was committed. Writers take turns, so the transaction is its lock.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush

from zhixing.store.connection import Tx
from zhixing.tasks.rules import store
from zhixing.tasks.rules.hearing import SECOND
from zhixing.tasks.rules.machine import State, terms_of
from zhixing.tasks.rules.model import Rule
from zhixing.tasks.rules.ranks import Member
from zhixing.tasks.rules.store import BookRow, RuleRow
from zhixing.tasks.rules.truth import Condition
from zhixing.tasks.rules.watch import Kept, Watch


class Book:
    """All rules of tasks that have not ended, by what they watch, and when each wants to look at the clock again."""

    def __init__(self, tx: Tx, row: BookRow, avoided: dict[str, int]) -> None:
        self.generation = row.generation
        self.wake = row.wake
        self.wake_key = row.wake_key
        self.cameras = row.cameras
        self.alive = row.alive
        self.set_back = row.set_back
        self.rules: dict[str, Rule] = {}
        self.watches: dict[str, Watch] = {}
        self.watch_of: dict[str, Watch] = {}
        """By rule."""
        self.named: dict[tuple[str, str], tuple[Watch, ...]] = {}
        """What names a source, by source and query."""
        self.open: dict[str, tuple[Watch, ...]] = {}
        """What leaves the sources to the cameras in use, by query."""
        self.dirty: dict[str, Watch] = {}
        self.altered = False
        """Whether something is to be written that is no state: a rule, the cameras, the wake."""
        self._times: list[tuple[int, str]] = []
        self._armed: dict[str, int] = {}
        self._avoided = avoided
        """Watches to be left alone, until when."""
        self._load(tx)

    def _load(self, tx: Tx) -> None:
        conditions, rules = store.living(tx)
        for identity, condition, kept in conditions:
            self._watch(identity, condition, kept)
        for row in rules:
            self._put(row)
        for watch in self.watches.values():
            watch.look_ahead()
            self.expect(watch)

    # Rules

    def watch_for(self, tx: Tx, identity: str, condition: Condition, now: int) -> Watch:
        """Return the watch of a condition. Where nobody watched it, nothing is known of it, whatever was once."""
        watch = self.watches.get(identity)
        if watch is None:
            kept = Kept(now=now)
            store.add_condition(tx, identity, condition, kept)
            watch = self._watch(identity, condition, kept)
        self.touch(watch)
        return watch

    def admit(self, rule: Rule, watch: Watch, state: State) -> Member:
        """Enter a rule under its watch, as one that is stopped."""
        self.rules[rule.id] = rule
        self.watch_of[rule.id] = watch
        member = Member(rule.id, store.number_of(rule.id), terms_of(rule.plan, rule.zone), state, enabled=False)
        watch.put(member)
        self.touch(watch)
        return member

    def dismiss(self, rule_id: str) -> Watch:
        """Let go of a rule; return what it watched."""
        watch = self.watch_of.pop(rule_id)
        watch.remove(rule_id)
        del self.rules[rule_id]
        self.touch(watch)
        return watch

    def drop_if_empty(self, watch: Watch) -> None:
        """Let go of a watch without rules: what it knows is not kept up any more."""
        if not watch.members and self.watches.pop(watch.id, None) is not None:
            self._armed.pop(watch.id, None)
            self.dirty.pop(watch.id, None)
            self._unlist(watch)

    def of_task(self, task_id: str) -> list[Rule]:
        """Return the rules of a task."""
        return [rule for rule in self.rules.values() if rule.task_id == task_id]

    def put_back(self, span: int) -> None:
        """Set everything right after the clock was put back by a span."""
        for watch in self.watches.values():
            watch.shift(-span)
            self.touch(watch)
        self.set_back += 1
        self.altered = True

    def note_alive(self, now: int) -> None:
        """Note that somebody was there, to the second."""
        if self.alive is None or abs(now - self.alive) >= SECOND:
            self.altered = True
            self.alive = now

    def touch(self, watch: Watch) -> None:
        """Note that a watch is to be written."""
        self.dirty[watch.id] = watch

    # The clock

    def expect(self, watch: Watch) -> None:
        """Note when a watch wants to look at the clock again; too early does no harm."""
        wake = watch.wake
        if wake is None or watch.id not in self.watches:
            return
        if self._avoided:
            wake = max(wake, self._avoided.get(watch.id, 0))
        armed = self._armed.get(watch.id)
        if armed is None or wake < armed:
            self._armed[watch.id] = wake
            heappush(self._times, (wake, watch.id))

    def postpone(self, watch: Watch, until: int) -> None:
        """Look at a watch no sooner than at an instant."""
        self._armed[watch.id] = until
        heappush(self._times, (until, watch.id))

    def earliest(self) -> int | None:
        """Return when the first watch wants to look at the clock."""
        while self._times:
            wake, identity = self._times[0]
            if self._armed.get(identity) == wake and identity in self.watches:
                return wake
            heappop(self._times)
        return None

    def due(self, now: int, limit: int) -> Iterator[Watch]:
        """Take out up to `limit` watches whose time has come, the earliest first."""
        for _ in range(limit):
            wake = self.earliest()
            if wake is None or wake > now:
                return
            _, identity = heappop(self._times)
            del self._armed[identity]
            self._avoided.pop(identity, None)
            yield self.watches[identity]

    # Rows

    def settle(self) -> None:
        """Find out when the watches that changed want to look at the clock again."""
        for watch in self.dirty.values():
            watch.settle()
            self.expect(watch)

    def keep(self, tx: Tx, rule_id: str) -> None:
        """Write where a rule is, now."""
        member = self.watch_of[rule_id].moved.pop(rule_id, None)
        if member is not None:
            store.keep_states(tx, [(rule_id, member.state)])

    def flush(self, tx: Tx) -> None:
        """Write what changed."""
        if not self.dirty and not self.altered:
            return
        states = []
        for watch in self.dirty.values():
            if watch.moved:
                states += [(member.id, member.state) for member in watch.moved.values()]
                watch.moved = {}
        store.keep_conditions(tx, [(watch.id, watch.kept()) for watch in self.dirty.values()])
        if states:
            store.keep_states(tx, states)
        self.dirty = {}
        self.altered = False
        self.generation += 1
        row = BookRow(self.generation, self.wake, self.wake_key, self.cameras, self.alive, self.set_back)
        store.write_book(tx, row)

    def _put(self, row: RuleRow) -> None:
        watch = self.watches[row.condition_id]
        rule = row.rule
        self.rules[rule.id] = rule
        self.watch_of[rule.id] = watch
        watch.put(Member(rule.id, row.number, terms_of(rule.plan, rule.zone), row.state, enabled=rule.enabled))

    def _watch(self, identity: str, condition: Condition, kept: Kept) -> Watch:
        watch = Watch(identity, condition, kept, self.cameras)
        self.watches[identity] = watch
        for source in condition.sources:
            place = (source, condition.query)
            self.named[place] = (*self.named.get(place, ()), watch)
        if not condition.sources:
            self.open[condition.query] = (*self.open.get(condition.query, ()), watch)
        return watch

    def _unlist(self, watch: Watch) -> None:
        query = watch.condition.query
        for source in watch.condition.sources:
            place = (source, query)
            self.named[place] = tuple(each for each in self.named[place] if each is not watch)
            if not self.named[place]:
                del self.named[place]
        if not watch.condition.sources:
            self.open[query] = tuple(each for each in self.open[query] if each is not watch)
            if not self.open[query]:
                del self.open[query]
