"""Why a card fired, back to what started it; or why it did not, with the nearest reason first (mijia §9)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from zhixing.graphs.catalogue import outputs_of
from zhixing.graphs.checks.finding import Phrase
from zhixing.graphs.explaining import lasting, sources, steering
from zhixing.graphs.explaining.chain import Step, chain
from zhixing.graphs.explaining.history import History
from zhixing.graphs.explaining.question import Question
from zhixing.graphs.explaining.sentences import Reason, named, said
from zhixing.graphs.rule import Node, Rule
from zhixing.graphs.simulating.cards import NotRunnable
from zhixing.graphs.simulating.result import Result
from zhixing.graphs.specs.jsontext import shown
from zhixing.kernel.errors import BadInput
from zhixing.kernel.wording import Language

MOST_REASONS = 50
"""Reasons of one answer."""
MOST_ASKED = 1_000
"""Cards that are asked on the way upstream."""

Answer = Callable[[Question], Iterator[Reason | Question]]

_ANSWERS: Mapping[str, Answer] = {
    "varChange": sources.variable_source,
    "deviceInputSetVar": sources.to_variable,
    "alarmClock": sources.alarm,
    "timeRange": sources.window,
    "onLoad": sources.start,
    "deviceGet": steering.query,
    "varGet": steering.query,
    "condition": steering.condition,
    "onlyNTimes": steering.only_n_times,
    "counter": steering.counter,
    "modeSwitch": steering.mode_switch,
    "register": steering.register,
    "delay": steering.delay,
    "eventSequence": steering.event_sequence,
    "loop": steering.loop,
    "statusLast": lasting.status_last,
    "logicAnd": lasting.logic,
    "logicOr": lasting.logic,
    "logicNot": lasting.logic,
}
_NOTE = "nop"
_AGAIN = frozenset(
    {
        "already_true",
        "condition_constant",
        "condition_false",
        "condition_late",
        "condition_true",
        "condition_unknown",
        "condition_unwired",
        "counter_held",
        "delay_running",
        "event_storm",
        "expression_failed",
        "logic_held",
        "loop_stopped",
        "only_n_spent",
        "out_of_range",
        "query_false",
        "query_true",
        "register_held",
        "rule_off_after",
        "run_cut",
        "stale_value",
        "status_held",
        "status_running",
        "steps_spent",
        "value_unknown",
        "variable_kind",
        "variable_missing",
    }
)
"""Reasons worth telling of a card that fired, for what came to it afterwards."""


@dataclass(frozen=True, slots=True)
class Why:
    """The answer. `firings` is how often pulses left the card, `firing` which of them `steps` explains, from 1.

    `steps` leads from what started it to the card. `reasons` tell why there was none, or why none came after the last;
    the nearest to the card comes first. `cut`: the way is longer than `steps`, or the run than what was written down.
    """

    node: str
    card: Phrase | str
    pin: str | None
    firings: int
    firing: int | None
    steps: tuple[Step, ...]
    reasons: tuple[Reason, ...]
    cut: bool

    @property
    def reason(self) -> Reason | None:
        """The nearest reason."""
        return self.reasons[0] if self.reasons else None

    def lines(self, language: Language = "zh") -> tuple[str, ...]:
        """Say it, one thing a line."""
        values: dict[str, object] = {"card": self.card, "count": self.firings, "firing": self.firing or 0}
        head = "fired" if self.firing is not None else "not_fired"
        found = [said(f"graph_why.{head}", language, values)]
        found += [each.text(language) for each in self.steps]
        if self.firing is not None and self.reasons:
            found.append(said("graph_why.not_again", language, values))
        found += [each.text(language) for each in self.reasons]
        if self.cut:
            found.append(said("graph_why.cut", language, values))
        return tuple(found)


def why(
    rule: Rule,
    result: Result,
    node: str,
    *,
    pin: str | None = None,
    firing: int | None = None,
    after_ms: int = 0,
) -> Why:
    """Explain a card of a rule by what a run of that rule did.

    The last time that it fired is explained, or the `firing`-th, from 1; with `after_ms` only what came from that
    instant on counts. `pin` asks about one output. Raises `BadInput` for a card, pin or time that there is not.
    """
    return explained(History(rule, result), node, pin=pin, firing=firing, after_ms=after_ms)


def explained(
    history: History, node: str, *, pin: str | None = None, firing: int | None = None, after_ms: int = 0
) -> Why:
    """Explain a card as `why` does; who asks about many cards of one run makes its history once."""
    asked = history.rule.node(node)
    if asked is None:
        raise BadInput("explain_node", node=shown(node))
    if pin is not None and pin not in outputs_of(asked):
        raise BadInput("explain_pin", node=shown(node), pin=shown(pin))
    since = history.index_at(after_ms)
    fired = history.fired(node, pin, since)
    if firing is not None and not 1 <= firing <= len(fired):
        raise BadInput("explain_firing", node=shown(node), count=len(fired))
    card = named(asked, node)
    if not fired:
        reasons = _reasons(Question(history, asked, pin, "pulse", since, history.end))
        return Why(node, card, pin, 0, None, (), reasons, history.cut)
    number = len(fired) if firing is None else firing
    steps, cut = chain(history, fired[number - 1])
    again = Question(history, asked, pin, "pulse", fired[-1] + 1, history.end)
    reasons = _again(again) if firing is None else ()
    return Why(node, card, pin, len(fired), number, steps, reasons, cut or history.cut)


def _reasons(first: Question) -> tuple[Reason, ...]:
    """Ask upstream, nearest cards first, each once for each output."""
    found: dict[tuple[str, str, str], Reason] = {}
    waiting, seen = deque([first]), {(first.node.id, first.pin, first.want)}
    asked = 0
    while waiting and asked < MOST_ASKED and len(found) < MOST_REASONS:
        asked += 1
        for each in _answer(waiting.popleft()):
            if isinstance(each, Reason):
                found.setdefault((each.code, each.node, each.pin), each)
            elif (key := (each.node.id, each.pin, each.want)) not in seen:
                seen.add(key)
                waiting.append(each)
    return tuple(found.values())[:MOST_REASONS] or (first.reason("circle"),)


def _again(asked: Question) -> tuple[Reason, ...]:
    """Tell why what came to the card after it fired led nowhere."""
    history, node = asked.history, asked.node
    later = [*asked.heard()[-1:], *history.indices(node.id, "carried")[-1:]]
    if not any(index >= asked.since for index in later):
        return ()
    local = [each for each in _answer(asked) if isinstance(each, Reason)]
    return tuple(each for each in local if each.code in _AGAIN and each.node == node.id)


def _answer(asked: Question) -> list[Reason | Question]:
    node, history = asked.node, asked.history
    if node.id in history.left_out:
        left = history.left_out[node.id]
        return [asked.reason("node_left_out", why=Phrase(f"graph_simulation.{left.code}", left.values))]
    if node.type == _NOTE:
        return [asked.reason("note_card")]
    if not history.was_on:
        return [Reason("rule_off")]
    try:
        return list(_answer_of(node)(asked))
    except NotRunnable as error:
        missing = Phrase("graph_simulation.node_incomplete", {"prop": error.prop})
        return [asked.reason("node_left_out", why=missing)]


def _answer_of(node: Node) -> Answer:
    if node.type == "deviceInput":
        return sources.property_source if "piid" in node.props else sources.event_source
    return _ANSWERS.get(node.type, steering.doing)
