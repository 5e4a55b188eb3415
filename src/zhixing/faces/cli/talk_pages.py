"""What a person reads at the command line about a sentence on the home."""

from __future__ import annotations

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import House
from zhixing.faces.cli.pages import INDENT
from zhixing.faces.talk_wire import of_talk, talk_lines
from zhixing.household.talking.talk import Talk, TalkState
from zhixing.kernel.wording import wording

_ACTS_LATER = ("create", "enable", "update")


def talk_page(talk: Talk, *, has_model: bool) -> list[str]:
    """Say what became of a sentence, and what can be done about it."""
    lines = [f"{talk.id}  {talk.text}", *(INDENT + line for line in talk_lines(talk, has_model=has_model))]
    if talk.state is TalkState.ASKED:
        lines.append(INDENT + wording("talking.answer_how", id=talk.id))
    if talk.state is TalkState.UNREAD:
        lines.append(INDENT + wording("talking.retry_how", id=talk.id))
    return lines


def talk_row(talk: Talk) -> list[str]:
    """Return the row of a sentence in a list: id, state, its words."""
    return [talk.id, wording(f"talking.state_{talk.state.value}"), talk.text]


def show_talk(talk: Talk, home: House, desk: Desk, *, as_json: bool) -> None:
    """Print it; where something was made, with what its user has to know about this home."""
    lines = talk_page(talk, has_model=home.app.reading is not None)
    if talk.state is TalkState.DONE and talk.op in _ACTS_LATER:
        lines.extend(home.household_notes())
    desk.answer(of_talk(talk), lines, as_json=as_json)
