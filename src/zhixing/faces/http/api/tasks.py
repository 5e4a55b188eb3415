"""Saying things, and what can be done with the tasks that come of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Header, Query
from starlette.responses import Response

from zhixing.faces import wire
from zhixing.faces.http.api import reading_shapes, shapes
from zhixing.faces.http.api.bodies import Answered, DoneOnce, Edited, LeftOut, Said, WantedReminder
from zhixing.faces.http.api.drafts import Draft
from zhixing.faces.http.api.goal_talks import GoalTalk, Silence
from zhixing.faces.http.api.proposals import Proposal
from zhixing.faces.http.home import AtHome, read_date
from zhixing.faces.said_wire import of_said
from zhixing.faces.wire import Wire
from zhixing.kernel.errors import BadInput, NotFound
from zhixing.kernel.moments import parse_instant
from zhixing.kernel.moments import zone as find_zone
from zhixing.notices import listing
from zhixing.notices import store as notices
from zhixing.notices.candidates import candidate_of
from zhixing.notices.explaining import explain_notice, explain_occurrence
from zhixing.notices.listing import LARGEST_PAGE
from zhixing.notices.model import Submission
from zhixing.notices.notice import NoticeState
from zhixing.notices.protocol import PROTOCOL, protocol_of
from zhixing.tasks import occurrences
from zhixing.tasks import store as tasks
from zhixing.tasks.task import Status

WHO = "http"
LONGEST_LOOK = 366
"""Days one can look ahead."""

router = APIRouter(tags=["tasks"])

Days = Annotated[int, Query(ge=1, le=LONGEST_LOOK, description="How far to look ahead.")]


@router.post(
    "/say",
    status_code=201,
    response_model=shapes.Task | shapes.Talk | Draft | Proposal | GoalTalk | Silence,
    response_model_exclude_unset=True,
)
def say(
    home: AtHome,
    body: Said,
    idempotency_key: Annotated[
        str | None, Header(description="The same key again changes nothing and returns what the first one became.")
    ] = None,
) -> Wire:
    """Say something. It is kept first, then understood; what came of it is returned.

    A sentence about the home (`way` household) becomes a talk, one that asks for something to be written or run (`way`
    document) a draft that is shown first, one that names the hub (`way` graph) a proposal of a rule, `/task …` (`way`
    goal) a conversation about a goal, everything else a task. The tag that opens the side panel is met with silence.
    """
    app = home.app
    submission = Submission(
        body.text,
        body.source,
        app.clock.now() if body.submitted_at is None else parse_instant(body.submitted_at),
        app.zone.name if body.zone is None else body.zone,
        None if body.message_date is None else read_date(body.message_date),
        body.entry,
    )
    said = home.say(submission, who=WHO, key=idempotency_key, cameras=body.cameras)
    return of_said(said)


@router.get("/tasks", response_model=shapes.Tasks, response_model_exclude_unset=True)
def list_tasks(
    home: AtHome,
    status: Annotated[list[Status] | None, Query(description="Only these; may be repeated.")] = None,
    state: Annotated[list[NoticeState] | None, Query(description="Only these; may be repeated.")] = None,
    limit: Annotated[int, Query(ge=1, le=LARGEST_PAGE)] = 50,
    before: Annotated[str | None, Query(description="The `more` of the page before.")] = None,
) -> Wire:
    """List tasks, newest first."""
    with home.app.store.read() as tx:
        page = listing.page(tx, statuses=status or (), states=state or (), limit=limit, before=before)
    return {"tasks": [wire.of_notice(notice) for notice in page.notices], "more": page.more}


@router.get("/tasks/{task_id}", response_model=shapes.Task, response_model_exclude_unset=True)
def show(home: AtHome, task_id: str) -> Wire:
    """Show one task."""
    return wire.of_notice(home.app.notices.get(task_id))


@router.post("/tasks/{task_id}/answer", response_model=shapes.Task, response_model_exclude_unset=True)
def answer(home: AtHome, task_id: str, body: Answered) -> Wire:
    """Answer the open question of a task."""
    return wire.of_notice(home.app.notices.answer(task_id, body.value, revision=body.revision, who=WHO))


@router.post("/tasks/{task_id}/done", response_model=shapes.Task, response_model_exclude_unset=True)
def done(home: AtHome, task_id: str) -> Wire:
    """Mark a task done: nothing of it will be told any more."""
    with home.app.store.write() as tx:
        home.app.tasks.complete(tx, task_id, who=WHO)
        return wire.of_notice(notices.get(tx, task_id))


@router.post("/tasks/{task_id}/done-once", response_model=shapes.Task, response_model_exclude_unset=True)
def done_once(home: AtHome, task_id: str, body: DoneOnce) -> Wire:
    """Mark one time of what repeats done; the rest goes on."""
    notice, _ = home.app.repeating.done_once(task_id, who=WHO, occurrence=body.occurrence, revision=body.revision)
    return wire.of_notice(notice)


@router.post("/tasks/{task_id}/skip", response_model=shapes.Task, response_model_exclude_unset=True)
def skip(home: AtHome, task_id: str, body: LeftOut) -> Wire:
    """Leave out a day of what repeats that is still ahead."""
    day = read_date(body.date)
    return wire.of_notice(home.app.repeating.skip(task_id, day, who=WHO, revision=body.revision))


@router.post("/tasks/{task_id}/unskip", response_model=shapes.Task, response_model_exclude_unset=True)
def unskip(home: AtHome, task_id: str, body: LeftOut) -> Wire:
    """Let a day happen that was left out."""
    day = read_date(body.date)
    return wire.of_notice(home.app.repeating.put_back(task_id, day, who=WHO, revision=body.revision))


@router.post("/tasks/{task_id}/restore", response_model=shapes.Task, response_model_exclude_unset=True)
def restore(home: AtHome, task_id: str) -> Wire:
    """Take back that a task was done or deleted; what lies ahead will be told again."""
    with home.app.store.write() as tx:
        home.app.tasks.restore(tx, task_id, who=WHO)
        return wire.of_notice(notices.get(tx, task_id))


@router.delete("/tasks/{task_id}", response_model=shapes.Task, response_model_exclude_unset=True)
def delete(home: AtHome, task_id: str) -> Wire:
    """Remove a task from sight; it can be restored."""
    with home.app.store.write() as tx:
        home.app.tasks.delete(tx, task_id, who=WHO)
        return wire.of_notice(notices.get(tx, task_id))


@router.patch("/tasks/{task_id}", response_model=shapes.Task, response_model_exclude_unset=True)
def edit(home: AtHome, task_id: str, body: Edited) -> Wire:
    """Give a task other words, which are understood anew, or another title."""
    if body.text is not None and body.title is None:
        home.check_length(body.text)
        return wire.of_notice(home.app.notices.edit(task_id, body.text, who=WHO))
    if body.title is None or body.text is not None:
        raise BadInput("edit_one_thing")
    with home.app.store.write() as tx:
        home.app.tasks.rename(tx, task_id, body.title, who=WHO)
        return wire.of_notice(notices.get(tx, task_id))


@router.post("/tasks/{task_id}/reminders", response_model=shapes.Task, response_model_exclude_unset=True)
def remind(home: AtHome, task_id: str, body: WantedReminder) -> Wire:
    """Set a reminder by hand. One behind the task's deadline is asked about first."""
    return wire.of_notice(home.app.notices.remind(task_id, parse_instant(body.at), who=WHO))


