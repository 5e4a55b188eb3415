"""goal relay: taking over the rest of a goal, for a bot or a person at a shell."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import App, Parameter

from zhixing.faces import goal_relay
from zhixing.faces.cli.files import json_of
from zhixing.faces.cli.goal_pages import moment
from zhixing.faces.cli.goal_starting import LARGEST_FILE
from zhixing.faces.cli.goal_steering import NodeName, output_in
from zhixing.faces.cli.goal_watching import Goal
from zhixing.faces.cli.house import house
from zhixing.faces.cli.options import TYPED, AtDesk, Json, Limit, text_of, within
from zhixing.faces.cli.usage import Usage
from zhixing.faces.goal_ids import goal_id, goal_meant, node_id
from zhixing.goals.contracts.requesting import KEY
from zhixing.goals.keeping.chronicle import title_of
from zhixing.goals.keeping.texts import single_line, word
from zhixing.goals.running.listing import Listing
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording

relay = App(name="relay", help_flags=(), version_flags=())

Bot = Annotated[str, Parameter(name="--bot")]
Parent = Annotated[str | None, Parameter(name="--parent")]
File = Annotated[str | None, Parameter(name="--file")]
Key = Annotated[str | None, Parameter(name="--key")]
Gaps = Annotated[tuple[str, ...], Parameter(name="--gap", negative=(), json_list=False)]
Error = Annotated[str | None, Parameter(name="--error")]


@relay.command(name="list")
def list_(*, limit: Limit = 20, as_json: Json = False, desk: AtDesk) -> None:
    """List the goals that can be taken over, and what relays do or did."""
    within("--limit", limit, 1, goal_relay.MOST_SHOWN)
    with house(desk) as home:
        if as_json:
            desk.give(goal_relay.of_relays(home.app, limit))
            return
        zone, rows = find_zone(home.app.zone.name), []
        for record in goal_relay.waiting(home.app, limit):
            graph = home.app.goals.goals.graph(record.info.task_id)
            owner = None if graph is None else graph.head.relay.owner
            state = wording("goal_pages.relay_owned", bot=single_line(owner)) if owner else ""
            title = single_line(record.info.spec.title or record.info.spec.objective)
            rows.append([
                record.info.task_id,
                state or wording("goal_pages.relay_waiting"),
                moment(record.created_at, zone),
                title,
            ])  # fmt: skip
        for each in Listing(home.app.store).relayed()[:limit]:
            state = wording(f"goal_pages.node_{each.node.status.value}")
            who = single_line(each.node.run.assignee or "")
            kind = wording("goal_pages.relay_node")
            rows.append([each.graph.root.id, f"{kind} {word(each.node.id)}", f"{state} {who}", title_of(each.node)])
    desk.lay_out(rows)
    if not rows:
        desk.say(wording("goal_pages.relay_none"))


@relay.command(name="claim")
def claim(goal: Goal, /, *, bot: Bot, as_json: Json = False, desk: AtDesk) -> None:
    """Let a bot own the rest of a goal."""
    with house(desk) as home:
        found = goal_id(home.app, goal)
        data = goal_relay.claim(home.app, found, bot)
    desk.answer(data, [wording("goal_pages.relay_claimed", goal=found, bot=word(bot))], as_json=as_json)


@relay.command(name="attach")
def attach(
    goal: Goal,
    /,
    *text: str,
    bot: Bot,
    parent: Parent = None,
    file: File = None,
    key: Key = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Hang the node into a goal that the bot is going to do."""
    if bool(text) == (file is not None):
        raise Usage("usage_goal_attach")
    spec: object = json_of(file, desk, LARGEST_FILE) if file is not None else goal_relay.spec_of(text_of(text, desk))
    with house(desk) as home:
        graph = goal_meant(home.app, goal)
        found = graph.root.id
        under = found if parent is None else node_id(graph, parent)
        body = {"task_id": found, "bot_id": bot, "parent_node_id": under, "task_spec": spec}
        data = goal_relay.attach(home.app, {**body, KEY: key} if key else body)
    node = str(data.get("node_id", ""))
    line = wording("goal_pages.relay_attached", goal=word(found), node=word(node), bot=word(bot))
    desk.answer(data, [line], as_json=as_json)


@relay.command(name="result")
def result(
    goal: Goal,
    node: NodeName,
    /,
    *text: str,
    bot: Bot,
    file: File = None,
    gaps: Gaps = (),
    error: Error = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Bring what the bot did: without gaps it is a success."""
    if (text and file is not None) or not (text or file is not None or gaps or error):
        raise Usage("usage_goal_result")
    output: Any = output_in(file, desk) if file is not None else text_of(text, desk)
    missing = tuple(each.removeprefix(TYPED) for each in gaps)
    with house(desk) as home:
        graph = goal_meant(home.app, goal)
        names = {"task_id": graph.root.id, "node_id": node_id(graph, node), "bot_id": bot}
        data = goal_relay.bring(home.app, {**names, **goal_relay.result_of(output, missing, error or "")})
    key = "relay_failed" if missing or error else "relay_done"
    desk.answer(data, [wording(f"goal_pages.{key}")], as_json=as_json)
