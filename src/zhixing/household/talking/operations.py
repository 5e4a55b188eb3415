"""What is said about the home, and what becomes of it: load → decide → save, one transaction a step.

A sentence is on disk before anybody tries to understand it. An answer counts only for the revision its questions were
asked at. The instant at which it was said and the zone stay the reference, however late the answers come.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import timedelta

import msgspec

from zhixing.engine.model import Engine, Job, Run
from zhixing.household import creating, registry
from zhixing.household.assembling.assembler import Assembly, assemble
from zhixing.household.assembling.request import Home, Request
from zhixing.household.composing.model import Composed, Site
from zhixing.household.modelling.misreading import Fault, Misread
from zhixing.household.modelling.reading import read_reply
from zhixing.household.parts import Parts
from zhixing.household.resolving import Lookup
from zhixing.household.rulebook import make_plan
from zhixing.household.talking import store
from zhixing.household.talking.answers import LONGEST_ANSWER, read_answer
from zhixing.household.talking.deciding import Ask, AskModel, Leave, Make, Operate, Refuse, Step, decide
from zhixing.household.talking.ground import Ground
from zhixing.household.talking.operating import Operating
from zhixing.household.talking.options import questions_of
from zhixing.household.talking.reading import Reading, awaits
from zhixing.household.talking.talk import Talk, TalkState
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, Conflict, Refused, TooLarge, Unavailable
from zhixing.kernel.wording import wording
from zhixing.store.connection import Store, Tx
from zhixing.tasks.rules.model import Plan
from zhixing.world.devices.port import DeviceHub
from zhixing.world.models.port import Model

UNDERSTAND = "household.understand"
LONGEST_TEXT = 500
LONGEST_KEY = 200
MOST_OPEN = 200
"""Sentences that wait for an answer or a model at the same time."""
MOST_SOURCES = 20
_SEEN_IN_THE_HOME = (("camera", "A"), ("person", "A"))
_RESCUE = timedelta(seconds=5)
"""How long after keeping a sentence its understanding is taken up again if the process died in between."""


@dataclass(frozen=True, slots=True)
class Operated:
    """What was done about existing tasks, and what there is to say about it."""

    op: str
    targets: tuple[str, ...]
    lines: tuple[str, ...]
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Unread:
    """What a model said cannot be used; `line` says so to the user."""

    line: str
    why: str


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
        self._hub = hub
        self._parts = parts
        self._ground = ground
        self._operating = operating
        self._reading = (
            None
            if model is None
            else Reading(
                database, engine, clock, model, self._site_of, replied=self._replied, failed=self._not_readable
            )
        )
        engine.register(UNDERSTAND, self._understand_kept)

    def say(self, text: str, *, who: str, key: str | None = None, sources: Sequence[str] = ()) -> Talk:
        """Keep a sentence, then do what it asks for, or ask what it leaves open.

        `sources`: the cameras of the room it came from, where that is known. The same `key` again returns what the
        first one became. Raises `BadInput` for empty text, `TooLarge` for more than `LONGEST_TEXT` characters.
        """
        words = " ".join(text.split())
        if not words:
            raise BadInput("text_empty")
        if len(words) > LONGEST_TEXT:
            raise TooLarge("text_long", limit=LONGEST_TEXT)
        if key is not None and len(key) > LONGEST_KEY:
            raise TooLarge("key_long", limit=LONGEST_KEY)
        with self._store.write() as tx:
            if key is not None and (known := store.find_by_key(tx, key)) is not None:
                return known
            if store.count_open(tx) >= MOST_OPEN:
                raise TooLarge("talks_many", limit=MOST_OPEN)
            now = self._clock.now()
            talk = store.insert(
                tx,
                words,
                who=who,
                zone=self._parts.zone,
                sources=tuple(sources)[:MOST_SOURCES],
                said_at=now,
                key=key,
            )
            self._expect(tx, talk)
        return self._take(talk)

    def home(self, sources: Sequence[str] = ()) -> Home:
        """Return the home as it is now, as a sentence said in it would be understood."""
        return self._ground.site(self._clock.now(), self._parts.zone, tuple(sources)[:MOST_SOURCES]).home

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
            if talk.state is not TalkState.ASKED or (revision is not None and revision != talk.revision):
                raise Conflict("question_closed", title=talk.text[:40])
            answered = read_answer(talk.questions, words)
            if answered.called_off:
                return store.save(tx, _closed(talk, TalkState.CANCELLED, (wording("talking.cancelled"),), "cancelled"))
            talk = replace(
                talk,
                who=who,
                answers={**talk.answers, **answered.values},
                state=TalkState.KEPT,
                revision=talk.revision + 1,
                questions=(),
                prompt="",
            )
            self._expect(tx, store.save(tx, talk))
        return self._take(talk)

    def cancel(self, talk_id: str, *, who: str) -> Talk:
        """Call off what is open; one that has ended stays as it is."""
        with self._store.write() as tx:
            talk = store.get(tx, talk_id)
            if not talk.open:
                return talk
            self._engine.cancel(tx, _rescue_key(talk))
            return store.save(tx, _closed(talk, TalkState.CANCELLED, (wording("talking.cancelled"),), f"by:{who}"))

    def retry(self, talk_id: str) -> Talk:
        """Try again to understand what could not be read, or is waiting."""
        with self._store.write() as tx:
            talk = store.get(tx, talk_id)
            if talk.state not in (TalkState.UNREAD, TalkState.PENDING_AI, TalkState.KEPT):
                raise Conflict("talk_ended", text=talk.text[:40])
            talk = replace(talk, state=TalkState.KEPT, revision=talk.revision + 1, reply=None, lines=(), why="")
            self._expect(tx, store.save(tx, talk))
        return self._take(talk)

    def take_up(self) -> None:
        """Have read what waited for a model; before the engine starts."""
        if self._reading is not None:
            self._reading.take_up()

    # Deciding and doing

    def _expect(self, tx: Tx, talk: Talk, pause: timedelta = _RESCUE) -> None:
        """Have a kept sentence understood by a job, unless whoever kept it is quicker."""
        due = self._clock.now() + pause
        self._engine.enqueue(tx, Job(UNDERSTAND, _rescue_key(talk), due, {"talk": talk.id}, talk.id))

    def _take(self, talk: Talk) -> Talk:
        """Do what follows for a talk that is kept. The words are on disk: if the store is gone, their job does it."""
        try:
            return self._follow(talk, self._store.write)
        except Unavailable:
            return talk

    def _follow(self, talk: Talk, writing: Callable[[], AbstractContextManager[Tx]]) -> Talk:
        """Decide with everything looked at before; write in the transaction that `writing` opens."""
        site = self._site_of(talk)
        wanted = self._step(talk, site)
        step = self._operated(talk, wanted, site) if isinstance(wanted, Operate) else wanted
        try:
            plans = [_rule_plans(one, self._hub) for one in step.made] if isinstance(step, Make) else []
            return self._write(talk, step, plans, writing)
        except (BadInput, Conflict, Refused) as problem:
            # What can be composed and cannot be made: a bound of the home was passed, or somebody was quicker.
            return self._write(talk, Refuse(problem.key, str(problem)), [], writing)

    def _write(
        self,
        talk: Talk,
        step: Step | Operated | Unread,
        plans: Sequence[Sequence[Plan]],
        writing: Callable[[], AbstractContextManager[Tx]],
    ) -> Talk:
        with writing() as tx:
            kept = store.get(tx, talk.id)
            if kept.state is not TalkState.KEPT or kept.revision != talk.revision:
                return kept  # another process was quicker
            self._engine.cancel(tx, _rescue_key(talk))
            return self._settle(tx, kept, step, plans)

    def _understand_kept(self, run: Run) -> None:
        """Take up a sentence whose process died between keeping and understanding it, or whose reply has come."""
        with run.checkpoint() as tx:
            talk = store.get(tx, str(run.job.payload["talk"]))
        if talk.state is TalkState.KEPT:
            self._follow(talk, run.commit)

    def _site_of(self, talk: Talk) -> Site:
        return self._ground.site(talk.said_at, talk.zone, talk.sources)

    def _step(self, talk: Talk, site: Site) -> Step | Unread:
        try:
            return decide(_assembly(talk, site), site, talk.answers)
        except Misread as misread:
            if misread.why is Fault.ANSWER:
                return AskModel("answer")
            return Unread(str(misread) if misread.why is Fault.BEYOND else wording("talking.unread"), misread.why.value)

    def _settle(self, tx: Tx, talk: Talk, step: Step | Operated | Unread, plans: Sequence[Sequence[Plan]]) -> Talk:
        match step:
            case Ask():
                asked = questions_of(step.open, talk.id, talk.revision)
                return store.save(
                    tx, replace(talk, state=TalkState.ASKED, questions=asked, prompt=step.open.prompt, op="create")
                )
            case AskModel():
                return self._to_model(tx, talk, step.why)
            case Unread():
                return store.save(tx, _closed(talk, TalkState.UNREAD, (step.line,), step.why))
            case Refuse():
                return store.save(tx, _closed(talk, TalkState.REFUSED, (step.line,), step.why))
            case Leave():
                state = TalkState.CANCELLED if step.why == "cancelled" else TalkState.DONE
                return store.save(tx, _closed(talk, state, (wording(f"talking.{step.why}"),), step.why))
            case Make():
                return self._make(tx, talk, step, plans)
            case Operated():
                state = TalkState.REFUSED if step.failed else TalkState.DONE
                closed = _closed(talk, state, step.lines, "")
                return store.save(tx, replace(closed, op=step.op, tasks=step.targets))
            case Operate():
                raise ValueError(step)

    def _to_model(self, tx: Tx, talk: Talk, why: str) -> Talk:
        if talk.reply is not None and why != "answer":
            # A model has read it already, and nothing can be made of what it said.
            return store.save(tx, _closed(talk, TalkState.UNREAD, (wording("talking.unread"),), why))
        # An answer that only a model can take into account is given to it with the words.
        talk = store.save(tx, replace(talk, state=TalkState.PENDING_AI, why=why, reply=None))
        if self._reading is not None:
            self._reading.expect(tx, talk)
        return talk

    def _make(self, tx: Tx, talk: Talk, step: Make, plans: Sequence[Sequence[Plan]]) -> Talk:
        parts, who = self._parts, talk.who
        for slug in step.ends:
            if (gone := registry.find(tx, slug)) is not None:
                parts.tasks.delete(tx, gone, who=who, why=f"replaced:{talk.id}")
        for slug in step.pauses:
            if (task_id := registry.find(tx, slug)) is not None and registry.get(tx, slug).task.active:
                parts.tasks.pause(tx, task_id, who=who)
        made = [
            creating.make_all(parts, tx, composed.plan, rule_plans, who=who)
            for composed, rule_plans in zip(step.made, plans, strict=True)
        ]
        lines = tuple(line for composed in step.made for line in composed.report.lines)
        closed = _closed(talk, TalkState.DONE, lines, "")
        return store.save(tx, replace(closed, op="create", tasks=tuple(one.slug for one in made)))

    def _operated(self, talk: Talk, step: Operate, site: Site) -> Operated:
        """Do it; what cannot be done is said in one line."""
        try:
            done = self._operating.operate(step.op, step.targets, talk.text, site.home, who=talk.who)
        except (BadInput, Conflict, Refused) as problem:
            return Operated(step.op, step.targets, (str(problem),), failed=True)
        return Operated(step.op, step.targets, done)

    # What a model says

    def _replied(self, tx: Tx, talk_id: str, revision: int, reply: str) -> None:
        """Take a model's reply; one that comes too late changes nothing. What follows is a job of its own."""
        talk = store.get(tx, talk_id)
        if not awaits(talk, revision):
            return
        talk = store.save(tx, replace(talk, state=TalkState.KEPT, revision=revision + 1, reply=reply, why=""))
        self._expect(tx, talk, timedelta(0))

    def _not_readable(self, tx: Tx, talk_id: str, revision: int, why: str) -> None:
        talk = store.get(tx, talk_id)
        if awaits(talk, revision):
            store.save(tx, _closed(talk, TalkState.UNREAD, (wording("talking.unread"),), f"model_{why}"))


def _assembly(talk: Talk, site: Site) -> Assembly:
    """Understand a talk: by the rules, or by what a model made of it. Raises `Misread` where that is not used."""
    request = Request(talk.text, site.home, _continuing(talk.answers))
    if talk.reply is None:
        return assemble(request)
    return read_reply(msgspec.json.decode(talk.reply), request, site)


def _continuing(answers: Mapping[str, str]) -> dict[str, str]:
    """Return the answers that the understanding goes on with.

    That a camera was let in, or somebody entered, is seen in the home itself, or else asked again.
    """
    return {kind: value for kind, value in answers.items() if (kind, value) not in _SEEN_IN_THE_HOME}


def _rule_plans(composed: Composed, hub: DeviceHub) -> list[Plan]:
    lookup = Lookup(hub)
    return [make_plan(lookup.resolved(rule)) for rule in composed.plan.rules]


def _closed(talk: Talk, state: TalkState, lines: tuple[str, ...], why: str) -> Talk:
    return replace(talk, state=state, lines=lines, why=why, questions=(), prompt="")


def _rescue_key(talk: Talk) -> str:
    return f"household.understand:{talk.id}:{talk.revision}"
