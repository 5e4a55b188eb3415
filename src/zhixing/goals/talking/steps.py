"""Steps of a talk, each in the caller's write transaction, in which it was read."""

from __future__ import annotations

from dataclasses import replace

from zhixing.engine.model import Engine, Job
from zhixing.goals.recognising.model import NeedsModel, Ready, Recognition, Shown, Silent
from zhixing.goals.recognising.recognising import recognise
from zhixing.goals.talking import conversing, rows
from zhixing.goals.talking.talk import GoalTalk, GoalTalkState
from zhixing.kernel.clock import Clock
from zhixing.store.connection import Tx
from zhixing.world.models.port import Model

UNDERSTAND = "goal.understand"
"""The name of the job that has a model read what was said last. Its payload has `talk` and `revision`."""

_UNDER_WAY = (GoalTalkState.OPEN, GoalTalkState.PENDING_AI, GoalTalkState.EXECUTING, GoalTalkState.EXECUTED)


class Steps:
    """What is made of a message, and whose turn it is. Without a model rules have to do."""

    def __init__(self, engine: Engine, clock: Clock, model: Model | None) -> None:
        self._engine = engine
        self._clock = clock
        self._model = model

    def heard(self, tx: Tx, row: GoalTalk, heard: Recognition) -> GoalTalk:
        """Keep what a message is answered with: a card, or that a model reads it."""
        if isinstance(heard, NeedsModel):
            if self._model is not None:
                waiting = replace(row, state=GoalTalkState.PENDING_AI, revision=row.revision + 1)
                self.expect_model(tx, rows.save(tx, waiting))
                return waiting
            heard = heard.fallback
        return self.answered(tx, row, heard)

    def answered(self, tx: Tx, row: GoalTalk, heard: Shown | Silent) -> GoalTalk:
        """Show a card, and keep the tasks that were not chosen; with none, the card before stands."""
        after = replace(row, state=GoalTalkState.OPEN, revision=row.revision + 1)
        if isinstance(heard, Silent):
            kept = conversing.unanswered(row.messages)
            return rows.save(tx, replace(after, messages=kept, state=after.state if kept else GoalTalkState.DISCARDED))
        after = rows.save(tx, replace(after, messages=conversing.shown(row.messages, heard)))
        for each in conversing.pending_of(heard):
            rows.insert(
                tx,
                GoalTalk(
                    rows.new_id(tx),
                    each.summary,
                    row.who,
                    row.zone,
                    row.said_at,
                    conversing.given_back(each),
                    GoalTalkState.QUEUED,
                    root=row.queue,
                ),
            )
        return after

    def given_back(self, tx: Tx, row: GoalTalk) -> GoalTalk:
        """Give a task back that was set aside, or had to wait."""
        card = conversing.card_of(row.messages)
        messages = conversing.taken_up(card.draft) if isinstance(card, Ready) else row.messages
        return self.heard(tx, replace(row, messages=messages), recognise(messages))

    def give_next(self, tx: Tx, row: GoalTalk) -> GoalTalk | None:
        """Give the next task of a list back, unless another one of it is under way."""
        head = rows.get(tx, row.queue)
        others = rows.lists(tx, [row.queue]).get(row.queue, [])
        if any(each.state in _UNDER_WAY for each in (head, *others)):
            return None
        waiting = next((each for each in others if each.state is GoalTalkState.QUEUED), None)
        return None if waiting is None else self.given_back(tx, waiting)

    def expect_model(self, tx: Tx, row: GoalTalk) -> None:
        """Have a model read what waits; where there is none any more, rules have to do."""
        if self._model is None:
            self.do_without(tx, row)
            return
        payload = {"talk": row.id, "revision": row.revision}
        key = f"goal_talk:{row.id}:understand:{row.revision}"
        self._engine.enqueue(tx, Job(UNDERSTAND, key, self._clock.now(), payload))

    def do_without(self, tx: Tx, row: GoalTalk) -> None:
        """Go on by rules."""
        heard = recognise(row.messages)
        self.answered(tx, row, heard.fallback if isinstance(heard, NeedsModel) else heard)

    def became(self, tx: Tx, talk_id: str, goal_id: str) -> None:
        """Note which goal a talk became that is being handed in; of any other nothing is noted."""
        row = rows.get(tx, talk_id)
        if row.state is GoalTalkState.EXECUTING:
            after = replace(row, state=GoalTalkState.EXECUTED, goal_id=goal_id, revision=row.revision + 1)
            rows.save(tx, after)
