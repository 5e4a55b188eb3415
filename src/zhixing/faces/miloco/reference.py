"""What the commands take and give, read off the commands themselves: `--help`, and docs/miloco-cli.md (`make docs`)."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from cyclopts import App

from zhixing.faces.cli.layout import table
from zhixing.faces.cli.reference import Chain, Taken, describe
from zhixing.faces.miloco.commands import below, chains, commands
from zhixing.faces.miloco.shapes import ERRORS, SHAPES
from zhixing.faces.miloco.usage import PROGRAM
from zhixing.kernel.wording import Language, section, wording

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
        return [wording("miloco.help_all"), "", *table(rows, width), "", wording("miloco.help_more")]
    rows = [["  " + _written(each), _about_taken(chain, each, "zh")] for each in taken_by(app, chain)]
    lines = [usage_of(app, chain), "", _about(chain, "zh")]
    return [*lines, "", *table(rows, None)] if rows else lines


def reference() -> str:
    """Return docs/miloco-cli.md."""
    app = commands()
    return "".join([_HEAD, *(part for chain in chains() for part in _section(app, chain))])


def _section(app: App, chain: Chain) -> Iterator[str]:
    yield f"\n## `{usage_of(app, chain, 'en')}`\n\n{_about(chain, 'en')}\n"
    taken = taken_by(app, chain)
    if taken:
        rows = (f"| `{_cell(_written(each))}` | {_cell(_about_taken(chain, each, 'en'))} |\n" for each in taken)
        yield "\n| | |\n|---|---|\n" + "".join(rows)
    yield f"\nGives: {SHAPES[chain]}\n"
    if chain in ERRORS:
        yield f"\nErrors: {ERRORS[chain]}\n"


def _about(chain: Chain, language: Language) -> str:
    return wording(f"miloco.help_{_key(chain)}", language)


def _about_taken(chain: Chain, each: Taken, language: Language) -> str:
    words = section("miloco", language)
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
    return each.label if each.required else f"[{each.label}]"


def _written(each: Taken) -> str:
    repeated = not each.positional and each.default == ()
    return f"{each.written} …" if repeated else each.written


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(reference())
