"""The commands, by name. Each lives in a module of its own, which is read only when it is called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cyclopts import App

Tree = dict[str, "str | Tree"]

COMMANDS: Tree = {
    "task": {
        "list": "tasks:list_",
        "create": "creating:create",
        "run": "running:run",
        "update": "updating:update",
        "delete": "tasks:delete",
        "status": "updating:status",
        "enable": "updating:enable",
        "disable": "updating:disable",
        "show": "tasks:show",
        "runs": "running:runs",
        "next": "tasks:next_",
        "validate": "tasks:validate",
        "adopt": "tasks:adopt",
        "cancel": "running:cancel",
        "logs": "running:logs",
    },
    "chat": {
        "send": "chats:send",
        "bind": "chats:bind",
        "unbind": "chats:unbind",
        "list": "chats:list_",
    },
    "version": "version:version",
}
"""In the order of the pages that list them."""


def commands() -> App:
    """Return the command line. Help, errors and results are ours; cyclopts reads the arguments."""
    return _grown(App(name="city", help_flags=(), version_flags=()), COMMANDS)


def _grown(app: App, tree: Tree) -> App:
    for name, below in tree.items():
        if isinstance(below, str):
            app.command(f"zhixing.faces.city.{below}", name=name)
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
