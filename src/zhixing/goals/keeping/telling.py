"""Telling people of a goal: each piece of news is an occurrence of its task, told once through inbox and channels."""

from __future__ import annotations

from collections.abc import Collection
from hashlib import blake2b
from typing import Final

from zhixing.delivery.operations import Delivery
from zhixing.goals.keeping import links
from zhixing.goals.keeping.following import GOAL
from zhixing.goals.keeping.news import is_aside, is_empty, is_last, text_of
from zhixing.goals.running import rows
from zhixing.goals.running.ports import News
from zhixing.kernel.clock import Clock
from zhixing.store.connection import Store
from zhixing.tasks import occurrences
from zhixing.tasks import store as tasks_store
from zhixing.tasks.occurrence import OccurrenceState
from zhixing.tasks.task import Status

PART: Final = "goal"
"""The part of a task whose occurrences are the news of its goal."""
MOST_PUSHED: Final = 20
"""News of one goal that go to the channels; after that only the inbox has them, but for how it ended."""


class Telling:
    """The teller of goals; `channels` are those of the home."""

    def __init__(self, store: Store, clock: Clock, *, delivery: Delivery, channels: Collection[str]) -> None:
        self._store = store
        self._clock = clock
        self._delivery = delivery
        self._channels = tuple(channels)

    def tell(self, news: News) -> None:
        """Put news into the outbox, once for each key.

        Of a task that was deleted nothing is told but what its goal had come to.
        """
        with self._store.write() as tx:
            task_id = links.task_of(tx, news.task_id)
            task = None if task_id is None else tasks_store.find(tx, task_id)
            graph = rows.graph_of(tx, news.task_id)
            if task is None or graph is None or is_empty(news, graph):
                return
            if task.status is Status.DELETED and not is_last(news):
                return
            now = self._clock.now()
            pushed = is_last(news) or len(occurrences.of_part(tx, task.id, PART, MOST_PUSHED)) < MOST_PUSHED
            made = occurrences.new(task.id, PART, _digest(news.key), now, OccurrenceState.CLAIMED, now=now)
            data = {"topic": news.topic}
            entered = occurrences.add(tx, made, now=now, who=GOAL, data=data)
            if entered is None:
                return
            self._delivery.tell(
                tx,
                task_id=task.id,
                occurrence_id=entered.id,
                title=task.title,
                text=text_of(news, graph),
                due_at=now,
                channels=self._channels if pushed and not is_aside(news) else (),
            )


def _digest(key: str) -> str:
    """Return the key of an occurrence: ids in the keys of news are as long as bots like."""
    return blake2b(key.encode("utf-8", "replace"), digest_size=16).hexdigest()
