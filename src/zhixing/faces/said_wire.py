"""What programs get of a sentence, whatever it became."""

from __future__ import annotations

from zhixing.documents.drafts import DraftView
from zhixing.faces.draft_wire import of_draft
from zhixing.faces.goal_talk_wire import of_goal_talk
from zhixing.faces.proposal_wire import of_proposal
from zhixing.faces.talk_wire import of_talk
from zhixing.faces.wire import Wire, of_notice
from zhixing.goals.talking.views import GoalTalkView, Silence
from zhixing.graphs.proposals.operations import ProposalView
from zhixing.household.talking.talk import Talk
from zhixing.notices.notice import Notice
from zhixing.say import Said


def of_said(said: Said) -> Wire:
    """Write it as what it is; `way` says which."""
    match said:
        case Talk():
            return of_talk(said)
        case DraftView():
            return of_draft(said)
        case ProposalView():
            return of_proposal(said)
        case GoalTalkView() | Silence():
            return of_goal_talk(said)
        case Notice():
            return of_notice(said)


def id_of(said: Said) -> str:
    """Return the id by which it goes on: of the draft, the proposal, the talk or the task; "" where nothing goes on."""
    match said:
        case Talk():
            return said.id
        case DraftView() | ProposalView() | GoalTalkView():
            return said.row.id
        case Silence():
            return ""
        case Notice():
            return said.task.id
