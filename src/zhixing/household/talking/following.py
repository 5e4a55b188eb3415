"""What follows a sentence that is kept: decided, then asked, made or done; in a call, or in a job after a crash."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import timedelta

import msgspec

from zhixing.engine.model import Engine, Job, RetryAt, Run
from zhixing.household import creating, registry
from zhixing.household.assembling.assembler import Assembly, Outcome, assemble
from zhixing.household.assembling.request import Request
from zhixing.household.composing.model import Composed, Site
from zhixing.household.modelling.misreading import Fault, Misread
from zhixing.household.modelling.reading import read_reply
from zhixing.household.parts import Parts
from zhixing.household.resolving import Lookup
from zhixing.household.rulebook import make_plan
from zhixing.household.talking import store
from zhixing.household.talking.deciding import Ask, AskModel, Leave, Make, Operate, Refuse, Step, decide
from zhixing.household.talking.ground import Ground
from zhixing.household.talking.operating import Operating
from zhixing.household.talking.options import questions_of
from zhixing.household.talking.reading import MOST_WAITING, Reading, awaits
from zhixing.household.talking.talk import BEGUN, Talk, TalkState, closed
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, Conflict, Refused, Unavailable
from zhixing.kernel.wording import wording
from zhixing.store.connection import Store, Tx
from zhixing.tasks.rules.model import Plan
from zhixing.world.devices.port import DeviceHub
from zhixing.world.models.port import Model

UNDERSTAND = "household.understand"
_ATTEMPTS = 3
"""How often a sentence is decided where others take the name of its task meanwhile."""
_ABOUT_TASKS = ("which_task", "confirm")
_LOOKING = ("list", "logs")
_PAUSE = timedelta(minutes=1)
"""How long a sentence waits for a home that cannot be looked at."""
_RESCUE = timedelta(seconds=5)
"""How long after keeping a sentence its understanding is taken up again if the process died in between."""
_SEEN_IN_THE_HOME = (("camera", "A"), ("person", "A"))

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


class Following:
    """Does what follows; whoever comes second, another process or the job, finds it done."""

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
        model: Model | None,
    ) -> None:
        self._store = database
        self._engine = engine
        self._clock = clock
        self._hub = hub
        self._parts = parts
        self._ground = ground
        self._operating = operating
        self.reading = (
            None
            if model is None
            else Reading(
                database, engine, clock, model, self._site_of, replied=self._replied, failed=self._not_readable
            )
        )
        engine.register(UNDERSTAND, self._understand_kept, gave_up=self._lost)

    def expect(self, tx: Tx, talk: Talk, pause: timedelta = _RESCUE) -> None:
        """Have a kept sentence understood by a job, unless whoever kept it is quicker."""
        due = self._clock.now() + pause
        self._engine.enqueue(tx, Job(UNDERSTAND, rescue_key(talk), due, {"talk": talk.id}, talk.id))

    def take(self, talk: Talk) -> Talk:
        """Do what follows for a talk that is kept. The words are on disk: if the store is gone, their job does it."""
        try:
            return self._follow(talk, self._store.write)
        except Unavailable:
            return talk

    def _follow(self, talk: Talk, writing: Writing) -> Talk:
        """Decide with everything looked at before; write in the transaction that `writing` opens.

        Where another sentence took the name of the task meanwhile, it is decided anew: that task may do the same.
        """
        refused = Refuse("", "")
        for _ in range(_ATTEMPTS):
            site = self._site_of(talk)
            step = self._step(talk, site)
            if isinstance(step, Operate):
                return self._operate(talk, step, site, writing)
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
            self._engine.cancel(tx, rescue_key(talk))
            return self._settle(tx, kept, step, plans)

    def _understand_kept(self, run: Run) -> None:
        """Take up a sentence whose process died between keeping and understanding it, or whose reply has come."""
        with run.checkpoint() as tx:
            talk = store.get(tx, str(run.job.payload["talk"]))
        if talk.state is TalkState.KEPT:
            try:
                self._follow(talk, run.commit)
            except Unavailable as away:
                raise RetryAt(self._clock.now() + _PAUSE, away.key) from away

    def _site_of(self, talk: Talk) -> Site:
        return self._ground.site(talk.said_at, talk.zone, talk.sources)

    def _step(self, talk: Talk, site: Site) -> Step | Unread:
        if talk.why == BEGUN:
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
                return store.save(tx, closed(talk, TalkState.UNREAD, (step.line,), step.why))
            case Refuse():
                return store.save(tx, closed(talk, TalkState.REFUSED, (step.line,), step.why))
            case Leave():
                state = TalkState.DONE if step.why == "none" else TalkState.CANCELLED
                return store.save(tx, closed(talk, state, (wording(f"talking.{step.why}"),), step.why))
            case Make():
                return self._make(tx, talk, step, plans)
            case Operated():
                state = TalkState.REFUSED if step.failed else TalkState.DONE
                ended = closed(talk, state, step.lines, "")
                return store.save(tx, replace(ended, op=step.op, tasks=step.targets))
            case Operate():
                raise ValueError(step)

    def _to_model(self, tx: Tx, talk: Talk, why: str) -> Talk:
        if talk.reply is not None and why != "answer":
            # A model has read it already, and nothing can be made of what it said.
            return store.save(tx, closed(talk, TalkState.UNREAD, (wording("talking.unread"),), why))
        if store.count(tx, (TalkState.PENDING_AI,)) >= MOST_WAITING:
            for oldest in store.waiting(tx, 1):
                store.save(tx, closed(oldest, TalkState.UNREAD, (wording("talking.set_aside"),), "crowded"))
        # An answer that only a model can take into account is given to it with the words.
        talk = store.save(tx, replace(talk, state=TalkState.PENDING_AI, why=why, reply=None))
        if self.reading is not None:
            self.reading.expect(tx, talk)
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
        ended = closed(talk, TalkState.DONE, lines, "")
        return store.save(tx, replace(ended, op="create", tasks=tuple(one.slug for one in made)))

    def _operate(self, talk: Talk, step: Operate, site: Site, writing: Writing) -> Talk:
        """Do it; what cannot be done is said in one line.

        What is to be done, and to which tasks, is on disk before: whoever takes it up after a crash would not find the
        tasks that are gone, and must not take the words for others.
        """
        if step.op not in _LOOKING:
            begun = self._begin(talk, step)
            if not _is_same(begun, talk):
                return begun  # another process was quicker
        operate = self._operating.resume if talk.why == BEGUN else self._operating.operate
        try:
            lines = operate(step.op, step.targets, talk.text, site.home, who=talk.who)
        except (BadInput, Conflict, Refused) as problem:
            return self._write(talk, Operated(step.op, step.targets, (str(problem),), failed=True), [], writing)
        return self._write(talk, Operated(step.op, step.targets, lines), [], writing)

    def _begin(self, talk: Talk, step: Operate) -> Talk:
        """Write down what is going to be done, unless that was done before."""
        with self._store.write() as tx:
            kept = store.get(tx, talk.id)
            if not _is_same(kept, talk) or kept.why == BEGUN:
                return kept
            return store.save(tx, replace(kept, op=step.op, tasks=step.targets, why=BEGUN))

    def _lost(self, tx: Tx, job: Job, _why: str) -> None:
        """Say of a sentence that it was not read when all attempts were in vain; it can be tried again."""
        talk = store.get(tx, str(job.payload["talk"]))
        if talk.state is TalkState.KEPT and rescue_key(talk) == job.key:
            store.save(tx, closed(talk, TalkState.UNREAD, (wording("talking.unread"),), "gave_up"))

    # What a model says

    def _replied(self, tx: Tx, talk_id: str, revision: int, reply: str) -> None:
        """Take a model's reply; one that comes too late changes nothing. What follows is a job of its own."""
        talk = store.get(tx, talk_id)
        if not awaits(talk, revision):
            return
        talk = store.save(tx, replace(talk, state=TalkState.KEPT, revision=revision + 1, reply=reply, why=""))
        self.expect(tx, talk, timedelta(0))

    def _not_readable(self, tx: Tx, talk_id: str, revision: int, why: str) -> None:
        talk = store.get(tx, talk_id)
        if awaits(talk, revision):
            store.save(tx, closed(talk, TalkState.UNREAD, (wording("talking.unread"),), f"model_{why}"))


def _is_same(kept: Talk, talk: Talk) -> bool:
    """Whether a talk is still where it was when it was looked at."""
    return kept.state is TalkState.KEPT and kept.revision == talk.revision


def _assembly(talk: Talk, site: Site) -> Assembly:
    """Understand a talk: by the rules, or by what a model made of it. Raises `Misread` where that is not used."""
    if talk.op not in ("", "create") and not talk.answers.keys().isdisjoint(_ABOUT_TASKS):
        # What was to be done was clear when it was asked; the words may mean something else where tasks are gone.
        asked = ("confirm",) if talk.reply is not None else ()
        return Assembly(talk.op, Outcome.PLANNED, questions=asked)
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


def rescue_key(talk: Talk) -> str:
    """Return the key of the job that takes a kept sentence up."""
    return f"household.understand:{talk.id}:{talk.revision}"
