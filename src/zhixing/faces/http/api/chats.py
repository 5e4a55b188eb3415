"""Chats: what session ids stand for, and messages to them."""

from __future__ import annotations

from fastapi import APIRouter

from zhixing.documents.chats import read_session
from zhixing.faces import document_wire
from zhixing.faces.http.api import document_bodies as bodies
from zhixing.faces.http.api import document_shapes as shapes
from zhixing.faces.http.home import AtHome
from zhixing.faces.wire import Wire
from zhixing.kernel.errors import NotFound
from zhixing.kernel.moments import parse_instant
from zhixing.kernel.moments import zone as find_zone

WHO = "http"

router = APIRouter(prefix="/chat", tags=["chat"])


@router.post("/messages", status_code=201, response_model=shapes.SentMessage)
def send(home: AtHome, body: bodies.ChatMessage) -> Wire:
    """Send a message to a session, now or at an instant. The inbox has it in any case."""
    home.check_length(body.text)
    at = None if body.at is None else parse_instant(body.at)
    sent = home.app.documents.chats.send(body.session_id, body.text, who=WHO, at=at)
    return document_wire.of_sent(sent, find_zone(home.app.zone.name))


@router.get("/sessions", response_model=shapes.ChatSessions)
def list_sessions(home: AtHome) -> Wire:
    """List the sessions that are bound."""
    zone = find_zone(home.app.zone.name)
    return {"sessions": [document_wire.of_session(bound, zone) for bound in home.app.documents.chats.sessions()]}


@router.get("/sessions/{session:path}", response_model=shapes.ChatSession)
def show(home: AtHome, session: str) -> Wire:
    """Show what a session is bound to; one that never was is the channel of the same name, if there is one."""
    known, chats = read_session(session), home.app.documents.chats
    for bound in chats.sessions():
        if bound.session_id == known:
            return document_wire.of_session(bound, find_zone(home.app.zone.name))
    with home.app.store.read() as tx:
        channels = chats.channels_of(tx, known)
    if not channels:
        raise NotFound("chat_session_unknown", id=known[:64])
    return {"sessionId": known, "channels": list(channels), "boundAt": None}


@router.put("/sessions/{session:path}", response_model=shapes.ChatSession)
def bind(home: AtHome, session: str, body: bodies.WantedChannels) -> Wire:
    """Bind a session to channels, from now on."""
    bound = home.app.documents.chats.bind(session, body.channels)
    return document_wire.of_session(bound, find_zone(home.app.zone.name))


@router.delete("/sessions/{session:path}", response_model=shapes.RemovedSession)
def unbind(home: AtHome, session: str) -> Wire:
    """Forget what a session is bound to."""
    known = read_session(session)
    home.app.documents.chats.unbind(known)
    return {"sessionId": known, "removed": True}
