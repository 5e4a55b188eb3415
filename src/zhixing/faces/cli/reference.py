"""What the commands take, read off the commands themselves: the pages of `--help`, and docs/cli.md (`make docs`)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_args

from cyclopts import App

from zhixing.faces.cli.commands import command_at, commands, is_group
from zhixing.faces.cli.layout import table
from zhixing.faces.command_tree import Chain
from zhixing.kernel.wording import Language, section, wording

_HEAD = """\
# Commands

<!-- Written by `make docs` from src/zhixing/faces/cli. Change it there. -->

`zhixing --help` lists the commands, `zhixing COMMAND --help` everything one takes. Options go behind the command. A
word that begins with a hyphen and is no option goes behind `--`.

Output is for people; with `--json` it is one line of JSON on standard output, in the shapes of the HTTP API. An error
is one line on standard error.

| exit code | |
|---|---|
| 0 | done |
| 1 | the words or values given cannot be used |
| 2 | the command line is wrong, or something needed cannot be reached |
| 3 | refused |
| 130 | interrupted |

Everything is kept in the home folder, `$ZHIXING_HOME` or `~/.zhixing`. Commands work whether or not a server runs;
reminders ring only while `zhixing serve` does. Unexpected errors leave their details in `zhixing.log` in that folder.
"""


@dataclass(frozen=True, slots=True)
class Taken:
    """One argument or option of a command."""

    names: tuple[str, ...]
    field: str
    positional: bool
    required: bool
    many: bool
    flag: bool
    choices: tuple[str, ...]
    default: object

    @property
    def written(self) -> str:
        """How it is written: TEXT…, --zone ZONE, --json."""
        if self.positional:
            return self.label
        names = ", ".join(sorted(self.names, key=len))
        return names if self.flag else f"{names} {self.label}"

    @property
    def label(self) -> str:
        """What stands for its value."""
        plain = self.names[0].lstrip("-").upper().replace("-", "_").replace("_OR_", "|")
        return f"{plain}…" if self.many else plain


@dataclass(frozen=True, slots=True)
class Described:
    """A command and everything it takes."""

    chain: Chain
    taken: tuple[Taken, ...]

    def usage(self, language: Language = "zh") -> str:
        """Return how it is written."""
        parts = [each.label if each.required else f"[{each.label}]" for each in self.taken if each.positional]
        if not all(each.positional for each in self.taken):
            parts.append(wording("cli.help_options", language))
        return " ".join(["zhixing", *self.chain, *parts])

    def about(self, language: Language) -> str:
        """Say what it does."""
        return wording(f"cli.help_{'_'.join(self.chain)}", language)

    def about_taken(self, each: Taken, language: Language) -> str:
        """Say what one of its arguments means."""
        words = section("cli", language)
        own = f"help_{'_'.join(self.chain)}_{each.field}"
        text = words[own] if own in words else words[f"help_any_{each.field}"]
        if each.choices:
            text += wording("cli.help_choices", language, choices=wording("cli.separator", language).join(each.choices))
        if isinstance(each.default, str | int) and not isinstance(each.default, bool):
            text += wording("cli.help_default", language, default=each.default)
        return text


def describe(app: App, chain: Chain) -> Described:
    """Return what the command at `chain` takes."""
    arguments = command_at(app, chain).assemble_argument_collection(parse_docstring=False)
    return Described(chain, tuple(_taken(each) for each in arguments if each.parse))


def chains(app: App, above: Chain = ()) -> Iterator[Chain]:
    """Yield every command that can be called, groups resolved."""
    for name in app:
        below = app[name]
        if below.default_command is None:
            yield from chains(below, (*above, name))
        else:
            yield (*above, name)


def help_page(app: App, chain: Chain, width: int | None) -> list[str]:
    """Return the page of one command, or of a group of them."""
    if is_group(app, chain):
        listed = [(*chain, name) for name in command_at(app, chain)]
        about = [_about_group(each) for each in listed]
        head = wording("cli.help_group", group=" ".join(chain)) if chain else wording("cli.help_all")
        rows = [["  " + " ".join(each), text] for each, text in zip(listed, about, strict=True)]
        return [head, "", *table(rows, width), "", wording("cli.help_more")]
    page = describe(app, chain)
    rows = [["  " + each.written, page.about_taken(each, "zh")] for each in page.taken]
    return [page.usage(), "", page.about("zh"), "", *_paragraphs(rows, width)]


def _about_group(chain: Chain) -> str:
    return wording(f"cli.help_{'_'.join(chain)}")


def _paragraphs(rows: list[list[str]], width: int | None) -> list[str]:
    """Lay out in columns where there is room for them, else one under the other."""
    if width is None or width >= 100:
        return table(rows, None)
    return [line for name, text in rows for line in (name, f"      {text}")]


def _taken(argument: Any) -> Taken:
    kind = argument.field_info.kind
    positional = argument.index is not None
    many = kind is kind.VAR_POSITIONAL
    hint = get_args(argument.hint)[0] if many else argument.hint
    default = argument.field_info.default
    return Taken(
        names=tuple(name for name in argument.names if not name.startswith("--no-")),
        field=argument.field_info.name,
        positional=positional,
        required=argument.required,
        many=many,
        flag=hint is bool,
        choices=_choices(hint),
        default=None if default is argument.field_info.empty else default,
    )


def _choices(hint: Any) -> tuple[str, ...]:
    inside = get_args(hint)
    if inside and all(isinstance(each, str) for each in inside):
        return inside
    return next((found for each in inside if (found := _choices(each))), ())


def reference() -> str:
    """Return docs/cli.md."""
    app = commands()
    parts = [_HEAD]
    for chain in chains(app):
        page = describe(app, chain)
        rows = "".join(f"| `{_cell(each.written)}` | {page.about_taken(each, 'en')} |\n" for each in page.taken)
        parts.append(f"\n## `{page.usage('en')}`\n\n{page.about('en')}\n\n| | |\n|---|---|\n{rows}")
    return "".join(parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(reference())
