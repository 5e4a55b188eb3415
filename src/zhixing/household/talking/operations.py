"""What is said about the home, and what becomes of it: load → decide → save, one transaction a step.

A sentence is on disk before anybody tries to understand it. An answer counts only for the revision its questions were
asked at. The instant at which it was said and the zone stay the reference, however late the answers come.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from zhixing.engine.model import Engine
from zhixing.household.assembling.request import Home
from zhixing.household.parts import Parts
from zhixing.household.talking import store
from zhixing.household.talking.answers import LONGEST_ANSWER, calls_off, read_answer
from zhixing.household.talking.following import Following, rescue_key
from zhixing.household.talking.ground import Ground
from zhixing.household.talking.operating import Operating
from zhixing.household.talking.talk import BEGUN, Talk, TalkState, called_off
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, Conflict, StoreUnavailable, TooLarge, Unavailable
from zhixing.store.connection import Store
from zhixing.world.devices.port import DeviceHub
from zhixing.world.models.port import Model

LONGEST_TEXT = 500
LONGEST_KEY = 200
MOST_OPEN = 200
"""Sentences that wait for an answer at the same time."""
MOST_SOURCES = 20
_ANSWERABLE = (TalkState.KEPT, TalkState.ASKED)


class Talks:
    """Says, answers, retries; without a model, what needs one is kept and waits."""

    def __init__(
        self,
        database: Store,
        engine: Engine,
        clock: Clock,
        *,
        hub: DeviceHub,
        parts: Parts,
        ground: Ground,
        operating: Operating,
        model: Model | None = None,
    ) -> None:
        self._store = database
        self._engine = engine
        self._clock = clock
        self._parts = parts
        self._ground = ground
        self._following = Following(
            database, engine, clock, hub=hub, parts=parts, ground=ground, operating=operating, model=model
        )

    def say(
        self,
        text: str,
        *,
        who: str,
        key: str | None = None,
        sources: Sequence[str] = (),
        said_at: datetime | None = None,
    ) -> Talk:
        """Keep a sentence, then do what it asks for, or ask what it leaves open.

        `sources`: the cameras of the room it came from, where that is known. `said_at`: when (None: now). The
        same `key` again returns what the first one became. Raises `BadInput` for empty text, `TooLarge` for more than
        `LONGEST_TEXT` characters or while `MOST_OPEN` sentences wait for an answer.
        """
        words = "\n".join(filter(None, (" ".join(line.split()) for line in text.splitlines())))
        _check(words, key)
        with self._store.write() as tx:
            if key is not None and (known := store.find_by_key(tx, key)) is not None:
                return known
            if store.count(tx, _ANSWERABLE) >= MOST_OPEN:
                raise TooLarge("talks_many", limit=MOST_OPEN)
            talk = store.insert(
                tx,
                words,
                who=who,
                zone=self._parts.zone,
                sources=tuple(sources)[:MOST_SOURCES],
                said_at=said_at or self._clock.now(),
                key=key,
            )
            self._following.expect(tx, talk)
        return self._following.take(talk)

    def home(self, sources: Sequence[str] = ()) -> Home:
        """Return the home as it is now, for a sentence that is said in it; without what cannot be reached."""
        now, zone, cameras = self._clock.now(), self._parts.zone, sources[:MOST_SOURCES]
        try:
            return self._ground.home(now, zone, cameras)
        except StoreUnavailable:
            raise
        except Unavailable:
            return self._ground.unseen(now, zone, cameras)

    def find_by_key(self, key: str) -> Talk | None:
        """Return the talk that was begun with `key`."""
        with self._store.read() as tx:
            return store.find_by_key(tx, key)

    def get(self, talk_id: str) -> Talk:
        """Return a talk."""
        with self._store.read() as tx:
            return store.get(tx, talk_id)

    def list(
        self, *, states: Collection[TalkState] = (), limit: int = 50, before: str | None = None
    ) -> tuple[Talk, ...]:
        """Return talks, the newest first."""
        return self.page(states=states, limit=limit, before=before).talks

    def page(self, *, states: Collection[TalkState] = (), limit: int = 50, before: str | None = None) -> store.Page:
        """Return talks, the newest first, and where the next page begins."""
        with self._store.read() as tx:
            return store.page(tx, states=states, limit=limit, before=before)

    def answer(self, talk_id: str, words: str, *, who: str, revision: int | None = None) -> Talk:
        """Take the answer to what is open. `revision` is the one it was asked at (None: the newest).

        Raises `Conflict` where nothing is open any more, `BadInput` for words that are no answer.
        """
        if len(words) > LONGEST_ANSWER:
            raise TooLarge("answer_long", limit=LONGEST_ANSWER)
        with self._store.write() as tx:
            talk = store.get(tx, talk_id)
            asked = talk.state is TalkState.ASKED or (talk.state is TalkState.PENDING_AI and calls_off(words))
            if not asked or (revision is not None and revision != talk.revision):
                raise Conflict("question_closed", title=talk.text[:40])
            answered = read_answer(talk.questions, words)
            if answered.called_off:
                return store.save(tx, called_off(talk, "cancelled"))
            talk = replace(
                talk,
                who=who,
                answers={**talk.answers, **answered.values},
                state=TalkState.KEPT,
                revision=talk.revision + 1,
                questions=(),
                prompt="",
                why="",
            )
            self._following.expect(tx, store.save(tx, talk))
        return self._following.take(talk)

    def cancel(self, talk_id: str, *, who: str) -> Talk:
        """Call off what is open; one that has ended stays as it is."""
        with self._store.write() as tx:
            talk = store.get(tx, talk_id)
            if not talk.open:
                return talk
            if talk.why == BEGUN:
                raise Conflict("talk_ended", text=talk.text[:40])
            self._engine.cancel(tx, rescue_key(talk))
            return store.save(tx, called_off(talk, f"by:{who}"))

    def retry(self, talk_id: str) -> Talk:
        """Try again to understand what could not be read, or is waiting."""
        with self._store.write() as tx:
            talk = store.get(tx, talk_id)
            if talk.state not in (TalkState.UNREAD, TalkState.PENDING_AI, TalkState.KEPT):
                raise Conflict("talk_ended", text=talk.text[:40])
            begun = BEGUN if talk.why == BEGUN else ""
            talk = replace(talk, state=TalkState.KEPT, revision=talk.revision + 1, reply=None, lines=(), why=begun)
            self._following.expect(tx, store.save(tx, talk))
        return self._following.take(talk)

    def take_up(self) -> None:
        """Have read what waited for a model; before the engine starts."""
        if self._following.reading is not None:
            self._following.reading.take_up()


def _check(words: str, key: str | None) -> None:
    if not words:
        raise BadInput("text_empty")
    if len(words) > LONGEST_TEXT:
        raise TooLarge("text_long", limit=LONGEST_TEXT)
    if "\x00" in words:
        # PostgreSQL cannot keep it, and no person typed it.
        raise BadInput("text_nul")
    if key is not None and not 0 < len(key) <= LONGEST_KEY:
        raise BadInput("key_long", limit=LONGEST_KEY)
