"""A task.md as text: its fields, its body, and changes that touch nothing else.

A first line `---`, fields, a line `---`, the body (downcity.md §1.1). A byte order mark, blank lines in front and CRLF
are read too, since nothing is lost by it. Whatever is not changed stays as it is, to the byte: unknown fields,
comments, order, quotes and line endings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from zhixing.documents.yamlblock import LONGEST_VALUE, Entry, Value, read_block
from zhixing.kernel.errors import BadInput, TooLarge

LARGEST = 256 * 1024
"""Bytes of a file, as UTF-8."""

_OPENING = re.compile(r"\ufeff?(?:[ \t]*\r?\n)*---[ \t]*(\r?\n)")
_CLOSING = re.compile(r"^---[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
_BLANK_LINES = re.compile(r"(?:[ \t\r\f\v]*\n)*")
# Where readers of YAML differ, the escape is written: breaks, marks of order, what is not printable.
_TO_ESCAPE = re.compile('[\x00-\x1f\x7f-\x9f"\\\\\u2028\u2029\ufeff\ufffe\uffff]')
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_LIKE_TRUTH = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """What a file says. `body` is as it stands, from its first line with words on; that is line `body_line`.

    `fence` and `rest` are the characters at which the closing fence begins and behind which it ends, `eol` is how the
    file ends its lines.
    """

    entries: tuple[Entry, ...]
    body: str
    body_line: int
    fence: int
    rest: int
    eol: str

    @property
    def fields(self) -> dict[str, Value]:
        """The values by name, in order."""
        return {entry.key: entry.value for entry in self.entries}

    @property
    def lines(self) -> dict[str, int]:
        """The line of each field, counted from 1 at the top of the file."""
        return {entry.key: entry.line for entry in self.entries}


def read_frontmatter(text: str) -> Frontmatter:
    """Return what `text` says. Raises `BadInput` with the line of the first thing wrong."""
    _check_whole(text)
    opening = _OPENING.match(text)
    if opening is None:
        raise BadInput("document_fence_missing")
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        raise BadInput("document_fence_open")
    entries = read_block(text, opening.end(), closing.start())
    blank = _BLANK_LINES.match(text, closing.end())
    body_at = closing.end() if blank is None else blank.end()
    return Frontmatter(
        entries=entries,
        body=text[body_at:],
        body_line=text.count("\n", 0, body_at) + 1,
        fence=closing.start(),
        rest=closing.end(),
        eol=opening[1],
    )


def plain_body(body: str) -> str:
    """Return a body as it is carried out: lines end in LF, no blank lines around it."""
    lines = body.replace("\r\n", "\n")
    blank = _BLANK_LINES.match(lines)
    return lines[0 if blank is None else blank.end() :].rstrip()


def edit_frontmatter(text: str, changes: Mapping[str, Value | None], body: str | None = None) -> str:
    """Return `text` with these values, and this body if one is given.

    None takes a field out. A value that is there already, and a body that says the same, leave their bytes alone.
    Raises `BadInput` when the text cannot be read, or could not be read any more afterwards.
    """
    front = read_frontmatter(text)
    there = {entry.key: entry for entry in front.entries}
    pieces: list[tuple[int, int, str]] = []
    added: list[str] = []
    indent = " " * _column(text, front.entries[0].begin)
    for key, value in changes.items():
        entry = there.get(key)
        if entry is not None and value is None:
            pieces.append((*_lines_of(text, entry), ""))
        elif entry is not None and value is not None and value != entry.value:
            pieces.append(_rewritten(text, entry, value))
        elif entry is None and value is not None:
            added.append(f"{indent}{_key(key)}: {write_value(value)}{front.eol}")
    if added:
        pieces.append((front.fence, front.fence, "".join(added)))
    if body is not None and plain_body(body) != plain_body(front.body):
        pieces.append((front.rest, len(text), _new_body(text, front, body)))
    edited = _spliced(text, pieces)
    if pieces:
        _check_outcome(edited, front, changes, body)
    return edited


def write_value(value: Value) -> str:
    """Return a value as YAML: always in double quotes, on one line, the same text to every reader."""
    if isinstance(value, tuple):
        return f"[{', '.join(write_value(each) for each in value)}]"
    if len(value) > LONGEST_VALUE:
        raise TooLarge("document_value_long", limit=LONGEST_VALUE)
    if "\x00" in value:
        raise BadInput("text_nul")
    return f'"{_TO_ESCAPE.sub(_escape, value)}"'


def _escape(found: re.Match[str]) -> str:
    return _ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04X}"


def _key(name: str) -> str:
    return name if _PLAIN_KEY.fullmatch(name) and name.lower() not in _LIKE_TRUTH else write_value(name)


def _check_whole(text: str) -> None:
    if len(text) > LARGEST:
        raise TooLarge("document_text_large", limit=LARGEST)
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        raise BadInput("text_unstorable") from error
    if size > LARGEST:
        raise TooLarge("document_text_large", limit=LARGEST)
    if "\x00" in text:
        raise BadInput("text_nul")


def _column(text: str, at: int) -> int:
    return at - text.rfind("\n", 0, at) - 1


def _lines_of(text: str, entry: Entry) -> tuple[int, int]:
    """Return where the lines of a field begin and end."""
    end = text.find("\n", entry.end)
    return text.rfind("\n", 0, entry.begin) + 1, len(text) if end < 0 else end + 1


def _rewritten(text: str, entry: Entry, value: Value) -> tuple[int, int, str]:
    between = text[entry.colon : entry.start]
    if "\n" not in between:
        return entry.start, entry.end, write_value(value) if between else f" {write_value(value)}"
    # The value stood on lines of its own; the comments between stay.
    return entry.colon, entry.end, f" {write_value(value)}{between.rstrip()}"


def _new_body(text: str, front: Frontmatter, body: str) -> str:
    plain = plain_body(body)
    if not plain:
        return ""
    start = "" if text[: front.rest].endswith("\n") else front.eol
    blank = text[front.rest : len(text) - len(front.body)] if front.body.strip() else front.eol
    return start + blank + plain.replace("\n", front.eol) + front.eol


def _spliced(text: str, pieces: list[tuple[int, int, str]]) -> str:
    parts, at = [], 0
    for start, end, piece in sorted(pieces):
        parts += [text[at:start], piece]
        at = end
    return "".join([*parts, text[at:]])


def _check_outcome(edited: str, before: Frontmatter, changes: Mapping[str, Value | None], body: str | None) -> None:
    """Refuse to hand out a text that does not say what it should."""
    try:
        after = read_frontmatter(edited)
    except TooLarge:
        raise
    except BadInput as error:
        raise BadInput("document_edit_impossible") from error
    wanted = {key: value for key, value in (before.fields | dict(changes)).items() if value is not None}
    said = plain_body(before.body if body is None else body)
    if after.fields != wanted or plain_body(after.body) != said:
        raise BadInput("document_edit_impossible")
