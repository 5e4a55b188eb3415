"""Rules, set in motion: operations over the store and the engine.

Each one loads, decides, saves and tells the journal in one transaction; what a rule answers is an occurrence, claimed
in the transaction that decides it. While an answer's hook runs, the hook may use these operations in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from zhixing.engine.model import Engine
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import Conflict, TooLarge
from zhixing.kernel.moments import micros
from zhixing.store.connection import Store, Tx
from zhixing.tasks import store as tasks
from zhixing.tasks.journal import Kind
from zhixing.tasks.rules import store
from zhixing.tasks.rules.answering import Answering
from zhixing.tasks.rules.book import Book
from zhixing.tasks.rules.checking import checked
from zhixing.tasks.rules.machine import State, first_state, terms_of
from zhixing.tasks.rules.model import Fired, Plan, Rule, StoppedBy
from zhixing.tasks.rules.taking import Taking
from zhixing.tasks.rules.tally import Asked, Taken
from zhixing.tasks.rules.truth import condition_of
from zhixing.tasks.rules.watch import Watch
from zhixing.tasks.task import Status, Task
from zhixing.world.perception.verdict import Verdict

MOST_RULES = 100
"""Rules of one task."""
_ENDED = (Status.COMPLETED, Status.EXPIRED, Status.DELETED)


def _tell_nobody(_tx: Tx, _rule: Rule) -> None:
    return None


class Rules:
    """The rules of all tasks. Registers the handler of its job, so make it before the engine starts.

    `cameras` gives the ids of the cameras in use: what a rule that names no sources watches. `fired` is called in the
    transaction that claims the occurrences, with several answers at once where many are due, and does or enqueues what
    follows. `target_at` says when the record of a task reaches its target if what is under way goes on (None: it does
    not). `stopped` is told once of a rule that its own limit stopped.
    """

    def __init__(
        self,
        store: Store,
        engine: Engine,
        clock: Clock,
        *,
        cameras: Callable[[], Sequence[str]],
        fired: Callable[[Tx, Sequence[Fired]], None],
        target_at: Callable[[Tx, str], datetime | None],
        stopped: Callable[[Tx, Rule], None] = _tell_nobody,
    ) -> None:
        self._clock = clock
        self._answering = Answering(clock, fired=fired, target_at=target_at, stopped=stopped)
        self._taking = Taking(store, engine, clock, cameras=cameras, answering=self._answering)
        self._session = self._taking.sessions.open

    # What a person does to rules

    def create(self, tx: Tx, task_id: str, plan: Plan, *, who: str) -> Rule:
        """Give a task a rule. Of a task that is paused it starts when that ends; of one that has ended, `Conflict`."""
        plan = checked(plan)
        task = tasks.get(tx, task_id)
        if task.status in _ENDED:
            raise Conflict(f"task_is_{task.status}", title=task.title)
        if store.count(tx, task_id) >= MOST_RULES:
            raise TooLarge("rules_many", limit=MOST_RULES)
        with self._session(tx) as book:
            self._take_name(tx, plan.name, None)
            now = self._clock.now()
            rule = Rule(
                id=store.new_id(tx),
                task_id=task_id,
                zone=task.zone,
                plan=plan,
                stopped_by=None if task.active else StoppedBy.TASK,
                revision=1,
                created_at=now,
                updated_at=now,
            )
            state = first_state(micros(now))
            watch = self._enter_book(tx, book, rule, state)
            store.insert(tx, rule, watch.id, state)
            self._answering.tell(tx, rule, Kind.RULE_MADE, who=who)
            if rule.enabled:
                self._start(tx, book, watch, rule.id)
        return rule

    def change(self, tx: Tx, rule_id: str, plan: Plan, *, who: str) -> Rule:
        """Give a rule another plan.

        With the same trigger, what pends and the episode go on; otherwise it starts anew.
        """
        plan = checked(plan)
        with self._session(tx) as book:
            before = store.get(tx, rule_id)
            if plan == before.plan:
                return before
            task = tasks.get(tx, before.task_id)
            if task.status in _ENDED:
                raise Conflict(f"task_is_{task.status}", title=task.title)
            self._take_name(tx, plan.name, rule_id)
            now = self._clock.now()
            rule = replace(before, plan=plan, revision=before.revision + 1, updated_at=now)
            anew = plan.trigger != before.plan.trigger
            self._answering.tell(tx, rule, Kind.RULE_CHANGED, who=who, anew=anew)
            watch = book.watch_of[rule_id]
            if not anew:
                book.rules[rule_id] = rule
                watch.renew(rule_id, terms_of(plan, rule.zone))
                book.touch(watch)
                store.save(tx, rule, watch.id)
                self._answering.drain(tx, book, watch)
            else:
                left = book.dismiss(rule_id)
                watch = self._enter_book(tx, book, rule, first_state(micros(now)))
                book.drop_if_empty(left)
                watch.moved[rule_id] = watch.members[rule_id]
                store.save(tx, rule, watch.id)
                if rule.enabled:
                    self._start(tx, book, watch, rule_id)
                store.drop_condition(tx, left.id)
        return rule

    def enable(self, tx: Tx, rule_id: str, *, who: str) -> Rule:
        """Let a rule fire again; while its task is paused it waits for the end of that."""
        with self._session(tx) as book:
            rule = store.get(tx, rule_id)
            task = tasks.get(tx, rule.task_id)
            if task.status in _ENDED:
                raise Conflict(f"task_is_{task.status}", title=task.title)
            stopped_by = None if task.active else StoppedBy.TASK
            if rule.stopped_by is stopped_by:
                return rule
            rule = self._set_stopped(tx, book, rule, stopped_by)
            self._answering.tell(tx, rule, Kind.RULE_STARTED, who=who)
            if rule.enabled:
                self._start(tx, book, book.watch_of[rule_id], rule_id)
        return rule

    def disable(self, tx: Tx, rule_id: str, *, who: str) -> Rule:
        """Stop a rule at once: nothing that pends happens, and the end of a pause of its task does not start it."""
        with self._session(tx) as book:
            rule = store.get(tx, rule_id)
            if rule.stopped_by is StoppedBy.USER:
                return rule
            rule = self._set_stopped(tx, book, rule, StoppedBy.USER)
            self._answering.tell(tx, rule, Kind.RULE_STOPPED, who=who)
        return rule

    def delete(self, tx: Tx, rule_id: str, *, who: str) -> None:
        """Remove a rule; the books and the journal keep what it did."""
        with self._session(tx) as book:
            rule = store.get(tx, rule_id)
            watch = book.dismiss(rule_id) if rule_id in book.rules else None
            if watch is not None:
                book.drop_if_empty(watch)
            store.delete(tx, rule_id)
            store.drop_condition(tx, store.condition_id(condition_of(rule.plan.trigger)))
            book.altered = True
            self._answering.tell(tx, rule, Kind.RULE_REMOVED, who=who)

    def on_status_change(self, tx: Tx, before: Task, after: Task) -> None:
        """Stop the rules of a task that is not active any more, at once; start those again that this stopped."""
        if before.active == after.active and (before.status in _ENDED) == (after.status in _ENDED):
            return
        rows = store.rows_of_task(tx, after.id)
        if not rows:
            return
        with self._session(tx) as book:
            for row in rows:
                rule = row.rule
                if rule.id not in book.rules and after.status not in _ENDED:
                    self._enter_book(tx, book, rule, row.state)
                if not after.active and rule.enabled:
                    rule = self._set_stopped(tx, book, rule, StoppedBy.TASK)
                elif after.active and rule.stopped_by is StoppedBy.TASK:
                    rule = self._set_stopped(tx, book, rule, None)
                    self._start(tx, book, book.watch_of[rule.id], rule.id)
                if after.status in _ENDED and rule.id in book.rules:
                    book.keep(tx, rule.id)
                    book.drop_if_empty(book.dismiss(rule.id))
            book.altered = True

    def retarget(self, tx: Tx, task_id: str) -> None:
        """Ask anew when the record of a task reaches its target: it changed, or a new period began."""
        with self._session(tx) as book:
            for rule in book.of_task(task_id):
                if rule.enabled and rule.plan.on_target:
                    self._answering.aim(tx, book, book.watch_of[rule.id], rule)

    def trigger(self, tx: Tx, rule_id: str, *, because: str, who: str) -> Fired | None:
        """Give the answer on entering, whatever the state of the rule, which stays as it is.

        Returns None where there is no such answer.
        """
        return self._answering.give(tx, store.get(tx, rule_id), because=because, who=who)

    def asked(self, tx: Tx) -> tuple[Asked, ...]:
        """Return what perception has to judge now."""
        wanted: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        for condition, rule_id in store.enabled(tx):
            wanted.setdefault((condition.query, condition.sources), []).append(rule_id)
        return tuple(Asked(query, sources, tuple(rules)) for (query, sources), rules in wanted.items())

    # What the world does to them

    def ingest(self, verdicts: Sequence[Verdict]) -> Taken:
        """Take up to a thousand verdicts, in order and in one transaction: all or, where that fails, none."""
        return self._taking.ingest(verdicts)

    def take_up(self) -> None:
        """Go on after the process was away; at start, before the engine. Nothing fires because of it.

        What pends keeps its instants, and waits for a first verdict that says how things are now.
        """
        self._taking.take_up()

    def _start(self, tx: Tx, book: Book, watch: Watch, rule_id: str) -> None:
        watch.start(watch.members[rule_id], micros(self._clock.now()))
        book.touch(watch)
        self._answering.drain(tx, book, watch)

    def _set_stopped(self, tx: Tx, book: Book, rule: Rule, stopped_by: StoppedBy | None) -> Rule:
        after = replace(rule, stopped_by=stopped_by, revision=rule.revision + 1, updated_at=self._clock.now())
        watch = book.watch_of.get(rule.id)
        store.save(tx, after, store.condition_id(condition_of(rule.plan.trigger)))
        book.altered = True
        if watch is not None:
            book.rules[rule.id] = after
            book.touch(watch)
            if rule.enabled:
                watch.stop(rule.id)
        return after

    def _enter_book(self, tx: Tx, book: Book, rule: Rule, state: State) -> Watch:
        condition = condition_of(rule.plan.trigger)
        watch = book.watch_for(tx, store.condition_id(condition), condition, micros(self._clock.now()))
        book.admit(rule, watch, state)
        return watch

    def _take_name(self, tx: Tx, name: str, rule_id: str | None) -> None:
        other = store.by_name(tx, name)
        if other is not None and other.id != rule_id:
            raise Conflict("rule_exists", name=name)
