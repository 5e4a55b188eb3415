"""What runs at an instant: delays, loops, lasting states, alarms and hours; and what started them (mijia §9)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from zhixing.graphs.checks.finding import Phrase
from zhixing.graphs.explaining.chain import Step, chain
from zhixing.graphs.explaining.history import History
from zhixing.graphs.explaining.sentences import named, said, seconds
from zhixing.graphs.rule import Rule
from zhixing.graphs.simulating.effects import TimerKind
from zhixing.graphs.simulating.moments import UNCAUSED
from zhixing.graphs.simulating.result import Result
from zhixing.graphs.simulating.run import simulate
from zhixing.graphs.simulating.script import Script
from zhixing.kernel.wording import Language


@dataclass(frozen=True, slots=True)
class Running:
    """One timer; `due_ms` is its next. `started_ms` is None, and `steps` are none, when the run does not know."""

    node: str
    card: Phrase | str
    kind: TimerKind
    due_ms: int
    started_ms: int | None
    steps: tuple[Step, ...]
    """What started it, first things first; of a loop what started its first round."""

    def text(self, language: Language = "zh") -> str:
        """Say it in one line."""
        started = "-" if self.started_ms is None else seconds(self.started_ms)
        values = {"card": self.card, "due": seconds(self.due_ms), "started": started}
        return said(f"graph_explaining.running_{self.kind}", language, values)


def running(rule: Rule, result: Result) -> tuple[Running, ...]:
    """Return what runs at the end of a run, what is due first before the rest."""
    history = History(rule, result)
    found = []
    for each in (*result.active, *result.appointed):
        steps, _ = ((), False) if each.cause == UNCAUSED else chain(history, each.cause)
        started = [step for step in steps if not (step.kind == "due" and step.node == each.node)]
        at_ms = started[-1].at_ms if started else None
        card = named(rule.node(each.node), each.node)
        found.append(Running(each.node, card, each.kind, each.due_ms, at_ms, tuple(started)))
    return tuple(sorted(found, key=lambda one: one.due_ms))


def running_at(rule: Rule, script: Script, at_ms: int) -> tuple[Running, ...]:
    """Return what runs at an instant of a run; what happens and is due just then counts as over."""
    return running(rule, simulate(rule, replace(script, until_ms=at_ms)))
