"""The page and its forms: post, then redirect, then get."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request, UploadFile
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, RedirectResponse, Response

from zhixing.faces.http.api.pictures import picture_response
from zhixing.faces.http.feed import SILENCE, EventStream, Feed, event
from zhixing.faces.http.home import AtHome, read_date, read_upload
from zhixing.faces.http.page.desk import AtDesk, Desk, Known, let_in, own_form
from zhixing.faces.http.page.sessions import COOKIE
from zhixing.faces.http.page.templating import render, static
from zhixing.faces.http.refusals import TooOften, Unauthenticated
from zhixing.faces.said_wire import id_of
from zhixing.kernel.errors import BadInput, NotFound
from zhixing.kernel.moments import Exact, locate
from zhixing.kernel.moments import zone as find_zone
from zhixing.notices.model import Entry, Source, Submission

WHO = "page"

router = APIRouter(include_in_schema=False)
forms = APIRouter(include_in_schema=False, dependencies=[Depends(own_form)])


@router.get("/")
def page(request: Request, home: AtHome, sessions: Known, task: str | None = None) -> Response:
    """Show the page, or ask for the token."""
    cookie = request.cookies.get(COOKIE, "")
    if not sessions.is_valid(cookie):
        return HTMLResponse(render("login.html", refused=""))
    return Desk(home, sessions, cookie, request.scope["scheme"]).page(task)


@router.post("/login")
def log_in(request: Request, sessions: Known, token: Annotated[str, Form()] = "") -> Response:
    """Let in whoever has the token."""
    if sessions.is_closed:
        raise TooOften("logins_many")
    if not sessions.opened_by(token):
        raise Unauthenticated("token_wrong")
    response = RedirectResponse("/", status_code=303)
    let_in(response, sessions, request.scope["scheme"])
    return response


@router.get("/live")
async def live(request: Request, desk: AtDesk) -> Response:
    """Tell the page whenever something happened; it looks for itself what that was."""
    feed: Feed = request.app.state.feed
    feed.check_room()
    del desk  # it has a session, which is all
    return EventStream(_changes(feed, await run_in_threadpool(feed.newest)))


async def _changes(feed: Feed, after: int) -> AsyncIterator[bytes]:
    async for entries in feed.follow(after):
        yield event(entries[-1].seq, b"changed") if entries else SILENCE


@router.get("/static/{name}")
def asset(name: str) -> Response:
    """Give one of our files; its address changes with its content."""
    try:
        content, media = static(name)
    except KeyError as error:
        raise NotFound("route_unknown", path=f"/static/{name}"[:64]) from error
    return Response(content, media_type=media, headers={"Cache-Control": "public, max-age=31536000, immutable"})


@router.get("/tasks/{task_id}/picture")
def picture(desk: AtDesk, task_id: str) -> Response:
    """Give the picture of a task."""
    return picture_response(desk.home, task_id)


@forms.post("/logout")
def log_out(request: Request) -> Response:
    """Take the cookie away."""
    response = RedirectResponse("/", status_code=303)
    response.delete_cookie(COOKIE, secure=request.scope["scheme"] == "https", httponly=True, samesite="strict")
    return response


@forms.post("/say")
def say(
    desk: AtDesk,
    *,
    key: Annotated[str, Form()] = "",
    text: Annotated[str, Form()] = "",
    source: Annotated[Source, Form()] = Source.DIRECT,
    entry: Annotated[Entry, Form()] = Entry.SCHEDULE,
    message_date: Annotated[str, Form()] = "",
) -> Response:
    """Keep what was said and show what was understood."""
    words = _lines(text)

    def act() -> str | None:
        app = desk.home.app
        sent_on = read_date(message_date) if message_date and source is Source.PASTE else None
        submission = Submission(words, source, app.clock.now(), app.zone.name, sent_on, entry)
        return id_of(desk.home.say(submission, who=WHO, key=_identity(key, words))) or None

    return desk.act(act, draft=words)


@forms.post("/pictures")
def show(
    desk: AtDesk,
    *,
    key: Annotated[str, Form()] = "",
    file: UploadFile | None = None,
    text: Annotated[str, Form()] = "",
    message_date: Annotated[str, Form()] = "",
) -> Response:
    """Keep a picture and show what became of it."""
    words = _lines(text)

    def act() -> str:
        if file is None or not file.size:
            raise BadInput("picture_missing")
        app, given = desk.home.app, read_upload(file)
        sent_on = read_date(message_date) if message_date else None
        submission = Submission(words, Source.IMAGE, app.clock.now(), app.zone.name, sent_on)
        identity = _identity(key, f"{given.facts.sha256} {words}")
        return desk.home.show(submission, given, who=WHO, key=identity).task.id

    return desk.act(act, draft=words)


@forms.post("/tasks/{task_id}/answer")
def answer(
    desk: AtDesk, task_id: str, revision: Annotated[int, Form()], value: Annotated[str, Form()] = ""
) -> Response:
    """Take an answer, picked or in words."""
    notices = desk.home.app.notices
    return desk.act(lambda: notices.answer(task_id, value, revision=revision, who=WHO).task.id, task_id)


@forms.post("/talks/{talk}/answer")
def answer_talk(
    desk: AtDesk, talk: str, revision: Annotated[int, Form()], value: Annotated[str, Form()] = ""
) -> Response:
    """Take an answer about the home, picked or in words."""
    talks = desk.home.app.talks
    return desk.act(lambda: talks.answer(talk, value, who=WHO, revision=revision).id, talk)


@forms.post("/talks/{talk}/retry")
def retry_talk(desk: AtDesk, talk: str) -> Response:
    """Try again to understand a sentence about the home."""
    return desk.act(lambda: desk.home.app.talks.retry(talk).id, talk)


@forms.post("/talks/{talk}/cancel")
def cancel_talk(desk: AtDesk, talk: str) -> Response:
    """Call off a sentence about the home."""
    return desk.act(lambda: desk.home.app.talks.cancel(talk, who=WHO).id, talk)


@forms.post("/drafts/{draft}/answer")
def answer_draft(
    desk: AtDesk, draft: str, revision: Annotated[int, Form()], value: Annotated[str, Form()] = ""
) -> Response:
    """Take an answer to a draft, picked or in words."""
    drafts = desk.home.app.drafts
    return desk.act(lambda: drafts.answer(draft, value, who=WHO, revision=revision).row.id, draft)


@forms.post("/drafts/{draft}/cancel")
def cancel_draft(desk: AtDesk, draft: str) -> Response:
    """Drop a draft."""
    return desk.act(lambda: desk.home.app.drafts.cancel(draft).row.id, draft)


@forms.post("/proposals/{proposal}/answer")
def answer_proposal(
    desk: AtDesk, proposal: str, revision: Annotated[int, Form()], value: Annotated[str, Form()] = ""
) -> Response:
    """Take an answer to a proposal of a rule, picked or in words."""
    proposals = desk.home.app.proposals
    return desk.act(lambda: proposals.answer(proposal, value, who=WHO, revision=revision).row.id, proposal)


@forms.post("/proposals/{proposal}/cancel")
def cancel_proposal(desk: AtDesk, proposal: str) -> Response:
    """Drop a proposal of a rule."""
    return desk.act(lambda: desk.home.app.proposals.cancel(proposal).row.id, proposal)


@forms.post("/goal-talks/{talk}/answer")
def answer_goal_talk(
    desk: AtDesk, talk: str, revision: Annotated[int, Form()], value: Annotated[str, Form()] = ""
) -> Response:
    """Take an answer about a goal: a button, a task out of a list, or words."""
    talks = desk.home.app.goals.talks
    return desk.act(lambda: talks.answer(talk, value, who=WHO, revision=revision).row.id, talk)


@forms.post("/goal-talks/{talk}/cancel")
def discard_goal_talk(desk: AtDesk, talk: str) -> Response:
    """Discard a draft of a goal."""
    return desk.act(lambda: desk.home.app.goals.talks.discard(talk).row.id, talk)


@forms.post("/tasks/{task_id}/done")
def done(desk: AtDesk, task_id: str) -> Response:
    """Mark a task done."""

    def act() -> str:
        with desk.home.app.store.write() as tx:
            return desk.home.app.tasks.complete(tx, task_id, who=WHO).id

    return desk.act(act, task_id)


@forms.post("/tasks/{task_id}/restore")
def restore(desk: AtDesk, task_id: str) -> Response:
    """Take back that a task was done or deleted."""

    def act() -> str:
        with desk.home.app.store.write() as tx:
            return desk.home.app.tasks.restore(tx, task_id, who=WHO).id

    return desk.act(act, task_id)


@forms.post("/tasks/{task_id}/delete")
def delete(desk: AtDesk, task_id: str) -> Response:
    """Remove a task from sight; the page offers to restore it."""

    def act() -> str:
        with desk.home.app.store.write() as tx:
            return desk.home.app.tasks.delete(tx, task_id, who=WHO).id

    return desk.act(act, task_id)


@forms.post("/tasks/{task_id}/pause")
def pause(desk: AtDesk, task_id: str) -> Response:
    """Stop a task, with everything that is pending of it."""

    def act() -> str:
        with desk.home.app.store.write() as tx:
            return desk.home.app.tasks.pause(tx, task_id, who=WHO).id

    return desk.act(act, task_id)


@forms.post("/tasks/{task_id}/resume")
def resume(desk: AtDesk, task_id: str) -> Response:
    """End a pause."""

    def act() -> str:
        with desk.home.app.store.write() as tx:
            return desk.home.app.tasks.resume(tx, task_id, who=WHO).id

    return desk.act(act, task_id)


@forms.post("/tasks/{task_id}/edit")
def edit(desk: AtDesk, task_id: str, text: Annotated[str, Form()] = "") -> Response:
    """Give a task other words."""
    words = _lines(text)

    def act() -> str:
        desk.home.check_length(words)
        return desk.home.app.notices.edit(task_id, words, who=WHO).task.id

    return desk.act(act, task_id)


@forms.post("/tasks/{task_id}/remind")
def remind(desk: AtDesk, task_id: str, at: Annotated[str, Form()] = "") -> Response:
    """Set a reminder by hand, at a local time of the task."""

    def act() -> str:
        notices = desk.home.app.notices
        return notices.remind(task_id, _local(at, notices.get(task_id).task.zone), who=WHO).task.id

    return desk.act(act, task_id)


@forms.post("/tasks/{task_id}/retry")
def retry(desk: AtDesk, task_id: str) -> Response:
    """Try again to understand."""
    return desk.act(lambda: desk.home.app.notices.retry(task_id, who=WHO).task.id, task_id)


@forms.post("/inbox/{message_id}/dismiss")
def dismiss(desk: AtDesk, message_id: str) -> Response:
    """Remove a message from the inbox; its task goes on."""

    def act() -> None:
        with desk.home.app.store.write() as tx:
            desk.home.app.delivery.dismiss(tx, message_id)

    return desk.act(act)


def _lines(text: str) -> str:
    """Undo what browsers do to line ends."""
    return text.replace("\r\n", "\n")


def _identity(key: str, words: str) -> str | None:
    """Return the key under which a form is kept once.

    The words are part of it: who goes back, changes them and sends the same form again has said something new.
    """
    return (
        f"page:{key[:64]}:{hashlib.blake2b(words.encode(errors='replace'), digest_size=12).hexdigest()}"
        if key
        else None
    )


def _local(text: str, zone_name: str) -> datetime:
    """Read a local time as the browser's picker writes it. One that does not name one instant is refused."""
    try:
        local = datetime.fromisoformat(text)
    except ValueError as error:
        raise BadInput("instant_unreadable", text=text[:64]) from error
    if local.tzinfo is not None:
        return local
    found = locate(local, find_zone(zone_name))
    if not isinstance(found, Exact):
        raise BadInput("local_time_unclear", text=text[:64], zone=zone_name)
    return found.at


router.include_router(forms)
