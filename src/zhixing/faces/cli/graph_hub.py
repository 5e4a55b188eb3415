"""graph list, show, devices, where-used, conflicts, log, hub: what a hub that runs rule graphs holds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from zhixing.faces import gateway_wire
from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.graph_pages import (
    contest_lines,
    device_row,
    entry_row,
    known_page,
    log_row,
    rule_page,
    unread_lines,
    use_lines,
    variable_use_lines,
)
from zhixing.faces.cli.graph_place import Gateway, Id, Passcode, hub, variable_of
from zhixing.faces.cli.options import AtDesk, Json, Limit, within
from zhixing.faces.cli.system import why
from zhixing.faces.cli.usage import Usage
from zhixing.graphs.logs import format_line
from zhixing.graphs.operations import Graphs
from zhixing.graphs.session import VIRTUAL
from zhixing.graphs.writing import write_rule
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording

MOST_LOG_LINES = 10_000
"""Lines of a log that are printed."""

Dids = Annotated[str, Parameter(name="DID")]
OfVariable = Annotated[str | None, Parameter(name="--variable")]
MaybeId = Annotated[str | None, Parameter(name="ID")]
Out = Annotated[str | None, Parameter(name="--out")]
Raw = Annotated[bool, Parameter(name="--raw", negative=())]
InLines = Annotated[bool, Parameter(name="--lines", negative=())]


def list_(*, gateway: Gateway = None, passcode: Passcode = None, as_json: Json = False, desk: AtDesk) -> None:
    """List the rules of the hub."""
    with hub(desk, gateway, passcode) as home:
        found = home.app.graphs.entries()
    if as_json:
        desk.give({"graphs": [gateway_wire.of_entry(each) for each in found], "count": len(found)})
        return
    desk.lay_out([entry_row(each) for each in found])
    if not found:
        desk.say(wording("graph_pages.rules_none"))


def show(
    graph: Id,
    /,
    *,
    out: Out = None,
    lines: InLines = False,
    gateway: Gateway = None,
    passcode: Passcode = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Print a rule as JSON, write it to a file, or say what it is made of."""
    with hub(desk, gateway, passcode) as home:
        rule = home.app.graphs.rule(graph)
    if out is not None:
        _save(out, write_rule(rule, indent=2))
    if lines and not as_json:
        desk.say(*rule_page(rule))
    elif out is not None and not as_json:
        desk.say(wording("graph_pages.saved", id=rule.id, file=out))
    else:
        desk.give_line(write_rule(rule).encode())


def devices(
    *dids: Dids,
    gateway: Gateway = None,
    passcode: Passcode = None,
    as_json: Json = False,
    desk: AtDesk,
) -> int:
    """List the devices of the hub; of those that are named, say what they can do."""
    with hub(desk, gateway, passcode) as home:
        graphs = home.app.graphs
        return _named(graphs, dids, desk, as_json=as_json) if dids else _all(graphs, desk, as_json=as_json)


