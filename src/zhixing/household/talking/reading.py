"""Having a model read what the rules are not certain of: durable, so that a dead network only delays it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import msgspec

from zhixing.engine.model import Engine, Job, RetryAt, Run
from zhixing.engine.shares import MODELS
from zhixing.household.assembling.request import Request
from zhixing.household.composing.model import Site
from zhixing.household.modelling.prompting import check_for, question_about
from zhixing.household.talking import store
from zhixing.household.talking.talk import Talk, TalkState
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import Unavailable
from zhixing.store.connection import Store, Tx
from zhixing.world.models.failures import ModelFailure, ModelUnavailable
from zhixing.world.models.port import Model

READ = "household.read"
LANE = "model"
"""The lane of the notices' questions, too: one at a time is what a household's endpoint is built for."""
MOST_WAITING = 1_000
_PAUSE = timedelta(minutes=10)
"""How long a sentence waits for a home that cannot be looked at."""

Replied = Callable[[Tx, str, int, str], None]
"""Takes a reply (talk, revision it was asked at, JSON text) in the transaction that ends the job."""
SiteOf = Callable[[Talk], Site]


class Reading:
    """Asks `model` about talks; `replied` and `failed` say what becomes of them (`failed` gets the failure's code)."""

    def __init__(
        self,
        database: Store,
        engine: Engine,
        clock: Clock,
        model: Model,
        site_of: SiteOf,
        *,
        replied: Replied,
        failed: Replied,
    ) -> None:
        self._store = database
        self._engine = engine
        self._clock = clock
        self._model = model
        self._site_of = site_of
        self._replied = replied
        self._failed = failed
        engine.register(READ, self._read, gave_up=self._gave_up, share=MODELS)

    def expect(self, tx: Tx, talk: Talk) -> None:
        """Have a talk read; in the transaction that makes it `pending_ai`."""
        payload = {"talk": talk.id, "revision": talk.revision}
        self._engine.enqueue(
            tx, Job(READ, f"household.read:{talk.id}:{talk.revision}", self._clock.now(), payload, LANE)
        )

    def take_up(self) -> int:
        """Have everything read that was kept while there was no model; return how many wait."""
        with self._store.read() as tx:
            waiting = store.waiting(tx, MOST_WAITING)
        if waiting:
            with self._store.write() as tx:
                for talk in waiting:
                    self.expect(tx, talk)
        return len(waiting)

    def _gave_up(self, tx: Tx, job: Job, _why: str) -> None:
        self._failed(tx, str(job.payload["talk"]), int(job.payload["revision"]), "gave_up")

    def _read(self, run: Run) -> None:
        talk_id, revision = str(run.job.payload["talk"]), int(run.job.payload["revision"])
        with run.checkpoint() as tx:
            talk = store.get(tx, talk_id)
        if not awaits(talk, revision):
            return
        try:
            site = self._site_of(talk)
        except Unavailable as away:
            raise RetryAt(self._clock.now() + _PAUSE, away.key) from away
        request = Request(talk.text, site.home, talk.answers)
        try:
            reply = self._model.ask(question_about(request), check_for(request, site))
        except ModelUnavailable as failure:
            raise RetryAt(self._clock.now() + failure.pause(run.attempt), failure.why.value) from failure
        except ModelFailure as failure:
            with run.commit() as tx:
                self._failed(tx, talk_id, revision, failure.why.value)
            return
        with run.commit() as tx:
            self._replied(tx, talk_id, revision, msgspec.json.encode(reply.value).decode())


def awaits(talk: Talk, revision: int) -> bool:
    """Whether a talk still waits for this very reply."""
    return talk.state is TalkState.PENDING_AI and talk.revision == revision
