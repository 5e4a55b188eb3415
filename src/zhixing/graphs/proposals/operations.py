"""Talking about a rule of the hub before it is saved: it is shown, what is open is asked, and a yes saves it.

Nothing that was composed is kept: the sentence is read again with its answers, over the home as it is then. So what is
saved passed the checks and the trial run a moment before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import msgspec

from zhixing.engine.model import Engine, Job, RetryAt, Run
from zhixing.engine.shares import MODELS
from zhixing.graphs.composing import composing, modelling
from zhixing.graphs.composing.composing import LONGEST_TEXT, Asked, Composed, NeedsModel, Outcome
from zhixing.graphs.following import Following
from zhixing.graphs.hubs import outcomes
from zhixing.graphs.hubs.creating import NewRule, choose_id
from zhixing.graphs.hubs.new_variables import new_variable
from zhixing.graphs.operations import Graphs
from zhixing.graphs.proposals import proposed
from zhixing.graphs.proposals.addressing import for_hub
from zhixing.graphs.proposals.proposed import Proposal, ProposalState
from zhixing.graphs.specs.home import Home
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, Conflict, TooLarge, Unavailable, ZhixingError
from zhixing.kernel.moments import micros
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.questions import Option, Question
from zhixing.kernel.wording import wording
from zhixing.store.connection import Store, Tx
from zhixing.tasks.operations import Tasks
from zhixing.tasks.sentences import LARGEST_PAGE
from zhixing.tasks.task import Way
from zhixing.world.models.failures import ModelFailure, ModelUnavailable
from zhixing.world.models.port import Model

UNDERSTAND = "graph.understand"
"""The name of the job that has a model read a sentence. Its payload has `proposal`."""
LONGEST_KEY = 200
"""Characters of a key by which a sentence is said once."""
LONGEST_ANSWER = 200
"""Characters of an answer."""
MOST_PATIENCE = timedelta(minutes=10)
"""How long a model that is away is waited for between two tries."""
ENABLED, PAUSED, DROPPED = "A", "B", "C"
"""What the options of the question store."""

_YES = frozenset({"好", "好的", "可以", "是", "行", "保存", "确认", "保存并启用", "启用", "yes", "ok"})
_LATER = frozenset({"先不启用", "保存但先不启用", "保存但不启用", "只保存", "暂不启用"})
_NO = frozenset({"不要", "不要了", "不用", "不用了", "算了", "取消", "放弃", "不保存", "no"})
_ENDS = " 。.!！~,，吧啊"


@dataclass(frozen=True, slots=True)
class ProposalView:
    """A proposal as it is shown: `composed` is what would be saved, `question` what is to be answered."""

    row: Proposal
    lines: tuple[str, ...]
    composed: Composed | None = None
    question: Question | None = None


class Proposals:
    """Sentences on their way to rules. Without a model only what is certain is composed.

    Make it before the engine starts.
    """

    def __init__(
        self,
        store: Store,
        engine: Engine,
        clock: Clock,
        *,
        graphs: Graphs,
        following: Following,
        tasks: Tasks,
        model: Model | None,
        zone: str,
    ) -> None:
        self._store = store
        self._engine = engine
        self._clock = clock
        self._graphs = graphs
        self._following = following
        self._tasks = tasks
        self._model = model
        self._zone = zone
        engine.register(UNDERSTAND, self._understand, share=MODELS)

    def wants(self, text: str) -> bool:
        """Whether a sentence is for the hub."""
        return for_hub(text) is not None

    def find_by_key(self, key: str) -> ProposalView | None:
        """Return the proposal that was begun with `key`."""
        with self._store.read() as tx:
            row = proposed.find_by_key(tx, key)
        return None if row is None else self._view(row)

    def say(self, text: str, *, who: str, key: str | None = None, said_at: datetime | None = None) -> ProposalView:
        """Read a sentence and show what it becomes. Raises `BadInput` where no rule and no question comes of it."""
        text = for_hub(text) or text.strip()
        if "\x00" in text:
            raise BadInput("text_nul")
        if key is not None and not 0 < len(key) <= LONGEST_KEY:
            raise BadInput("key_long", limit=LONGEST_KEY)
        row = Proposal("", text, who, self._zone, said_at or self._clock.now())
        outcome = self._outcome(row)
        if isinstance(outcome, NeedsModel) and self._model is None:
            raise BadInput("proposal_not_understood", text=text[:40])
        state = ProposalState.PENDING_AI if isinstance(outcome, NeedsModel) else ProposalState.OPEN
        with self._store.write() as tx:
            known = None if key is None else proposed.find_by_key(tx, key)
            if known is None:
                known = proposed.insert(tx, replace(row, id=proposed.new_id(tx), state=state), key)
                self._expect_model(tx, known)
        return self.show(known.id)

    def show(self, proposal_id: str) -> ProposalView:
        """Return a proposal, and note that somebody has seen it as it is."""
        with self._store.read() as tx:
            row = proposed.get(tx, proposal_id)
        if row.state is ProposalState.OPEN and row.seen != row.revision:
            with self._store.write() as tx:
                row = proposed.get(tx, proposal_id)
                row = proposed.save(tx, replace(row, seen=row.revision))
        return self._view(row)

    def page(
        self, *, states: Sequence[ProposalState] = (), limit: int = 50, before: str | None = None
    ) -> list[ProposalView]:
        """Return proposals, the newest first."""
        with self._store.read() as tx:
            found = proposed.page(tx, states=states, limit=limit, before=before)
        # The hub is asked for its devices once for all of them, also when it does not answer.
        home = self._home() if any(row.state is ProposalState.OPEN for row in found) else None
        return [self._view(row, home) for row in found]

    def answer(self, proposal_id: str, words: str, *, who: str, revision: int | None = None) -> ProposalView:
        """Answer what was asked, save it or drop it; what is not understood changes nothing and is said.

        Raises `Conflict` when it is settled already, or, with `revision`, when it is not at that revision any more, and
        what making a rule raises: then nothing is settled, and the same answer goes on where it stopped.
        """
        words = words.strip()
        if not words or "\x00" in words or len(words) > LONGEST_ANSWER:
            raise BadInput("proposal_answer", limit=LONGEST_ANSWER)
        with self._store.read() as tx:
            row = proposed.get(tx, proposal_id)
        if row.state is not ProposalState.OPEN:
            raise Conflict(f"proposal_{row.state.value}", id=row.id)
        if revision is not None and revision != row.revision:
            raise Conflict("draft_changed", id=row.id)
        plain = words.strip(_ENDS).lower()
        match self._outcome(row):
            case Asked(question):
                return self.cancel(row.id) if plain in _NO else self._answered(row, question, words)
            case Composed():
                return self._settled(row, plain, words, who)
            case NeedsModel():
                raise Conflict("proposal_home_changed", id=row.id)

    def cancel(self, proposal_id: str) -> ProposalView:
        """Drop what is open; raise `Conflict` when it is settled already."""
        with self._store.write() as tx:
            row = proposed.get(tx, proposal_id)
            if not row.state.open:
                raise Conflict(f"proposal_{row.state.value}", id=row.id)
            row = proposed.save(tx, replace(row, state=ProposalState.DROPPED))
        return self._view(row)

    def take_up(self) -> int:
        """Have everything read that waits for a model; return how many wait."""
        with self._store.read() as tx:
            waiting = proposed.page(tx, states=[ProposalState.PENDING_AI], limit=LARGEST_PAGE)
        if waiting:
            with self._store.write() as tx:
                for row in waiting:
                    self._expect_model(tx, row)
        return len(waiting)

    # Inside

    def _home(self) -> Home | ZhixingError:
        try:
            return self._graphs.home()
        except ZhixingError as error:
            return error

    def _outcome(self, row: Proposal, known: Home | None = None) -> Outcome:
        if len(row.text) > LONGEST_TEXT:
            raise TooLarge("composing_long", limit=LONGEST_TEXT)
        home, now = known or self._graphs.home(), row.said_at
        rule_id = row.rule_id or f"{micros(row.said_at) // 1000:013d}"
        zone = find_zone(row.zone)
        if row.facts:
            facts = msgspec.json.decode(row.facts)
            return modelling.read_by_model(facts, row.text, home, row.answers, rule_id=rule_id, now=now, zone=zone)
        return composing.answered(row.text, home, row.answers, rule_id=rule_id, now=now, zone=zone)

    def _settled(self, row: Proposal, plain: str, words: str, who: str) -> ProposalView:
        letter = plain.upper()
        if letter == ENABLED or plain in _YES:
            return self._save(row, who, enable=True)
        if letter == PAUSED or plain in _LATER:
            return self._save(row, who, enable=False)
        if letter == DROPPED or plain in _NO:
            return self.cancel(row.id)
        return _with_note(self.show(row.id), wording("proposals.say_again", words=words))

    def _answered(self, row: Proposal, question: Question, words: str) -> ProposalView:
        picked = next((each.value for each in question.options if words in (each.value, each.label)), words)
        numbered = _by_letter(question, words)
        answers = {**row.answers, question.subject: numbered or picked}
        after = replace(row, answers=answers, revision=row.revision + 1)
        before, outcome = row.answers, self._outcome(after)
        if isinstance(outcome, Asked) and outcome.question == question and before != answers:
            return _with_note(self.show(row.id), wording("proposals.say_again", words=words))
        with self._store.write() as tx:
            self._unchanged(tx, row)
            proposed.save(tx, after)
        return self.show(row.id)

    def _save(self, row: Proposal, who: str, *, enable: bool) -> ProposalView:
        """Make the rule, and the task that stands for it; said again after a failure it goes on where it stopped."""
        hub = self._graphs.session.name
        if not row.rule_id:
            chosen = replace(row, rule_id=choose_id(self._graphs.session.hub, self._clock))
            with self._store.write() as tx:
                self._unchanged(tx, row)
                row = proposed.save(tx, chosen)
        composed = self._outcome(row)
        if not isinstance(composed, Composed):
            raise Conflict("proposal_home_changed", id=row.id)
        made = self._graphs.create(_new_rule(composed, row.rule_id, enable=enable))
        if made.outcome is outcomes.Outcome.UNKNOWN:
            raise Unavailable("proposal_unknown_outcome", id=row.id)
        with self._store.write() as tx:
            self._unchanged(tx, row)
            task = self._tasks.create(
                tx, title=composed.rule.name, description=row.text, way=Way.GRAPH, zone_name=row.zone, who=who
            )
            self._following.link(tx, task.id, hub, row.rule_id)
            if not enable:
                self._tasks.pause(tx, task.id, who=who)
            row = proposed.save(tx, replace(row, state=ProposalState.SAVED, task_id=task.id, note=composed.rule.name))
        return self._view(row)

    def _unchanged(self, tx: Tx, row: Proposal) -> None:
        now = proposed.get(tx, row.id)
        if now.revision != row.revision or now.state is not row.state:
            raise Conflict("draft_changed", id=row.id)

    def _view(self, row: Proposal, known: Home | ZhixingError | None = None) -> ProposalView:
        if row.state is not ProposalState.OPEN:
            return ProposalView(row, (wording(f"proposals.{row.state.value}", title=row.note, id=row.rule_id),))
        try:
            home = self._home() if known is None else known
            if isinstance(home, ZhixingError):
                raise home
            outcome = self._outcome(row, home)
        except ZhixingError as error:
            # The hub is away, say: the sentence stays, and so does the question about it.
            return ProposalView(row, (str(error),))
        match outcome:
            case Asked(question):
                asked = replace(question, subject=row.id, revision=row.revision)
                return ProposalView(row, (question.prompt,), question=asked)
            case Composed():
                found = [finding.text() for finding in outcome.verdict.warnings]
                notes = (wording("proposals.warning", said=said) for said in dict.fromkeys(found))
                lines = (wording("proposals.head", title=outcome.rule.name), *outcome.lines, *notes)
                question = _question(row)
                return ProposalView(row, (*lines, question.prompt), outcome, question)
            case NeedsModel():
                return ProposalView(row, (wording("proposals.home_changed"),))

    # The model

    def _expect_model(self, tx: Tx, row: Proposal) -> None:
        if self._model is not None and row.state is ProposalState.PENDING_AI:
            key = f"proposal:{row.id}:understand"
            self._engine.enqueue(tx, Job(UNDERSTAND, key, self._clock.now(), {"proposal": row.id}))

    def _understand(self, run: Run) -> None:
        with self._store.read() as tx:
            row = proposed.get(tx, str(run.job.payload["proposal"]))
        if row.state is not ProposalState.PENDING_AI or self._model is None:
            return
        home = self._graphs.home()
        try:
            reply = self._model.ask(
                modelling.prompt_for(row.text, home), lambda value: modelling.complaint(value, row.text, home)
            )
        except ModelUnavailable as failure:
            raise RetryAt(self._clock.now() + failure.pause(run.attempt, MOST_PATIENCE), "model away") from failure
        except ModelFailure as failure:
            after = replace(row, state=ProposalState.DECLINED, note=str(failure)[:200])
        else:
            facts = msgspec.json.encode(reply.value).decode()
            after = replace(row, facts=facts, state=ProposalState.OPEN, revision=row.revision + 1)
            if isinstance(self._outcome(after), NeedsModel):
                after = replace(row, state=ProposalState.DECLINED)
        with run.commit() as tx:
            if proposed.get(tx, row.id).state is ProposalState.PENDING_AI:
                proposed.save(tx, after)


def _new_rule(composed: Composed, rule_id: str, *, enable: bool) -> NewRule:
    variables = tuple(
        new_variable(each.variable.id, each.type.value, each.initial, each.name, each.variable.scope)
        for each in composed.variables
    )
    return NewRule(composed.rule.name, composed.rule.nodes, variables, enable=enable, id=rule_id)


def _question(row: Proposal) -> Question:
    options = tuple(
        Option(value, wording(f"proposals.option_{name}"))
        for value, name in ((ENABLED, "enabled"), (PAUSED, "paused"), (DROPPED, "dropped"))
    )
    return Question("graph_proposal", wording("proposals.question"), options, row.id, row.revision)


def _by_letter(question: Question, words: str) -> str | None:
    """Return the option that a letter picks: A the first, B the second."""
    place = ord(words.upper()) - ord("A") if len(words) == 1 else -1
    return question.options[place].value if 0 <= place < len(question.options) else None


def _with_note(view: ProposalView, note: str) -> ProposalView:
    return replace(view, lines=(note, *view.lines))
