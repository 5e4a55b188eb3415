"""The commands, by name. Each lives in a module of its own, which is read only when it is called."""

from __future__ import annotations

from collections.abc import Sequence

from cyclopts import App

COMMANDS = {
    "say": "saying:say",
    "answer": "saying:answer",
    "talks": "talking:talks",
    "drafts": "drafting:drafts",
    "list": "looking:list_",
    "show": "looking:show",
    "done": "ending:done",
    "skip": "leaving_out:skip",
    "unskip": "leaving_out:unskip",
    "restore": "ending:restore",
    "delete": "ending:delete",
    "edit": "saying:edit",
    "remind": "saying:remind",
    "retry": "saying:retry",
    "inbox": "inbox:inbox",
    "ack": "attending:ack",
    "snooze": "attending:snooze",
    "preview": "looking:preview",
    "explain": "explaining:explain",
    "next": "next:next_",
    "understand": "understanding:understand",
    "plan": "planning:plan",
    "recognise": "recognising:recognise",
    "apply": "household_tasks:apply",
    "logs": "household_tasks:logs",
    "undo": "household_tasks:undo",
    "pause": "household_tasks:pause",
    "resume": "household_tasks:resume",
    "simulate": "simulating:simulate",
    "rules": "rules:rules",
    "records": "records:records",
    "task": "document_tasks:task",
    "runs": "runs:runs",
    "graph": "graphs:graph",
    "goal": "goals:goal",
    "cron": "cron:cron",
    "home": "home:home",
    "serve": "serving:serve",
    "mcp": "mcp:mcp",
    "channel": "channel:channel",
    "calendar": "calendar:calendar",
    "usage": "spending:usage",
    "doctor": "doctor:doctor",
    "config": "config:config",
    "version": "version:version",
}
"""In the order of the pages that list them."""


def commands() -> App:
    """Return the command line. Help, errors and results are ours; cyclopts reads the arguments."""
    app = App(name="zhixing", help_flags=(), version_flags=())
    for name, place in COMMANDS.items():
        app.command(f"zhixing.faces.cli.{place}", name=name)
    return app


def command_at(app: App, chain: Sequence[str]) -> App:
    """Return the command, or group of commands, that `chain` leads to."""
    for name in chain:
        app = app[name]
    return app


def is_group(app: App, chain: Sequence[str]) -> bool:
    """Whether `chain` only holds commands."""
    return command_at(app, chain).default_command is None
