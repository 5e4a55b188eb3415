"""A command line that cannot be run, in one line that says what would."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

from cyclopts.exceptions import (
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    RepeatArgumentError,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
)

from zhixing.faces.cli.options import TYPED
from zhixing.kernel.errors import BadInput, ZhixingError

_LONGEST = 64

MEANT = {
    "add": "say",
    "new": "say",
    "create": "say",
    "complete": "done",
    "finish": "done",
    "rm": "delete",
    "remove": "delete",
    "ls": "list",
    "get": "show",
    "why": "explain",
    "start": "serve",
    "server": "serve",
    "check": "doctor",
    "status": "doctor",
    "disable": "pause",
    "enable": "resume",
    "log": "logs",
    "rule": "rules",
    "record": "records",
    "devices": "home",
    "device": "home",
    "people": "home",
    "replay": "simulate",
    "settings": "config",
    "parse": "understand",
    "messages": "inbox",
}
"""What people type who know it under another name."""


class Usage(ZhixingError):
    """The command line is no command."""

    exit_code = 2
    status = 400


def unknown_command(name: str, names: Iterable[str], chain: tuple[str, ...] = ()) -> Usage:
    """Return the error for a command that does not exist, naming the nearest one."""
    shown = name.removeprefix(TYPED)[:_LONGEST]
    command = " ".join(("zhixing", *chain))
    if shown.startswith("-"):
        return Usage("usage_option_first", option=shown)
    known = sorted(names)
    close = MEANT.get(shown.lower()) if not chain else None
    close = close or next(iter(difflib.get_close_matches(shown.lower(), known, n=1, cutoff=0.5)), None)
    if close is not None:
        return Usage("usage_command_mistyped", name=shown, nearest=" ".join((*chain, close)))
    if not shown.isascii() and not chain:
        return Usage("usage_say_forgotten", text=shown)
    return Usage("usage_command_unknown", name=shown, command=command, names="、".join(known))


def explained(error: CycloptsError, usage: str) -> ZhixingError:
    """Turn what is wrong with the arguments of a command into our error; `usage` is how it is written."""
    command = " ".join(("zhixing", *(error.command_chain or ())))
    match error:
        case UnknownOptionError():
            return _unknown_option(error, command)
        case CoercionError():
            return _unreadable(error, usage)
        case MissingArgumentError() if error.argument is not None:
            name = error.keyword or error.argument.name
            if chain_of(error) == ("say",) and not name.startswith("-"):
                return Usage("usage_say")
            key = "usage_value_missing" if name.startswith("-") else "usage_argument_missing"
            return Usage(key, name=name, usage=usage)
        case RepeatArgumentError():
            return Usage("usage_option_twice", name=error.token.keyword or "", usage=usage)
        case UnusedCliTokensError():
            extra = " ".join(error.unused_tokens or ())
            return Usage("usage_too_many", extra=extra.replace(TYPED, "")[:_LONGEST], usage=usage)
        case _:
            return Usage("usage_wrong", usage=usage)


def no_option(command: str, name: str, options: Sequence[str]) -> Usage:
    """Return the error for an option that `command` does not have, naming the nearest one."""
    close = difflib.get_close_matches(name.lower(), options, n=1, cutoff=0.5)
    if close:
        return Usage("usage_option_mistyped", command=command, name=name[:_LONGEST], nearest=close[0])
    return Usage("usage_option_unknown", command=command, name=name[:_LONGEST], options="、".join(options))


def no_command(command: str, name: str, names: Iterable[str], meant: Mapping[str, str]) -> Usage:
    """Return the error for a command that is not below `command`, naming the nearest one.

    `meant` has the names under which people know commands from elsewhere.
    """
    known, wanted = sorted(names), meant.get(name.lower(), "")
    close = [wanted] if wanted in known else difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    if close:
        return Usage("miloco_command_mistyped", name=name, nearest=f"{command} {close[0]}")
    return Usage("usage_command_unknown", name=name, command=command, names="、".join(known))


def chain_of(error: CycloptsError) -> tuple[str, ...]:
    """Return the commands that were understood before the error."""
    return tuple(error.command_chain or ())


def unknown_name(error: UnknownCommandError) -> str:
    """Return what is no command."""
    return (error.unused_tokens or [""])[0]


def _unknown_option(error: UnknownOptionError, command: str) -> Usage:
    written = (error.token.keyword or error.token.value).removeprefix(TYPED)
    name = written.partition("=")[0]
    known = [each for argument in error.argument_collection if argument.parse for each in argument.names]
    options = [each for each in known if each.startswith("-")]
    if not options:
        return Usage("usage_too_many", extra=name[:_LONGEST], usage=command)
    return no_option(command, name, options)


def _unreadable(error: CoercionError, usage: str) -> ZhixingError:
    argument: Any = error.argument
    if argument is None or error.token is None:
        return Usage("usage_wrong", usage=usage)
    name, value = error.token.keyword or argument.name, error.token.value.removeprefix(TYPED)[:_LONGEST]
    choices = [each for each in get_args(argument.hint) if isinstance(each, str)]
    choices = choices or [each for part in get_args(argument.hint) for each in get_args(part) if isinstance(each, str)]
    if choices:
        return BadInput("choice_unknown", name=name, value=value, choices="、".join(choices))
    if argument.hint is bool:
        return Usage("usage_no_value", name=name, usage=usage)
    return BadInput("number_unreadable", name=name, value=value)
