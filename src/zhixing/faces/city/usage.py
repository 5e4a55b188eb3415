"""A command line that cannot be run, in one line that says what would."""

from __future__ import annotations

from collections.abc import Iterable

from cyclopts.exceptions import CoercionError, CycloptsError, UnknownCommandError

from zhixing.faces.city.commands import COMMANDS
from zhixing.faces.cli import usage
from zhixing.faces.cli.options import TYPED
from zhixing.faces.cli.usage import Usage
from zhixing.kernel.errors import ZhixingError

_LONGEST = 64
_MEANT = {
    "add": "create",
    "new": "create",
    "make": "create",
    "remove": "delete",
    "rm": "delete",
    "del": "delete",
    "ls": "list",
    "get": "show",
    "view": "show",
    "info": "show",
    "edit": "update",
    "set": "update",
    "pause": "disable",
    "resume": "enable",
    "activate": "enable",
    "exec": "run",
    "trigger": "run",
    "log": "logs",
    "history": "runs",
    "check": "validate",
    "lint": "validate",
    "abort": "cancel",
    "kill": "cancel",
    "schedule": "next",
    "tasks": "task",
    "chats": "chat",
    "push": "send",
}
"""What people type who know it under another name; only where a command of that name is."""
_SERVICE = frozenset({"start", "stop", "restart", "reload", "reschedule"})
"""How the original starts and stops its scheduler."""


def unknown_command(name: str, names: Iterable[str], chain: tuple[str, ...] = ()) -> Usage:
    """Return the error for a command that does not exist, naming the nearest one."""
    shown = name.removeprefix(TYPED)[:_LONGEST]
    if chain and shown.lower() in _SERVICE:
        return Usage("city_service", name=shown)
    if shown.startswith("-"):
        return Usage("city_option_first", option=shown)
    return usage.no_command(" ".join((COMMANDS.program, *chain)), shown, names, _MEANT)


def unknown_option(word: str, options: Iterable[str], chain: tuple[str, ...]) -> Usage:
    """Return the error for an option that a command does not have, naming the nearest one."""
    return usage.no_option(" ".join((COMMANDS.program, *chain)), word.partition("=")[0], sorted(options))


def explained(error: CycloptsError, names: Iterable[str], written: str) -> ZhixingError:
    """Turn what is wrong with a command line into our error.

    `names` are what could stand where it went wrong, `written` is how the command is written.
    """
    if isinstance(error, UnknownCommandError):
        return unknown_command(usage.unknown_name(error), names, usage.chain_of(error))
    argument, token = error.argument, getattr(error, "token", None)
    if isinstance(error, CoercionError) and argument is not None and token is not None and argument.hint == bool | None:
        name = token.keyword or argument.name
        return Usage("choice_unknown", name=name, value=token.value[:_LONGEST], choices="true、false")
    return usage.explained(error, written)
