"""graph deploy, create, rollback, receipts, diff: a rule brought to a hub so that it can be taken back."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from zhixing.faces import gateway_wire
from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.graph_pages import receipt_row
from zhixing.faces.cli.graph_place import File, Gateway, Id, Passcode, code_of, hub, not_twice, rule_in, running_notes
from zhixing.faces.cli.graphs import verdict_lines
from zhixing.faces.cli.options import STDIN, AtDesk, Json
from zhixing.faces.cli.pages import INDENT
from zhixing.faces.cli.usage import Usage
from zhixing.faces.graph_change_wire import of_deployed, of_diff, of_plan, of_receipt, of_rolled_back
from zhixing.graphs.drafts.variables import variables_from
from zhixing.graphs.hubs.creating import NewRule
from zhixing.graphs.hubs.deploying import Deployed, Plan
from zhixing.graphs.hubs.diff import Diff, diff_of
from zhixing.graphs.hubs.diff_words import diff_lines
from zhixing.graphs.specs.jsontext import shown
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording

LONGEST_ANSWER = 100
"""Bytes of an answer to a question."""
YES = frozenset({"y", "yes", "是", "好"})

PlanOnly = Annotated[bool, Parameter(name="--plan", negative=())]
Token = Annotated[str | None, Parameter(name="--token")]
Yes = Annotated[bool, Parameter(name="--yes", negative=())]
Number = Annotated[int, Parameter(name="NUMBER")]
Other = Annotated[str | None, Parameter(name="OTHER")]
OfReceipt = Annotated[int | None, Parameter(name="--receipt")]


def deploy(
    file: File,
    /,
    *,
    plan: PlanOnly = False,
    token: Token = None,
    yes: Yes = False,
    gateway: Gateway = None,
    passcode: Passcode = None,
    as_json: Json = False,
    desk: AtDesk,
) -> int:
    """Bring a rule to the hub: show what would change, ask, write once, read back. A file without id gets one."""
    agreed = yes or token is not None
    if not plan and not agreed and (as_json or file == STDIN):
        raise Usage("usage_graph_yes")
    rule = rule_in(file, desk)
    with hub(desk, gateway, passcode) as home:
        graphs = home.app.graphs
        wanted = graphs.addressed(rule)
        planned = graphs.plan(wanted)
        if not as_json:
            desk.say(*_plan_lines(planned))
        nothing = planned.before is not None and planned.diff.empty
        if plan or nothing or not planned.verdict.valid:
            return _only_planned(planned, desk, as_json=as_json, wanted=plan)
        if not agreed and not _agrees(desk):
            desk.say(wording("graph_pages.deploy_left"))
            return 1
        done = graphs.deploy(wanted, token or planned.token)
        number = graphs.number_of(done.receipt)
        notes = running_notes(home) if wanted.enabled else []
    if as_json:
        desk.give({"plan": of_plan(planned), "deployed": of_deployed(done, number)})
    else:
        desk.say(*_done_lines(done, number), *notes)
    return code_of(done.outcome)


def create(
    file: File, /, *, gateway: Gateway = None, passcode: Passcode = None, as_json: Json = False, desk: AtDesk
) -> int:
    """Make a new rule with its variables; `rule` as a scope then means its own. An id in the file is not used."""
    rule = rule_in(file, desk)
    name, enable = rule.raw.get("name", rule.name), rule.raw.get("enable", rule.cfg.get("enable", True))
    new = NewRule(
        name if isinstance(name, str) else "",
        rule.nodes,
        variables_from(rule.raw.get("variables", ())),
        enable=enable is True,
    )
    with hub(desk, gateway, passcode) as home:
        made = home.app.graphs.create(new)
        notes = running_notes(home) if new.enable else []
    wire = gateway_wire.of_created(made)
    desk.answer(wire, [str(wire["message"]), *verdict_lines(made.verdict, made.rule), *notes], as_json=as_json)
    return code_of(made.outcome)


def rollback(
    number: Number,
    /,
    *,
    gateway: Gateway = None,
    passcode: Passcode = None,
    as_json: Json = False,
    desk: AtDesk,
) -> int:
    """Put back what a receipt has; what is there until then gets a receipt too."""
    with hub(desk, gateway, passcode) as home:
        done = home.app.graphs.roll_back(number)
        kept = home.app.graphs.number_of(done.receipt)
    lines = [done.outcome.text()]
    if done.made:
        lines.append(wording("graph_pages.variables_made", names="、".join(done.made)))
    lines.append(wording("graph_pages.receipt_kept", number=kept))
    desk.answer(of_rolled_back(done, kept), lines, as_json=as_json)
    return code_of(done.outcome)


def receipts(
    graph: Id, /, *, gateway: Gateway = None, passcode: Passcode = None, as_json: Json = False, desk: AtDesk
) -> None:
    """List the receipts of a rule: what it was each time before something was written, the newest first."""
    with hub(desk, gateway, passcode) as home:
        found = home.app.graphs.receipts(graph)
        zone = find_zone(home.app.zone.name)
    if as_json:
        desk.give({"receipts": [of_receipt(each) for each in found]})
        return
    desk.lay_out([receipt_row(each, zone) for each in found])
    if not found:
        desk.say(wording("graph_pages.receipts_none"))


def diff(
    file: File,
    other: Other = None,
    /,
    *,
    receipt: OfReceipt = None,
    gateway: Gateway = None,
    passcode: Passcode = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Say what changes from one file to another, from the hub to a file, or from a receipt to a file."""
    if other is not None and (receipt is not None or gateway is not None or passcode is not None):
        raise Usage("usage_graph_diff")
    not_twice(file, other or "")
    rule = rule_in(file, desk)
    if other is not None:
        _told(diff_of(rule, rule_in(other, desk)), desk, as_json=as_json)
        return
    with hub(desk, gateway, passcode) as home:
        graphs = home.app.graphs
        # A file that does not say where cards lie moves none, so the hub is compared with what would be written.
        found = graphs.plan(graphs.addressed(rule)).diff if receipt is None else graphs.compare(rule, receipt)
    _told(found, desk, as_json=as_json)


