"""From the words of a command line to an exit code: 0 done · 1 refused by what was given · 2 typed wrongly, no home.

Source: downcity.md §4.1. The answer is the document's envelope on standard output, an error too; unlike the original,
an error has an exit code of its own. With `--json false` people read lines instead, and errors go to standard error.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cyclopts import App
from cyclopts.exceptions import CycloptsError

from zhixing.faces.city import usage
from zhixing.faces.city.arguments import Typed, sort_out
from zhixing.faces.city.commands import COMMANDS
from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.run import INTERRUPTED, UNEXPECTED, unexpected
from zhixing.kernel.errors import Unavailable, ZhixingError
from zhixing.kernel.wording import wording

_VERSION = ("--version", "-V")


def run(argv: Sequence[str], desk: Desk) -> int:
    """Run one command; return its exit code. Only `BrokenPipeError` gets through: nobody is there to be told."""
    app = COMMANDS.app()
    typed = sort_out(["version", "--json", "false"] if list(argv) and argv[0] in _VERSION else argv, app)
    try:
        _run(app, typed, desk)
        desk.flush()
    except BrokenPipeError:
        raise
    except ZhixingError as error:
        _refuse(str(error), error.key, typed, desk)
        return error.exit_code
    except KeyboardInterrupt:
        _refuse(wording("cli.interrupted"), "interrupted", typed, desk)
        return INTERRUPTED
    # The last place that can tell anybody anything; the log has the rest.
    except Exception as error:  # noqa: BLE001
        _refuse(unexpected(error, desk), "unexpected", typed, desk)
        return UNEXPECTED
    return 0


def _run(app: App, typed: Typed, desk: Desk) -> None:
    if typed.help or not typed.argv:
        return _help(app, typed, desk)
    if typed.wrong is not None:
        raise typed.wrong
    if typed.strange is not None:
        raise usage.unknown_option(typed.strange, typed.options.names, typed.chain)
    try:
        command, bound, ignored = app.parse_args(typed.argv, print_error=False, exit_on_error=False)
    except CycloptsError as error:
        raise _explained(app, typed, error) from error
    if "here" not in ignored:
        return _help(app, typed, desk)
    from zhixing.faces.city.here import Here  # noqa: PLC0415 - half a second, and not needed for help

    here = Here(desk, Path() if typed.path is None else Path(typed.path))
    answer: Any = command(*bound.args, **bound.kwargs, here=here)
    if typed.as_json:
        _give({"success": True, "data": answer.data}, desk)
        return None
    answer.tell(desk)
    return None


def _refuse(message: str, code: str, typed: Typed, desk: Desk) -> None:
    """Say that it did not come about; where standard output is closed, standard error has to do."""
    if not typed.as_json:
        desk.complain(message)
        return
    try:
        _give({"success": False, "error": message, "code": code}, desk)
    except Unavailable:
        desk.complain(message)


def _give(wire: object, desk: Desk) -> None:
    text = json.dumps(wire, ensure_ascii=False, indent=2)
    desk.give_line(text.encode("utf-8", "backslashreplace"))


def _help(app: App, typed: Typed, desk: Desk) -> None:
    from zhixing.faces.city.reference import PAGES  # noqa: PLC0415 - seldom needed

    group = COMMANDS.below(typed.chain)
    if group is not None and typed.words:
        raise usage.unknown_command(typed.words[0], group, typed.chain)
    desk.say(*PAGES.help_page(app, typed.chain, desk.width))


def _explained(app: App, typed: Typed, error: CycloptsError) -> ZhixingError:
    from zhixing.faces.city.reference import PAGES  # noqa: PLC0415 - seldom needed

    return usage.explained(error, COMMANDS.below(typed.chain) or (), PAGES.usage_of(app, typed.chain))
