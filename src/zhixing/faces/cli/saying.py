"""say, answer, edit, remind, retry: what is said about a task, and what it becomes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from zhixing.documents.drafts import DraftView
from zhixing.faces import wire
from zhixing.faces.cli.desk import WHO, Desk
from zhixing.faces.cli.draft_pages import show_draft
from zhixing.faces.cli.goal_talk_pages import show_goal_talk
from zhixing.faces.cli.house import House, house
from zhixing.faces.cli.options import (
    STDIN,
    TYPED,
    AtDesk,
    Json,
    MessageDate,
    Note,
    Source,
    Words,
    Zone,
    day,
    task_id,
    text_of,
)
from zhixing.faces.cli.pages import notice_page
from zhixing.faces.cli.proposal_pages import show_proposal
from zhixing.faces.cli.spoken import instant
from zhixing.faces.cli.system import why
from zhixing.faces.cli.talk_pages import show_talk
from zhixing.faces.cli.usage import Usage
from zhixing.faces.draft_wire import draft_id, is_draft
from zhixing.faces.goal_talk_wire import goal_talk_id, is_goal_talk
from zhixing.faces.proposal_wire import is_proposal, proposal_id
from zhixing.faces.talk_wire import is_talk, talk_id
from zhixing.goals.talking.views import GoalTalkView, Silence
from zhixing.graphs.proposals.operations import ProposalView
from zhixing.household.sight import find_camera
from zhixing.household.talking.talk import Talk
from zhixing.kernel.errors import Unavailable
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.notices import model
from zhixing.notices.model import Entry, Submission
from zhixing.notices.notice import Notice
from zhixing.notices.pictures import LARGEST_PICTURE, read_picture
from zhixing.say import say as submit
from zhixing.say import show

Revision = Annotated[int | None, Parameter(name=["--revision", "-r"])]
Picture = Annotated[str | None, Parameter(name="--image")]
Key = Annotated[str | None, Parameter(name="--key")]
Camera = Annotated[tuple[str, ...], Parameter(name="--camera", negative=())]


def say(
    *text: str,
    image: Picture = None,
    source: Source = "direct",
    message_date: MessageDate = None,
    note: Note = False,
    zone: Zone = None,
    camera: Camera = (),
    key: Key = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Keep what somebody said or shows, and understand it."""
    if image is None and not text:
        raise Usage("usage_say")
    if image is not None and source != "direct":
        raise Usage("usage_image_source")
    picture = None if image is None else read_picture(_bytes_of(image, desk))
    words, sent_on = text_of(text, desk), day(message_date)
    with house(desk) as home:
        home.check_length(words)
        submission = Submission(
            words,
            model.Source(source),
            desk.clock.now(),
            home.app.zone.name if zone is None else zone,
            sent_on,
            Entry.NOTE if note else Entry.SCHEDULE,
        )
        app = home.app
        if picture is not None:
            _show(show(app.notices, submission, picture, who=WHO, key=key), home, desk, as_json=as_json)
            return
        cameras = [find_camera(app.hub, one).did for one in camera]
        said = submit(app.ways, submission, who=WHO, key=key, sources=cameras)
        if isinstance(said, Talk):
            show_talk(said, home, desk, as_json=as_json)
        elif isinstance(said, DraftView):
            show_draft(said, home, desk, as_json=as_json)
        elif isinstance(said, ProposalView):
            show_proposal(said, home, desk, as_json=as_json)
        elif isinstance(said, GoalTalkView | Silence):
            show_goal_talk(said, home, desk, as_json=as_json)
        else:
            _show(said, home, desk, as_json=as_json)


def _bytes_of(file: str, desk: Desk) -> bytes:
    """Return what is in a file, or on standard input for `-`; no more than it takes to see that it is too much."""
    if file == STDIN:
        return desk.stdin.read(LARGEST_PICTURE + 1)
    try:
        with Path(file.removeprefix(TYPED)).open("rb") as opened:
            return opened.read(LARGEST_PICTURE + 1)
    except (OSError, ValueError) as error:
        why_not = why(error) if isinstance(error, OSError) else wording("settings.problem_unusable")
        raise Unavailable("file_unreadable", file=file, why=why_not) from error


def answer(task: str, /, *value: Words, revision: Revision = None, as_json: Json = False, desk: AtDesk) -> None:
    """Answer the open question; the number of an option stands for the option."""
    words = text_of(value, desk)
    with house(desk) as home:
        if is_talk(task):
            show_talk(
                home.app.talks.answer(talk_id(task), words, revision=revision, who=WHO), home, desk, as_json=as_json
            )
            return
        if is_draft(task):
            answered = home.app.drafts.answer(draft_id(task), words, revision=revision, who=WHO)
            show_draft(answered, home, desk, as_json=as_json)
            return
        if is_proposal(task):
            proposed = home.app.proposals.answer(proposal_id(task), words, revision=revision, who=WHO)
            show_proposal(proposed, home, desk, as_json=as_json)
            return
        if is_goal_talk(task):
            talked = home.app.goals.talks.answer(goal_talk_id(task), words, revision=revision, who=WHO)
            show_goal_talk(talked, home, desk, as_json=as_json)
            return
        notices, known = home.app.notices, task_id(task)
        asked = notices.get(known).question
        if asked is not None and words.isascii() and words.isdecimal() and 0 < int(words[:3]) <= len(asked.options):
            words = asked.options[int(words) - 1].value
            # What was read as a number was read against this question.
            revision = asked.revision if revision is None else revision
        _show(notices.answer(known, words, revision=revision, who=WHO), home, desk, as_json=as_json)


def edit(task: str, /, *text: Words, as_json: Json = False, desk: AtDesk) -> None:
    """Replace the words of a task."""
    words = text_of(text, desk)
    with house(desk) as home:
        home.check_length(words)
        _show(home.app.notices.edit(task_id(task), words, who=WHO), home, desk, as_json=as_json)


def remind(task: str, /, *at: Words, as_json: Json = False, desk: AtDesk) -> None:
    """Add a reminder by hand."""
    words = text_of(at, desk)
    with house(desk) as home:
        notices, known = home.app.notices, task_id(task)
        moment = instant(words, desk.clock.now(), find_zone(notices.get(known).task.zone))
        _show(notices.remind(known, moment, who=WHO), home, desk, as_json=as_json)


def retry(task: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Try again to understand a task."""
    with house(desk) as home:
        if is_talk(task):
            show_talk(home.app.talks.retry(talk_id(task)), home, desk, as_json=as_json)
            return
        _show(home.app.notices.retry(task_id(task), who=WHO), home, desk, as_json=as_json)


def _show(notice: Notice, home: House, desk: Desk, *, as_json: bool) -> None:
    lines = notice_page(notice, desk.clock.now())
    if notice.planned:
        lines.extend(home.notes())
    desk.answer(wire.of_notice(notice), lines, as_json=as_json)
