"""The board: bids of the bots that take relays, and the message to the one that was chosen (taskloop §4.9)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from zhixing.goals.bots.searching import MOST_RELAYS, Demand, relays
from zhixing.goals.reaching.directory import Contact, Directory, works_elsewhere
from zhixing.goals.reaching.relays import Relays
from zhixing.goals.reaching.speaking import BOT_UNKNOWN, Speaking, heard
from zhixing.goals.running.operations import Goals
from zhixing.goals.running.ports import Heard, NotSent, Question
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import ZhixingError
from zhixing.store.connection import Store
from zhixing.world.bots import port
from zhixing.world.bots.port import Errand, Unclear

BID_SECONDS = 170.0
"""How long one bot may think about its bid."""
ROUND_SECONDS = 180.0
"""How long a round of bids takes at most; who is not done then has not bid."""
MOST_THREADS = 4 * MOST_RELAYS
"""Bids that are waited for at once, those of earlier rounds that never came back among them."""


@dataclass(slots=True)
class _Round:
    """A round while it is asked: what came so far, by bot."""

    roster: tuple[str, ...]
    found: dict[str, Heard | None] = field(default_factory=dict)
    done: threading.Event = field(default_factory=threading.Event)
    turn: threading.Lock = field(default_factory=threading.Lock)

    def take(self, bot_id: str, answer: Heard | None) -> None:
        with self.turn:
            self.found[bot_id] = answer
            if len(self.found) == len(self.roster):
                self.done.set()

    def answers(self) -> list[tuple[str, Heard]]:
        """Return who answered so far, in the order of the roster."""
        with self.turn:
            found = dict(self.found)
        return [(bot, answer) for bot in self.roster if (answer := found.get(bot)) is not None]


class ReachingBoard:
    """See `Board`."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        directory: Directory,
        *,
        speaking: Speaking,
        relay_jobs: Relays,
        goals_of: Callable[[], Goals],
        seconds: float = ROUND_SECONDS,
    ) -> None:
        self._store = store
        self._clock = clock
        self._directory = directory
        self._speaking = speaking
        self._relay_jobs = relay_jobs
        self._goals_of = goals_of
        self._seconds = seconds
        self._places = threading.BoundedSemaphore(MOST_THREADS)

    def bids(self, question: Question) -> Sequence[tuple[str, Heard]]:
        """Ask for bids; see `Board`. Answers that came in time count, however many others did not."""
        roster = self._roster(question)
        if not roster:
            return ()
        asked = _Round(roster)
        for bot_id in roster:
            if not self._places.acquire(blocking=False):
                asked.take(bot_id, None)
                continue
            name = f"goal-bid-{bot_id[:32]}"
            threading.Thread(target=self._bid, args=(asked, bot_id, question), name=name, daemon=True).start()
        asked.done.wait(self._seconds)
        return asked.answers()

    def _roster(self, question: Question) -> tuple[str, ...]:
        graph = self._goals_of().graph(question.task_id)
        if graph is None:
            return ()
        demand = Demand(graph.root.id, graph.root.spec, self._clock.now(), graph.head.info.owner_bot_id)
        return relays(self._directory.catalog(), demand)

    def _bid(self, asked: _Round, bot_id: str, question: Question) -> None:
        answer = None
        try:
            key = f"{question.key}/{bot_id}"
            said = self._speaking.ask(bot_id, Errand(key, question.prompt, seconds=BID_SECONDS))
            answer = heard(said)
        except Unclear:
            # Asking changes nothing, so it does not matter whether it was heard.
            answer = None
        finally:
            self._places.release()
            asked.take(bot_id, answer)

    def message(self, question: Question) -> None:
        """Tell the winner; see `Board`. A bot that only answers is led through its relay by a job."""
        contact = self._contact(question)
        if works_elsewhere(contact.bot):
            try:
                contact.bot.send(_errand(question))
            except port.NotSent as error:
                raise NotSent(error.reason) from error
            return
        with self._store.write() as tx:
            self._relay_jobs.add(tx, question)

    def fate(self, question: Question) -> Literal["sent", "not_sent", "unknown"]:
        """Say whether the winner was told; see `Board`."""
        try:
            contact = self._contact(question)
        except NotSent:
            return "unknown"
        if works_elsewhere(contact.bot):
            found = contact.bot.whereabouts(_errand(question))
            return found if isinstance(found, str) else "sent"
        with self._store.read() as tx:
            return "sent" if self._relay_jobs.is_known(tx, question) else "not_sent"

    def _contact(self, question: Question) -> Contact:
        try:
            contact = self._directory.contact(question.bot_id)
        except ZhixingError as error:
            raise NotSent(error.key) from error
        if contact is None:
            raise NotSent(BOT_UNKNOWN)
        return contact


def _errand(question: Question) -> Errand:
    return Errand(question.key, question.prompt, attempt=question.attempt)
