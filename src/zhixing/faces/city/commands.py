"""The commands, by name. Each lives in a module of its own, which is read only when it is called."""

from __future__ import annotations

from zhixing.faces.command_tree import CommandTree

COMMANDS = CommandTree(
    "city",
    "zhixing.faces.city",
    {
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
    },
)
"""In the order of the pages that list them."""
