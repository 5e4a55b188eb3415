"""A real log on the graph: sources send what the log says they sent, and what follows is held against the log.

What only the hub knew is taken from the log as well: values that were read, results that were worked out, outputs that
queries took. Everything else the rule does itself, so that what differs is what the hub does otherwise, or what has
changed in the rule since. Wires and cards of the log that the rule no longer has are marked as drift (mijia §1.14).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from zhixing.graphs.checks.pins import SOURCES
from zhixing.graphs.explaining.comparing import SAME_MS, Entry, Verdict, compared
from zhixing.graphs.explaining.driving import driven
from zhixing.graphs.explaining.following import QUERIES, STORES, first_values, follower, turns
from zhixing.graphs.explaining.sentences import said, seconds
from zhixing.graphs.logs import ErrorLine, InfoLine, LinkLine, Log, RuleLine, read_log
from zhixing.graphs.logs import Line as LogLine
from zhixing.graphs.rule import Node, Rule
from zhixing.graphs.simulating.cards import Card
from zhixing.graphs.simulating.deck import Maker, logged
from zhixing.graphs.simulating.result import Result
from zhixing.graphs.simulating.run import simulate
from zhixing.graphs.simulating.script import Line, Script
from zhixing.graphs.specs.jsontext import shown as short
from zhixing.kernel.wording import Language

MOST_LINES = 200
"""Lines in which a replay is said."""
NOWHERE = Script()
"""Nothing is known of what was around the rule."""

_LAST_MS = 32_503_680_000_000
"""Where the year 3000 begins; a line that says to be later is stepped over."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Drift:
    """Something in the log that the rule no longer has: a wire (`link:…`) or a card (`node:…`), and how often."""

    watchpoint: str
    count: int
    first_ms: int
    last_ms: int


@dataclass(frozen=True, slots=True)
class Replay:
    """A log and the run it led to. Times are in ms by the wall clock; `start_ms` is the first line of this rule.

    `known_from_start`: the log begins with the rule being switched on; else what cards remembered then is not known,
    and differences soon after the start may come of that. `others` counts lines of other rules.
    """

    start_ms: int
    entries: tuple[Entry, ...]
    drift: tuple[Drift, ...]
    known_from_start: bool
    log: Log
    others: int
    result: Result

    def count(self, verdict: Verdict) -> int:
        """Return how many lines came out that way."""
        return sum(entry.verdict is verdict for entry in self.entries)

    @property
    def agrees(self) -> bool:
        """Whether log and rule did the same."""
        return all(entry.verdict is Verdict.SAME for entry in self.entries) and not self.drift

    @property
    def differing(self) -> tuple[Entry, ...]:
        """What is not the same, in order of time."""
        return tuple(entry for entry in self.entries if entry.verdict is not Verdict.SAME)

    def lines(self, language: Language = "zh") -> tuple[str, ...]:
        """Say it: a summary, then one line for each difference; at most `MOST_LINES`."""
        found = list(self._lines(language))
        if len(found) > MOST_LINES:
            more = said("graph_explaining.more", language, {"count": len(found) - MOST_LINES})
            return (*found[:MOST_LINES], more)
        return tuple(found)

    def _lines(self, language: Language) -> Iterator[str]:
        counts = {verdict.value: self.count(verdict) for verdict in Verdict}
        if not self.entries and not self.drift:
            yield said("graph_explaining.replay_empty", language, {})
        else:
            yield said("graph_explaining.replay", language, counts)
        if self.log.unread_count:
            yield said("graph_explaining.replay_unread", language, {"count": self.log.unread_count})
        if self.log.cut:
            yield said("graph_explaining.replay_cut", language, {"count": len(self.log.lines)})
        if self.entries and not self.known_from_start:
            yield said("graph_explaining.replay_middle", language, {})
        for each in self.drift:
            values = {"what": short(each.watchpoint, 170), "count": each.count, "at": self._at(each.first_ms)}
            yield said("graph_explaining.replay_gone", language, values)
        for entry in self.differing:
            if entry.verdict is not Verdict.DRIFT:
                yield entry.text(self.start_ms, language)

    def _at(self, at_ms: int) -> str:
        return seconds(at_ms - self.start_ms)


