"""The commands, by name. Each lives in a module of its own, which is read only when it is called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cyclopts import App

Tree = dict[str, "str | Tree"]

COMMANDS: Tree = {
    "task": {
        "create": "tasks:create",
        "link": "tasks:link",
        "list": "tasks:list_",
        "get": "tasks:get",
        "summary": "tasks:summary",
        "update": "tasks:update",
        "disable": "tasks:disable",
        "enable": "tasks:enable",
        "delete": "tasks:delete",
        "apply": "plans:apply",
        "undo": "plans:undo",
        "logs": "plans:logs",
        "record": {
            "init": "records:init",
            "get": "records:get",
            "compute": "records:compute",
            "archive": {"list": "records:archives"},
            "update": "records:update",
            "progress-inc": "record_writes:increment",
            "event-append": "record_writes:append",
            "session-start": "record_writes:start_session",
            "session-end": "record_writes:end_session",
        },
    },
    "rule": {
        "list": "rules:list_",
        "create": "rules:create",
        "update": "rules:update",
        "enable": "rules:enable",
        "disable": "rules:disable",
        "delete": "rules:delete",
        "trigger": "rule_logs:trigger",
        "logs": "rule_logs:logs",
        "logs-cleanup": "rule_logs:clean_up",
    },
    "time-compute": "anchors:time_compute",
    "person": {
        "list": "people:list_",
        "add": "people:add",
        "update": "people:update",
        "delete": "people:delete",
    },
    "scope": {
        "home": {"list": "scope:homes"},
        "camera": {"list": "scope:cameras", "enable": "scope:enable", "disable": "scope:disable"},
    },
    "device": {
        "list": "devices:list_",
        "spec": "devices:spec",
        "props": "device_commands:props",
        "control": "device_commands:control",
        "action": "device_commands:action",
    },
    "notify": {"push": "notifying:push"},
    "version": "version:version",
}
"""In the order of the pages that list them."""


def commands() -> App:
    """Return the command line. Help, errors and results are ours; cyclopts reads the arguments."""
    return _grown(App(name="miloco-cli", help_flags=(), version_flags=()), COMMANDS)


def _grown(app: App, tree: Tree) -> App:
    for name, below in tree.items():
        if isinstance(below, str):
            app.command(f"zhixing.faces.miloco.{below}", name=name)
        else:
            app.command(_grown(App(name=name, help_flags=(), version_flags=()), below))
    return app


def chains(tree: Tree | None = None, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield every command that can be called."""
    for name, below in (COMMANDS if tree is None else tree).items():
        if isinstance(below, str):
            yield (*above, name)
        else:
            yield from chains(below, (*above, name))


def below(chain: Sequence[str]) -> Tree | None:
    """Return what a group holds; None for a command."""
    found: Any = COMMANDS
    for name in chain:
        found = found[name]
    return None if isinstance(found, str) else found
