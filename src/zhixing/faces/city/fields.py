"""What may be said of a task on a command line, and the fields of task.md that it stands for.

A value is read as its field is, so that a mistake names the flag; it is written into the file as it was read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar

from cyclopts import Parameter

from zhixing.documents.chats import read_session
from zhixing.documents.fields import choice, declared, duration, duration_text, one_line, retries, variables, zone_name
from zhixing.documents.instants import read_instant
from zhixing.documents.model import Deliver, Kind, Overlap, Standing
from zhixing.documents.reading import LONGEST_DESCRIPTION
from zhixing.documents.when import read_when, write_when
from zhixing.documents.yamlblock import Value
from zhixing.faces.city.here import Here
from zhixing.faces.cli.files import content_of
from zhixing.faces.cli.options import STDIN, TYPED
from zhixing.faces.cli.usage import Usage
from zhixing.kernel.errors import BadInput
from zhixing.tasks.schedule.model import Missed
from zhixing.tasks.task import LONGEST_TITLE

LARGEST_BODY = 256 * 1024
"""Bytes of a body."""
SESSION = "DC_SESSION_ID"
"""The variable that names the session an agent works in."""

Title = Annotated[str, Parameter(name="TITLE")]
Text = Annotated[str, Parameter(negative=())]
Maybe = Annotated[str | None, Parameter(negative=())]
Flag = Annotated[bool, Parameter(negative=())]
Truth = Annotated[bool | None, Parameter(negative=())]
Many = Annotated[tuple[str, ...] | None, Parameter(negative=(), json_list=False)]
SessionId = Annotated[str | None, Parameter(name=("--session-id", "--sessionId"), negative=())]
ExpiresAt = Annotated[str | None, Parameter(name=("--expires-at", "--expiresAt"), negative=())]
StatusOf = Literal["enabled", "paused", "disabled"]
MaybeStatus = Annotated[StatusOf | None, Parameter(negative=())]
MaybeKind = Annotated[Literal["agent", "script"] | None, Parameter(negative=())]

T = TypeVar("T")


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Extras:
    """The optional fields of ours; what was not said is None."""

    timezone: Maybe = None
    missed: Maybe = None
    overlap: Maybe = None
    timeout: Maybe = None
    retries: Maybe = None
    env: Many = None
    network: Truth = None
    paths: Many = None
    agent_command: Maybe = None
    deliver: Maybe = None
    expires_at: ExpiresAt = None


UNSAID = Extras()

Read = Callable[[Any], Any]
Write = Callable[[Any], Value]

_FIELDS: dict[str, tuple[str, str, Read, Write]] = {
    "timezone": ("--timezone", "timezone", zone_name, str),
    "missed": ("--missed", "missed", lambda text: choice(text, Missed), str),
    "overlap": ("--overlap", "overlap", lambda text: choice(text, Overlap), str),
    "timeout": ("--timeout", "timeout", duration, duration_text),
    "retries": ("--retries", "retries", retries, str),
    "env": ("--env", "env", lambda items: variables(_items(items)), tuple),
    "network": ("--network", "network", bool, lambda on: "true" if on else "false"),
    "paths": ("--paths", "paths", lambda items: declared(_items(items)), lambda paths: tuple(map(_declared, paths))),
    "agent_command": ("--agent-command", "agent_command", str.strip, str),
    "deliver": ("--deliver", "deliver", lambda text: choice(text, Deliver), str),
    "expires_at": ("--expires-at", "expiresAt", read_instant, lambda at: at.isoformat()),
}
"""By name of the argument: its flag, its field in the file, how it is read, how it is written."""


def values_of(extras: Extras) -> dict[str, Any]:
    """Return what was said, as a `Definition` has it. What was said to be empty keeps its default."""
    given = ((name, getattr(extras, name)) for name in _FIELDS)
    return {name: _read(name, value) for name, value in given if not _empty(value)}


def fields_of(extras: Extras) -> dict[str, Value | None]:
    """Return what was said, as a file has it; None for what was said to be empty, which is taken out."""
    found: dict[str, Value | None] = {}
    for name, (_, written, _, write) in _FIELDS.items():
        value = getattr(extras, name)
        if value is not None:
            found[written] = None if _empty(value) else write(_read(name, value))
    return found


def named(flag: str, read: Callable[[str], T], value: str) -> T:
    """Read the value of a flag; what is wrong with it names the flag. Raises `BadInput`."""
    try:
        return read(value)
    except BadInput as error:
        raise BadInput("city_option", name=flag, problem=str(error)) from error


def line_of(flag: str, written: str, limit: int) -> str:
    """Return the value of a flag that is one line of at most `limit` characters. Raises `BadInput`, `Usage`."""
    if not written.strip():
        raise Usage("city_empty", name=flag)
    return named(flag, lambda text: one_line(text, limit), written)


def description_of(written: str) -> str:
    """Return `--description` as a file has it: what stands on several lines is written on one."""
    return line_of("--description", " ".join(written.split()), LONGEST_DESCRIPTION)


def title_of(written: str) -> str:
    """Return `--title` as a file has it."""
    return line_of("--title", written, LONGEST_TITLE)


def when_of(written: str) -> str:
    """Return `--when` as a file has it. Raises `BadInput`."""
    return write_when(named("--when", read_when, written))


def session_of(written: str | None, here: Here) -> str:
    """Return the session that was named, else the one of the surroundings. Raises `Usage` when there is none."""
    wanted = here.desk.env.get(SESSION, "") if written is None else written
    if not wanted.strip():
        raise Usage("city_session_missing" if written is None else "city_session_empty")
    return read_session(wanted)


def standing_of(status: str | None, *, activate: bool) -> Standing | None:
    """Return the status that was asked for. Raises `Usage` for two that do not go together."""
    if activate and status not in (None, Standing.ENABLED.value):
        raise Usage("city_activate", status=status)
    if activate:
        return Standing.ENABLED
    return None if status is None else Standing(status)


def body_of(body: str | None, body_file: str | None, here: Here) -> str | None:
    """Return the body that was given, from the line or from a file. Raises `Usage` for both, `BadInput`."""
    if body is not None and body_file is not None:
        raise Usage("city_body_twice")
    if body_file is None:
        return body
    return text_of_file(body_file, here, LARGEST_BODY)


def text_of_file(name: str, here: Here, most_bytes: int) -> str:
    """Return the text of a file, `-` being standard input. Raises `BadInput`, `TooLarge`."""
    data = content_of(STDIN if name == "-" else name, here.desk, most_bytes)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput("input_not_utf8", line=data[: error.start].count(b"\n") + 1) from error


def kind_of(written: str | None) -> Kind:
    """Return the kind that was asked for, an agent's where none was."""
    return Kind.AGENT if written is None else Kind(written)


def plain(written: str) -> str:
    """Return an argument as it was typed."""
    return written.removeprefix(TYPED)


def _read(name: str, value: Any) -> Any:
    flag, _, read, _ = _FIELDS[name]
    return named(flag, read, value)


def _empty(value: object) -> bool:
    if isinstance(value, tuple):
        return not _items(value)
    return value is None or (isinstance(value, str) and not value.strip())


def _items(given: Sequence[str]) -> list[str]:
    """Return the values of an option that may be repeated and may have several, with commas between them."""
    return [item.strip() for each in given for item in each.replace("，", ",").split(",") if item.strip()]


def _declared(one: Any) -> str:
    return f"{one.path}:rw" if one.writable else str(one.path)
