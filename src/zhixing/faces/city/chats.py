"""chat send, bind, unbind, list: messages to the chat of a session, and what a session is bound to.

Source: downcity.md §4.5. The text may begin with a head (`---`, `chatKey:`, `delay:`, `time:`, `---`); a flag
goes before it.
"""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from zhixing.documents.chats import LONGEST_TEXT, read_session
from zhixing.faces.city.fields import SESSION, Flag, Maybe, plain, text_of_file
from zhixing.faces.city.here import Answer, AtHere, Here
from zhixing.faces.city.letters import Letter, due_at, read_letter
from zhixing.faces.cli.desk import WHO
from zhixing.faces.cli.house import house
from zhixing.faces.cli.usage import Usage
from zhixing.faces.document_wire import of_sent, of_session
from zhixing.faces.document_words import sent_line, session_line
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording

CHAT = "DC_CTX_CHAT_KEY"
"""The variable that names the chat an agent answers in."""
_BYTES = 4 * LONGEST_TEXT + 4_000

SessionOf = Annotated[str, Parameter(name="SESSION")]
Channels = Annotated[str, Parameter(name="CHANNEL")]


def send(
    *,
    text: Maybe = None,
    stdin: Flag = False,
    text_file: Maybe = None,
    chat_key: Maybe = None,
    delay: Maybe = None,
    time: Maybe = None,
    reply: Flag = False,
    message_id: Maybe = None,
    here: AtHere,
) -> Answer:
    """Send a message to a chat, now or later. Messages quote none here: `reply` and `message_id` change nothing."""
    del reply, message_id
    letter = read_letter(_written(text, text_file, here, stdin=stdin))
    session = _session(chat_key, letter, here)
    if delay is not None and time is not None:
        raise Usage("city_both", first="--delay", second="--time")
    later = (delay, time) if delay is not None or time is not None else (letter.delay, letter.time)
    now = here.desk.clock.now()
    at = due_at(*later, now=now)
    with house(here.desk) as home:
        sent = home.app.documents.chats.send(session, letter.text, who=WHO, at=at)
        zone, notes = find_zone(home.app.zone.name), home.document_notes()
    message = sent_line(sent, now, zone)
    data = {"success": True, "message": message, **of_sent(sent, zone), "notes": notes}
    return Answer(data, [message, *notes])


def bind(session: SessionOf, /, *channel: Channels, here: AtHere) -> Answer:
    """Let a session be these channels of the home."""
    if not channel:
        raise Usage("city_channels")
    with house(here.desk) as home:
        bound = home.app.documents.chats.bind(plain(session), [plain(each) for each in channel])
        shape = of_session(bound, find_zone(home.app.zone.name))
    return Answer({"success": True, **shape}, [session_line(bound)])


def unbind(session: SessionOf, /, *, here: AtHere) -> Answer:
    """Forget what a session is bound to."""
    known = read_session(plain(session))
    with house(here.desk) as home:
        home.app.documents.chats.unbind(known)
    line = wording("city.unbound", session=known)
    return Answer({"success": True, "sessionId": known, "message": line}, [line])


def list_(*, here: AtHere) -> Answer:
    """List what sessions are bound to."""
    with house(here.desk) as home:
        found, zone = home.app.documents.chats.sessions(), find_zone(home.app.zone.name)
    data = {"success": True, "sessions": [of_session(each, zone) for each in found]}
    return Answer(data, [session_line(each) for each in found] or [wording("city.no_sessions")])


def _written(text: str | None, text_file: str | None, here: Here, *, stdin: bool) -> str:
    if sum((text is not None, text_file is not None, stdin)) != 1:
        raise Usage("city_text")
    if stdin:
        return here.desk.read_all(LONGEST_TEXT + 1_000)
    if text_file is None:
        return text or ""
    return text_of_file(text_file, here, _BYTES)


def _session(chat_key: str | None, letter: Letter, here: Here) -> str:
    env = here.desk.env
    named = chat_key if chat_key is not None else letter.chat_key
    wanted = named if named is not None else env.get(CHAT) or env.get(SESSION) or ""
    if not wanted.strip():
        raise Usage("city_chat_missing")
    return wanted
