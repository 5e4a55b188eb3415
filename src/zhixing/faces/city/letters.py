"""The text of `chat send`, taken apart: its head, if it has one, and the message (downcity.md §4.5). Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from zhixing.documents.chats import FURTHEST
from zhixing.documents.instants import read_instant
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import EPOCH

KNOWN = ("chatKey", "delay", "time", "reply", "messageId")
"""What a head may say; the last two have no meaning here."""
LARGEST_HEAD = 2_000
"""Characters of a head."""

_HEAD = re.compile(r"---[ \t]*\r?\n(?P<head>(?:[^\n]*\n)*?)---[ \t]*(?:\r?\n|\Z)")
_FIELD = re.compile(r"(?P<name>[A-Za-z_][A-Za-z0-9_]*)[ \t]*:[ \t]*(?P<value>.*)")
_FILE = re.compile(r"<file\b[^>]*>", re.IGNORECASE)
_WHOLE = re.compile(r"[0-9]{1,14}", re.ASCII)
_MILLISECONDS = 100_000_000_000
"""Unix times from here on are milliseconds: as seconds they would be in the year 5138."""
_SHOWN = 64


@dataclass(frozen=True, slots=True)
class Letter:
    """What a text says: the message, and what its head asks for; None where it asks for nothing."""

    text: str
    chat_key: str | None = None
    delay: str | None = None
    time: str | None = None


def read_letter(written: str) -> Letter:
    r"""Take a text apart. Raises `BadInput` for a file block and for a head that says something else besides.

    A text that begins with `---` and asks for nothing that is known is a message as it is. Where it has no line break
    of its own, a written `\n` is one.
    """
    text = written if "\n" in written else written.replace("\\n", "\n")
    head, body = _parted(text)
    if _FILE.search(body):
        raise BadInput("city_file_block")
    return Letter(body.strip("\n"), head.get("chatkey"), head.get("delay"), head.get("time"))


def due_at(delay: str | None, time: str | None, *, now: datetime) -> datetime | None:
    """Return when a message is to be sent; None for now. Raises `BadInput`."""
    if delay is not None:
        if not _WHOLE.fullmatch(delay.strip()):
            raise BadInput("city_delay", text=delay[:_SHOWN])
        return _bounded(now, int(delay))
    if time is None:
        return None
    plain = time.strip()
    if not _WHOLE.fullmatch(plain):
        return read_instant(plain)
    number = int(plain)
    return _bounded(EPOCH, number if number >= _MILLISECONDS else number * 1_000, now)


def _bounded(start: datetime, milliseconds: int, now: datetime | None = None) -> datetime:
    try:
        at = start + timedelta(milliseconds=milliseconds)
    except OverflowError as error:
        raise BadInput("chat_far", days=FURTHEST.days) from error
    if at > (now or start) + FURTHEST:
        raise BadInput("chat_far", days=FURTHEST.days)
    return at


def _parted(text: str) -> tuple[dict[str, str], str]:
    found = _HEAD.match(text.lstrip("\ufeff \t\r\n")[: LARGEST_HEAD + 8])
    if found is None:
        return {}, text
    lines = [line.strip() for line in found["head"].splitlines() if line.strip()]
    fields = [_FIELD.fullmatch(line) for line in lines]
    known = {name.lower() for name in KNOWN}
    if not any(field is not None and field["name"].lower() in known for field in fields):
        return {}, text
    head: dict[str, str] = {}
    for line, field in zip(lines, fields, strict=True):
        if field is None or field["name"].lower() not in known or field["name"].lower() in head:
            raise BadInput("city_head", line=line[:_SHOWN], known="、".join(KNOWN))
        head[field["name"].lower()] = field["value"].strip().strip("\"'")
    return head, text.lstrip("\ufeff \t\r\n")[found.end() :]
