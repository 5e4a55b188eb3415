"""What is said about the home, and what becomes of it: load → decide → save, one transaction a step.

A sentence is on disk before anybody tries to understand it. An answer counts only for the revision its questions were
asked at. The instant at which it was said and the zone stay the reference, however late the answers come.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

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
from zhixing.household.talking.answers import LONGEST_ANSWER, calls_off, read_answer
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
_ANSWERABLE = (TalkState.KEPT, TalkState.ASKED)
_BEGUN = "begun"
"""Why a kept sentence is not decided again: what it asks for (`op`, `tasks`) is being done."""
_ATTEMPTS = 3
"""How often a sentence is decided where others take its name meanwhile."""
_SEEN_IN_THE_HOME = (("camera", "A"), ("person", "A"))
_RESCUE = timedelta(seconds=5)
"""How long after keeping a sentence its understanding is taken up again if the process died in between."""

Writing = Callable[[], AbstractContextManager[Tx]]


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
        engine.register(UNDERSTAND, self._understand_kept, gave_up=self._lost)

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

        `sources`: the cameras of the room it came from, where that is known. `said_at`: when (None: now). The same `key`
        again returns what the first one became. Raises `BadInput` for empty text, `TooLarge` for more than
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
            self._expect(tx, talk)
        return self._take(talk)

    def home(self, sources: Sequence[str] = ()) -> Home:
        """Return the home as it is now, as a sentence said in it would be understood."""
        return self._ground.home(self._clock.now(), self._parts.zone, sources[:MOST_SOURCES])

    def find_by_key(self, key: str) -> Talk | None:
        """Return the talk that was begun with `key`."""
        with self._store.read() as tx:
            return store.find_by_key(tx, key)

    def get(self, talk_id: str) -> Talk:
        """Return a talk."""
        with self._store.read() as tx:
            return store.get(tx, talk_id)

    def list(self, *, states: Collection[TalkState] = (), limit: int = 50, before: str | None = None) -> store.Page:
        """Return talks, the newest first, from behind the cursor `before`."""
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
                return store.save(tx, _called_off(talk, "cancelled"))
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
            self._expect(tx, store.save(tx, talk))
        return self._take(talk)

    def cancel(self, talk_id: str, *, who: str) -> Talk:
        """Call off what is open; one that has ended stays as it is."""
        with self._store.write() as tx:
            talk = store.get(tx, talk_id)
            if not talk.open:
                return talk
            if talk.why == _BEGUN:
                raise Conflict("talk_ended", text=talk.text[:40])
            self._engine.cancel(tx, _rescue_key(talk))
            return store.save(tx, _called_off(talk, f"by:{who}"))

    def retry(self, talk_id: str) -> Talk:
        """Try again to understand what could not be read, or is waiting."""
        with self._store.write() as tx:
            talk = store.get(tx, talk_id)
            if talk.state not in (TalkState.UNREAD, TalkState.PENDING_AI, TalkState.KEPT):
                raise Conflict("talk_ended", text=talk.text[:40])
            begun = _BEGUN if talk.why == _BEGUN else ""
            talk = replace(talk, state=TalkState.KEPT, revision=talk.revision + 1, reply=None, lines=(), why=begun)
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

    def _follow(self, talk: Talk, writing: Writing) -> Talk:
        """Decide with everything looked at before; write in the transaction that `writing` opens.

        Where another sentence took the name of the task meanwhile, it is decided anew: that task may do the same.
        """
        for _ in range(_ATTEMPTS):
            site = self._site_of(talk)
            wanted = self._step(talk, site)
            step = self._operated(talk, wanted, site) if isinstance(wanted, Operate) else wanted
            try:
                plans = [_rule_plans(one, self._hub) for one in step.made] if isinstance(step, Make) else []
                return self._write(talk, step, plans, writing)
            except (BadInput, Conflict, Refused) as problem:
                # What can be composed and cannot be made: a bound of the home was passed, or somebody was quicker.
                refused = Refuse(problem.key, str(problem))
                if problem.key != "household_task_exists":
                    break
        return self._write(talk, refused, [], writing)

    def _write(
        self,
        talk: Talk,
        step: Step | Operated | Unread,
        plans: Sequence[Sequence[Plan]],
        writing: Writing,
    ) -> Talk:
        with writing() as tx:
            kept = store.get(tx, talk.id)
            if not _is_same(kept, talk):
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
        if talk.why == _BEGUN:
            return Operate(talk.op, talk.tasks)
        try:
            return decide(_assembly(talk, site), site, talk.answers, now=self._clock.now(), about=talk.tasks)
        except Misread as misread:
            if misread.why is Fault.ANSWER:
                return AskModel("answer")
            return Unread(str(misread) if misread.why is Fault.BEYOND else wording("talking.unread"), misread.why.value)

    def _settle(self, tx: Tx, talk: Talk, step: Step | Operated | Unread, plans: Sequence[Sequence[Plan]]) -> Talk:
        match step:
            case Ask():
                asked = questions_of(step.open, talk.id, talk.revision)
                return store.save(
                    tx,
                    replace(
                        talk,
                        state=TalkState.ASKED,
                        questions=asked,
                        prompt=step.open.prompt,
                        op=step.op,
                        tasks=step.about,
                    ),
                )
            case AskModel():
                return self._to_model(tx, talk, step.why)
            case Unread():
                return store.save(tx, _closed(talk, TalkState.UNREAD, (step.line,), step.why))
            case Refuse():
                return store.save(tx, _closed(talk, TalkState.REFUSED, (step.line,), step.why))
            case Leave():
                state = TalkState.DONE if step.why == "none" else TalkState.CANCELLED
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
        """Do it; what cannot be done is said in one line.

        What is to be done, and to which tasks, is on disk before: whoever takes it up after a crash would not find the
        tasks that are gone, and must not take the words for others.
        """
        operate = self._operating.operate if self._begin(talk, step) else self._operating.resume
        try:
            done = operate(step.op, step.targets, talk.text, site.home, who=talk.who)
        except (BadInput, Conflict, Refused) as problem:
            return Operated(step.op, step.targets, (str(problem),), failed=True)
        return Operated(step.op, step.targets, done)

    def _begin(self, talk: Talk, step: Operate) -> bool:
        """Write down what is going to be done; return whether nobody has begun before."""
        with self._store.write() as tx:
            kept = store.get(tx, talk.id)
            begins = _is_same(kept, talk) and kept.why != _BEGUN
            if begins:
                store.save(tx, replace(kept, op=step.op, tasks=step.targets, why=_BEGUN))
            return begins

    def _lost(self, tx: Tx, job: Job, _why: str) -> None:
        """Say of a sentence that it was not read when all attempts were in vain; it can be tried again."""
        talk = store.get(tx, str(job.payload["talk"]))
        if talk.state is TalkState.KEPT and _rescue_key(talk) == job.key:
            store.save(tx, _closed(talk, TalkState.UNREAD, (wording("talking.unread"),), "gave_up"))

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


def _is_same(kept: Talk, talk: Talk) -> bool:
    """Whether a talk is still where it was when it was looked at."""
    return kept.state is TalkState.KEPT and kept.revision == talk.revision


def _assembly(talk: Talk, site: Site) -> Assembly:
    """Understand a talk: by the rules, or by what a model made of it. Raises `Misread` where that is not used."""
    answers = _continuing(talk.answers)
    found = _understood(talk, answers, site)
    clash = found.clash
    if clash is not None and talk.tasks and clash.task.id not in talk.tasks and clash.kind in answers:
        # What was answered was about another task than the one that stands in the way now.
        found = _understood(talk, {kind: said for kind, said in answers.items() if kind != clash.kind}, site)
    return found


def _understood(talk: Talk, answers: Mapping[str, str], site: Site) -> Assembly:
    request = Request(talk.text, site.home, answers)
    return assemble(request) if talk.reply is None else read_reply(msgspec.json.decode(talk.reply), request, site)


def _continuing(answers: Mapping[str, str]) -> dict[str, str]:
    """Return the answers that the understanding goes on with.

    That a camera was let in, or somebody entered, is seen in the home itself, or else asked again.
    """
    return {kind: value for kind, value in answers.items() if (kind, value) not in _SEEN_IN_THE_HOME}


def _rule_plans(composed: Composed, hub: DeviceHub) -> list[Plan]:
    lookup = Lookup(hub)
    return [make_plan(lookup.resolved(rule)) for rule in composed.plan.rules]


def _closed(talk: Talk, state: TalkState, lines: tuple[str, ...], why: str) -> Talk:
    return replace(talk, state=state, lines=lines, why=why, questions=(), prompt="", tasks=())


def _called_off(talk: Talk, why: str) -> Talk:
    """End a talk in which nothing was done: a task was not made, or those that exist stay as they are."""
    line = wording("talking.cancelled" if talk.op in ("", "create") else "talking.untouched")
    return _closed(talk, TalkState.CANCELLED, (line,), why)


def _rescue_key(talk: Talk) -> str:
    return f"household.understand:{talk.id}:{talk.revision}"