def where_used(
    device: str | None = None,
    /,
    *,
    variable: OfVariable = None,
    gateway: Gateway = None,
    passcode: Passcode = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Say which rules use a device or a variable; with neither, all devices that rules use."""
    if device is not None and variable is not None:
        raise Usage("usage_graph_used_both")
    with hub(desk, gateway, passcode) as home:
        if variable is not None:
            _variable_used(home.app.graphs, variable, desk, as_json=as_json)
        else:
            _device_used(home.app.graphs, device, desk, as_json=as_json)


def conflicts(*, gateway: Gateway = None, passcode: Passcode = None, as_json: Json = False, desk: AtDesk) -> None:
    """List what several rules that are on set, each its own way."""
    with hub(desk, gateway, passcode) as home:
        found = home.app.graphs.contests()
    if as_json:
        desk.give({"conflicts": [gateway_wire.of_contest(each) for each in found]})
        return
    desk.say(*(line for each in found for line in contest_lines(each)))
    if not found:
        desk.say(wording("graph_pages.conflicts_none"))


def log(
    graph: MaybeId = None,
    /,
    *,
    limit: Limit = 50,
    raw: Raw = False,
    gateway: Gateway = None,
    passcode: Passcode = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Show the last lines of the log of the hub, or of one rule, the oldest first."""
    within("--limit", limit, 1, MOST_LOG_LINES)
    with hub(desk, gateway, passcode) as home:
        found = home.app.graphs.log(graph)
        zone = find_zone(home.app.zone.name)
    if as_json:
        desk.give(gateway_wire.of_log(found, limit))
        return
    if raw:
        for each in found.lines[-limit:]:
            desk.give_line(format_line(each).encode())
        return
    desk.lay_out([log_row(each, zone) for each in found.lines[-limit:]])
    if not found.lines:
        desk.say(wording("graph_pages.log_empty"))
    if not found.complete:
        desk.say(wording("graph_pages.log_incomplete"))


def status(*, gateway: Gateway = None, passcode: Passcode = None, as_json: Json = False, desk: AtDesk) -> None:
    """Say which hub is spoken to, and what it holds."""
    with hub(desk, gateway, passcode) as home:
        graphs = home.app.graphs
        now = graphs.session.status()
        counts = {"graphs": len(graphs.entries()), "devices": len(graphs.devices())} if now.connected else {}
    if as_json:
        desk.give({**gateway_wire.of_status(now), **counts})
        return
    if not now.connected:
        desk.say(wording("graph_pages.hub_apart", hub=now.hub))
        return
    key = "hub_virtual" if now.hub == VIRTUAL else "hub_real"
    desk.say(wording(f"graph_pages.{key}", hub=now.hub, **counts))


def _all(graphs: Graphs, desk: Desk, *, as_json: bool) -> int:
    found = list(graphs.devices().values())
    if as_json:
        desk.give({"devices": [gateway_wire.of_device(each) for each in found], "count": len(found)})
        return 0
    desk.lay_out([device_row(each) for each in found])
    if not found:
        desk.say(wording("graph_pages.devices_none"))
    return 0


def _named(graphs: Graphs, dids: tuple[str, ...], desk: Desk, *, as_json: bool) -> int:
    found = graphs.find_devices(dids)
    known = graphs.known(found.devices)
    lines = [line for each in known for line in known_page(each)]
    lines += [wording("graph_pages.device_unknown", did=each) for each in found.unknown]
    desk.answer(gateway_wire.of_found(dids, found, known), lines, as_json=as_json)
    return 1 if found.unknown else 0


def _device_used(graphs: Graphs, device: str | None, desk: Desk, *, as_json: bool) -> None:
    is_did = device is not None and device in graphs.devices()
    usage = graphs.device_usage([device]) if device is not None and is_did else graphs.device_usage(None, device)
    gone = [each for each in usage.orphans if device is None]
    lines = [line for each in (*usage.devices, *gone) for line in use_lines(each)]
    lines = lines or [wording("graph_pages.used_none" if device is None else "graph_pages.device_unmet")]
    desk.answer(gateway_wire.of_device_usage(usage), [*lines, *unread_lines(usage.unread)], as_json=as_json)


def _variable_used(graphs: Graphs, variable: str, desk: Desk, *, as_json: bool) -> None:
    usage = graphs.variables.uses(*variable_of(variable))
    lines = [*variable_use_lines(usage.places), *unread_lines(usage.unread)]
    desk.answer(gateway_wire.of_variable_usage(usage), lines, as_json=as_json)


def _save(file: str, text: str) -> None:
    try:
        Path(file).write_text(f"{text}\n", encoding="utf-8")
    except (OSError, ValueError) as error:
        cause = why(error) if isinstance(error, OSError) else str(error)
        raise BadInput("graph_file_unwritten", file=file[:200], why=cause) from error
