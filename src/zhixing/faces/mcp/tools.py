"""All tools, by name, in the order in which they are listed."""

from __future__ import annotations

from zhixing.faces.mcp import cron, documents, home, plans, rules, saying, tasks, telling
from zhixing.faces.mcp.tool import Tool

CHAPTERS: dict[str, tuple[Tool, ...]] = {
    "Say and answer": saying.TOOLS,
    "The home": home.TOOLS,
    "Tasks": tasks.TOOLS,
    "Plans": plans.TOOLS,
    "Rules and records": rules.TOOLS,
    "Cron jobs": cron.TOOLS,
    "Document tasks": documents.TOOLS,
    "Tell and explain": telling.TOOLS,
}
TOOLS: dict[str, Tool] = {tool.name: tool for chapter in CHAPTERS.values() for tool in chapter}
