"""What changes from one rule to another: cards, what they ask for, wires, settings (mijia §4.5). Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from zhixing.graphs.hubs.canonical import alike
from zhixing.graphs.rule import Json, Members, Node, Position, Rule, Wire

_PLACE: Final = "pos"
_SILENT: Final = frozenset({"lastUpdateTime", "transform"})
"""What the editor keeps of itself: when it saved, and what it showed."""
_PARTS: Final = ("type", "props", "inputs", "cfg")


class Missing:
    """In place of a value: there is none."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A value that differs; `path` is such as `props.elements.0.value`; what is not there is `MISSING`."""

    path: str
    before: Json | Missing
    after: Json | Missing


@dataclass(frozen=True, slots=True)
class NodeChange:
    """A card that is in both rules and differs beside its place and its wires."""

    before: Node
    after: Node
    values: tuple[ValueChange, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """A card that lies elsewhere; a place that is not said is None."""

    node: Node
    before: Position | None
    after: Position | None


@dataclass(frozen=True, slots=True)
class Diff:
    """All that differs. `reordered` are output pins, as `node.pin`, whose wires are served in another order (§1.8)."""

    added: tuple[Node, ...]
    removed: tuple[Node, ...]
    changed: tuple[NodeChange, ...]
    moved: tuple[Move, ...]
    wires_added: tuple[Wire, ...]
    wires_removed: tuple[Wire, ...]
    reordered: tuple[str, ...]
    settings: tuple[ValueChange, ...]
    """Of the rule itself: `enable`, `uiType`, and what the editor keeps, such as `userData.name`."""

    @property
    def empty(self) -> bool:
        """Whether nothing differs."""
        return not (self.works_otherwise or self.moved)

    @property
    def works_otherwise(self) -> bool:
        """Whether more differs than where cards lie."""
        cards = self.added or self.removed or self.changed
        wires = self.wires_added or self.wires_removed or self.reordered
        return bool(cards or wires or self.settings)


def diff_of(before: Rule | None, after: Rule) -> Diff:
    """Compare two rules; before nothing was there when `before` is None. Cards are the same when their ids are."""
    old = before or Rule.of({"id": after.id, "nodes": [], "cfg": {}})
    both = [(here, node) for node in after.nodes if (here := old.node(node.id)) is not None]
    changes = (NodeChange(left, right, tuple(_values(left, right))) for left, right in both)
    return Diff(
        tuple(node for node in after.nodes if old.node(node.id) is None),
        tuple(node for node in old.nodes if after.node(node.id) is None),
        tuple(each for each in changes if each.values),
        tuple(
            Move(right, left.position, right.position)
            for left, right in both
            if not alike(left.cfg.get(_PLACE), right.cfg.get(_PLACE))
        ),
        _more(after.wires, old.wires),
        _more(old.wires, after.wires),
        tuple(pin for left, right in both for pin in _reordered(left, right)),
        tuple(_settings(old.cfg, after.cfg)),
    )


def _values(left: Node, right: Node) -> Iterator[ValueChange]:
    """Compare two cards, their ids, places and wires set aside."""
    olds, news = _members(left.raw), _members(right.raw)
    for part in dict.fromkeys((*_PARTS, *olds, *news)):
        old, new = olds.get(part, MISSING), news.get(part, MISSING)
        if part == "outputs":
            # The wires are compared by themselves; here it is only pins without any, and what is no wire.
            if _wired(left) == _wired(right) and not _same(old, new):
                yield ValueChange(part, old, new)
        elif part != "id":
            without = frozenset({_PLACE} if part == "cfg" else ())
            yield from _compared(part, _without(old, without), _without(new, without))


def _compared(path: str, old: Json | Missing, new: Json | Missing) -> Iterator[ValueChange]:
    """Compare two values member by member as far as they are alike in shape. A rule is bounded in depth."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in dict.fromkeys((*old, *new)):
            inner = f"{path}.{name}" if path else name
            yield from _compared(inner, old.get(name, MISSING), new.get(name, MISSING))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from _compared(f"{path}.{number}", before, after)
    elif not _same(old, new):
        yield ValueChange(path, old, new)


def _settings(old: Members, new: Members) -> Iterator[ValueChange]:
    told = frozenset({"id", "userData"})
    yield from _compared("", _without(old, told), _without(new, told))
    before, after = _members(old.get("userData")), _members(new.get("userData"))
    yield from _compared("userData", _without(before, _SILENT), _without(after, _SILENT))


def _more(these: tuple[Wire, ...], than: tuple[Wire, ...]) -> tuple[Wire, ...]:
    """Return the wires of the first that the second lacks, each as often as it lacks it."""
    return tuple((Counter(these) - Counter(than)).elements())


def _reordered(left: Node, right: Node) -> Iterator[str]:
    for pin, wires in right.outputs.items():
        before = left.outputs.get(pin, ())
        if wires != before and Counter(wires) == Counter(before):
            yield f"{right.id}.{pin}"


def _wired(node: Node) -> Mapping[str, tuple[Wire, ...]]:
    return {pin: wires for pin, wires in node.outputs.items() if wires}


def _same(left: Json | Missing, right: Json | Missing) -> bool:
    if isinstance(left, Missing) or isinstance(right, Missing):
        return left is right
    return alike(left, right)


def _without(value: Json | Missing, names: frozenset[str]) -> Json | Missing:
    return {name: each for name, each in value.items() if name not in names} if isinstance(value, Mapping) else value


def _members(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}
