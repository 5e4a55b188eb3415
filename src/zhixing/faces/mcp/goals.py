"""Tools: goals that bots reach together. Results have the names of the collaboration API (`task_id`)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from zhixing.faces import goal_wire
from zhixing.faces.cli.house import House
from zhixing.faces.goal_bots import found_for, of_bots, of_found
from zhixing.faces.goal_ids import goal_id, goal_meant, node_id
from zhixing.faces.goal_replies import board_of, must_be_done
from zhixing.faces.goal_starting import Wanted, request_of, start
from zhixing.faces.mcp.arguments import Key
from zhixing.faces.mcp.tool import Effect, Tool
from zhixing.faces.wire import Wire
from zhixing.goals.contracts.shapes import LONGEST_ID as LONGEST_GOAL
from zhixing.goals.contracts.steering import read_budget, read_resolved
from zhixing.goals.loop.values import GraphStatus
from zhixing.goals.running.listing import Listing
from zhixing.goals.running.listing import Wanted as Looked
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import zone as find_zone

LARGEST_PAGE = 100
MOST_LINES = 50

Goal = Annotated[
    str,
    Field(
        max_length=LONGEST_GOAL,
        description="Id of a goal, at least 6 characters of its beginning, or of its task (t5).",
    ),
]
Node = Annotated[str, Field(max_length=LONGEST_GOAL, description="Id of a node, or its title.")]
Bot = Annotated[str, Field(max_length=LONGEST_GOAL, description="Id of a bot.")]
Output = str | dict[str, Any] | list[Any]
Lines = Annotated[list[str], Field(max_length=MOST_LINES)]
OneNode = Annotated[str | None, Field(max_length=LONGEST_GOAL, description="Id of a node, or its title.")]
Limits = Annotated[
    dict[str, float | int] | None,
    Field(
        max_length=20,
        description="Limits by name, such as {MAX_TOKENS: 200000, MAX_DEPTH: 2}. MAX_WALL_CLOCK is seconds, and 0 of a "
        "budget means that nothing is left.",
    ),
]


def goal_start(
    home: House,
    *,
    text: Annotated[str | None, Field(description="What is wanted, in the user's own words.")] = None,
    criteria: Annotated[
        Lines | None, Field(description="By which it is accepted; without any, the words themselves.")
    ] = None,
    deliverables: Annotated[Lines | None, Field(description="What is to be handed over.")] = None,
    constraints: Annotated[Lines | None, Field(description="What must not be done or changed.")] = None,
    title: Annotated[str, Field(max_length=500, description="None: the beginning of the words.")] = "",
    owner: Annotated[str | None, Field(max_length=LONGEST_GOAL, description="The bot that plans.")] = None,
    limits: Limits = None,
    request: Annotated[
        dict[str, Any] | None, Field(description="A whole TaskRequest as POST /execute takes it, in place of `text`.")
    ] = None,
    key: Key = None,
) -> Wire:
    """Hand a goal in at once: bots plan it, do it and verify it while `zhixing serve` runs.

    To talk it over first, `say` it with /task in front.
    """
    if (text is None) == (request is None):
        raise BadInput("goal_start_which")
    if request is None:
        home.check_length(text or "")
        body = request_of(
            Wanted(text or "", tuple(criteria or ()), tuple(deliverables or ()), tuple(constraints or ()), title)
        )
    else:
        body = dict(request)
    if limits:
        config = body.get("execution_config")
        if config is not None and not isinstance(config, dict):
            raise BadInput("goal_field_object", name="execution_config")
        body["execution_config"] = {**(config or {}), **limits}
    if owner is not None:
        body["owner_bot_id"] = owner
    return goal_wire.of_accepted(start(home.app, body, key or ""))


def goal_list(
    home: House,
    *,
    status: Annotated[
        list[Literal["running", "hung", "done", "failed", "cancelled"]] | None,
        Field(description="Only those in these states; none: those that are not over."),
    ] = None,
    limit: Annotated[int, Field(ge=1, le=LARGEST_PAGE, description="At most so many.")] = 20,
    offset: Annotated[int, Field(ge=0, le=1_000_000, description="Skip so many.")] = 0,
) -> Wire:
    """List goals, the newest first, with how many there are in all."""
    statuses = [GraphStatus(each.upper()) for each in status or ()] or [GraphStatus.RUNNING, GraphStatus.HUNG]
    listing, zone = Listing(home.app.store), find_zone(home.app.zone.name)
    wanted = Looked(statuses=statuses)
    found = [goal_wire.of_record(each, zone, home.app.goals.catalog) for each in listing.page(wanted, limit, offset)]
    return {"total": listing.count(wanted), "items": found}


def goal_show(
    home: House,
    *,
    goal: Goal,
    node: Annotated[
        str | None, Field(max_length=LONGEST_GOAL, description="Only this node and what is under it.")
    ] = None,
    log: Annotated[bool, Field(description="With what happened to each node.")] = False,
) -> Wire:
    """Show a goal: its nodes with state, bot, result and verdict, why it hangs (`hung_reason`), what was used."""
    graph = goal_meant(home.app, goal)
    named = "" if node is None else node_id(graph, node)
    return board_of(home.app, graph.root.id, named, "actions" if log else "none")


def goal_cancel(home: House, *, goal: Goal) -> Wire:
    """Give a goal up. What is done is kept; late results are only noted."""
    found = goal_id(home.app, goal)
    must_be_done(home.app.goals.goals.cancel(found))
    return board_of(home.app, found)


def goal_retry(home: House, *, goal: Goal, node: OneNode = None) -> Wire:
    """Have a node that hangs tried again with fresh retries; without a node, everything that hangs."""
    graph = goal_meant(home.app, goal)
    must_be_done(home.app.goals.goals.retry(graph.root.id, "" if node is None else node_id(graph, node)))
    return board_of(home.app, graph.root.id)


def goal_resolve(
    home: House,
    *,
    goal: Goal,
    node: Node,
    output: Annotated[Output, Field(description="The result as the user gave it: a text, an object or a list.")],
) -> Wire:
    """Give the result of a node that hangs, in the user's name. The owner bot verifies the goal again."""
    graph = goal_meant(home.app, goal)
    named = node_id(graph, node)
    wanted, said = read_resolved({"task_id": graph.root.id, "node_id": named, "output": output})
    must_be_done(home.app.goals.goals.resolve(wanted.task_id, wanted.node_id, said))
    return board_of(home.app, wanted.task_id)


