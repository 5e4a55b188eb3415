"""A definition written: as a new file, or as changes to one that is there."""

from __future__ import annotations

from collections.abc import Callable

from zhixing.documents.fields import duration_text
from zhixing.documents.frontmatter import edit_frontmatter, plain_body, read_frontmatter, write_value
from zhixing.documents.model import Definition, Kind
from zhixing.documents.reading import KNOWN, LEGACY
from zhixing.documents.when import write_when
from zhixing.documents.yamlblock import Value


def write_definition(definition: Definition) -> str:
    """Return the text of a new file: the fields of the document, then those that differ from their defaults."""
    written = ((name, _WRITERS[name](definition)) for name in KNOWN)
    fields = "".join(f"{name}: {write_value(value)}\n" for name, value in written if value is not None)
    body = plain_body(definition.body)
    text = f"---\n{fields}---\n" + (f"\n{body}\n" if body else "")
    read_frontmatter(text)  # what is too large to be read is not written either
    return text


def changes_for(before: Definition, after: Definition) -> dict[str, Value | None]:
    """Return what `edit_frontmatter` has to change so that a file that says `before` says `after`; not the body."""
    changes: dict[str, Value | None] = {}
    for name in KNOWN:
        old, new = _WRITERS[name](before), _WRITERS[name](after)
        if old != new:
            changes[name] = new
    if "when" in changes:
        changes |= dict.fromkeys(LEGACY)
    return changes


def edit_definition(text: str, before: Definition, after: Definition) -> str:
    """Return `text`, which says `before`, so that it says `after`; nothing else of it changes."""
    return edit_frontmatter(text, changes_for(before, after), None if after.body == before.body else after.body)


def _review(definition: Definition) -> str | None:
    return _truth(on=definition.review) if definition.kind is Kind.AGENT else None


def _truth(*, on: bool) -> str:
    return "true" if on else "false"


def _network(definition: Definition) -> str | None:
    return None if definition.network is None else _truth(on=definition.network)


_WRITERS: dict[str, Callable[[Definition], Value | None]] = {
    "title": lambda one: one.title,
    "when": lambda one: write_when(one.when),
    "description": lambda one: one.description,
    "sessionId": lambda one: one.session_id,
    "kind": lambda one: one.kind.value,
    "review": _review,
    "status": lambda one: one.status.value,
    "timezone": lambda one: one.timezone,
    "missed": lambda one: _unless(one.missed.value, "once"),
    "overlap": lambda one: _unless(one.overlap.value, "skip"),
    "timeout": lambda one: None if one.timeout is None else duration_text(one.timeout),
    "retries": lambda one: _unless(str(one.retries), "0"),
    "env": lambda one: one.env or None,
    "network": _network,
    "paths": lambda one: tuple(f"{each.path}:rw" if each.writable else each.path for each in one.paths) or None,
    "agent_command": lambda one: one.agent_command,
    "deliver": lambda one: _unless(one.deliver.value, "auto"),
    "expiresAt": lambda one: None if one.expires_at is None else one.expires_at.isoformat(),
}
"""How each field of `KNOWN` is written; None where it is left out."""


def _unless(value: str, default: str) -> str | None:
    return None if value == default else value
