"""The document's content JSON of a record, read strictly and written back (document 000, "Record content JSON").

    progress   {target, unit, window, expires_at?, recurring_pattern?}    one of the last two
    duration   {target_minutes?, expires_at?, recurring_pattern?}         one of the last two
    event      {expires_at?, recurring_pattern?}

`recurring_pattern` is `{"window": …}`. The top-level window of progress decides its periods, also where the pattern
names another. Every field that is not listed is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import iso, parse_instant, zone
from zhixing.tasks.records.model import Content, RecordKind, Window

LARGEST_TARGET = 1_000_000_000
"""Of a count or of minutes."""
LONGEST_UNIT = 16
"""Characters of a unit."""

FIELDS: dict[RecordKind, tuple[str, ...]] = {
    RecordKind.PROGRESS: ("target", "unit", "window", "recurring_pattern", "expires_at"),
    RecordKind.DURATION: ("target_minutes", "recurring_pattern", "expires_at"),
    RecordKind.EVENT: ("recurring_pattern", "expires_at"),
}
"""What each kind may have; also what may be changed of it."""

_SHOWN = 64
_YEARS = (1970, 2999)


def read_kind(kind: str) -> RecordKind:
    """Read the kind of a record. Raises `BadInput`."""
    try:
        return RecordKind(kind)
    except ValueError as error:
        raise BadInput("record_kind_unknown", kind=_shown(kind), kinds="、".join(RecordKind)) from error


def read_content(kind: str, content: Mapping[str, Any]) -> Content:
    """Check the content of a record of that kind; one `BadInput` for the first thing that is wrong."""
    read = read_kind(kind)
    if not isinstance(content, Mapping):
        raise BadInput("record_content_shape")
    for name in content:
        if name not in FIELDS[read]:
            raise BadInput("record_field_unknown", kind=kind, name=_shown(name), fields="、".join(FIELDS[read]))
    recurring = _pattern(content.get("recurring_pattern"))
    expires_at = _expires_at(content.get("expires_at"))
    if recurring is None and expires_at is None and read is not RecordKind.EVENT:
        raise BadInput("record_without_period", kind=kind)
    match read:
        case RecordKind.PROGRESS:
            for name in ("target", "unit", "window"):
                if content.get(name) is None:
                    raise BadInput("record_field_missing", kind=kind, name=name)
            window = _window("window", content["window"])
            target = _target("target", content["target"])
            return Content(read, target, _unit(content["unit"]), window, recurring, expires_at)
        case RecordKind.DURATION:
            minutes = content.get("target_minutes")
            target_minutes = None if minutes is None else _target("target_minutes", minutes)
            return Content(read, target_minutes, "", recurring or Window.LONGTERM, recurring, expires_at)
        case RecordKind.EVENT:
            return Content(read, recurring=recurring, expires_at=expires_at)


def write_content(content: Content, tz: ZoneInfo | None = None) -> dict[str, Any]:
    """Write it as the document does, without the fields that are not set; instants in `tz`, or in UTC."""
    written: dict[str, Any] = {}
    match content.kind:
        case RecordKind.PROGRESS:
            written = {"target": content.target, "unit": content.unit, "window": content.window.value}
        case RecordKind.DURATION if content.target is not None:
            written = {"target_minutes": content.target}
        case _:
            pass
    if content.recurring is not None:
        written["recurring_pattern"] = {"window": content.recurring.value}
    if content.expires_at is not None:
        written["expires_at"] = iso(content.expires_at, tz or zone("UTC"))
    return written


def patched(content: Content, patch: Mapping[str, Any]) -> Content:
    """Return the content with some fields set anew; null takes away one that may be missing."""
    if not isinstance(patch, Mapping):
        raise BadInput("record_patch_shape")
    if not patch:
        raise BadInput("record_patch_empty", fields="、".join(FIELDS[content.kind]))
    for name in patch:
        if name not in FIELDS[content.kind]:
            fields = "、".join(FIELDS[content.kind])
            raise BadInput("record_patch_field", kind=content.kind.value, name=_shown(name), fields=fields)
    return read_content(content.kind.value, {**write_content(content), **patch})


def _pattern(value: Any) -> Window | None:
    if value is None:
        return None
    if not isinstance(value, Mapping) or set(value) != {"window"}:
        raise BadInput("record_pattern_shape", example='{"window": "day"}')
    return _window("recurring_pattern.window", value["window"])


def _window(name: str, value: Any) -> Window:
    if not isinstance(value, str) or value not in set(Window):
        raise BadInput("choice_unknown", name=name, value=_shown(value), choices="、".join(Window))
    return Window(value)


def _target(name: str, value: Any) -> int:
    if type(value) is not int or not 0 < value <= LARGEST_TARGET:
        raise BadInput("record_target", name=name, value=_shown(value), most=LARGEST_TARGET)
    return value


def _unit(value: Any) -> str:
    unit = " ".join(value.split()) if isinstance(value, str) else ""
    if not unit or len(unit) > LONGEST_UNIT or not unit.isprintable():
        raise BadInput("record_unit", limit=LONGEST_UNIT)
    return unit


def _expires_at(value: Any) -> datetime | None:
    if value is None:
        return None
    at = parse_instant(value).astimezone(UTC)
    if not _YEARS[0] <= at.year <= _YEARS[1]:
        raise BadInput("instant_unreadable", text=_shown(value))
    return at


def _shown(value: Any) -> str:
    return str(value)[:_SHOWN]
