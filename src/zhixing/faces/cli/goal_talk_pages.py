"""What a person reads at the command line about a conversation on a goal."""

from __future__ import annotations

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import House
from zhixing.faces.cli.pages import INDENT, NOTHING
from zhixing.faces.goal_talk_wire import of_goal_talk
from zhixing.faces.rule_words import single_line
from zhixing.faces.talk_wire import shown_options
from zhixing.goals.talking.talk import GoalTalkState
from zhixing.goals.talking.views import GoalTalkView, Silence
from zhixing.kernel.wording import wording

_NEEDS_SERVICE = (GoalTalkState.PENDING_AI, GoalTalkState.EXECUTED)


def goal_talk_page(view: GoalTalkView) -> list[str]:
    """Say what the card says and what is asked, or what became of it."""
    row, question = view.row, view.question
    lines = [f"{row.id}  {single_line(row.text)}", *(INDENT + line for line in view.lines)]
    if question is not None:
        if view.card is None or view.card["type"] == "task_ready":
            lines += [f"{INDENT}{INDENT}{letter}. {label}" for letter, label in shown_options(question)]
        lines.append(INDENT + wording("goal_talks.answer_how", id=row.id))
    if row.state is GoalTalkState.PENDING_AI:
        lines.append(INDENT + wording("goal_talks.look_again", id=row.id))
    return lines


def goal_talk_row(view: GoalTalkView) -> list[str]:
    """Return the row of a conversation in a list: id, state, its goal, its words."""
    row = view.row
    return [row.id, wording(f"goal_talks.state_{row.state.value}"), row.goal_id or NOTHING, single_line(row.text)]


def show_goal_talk(view: GoalTalkView | Silence, home: House, desk: Desk, *, as_json: bool) -> None:
    """Print it, with what its user has to know where a model or a goal works on it; of silence nothing is printed."""
    if isinstance(view, Silence):
        desk.answer(of_goal_talk(view), [], as_json=as_json)
        return
    lines = goal_talk_page(view)
    if view.row.state in _NEEDS_SERVICE:
        lines.extend(home.goal_notes())
    desk.answer(of_goal_talk(view), lines, as_json=as_json)
