"""graph why, what-if, coverage, replay: what a rule does and does not, explained.

They need no home and no hub, but for a replay of the log that the hub has.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from cyclopts import Parameter

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.files import content_of
from zhixing.faces.cli.graph_place import File, Gateway, Passcode, hub, not_twice, rule_in
from zhixing.faces.cli.options import AtDesk, Json
from zhixing.faces.cli.usage import Usage
from zhixing.faces.explaining_wire import of_coverage, of_difference, of_replay, of_why
from zhixing.graphs.explaining.coverage import coverage as covered
from zhixing.graphs.explaining.replaying import NOWHERE
from zhixing.graphs.explaining.replaying import replay as replayed
from zhixing.graphs.explaining.what_if import what_if as compared
from zhixing.graphs.explaining.why import why as explained
from zhixing.graphs.simulating.reading import MOST_BYTES as LARGEST_SCRIPT
from zhixing.graphs.simulating.reading import read_event, read_script
from zhixing.graphs.simulating.run import simulate
from zhixing.graphs.simulating.script import Event, Script
from zhixing.kernel.errors import BadInput

LARGEST_LOG = 16 * 1024 * 1024
"""Bytes of a log that is replayed."""

CardId = Annotated[str, Parameter(name="NODE")]
ScriptFile = Annotated[str, Parameter(name="--script")]
ScriptFiles = Annotated[tuple[str, ...], Parameter(name="--script", required=True)]
Around = Annotated[str | None, Parameter(name="--script")]
MaybeFile = Annotated[str | None, Parameter(name="FILE")]
LogFile = Annotated[str | None, Parameter(name="LOG")]
OfHub = Annotated[str | None, Parameter(name="--id")]
Pin = Annotated[str | None, Parameter(name="--pin")]
After = Annotated[int, Parameter(name="--after")]
Firing = Annotated[int | None, Parameter(name="--firing")]
At = Annotated[int, Parameter(name="--at")]
EventJson = Annotated[str, Parameter(name="--event")]


def why(
    file: File,
    node: CardId,
    /,
    *,
    script: ScriptFile,
    pin: Pin = None,
    firing: Firing = None,
    after: After = 0,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Say why a card fired, back to what started it, or why it did not, the nearest reason first."""
    not_twice(file, script)
    rule = rule_in(file, desk)
    result = simulate(rule, _script(script, desk))
    found = explained(rule, result, node, pin=pin, firing=firing, after_ms=after)
    desk.answer(of_why(found), list(found.lines()), as_json=as_json)


def what_if(
    file: File, /, *, script: ScriptFile, at: At, event: EventJson, as_json: Json = False, desk: AtDesk
) -> None:
    """Say what one more event would change in a run of a script."""
    not_twice(file, script)
    happened = _event(event)
    found = compared(rule_in(file, desk), _script(script, desk), at, happened)
    desk.answer(of_difference(found), list(found.lines()), as_json=as_json)


def coverage(file: File, /, *, scripts: ScriptFiles, as_json: Json = False, desk: AtDesk) -> None:
    """Say which outputs and wires some scripts use, and which never."""
    not_twice(file, *scripts)
    found = covered(rule_in(file, desk), [_script(each, desk) for each in scripts])
    desk.answer(of_coverage(found), list(found.lines()), as_json=as_json)


def replay(
    file: MaybeFile = None,
    log: LogFile = None,
    /,
    *,
    hub_id: OfHub = None,
    script: Around = None,
    gateway: Gateway = None,
    passcode: Passcode = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Hold a log of the hub against what the rule does about it; the setup of a script tells what was around it.

    Rule and log are two files, or both those that the hub has.
    """
    around = NOWHERE if script is None else _script(script, desk)
    if hub_id is not None and file is None:
        with hub(desk, gateway, passcode) as home:
            graphs = home.app.graphs
            found = graphs.replay(graphs.rule(hub_id), around)
    elif file is not None and log is not None and hub_id is None and gateway is None and passcode is None:
        not_twice(file, log, script or "")
        rule = rule_in(file, desk)
        found = replayed(rule, content_of(log, desk, LARGEST_LOG).decode(errors="replace").splitlines(), around)
    else:
        raise Usage("usage_graph_replay")
    desk.answer(of_replay(found), list(found.lines()), as_json=as_json)


def _script(file: str, desk: Desk) -> Script:
    return read_script(content_of(file, desk, LARGEST_SCRIPT), desk.clock.now())


def _event(written: str) -> Event:
    """Read an event as a line of a script has it, with or without what it is called there. Raises `BadInput`."""
    try:
        given = msgspec.json.decode(written)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        given = None
    if not isinstance(given, dict):
        raise BadInput("graph_event_json")
    return read_event(given)
