"""The threads that run handlers."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Generic, TypeVar

_log = logging.getLogger("zhixing.engine")

T = TypeVar("T")


class Crew(Generic[T]):
    """Up to `size` threads, hired when there is work for one more and kept until dismissed.

    They are daemons: a handler that never returns does not keep the process from ending; its job's lease runs out.
    """

    def __init__(self, size: int, work: Callable[[T], None]) -> None:
        self._size = size
        self._work = work
        self._tasks: SimpleQueue[T | None] = SimpleQueue()
        self._counting = threading.Lock()
        self._open = 0
        self._hired = 0

    def hand(self, task: T) -> None:
        """Have `task` worked on, at once if fewer than `size` are under way."""
        with self._counting:
            self._open += 1
            hire = self._hired < min(self._open, self._size)
            self._hired += hire
        self._tasks.put(task)
        if hire:
            threading.Thread(target=self._serve, name="zhixing-worker", daemon=True).start()

    def dismiss(self) -> None:
        """Let every thread end after what it is doing."""
        with self._counting:
            hired, self._hired = self._hired, 0
        for _ in range(hired):
            self._tasks.put(None)

    def _serve(self) -> None:
        while (task := self._tasks.get()) is not None:
            try:
                self._work(task)
            # The thread outlives whatever it was given; otherwise the crew would shrink without a word.
            except BaseException:  # noqa: BLE001
                _log.exception("a worker could not do its work")
            finally:
                with self._counting:
                    self._open -= 1