@router.post("/tasks/{task_id}/retry", response_model=shapes.Task, response_model_exclude_unset=True)
def retry(home: AtHome, task_id: str) -> Wire:
    """Try again to understand what could not be understood."""
    return wire.of_notice(home.app.notices.retry(task_id, who=WHO))


@router.get("/tasks/{task_id}/preview", response_model=shapes.Preview)
def preview(home: AtHome, task_id: str, days: Days = 30) -> Wire:
    """Show what a task will tell in the days to come."""
    notice = home.app.notices.get(task_id)
    zone, now = find_zone(notice.task.zone), home.app.clock.now()
    ahead = listing.within(notice, now, now + timedelta(days=days))
    reminders = [wire.of_reminder(reminder, zone) for reminder in ahead]
    return {"task": task_id, "zone": notice.task.zone, "reminders": reminders}


@router.get("/tasks/{task_id}/candidate", response_model=reading_shapes.Candidate, response_model_exclude_unset=True)
def candidate(
    home: AtHome,
    task_id: str,
    response: Response,
    x_zhixing_protocol: Annotated[
        str | None, Header(description="What the client reads: 2, or 1 (also when not given), without leads.")
    ] = None,
) -> Wire:
    """Show what was read in the words of a task, verbatim and verified, by the local rules or a model.

    One matter stands at the root; several that were not chosen among yet stand in `items`.
    """
    spoken = min(protocol_of(x_zhixing_protocol), PROTOCOL)
    found = candidate_of(home.app.notices.get(task_id), spoken)
    if found is None:
        raise NotFound("candidate_unknown", id=task_id[:64])
    response.headers["X-Zhixing-Protocol"] = str(spoken)
    response.headers["Vary"] = "X-Zhixing-Protocol"
    return found


@router.get("/tasks/{task_id}/explain", response_model=shapes.ExplainedTask, response_model_exclude_unset=True)
def explain(home: AtHome, task_id: str) -> Wire:
    """Say why a task tells, told or does not tell."""
    with home.app.store.read() as tx:
        notice = notices.get(tx, task_id)
        happened = occurrences.of_task(tx, task_id)
    return wire.of_notice(notice, explain_notice(notice, happened, home.app.clock.now()))


@router.get("/occurrences/{occurrence_id}/explain", response_model=shapes.ExplainedOccurrence)
def explain_one(home: AtHome, occurrence_id: str) -> Wire:
    """Say what became of one thing that was due, and of every message about it."""
    with home.app.store.read() as tx:
        occurrence = occurrences.get(tx, occurrence_id)
        messages = home.app.delivery.messages(tx, occurrence_id)
        zone = find_zone(tasks.get(tx, occurrence.task_id).zone)
    lines = explain_occurrence(occurrence, messages, zone, home.app.clock.now())
    told = [wire.of_message(message, zone) for message in messages]
    return {**wire.of_occurrence(occurrence, zone, lines), "messages": told}
