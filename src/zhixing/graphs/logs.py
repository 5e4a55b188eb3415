"""Lines of the gateway's log, read and written (mijia.md §1.14).

    3|<ms>|l|<graph>|<node>.<pin>|<node>.<pin>|true/false/null    a wire carried a state, or a pulse (null)
    3|<ms>|i|<graph>|<node>|<info>                                what a node did
    3|<ms>|e|<graph>|<node>|<code>|<message>                      what went wrong there
    3|<ms>|r|<graph>|{"enable":true/false}                        the rule was switched

`read_line(format_line(line)) == line` for every line. The last part of an `i` or `e` line may hold `|` (a text variable
can); the official page wants an exact number of parts and shows such a line as unknown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from msgspec import Struct

from zhixing.graphs.expressions.arithmetic import number_text, settled
from zhixing.kernel.errors import BadInput
from zhixing.kernel.wording import Language, wording

PREFIX = "3"
"""The first part of every line."""
LONGEST_LINE = 100_000
"""Characters of a line that is read."""
MOST_LINES = 100_000
"""Lines read from one log."""
MOST_UNREAD = 100
"""Lines that could not be read and are kept with the reason; further ones are counted."""

_MILLISECONDS = re.compile(r"0|-?[1-9][0-9]{0,15}")
_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_CONTROL = re.compile("[\x00-\x1f\x7f\x85\u2028\u2029]")
_BREAK = re.compile("[\r\n]")
_NO_NAME = re.compile("[|\r\n]")
_ENABLED = {'{"enable":true}': True, '{"enable":false}': False}
_WORDS: Mapping[bool | None, str] = {True: "true", False: "false", None: "null"}
_STATES: Mapping[str, bool | None] = {"true": True, "false": False, "null": None}
_PARTS = {"l": 7, "i": 6, "e": 7, "r": 5}
_NAMED = {"l": 1, "i": 2, "e": 3, "r": 1}


@dataclass(frozen=True, slots=True)
class Pin:
    """One pin of a node; `str(pin)` is `node.pin`. Raises `BadInput` for a name that cannot be read back."""

    node: str
    pin: str

    def __post_init__(self) -> None:
        _check(self.node, self.pin)
        if "." in self.node:
            raise BadInput("graph_log_name", name=self.node[:40])

    def __str__(self) -> str:
        return f"{self.node}.{self.pin}"


class LinkLine(Struct, frozen=True, gc=False):
    """A wire carried a state (true, false) or a pulse (None)."""

    letter: ClassVar[str] = "l"
    at_ms: int
    graph: str
    source: Pin
    target: Pin
    state: bool | None

    def __post_init__(self) -> None:
        _check(self.graph)

    @property
    def watchpoint(self) -> str:
        """What it updates when the log is replayed: `link:<src>.<pin>-><dst>.<pin>`."""
        return f"link:{self.source}->{self.target}"


class _NodeLine(Struct, frozen=True, gc=False):
    """What a node says."""

    at_ms: int
    graph: str
    node: str

    @property
    def watchpoint(self) -> str:
        """What it updates when the log is replayed: `node:<id>`."""
        return f"node:{self.node}"


class InfoLine(_NodeLine, frozen=True, gc=False):
    """What a node did; `info` is as `info_text` writes it."""

    letter: ClassVar[str] = "i"
    info: str

    def __post_init__(self) -> None:
        _check(self.graph, self.node)
        _check_free(self.info)


class ErrorLine(_NodeLine, frozen=True, gc=False):
    """What went wrong at a node; the gateway's own codes are numbers, as −9999 `user ack timeout`."""

    letter: ClassVar[str] = "e"
    code: str
    message: str

    def __post_init__(self) -> None:
        _check(self.graph, self.node, self.code)
        _check_free(self.message)


@dataclass(frozen=True, slots=True)
class RuleLine:
    """The rule was switched on or off; a replay clears every watchpoint."""

    letter: ClassVar[str] = "r"
    at_ms: int
    graph: str
    enable: bool

    def __post_init__(self) -> None:
        _check(self.graph)

    @property
    def watchpoint(self) -> None:
        """It updates none; it clears them all."""
        return


def info_text(value: object) -> str:
    """Write what a node says: a text as it is, anything else as JSON with numbers as JavaScript writes them.

    A text with a line break or another control character is written as a JSON string, so that a line stays one.
    """
    match value:
        case str():
            return _compact(value) if _CONTROL.search(value) else value
        case bool() | None:
            return _WORDS[value]
        case int() | float():
            return number_text(value)
        # what cards say most, without the encoder, which takes its time to begin
        case [bool() as only]:
            return f"[{_WORDS[only]}]"
        case {"n": int() as count, **rest} if not rest:
            return f'{{"n":{count}}}'
        case list() | tuple():
            return _compact([settled(each) if isinstance(each, float) else each for each in value])
        case _:
            return _compact(value)


