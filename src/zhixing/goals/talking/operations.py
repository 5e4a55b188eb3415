"""Talking about a goal before it runs: `/task …` is answered with cards until it is executed, discarded or set aside.

The conversation is kept, and recognised again whenever something is said; so it goes on after a restart where it was.
Of a list of tasks the others wait: the next one is given back when the one before was discarded or set aside, or when
its goal is over; whoever wants one earlier resumes it himself (taskloop §1.4, §1.5).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

import msgspec

from zhixing.engine.model import Engine, Job, RetryAt, Run
from zhixing.goals.contracts.requesting import Requested, read_request
from zhixing.goals.loop.model import Graph, TaskInfo
from zhixing.goals.recognising import modelling
from zhixing.goals.recognising.mapping import Asker, task_request
from zhixing.goals.recognising.model import (
    LONGEST_TEXT,
    Card,
    NeedsModel,
    Ready,
    Recognition,
    Select,
    Silent,
)
from zhixing.goals.recognising.panel import is_panel
from zhixing.goals.recognising.recognising import recognise
from zhixing.goals.recognising.workflows import command
from zhixing.goals.talking import conversing, rows, showing
from zhixing.goals.talking.conversing import Button
from zhixing.goals.talking.steps import UNDERSTAND, Steps
from zhixing.goals.talking.talk import GoalTalk, GoalTalkState
from zhixing.goals.talking.views import GoalTalkView, Silence, views, with_note
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, Conflict, TooLarge, Unavailable, ZhixingError
from zhixing.kernel.questions import Question
from zhixing.kernel.wording import wording
from zhixing.store.connection import Store, Tx, UniqueViolation
from zhixing.world.models.failures import ModelFailure, ModelUnavailable
from zhixing.world.models.port import Model

KEY = "goal_draft:"
"""What the keys begin with under which drafts are handed in; the id of the talk follows."""
LONGEST_KEY = 200
"""Characters of a key by which something is said once."""
MOST_TRIES = 6
"""Starts of a question to a model that is away, one minute in all; then what rules know has to do."""

Submit = Callable[[Requested, str], str]
"""Hands a goal in under a key, and returns its id. The same key with the same request is the same goal."""
Offered = Callable[[Tx, GoalTalk, str], None]
"""Hears of a task whose turn has come because a goal (its id) is over: its card waits for an answer."""

_ANSWERABLE = (GoalTalkState.OPEN, GoalTalkState.SAVED, GoalTalkState.QUEUED, GoalTalkState.EXECUTING)
_HANDED_IN = (GoalTalkState.EXECUTED, GoalTalkState.FINISHED)


class GoalTalks:
    """Conversations about goals. Without a model everything is decided by rules. Make it before the engine starts.

    It is a `Watcher` of goals, too: it has to see what becomes of those that came of talks.
    """

    def __init__(
        self,
        store: Store,
        engine: Engine,
        clock: Clock,
        *,
        model: Model | None,
        submit: Submit,
        asker: Asker,
        zone: str,
        offered: Offered = lambda tx, talk, goal_id: None,  # noqa: ARG005 - nobody need be told
    ) -> None:
        self._store = store
        self._clock = clock
        self._model = model
        self._submit = submit
        self._asker = asker
        self._zone = zone
        self._offered = offered
        self._steps = Steps(engine, clock, model)
        engine.register(UNDERSTAND, self._understand, gave_up=self._not_understood)

    def wants(self, text: str) -> bool:
        """Whether words are for this way: `/task`, a task that the platform gives back, the opening of the panel."""
        return command(text) is not None or conversing.gives_back(text) or is_panel(text)

    def find_by_key(self, key: str) -> GoalTalkView | None:
        """Return the talk that was begun with `key`."""
        with self._store.read() as tx:
            row = rows.find_by_key(tx, key)
        return None if row is None else self._view(row)

    def say(
        self, text: str, *, who: str, key: str | None = None, said_at: datetime | None = None
    ) -> GoalTalkView | Silence:
        """Begin a talk, and show its first card. Raises `BadInput` for words that begin none."""
        if is_panel(text):
            return Silence()
        text = _sayable(text)
        if key is not None and not 0 < len(key) <= LONGEST_KEY:
            raise BadInput("key_long", limit=LONGEST_KEY)
        messages = conversing.begun(text)
        heard = recognise(messages) if self.wants(text) else Silent()
        if isinstance(heard, Silent):
            raise BadInput("goal_talk_not_task", text=text.strip()[:40])
        at = said_at or self._clock.now()
        new = GoalTalk("", text, who, self._zone, at, messages, GoalTalkState.OPEN)
        try:
            return self._begin(new, key, heard)
        except UniqueViolation:
            # The same was said from two sides at once: this time the other one's is there.
            return self._begin(new, key, heard)

    def show(self, talk_id: str) -> GoalTalkView:
        """Return a talk, and note that somebody has seen it as it is."""
        with self._store.read() as tx:
            row = rows.get(tx, talk_id)
        if row.state is GoalTalkState.OPEN and row.seen != row.revision:
            with self._store.write() as tx:
                row = rows.get(tx, talk_id)
                row = rows.save(tx, replace(row, seen=row.revision))
        return self._view(row)

    def page(
        self, *, states: Sequence[GoalTalkState] = (), limit: int = 50, before: str | None = None
    ) -> list[GoalTalkView]:
        """Return talks, the newest first."""
        with self._store.read() as tx:
            found = rows.page(tx, states=states, limit=limit, before=before)
            return views(tx, found)

    def answer(self, talk_id: str, words: str, *, who: str, revision: int | None = None) -> GoalTalkView:
        """Answer what is asked, choose out of a list, change a whole draft, or press a button by its name or letter.

        `/task …` begins another talk. What is not understood changes nothing and is said. Raises `Conflict` when it is
        settled already, while a model reads, or, with `revision`, when it is not at that revision any more.
        """
        if is_panel(words):
            return self.show(talk_id)
        words = _sayable(words)
        if command(words) is not None:
            begun = self.say(words, who=who)
            assert isinstance(begun, GoalTalkView), "a command is no panel"  # noqa: S101 - for mypy
            return begun
        with self._store.read() as tx:
            row = rows.get(tx, talk_id)
        card = conversing.card_of(row.messages)
        button = conversing.pressed(words) or conversing.pressed(_picked(showing.question(row, card), words))
        if button is not None:
            return self._press(row.id, button, card, revision)
        if row.state is GoalTalkState.OPEN:
            return self._say_more(row.id, words, revision)
        if row.state not in _ANSWERABLE:
            raise Conflict(f"goal_talk_{row.state.value}", id=row.id)
        return with_note(self.show(row.id), wording("goal_talks.say_again", words=words[:40]))

    def execute(self, talk_id: str, revision: int | None = None) -> GoalTalkView:
        """Hand the whole draft in as a goal. Pressed again it is the same goal, and after a crash in between, too.

        Raises `Conflict` where no whole draft is shown, and what handing it in raises: then the draft stands as it was,
        unless it is not known whether it was handed in; then pressing again finds out.
        """
        with self._store.write() as tx:
            row = rows.get(tx, talk_id)
            if row.state not in (*_HANDED_IN, GoalTalkState.EXECUTING):
                card = _ready(row, revision)
                if _was_seen(row, revision):
                    request = msgspec.json.encode(task_request(card.draft, self._asker).to_wire()).decode()
                    row = rows.save(tx, replace(row, state=GoalTalkState.EXECUTING, request=request))
        match row.state:
            case GoalTalkState.OPEN:
                return self._look_first(row.id)
            case GoalTalkState.EXECUTING:
                return self._hand_in(row)
            case _:
                return self.show(row.id)

    def discard(self, talk_id: str, revision: int | None = None) -> GoalTalkView:
        """Delete a draft: nothing comes of it. Said again it changes nothing; `Conflict` once it is handed in."""
        with self._store.write() as tx:
            row = rows.get(tx, talk_id)
            if row.state is not GoalTalkState.DISCARDED:
                if not row.state.open or row.state is GoalTalkState.EXECUTING:
                    raise Conflict(f"goal_talk_{row.state.value}", id=row.id)
                _must_be_at(row, revision)
                gone = replace(row, state=GoalTalkState.DISCARDED, messages=(), revision=row.revision + 1)
                row = rows.save(tx, gone)
                self._steps.give_next(tx, row)
        return self.show(row.id)

    def save(self, talk_id: str, revision: int | None = None) -> GoalTalkView:
        """Set a whole draft aside. Raises `Conflict` where none is shown."""
        with self._store.write() as tx:
            row = rows.get(tx, talk_id)
            if row.state is not GoalTalkState.SAVED:
                _ready(row, revision)
                if _was_seen(row, revision):
                    row = rows.save(tx, replace(row, state=GoalTalkState.SAVED, revision=row.revision + 1))
                    self._steps.give_next(tx, row)
        return self._look_first(row.id) if row.state is GoalTalkState.OPEN else self.show(row.id)

    def resume(self, talk_id: str, revision: int | None = None) -> GoalTalkView:
        """Take up what was set aside, or what waits for its turn. Raises `Conflict` where neither is so."""
        with self._store.write() as tx:
            row = rows.get(tx, talk_id)
            if row.state is not GoalTalkState.OPEN:
                if row.state not in (GoalTalkState.SAVED, GoalTalkState.QUEUED):
                    raise Conflict(f"goal_talk_{row.state.value}", id=row.id)
                _must_be_at(row, revision)
                self._steps.given_back(tx, row)
        return self.show(row.id)

    # Watching goals: both are in the transaction of the change

    def handed_in(self, tx: Tx, info: TaskInfo) -> None:
        """Note the goal that a talk became, together with the goal: there is no moment in which only one is known."""
        talk_id = info.key.removeprefix(KEY)
        if talk_id != info.key and rows.has(tx, talk_id):
            self._steps.became(tx, talk_id, info.task_id)

    def changed(self, tx: Tx, before: Graph, after: Graph) -> None:
        """Give the next task of a list back when the goal of the one before is over; one that hangs is not.

        Said again, or of a goal of which nobody talked, it changes nothing.
        """
        if after.head.status.open or before.head.status is after.head.status:
            return
        row = rows.find_by_goal(tx, after.head.info.task_id)
        if row is not None and row.state is GoalTalkState.EXECUTED:
            rows.save(tx, replace(row, state=GoalTalkState.FINISHED))
            given = self._steps.give_next(tx, row)
            if given is not None:
                self._offered(tx, given, after.head.info.task_id)

    def take_up(self) -> int:
        """Go on with what a stop of the program left: have it read, or handed in; return how much there was."""
        with self._store.read() as tx:
            left = rows.ids_in(tx, (GoalTalkState.PENDING_AI, GoalTalkState.EXECUTING))
        for talk_id in left:
            with self._store.write() as tx:
                row = rows.get(tx, talk_id)
                if row.state is GoalTalkState.PENDING_AI:
                    self._steps.expect_model(tx, row)
            if row.state is GoalTalkState.EXECUTING:
                self._try_again(row)
        return len(left)

    # Conversing

    def _begin(self, new: GoalTalk, key: str | None, heard: Recognition) -> GoalTalkView:
        with self._store.write() as tx:
            row = None if key is None else rows.find_by_key(tx, key)
            if row is None:
                row = self._steps.heard(tx, rows.insert(tx, replace(new, id=rows.new_id(tx)), key), heard)
        return self.show(row.id)

    def _say_more(self, talk_id: str, words: str, revision: int | None) -> GoalTalkView:
        with self._store.write() as tx:
            row = rows.get(tx, talk_id)
            if row.state is not GoalTalkState.OPEN:
                raise Conflict(f"goal_talk_{row.state.value}", id=row.id)
            _must_be_at(row, revision)
            messages = conversing.replied(row.messages, words)
            heard = recognise(messages)
            if not isinstance(heard, Silent):
                self._steps.heard(tx, replace(row, messages=messages), heard)
        shown = self.show(talk_id)
        if isinstance(heard, Silent):
            return with_note(shown, wording("goal_talks.say_again", words=words[:40]))
        return shown

    # Buttons

    def _press(self, talk_id: str, button: Button, card: Card | None, revision: int | None) -> GoalTalkView:
        if button in (Button.EXECUTE, Button.SAVE) and card is not None and not isinstance(card, Ready):
            view = self.show(talk_id)
            if view.row.state is GoalTalkState.OPEN:
                said = wording(f"goal_talks.{button.value}")
                return with_note(view, wording("goal_talks.not_ready", button=said))
        match button:
            case Button.EXECUTE:
                return self.execute(talk_id, revision)
            case Button.DISCARD:
                return self.discard(talk_id, revision)
            case Button.SAVE:
                return self.save(talk_id, revision)
            case Button.RESUME:
                return self.resume(talk_id, revision)

    def _hand_in(self, row: GoalTalk) -> GoalTalkView:
        """Hand in what was written down before, and note the goal that it is."""
        try:
            requested = read_request(msgspec.json.decode(row.request))
            goal_id = self._submit(requested, f"{KEY}{row.id}")
        except Unavailable:
            # Whether it was handed in is not known: what would be handed in stays as it is.
            raise
        except ZhixingError:
            with self._store.write() as tx:
                now = rows.get(tx, row.id)
                if now.state is GoalTalkState.EXECUTING:
                    rows.save(tx, replace(now, state=GoalTalkState.OPEN, request=""))
            raise
        with self._store.write() as tx:
            self._steps.became(tx, row.id, goal_id)
        return self.show(row.id)

    def _try_again(self, row: GoalTalk) -> None:
        try:
            self._hand_in(row)
        except ZhixingError:
            # It is told to whoever presses again; the program starts all the same.
            return

    def _view(self, row: GoalTalk) -> GoalTalkView:
        with self._store.read() as tx:
            return views(tx, [row])[0]

    def _look_first(self, talk_id: str) -> GoalTalkView:
        return with_note(self.show(talk_id), wording("goal_talks.look_first"))

    # The model

    def _understand(self, run: Run) -> None:
        row = self._waiting(run)
        if row is None:
            return
        heard = recognise(row.messages)
        if isinstance(heard, NeedsModel):
            heard = self._read(heard, run)
        with run.commit() as tx:
            now = rows.get(tx, row.id)
            if now.state is GoalTalkState.PENDING_AI and now.revision == row.revision:
                self._steps.answered(tx, now, heard.fallback if isinstance(heard, NeedsModel) else heard)

    def _waiting(self, run: Run) -> GoalTalk | None:
        with self._store.read() as tx:
            row = rows.get(tx, str(run.job.payload["talk"]))
        waits = row.state is GoalTalkState.PENDING_AI and row.revision == run.job.payload["revision"]
        return row if waits else None

    def _read(self, asked: NeedsModel, run: Run) -> Recognition:
        if self._model is None:
            return asked.fallback
        try:
            reply = self._model.ask(modelling.prompt_for(asked), lambda value: modelling.complaint(value, asked))
        except ModelUnavailable as failure:
            if run.attempt >= MOST_TRIES:
                return asked.fallback
            raise RetryAt(self._clock.now() + failure.pause(run.attempt), "model away") from failure
        except ModelFailure:
            return asked.fallback
        return modelling.read_by_model(reply.value, asked)

    def _not_understood(self, tx: Tx, job: Job, why: str) -> None:  # noqa: ARG002 - the ledger has the reason
        """Go on by rules where a question to a model never came to an end."""
        row = rows.get(tx, str(job.payload["talk"]))
        if row.state is GoalTalkState.PENDING_AI and row.revision == job.payload["revision"]:
            self._steps.do_without(tx, row)


def _sayable(text: str) -> str:
    """Return words as they can be kept; raises `BadInput` and `TooLarge` for what nobody types."""
    if len(text) > LONGEST_TEXT:
        raise TooLarge("text_long", limit=LONGEST_TEXT)
    if "\x00" in text:
        raise BadInput("text_nul")
    # Halves of characters are stored by no database.
    return text.encode("utf-8", "replace").decode()


def _picked(question: Question | None, words: str) -> str:
    """Return the value of the option that a letter picks; the words where it picks none."""
    bare = words.strip(" 。.)）").upper()
    place = ord(bare) - ord("A") if len(bare) == 1 else -1
    return question.options[place].value if question and 0 <= place < len(question.options) else words


def _ready(row: GoalTalk, revision: int | None) -> Ready:
    """Return the whole draft that is shown; raise `Conflict` where none is."""
    if row.state is not GoalTalkState.OPEN:
        raise Conflict(f"goal_talk_{row.state.value}", id=row.id)
    _must_be_at(row, revision)
    card = conversing.card_of(row.messages)
    if isinstance(card, Ready):
        return card
    raise Conflict("goal_talk_several" if isinstance(card, Select) else "goal_talk_not_ready", id=row.id)


def _must_be_at(row: GoalTalk, revision: int | None) -> None:
    if revision is not None and revision != row.revision:
        raise Conflict("goal_talk_changed", id=row.id)


def _was_seen(row: GoalTalk, revision: int | None) -> bool:
    """Whether who presses a button knows what it is about: a model may have changed it behind his back."""
    return revision is not None or row.seen == row.revision
