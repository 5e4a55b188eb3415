"""A command line that cannot be run, in one line that says what would."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from cyclopts.exceptions import CoercionError, CycloptsError, UnknownCommandError

from zhixing.faces.cli import usage
from zhixing.faces.cli.options import TYPED
from zhixing.faces.cli.usage import Usage
from zhixing.kernel.errors import ZhixingError

PROGRAM = "city"
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
    known = sorted(names)
    command = " ".join((PROGRAM, *chain))
    if chain and shown.lower() in _SERVICE:
        return Usage("city_service", name=shown)
    if shown.startswith("-"):
        return Usage("city_option_first", option=shown)
    meant = _MEANT.get(shown.lower(), "")
    close = [meant] if meant in known else difflib.get_close_matches(shown.lower(), known, n=1, cutoff=0.5)
    if close:
        return Usage("miloco_command_mistyped", name=shown, nearest=f"{command} {close[0]}")
    return Usage("usage_command_unknown", name=shown, command=command, names="、".join(known))


def unknown_option(word: str, options: Iterable[str], chain: tuple[str, ...]) -> Usage:
    """Return the error for an option that a command does not have, naming the nearest one."""
    name = word.partition("=")[0]
    known = sorted(options)
    command = " ".join((PROGRAM, *chain))
    close = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    if close:
        return Usage("usage_option_mistyped", command=command, name=name[:_LONGEST], nearest=close[0])
    return Usage("usage_option_unknown", command=command, name=name[:_LONGEST], options="、".join(known))


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
