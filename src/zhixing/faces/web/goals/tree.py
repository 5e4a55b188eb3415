"""The steps of a goal as they are shown: the tree from above, each with its state, its bot and why it hangs. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zhixing.faces.web.goals.words import node_state, output_text
from zhixing.goals.keeping.chronicle import title_of
from zhixing.goals.keeping.news import reason_text
from zhixing.goals.keeping.texts import excerpt, single_line
from zhixing.goals.loop.model import Graph, Node
from zhixing.goals.loop.outputs import flat
from zhixing.goals.loop.tree import is_external, is_scoped
from zhixing.goals.loop.values import Dispatch, NodeStatus
from zhixing.kernel.wording import Language, wording

DEEPEST = 6
"""Levels of the tree that are indented further."""
MOST_STEPS = 300
"""Steps that stand on one page."""
MOST_GAPS = 10
BY_PERSON = "person"
"""The evidence of criteria for which a person answered."""
_STUCK = {Dispatch.UNKNOWN, Dispatch.ERROR}
_TRIED = {NodeStatus.DONE, NodeStatus.FAILED, NodeStatus.HUNG}


@dataclass(frozen=True, slots=True)
class ShownCriterion:
    """A criterion; `verdict` is "met", "unmet" or "open", and `evidence` what that was found on."""

    id: str
    text: str
    verdict: str
    evidence: str


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A node of the tree, or its root. `place` is its number among the nodes as they came, which never changes.

    `about` are its bot, its attempt and the like; `notes` (kind of badge, line) what is to be known of it.
    """

    id: str
    place: int
    level: int
    title: str
    objective: str
    state: str
    badge: str
    about: tuple[str, ...]
    notes: tuple[tuple[str, str], ...]
    criteria: tuple[ShownCriterion, ...]
    gaps: tuple[str, ...]
    output: str
    excerpt: str
    retryable: bool
    resendable: bool
    resolvable: bool

    @property
    def has_more(self) -> bool:
        """Whether there is anything to unfold."""
        return bool(self.objective or self.criteria or self.gaps or self.output)


def steps_of(graph: Graph, language: Language) -> tuple[ShownStep, ...]:
    """Return the steps under the root, each before what hangs under it; at most `MOST_STEPS`."""
    below: dict[str, list[str]] = {}
    for each in graph.head.relations:
        below.setdefault(each.parent, []).append(each.child)
    places = {node_id: place for place, node_id in enumerate(graph.nodes)}
    found: list[ShownStep] = []
    left = [(child, 0) for child in reversed(below.get(graph.root.id, []))]
    while left and len(found) < MOST_STEPS:
        node_id, level = left.pop()
        found.append(step_of(graph, graph.nodes[node_id], language, places[node_id], level))
        left += [(child, level + 1) for child in reversed(below.get(node_id, []))]
    return tuple(found)


def step_of(graph: Graph, node: Node, language: Language, place: int = 0, level: int = 0) -> ShownStep:
    """Return one node as it is shown."""
    state, badge = node_state(node, language)
    title, objective = title_of(node), single_line(node.spec.objective)
    output = flat(node.run.output)
    shows = bool(output) and node.status in _TRIED
    movable = graph.head.status.open and not is_external(graph) and not is_scoped(node) and not node.run.superseded
    hangs = node.status is NodeStatus.HUNG or (node.id == graph.root.id and node.run.hung_reason is not None)
    return ShownStep(
        id=node.id,
        place=place,
        level=min(level, DEEPEST),
        title=title,
        objective="" if objective == title else objective,
        state=state,
        badge=badge,
        about=tuple(_about(graph, node, language)),
        notes=tuple(_notes(node, language)),
        criteria=tuple(criteria_of(node, language)),
        gaps=gaps_of(node),
        output=output_text(output) if shows else "",
        excerpt=excerpt(output, 120) if shows else "",
        retryable=movable and hangs,
        resendable=movable and node.status is NodeStatus.PENDING and node.run.dispatch in _STUCK,
        resolvable=movable and hangs,
    )


def criteria_of(node: Node, language: Language) -> Iterator[ShownCriterion]:
    """Yield each criterion of a node: whether it was found met, and on what evidence."""
    accepted = node.run.acceptance
    judged = {} if accepted is None else {each.ac_id: each for each in accepted.metric}
    for each in node.spec.acceptances:
        found = judged.get(each.id)
        verdict = "open" if found is None else "met" if found.passed else "unmet"
        evidence = "" if found is None else single_line(found.evidence)
        if evidence == BY_PERSON:
            evidence = wording("web_goals.by_person", language)
        yield ShownCriterion(single_line(each.id), single_line(each.description), verdict, evidence)


def gaps_of(node: Node) -> tuple[str, ...]:
    """Return what was found missing."""
    accepted = node.run.acceptance
    return () if accepted is None else tuple(map(single_line, accepted.gaps[:MOST_GAPS]))


def _about(graph: Graph, node: Node, language: Language) -> Iterator[str]:
    run = node.run
    if run.assignee:
        yield wording("goal_pages.by", language, bot=single_line(run.assignee))
    if run.run_mode is not None:
        yield wording(f"web_goals.mode_{run.run_mode.value}", language)
    if run.attempt > 1:
        yield wording("goal_pages.attempt", language, attempt=run.attempt)
    if node.status is NodeStatus.PENDING and any(each.subject == node.id for each in graph.head.awaited):
        yield wording("goal_pages.awaited", language)


def _notes(node: Node, language: Language) -> Iterator[tuple[str, str]]:
    run = node.run
    if run.hung_reason is not None and node.status is NodeStatus.HUNG and not run.superseded:
        yield "warm", wording("goal_pages.hangs", language, reason=reason_text(run.hung_reason.value, language))
    if run.dispatch is Dispatch.UNKNOWN and node.status in {NodeStatus.PENDING, NodeStatus.RUNNING}:
        yield "warm", wording("goal_pages.unsure", language)
    if run.dispatch_error and node.status is NodeStatus.PENDING:
        yield "warm", wording("goal_pages.not_sent", language, why=_why(run.dispatch_error, language))
    if run.last_exec_error and node.status is not NodeStatus.DONE:
        yield "bad", wording("goal_pages.failed_before", language, why=_why(run.last_exec_error, language))
    if run.late_count:
        yield "", wording("goal_pages.late", language, count=run.late_count)


def _why(said: str, language: Language) -> str:
    return reason_text(said, language)
