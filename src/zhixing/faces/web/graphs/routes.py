"""The rules of the hub: a list, a page for each, sentences that become rules, and what is done to them."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Form
from starlette.responses import Response

from zhixing.faces.gateway_outcomes import must_be_done
from zhixing.faces.web.deeds import WHO
from zhixing.faces.web.desk import AtDesk, Desk, own_form
from zhixing.faces.web.graphs.views import Which, overview, shown_rule
from zhixing.faces.web.today.saying import identity_of, lines_of
from zhixing.graphs.proposals.proposed import ProposalState
from zhixing.graphs.specs.model import Dtype
from zhixing.kernel.errors import BadInput, ZhixingError

router = APIRouter(include_in_schema=False)
forms = APIRouter(include_in_schema=False, dependencies=[Depends(own_form)])


@router.get("/graphs")
def show_all(desk: AtDesk, q: str = "", state: str = "all", page: str = "1", conflicts: str = "") -> Response:
    """List the rules of the hub."""
    return _overview(desk, query=q, state=state, number=page, contests=conflicts)


@router.get("/graphs/{graph}")
def show(desk: AtDesk, graph: str, receipt: str = "") -> Response:
    """Show one rule; with `receipt`, what putting that back would change."""
    return _rule(desk, graph, receipt=_number(receipt))


@forms.post("/graphs/say")
def say(desk: AtDesk, text: Annotated[str, Form()] = "", key: Annotated[str, Form()] = "") -> Response:
    """Show which rule a sentence becomes."""
    words = lines_of(text).strip()

    def act() -> str:
        if not words:
            raise BadInput("text_empty")
        desk.home.check_length(words)
        desk.home.app.proposals.say(words, who=WHO, key=identity_of(key, words))
        return "/graphs"

    return desk.act(act, lambda error: _overview(desk, refused=error, draft=words))


@forms.post("/graphs/proposals/{proposal}/answer")
def answer(
    desk: AtDesk, proposal: str, revision: Annotated[int, Form()], value: Annotated[str, Form()] = ""
) -> Response:
    """Answer what is asked about a rule, save it or drop it."""

    def act() -> str:
        view = desk.home.app.proposals.answer(proposal, value, who=WHO, revision=revision)
        return f"/graphs/{quote(view.row.rule_id, safe='')}" if view.row.state is ProposalState.SAVED else "/graphs"

    return desk.act(act, lambda error: _overview(desk, refused=error))


@forms.post("/graphs/proposals/{proposal}/cancel")
def cancel(desk: AtDesk, proposal: str) -> Response:
    """Drop a proposal."""
    return _do(desk, lambda: desk.home.app.proposals.cancel(proposal))


@forms.post("/graphs/hub/connect")
def connect(desk: AtDesk, passcode: Annotated[str, Form()] = "") -> Response:
    """Connect to the real hub of the settings, for as long as the server runs."""
    return _do(desk, lambda: desk.home.app.graphs.session.connect(passcode))


@forms.post("/graphs/hub/disconnect")
def disconnect(desk: AtDesk) -> Response:
    """Leave the real hub."""
    return _do(desk, desk.home.app.graphs.session.disconnect)


@forms.post("/graphs/{graph}/enable")
def enable(desk: AtDesk, graph: str) -> Response:
    """Switch a rule on."""
    return _to_rule(desk, graph, lambda: _switch(desk, graph, enable=True), "rule_on")


@forms.post("/graphs/{graph}/disable")
def disable(desk: AtDesk, graph: str) -> Response:
    """Switch a rule off."""
    return _to_rule(desk, graph, lambda: _switch(desk, graph, enable=False), "rule_off")


@forms.post("/graphs/{graph}/delete")
def delete(desk: AtDesk, graph: str) -> Response:
    """Delete a rule with its own variables; what it was is kept."""
    return _to_rule(
        desk, graph, lambda: must_be_done(graph, desk.home.app.graphs.delete(graph).outcome), "rule_deleted"
    )


@forms.post("/graphs/{graph}/back")
def roll_back(desk: AtDesk, graph: str, receipt: Annotated[int, Form()]) -> Response:
    """Put a receipt back; what is there until then is kept, too."""
    graphs = desk.home.app.graphs

    def act() -> None:
        if all(each.number != receipt for each in graphs.receipts(graph)):
            raise BadInput("graph_receipt_unknown", number=receipt)
        must_be_done(graph, graphs.roll_back(receipt).outcome)

    return _to_rule(desk, graph, act, "rule_back")


@forms.post("/graphs/{graph}/variables/{variable}")
def set_variable(
    desk: AtDesk,
    graph: str,
    variable: str,
    scope: Annotated[str, Form()] = "",
    value: Annotated[str, Form()] = "",
) -> Response:
    """Set the value of a variable of a rule."""
    there = desk.home.app.graphs.variables

    def act() -> None:
        written = value if there.config(scope, variable).type is Dtype.STRING else _amount(value, variable)
        there.set(scope, variable, written)

    return _to_rule(desk, graph, act, "variable_set")


def _overview(
    desk: Desk,
    refused: ZhixingError | None = None,
    *,
    draft: str = "",
    query: str = "",
    state: str = "all",
    number: str = "1",
    contests: str = "",
) -> Response:
    which: Which = "on" if state == "on" else "off" if state == "off" else "all"
    found = overview(
        desk.home.app,
        desk.language,
        query=query,
        which=which,
        number=_number(number) or 1,
        contests=contests == "1",
    )
    return desk.show(
        "graphs/page.html",
        refused=refused,
        path="/graphs",
        sight=found,
        draft=draft,
        key=secrets.token_urlsafe(12),
        longest=desk.home.limits.text_chars,
    )


def _rule(desk: Desk, graph: str, *, refused: ZhixingError | None = None, receipt: int | None = None) -> Response:
    found = shown_rule(desk.home.app, graph, desk.language, receipt)
    return desk.show("graphs/rule.html", refused=refused, path=f"/graphs/{graph}", rule=found)


def _do(desk: Desk, act: Callable[[], object]) -> Response:
    def done() -> str:
        act()
        return "/graphs"

    return desk.act(done, lambda error: _overview(desk, refused=error))


def _to_rule(desk: Desk, graph: str, act: Callable[[], object], note: str) -> Response:
    def done() -> str:
        act()
        return f"/graphs/{quote(graph, safe='')}"

    return desk.act(done, lambda error: _rule(desk, graph, refused=error), note)


def _switch(desk: Desk, graph: str, *, enable: bool) -> None:
    must_be_done(graph, desk.home.app.graphs.switch(graph, enable=enable).outcome)


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 9 else None


def _amount(written: str, name: str) -> int | float:
    plain = written.strip()
    try:
        return int(plain) if plain.removeprefix("-").isdecimal() and len(plain) <= 20 else float(plain)
    except (ValueError, OverflowError) as error:
        raise BadInput("variable_not_number", id=name[:64]) from error


router.include_router(forms)