def replay(rule: Rule, lines: Iterable[str], around: Script = NOWHERE, same_ms: int = SAME_MS) -> Replay:
    """Replay the lines of a gateway's log on a rule; lines of other rules are stepped over, their order does not count.

    `around` gives zone, options, and what devices and variables held when the log began; what it does not give is taken
    from the first that the log tells. Lines at most `same_ms` apart are the same. Bounds are those of `read_log`.
    """
    return replay_log(rule, read_log(lines), around, same_ms)


def replay_log(rule: Rule, log: Log, around: Script = NOWHERE, same_ms: int = SAME_MS) -> Replay:
    """Replay a log that was read already, as `replay` does."""
    name = logged(rule.id)
    own = [line for line in log.lines if line.graph == name and 0 <= line.at_ms <= _LAST_MS]
    own.sort(key=lambda line: line.at_ms)
    start_ms = own[0].at_ms if own else 0
    nodes = {logged(node.id): node for node in reversed(rule.nodes) if node.id}
    wires = {(wire.source, wire.pin, wire.end): None for wire in rule.wires}
    result = _run(rule, own, nodes, around, same_ms)
    links = [line for line in own if isinstance(line, LinkLine)]
    known = [line for line in links if _wire(line, nodes) in wires]
    entries = compared(known, (line for line in result.trace if isinstance(line, LinkLine)), same_ms)
    entries += [
        Entry(Verdict.DRIFT, line.source, line.target, line.state, line.at_ms, None)
        for line in links
        if _wire(line, nodes) not in wires
    ]
    return Replay(
        start_ms=start_ms,
        entries=tuple(sorted(entries, key=lambda entry: entry.at_ms)),
        drift=tuple(_drift(own, nodes, wires)),
        known_from_start=bool(own) and isinstance(own[0], RuleLine) and own[0].enable,
        log=log,
        others=len(log.lines) - len(own),
        result=result,
    )


def _run(rule: Rule, own: list[LogLine], nodes: Mapping[str, Node], around: Script, same_ms: int) -> Result:
    shown = turns(own, nodes)
    start_ms = own[0].at_ms if own else 0
    until_ms = own[-1].at_ms if own else 0
    state, variables = first_values(nodes.values(), shown)
    script = replace(
        around,
        start=_EPOCH + timedelta(milliseconds=start_ms),
        until_ms=until_ms - start_ms,
        state={**state, **around.state},
        variables={**variables, **around.variables},
        lines=tuple(Line(each.at_ms - start_ms, each.event) for each in driven(own, nodes, shown)),
    )
    makers: dict[str, Maker] = {}
    for node in nodes.values():
        if node.type in SOURCES:
            makers[node.id] = Card
        elif node.type in QUERIES | STORES:
            makers[node.id] = follower(node, shown.get(node.id, ()), same_ms)
    off = rule.having(cfg={**rule.cfg, "enable": False})
    return simulate(off, script, makers)


def _wire(line: LinkLine, nodes: Mapping[str, Node]) -> tuple[str, str, str]:
    """Return a wire of the log as the rule would name it."""
    source, target = (nodes[pin.node].id if pin.node in nodes else pin.node for pin in (line.source, line.target))
    return source, line.source.pin, f"{target}.{line.target.pin}"


def _drift(
    own: Iterable[LogLine], nodes: Mapping[str, Node], wires: Mapping[tuple[str, str, str], None]
) -> Iterator[Drift]:
    found: dict[str, list[int]] = {}
    for line in own:
        match line:
            case LinkLine() if _wire(line, nodes) not in wires:
                found.setdefault(line.watchpoint, []).append(line.at_ms)
                gone = {pin.node for pin in (line.source, line.target) if pin.node not in nodes}
            case InfoLine() | ErrorLine():
                gone = {line.node} - nodes.keys()
            case _:
                gone = set()
        for name in sorted(gone):
            found.setdefault(f"node:{name}", []).append(line.at_ms)
    for watchpoint, times in found.items():
        yield Drift(watchpoint, len(times), times[0], times[-1])
