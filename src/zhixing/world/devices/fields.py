"""The entries of a table in a home's YAML, asked for by name; what is wrong is one line that names the place."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches

from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.world.devices.names import quoted
from zhixing.world.devices.yamltext import Items, Leaf, Node, Table


class Fields:
    """A table that may have the entries `known` and no others; `name` is what it is called where it stands."""

    def __init__(self, node: Node, name: str, known: Sequence[str]) -> None:
        if not isinstance(node, Table):
            raise BadInput("homeplan_not_table", line=node.line, name=name)
        for key, line in node.lines.items():
            if key not in known:
                raise _unknown(key, line, known)
        self.line = node.line
        self._table = node

    def has(self, name: str) -> bool:
        """Return whether the entry is written."""
        return name in self._table.nodes

    def node(self, name: str) -> Node:
        """Return an entry that must be there."""
        found = self._table.nodes.get(name)
        if found is None:
            raise BadInput("homeplan_key_missing", line=self.line, name=name)
        return found

    def leaf(self, name: str) -> Leaf:
        """Return a single value that must be there."""
        node = self.node(name)
        if not isinstance(node, Leaf):
            raise BadInput("homeplan_not_single", line=node.line, name=name)
        return node

    def items(self, name: str, limit: int) -> list[Node]:
        """Return the values of a list, which may be left out."""
        if not self.has(name):
            return []
        node = self.node(name)
        if not isinstance(node, Items):
            raise BadInput("homeplan_not_list", line=node.line, name=name)
        if len(node.nodes) > limit:
            raise TooLarge("homeplan_long_list", line=node.line, name=name, limit=limit)
        return node.nodes

    def text(self, name: str, limit: int, default: str | None = None) -> str:
        """Return a text of one line; without `default` it must be there and say something."""
        if default is not None and not self.has(name):
            return default
        return one_line(self.leaf(name), name, limit)

    def truth(self, name: str, *, default: bool) -> bool:
        """Return true or false."""
        if not self.has(name):
            return default
        leaf = self.leaf(name)
        value = leaf.scalar()
        if not isinstance(value, bool):
            raise BadInput("homeplan_not_truth", line=leaf.line, name=name, value=quoted(leaf.text))
        return value

    def whole(self, name: str, low: int, high: int, default: int | None = None) -> int:
        """Return a whole number between `low` and `high`."""
        if default is not None and not self.has(name):
            return default
        return int(whole(self.leaf(name), name, low, high))

    def number(self, name: str, low: float, high: float, default: float) -> float:
        """Return a number between `low` and `high`."""
        if not self.has(name):
            return default
        leaf = self.leaf(name)
        value = leaf.scalar()
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise BadInput("homeplan_number", line=leaf.line, name=name, low=low, high=high, value=quoted(leaf.text))
        return float(value)

    def choice(self, name: str, choices: Collection[str], default: str | None = None) -> str:
        """Return one of `choices`."""
        if default is not None and not self.has(name):
            return default
        return one_of(self.leaf(name), name, choices)


def one_line(leaf: Leaf, name: str, limit: int) -> str:
    """Return the text of `leaf`: one line of 1 to `limit` characters, whatever else it could be read as."""
    text = leaf.text.strip()
    if not text or len(text) > limit or not text.isprintable():
        raise BadInput("homeplan_text", line=leaf.line, name=name, limit=limit)
    return text


def whole(leaf: Leaf, name: str, low: int, high: int) -> int:
    """Return the whole number of `leaf`."""
    value = leaf.scalar()
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise BadInput("homeplan_whole", line=leaf.line, name=name, low=low, high=high, value=quoted(leaf.text))
    return value


def one_of(leaf: Leaf, name: str, choices: Collection[str]) -> str:
    """Return the text of `leaf`, which must be one of `choices`; what comes nearest is named."""
    if leaf.text not in choices:
        close = get_close_matches(leaf.text[:64], list(choices), n=3, cutoff=0.5) or list(choices)[:20]
        raise BadInput("homeplan_choice", line=leaf.line, name=name, value=quoted(leaf.text), choices="、".join(close))
    return leaf.text


def _unknown(key: str, line: int, known: Sequence[str]) -> BadInput:
    close = get_close_matches(key[:64].lower(), known, n=1, cutoff=0.6)
    if close:
        return BadInput("homeplan_key_mistyped", line=line, name=quoted(key), nearest=close[0])
    return BadInput("homeplan_key_unknown", line=line, name=quoted(key), known="、".join(known))
