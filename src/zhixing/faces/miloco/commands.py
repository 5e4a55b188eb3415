"""The commands, by name. Each lives in a module of its own, which is read only when it is called."""

from __future__ import annotations

from zhixing.faces.command_tree import CommandTree

COMMANDS = CommandTree(
    "miloco-cli",
    "zhixing.faces.miloco",
    {
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
    },
)
"""In the order of the pages that list them."""
