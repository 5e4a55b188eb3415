"""Tools: taking over the rest of a goal for a bot, and reporting what an executor came to."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from zhixing.faces import goal_relay
from zhixing.faces.cli.house import House
from zhixing.faces.goal_ids import goal_id, goal_meant, node_id
from zhixing.faces.goal_relay import must_be_reported
from zhixing.faces.mcp.arguments import Key
from zhixing.faces.mcp.goals import Bot, Goal, Lines, Node, Output
from zhixing.faces.mcp.tool import Effect, Tool
from zhixing.faces.wire import Wire
from zhixing.goals.contracts.naming import loop_task_id
from zhixing.goals.contracts.requesting import KEY
from zhixing.kernel.errors import BadInput


def goal_relay_list(
    home: House,
    *,
    limit: Annotated[int, Field(ge=1, le=goal_relay.MOST_SHOWN, description="At most so many of each.")] = 20,
) -> Wire:
    """List the goals that wait to be taken over (`waiting`), and the nodes on which relays work or worked."""
    return goal_relay.of_relays(home.app, limit)


def goal_relay_claim(home: House, *, goal: Goal, bot: Bot) -> Wire:
    """Let a bot own the rest of a goal; for the same bot, claiming again changes nothing."""
    return goal_relay.claim(home.app, goal_id(home.app, goal), bot)


def goal_relay_attach(
    home: House,
    *,
    goal: Goal,
    bot: Bot,
    parent: Annotated[str | None, Field(description="Node under which it hangs; not given: the goal itself.")] = None,
    text: Annotated[str | None, Field(description="What the bot is going to do.")] = None,
    spec: Annotated[dict[str, Any] | None, Field(description="A whole `task_spec`, in place of `text`.")] = None,
    key: Key = None,
) -> Wire:
    """Hang the node into a goal that its new owner is going to do; returns its `node_id`."""
    if (text is None) == (spec is None):
        raise BadInput("goal_attach_which")
    graph = goal_meant(home.app, goal)
    under = graph.root.id if parent is None else node_id(graph, parent)
    told = spec if spec is not None else goal_relay.spec_of(text or "")
    body = {"task_id": graph.root.id, "bot_id": bot, "parent_node_id": under, "task_spec": told}
    return goal_relay.attach(home.app, {**body, KEY: key} if key else body)


def goal_relay_result(
    home: House,
    *,
    goal: Goal,
    node: Node,
    bot: Bot,
    output: Annotated[
        Output | None, Field(description="What there is now: a text or an object. Kept also when it failed.")
    ] = None,
    gaps: Annotated[Lines | None, Field(description="What is missing; none: it is done.")] = None,
    error: Annotated[str, Field(max_length=200, description="Why it could not be done at all, in a word.")] = "",
) -> Wire:
    """Bring what a relay came to. The owner bot looks for a gap again, whatever is said here."""
    if not (output or gaps or error):
        raise BadInput("goal_result_which")
    graph = goal_meant(home.app, goal)
    names = {"task_id": graph.root.id, "node_id": node_id(graph, node), "bot_id": bot}
    return goal_relay.bring(home.app, {**names, **goal_relay.result_of(output, gaps or (), error)})


def goal_report(
    home: House,
    *,
    goal: Goal,
    node: Node,
    bot: Annotated[str | None, Field(description="Who reports; not given: the home itself.")] = None,
    success: Annotated[bool, Field(description="Whether every criterion is met.")],
    data: Annotated[Output | None, Field(description="The result: a text or an object.")] = None,
    gaps: Annotated[Lines | None, Field(description="What is missing; needed without success.")] = None,
    event_id: Annotated[str, Field(max_length=200, description="The same id again is the same report.")] = "",
) -> Wire:
    """Report what the executor of a leaf came to. Only the one reporter of the leaf is heard; again is the same."""
    graph = goal_meant(home.app, goal)
    named = node_id(graph, node)
    result = {"success": success, "data": data, "gaps": gaps or []}
    body = {"loop_task_id": loop_task_id(graph.root.id, named), "result": result}
    return must_be_reported(home.app, {**body, "event_id": event_id} if event_id else body, bot or "")


TOOLS = (
    Tool.of(goal_relay_list, Effect.READS),
    Tool.of(goal_relay_claim, Effect.SETS),
    Tool.of(goal_relay_attach, Effect.SETS),
    Tool.of(goal_relay_result, Effect.SETS),
    Tool.of(goal_report, Effect.SETS),
)
