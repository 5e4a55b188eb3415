"""What the commands take and give, read off the commands themselves: `--help`, and docs/miloco-cli.md (`make docs`)."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from cyclopts import App

from zhixing.faces.cli.reference import Taken
from zhixing.faces.command_pages import CommandPages
from zhixing.faces.command_tree import Chain
from zhixing.faces.miloco.commands import COMMANDS
from zhixing.faces.miloco.shapes import ERRORS, SHAPES

_HEAD = """\
# miloco-cli

<!-- Written by `make docs` from src/zhixing/faces/miloco. Change it there. -->

The commands that the household document (000) uses. They work on the same home as `zhixing`: the folder
`$ZHIXING_HOME`, or `~/.zhixing`. `miloco-cli COMMAND --help` explains a command in Chinese.

An answer is one line of JSON on standard output, `{"code":0,"message":"ok","data":…}`, with characters as they are;
`--pretty`, anywhere on the line, indents it. `device list` and `device spec` print tables, `time-compute` a bare
instant.
Instants in `data` are ISO 8601 to the second with the offset of the home's zone; null stands for what is not there.

An option that takes a value takes the next word, whatever it begins with, unless that word is an option of the same
command; `--option=value` takes every value. Options marked `…` may be repeated. A task, where one is asked for, is its
`task_id` (`drink_8_today`); our own id (`t7`) does as well.

| exit code | | standard error |
|---|---|---|
| 0 | done | |
| 1 | the command line cannot be run; nothing was asked of the home | `{"error":"…"}` |
| 2 | the home cannot be opened, or its database does not answer | `{"error":"…"}` |
| 3 | the home refused | `{"code":…,"message":"…","data":null}` |
| 130 | interrupted | `{"error":"…"}` |

| code | |
|---|---|
| 0 | done |
| 1002 | a value cannot be used |
| 2000 | not possible now |
| 2001 | nothing has that name |
| 2002 | it is there already |
| 3200 | a device did not do it, or nobody knows whether it did |
| 9000 | an error nobody thought of; its details are in `zhixing.log` in the home |

The message is one line in Chinese. Where the document names a word for an error (`task_not_found`), it stands in front.
"""


def _written(_app: App, _chain: Chain, each: Taken) -> str:
    repeated = not each.positional and each.default == ()
    return f"{each.written} …" if repeated else each.written


PAGES = CommandPages(COMMANDS, "miloco", _written)


def reference() -> str:
    """Return docs/miloco-cli.md."""
    app = COMMANDS.app()
    return "".join([_HEAD, *(part for chain in COMMANDS.chains() for part in _section(app, chain))])


def _section(app: App, chain: Chain) -> Iterator[str]:
    yield from PAGES.section(app, chain)
    yield f"\nGives: {SHAPES[chain]}\n"
    if chain in ERRORS:
        yield f"\nErrors: {ERRORS[chain]}\n"


if __name__ == "__main__":
    sys.stdout.write(reference())
