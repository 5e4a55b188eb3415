"""Having a model read what waits for one: durable, so that a restart or a dead network only delays it.

The notice is `pending_ai` before its job exists (document 004 §6). A reply is believed only as far as `verify` lets it;
it is kept as it came and read again with every answer. First submission and zone stay the reference for ever.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from zhixing.engine.model import Engine, Job, RetryAt, Run
from zhixing.engine.shares import MODELS
from zhixing.kernel.clock import Clock
from zhixing.notices import album, store
from zhixing.notices.model import Source
from zhixing.notices.notice import Notice, NoticeState
from zhixing.notices.prompting import evidence_check, question_about, question_about_picture
from zhixing.store.connection import Store, Tx
from zhixing.world.models.failures import ModelFailure, ModelUnavailable
from zhixing.world.models.port import Model, Prompt

READ = "notice.read"
LANE = "model"
"""One question at a time: a household's endpoint is rarely built for more."""
MOST_WAITING = 1_000
"""Notices that are taken up at once when a model appears."""

Replied = Callable[[Tx, str, int, str], None]
"""Takes a reply (task, revision it was asked at, JSON text) in the transaction that ends the job."""


class Reading:
    """Asks `model` about waiting notices; `replied` and `failed` decide what becomes of them.

    `failed` gets the code of a `ModelFailure` that asking again would not mend.
    """

    def __init__(
        self, database: Store, engine: Engine, clock: Clock, model: Model, *, replied: Replied, failed: Replied
    ) -> None:
        self._store = database
        self._engine = engine
        self._clock = clock
        self._model = model
        self._replied = replied
        self._failed = failed
        engine.register(READ, self._read, share=MODELS)

    def expect(self, tx: Tx, task_id: str, revision: int) -> None:
        """Have the notice read; to be called in the transaction that makes it `pending_ai`."""
        payload = {"task": task_id, "revision": revision}
        self._engine.enqueue(tx, Job(READ, f"read:{task_id}:{revision}", self._clock.now(), payload, LANE))

    def take_up(self) -> int:
        """Have everything read that was kept while there was no model; return how many notices wait."""
        with self._store.write() as tx:
            waiting = store.in_state(tx, NoticeState.PENDING_AI, MOST_WAITING)
            for task_id in waiting:
                notice = store.get(tx, task_id)
                is_picture = notice.current.source is Source.IMAGE
                if notice.is_legible and (self._model.sees or not is_picture):
                    self.expect(tx, task_id, notice.task.revision)
        return len(waiting)

    def _read(self, run: Run) -> None:
        task_id, revision = str(run.job.payload["task"]), int(run.job.payload["revision"])
        with run.checkpoint() as tx:
            notice = store.get(tx, task_id)
            waits = _waits(notice, revision)
            prompt = _question(tx, notice) if waits else None
        if prompt is None:
            return
        try:
            reply = self._model.ask(prompt, evidence_check(notice.current))
        except ModelUnavailable as failure:
            raise RetryAt(self._clock.now() + failure.pause(run.attempt), failure.why.value) from failure
        except ModelFailure as failure:
            with run.commit() as tx:
                self._failed(tx, task_id, revision, failure.why.value)
            return
        with run.commit() as tx:
            self._replied(tx, task_id, revision, msgspec.json.encode(reply.value).decode())


def _question(tx: Tx, notice: Notice) -> Prompt | None:
    """Return what to ask about the words, or about the picture; None where the picture is not there."""
    if notice.current.source is not Source.IMAGE:
        return question_about(notice.current)
    picture = album.picture_of(tx, notice.task.id)
    return None if picture is None else question_about_picture(notice.current, picture)


def _waits(notice: Notice, revision: int) -> bool:
    """Whether the notice still waits for this very reply: not edited, ended or restored meanwhile."""
    waiting = notice.state is NoticeState.PENDING_AI and notice.task.active
    return waiting and notice.task.revision == revision
