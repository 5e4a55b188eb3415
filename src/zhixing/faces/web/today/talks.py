"""What the page shows of sentences that are talked about: on the home, something to be written, a rule, a goal."""

from __future__ import annotations

from dataclasses import dataclass

from zhixing.app import App
from zhixing.documents.drafted import DraftState
from zhixing.documents.drafts import DraftView
from zhixing.faces.talk_wire import shown_options, talk_lines
from zhixing.goals.talking.talk import OPEN as OPEN_GOALS
from zhixing.goals.talking.views import GoalTalkView
from zhixing.graphs.proposals.operations import ProposalView
from zhixing.graphs.proposals.proposed import ProposalState
from zhixing.household.talking.talk import OPEN, Talk, TalkState
from zhixing.kernel.wording import wording

_OPEN_DRAFTS = (DraftState.SHOWN, DraftState.PENDING_AI)
_OPEN_PROPOSALS = [state for state in ProposalState if state.open]


@dataclass(frozen=True, slots=True)
class ShownTalk:
    """A sentence in the middle of the page, or in the list of those that are open. `door` is where answers go."""

    id: str
    door: str
    text: str
    revision: int
    state: str
    lines: tuple[str, ...]
    picks: tuple[tuple[str, str], ...]
    """Letters and labels, where one question is open: more than one is answered in words."""
    asks: bool
    """Whether an answer is waited for."""
    retryable: bool
    """Whether it can be tried again."""
    is_open: bool


def shown_talk(app: App, talk_id: str) -> ShownTalk:
    """Return one sentence about the home; raise `NotFound` when there is none of that id."""
    return _of_talk(app, app.talks.get(talk_id))


def shown_draft(app: App, draft_id: str) -> ShownTalk:
    """Return one draft; raise `NotFound` when there is none of that id."""
    return _of_draft(app.drafts.show(draft_id))


def shown_proposal(app: App, proposal_id: str) -> ShownTalk:
    """Return one proposal of a rule; raise `NotFound` when there is none of that id."""
    return _of_proposal(app.proposals.show(proposal_id))


def shown_goal_talk(app: App, talk_id: str) -> ShownTalk:
    """Return one conversation about a goal; raise `NotFound` when there is none of that id."""
    return _of_goal_talk(app.goals.talks.show(talk_id))


def open_talks(app: App, limit: int) -> tuple[ShownTalk, ...]:
    """Return the sentences of which something may still come."""
    talks = (_of_talk(app, talk) for talk in app.talks.page(states=OPEN, limit=limit).talks)
    drafts = (_of_draft(view) for view in app.drafts.page(states=_OPEN_DRAFTS, limit=limit))
    proposals = map(_of_proposal, app.proposals.page(states=_OPEN_PROPOSALS, limit=limit))
    return (*talks, *drafts, *proposals, *map(_of_goal_talk, app.goals.talks.page(states=OPEN_GOALS, limit=limit)))


def _of_talk(app: App, talk: Talk) -> ShownTalk:
    picks = tuple(shown_options(talk.questions[0])) if len(talk.questions) == 1 else ()
    lines = [talk.questions[0].prompt] if picks else talk_lines(talk, has_model=app.reading is not None)
    return ShownTalk(
        id=talk.id,
        door="/talks",
        text=talk.text,
        revision=talk.revision,
        state=wording(f"talking.state_{talk.state.value}"),
        lines=tuple(lines),
        picks=picks,
        asks=talk.state is TalkState.ASKED,
        retryable=talk.state is TalkState.UNREAD,
        is_open=talk.open,
    )


def _of_draft(view: DraftView) -> ShownTalk:
    row = view.row
    return ShownTalk(
        id=row.id,
        door="/drafts",
        text=row.text,
        revision=row.revision,
        state=wording(f"documents.draft_state_{row.state.value}"),
        lines=tuple(line for text in view.lines for line in text.splitlines()),
        picks=() if view.question is None else tuple(shown_options(view.question)),
        asks=row.state is DraftState.SHOWN,
        retryable=False,
        is_open=row.state.open,
    )


def _of_proposal(view: ProposalView) -> ShownTalk:
    row = view.row
    return ShownTalk(
        id=row.id,
        door="/proposals",
        text=row.text,
        revision=row.revision,
        state=wording(f"proposals.state_{row.state.value}"),
        lines=view.lines,
        picks=() if view.question is None else tuple(shown_options(view.question)),
        asks=view.question is not None,
        retryable=False,
        is_open=row.state.open,
    )


def _of_goal_talk(view: GoalTalkView) -> ShownTalk:
    row = view.row
    return ShownTalk(
        id=row.id,
        door="/goal-talks",
        text=row.text,
        revision=row.revision,
        state=wording(f"goal_talks.state_{row.state.value}"),
        lines=view.lines,
        picks=() if view.question is None else tuple(shown_options(view.question)),
        asks=view.question is not None,
        retryable=False,
        is_open=row.state.open,
    )
