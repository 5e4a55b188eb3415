"""What the pages of goals show: the lists of all of them, and one with its tree, its budgets and its results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from zhixing.app import App
from zhixing.faces.goal_ids import goal_meant
from zhixing.faces.web.goals.addresses import ALL, of_goal
from zhixing.faces.web.goals.cards import ShownCard, card_of
from zhixing.faces.web.goals.tree import ShownStep, step_of, steps_of
from zhixing.faces.web.goals.words import GOAL_BADGES, amount, goal_reason, instant, moment, output_text, span
from zhixing.goals.keeping.chronicle import title_of
from zhixing.goals.keeping.news import limit_text, reason_text, result_lines
from zhixing.goals.keeping.texts import excerpt, single_line
from zhixing.goals.keeping.viewing import seen_of
from zhixing.goals.loop.board import Action
from zhixing.goals.loop.model import Graph
from zhixing.goals.loop.tree import is_over
from zhixing.goals.loop.values import GraphStatus, Hung, NodeStatus
from zhixing.goals.running import rows
from zhixing.goals.running.listing import Listing, Wanted
from zhixing.goals.running.rows import Listed
from zhixing.goals.talking.talk import OPEN as OPEN_TALKS
from zhixing.kernel.moments import micros
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import Language, section, wording

MOST_TALKS = 20
MOST_GOALS = 20
"""Goals on one page."""
MOST_ACTIONS = 200
MOST_DELIVERED = 50
SHOWN: Mapping[str, tuple[GraphStatus, ...]] = {
    "open": (GraphStatus.RUNNING, GraphStatus.HUNG),
    "over": (GraphStatus.DONE, GraphStatus.FAILED, GraphStatus.CANCELLED),
    "all": tuple(GraphStatus),
}
"""Which goals a list can be of."""


@dataclass(frozen=True, slots=True)
class GoalLine:
    """A goal in the list; `count` steps of which `done` are, 0 of 0 where nothing is planned yet or it is over."""

    address: str
    title: str
    state: str
    badge: str
    about: str
    done: int
    count: int


@dataclass(frozen=True, slots=True)
class AllGoals:
    """The page at /goals."""

    talks: tuple[ShownCard, ...]
    more_talks: bool
    tabs: tuple[tuple[str, str, bool], ...]
    goals: tuple[GoalLine, ...]
    total: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Budget:
    """One of the things that a goal may use so much of; `limit` 0 with `limited` means that nothing is left."""

    name: str
    used: float
    limit: float
    about: str
    limited: bool


@dataclass(frozen=True, slots=True)
class Delivered:
    """What came of one step."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class OneGoal:
    """The page of one goal. `about` are who plans it, since when, and its task; `log` is None unless asked for."""

    id: str
    address: str
    title: str
    state: str
    badge: str
    reason: str
    about: tuple[str, ...]
    task_id: str
    root: ShownStep
    steps: tuple[ShownStep, ...]
    more_steps: int
    done: int
    count: int
    relay: str
    budgets: tuple[Budget, ...]
    budget_over: bool
    lines: tuple[str, ...]
    delivered: tuple[Delivered, ...]
    log: tuple[tuple[str, str, str, str], ...] | None
    runs: bool
    is_open: bool


def all_goals(app: App, shown: str, page: int, language: Language) -> AllGoals:
    """Return conversations of which something may come, and a page of goals: those that are open, over, or all."""
    shown = shown if shown in SHOWN else "open"
    wanted, listing = Wanted(statuses=SHOWN[shown]), Listing(app.store)
    offset = (page - 1) * MOST_GOALS
    found, total = listing.page(wanted, MOST_GOALS, offset), listing.count(wanted)
    talks = app.goals.talks.page(states=OPEN_TALKS, limit=MOST_TALKS + 1)
    return AllGoals(
        talks=tuple(card_of(each, language) for each in talks[:MOST_TALKS]),
        more_talks=len(talks) > MOST_TALKS,
        tabs=tuple(
            (wording(f"web_goals.show_{each}", language), f"{ALL}?show={each}", each == shown) for each in SHOWN
        ),
        goals=tuple(_line(app, each, language) for each in found),
        total=total,
        before=f"{ALL}?show={shown}&page={page - 1}" if page > 1 else "",
        after=f"{ALL}?show={shown}&page={page + 1}" if total > offset + len(found) else "",
    )


