"""What follows from what the rules saw: occurrences, entries of the journal, and the hooks that do the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from zhixing.kernel.clock import Clock
from zhixing.kernel.moments import from_micros, micros
from zhixing.store.connection import Tx
from zhixing.tasks import journal, occurrences
from zhixing.tasks.journal import CLOCK, Kind
from zhixing.tasks.occurrence import OccurrenceState
from zhixing.tasks.rules import store
from zhixing.tasks.rules.book import Book
from zhixing.tasks.rules.hearing import SECOND
from zhixing.tasks.rules.machine import Effect, Happening
from zhixing.tasks.rules.model import Direction, Fired, Plan, Response, Rule, StoppedBy
from zhixing.tasks.rules.watch import Watch, one_line

_DIRECTIONS = {
    Happening.ENTER: Direction.ENTER,
    Happening.EXIT: Direction.EXIT,
    Happening.TARGET: Direction.TARGET,
}


def part_of(rule_id: str, direction: Direction) -> str:
    """Return the part under which the occurrences of a rule's answers are in the books."""
    return f"rule:{rule_id}:{direction.value}"


def _response(plan: Plan, direction: Direction) -> Response:
    match direction:
        case Direction.ENTER:
            return plan.on_enter
        case Direction.EXIT:
            return plan.on_exit
        case Direction.TARGET:
            return plan.on_target


class _Due(NamedTuple):
    """An answer that became due; the fields are those of `Fired`."""

    rule: Rule
    direction: Direction
    key: str
    at: datetime
    since: datetime
    left: datetime | None
    source: str
    because: str

    def late(self, now: datetime) -> float:
        """Return the seconds it is late, where it is a second or more."""
        late = (now - self.at).total_seconds()
        return round(late, 3) if late >= 1 else 0.0

    def told(self, now: datetime) -> dict[str, Any]:
        """Return what the journal says of it."""
        late = self.late(now)
        return {
            "rule": self.rule.id,
            "name": self.rule.plan.name,
            "since": self.since.isoformat(),
            **({"left": self.left.isoformat()} if self.left else {}),
            **({"late_seconds": late} if late else {}),
            **({"source": self.source} if self.source else {}),
            **({"because": self.because} if self.because else {}),
        }

    def fired(self, occurrence_id: str, now: datetime) -> Fired:
        """Return it as it is handed over."""
        return Fired(
            self.rule,
            self.direction,
            occurrence_id,
            self.at,
            self.since,
            self.left,
            self.late(now),
            self.source,
            self.because,
        )


