"""What programs get of a conversation about a goal. Pure."""

from __future__ import annotations

from zhixing.faces.ids import needed_id, read_id
from zhixing.faces.wire import Wire, of_question
from zhixing.goals.talking.talk import PREFIX, GoalTalk
from zhixing.goals.talking.views import GoalTalkView, Silence
from zhixing.kernel.moments import iso
from zhixing.kernel.moments import zone as find_zone
from zhixing.tasks.task import Way


def is_goal_talk(written: str) -> bool:
    """Whether a person means a conversation about a goal (q12)."""
    return read_id(written, PREFIX) is not None


def goal_talk_id(written: str) -> str:
    """Return the id that a person means by `q12` or `Q12`; raise `NotFound` where it is none."""
    return needed_id(written, PREFIX, "goal_talk_unknown")


def of_goal_talk(view: GoalTalkView | Silence) -> Wire:
    """Write a conversation: `lines` is what is shown, `card` the newest card and `cardText` to the letter what is sent.

    `others` are the tasks of its list that were not chosen first. Silence has no id, and nothing to show.
    """
    if isinstance(view, Silence):
        return {"way": Way.GOAL.value, "silent": True, "lines": []}
    row = view.row
    return {
        "id": row.id,
        "way": Way.GOAL.value,
        "text": row.text,
        "state": row.state.value,
        "revision": row.revision,
        "zone": row.zone,
        "saidAt": iso(row.said_at, find_zone(row.zone)),
        "lines": list(view.lines),
        "question": None if view.question is None else of_question(view.question),
        "card": None if view.card is None else {**view.card},
        "cardText": view.card_text or None,
        "others": [_of_other(each) for each in view.others],
        "goalId": row.goal_id,
    }


def _of_other(talk: GoalTalk) -> Wire:
    return {"id": talk.id, "text": talk.text, "state": talk.state.value}
