"""The forms that say something: in words, or with a picture."""

from __future__ import annotations

import hashlib
from typing import Annotated

from fastapi import APIRouter, Depends, Form, UploadFile
from starlette.responses import Response

from zhixing.faces.http.home import read_date, read_upload
from zhixing.faces.said_wire import id_of
from zhixing.faces.web.deeds import WHO
from zhixing.faces.web.desk import AtDesk, own_form
from zhixing.faces.web.today.showing import act_today
from zhixing.kernel.errors import BadInput
from zhixing.notices.model import Entry, Source, Submission

forms = APIRouter(include_in_schema=False, dependencies=[Depends(own_form)])


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
    words = lines_of(text)

    def act() -> str | None:
        app = desk.home.app
        sent_on = read_date(message_date) if message_date and source is Source.PASTE else None
        submission = Submission(words, source, app.clock.now(), app.zone.name, sent_on, entry)
        return id_of(desk.home.say(submission, who=WHO, key=identity_of(key, words))) or None

    return act_today(desk, act, draft=words)


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
    words = lines_of(text)

    def act() -> str:
        if file is None or not file.size:
            raise BadInput("picture_missing")
        app, given = desk.home.app, read_upload(file)
        sent_on = read_date(message_date) if message_date else None
        submission = Submission(words, Source.IMAGE, app.clock.now(), app.zone.name, sent_on)
        identity = identity_of(key, f"{given.facts.sha256} {words}")
        return desk.home.show(submission, given, who=WHO, key=identity).task.id

    return act_today(desk, act, draft=words)


def lines_of(text: str) -> str:
    """Undo what browsers do to line ends."""
    return text.replace("\r\n", "\n")


def identity_of(key: str, words: str) -> str | None:
    """Return the key under which a form is kept once.

    The words are part of it: who goes back, changes them and sends the same form again has said something new.
    """
    return (
        f"page:{key[:64]}:{hashlib.blake2b(words.encode(errors='replace'), digest_size=12).hexdigest()}"
        if key
        else None
    )
