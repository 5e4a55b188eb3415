"""What the commands take and give, read off the commands themselves: `--help`, and docs/city.md (`make docs`)."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from cyclopts import App

from zhixing.faces.city.arguments import options_of
from zhixing.faces.city.commands import below, chains, commands
from zhixing.faces.city.shapes import GIVES
from zhixing.faces.city.usage import PROGRAM
from zhixing.faces.cli.layout import table
from zhixing.faces.cli.reference import Chain, Taken, describe
from zhixing.kernel.wording import Language, section, wording

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


def usage_of(app: App, chain: Chain, language: Language = "zh") -> str:
    """Return how a command, or a group of them, is written."""
    if below(chain) is not None:
        return " ".join((PROGRAM, *chain, "--help"))
    taken = taken_by(app, chain)
    parts = [_positional(each) for each in taken if each.positional]
    parts += [each.written for each in taken if not each.positional and each.required]
    if any(not each.positional and not each.required for each in taken):
        parts.append(wording("cli.help_options", language))
    return " ".join((PROGRAM, *chain, *parts))


def taken_by(app: App, chain: Chain) -> tuple[Taken, ...]:
    """Return the arguments and options of a command; what only bundles several of them is none."""
    return tuple(each for each in describe(app, chain).taken if each.names != ("*",))


def help_page(app: App, chain: Chain, width: int | None) -> list[str]:
    """Return the page of one command, or of a group of them."""
    group = below(chain)
    if group is not None:
        rows = [["  " + " ".join((*chain, name)), _about((*chain, name), "zh")] for name in group]
        return [wording("city.help_all"), "", *table(rows, width), "", wording("city.help_more")]
    rows = [["  " + _written(app, chain, each), _about_taken(chain, each, "zh")] for each in taken_by(app, chain)]
    lines = [usage_of(app, chain), "", _about(chain, "zh")]
    return [*lines, "", *table(rows, None), "", wording("city.help_common")] if rows else lines


def reference() -> str:
    """Return docs/city.md."""
    app = commands()
    return "".join([_HEAD, *(part for chain in chains() for part in _section(app, chain))])


def _section(app: App, chain: Chain) -> Iterator[str]:
    yield f"\n## `{usage_of(app, chain, 'en')}`\n\n{_about(chain, 'en')}\n"
    taken = taken_by(app, chain)
    if taken:
        rows = (
            f"| `{_cell(_written(app, chain, each))}` | {_cell(_about_taken(chain, each, 'en'))} |\n" for each in taken
        )
        yield "\n| | |\n|---|---|\n" + "".join(rows)
    yield f"\nGives: {GIVES[chain]}\n"


def _about(chain: Chain, language: Language) -> str:
    return wording(f"city.help_{_key(chain)}", language)


def _about_taken(chain: Chain, each: Taken, language: Language) -> str:
    words = section("city", language)
    field = each.field.rstrip("_")
    own = f"help_{_key(chain)}_{field}"
    text = words[own] if own in words else words[f"help_any_{field}"]
    if each.choices:
        text += wording("cli.help_choices", language, choices=wording("cli.separator", language).join(each.choices))
    if each.default and isinstance(each.default, str | int) and not isinstance(each.default, bool):
        text += wording("cli.help_default", language, default=each.default)
    return text


def _key(chain: Chain) -> str:
    return "_".join(chain).replace("-", "_")


def _positional(each: Taken) -> str:
    return each.label if each.required or each.many else f"[{each.label}]"


def _written(app: App, chain: Chain, each: Taken) -> str:
    if each.positional:
        return each.written
    name = max(each.names, key=lambda one: ("-" in one.lstrip("-"), len(one)))
    options = options_of(app, chain)
    if name in options.truths:
        return f"{name} [true|false]"
    return name if name in options.flags else f"{name} {name.lstrip('-').upper().replace('-', '_')}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(reference())
