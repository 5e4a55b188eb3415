"""What the commands take and give, read off the commands themselves: `--help`, and docs/city.md (`make docs`)."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from cyclopts import App

from zhixing.faces.city.arguments import options_of
from zhixing.faces.city.commands import COMMANDS
from zhixing.faces.city.shapes import GIVES
from zhixing.faces.cli.reference import Taken
from zhixing.faces.command_pages import CommandPages
from zhixing.faces.command_tree import Chain

_HEAD = """\
# city

<!-- Written by `make docs` from src/zhixing/faces/city. Change it there. -->

The commands that document 003 uses for tasks in files, `.downcity/task/<title>/task.md` below a project, and for the
chats their results go to. They work on the same home as `zhixing`: the folder `$ZHIXING_HOME`, or `~/.zhixing`.
`city COMMAND --help` explains a command in Chinese.

An answer is indented JSON on standard output, `{"success": true, "data": …}` or
`{"success": false, "error": "…", "code": "…"}`: `error` is one line in Chinese, `code` its name, which does not change.

| exit code | |
|---|---|
| 0 | done |
| 1 | a value cannot be used, nothing has that name, or its state does not allow it |
| 2 | the command line is wrong, or something needed cannot be reached |
| 3 | refused |
| 130 | interrupted |

Every command takes:

| | |
|---|---|
| `--path DIR` | the folder of the project, by default the present one |
| `--json [true\\|false]` | JSON (the default), or with `false` lines for people, and errors on standard error |
| `--help` | what the command takes |

`--host`, `--port` and `--token` are refused: the home is opened directly, on this machine. `--delay` and `--time`
belong to `chat send`; a task that is to run later has its `--when`. A command that only looks makes nothing in a folder
without tasks. An option that takes a value takes the next word, whatever it begins with, unless that word is an option
of the same command; `--option=value` takes every value.

A title is matched exactly; where nothing has it, the nearest ones are named. `DC_SESSION_ID` is the session where none
is given, `DC_CTX_CHAT_KEY` the chat of `chat send`.

What runs in the background is run by `zhixing serve`; `notes` says so when nobody does, and which zone counts when
nobody has set one. The result is sent to the session by itself: whoever gets `accepted: true` does not wait for it.
"""


def _written(app: App, chain: Chain, each: Taken) -> str:
    if each.positional:
        return each.written
    name = max(each.names, key=lambda one: ("-" in one.lstrip("-"), len(one)))
    options = options_of(app, chain)
    if name in options.truths:
        return f"{name} [true|false]"
    return name if name in options.flags else f"{name} {name.lstrip('-').upper().replace('-', '_')}"


PAGES = CommandPages(COMMANDS, "city", _written, common="help_common")


def reference() -> str:
    """Return docs/city.md."""
    app = COMMANDS.app()
    return "".join([_HEAD, *(part for chain in COMMANDS.chains() for part in _section(app, chain))])


def _section(app: App, chain: Chain) -> Iterator[str]:
    yield from PAGES.section(app, chain)
    yield f"\nGives: {GIVES[chain]}\n"


if __name__ == "__main__":
    sys.stdout.write(reference())
