"""What the page shows of sentences about the home."""

from __future__ import annotations

from dataclasses import dataclass

from zhixing.app import App
from zhixing.faces.talk_wire import shown_options, talk_lines
from zhixing.household.talking import store
from zhixing.household.talking.talk import OPEN, Talk, TalkState
from zhixing.kernel.wording import wording
from zhixing.store.connection import Tx


@dataclass(frozen=True, slots=True)
class ShownTalk:
    """A sentence in the middle of the page, or in the list of those that are open."""

    talk: Talk
    state: str
    lines: tuple[str, ...]
    picks: tuple[tuple[str, str], ...]
    """Letters and labels, where one question is open: more than one is answered in words."""

    @property
    def asks(self) -> bool:
        """Whether an answer is waited for."""
        return self.talk.state is TalkState.ASKED

    @property
    def retryable(self) -> bool:
        """Whether it can be tried again."""
        return self.talk.state is TalkState.UNREAD


def shown_talk(app: App, tx: Tx, talk_id: str) -> ShownTalk:
    """Return one sentence; raise `NotFound` when there is none of that id."""
    return _shown(app, store.get(tx, talk_id))


def open_talks(app: App, tx: Tx, limit: int) -> tuple[ShownTalk, ...]:
    """Return the sentences of which something may still come."""
    return tuple(_shown(app, talk) for talk in store.page(tx, states=OPEN, limit=limit).talks)


def _shown(app: App, talk: Talk) -> ShownTalk:
    picks = tuple(shown_options(talk.questions[0])) if len(talk.questions) == 1 else ()
    lines = talk_lines(talk, has_model=app.reading is not None)
    if picks:
        lines = [talk.questions[0].prompt]
    return ShownTalk(talk, wording(f"talking.state_{talk.state.value}"), tuple(lines), picks)
