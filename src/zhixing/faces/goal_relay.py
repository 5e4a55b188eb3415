"""What is waiting to be taken over, and what somebody at a shell or an agent does about it for a bot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from zhixing.app import App
from zhixing.faces import goal_wire
from zhixing.faces.goal_replies import must_be_done
from zhixing.goals.contracts.relaying import read_attach, read_claim, read_relay_result
from zhixing.goals.contracts.reporting import Named, read_callback
from zhixing.goals.loop.events import Report
from zhixing.goals.loop.values import GraphStatus
from zhixing.goals.recognising.mapping import LONGEST_TITLE
from zhixing.goals.running.listing import Listing, Wanted
from zhixing.goals.running.rows import Listed
from zhixing.goals.tokens.standing import reports_for, spoken_for
from zhixing.kernel.errors import BadInput, NotFound, Refused
from zhixing.kernel.moments import zone as find_zone

MOST_SHOWN = 200
Wire = dict[str, Any]


def waiting(app: App, limit: int) -> tuple[Listed, ...]:
    """Return the goals for which somebody outside is looked for, or was found; the newest first."""
    return Listing(app.store).page(Wanted(None, (GraphStatus.RUNNING,), bbs_only=True), limit)


def of_relays(app: App, limit: int) -> Wire:
    """Write the goals that can be taken over, and the nodes on which relays work or worked."""
    zone, catalog = find_zone(app.zone.name), app.goals.catalog
    relayed = Listing(app.store).relayed()[:limit]
    return {
        "waiting": [goal_wire.of_record(each, zone, catalog) for each in waiting(app, limit)],
        "relays": [goal_wire.of_relayed(each) for each in relayed],
    }


def claim(app: App, goal: str, bot: str) -> Wire:
    """Let a bot own the rest of a goal."""
    wanted = read_claim({"task_id": goal, "bot_id": bot})
    return dict(must_be_done(app.goals.goals.claim(wanted.task_id, wanted.bot_id)).data)


def attach(app: App, body: Wire) -> Wire:
    """Hang a node of a bot into a goal; `body` is that of `POST …/bbs/attach`. The same again is the same node."""
    wanted = read_attach(body)
    reply = app.goals.goals.attach(wanted.task_id, wanted.bot_id, wanted.parent, wanted.spec, wanted.key)
    return dict(must_be_done(reply).data)


def bring(app: App, body: Wire) -> Wire:
    """Take what a relay came to; `body` is that of `POST …/bbs/result`."""
    goal, said = read_relay_result(body)
    must_be_done(app.goals.goals.bbs_result(goal, said))
    return {"ok": True}


def spec_of(text: str) -> Wire:
    """Return the specification of a node in words."""
    line = " ".join(text.split())
    title = line if len(line) <= LONGEST_TITLE else line[: LONGEST_TITLE - 1] + "…"
    return {"metadata": {"title": title, "instruction": text}, "goal": {"objective": text}}


def result_of(output: object, gaps: Sequence[str] = (), error: str = "") -> Wire:
    """Return the part of a result that says what came of it: without gaps and errors it is a success."""
    if error:
        return {"exec_error": error, **({"output_patch": output} if output else {})}
    verdict = {"verdict": "FAIL" if gaps else "PASS", "acceptances_metric": [], "gaps": list(gaps)}
    return {"acceptance_result": verdict, "output_patch": output or {}}


def must_be_reported(app: App, body: Wire, bot: str) -> Wire:
    """Take the report of a leaf that `body` names; with `bot`, only where it is its business."""
    said = read_callback(body)
    if not isinstance(said, Named):
        raise BadInput("goal_callback_names")
    event = said.event
    if bot and isinstance(event, Report):
        graph = app.goals.goals.graph(said.task_id)
        node = None if graph is None else graph.nodes.get(event.node)
        if node is None:
            raise NotFound("goal_node_none")
        if not reports_for(node, spoken_for(bot, app.goals.groups.known())):
            raise Refused("goal_reply_not_the_reporter")
        event = replace(event, by=bot)
    reply = must_be_done(app.goals.goals.report(said.task_id, event))
    return {"ok": True, "message": reply.why or "OK"}
