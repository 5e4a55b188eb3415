"""`notify push`: something is told now, outside of any task that anybody made.

Each push is a task of its own, which has no slug and ends by itself: what could not be sent within a day is not worth
sending any more. The same words within `AGAIN` are told once (miloco §2.6), whichever process pushes them; words that
some channel certainly did not take may be pushed again at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from hashlib import blake2b

from zhixing.delivery import store
from zhixing.delivery.model import MessageState, Timing
from zhixing.household.descs import LONGEST_CONTENT, Medium
from zhixing.household.doing.telling import Telling
from zhixing.household.revisions import title_of
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.kernel.moments import micros
from zhixing.store.connection import Tx
from zhixing.tasks import occurrences
from zhixing.tasks.occurrence import OccurrenceState
from zhixing.tasks.operations import Tasks
from zhixing.tasks.task import Way, until

AGAIN = timedelta(seconds=60)
"""For how long the same words are the same push."""
KEPT = timedelta(days=1)
"""How long is tried to send it."""


@dataclass(frozen=True, slots=True)
class Pushed:
    """What became of a push; `fresh` is False where the same words were pushed just before."""

    fresh: bool
    occurrence_id: str


class Pushing:
    """Pushes through the channels that reach the phone; the inbox has it in any case."""

    def __init__(self, tasks: Tasks, telling: Telling, clock: Clock, zone: str) -> None:
        self._tasks = tasks
        self._telling = telling
        self._clock = clock
        self._zone = zone

    def push(self, tx: Tx, text: str, *, who: str) -> Pushed:
        """Tell `text` now."""
        words = " ".join(text.split())
        if not words:
            raise BadInput("text_empty")
        if len(words) > LONGEST_CONTENT:
            raise TooLarge("text_long", limit=LONGEST_CONTENT)
        now = self._clock.now()
        part = f"push:{blake2b(words.encode('utf-8', 'surrogatepass'), digest_size=12).hexdigest()}"
        before = self._before(tx, part)
        if before is not None:
            return Pushed(fresh=False, occurrence_id=before)
        task = self._tasks.create(
            tx,
            title=title_of(words),
            way=Way.HOUSEHOLD,
            zone_name=self._zone,
            who=who,
            lifecycle=until(now + KEPT),
            why="push",
        )
        made = occurrences.new(task.id, part, now.isoformat(), now, OccurrenceState.CLAIMED, now=now)
        entered = occurrences.add(tx, made, now=now, who=who) or made
        self._telling.tell(tx, task.id, entered.id, words, (Medium.PHONE,), due_at=now, timing=Timing.NAMED)
        return Pushed(fresh=True, occurrence_id=entered.id)

    def _before(self, tx: Tx, part: str) -> str | None:
        """Return the push of the same words that stands for this one, too, if there is one."""
        now = self._clock.now()
        row = tx.row(
            "SELECT id FROM occurrences WHERE due > ? AND due <= ? AND part = ? ORDER BY due DESC LIMIT 1",
            (micros(now - AGAIN), micros(now), part),
        )
        if row is None:
            return None
        messages = store.of_occurrence(tx, str(row[0]))
        return None if any(one.state is MessageState.FAILED for one in messages) else str(row[0])
