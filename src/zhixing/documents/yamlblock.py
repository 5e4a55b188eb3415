"""The YAML between the fences of a task.md: fields of one value or one list, each with the place it stands at.

The part of YAML that cannot surprise: every value is text, nothing is looked up, repeated or made into an object.
Built from the parser's events, so that nothing is kept before its depth and number are bounded. One thing is added,
because the document writes it so: `when: @daily` and `when: */5 * * * *` may stand without quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import yaml

from zhixing.kernel.errors import BadInput, TooLarge

LONGEST_BLOCK = 32_768
"""Characters between the fences."""
MOST_FIELDS = 64
"""Fields of a file."""
MOST_ITEMS = 100
"""Values of a list."""
LONGEST_VALUE = 4_000
"""Characters of one value."""
LONGEST_KEY = 100
"""Characters of the name of a field."""

Value = str | tuple[str, ...]

# What YAML calls printable, without the breaks that only some of its readers take for one.
_UNREADABLE = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|\r(?!\n)"
)
_BARE_SIGN = re.compile(r"^(?:when|cron):[ \t]+([@*])", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Entry:
    """One field, on `line` (from 1). The places count characters of the whole text.

    `begin` is where its name begins, `colon` the place behind the colon; the value is `text[start:end]`.
    """

    key: str
    value: Value
    line: int
    begin: int
    colon: int
    start: int
    end: int


def read_block(text: str, begin: int, end: int) -> tuple[Entry, ...]:
    """Return the fields of `text[begin:end]`; raises `BadInput` with the line of the first thing wrong."""
    if end - begin > LONGEST_BLOCK:
        raise TooLarge("document_yaml_large", limit=LONGEST_BLOCK)
    block = text[begin:end]
    reading = _Reading(text, begin, block)
    if odd := _UNREADABLE.search(block):
        raise BadInput("document_yaml_character", line=reading.line(odd.start()))
    signs = {found.start(1) for found in _BARE_SIGN.finditer(block)}
    if not signs:
        return reading.entries(block)
    try:
        entries = reading.entries("".join("x" if at in signs else each for at, each in enumerate(block)))
    except BadInput:
        with suppress(BadInput):
            return reading.entries(block)
        raise
    starts = {entry.start - begin for entry in entries}
    # A sign that begins no value stood inside a text of several lines, which says what it says.
    return tuple(map(reading.unveiled, entries)) if signs <= starts else reading.entries(block)


class _Reading:
    """The events of one block."""

    def __init__(self, text: str, begin: int, block: str) -> None:
        self._text = text
        self._begin = begin
        self._block = block

    def line(self, at: int) -> int:
        """Return the line of the file on which a place of the block stands."""
        return self._text.count("\n", 0, self._begin + at) + 1

    def unveiled(self, entry: Entry) -> Entry:
        """Give a value the sign back that was hidden from the parser."""
        sign = self._text[entry.start : entry.start + 1]
        if sign not in ("@", "*") or not isinstance(entry.value, str):
            return entry
        return Entry(entry.key, sign + entry.value[1:], entry.line, entry.begin, entry.colon, entry.start, entry.end)

    def entries(self, block: str) -> tuple[Entry, ...]:
        """Read `block`, which has the length of the block itself."""
        events = self._events(block)
        root = next(events, None)
        if root is None:
            raise BadInput("document_yaml_empty")
        if not isinstance(root, yaml.MappingStartEvent) or root.flow_style:
            raise self._wrong("document_yaml_mapping", root)
        found: dict[str, Entry] = {}
        for event in events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            entry = self._entry(event, events)
            if entry.key in found:
                raise BadInput("document_yaml_twice", line=entry.line, name=entry.key, first=found[entry.key].line)
            found[entry.key] = entry
            if len(found) > MOST_FIELDS:
                raise TooLarge("document_yaml_many", line=entry.line, limit=MOST_FIELDS)
        if (more := next(events, None)) is not None:
            raise self._wrong("document_yaml_broken", more)
        if not found:
            raise BadInput("document_yaml_empty")
        return tuple(found.values())

    def _entry(self, event: Any, events: Iterator[Any]) -> Entry:
        begin, behind = event.start_mark.index, event.end_mark.index
        before = self._block[self._block.rfind("\n", 0, begin) + 1 : begin]
        colon = re.compile("[ \t]*:").match(self._block, behind)
        if not isinstance(event, yaml.ScalarEvent) or before.strip(" ") or colon is None:
            raise self._wrong("document_yaml_broken", event)
        if not event.value or len(event.value) > LONGEST_KEY:
            raise self._wrong("document_yaml_broken", event)
        value, start, end = self._value(event.value, next(events), events)
        end = start + len(self._block[start:end].rstrip())
        places = (begin, colon.end(), start, end)
        return Entry(event.value, value, self.line(begin), *(self._begin + place for place in places))

    def _value(self, name: str, event: Any, events: Iterator[Any]) -> tuple[Value, int, int]:
        """Return what it says, and where it begins and ends."""
        start, end = event.start_mark.index, event.end_mark.index
        if isinstance(event, yaml.ScalarEvent):
            return self._text_of(name, event), start, end
        if not isinstance(event, yaml.SequenceStartEvent):
            raise self._wrong("document_yaml_nested", event, name=name)
        items: list[str] = []
        for item in events:
            if isinstance(item, yaml.SequenceEndEvent):
                # A list of lines ends, to the parser, where the next field begins.
                return tuple(items), start, item.end_mark.index if event.flow_style else end
            if not isinstance(item, yaml.ScalarEvent):
                raise self._wrong("document_yaml_nested", item, name=name)
            items.append(self._text_of(name, item))
            end = item.end_mark.index
            if len(items) > MOST_ITEMS:
                raise TooLarge("document_yaml_list", line=self.line(start), name=name, limit=MOST_ITEMS)
        raise self._wrong("document_yaml_broken", event)

    def _text_of(self, name: str, event: Any) -> str:
        value: str = event.value
        if len(value) > LONGEST_VALUE:
            raise TooLarge(
                "document_yaml_value", line=self.line(event.start_mark.index), name=name, limit=LONGEST_VALUE
            )
        return value

    def _events(self, block: str) -> Iterator[Any]:
        """Yield the events of the one document; what could refer, convert or begin another document is refused."""
        try:
            for event in yaml.parse(block, Loader=yaml.BaseLoader):
                if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
                    raise self._wrong("document_yaml_alias", event)
                if getattr(event, "tag", None) is not None:
                    raise self._wrong("document_yaml_tag", event)
                if isinstance(event, yaml.DocumentStartEvent | yaml.DocumentEndEvent) and event.explicit:
                    raise self._wrong("document_yaml_broken", event)
                if isinstance(event, yaml.NodeEvent | yaml.CollectionEndEvent):
                    yield event
        except yaml.YAMLError as error:
            raise BadInput("document_yaml_broken", line=self.line(_place(error))) from None

    def _wrong(self, key: str, event: Any, **values: object) -> BadInput:
        return BadInput(key, line=self.line(event.start_mark.index), **values)


def _place(error: yaml.YAMLError) -> int:
    """Return where the mistake is: of a quote that never closes, where it opens."""
    mark = getattr(error, "problem_mark", None)
    if isinstance(error, yaml.scanner.ScannerError):
        mark = error.context_mark or mark
    return 0 if mark is None else int(mark.index)