def _plan_lines(plan: Plan) -> list[str]:
    key = "plan_new" if plan.before is None else "plan_same" if plan.diff.empty else "plan_change"
    head = wording(f"graph_pages.{key}", id=plan.after.id, name=shown(plan.after.name or plan.after.id))
    changes = [] if plan.diff.empty else [INDENT + line for line in diff_lines(plan.diff)]
    return [head, *changes, *verdict_lines(plan.verdict, plan.after)]


def _only_planned(plan: Plan, desk: Desk, *, as_json: bool, wanted: bool) -> int:
    if as_json:
        desk.give({"plan": of_plan(plan), "deployed": None})
    elif not plan.verdict.valid:
        desk.say(wording("graph_pages.plan_invalid", count=len(plan.verdict.errors)))
    elif wanted:
        desk.say(wording("graph_pages.plan_token", token=plan.token))
    return 0 if plan.verdict.valid else 1


def _agrees(desk: Desk) -> bool:
    desk.say(wording("graph_pages.deploy_ask"))
    answer = desk.stdin.readline(LONGEST_ANSWER)
    return answer.decode(errors="replace").strip().lower() in YES


def _done_lines(done: Deployed, number: int | None) -> list[str]:
    lines = [done.outcome.text()]
    if done.difference is not None:
        lines += [INDENT + line for line in diff_lines(done.difference)]
    return [*lines, wording("graph_pages.receipt_kept", number=number)]


def _told(found: Diff, desk: Desk, *, as_json: bool) -> None:
    desk.answer(of_diff(found), list(diff_lines(found)), as_json=as_json)
