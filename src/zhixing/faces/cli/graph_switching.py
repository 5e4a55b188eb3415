"""graph enable, disable, delete: a whole rule of a hub."""

from __future__ import annotations

from zhixing.faces import gateway_wire
from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.graph_place import Gateway, Id, Passcode, code_of, hub, running_notes
from zhixing.faces.cli.options import AtDesk, Json
from zhixing.graphs.hubs.outcomes import Outcome
from zhixing.kernel.wording import wording


def enable(
    graph: Id, /, *, gateway: Gateway = None, passcode: Passcode = None, as_json: Json = False, desk: AtDesk
) -> int:
    """Switch a rule on."""
    return _switch(graph, desk, gateway, passcode, on=True, as_json=as_json)


def disable(
    graph: Id, /, *, gateway: Gateway = None, passcode: Passcode = None, as_json: Json = False, desk: AtDesk
) -> int:
    """Switch a rule off."""
    return _switch(graph, desk, gateway, passcode, on=False, as_json=as_json)


def delete(
    graph: Id, /, *, gateway: Gateway = None, passcode: Passcode = None, as_json: Json = False, desk: AtDesk
) -> int:
    """Delete a rule with its own variables; what it was gets a receipt."""
    with hub(desk, gateway, passcode) as home:
        gone = home.app.graphs.delete(graph)
        kept = home.app.graphs.receipts(graph)
    wire = gateway_wire.of_deleted(gone)
    lines = [str(wire["message"])]
    lines += [wording("graph_pages.receipt_kept", number=each.number) for each in kept[:1]]
    desk.answer(wire, lines, as_json=as_json)
    return code_of(gone.outcome, gone.variables if gone.outcome is Outcome.APPLIED else gone.outcome)


def _switch(name: str, desk: Desk, gateway: str | None, passcode: str | None, *, on: bool, as_json: bool) -> int:
    with hub(desk, gateway, passcode) as home:
        done = home.app.graphs.switch(name, enable=on)
        notes = running_notes(home) if on else []
    wire = gateway_wire.of_updated(done)
    desk.answer(wire, [str(wire["message"]), *notes], as_json=as_json)
    return code_of(done.outcome)