def one_goal(app: App, written: str, language: Language, *, log: str = "") -> OneGoal:
    """Return everything about a goal, with `log` also its action log. Raises like `goal_meant`."""
    graph = goal_meant(app, written)
    goal_id, head = graph.root.id, graph.head
    with app.store.read() as tx:
        task_id = app.goals.keeping.task_of(tx, goal_id)
        actions = rows.actions(tx, goal_id)[-MOST_ACTIONS:] if log else None
    zone, seen = find_zone(app.zone.name), seen_of(graph)
    steps = steps_of(graph, language)
    hung = {head.hung_reason, graph.root.run.hung_reason}
    return OneGoal(
        id=goal_id,
        address=of_goal(goal_id),
        title=title_of(graph.root),
        state=wording(f"goal_news.status_{head.status.value}", language),
        badge=GOAL_BADGES[head.status],
        reason=goal_reason(graph, language),
        about=(
            wording("goal_pages.owner", language, bot=single_line(head.info.owner_bot_id)),
            wording("web_goals.since", language, when=moment(head.started_at, zone)),
        ),
        task_id=task_id or "",
        root=step_of(graph, graph.root, language),
        steps=steps,
        more_steps=len(graph.nodes) - 1 - len(steps),
        done=seen.done if steps else 0,
        count=seen.leaves if steps else 0,
        relay=_relay(graph, language),
        budgets=tuple(_budgets(graph, micros(app.clock.now()) // 1000, language)),
        budget_over=head.status.open and Hung.BUDGET_EXHAUSTED in hung,
        lines=tuple(result_lines(graph, language)) if is_over(graph) else (),
        delivered=tuple(_delivered(graph)),
        log=None if actions is None else tuple(_action(graph, each, zone, language) for each in reversed(actions)),
        runs=head.status is GraphStatus.RUNNING,
        is_open=head.status.open,
    )


def _line(app: App, record: Listed, language: Language) -> GoalLine:
    spec = record.info.spec
    graph = app.goals.goals.graph(record.info.task_id) if record.status.open else None
    seen = None if graph is None or len(graph.nodes) == 1 else seen_of(graph)
    about = [wording("web_goals.since", language, when=moment(record.created_at, find_zone(app.zone.name)))]
    if graph is not None:
        about += [each for each in (goal_reason(graph, language), _relay(graph, language)) if each]
    return GoalLine(
        address=of_goal(record.info.task_id),
        title=single_line(spec.title or spec.objective) or single_line(record.info.task_id),
        state=wording(f"goal_news.status_{record.status.value}", language),
        badge=GOAL_BADGES[record.status],
        about=wording("web_goals.and", language).join(about),
        done=0 if seen is None else seen.done,
        count=0 if seen is None else seen.leaves,
    )


def _relay(graph: Graph, language: Language) -> str:
    relay = graph.head.relay
    if not relay.mode or graph.head.status is not GraphStatus.RUNNING:
        return ""
    if relay.owner:
        return wording("goal_news.task_relay", language, bot=single_line(relay.owner))
    return wording("goal_news.task_relay_wanted", language)


def _budgets(graph: Graph, now: int, language: Language) -> Iterator[Budget]:
    head, limits = graph.head, graph.head.info.limits
    ended = graph.root.run.ended_at if is_over(graph) else None
    age = max(0, (ended or now) - head.started_at)
    yield _budget("tokens", head.spent.tokens, limits.tokens, lambda n: str(int(n)), language)
    yield _budget("cost", head.spent.cost, limits.cost, amount, language)
    yield _budget("wall_clock", age, limits.wall_clock, lambda n: span(int(n), language), language)


def _budget(name: str, used: float, limit: float | None, write: Callable[[float], str], language: Language) -> Budget:
    said = limit_text(name, language)
    if limit is None:
        about = wording("web_goals.used_free", language, used=write(used))
        return Budget(said, used, 0, about, limited=False)
    left = write(max(0, limit - used))
    about = wording("web_goals.used_of", language, used=write(used), limit=write(limit), left=left)
    return Budget(said, min(used, limit), limit, about, limited=True)


def _delivered(graph: Graph) -> Iterator[Delivered]:
    found = graph.head.output.get("deliverables")
    if is_over(graph) and isinstance(found, Mapping):
        for node_id, value in list(found.items())[:MOST_DELIVERED]:
            node = graph.nodes.get(node_id)
            yield Delivered(single_line(str(node_id)) if node is None else title_of(node), output_text(value))


def _action(graph: Graph, action: Action, zone: ZoneInfo, language: Language) -> tuple[str, str, str, str]:
    """Return a line of the log as a moment of a timeline."""
    node = graph.nodes.get(action.node_id)
    what = section("goal_pages", language).get(f"action_{action.action}", single_line(action.action))
    said = f"{single_line(action.node_id) if node is None else title_of(node)} · {what}"
    moved = ""
    if action.status_from is not action.status_to:
        before, after = (
            wording(f"goal_pages.node_{each.value}", language) for each in (action.status_from, action.status_to)
        )
        moved = wording("goal_pages.moved", language, before=before, after=after)
    more = _more(action.payload, language)
    kind = "good" if action.status_to is NodeStatus.DONE else "warm" if action.status_to is NodeStatus.HUNG else ""
    return instant(action.ts, zone), said, " ".join(filter(None, (moved, more))), kind


def _more(payload: Mapping[str, Any], language: Language) -> str:
    """Return what else is known of an action: why something hangs in words, anything else as it is."""
    if set(payload) == {"hung_reason"}:
        return reason_text(str(payload["hung_reason"]), language)
    return excerpt(payload, 120) if any(payload.values()) else ""
