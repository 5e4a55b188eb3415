"""Tools: what a rule does and does not, explained; nothing here writes, and no device is touched."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from zhixing.faces.asked_graph import Asked, asked, rule_meant
from zhixing.faces.cli.house import House
from zhixing.faces.explaining_wire import of_coverage, of_difference, of_replay, of_why
from zhixing.faces.mcp.arguments import LONGEST_ID
from zhixing.faces.mcp.graph_checks import MaybeGraph, MaybeGraphId, OfScript
from zhixing.faces.mcp.tool import Effect, Tool
from zhixing.faces.wire import Wire
from zhixing.graphs.explaining.coverage import MOST_SCRIPTS, coverage
from zhixing.graphs.explaining.replaying import NOWHERE, replay
from zhixing.graphs.explaining.what_if import what_if
from zhixing.graphs.explaining.why import why
from zhixing.graphs.logs import MOST_LINES as MOST_LOGGED
from zhixing.graphs.simulating.reading import read_event
from zhixing.graphs.simulating.run import simulate

MOST_ENTRIES = 10_000

Most = Annotated[
    int, Field(ge=1, le=MOST_ENTRIES, description="At most so many entries of each list; `notShown` counts the others.")
]


def mijia_explain_graph(
    home: House,
    *,
    script: OfScript,
    node: Annotated[str, Field(max_length=LONGEST_ID, description="Id of the node that is asked about.")],
    graph: MaybeGraph = None,
    id: MaybeGraphId = None,  # noqa: A002 - what the original calls it
    pin: Annotated[str | None, Field(max_length=LONGEST_ID, description="Only this output of it.")] = None,
    firing: Annotated[int | None, Field(description="Which time that it fired, from 1. Not given: the last.")] = None,
    after_ms: Annotated[int, Field(description="Only what came from this instant on counts.")] = 0,
    limit: Most = 200,
) -> Wire:
    """Say why a node fired in a run of a script, back to what started it; or why it did not.

    `reasons` has the nearest first, `lines` says all for the user. Of a rule of the hub (`id`), what the setup does not
    say is as the hub has it now.
    """
    about = asked(home.app, graph, id)
    result = simulate(about.rule, about.script(script))
    return _short(of_why(why(about.rule, result, node, pin=pin, firing=firing, after_ms=after_ms)), limit)


def mijia_what_if_graph(
    home: House,
    *,
    script: OfScript,
    at_ms: Annotated[int, Field(description="When it happens, from the start.")],
    event: Annotated[
        dict[str, Any],
        Field(
            description="What happens besides, as in a script: {did, siid, piid, value}, {var_set: …}, {enable: true}"
        ),
    ],
    graph: MaybeGraph = None,
    id: MaybeGraphId = None,  # noqa: A002 - what the original calls it
    limit: Most = 200,
) -> Wire:
    """Say what one more event would change in a run of a script: commands, variables, firings, timers.

    `nothing`: nothing would; `silent` says why. An empty script asks what would happen now.
    """
    about = asked(home.app, graph, id)
    return _short(of_difference(what_if(about.rule, about.script(script), at_ms, read_event(event))), limit)


def mijia_graph_coverage(
    home: House,
    *,
    scripts: Annotated[
        list[list[dict[str, Any]]],
        Field(
            description="Scripts, each as `mijia_simulate_graph` takes it.",
            json_schema_extra={"maxItems": MOST_SCRIPTS},
        ),
    ],
    graph: MaybeGraph = None,
    id: MaybeGraphId = None,  # noqa: A002 - what the original calls it
    limit: Most = 1_000,
) -> Wire:
    """Say which outputs and wires of a rule some scripts have used, and how often; `taken` 0 was never tried."""
    about = asked(home.app, graph, id)
    return _short(of_coverage(coverage(about.rule, [about.script(each) for each in scripts])), limit)


def mijia_replay_graph(
    home: House,
    *,
    graph: MaybeGraph = None,
    id: MaybeGraphId = None,  # noqa: A002 - what the original calls it
    log: Annotated[
        list[str] | None,
        Field(
            description="Lines as the hub writes them. Not given: the log of the hub as it is.",
            json_schema_extra={"maxItems": MOST_LOGGED},
        ),
    ] = None,
    script: Annotated[
        list[dict[str, Any]],
        Field(description="Its setup says what devices and variables held when the log began, as far as it is known."),
    ] = [],  # noqa: B006 - never changed
    limit: Most = 200,
) -> Wire:
    """Hold a log against what the rule does about it: lines that are missing, additional or at another time.

    `drift`: the log has wires or nodes that the rule no longer has. Give a changed `graph` with the id of a rule of the
    hub to see what it would have done otherwise.
    """
    rule = rule_meant(home.app, graph, id)
    around = Asked(rule, NOWHERE).script(script)
    found = home.app.graphs.replay(rule, around) if log is None else replay(rule, log, around)
    return _short(of_replay(found), limit)


def _short(found: Wire, most: int) -> Wire:
    """Keep the first of each list."""
    shown = {name: value[:most] if isinstance(value, list) else value for name, value in found.items()}
    left = {name: len(value) - most for name, value in found.items() if isinstance(value, list) and len(value) > most}
    return {**shown, "notShown": left}


TOOLS = (
    Tool.of(mijia_explain_graph, Effect.READS),
    Tool.of(mijia_what_if_graph, Effect.READS),
    Tool.of(mijia_graph_coverage, Effect.READS),
    Tool.of(mijia_replay_graph, Effect.READS),
)
