"""All tools, by name, in the order in which they are listed."""

from __future__ import annotations

from zhixing.faces.mcp import (
    cron,
    documents,
    goal_relay,
    goal_talks,
    goals,
    graph_checks,
    graph_drafts,
    graph_explaining,
    graph_proposals,
    graph_variables,
    graph_versions,
    graphs,
    home,
    plans,
    rules,
    saying,
    tasks,
    telling,
)
from zhixing.faces.mcp.tool import Tool

CHAPTERS: dict[str, tuple[Tool, ...]] = {
    "Say and answer": saying.TOOLS,
    "The home": home.TOOLS,
    "Tasks": tasks.TOOLS,
    "Plans": plans.TOOLS,
    "Rules and records": rules.TOOLS,
    "Cron jobs": cron.TOOLS,
    "Document tasks": documents.TOOLS,
    "Goals: before they run": goal_talks.TOOLS,
    "Goals": goals.TOOLS,
    "Goals: take over and report": goal_relay.TOOLS,
    "Tell and explain": telling.TOOLS,
    "Rule graphs of the hub": graphs.TOOLS,
    "Rule graphs: from a sentence": graph_proposals.TOOLS,
    "Rule graphs: check, try, look up": graph_checks.TOOLS,
    "Rule graphs: explain": graph_explaining.TOOLS,
    "Rule graphs: drafts": graph_drafts.TOOLS,
    "Rule graphs: variables": graph_variables.TOOLS,
    "Rule graphs: plan, deploy, take back": graph_versions.TOOLS,
}
TOOLS: dict[str, Tool] = {tool.name: tool for chapter in CHAPTERS.values() for tool in chapter}
