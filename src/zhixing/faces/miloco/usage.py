"""A command line that cannot be run, in one line that says what would. Always exit code 1 and `{"error": …}`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, get_args

from cyclopts.exceptions import (
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    RepeatArgumentError,
    UnknownCommandError,
    UnusedCliTokensError,
)

from zhixing.faces.cli.options import TYPED
from zhixing.faces.cli.usage import chain_of, no_command, no_option, unknown_name
from zhixing.faces.miloco.commands import COMMANDS
from zhixing.kernel.errors import BadInput, ZhixingError

_LONGEST = 64
_MEANT = {
    "add": "create",
    "new": "create",
    "create": "add",
    "remove": "delete",
    "rm": "delete",
    "del": "delete",
    "ls": "list",
    "show": "get",
    "view": "get",
    "edit": "update",
    "set": "update",
    "pause": "disable",
    "stop": "disable",
    "resume": "enable",
    "start": "enable",
    "log": "logs",
    "fire": "trigger",
    "send": "push",
    "time": "time-compute",
    "camera": "scope",
    "cameras": "scope",
    "record": "task",
}
"""What people type who know it under another name; only where a command of that name is."""


class Usage(ZhixingError):
    """What was typed cannot be run: nothing was asked of the home."""

    exit_code = 1
    status = 400


class Unreachable(ZhixingError):
    """The home cannot be opened."""

    exit_code = 2
    status = 503


@contextmanager
def typed() -> Iterator[None]:
    """Take what is wrong with a value for a mistake in typing it: nothing was asked of the home yet."""
    try:
        yield
    except BadInput as error:
        raise _ours(error) from error


def unknown_command(name: str, names: Iterable[str], chain: tuple[str, ...] = ()) -> Usage:
    """Return the error for a command that does not exist, naming the nearest one."""
    shown = name.removeprefix(TYPED)[:_LONGEST]
    return _ours(no_command(" ".join((COMMANDS.program, *chain)), shown, names, _MEANT))


def explained(error: CycloptsError, names: Iterable[str], usage: str) -> ZhixingError:
    """Turn what is wrong with a command line into our error.

    `names` are what could stand where it went wrong, `usage` is how the command is written.
    """
    match error:
        case UnknownCommandError():
            return unknown_command(unknown_name(error), names, chain_of(error))
        case CoercionError():
            return _unreadable(error, usage)
        case MissingArgumentError() if error.argument is not None:
            name = error.keyword or error.argument.name
            missing = "usage_value_missing" if error.keyword else "usage_argument_missing"
            return Usage(missing, name=name, usage=usage)
        case RepeatArgumentError():
            return Usage("usage_option_twice", name=error.token.keyword or "", usage=usage)
        case UnusedCliTokensError():
            extra = " ".join(error.unused_tokens or ())
            return Usage("usage_too_many", extra=extra.replace(TYPED, "")[:_LONGEST], usage=usage)
        case _:
            return Usage("usage_wrong", usage=usage)


def unknown_option(word: str, options: Iterable[str], chain: tuple[str, ...]) -> Usage:
    """Return the error for an option that a command does not have, naming the nearest one."""
    known = [*sorted(options), "--pretty"]
    return _ours(no_option(" ".join((COMMANDS.program, *chain)), word.partition("=")[0], known))


def _ours(error: ZhixingError) -> Usage:
    return Usage(error.key, **error.values)


def _unreadable(error: CoercionError, usage: str) -> ZhixingError:
    argument: Any = error.argument
    if argument is None or error.token is None:
        return Usage("usage_wrong", usage=usage)
    name, value = error.token.keyword or argument.name, error.token.value.removeprefix(TYPED)[:_LONGEST]
    choices = choices_of(argument.hint)
    if choices:
        return Usage("choice_unknown", name=name, value=value, choices="、".join(choices))
    if argument.hint is bool:
        return Usage("usage_no_value", name=name, usage=usage)
    return Usage("number_unreadable", name=name, value=value)


def choices_of(hint: Any) -> tuple[str, ...]:
    """Return the words an argument may be, where they are a closed set."""
    inside = get_args(hint)
    if inside and all(isinstance(each, str) for each in inside):
        return inside
    return next((found for each in inside if (found := choices_of(each))), ())