class Answering:
    """Carries out the effects of rules. `fired`, `target_at` and `stopped` are the hooks of `Rules`."""

    def __init__(
        self,
        clock: Clock,
        *,
        fired: Callable[[Tx, Sequence[Fired]], None],
        target_at: Callable[[Tx, str], datetime | None],
        stopped: Callable[[Tx, Rule], None],
    ) -> None:
        self._clock = clock
        self._fired = fired
        self._target_at = target_at
        self._stopped = stopped
        self.count = 0
        """How many answers became due so far."""
        self._due: list[_Due] = []
        """Answers that are not in the books yet."""
        self._claimed: list[Fired] = []
        """Answers that are in the books and not handed over yet."""

    def give(self, tx: Tx, rule: Rule, *, because: str, who: str) -> Fired | None:
        """Give the answer on entering because somebody asks for it; None where there is none."""
        if not rule.plan.on_enter:
            return None
        now = self._clock.now()
        asked = _Due(rule, Direction.ENTER, f"asked:{now.isoformat()}", now, now, None, "", one_line(because))
        entered = self._enter(tx, [asked], who)
        if not entered:
            return None
        fired = replace(entered[0], asked=True)
        self._fired(tx, (fired,))
        return fired

    def forget(self) -> None:
        """Forget what was not handed over: its transaction failed."""
        self._due = []
        self._claimed = []

    def drain(self, tx: Tx, book: Book, watch: Watch) -> None:
        """Carry out what follows from what a watch has seen, and what follows from that."""
        while watch.effects:
            happened, watch.effects = watch.effects, []
            for rule_id, effect in happened:
                rule = book.rules.get(rule_id)
                if rule is None:
                    continue
                if effect.what is Happening.STOPPED:
                    self._trip(tx, book, rule, effect)
                elif rule.enabled:
                    self._carry_out(tx, book, watch, rule, effect)

    def _carry_out(self, tx: Tx, book: Book, watch: Watch, rule: Rule, effect: Effect) -> None:
        if effect.what is Happening.NEAR_MISS:
            self._claim(tx)
            self._tell_near_miss(tx, rule, effect, watch)
            return
        direction = _DIRECTIONS[effect.what]
        at, since = from_micros(effect.at), from_micros(effect.since)
        key = (at if direction is Direction.TARGET else since).isoformat()
        left = None if effect.left is None else from_micros(effect.left)
        if _response(rule.plan, direction):
            self._due.append(_Due(rule, direction, key, at, since, left, watch.source, watch.said))
        now_is = book.rules.get(rule.id)
        if direction is Direction.ENTER and now_is is not None and now_is.enabled and now_is.plan.on_target:
            # The record has to know of the session before it can say when its target is reached.
            self.hand_over(tx)
            self.aim(tx, book, book.watch_of[rule.id], now_is)

    def hand_over(self, tx: Tx) -> None:
        """Let the hook do what became due."""
        self._claim(tx)
        while self._claimed:
            claimed, self._claimed = self._claimed, []
            self._fired(tx, claimed)
            self._claim(tx)

    def _claim(self, tx: Tx) -> None:
        """Enter the answers that became due into the books; those that are there already are not given again."""
        if self._due:
            due, self._due = self._due, []
            claimed = self._enter(tx, due, CLOCK)
            self.count += len(claimed)
            self._claimed += claimed

    def _enter(self, tx: Tx, due: Sequence[_Due], who: str) -> list[Fired]:
        now = self._clock.now()
        entries = []
        for one in due:
            part = part_of(one.rule.id, one.direction)
            occurrence = occurrences.new(one.rule.task_id, part, one.key, one.at, OccurrenceState.CLAIMED, now=now)
            entries.append((occurrence, one.told(now)))
        entered = occurrences.add_all(tx, entries, now=now, who=who)
        return [one.fired(claimed.id, now) for one, claimed in zip(due, entered, strict=True) if claimed is not None]

    def aim(self, tx: Tx, book: Book, watch: Watch, rule: Rule) -> None:
        """Ask when the target of a rule is reached, if it is inside an episode."""
        if not watch.is_inside(rule.id):
            return
        target = self._target_at(tx, rule.task_id)
        watch.aim(rule.id, None if target is None else micros(target))
        book.touch(watch)
        # Where an operation is under way, what follows from it is carried out in turn.
        self.drain(tx, book, watch)

    def _trip(self, tx: Tx, book: Book, rule: Rule, effect: Effect) -> None:
        self._claim(tx)
        now = self._clock.now()
        rule = replace(rule, stopped_by=StoppedBy.LIMIT, revision=rule.revision + 1, updated_at=now)
        watch = book.watch_of[rule.id]
        store.save(tx, rule, watch.id)
        book.rules[rule.id] = rule
        book.touch(watch)
        self.tell(tx, rule, Kind.RULE_STOPPED, who=CLOCK, why="limit", at=from_micros(effect.at).isoformat())
        self._stopped(tx, rule)

    def tell(self, tx: Tx, rule: Rule, kind: Kind, *, who: str, why: str = "", **data: object) -> None:
        """Write an entry about a rule into the journal."""
        told = {"rule": rule.id, "name": rule.plan.name, **data}
        journal.write(tx, rule.task_id, kind, at=self._clock.now(), who=who, why=why, data=told)

    def _tell_near_miss(self, tx: Tx, rule: Rule, effect: Effect, watch: Watch) -> None:
        data: dict[str, Any] = {
            "at": from_micros(effect.at).isoformat(),
            "since": from_micros(effect.since).isoformat(),
        }
        if effect.needed:
            data |= {"held": effect.held / SECOND, "needed": effect.needed / SECOND}
        if watch.source:
            data["source"] = watch.source
        self.tell(tx, rule, Kind.NEAR_MISS, who=CLOCK, why=effect.why or "", **data)
