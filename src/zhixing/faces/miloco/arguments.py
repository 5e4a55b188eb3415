"""From the words of a command line to what cyclopts reads: `--pretty` anywhere, and values that look like options.

An option that takes a value takes the next word, whatever it begins with (`--description "-10 杯"`), unless that word
is an option of the same command: then the value was forgotten.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cyclopts import App

from zhixing.faces.cli.commands import command_at
from zhixing.faces.cli.options import TYPED
from zhixing.faces.miloco.commands import COMMANDS

PRETTY = "--pretty"
HELP = ("--help", "-h")
_OURS = frozenset({PRETTY, *HELP})


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a command: those that take a value, and those that do not."""

    valued: frozenset[str] = frozenset()
    flags: frozenset[str] = frozenset()

    @property
    def names(self) -> frozenset[str]:
        """All of them."""
        return self.valued | self.flags


@dataclass(frozen=True, slots=True)
class Typed:
    """A command line, sorted: the commands that were recognised, everything as cyclopts reads it, what we read.

    `strange` is the first option that the command does not have.
    """

    chain: tuple[str, ...]
    words: tuple[str, ...]
    options: Options
    pretty: bool
    help: bool
    strange: str | None


def sort_out(argv: Sequence[str], app: App) -> Typed:
    """Sort the words of a command line; none is lost."""
    chain, rest, flags = _command(argv)
    known = Options() if COMMANDS.below(chain) is not None else _options(app, chain)
    words: list[str] = []
    strange: str | None = None
    while rest:
        word = rest.pop(0)
        if COMMANDS.below(chain) is not None or word == "--":
            # No command of ours, or no options any more: whatever follows is taken as it is.
            words.extend([word, *rest])
            break
        if word in _OURS:
            flags.add(word)
        elif word in known.valued and rest and rest[0] not in known.names | _OURS:
            words.append(f"{word}={rest.pop(0)}")
        elif word == "-" or (word.startswith("-") and word[1:2].isdecimal()):
            # Standard input, or a number: neither is an option.
            words.append(TYPED + word)
        else:
            words.append(word)
            if word.startswith("-") and word.partition("=")[0] not in known.names:
                strange = strange or word
    return Typed(chain, (*chain, *words), known, PRETTY in flags, bool(flags & set(HELP)), strange)


def _command(argv: Sequence[str]) -> tuple[tuple[str, ...], list[str], set[str]]:
    """Return the commands at the front, the words behind them, and the flags between them."""
    chain: tuple[str, ...] = ()
    flags: set[str] = set()
    rest = list(argv)
    while rest and (group := COMMANDS.below(chain)) is not None:
        if rest[0] in _OURS:
            flags.add(rest.pop(0))
        elif rest[0] in group:
            chain = (*chain, rest.pop(0))
        else:
            break
    return chain, rest, flags


def _options(app: App, chain: tuple[str, ...]) -> Options:
    arguments = [each for each in command_at(app, chain).assemble_argument_collection() if each.parse]
    takes = {name: each.hint is not bool for each in arguments for name in each.names if name.startswith("-")}
    return Options(
        frozenset(name for name in takes if takes[name]), frozenset(name for name in takes if not takes[name])
    )
