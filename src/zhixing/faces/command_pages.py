"""The pages of a command line that is a tree: help for people, and the page in docs that lists everything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from cyclopts import App

from zhixing.faces.cli.layout import table
from zhixing.faces.cli.reference import Taken, describe
from zhixing.faces.command_tree import Chain, CommandTree
from zhixing.kernel.wording import Language, section, wording

Written = Callable[[App, Chain, Taken], str]
"""Writes how an argument or option of a command is typed."""


@dataclass(frozen=True, slots=True)
class CommandPages:
    """The pages of `commands`, whose words are in the section `words` of the catalogue.

    `common` says what every command takes besides, "" where nothing is to be said.
    """

    commands: CommandTree
    words: str
    written: Written
    common: str = ""

    def usage_of(self, app: App, chain: Chain, language: Language = "zh") -> str:
        """Return how a command, or a group of them, is written."""
        if self.commands.below(chain) is not None:
            return " ".join((self.commands.program, *chain, "--help"))
        taken = taken_by(app, chain)
        parts = [_positional(each) for each in taken if each.positional]
        parts += [each.written for each in taken if not each.positional and each.required]
        if any(not each.positional and not each.required for each in taken):
            parts.append(wording("cli.help_options", language))
        return " ".join((self.commands.program, *chain, *parts))

    def help_page(self, app: App, chain: Chain, width: int | None) -> list[str]:
        """Return the page of one command, or of a group of them."""
        group = self.commands.below(chain)
        if group is not None:
            rows = [["  " + " ".join((*chain, name)), self._about((*chain, name), "zh")] for name in group]
            return [self._say("help_all"), "", *table(rows, width), "", self._say("help_more")]
        taken = taken_by(app, chain)
        rows = [["  " + self.written(app, chain, each), self._about_taken(chain, each, "zh")] for each in taken]
        lines = [self.usage_of(app, chain), "", self._about(chain, "zh")]
        if not rows:
            return lines
        return [*lines, "", *table(rows, None), *(["", self._say(self.common)] if self.common else [])]

    def section(self, app: App, chain: Chain) -> Iterator[str]:
        """Yield the part of the page in docs that is about one command: how it is written, and what it takes."""
        yield f"\n## `{self.usage_of(app, chain, 'en')}`\n\n{self._about(chain, 'en')}\n"
        taken = taken_by(app, chain)
        if taken:
            rows = (
                f"| `{_cell(self.written(app, chain, each))}` | {_cell(self._about_taken(chain, each, 'en'))} |\n"
                for each in taken
            )
            yield "\n| | |\n|---|---|\n" + "".join(rows)

    def _say(self, key: str) -> str:
        return wording(f"{self.words}.{key}")

    def _about(self, chain: Chain, language: Language) -> str:
        return wording(f"{self.words}.help_{_key(chain)}", language)

    def _about_taken(self, chain: Chain, each: Taken, language: Language) -> str:
        words = section(self.words, language)
        field = each.field.rstrip("_")
        own = f"help_{_key(chain)}_{field}"
        text = words[own] if own in words else words[f"help_any_{field}"]
        if each.choices:
            text += wording("cli.help_choices", language, choices=wording("cli.separator", language).join(each.choices))
        if each.default and isinstance(each.default, str | int) and not isinstance(each.default, bool):
            text += wording("cli.help_default", language, default=each.default)
        return text


def taken_by(app: App, chain: Chain) -> tuple[Taken, ...]:
    """Return the arguments and options of a command; what only bundles several of them is none."""
    return tuple(each for each in describe(app, chain).taken if each.names != ("*",))


def _key(chain: Chain) -> str:
    return "_".join(chain).replace("-", "_")


def _positional(each: Taken) -> str:
    return each.label if each.required else f"[{each.label}]"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
