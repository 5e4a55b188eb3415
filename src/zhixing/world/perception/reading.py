"""Verdicts as they come in: JSON objects, one by one or a line each.

`{"source": "cam_living", "condition": "画面中无人", "value": true, "at": "2026-10-12T10:00:00+08:00"}`, with `did` for
`source` and `query` for `condition` if one likes. `value` is true, false, or null or "unknown" where the source could
not judge. `reason` (cut to its bound and to one line), `firm`, `lasting` and `event` may follow; nothing else may.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Annotated, Any, Literal

import msgspec

from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.kernel.wording import wording
from zhixing.world.perception.verdict import Value, Verdict

LONGEST_SOURCE = 64
LONGEST_QUERY = 1_000
LONGEST_REASON = 500
LONGEST_EVENT = 128
LONGEST_LINE = 32_000
"""Characters, or bytes, of a line."""

_Source = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_SOURCE)]
_Query = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_QUERY)]
_Event = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_EVENT)]
_Instant = Annotated[datetime, msgspec.Meta(tz=True)]
_Truth = bool | None | Literal["unknown"]


class _Said(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    value: _Truth
    at: _Instant
    source: _Source | None = None
    did: _Source | None = None
    condition: _Query | None = None
    query: _Query | None = None
    reason: str = ""
    firm: bool = False
    lasting: bool = False
    event: _Event | None = None


_FIELDS = {each.name: each.type for each in msgspec.structs.fields(_Said)}
_DECODER = msgspec.json.Decoder(_Said)
# Line breaks, changes of direction and what no database stores.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
_MARK = "\ufeff"
_MARK_BYTES = _MARK.encode()
_LIMITS = {
    "source": LONGEST_SOURCE,
    "did": LONGEST_SOURCE,
    "condition": LONGEST_QUERY,
    "query": LONGEST_QUERY,
    "event": LONGEST_EVENT,
}


def read_verdict(said: Mapping[str, Any]) -> Verdict:
    """Read one verdict out of decoded JSON; raises `BadInput` with the first thing wrong."""
    return _read(said, "")


def read_verdicts(lines: Iterable[str | bytes]) -> Iterator[Verdict]:
    """Read verdicts a line each, as they are asked for; blank lines are passed over.

    Raises `BadInput` that names the line, counted from 1; what was read before stands.
    """
    for number, line in enumerate(lines, start=1):
        if len(line) > LONGEST_LINE:
            raise TooLarge("verdict_line_long", place=_place(number), limit=LONGEST_LINE)
        # An editor's mark of the encoding stands before the first line of a file.
        text = line.removeprefix(_MARK_BYTES).strip() if isinstance(line, bytes) else line.removeprefix(_MARK).strip()
        if not text:
            continue
        try:
            verdict = _verdict(_DECODER.decode(text))
        except (msgspec.MsgspecError, UnicodeError):
            verdict = None
        yield verdict or _read(_object(text, number), _place(number))


def write_verdict(verdict: Verdict) -> dict[str, Any]:
    """Return the JSON of a verdict, which `read_verdict` reads back; what is at its default is left out."""
    said: dict[str, Any] = {
        "source": verdict.source,
        "condition": verdict.query,
        "value": _WRITTEN[verdict.value],
        "at": verdict.at.isoformat(),
    }
    if verdict.reason:
        said["reason"] = verdict.reason
    for name in ("firm", "lasting"):
        if getattr(verdict, name):
            said[name] = True
    if verdict.event is not None:
        said["event"] = verdict.event
    return said


_WRITTEN = {Value.TRUE: True, Value.FALSE: False, Value.UNKNOWN: None}


def _verdict(said: _Said) -> Verdict | None:
    """Return the verdict, or None when something is wrong with it that the decoder does not look for."""
    source = said.source or said.did
    query = said.condition or said.query
    if source is None or query is None or (said.source and said.did) or (said.condition and said.query):
        return None
    event = said.event
    for text in (source, query) if event is None else (source, query, event):
        if _UNPRINTABLE.search(text) or text != text.strip():
            return None
    value = said.value
    truth = Value.UNKNOWN if value is None or value == "unknown" else Value.TRUE if value else Value.FALSE
    try:
        at = said.at.astimezone(UTC)
    except OverflowError:
        return None
    reason = said.reason and _one_line(said.reason, LONGEST_REASON)
    return Verdict(source, query, truth, at, reason, said.firm, said.lasting, event)


def _read(said: Mapping[str, Any], place: str) -> Verdict:
    """Read slowly, to say exactly what is wrong."""
    try:
        verdict = _verdict(msgspec.convert(dict(said), _Said))
    except msgspec.ValidationError:
        verdict = None
    if verdict is not None:
        return verdict
    raise _fault(said, place)


def _fault(said: Mapping[str, Any], place: str) -> BadInput:
    for name, value in said.items():
        if name not in _FIELDS:
            close = get_close_matches(str(name)[:64], list(_FIELDS), n=1, cutoff=0.6)
            known = close[0] if close else "、".join(_FIELDS)
            return BadInput(
                "verdict_field_unknown", place=place, name=_one_line(str(name), LONGEST_SOURCE), known=known
            )
        if not _fits(name, value):
            return BadInput("verdict_field_wrong", place=place, name=name, problem=_problem(name))
    for name, other in (("source", "did"), ("condition", "query")):
        given = [each for each in (name, other) if said.get(each) is not None]
        if len(given) == 2:
            return BadInput("verdict_field_twice", place=place, name=name, other=other)
        if not given:
            return BadInput("verdict_field_missing", place=place, name=name)
    missing = next((name for name in ("value", "at") if name not in said), None)
    if missing is not None:
        return BadInput("verdict_field_missing", place=place, name=missing)
    # The one thing that no field alone shows: an instant next to the ends of the calendar.
    return BadInput("verdict_field_wrong", place=place, name="at", problem=_problem("at"))


def _fits(name: str, value: object) -> bool:
    try:
        read = msgspec.convert(value, _FIELDS[name])
    except msgspec.ValidationError:
        return False
    if name in _LIMITS and isinstance(read, str):
        return _UNPRINTABLE.search(read) is None and read == read.strip()
    return True


def _problem(name: str) -> str:
    if name in _LIMITS:
        return wording("perception.problem_text", limit=_LIMITS[name])
    match name:
        case "value":
            return wording("perception.problem_value")
        case "at":
            return wording("perception.problem_at")
        case "reason":
            return wording("perception.problem_reason")
        case _:
            return wording("perception.problem_truth")


def _object(line: str | bytes, number: int) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise BadInput("verdict_line_broken", place=_place(number)) from None
    if not isinstance(found, dict):
        raise BadInput("verdict_line_broken", place=_place(number))
    return found


def _place(number: int) -> str:
    return wording("perception.line", number=number)


def _one_line(text: str, limit: int) -> str:
    clean = "".join(character if character.isprintable() else " " for character in text[: 2 * limit])
    clean = " ".join(clean.split())
    return clean if len(clean) <= limit else clean[: limit - 1] + "…"