def info_value(info: str) -> object:
    """Read what a node said: its JSON value, or the text as it stands when it is no JSON."""
    try:
        return json.loads(info, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return info


Line = LinkLine | InfoLine | ErrorLine | RuleLine

Reason = Literal["long", "prefix", "time", "letter", "parts", "field", "pin", "value", "rule", "break"]


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that is none of the gateway's, and why; `reason` names the text in `graph_log`."""

    line: str
    reason: Reason
    values: Mapping[str, object] = field(default_factory=dict)

    def text(self, language: Language = "zh") -> str:
        """Say why in one line."""
        return wording(f"graph_log.{self.reason}", language, **self.values)


@dataclass(frozen=True, slots=True)
class Log:
    """A log as far as it could be read. Numbers of lines count from 1, blank lines included.

    `unread` holds the first `MOST_UNREAD` of `unread_count`; `cut` tells whether lines after `MOST_LINES` were left.
    """

    lines: tuple[Line, ...]
    unread: tuple[tuple[int, Unread], ...]
    unread_count: int
    cut: bool


def format_line(line: Line) -> str:
    """Write a line as the gateway does."""
    head = f"{PREFIX}|{line.at_ms}|{line.letter}|{line.graph}"
    match line:
        case LinkLine():
            return f"{head}|{line.source}|{line.target}|{json.dumps(line.state)}"
        case InfoLine():
            return f"{head}|{line.node}|{line.info}"
        case ErrorLine():
            return f"{head}|{line.node}|{line.code}|{line.message}"
        case RuleLine():
            return f'{head}|{{"enable":{json.dumps(line.enable)}}}'


def read_line(text: str) -> Line | Unread:
    """Read a line; line breaks at its end are left out."""
    text = text.rstrip("\r\n")
    if len(text) > LONGEST_LINE:
        return Unread(text[:LONGEST_LINE], "long", {"limit": LONGEST_LINE})
    prefix, *parts = text.split("|", 3)
    if prefix != PREFIX or len(parts) < 3:
        return Unread(text, "prefix")
    if not _MILLISECONDS.fullmatch(parts[0]):
        return Unread(text, "time")
    letter = parts[1]
    if letter not in _PARTS:
        return Unread(text, "letter", {"letter": letter[:20]})
    needed = _PARTS[letter]
    # what nodes say may hold the separator; the other lines have no free text
    rest = parts[2].split("|", needed - 4 if letter in "ie" else -1)
    if len(rest) != needed - 3:
        return Unread(text, "parts", {"letter": letter, "needed": needed, "count": len(rest) + 3})
    named = rest[: _NAMED[letter]]
    if not all(named):
        return Unread(text, "field", {"number": 4 + named.index("")})
    return _made(text, letter, int(parts[0]), rest)


def read_log(lines: Iterable[str]) -> Log:
    """Read a log, at most `MOST_LINES` lines of it; blank lines are stepped over."""
    read: list[Line] = []
    unread: list[tuple[int, Unread]] = []
    count = 0
    for number, text in enumerate(lines, 1):
        if number > MOST_LINES:
            return Log(tuple(read), tuple(unread), count, cut=True)
        if not text.strip():
            continue
        line = read_line(text)
        if not isinstance(line, Unread):
            read.append(line)
            continue
        count += 1
        if len(unread) < MOST_UNREAD:
            unread.append((number, line))
    return Log(tuple(read), tuple(unread), count, cut=False)


def _made(text: str, letter: str, at_ms: int, rest: list[str]) -> Line | Unread:
    """Make the line out of its parts, whose number is right and whose names are there."""
    graph = rest[0]
    if _BREAK.search(text):
        return Unread(text, "break")
    match letter:
        case "i":
            return InfoLine(at_ms, graph, rest[1], rest[2])
        case "e":
            return ErrorLine(at_ms, graph, rest[1], rest[2], rest[3])
        case "r":
            enable = _ENABLED.get(rest[1])
            return Unread(text, "rule") if enable is None else RuleLine(at_ms, graph, enable)
    pins = []
    for number, part in enumerate(rest[1:3], 5):
        node, _, pin = part.partition(".")
        if not node or not pin:
            return Unread(text, "pin", {"number": number})
        pins.append(Pin(node, pin))
    if rest[3] not in _STATES:
        return Unread(text, "value")
    return LinkLine(at_ms, graph, pins[0], pins[1], _STATES[rest[3]])


def _check(*names: str) -> None:
    """Refuse a name that could not be read back: empty, with the separator or a line break."""
    for name in names:
        if not name or _NO_NAME.search(name):
            raise BadInput("graph_log_name", name=name[:40])


def _check_free(text: str) -> None:
    if _BREAK.search(text):
        raise BadInput("graph_log_break")


def _compact(value: object) -> str:
    """Write JSON on one line; Python's leaves some characters as they are that end a line elsewhere."""
    written = _JSON.encode(value)
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", written)


def _refuse(_constant: str) -> object:
    raise ValueError
