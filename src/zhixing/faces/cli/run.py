"""From the words of a command line to an exit code. Every error ends here, as one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cyclopts import App
from cyclopts.exceptions import CycloptsError, UnknownCommandError

from zhixing.faces.cli import usage
from zhixing.faces.cli.commands import command_at, commands, is_group
from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.options import TYPED
from zhixing.kernel.errors import ZhixingError
from zhixing.kernel.wording import wording

UNEXPECTED = 2
INTERRUPTED = 130

_HELP = ("--help", "-h")
_VERSION = ("--version", "-V")


def run(argv: Sequence[str], desk: Desk) -> int:
    """Run one command; return its exit code. Only `BrokenPipeError` gets through: nobody is there to be told."""
    try:
        code = _run(_marked(argv), desk)
        desk.flush()
    except BrokenPipeError:
        raise
    except ZhixingError as error:
        desk.complain(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        desk.complain(wording("cli.interrupted"))
        return INTERRUPTED
    # The last place that can tell the user anything; the log has the rest.
    except Exception as error:  # noqa: BLE001
        desk.complain(unexpected(error, desk))
        return UNEXPECTED
    return code


def _run(words: list[str], desk: Desk) -> int:
    app = commands()
    if not words or words[0] == "help" or _asks(words, _HELP):
        return _help(app, [word for word in words if word not in _HELP and word != "help"], desk)
    if words[0] in _VERSION:
        words = ["version"]
    try:
        command, bound, ignored = app.parse_args(words, print_error=False, exit_on_error=False)
    except CycloptsError as error:
        raise _explained(app, error) from error
    if "desk" not in ignored:
        return _help(app, words, desk)
    result: Any = command(*bound.args, **bound.kwargs, desk=desk)
    return result if isinstance(result, int) else 0


def _marked(argv: Sequence[str]) -> list[str]:
    """Mark arguments that begin with a hyphen and are no options: `-` alone, and items of a list (`- 买菜`)."""
    return [TYPED + word if word == "-" or word.startswith("- ") else word for word in argv]


def _asks(words: Sequence[str], flags: Sequence[str]) -> bool:
    before = words[: words.index("--")] if "--" in words else words
    return any(word in flags for word in before)


def _help(app: App, words: Sequence[str], desk: Desk) -> int:
    from zhixing.faces.cli.reference import help_page  # noqa: PLC0415 - seldom needed

    chain: tuple[str, ...] = ()
    for word in words:
        if not is_group(app, chain):
            break
        group = command_at(app, chain)
        if word not in group:
            raise usage.unknown_command(word, group, chain)
        chain = (*chain, word)
    desk.say(*help_page(app, chain, desk.width))
    return 0


def _explained(app: App, error: CycloptsError) -> ZhixingError:
    from zhixing.faces.cli.reference import describe  # noqa: PLC0415 - seldom needed

    chain = usage.chain_of(error)
    if isinstance(error, UnknownCommandError):
        return usage.unknown_command(usage.unknown_name(error), command_at(app, chain), chain)
    written = "zhixing --help" if is_group(app, chain) else describe(app, chain).usage()
    return usage.explained(error, written)


def unexpected(error: Exception, desk: Desk) -> str:
    """Say that something went wrong which nobody thought of, and keep the details where whoever helps finds them."""
    from zhixing.faces.cli.log import keep_traceback, log_file  # noqa: PLC0415 - hopefully never needed
    from zhixing.settings.place import home_folder  # noqa: PLC0415 - as above

    name = type(error).__name__
    try:
        home = home_folder(desk.env)
    except ZhixingError:
        return wording("cli.unexpected", error=name)
    if keep_traceback(home, error):
        return wording("cli.unexpected_logged", error=name, file=log_file(home))
    return wording("cli.unexpected", error=name)
