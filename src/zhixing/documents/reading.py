"""A task.md read: every field checked, and what is wrong is one line that names the field, its line and the way out.

Rules of downcity.md §1.2, but honest: an unknown kind, status or review is a mistake here, not a silent default.
A file without `status` is enabled, without `kind` an agent's: those are the document's defaults. Unknown fields are
kept, and remarked upon when they look like a known one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from zhixing.documents.fields import choice, declared, duration, one_line, retries, shown, truth, variables, zone_name
from zhixing.documents.findings import Finding
from zhixing.documents.frontmatter import Frontmatter, plain_body, read_frontmatter
from zhixing.documents.instants import read_instant
from zhixing.documents.model import Definition, Deliver, Kind, Overlap, Standing, When
from zhixing.documents.when import read_when
from zhixing.kernel.errors import BadInput
from zhixing.tasks.schedule.model import Missed
from zhixing.tasks.task import LONGEST_TITLE

LONGEST_DESCRIPTION = 2_000
LONGEST_SESSION_ID = 256
LONGEST_COMMAND = 1_000

KNOWN = (
    "title", "when", "description", "sessionId", "kind", "review", "status", "timezone", "missed", "overlap",
    "timeout", "retries", "env", "network", "paths", "agent_command", "deliver", "expiresAt",
)  # fmt: skip
"""The fields of a file, in the order they are written."""
LEGACY = ("time", "cron")
"""What stood for `when` in older files; read where there is no `when`."""
_ONLY_AGENT = ("review", "agent_command")
_EXAMPLES = {
    "title": 'title: "每日晨报"',
    "when": 'when: "0 9 * * 1-5"',
    "description": 'description: "每个工作日整理一份晨报"',
    "sessionId": 'sessionId: "tg-4711"',
}

_MOST_KEPT = 1_024
"""Texts whose definitions are kept in memory; a list of more tasks reads each of them anew."""
_LONGEST_KEPT = 4_096
"""Characters of a text that is kept."""

T = TypeVar("T")


def read_definition(text: str) -> Definition:
    """Return what a file says. Raises `BadInput` for the first thing that is wrong, in the order of `KNOWN`."""
    # One run reads the same text several times, and YAML is slow.
    return (_read_again if len(text) <= _LONGEST_KEPT else _read)(text)


def _read(text: str) -> Definition:
    return definition_of(read_frontmatter(text))


_read_again = lru_cache(_MOST_KEPT)(_read)


def definition_of(front: Frontmatter) -> Definition:
    """Return what a file that has been taken apart says. Raises as `read_definition` does."""
    fields = _Fields(front)
    definition = Definition(
        title=fields.required("title", lambda text: one_line(text, LONGEST_TITLE)),
        when=fields.when(),
        description=fields.required("description", _description),
        session_id=fields.required("sessionId", lambda text: one_line(text, LONGEST_SESSION_ID)),
        kind=fields.optional("kind", lambda text: choice(text, Kind), Kind.AGENT),
        review=fields.optional("review", truth, default=False),
        status=fields.optional("status", lambda text: choice(text, Standing), Standing.ENABLED),
        timezone=fields.optional("timezone", zone_name, None),
        missed=fields.optional("missed", lambda text: choice(text, Missed), Missed.ONCE),
        overlap=fields.optional("overlap", lambda text: choice(text, Overlap), Overlap.SKIP),
        timeout=fields.optional("timeout", duration, None),
        retries=fields.optional("retries", retries, 0),
        env=fields.several("env", variables),
        network=fields.optional("network", truth, None),
        paths=fields.several("paths", declared),
        agent_command=fields.optional("agent_command", lambda text: one_line(text, LONGEST_COMMAND), None),
        deliver=fields.optional("deliver", lambda text: choice(text, Deliver), Deliver.AUTO),
        expires_at=fields.optional("expiresAt", read_instant, None),
        body=plain_body(front.body),
    )
    if definition.kind is Kind.SCRIPT and not definition.body:
        raise BadInput("document_script_empty")
    return definition


def warnings(front: Frontmatter) -> list[Finding]:
    """Say which fields do nothing: mistyped ones, old ones beside `when`, and those of the other kind."""
    fields, found = front.fields, []
    for name, line in front.lines.items():
        if name in LEGACY:
            if _says_something(fields.get("when")):
                found.append(Finding(line, "field_legacy", {"name": name}))
        elif name not in KNOWN and (near := _nearest(name, KNOWN)) is not None:
            found.append(Finding(line, "field_mistyped", {"name": shown(name), "nearest": near}))
    kind = fields.get("kind")
    if isinstance(kind, str) and kind.strip().lower() == Kind.SCRIPT:
        given = [name for name in _ONLY_AGENT if str(fields.get(name, "")).strip().lower() not in ("", "false")]
        found += [Finding(front.lines[name], "field_only_agent", {"name": name}) for name in given]
    return found


class _Fields:
    """The fields by name. A field without a value counts as not written."""

    def __init__(self, front: Frontmatter) -> None:
        self._fields = front.fields
        self._lines = front.lines

    def required(self, name: str, read: Callable[[str], T]) -> T:
        value = self._single(name)
        if value is None:
            raise self._missing(name)
        return self._read(name, read, value)

    def optional(self, name: str, read: Callable[[str], T], default: T) -> T:
        value = self._single(name)
        return default if value is None else self._read(name, read, value)

    def several(self, name: str, read: Callable[[list[str]], tuple[T, ...]]) -> tuple[T, ...]:
        """Read a list, or a text in which commas stand between the values."""
        value = self._fields.get(name, ())
        items = value.replace("，", ",").split(",") if isinstance(value, str) else value
        return self._read(name, read, [item.strip() for item in items if item.strip()])

    def when(self) -> When:
        if self._single("when") is not None:
            return self.required("when", read_when)
        old = [name for name in LEGACY if self._single(name) is not None]
        if len(old) > 1:
            raise BadInput("document_legacy_both", line=self._lines[old[1]])
        if not old:
            return self.required("when", read_when)
        return self.required(old[0], lambda text: read_when(f"time:{text}" if old[0] == "time" else text))

    def _single(self, name: str) -> str | None:
        value = self._fields.get(name, "")
        if not isinstance(value, str):
            raise BadInput("document_field_list", line=self._lines[name], name=name)
        return value if value.strip() else None

    def _read(self, name: str, read: Callable[..., T], value: str | list[str]) -> T:
        try:
            return read(value)
        except BadInput as error:
            raise BadInput("document_field", line=self._lines.get(name, 0), name=name, problem=str(error)) from error

    def _missing(self, name: str) -> BadInput:
        if name in self._fields:
            return BadInput("document_field_empty", line=self._lines[name], name=name, example=_EXAMPLES[name])
        for other, line in self._lines.items():
            if other not in KNOWN and _nearest(other, (name,)) is not None:
                return BadInput("document_field_misnamed", line=line, name=name, written=shown(other))
        return BadInput("document_field_missing", name=name, example=_EXAMPLES[name])


def _description(text: str) -> str:
    return one_line(" ".join(text.split()), LONGEST_DESCRIPTION)


def _says_something(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _nearest(name: str, known: tuple[str, ...]) -> str | None:
    """Return the known name that this one was meant to be: the same but for `-`, `_`, case, or a slip of the hand."""
    plain = _plain(name)
    slips = {each: _slips(plain, _plain(each)) for each in known}
    near = min(slips, key=lambda each: slips[each])
    return near if slips[near] <= (1 if len(plain) < 7 else 2) else None


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


def _slips(one: str, other: str) -> int:
    """Count the letters that are missing, added, wrong or swapped (optimal string alignment)."""
    rows = [list(range(len(other) + 1))]
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            cost = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (a != b))
            if i > 1 and j > 1 and (a, one[i - 2]) == (other[j - 2], b):
                cost = min(cost, rows[-2][j - 2] + 1)
            row.append(cost)
        rows.append(row)
    return rows[-1][-1]
