"""From the words of a command line to an exit code: 0 done · 1 typed wrongly · 2 no home · 3 refused by the home.

Source: miloco.md §2.1, with one meaning for each code (§9, 31). Every error is one line of JSON on standard error; only
`time-compute` says no in its own way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cyclopts.exceptions import CycloptsError

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.run import INTERRUPTED, unexpected
from zhixing.faces.miloco import usage
from zhixing.faces.miloco.arguments import Typed, sort_out
from zhixing.faces.miloco.commands import COMMANDS
from zhixing.faces.miloco.envelope import (
    OK,
    UNEXPECTED,
    Partial,
    Refusal,
    Reply,
    Text,
    envelope,
    of_error,
    written,
)
from zhixing.kernel.errors import Unavailable, ZhixingError
from zhixing.kernel.wording import wording

TYPED_WRONGLY = 1
UNREACHABLE = 2
REFUSED = 3


def run(argv: Sequence[str], desk: Desk) -> int:
    """Run one command; return its exit code. Only `BrokenPipeError` gets through: nobody is there to be told."""
    try:
        code = _run(argv, desk)
        desk.flush()
    except BrokenPipeError:
        raise
    except ZhixingError as error:
        return _refused(error, desk)
    except KeyboardInterrupt:
        desk.complain(written({"error": wording("cli.interrupted")}))
        return INTERRUPTED
    # The last place that can tell anybody anything; the log has the rest.
    except Exception as error:  # noqa: BLE001
        desk.complain(written(envelope(UNEXPECTED, unexpected(error, desk), None)))
        return REFUSED
    return code


def _run(argv: Sequence[str], desk: Desk) -> int:
    app = COMMANDS.app()
    typed = sort_out(argv, app)
    if typed.help or not typed.words:
        return _help(typed, desk)
    if typed.strange is not None:
        raise usage.unknown_option(typed.strange, typed.options.names, typed.chain)
    try:
        command, bound, ignored = app.parse_args(list(typed.words), print_error=False, exit_on_error=False)
    except CycloptsError as error:
        raise _explained(typed, error) from error
    if "desk" not in ignored:
        return _help(typed, desk)
    return _answered(command(*bound.args, **bound.kwargs, desk=desk), typed, desk)


def _answered(reply: Reply, typed: Typed, desk: Desk) -> int:
    indent = 2 if typed.pretty else None
    match reply:
        case Text(lines):
            desk.give_line("\n".join(lines).encode())
        case Refusal(line):
            desk.complain(line)
            return TYPED_WRONGLY
        case Partial(code, message, data):
            desk.complain(written(envelope(code, message, data)))
            return REFUSED
        case _:
            desk.give_line(written(envelope(OK, "ok", reply), indent=indent).encode())
    return 0


def _refused(error: ZhixingError, desk: Desk) -> int:
    if isinstance(error, usage.Usage):
        desk.complain(written({"error": str(error)}))
        return TYPED_WRONGLY
    if isinstance(error, usage.Unreachable | Unavailable):
        desk.complain(written({"error": str(error)}))
        return UNREACHABLE
    desk.complain(written(of_error(error)))
    return REFUSED


def _help(typed: Typed, desk: Desk) -> int:
    from zhixing.faces.miloco.reference import PAGES  # noqa: PLC0415 - seldom needed

    group = COMMANDS.below(typed.chain)
    strange: Any = typed.words[len(typed.chain) :]
    if group is not None and strange:
        raise usage.unknown_command(strange[0], group, typed.chain)
    desk.say(*PAGES.help_page(COMMANDS.app(), typed.chain, desk.width))
    return 0


def _explained(typed: Typed, error: CycloptsError) -> ZhixingError:
    from zhixing.faces.miloco.reference import PAGES  # noqa: PLC0415 - seldom needed

    return usage.explained(error, COMMANDS.below(typed.chain) or (), PAGES.usage_of(COMMANDS.app(), typed.chain))
