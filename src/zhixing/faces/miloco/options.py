"""What the commands share: their arguments and options by name, and how values are read as they are typed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

import msgspec
from cyclopts import Parameter

from zhixing.faces.cli.options import TYPED
from zhixing.faces.miloco.usage import Usage, typed
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import parse_instant, settle

LONGEST_JSON = 20_000
"""Characters of a JSON that is typed."""

_WHOLE = re.compile(r"[+-]?[0-9]{1,15}")
_QUOTES = "\"'"
_SHOWN = 64
_LENGTH = re.compile(r"(?:([0-9]{1,5})d)?(?:([0-9]{1,6})h)?(?:([0-9]{1,7})m)?(?:([0-9]{1,8})s)?|([0-9]{1,7})", re.ASCII)


def _whole(_: Any, tokens: Sequence[Any]) -> int:
    """Read a whole number and nothing else: a fraction is no such number."""
    if not _WHOLE.fullmatch(tokens[0].value):
        raise ValueError(tokens[0].value)
    return int(tokens[0].value)


Text = Annotated[str, Parameter(negative=())]
Maybe = Annotated[str | None, Parameter(negative=())]
Many = Annotated[tuple[str, ...], Parameter(negative=(), json_list=False)]
Whole = Annotated[int, Parameter(negative=(), converter=_whole)]
MaybeWhole = Annotated[int | None, Parameter(negative=(), converter=_whole)]
Flag = Annotated[bool, Parameter(negative=())]
FireId = Annotated[str | None, Parameter(name="--fire-id", negative=())]
At = Annotated[str | None, Parameter(name="--at", negative=())]
RecordKind = Literal["progress", "duration", "event"]
Reason = Literal["completed", "expired", "abandoned"]


def plain(written: str) -> str:
    """Return an argument as it was typed."""
    return written.removeprefix(TYPED)


def unquoted(text: str) -> str:
    """Return a value without the one pair of quotes that a caller without a shell leaves around it."""
    stripped = text.strip()
    if len(stripped) >= 2 and stripped[0] == stripped[-1] and stripped[0] in _QUOTES:
        return stripped[1:-1].strip()
    return stripped


def instant(written: str | None, now: datetime, tz: ZoneInfo) -> datetime:
    """Return the instant of `--at`, now where there is none; without an offset it is a time of the home's zone."""
    if written is None:
        return now
    text = unquoted(written)
    with typed():
        try:
            read = datetime.fromisoformat(text)
        except ValueError as error:
            raise BadInput("instant_unreadable", text=text[:_SHOWN]) from error
        return settle(read, tz) if read.tzinfo is None else parse_instant(text)


def json_object(written: str, name: str) -> Mapping[str, Any]:
    """Return the one JSON object behind an option; anything else names the option."""
    if len(written) > LONGEST_JSON:
        raise Usage("miloco_json_long", name=name, limit=LONGEST_JSON)
    try:
        read = msgspec.json.decode(written.encode("utf-8", "surrogatepass"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Usage("miloco_json_unreadable", name=name, text=" ".join(written.split())[:_SHOWN]) from error
    if not isinstance(read, dict):
        raise Usage("miloco_json_no_object", name=name)
    return read


def within(name: str, number: int | None, low: int, high: int) -> int | None:
    """Return a number that was typed; raise `Usage` when it is out of bounds."""
    if number is not None and not low <= number <= high:
        raise Usage("miloco_out_of_range", name=name, low=low, high=high)
    return number


def since_of(written: str | None, now: datetime) -> datetime | None:
    """Return the instant that lies a length of time ago: 30 (minutes), 1h, 2h30m, 7d."""
    if written is None:
        return None
    text = unquoted(written).lower()
    found = _LENGTH.fullmatch(text)
    if not text or found is None:
        raise Usage("miloco_since", text=text[:_SHOWN])
    days, hours, minutes, seconds, bare = (int(part or 0) for part in found.groups())
    try:
        return now - timedelta(days=days, hours=hours, minutes=minutes + bare, seconds=seconds)
    except OverflowError as error:
        raise Usage("miloco_since", text=text[:_SHOWN]) from error