def goal_budget(
    home: House,
    *,
    goal: Goal,
    tokens: Annotated[int | None, Field(ge=0, description="Most tokens in all.")] = None,
    cost: Annotated[float | int | None, Field(ge=0, description="Most cost in all.")] = None,
    seconds: Annotated[float | int | None, Field(ge=0, description="Most seconds in all, from the beginning.")] = None,
    tokens_left: Annotated[int | None, Field(ge=0, description="So many tokens more; not with `tokens`.")] = None,
) -> Wire:
    """Set what a goal may use; one that stopped goes on when it is retried."""
    found = goal_id(home.app, goal)
    said = {"MAX_TOKENS": tokens, "MAX_COST": cost, "MAX_WALL_CLOCK": seconds, "tokens_left": tokens_left}
    task_id, budget = read_budget({"task_id": found, **{key: each for key, each in said.items() if each is not None}})
    must_be_done(home.app.goals.goals.budget(task_id, budget))
    return board_of(home.app, task_id)


def goal_bots(
    home: House,
    *,
    text: Annotated[str | None, Field(description="With it: who would do this, best first, and why.")] = None,
) -> Wire:
    """List the bots: what they can, whether they take work now, what is wrong with their file (`fault`)."""
    if text is None:
        return of_bots(home.app)
    home.check_length(text)
    return of_found(found_for(home.app, text))


TOOLS = (
    Tool.of(goal_start, Effect.ADDS),
    Tool.of(goal_list, Effect.READS),
    Tool.of(goal_show, Effect.READS),
    Tool.of(goal_cancel, Effect.ENDS),
    Tool.of(goal_retry, Effect.ACTS),
    Tool.of(goal_resolve, Effect.SETS),
    Tool.of(goal_budget, Effect.SETS),
    Tool.of(goal_bots, Effect.READS),
)
