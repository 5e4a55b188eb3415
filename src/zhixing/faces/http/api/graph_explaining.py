"""What a rule does and does not, explained: why, what if, what was never tried, how the log of the hub differs."""

from __future__ import annotations

from fastapi import APIRouter

from zhixing.faces.asked_graph import Asked, asked, rule_meant
from zhixing.faces.explaining_wire import of_coverage, of_difference, of_replay, of_why
from zhixing.faces.graph_wire import Wire
from zhixing.faces.http.api import explaining_shapes as shapes
from zhixing.faces.http.api import graph_bodies as bodies
from zhixing.faces.http.home import AtHome
from zhixing.graphs.explaining.coverage import coverage as covered
from zhixing.graphs.explaining.replaying import NOWHERE
from zhixing.graphs.explaining.replaying import replay as replayed
from zhixing.graphs.explaining.what_if import what_if as compared
from zhixing.graphs.explaining.why import why as explained
from zhixing.graphs.simulating.reading import read_event
from zhixing.graphs.simulating.run import simulate

router = APIRouter(prefix="/graphs", tags=["graphs"])


@router.post("/why", response_model=shapes.Why)
def why(home: AtHome, body: bodies.ExplainedGraph) -> Wire:
    """Say why a card fired in a run of a script, back to what started it; or why it did not, nearest reason first."""
    about = asked(home.app, body.graph, body.id)
    result = simulate(about.rule, about.script(body.script))
    return of_why(explained(about.rule, result, body.node, pin=body.pin, firing=body.firing, after_ms=body.after_ms))


@router.post("/what-if", response_model=shapes.Difference, response_model_exclude_unset=True)
def what_if(home: AtHome, body: bodies.SupposedGraph) -> Wire:
    """Say what one more event would change in a run of a script."""
    about = asked(home.app, body.graph, body.id)
    return of_difference(compared(about.rule, about.script(body.script), body.at_ms, read_event(body.event)))


@router.post("/coverage", response_model=shapes.Coverage)
def coverage(home: AtHome, body: bodies.CoveredGraph) -> Wire:
    """Say which outputs and wires some scripts use, and which never."""
    about = asked(home.app, body.graph, body.id)
    return of_coverage(covered(about.rule, [about.script(each) for each in body.scripts]))


@router.post("/replay", response_model=shapes.Replay)
def replay(home: AtHome, body: bodies.ReplayedGraph) -> Wire:
    """Hold a log, without one that of the hub, against what the rule does about it."""
    rule = rule_meant(home.app, body.graph, body.id)
    around = Asked(rule, NOWHERE).script(body.script)
    if body.log is None:
        return of_replay(home.app.graphs.replay(rule, around))
    return of_replay(replayed(rule, body.log, around))
