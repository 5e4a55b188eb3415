"""What the pages of rules show: read from the hub in one go, worded, and cut to what a person can take in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args
from urllib.parse import urlencode

from zhixing.app import App
from zhixing.faces.cli.graph_pages import contest_lines, log_row, receipt_row, unread_lines
from zhixing.faces.rule_words import single_line
from zhixing.faces.web.graphs.cards import Around, Said, say_card, value_words
from zhixing.faces.web.graphs.drawing import Drawing, draw
from zhixing.faces.web.language import line_of
from zhixing.faces.web.today.talks import ShownTalk, shown_proposal
from zhixing.graphs.checks.finding import GRAPH, Finding, Level, Verdict
from zhixing.graphs.hubs.diff import diff_of
from zhixing.graphs.hubs.diff_words import diff_lines
from zhixing.graphs.hubs.entries import Entry
from zhixing.graphs.proposals.proposed import ProposalState
from zhixing.graphs.rule import Rule
from zhixing.graphs.session import VIRTUAL
from zhixing.graphs.shelf import Kept
from zhixing.graphs.specs.home import Variable
from zhixing.kernel.errors import NotFound, ZhixingError
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import Language, wording

PAGE = 50
"""Rules of one page; cards, findings and variables that are listed."""
MOST_OPEN = 10
"""Open proposals that are shown."""
MOST_LOG = 20
"""Lines of the log that are shown, the latest first."""
MOST_CONTESTS = 30
LONGEST_QUERY = 100

Which = Literal["all", "on", "off"]
_OPEN = [state for state in ProposalState if state.open]


@dataclass(frozen=True, slots=True)
class HubState:
    """The hub that is spoken to; `fault` says why it cannot be."""

    name: str
    is_virtual: bool
    connected: bool
    fault: str


@dataclass(frozen=True, slots=True)
class Row:
    """A rule in the list."""

    id: str
    name: str
    on: bool


@dataclass(frozen=True, slots=True)
class ShownVariable:
    """A variable: how it is written, what it is called, its value."""

    scope: str
    id: str
    type: str
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Overview:
    """The first page of rules.

    `tabs` have a label, an address, and whether it is the open one. `before` and `after` are the addresses of the pages
    beside this one, "" without one.
    """

    hub: HubState
    rows: tuple[Row, ...]
    count: int
    found: int
    which: Which
    query: str
    number: int
    tabs: tuple[tuple[str, str, bool], ...]
    before: str
    after: str
    proposals: tuple[ShownTalk, ...]
    variables: tuple[ShownVariable, ...]
    contests: tuple[str, ...] | None
    """Lines about rules that set one thing differently; None where that was not asked for."""


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """What was found about a card; `card` is "" where it is about the whole rule."""

    kind: str
    card: str
    text: str
    code: str
    fixes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownReceipt:
    """A receipt: its number, when it was taken, what was there."""

    number: int
    when: str
    what: str


@dataclass(frozen=True, slots=True)
class Back:
    """What putting a receipt back would change."""

    number: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownRule:
    """The page of one rule; one that is gone has only receipts."""

    id: str
    name: str
    there: bool
    on: bool
    drawing: Drawing | None
    cards: tuple[tuple[str, Said], ...]
    card_count: int
    findings: tuple[ShownFinding, ...]
    errors: int
    unchecked: str
    """Why it could not be checked."""
    variables: tuple[ShownVariable, ...]
    receipts: tuple[ShownReceipt, ...]
    back: Back | None
    log: tuple[tuple[str, str], ...]


def overview(app: App, language: Language, *, query: str, which: Which, number: int, contests: bool) -> Overview:
    """Look at the hub. One that does not answer is said, and hides nothing else."""
    status = app.graphs.session.status()
    fault = ""
    entries: tuple[Entry, ...] = ()
    variables: tuple[ShownVariable, ...] = ()
    found: tuple[str, ...] | None = None
    try:
        entries = app.graphs.entries()
        variables = _variables(app, ["global"])
        found = _contests(app) if contests else None
    except ZhixingError as error:
        fault = line_of(error, language)
    wanted = query.strip()[:LONGEST_QUERY]
    rows = [_row(each) for each in entries if _fits(each, wanted.lower(), which)]
    start = min(max(number, 1), max(1, -(-len(rows) // PAGE))) * PAGE - PAGE
    return Overview(
        HubState(status.hub, status.hub == VIRTUAL, status.connected, fault),
        tuple(rows[start : start + PAGE]),
        len(entries),
        len(rows),
        which,
        wanted,
        start // PAGE + 1,
        tuple(
            (wording(f"web_graphs.which_{each}", language), _address(each, wanted), each == which)
            for each in get_args(Which)
        ),
        _address(which, wanted, start // PAGE) if start else "",
        _address(which, wanted, start // PAGE + 2) if len(rows) > start + PAGE else "",
        tuple(shown_proposal(app, view.row.id) for view in app.proposals.page(states=_OPEN, limit=MOST_OPEN)),
        variables,
        found,
    )


def shown_rule(app: App, graph: str, language: Language, receipt: int | None = None) -> ShownRule:
    """Look at one rule. Raises `NotFound` for one that the hub does not have and no receipt knows."""
    kept = app.graphs.receipts(graph)
    try:
        rule = app.graphs.rule(graph)
    except NotFound:
        if not kept:
            raise
        return _gone(app, graph, kept, language, receipt)
    around = _around(app, language)
    verdict, unchecked = _checked(app, rule, language)
    found = [*verdict.errors, *verdict.warnings]
    marks = {each.node: _kind(each) for each in reversed(found)}
    nodes = rule.nodes[:PAGE]
    return ShownRule(
        rule.id,
        single_line(rule.name) or rule.id,
        there=True,
        on=rule.enabled,
        drawing=draw(rule, around, marks),
        cards=tuple((node.id, say_card(node, around)) for node in nodes),
        card_count=len(rule.nodes),
        findings=tuple(_finding(each, language) for each in found[:PAGE]),
        errors=len(verdict.errors),
        unchecked=unchecked,
        variables=_variables(app, [rule.scope]),
        receipts=_receipts(app, kept),
        back=_back(rule, kept, language, receipt),
        log=_log(app, graph),
    )


def _gone(app: App, graph: str, kept: list[Kept], language: Language, receipt: int | None) -> ShownRule:
    last = next((each.receipt.rule for each in kept if each.receipt.rule is not None), None)
    return ShownRule(
        graph,
        graph if last is None else single_line(last.name) or graph,
        there=False,
        on=False,
        drawing=None if last is None else draw(last, _around(app, language), {}),
        cards=(),
        card_count=0,
        findings=(),
        errors=0,
        unchecked="",
        variables=(),
        receipts=_receipts(app, kept),
        back=_back(None, kept, language, receipt),
        log=(),
    )


def _address(which: str, query: str, number: int = 1) -> str:
    wanted = {"state": which, **({"q": query} if query else {}), **({"page": str(number)} if number > 1 else {})}
    return f"/graphs?{urlencode(wanted, errors='replace')}"


def _around(app: App, language: Language) -> Around:
    return Around(app.graphs.devices(), app.graphs.session.home().specs, language)


def _checked(app: App, rule: Rule, language: Language) -> tuple[Verdict, str]:
    try:
        return app.graphs.check_capabilities(rule), ""
    except ZhixingError as error:
        return Verdict((), ()), line_of(error, language)


def _finding(found: Finding, language: Language) -> ShownFinding:
    fixes = tuple(
        wording("web_graphs.fix", language, place=" › ".join(fix.path), value=value_words(fix.value))
        for fix in found.fixes
    )
    node = "" if found.node == GRAPH else single_line(found.node)
    return ShownFinding(_kind(found), node, found.text(language), found.code, fixes)


def _kind(found: Finding) -> str:
    return {Level.ERROR: "bad", Level.WARN: "warm"}.get(found.level, "")


def _back(rule: Rule | None, kept: list[Kept], language: Language, number: int | None) -> Back | None:
    one = next((each for each in kept if each.number == number), None)
    if one is None:
        return None
    wanted = one.receipt.rule
    if wanted is None:
        return Back(one.number, (wording("web_graphs.back_nothing", language),))
    return Back(one.number, tuple(diff_lines(diff_of(rule, wanted), language)))


def _receipts(app: App, kept: Iterable[Kept]) -> tuple[ShownReceipt, ...]:
    zone = find_zone(app.zone.name)
    return tuple(ShownReceipt(each.number, *receipt_row(each, zone)[1:]) for each in kept)


def _log(app: App, graph: str) -> tuple[tuple[str, str], ...]:
    try:
        lines = app.graphs.log(graph).lines[-MOST_LOG:]
    except ZhixingError:
        return ()
    rows = (log_row(each, find_zone(app.zone.name)) for each in reversed(lines))
    return tuple((row[0], row[-1]) for row in rows)


def _variables(app: App, scopes: Iterable[str]) -> tuple[ShownVariable, ...]:
    found = [each for scope in scopes for each in app.graphs.variables.listed(scope)]
    return tuple(map(_variable, found[:PAGE]))


def _variable(found: Variable) -> ShownVariable:
    return ShownVariable(found.scope, found.id, found.type.value, single_line(found.name), value_words(found.value))


def _contests(app: App) -> tuple[str, ...]:
    everything = app.graphs.rules()
    lines = [line for each in app.graphs.contests()[:MOST_CONTESTS] for line in contest_lines(each)]
    return (*lines, *unread_lines(everything.unread))


def _row(entry: Entry) -> Row:
    return Row(entry.id, single_line(entry.name) or entry.id, entry.enabled)


def _fits(entry: Entry, query: str, which: Which) -> bool:
    if which != "all" and entry.enabled is not (which == "on"):
        return False
    return not query or query in entry.name.lower() or query in entry.id.lower()
