"""YAML as people write it for a home: tables, lists and single values, each with the line it stands on.

The part of YAML that cannot surprise: no anchors, no tags, no second document, no key twice, and only `true` and
`false` are truth values, so that a property may be called `on`. Built from the parser's events: nothing is looked up,
repeated or made into an object, and the depth and number of values are bounded before they are kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import yaml

from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.world.devices.names import quoted

LONGEST = 256_000
"""Characters of a text."""
DEEPEST = 12
"""Lists and tables inside each other."""
MOST = 20_000
"""Values of a text, keys included."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAB = re.compile(r"^ *\t", re.MULTILINE)
_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_WHOLE = re.compile(r"[+-]?(0|[1-9]\d{0,15})")
_NUMBER = re.compile(r"[+-]?\d{1,15}(\.\d{1,15})?([eE][+-]?\d{1,2})?")


@dataclass(frozen=True, slots=True)
class Leaf:
    """A single value as it was written; `plain` when it has no quotes."""

    line: int
    text: str
    plain: bool

    def scalar(self) -> bool | int | float | str | None:
        """Return what it means where numbers, truth and nothing are told apart from text."""
        if not self.plain:
            return self.text
        if self.text in {"true", "false"}:
            return self.text == "true"
        if self.text in {"", "~", "null"}:
            return None
        if _WHOLE.fullmatch(self.text):
            return int(self.text)
        return float(self.text) if _NUMBER.fullmatch(self.text) else self.text


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    line: int
    nodes: list[Node] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its values by name, in order, and the line of each name."""

    line: int
    nodes: dict[str, Node] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)


Node = Leaf | Items | Table


def read_yaml(text: str) -> Node:
    """Return the one value that `text` holds; raises `BadInput` with the line of the first thing wrong."""
    if len(text) > LONGEST:
        raise TooLarge("homeplan_large", limit=LONGEST)
    for pattern, key in ((_UNSTORABLE, "homeplan_character"), (_TAB, "homeplan_tab")):
        found = pattern.search(text)
        if found is not None:
            raise BadInput(key, line=text.count("\n", 0, found.start()) + 1)
    building = _Building()
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            building.take(event)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise BadInput("homeplan_broken", line=1 if mark is None else mark.line + 1) from None
    if building.whole is None:
        raise BadInput("homeplan_empty")
    return building.whole


class _Building:
    """The value so far: what is open, outermost first, and the name that waits for its value in each open table."""

    def __init__(self) -> None:
        self.whole: Node | None = None
        self._open: list[Items | Table] = []
        self._names: list[Leaf | None] = []
        self._count = 0

    def take(self, event: Any) -> None:
        """Take the parser's next event."""
        line = event.start_mark.line + 1
        match event:
            case yaml.AliasEvent():
                raise BadInput("homeplan_alias", line=line)
            case yaml.ScalarEvent():
                self._check(event, line)
                self._put(Leaf(line, event.value, plain=not event.style))
            case yaml.SequenceStartEvent():
                self._check(event, line)
                self._enter(Items(line))
            case yaml.MappingStartEvent():
                self._check(event, line)
                self._enter(Table(line))
            case yaml.CollectionEndEvent():
                self._open.pop()
                self._names.pop()

    def _check(self, event: Any, line: int) -> None:
        self._count += 1
        if event.anchor is not None:
            raise BadInput("homeplan_alias", line=line)
        if event.tag is not None:
            raise BadInput("homeplan_tag", line=line)
        if self._count > MOST:
            raise TooLarge("homeplan_many", line=line, limit=MOST)
        if self.whole is not None and not self._open:
            raise BadInput("homeplan_documents", line=line)

    def _enter(self, node: Items | Table) -> None:
        self._put(node)
        self._open.append(node)
        self._names.append(None)
        if len(self._open) > DEEPEST:
            raise TooLarge("homeplan_deep", line=node.line, limit=DEEPEST)

    def _put(self, node: Node) -> None:
        if not self._open:
            self.whole = node
            return
        inside = self._open[-1]
        if isinstance(inside, Items):
            inside.nodes.append(node)
            return
        name = self._names[-1]
        if name is not None:
            inside.nodes[name.text] = node
            inside.lines[name.text] = name.line
            self._names[-1] = None
        elif not isinstance(node, Leaf):
            raise BadInput("homeplan_broken", line=node.line)
        elif node.text in inside.nodes:
            raise BadInput("homeplan_key_twice", line=node.line, name=quoted(node.text))
        else:
            self._names[-1] = node
