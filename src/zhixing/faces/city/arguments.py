"""From the words of a command line to what cyclopts reads, and the options that every command takes.

Source: downcity.md §4.1. An option that takes a value takes the next word, whatever it begins with (`--body "- 一"`),
unless that word is an option of the same command: then the value was forgotten.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from cyclopts import App

from zhixing.faces.city.commands import COMMANDS
from zhixing.faces.cli.commands import command_at
from zhixing.faces.cli.options import TYPED
from zhixing.faces.cli.usage import Usage
from zhixing.kernel.errors import ZhixingError

HELP = ("--help", "-h")
PATH = "--path"
JSON = "--json"
ELSEWHERE = ("--host", "--port", "--token")
"""How the original reaches a server. The home is opened directly here, so there is none to be reached."""
LATER = ("--delay", "--time")
"""How the original puts any call off. Here a message can be sent later, and a task has its `when`."""

_VALUED = frozenset({PATH, *ELSEWHERE, *LATER})
_COMMON = frozenset({JSON, *_VALUED, *HELP})
_TRUTHS = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a command: those that take a value, those that may take true or false, and those that do not."""

    valued: frozenset[str] = frozenset()
    truths: frozenset[str] = frozenset()
    flags: frozenset[str] = frozenset()

    @property
    def names(self) -> frozenset[str]:
        """All of them."""
        return self.valued | self.truths | self.flags


@dataclass(slots=True)
class Typed:
    """A command line, sorted: the commands that were recognised, everything as cyclopts reads it, what we read.

    `strange` is the first option that the command does not have, `wrong` the first thing wrong with the common ones.
    """

    chain: tuple[str, ...] = ()
    words: list[str] = field(default_factory=list)
    options: Options = field(default_factory=Options)
    path: str | None = None
    as_json: bool = True
    help: bool = False
    strange: str | None = None
    wrong: ZhixingError | None = None

    @property
    def argv(self) -> list[str]:
        """What cyclopts reads."""
        return [*self.chain, *self.words]


def sort_out(argv: Sequence[str], app: App) -> Typed:
    """Sort the words of a command line; none is lost."""
    typed, rest = Typed(), list(argv)
    while rest and (group := COMMANDS.below(typed.chain)) is not None:
        if _is_common(rest[0], typed):
            _take_common(rest, typed)
        elif rest[0] in group:
            typed.chain = (*typed.chain, rest.pop(0))
        else:
            break
    if COMMANDS.below(typed.chain) is not None:
        # No command of ours: whatever follows is taken as it is, but for how to say so.
        while rest:
            if _is_common(rest[0], typed):
                _take_common(rest, typed)
            else:
                typed.words.append(rest.pop(0))
        return typed
    typed.options = options_of(app, typed.chain)
    _sort_words(rest, typed)
    return typed


def options_of(app: App, chain: Sequence[str]) -> Options:
    """Return the options of a command, by how they are written."""
    arguments = [each for each in command_at(app, chain).assemble_argument_collection() if each.parse]
    kinds = {name: each.hint for each in arguments for name in each.names if name.startswith("--")}
    truths = frozenset(name for name, hint in kinds.items() if hint == bool | None)
    flags = frozenset(name for name, hint in kinds.items() if hint is bool)
    return Options(frozenset(kinds) - truths - flags, truths, flags)


def _sort_words(rest: list[str], typed: Typed) -> None:
    known = typed.options
    while rest:
        word = rest.pop(0)
        if word == "--":
            typed.words.extend([word, *rest])
            return
        if _is_common(word, typed):
            rest.insert(0, word)
            _take_common(rest, typed)
        elif word in known.valued and rest and rest[0] not in known.names | _COMMON:
            typed.words.append(f"{word}={rest.pop(0)}")
        elif word in known.truths and rest and rest[0].lower() in _TRUTHS:
            typed.words.append(f"{word}={rest.pop(0).lower()}")
        elif word == "-" or (word.startswith("-") and word[1:2].isdecimal()):
            # Standard input, or a number: neither is an option.
            typed.words.append(TYPED + word)
        else:
            typed.words.append(word)
            if word.startswith("-") and word.partition("=")[0] not in known.names:
                typed.strange = typed.strange or word


def _is_common(word: str, typed: Typed) -> bool:
    name = word.partition("=")[0]
    return name in _COMMON and name not in typed.options.names


def _take_common(rest: list[str], typed: Typed) -> None:
    name, given, value = rest.pop(0).partition("=")
    if name in HELP:
        typed.help = True
    elif name == JSON:
        if not given and rest and rest[0].lower() in _TRUTHS:
            value, given = rest.pop(0), "="
        if given and value.lower() not in _TRUTHS:
            typed.wrong = typed.wrong or Usage("choice_unknown", name=JSON, value=value[:64], choices="true、false")
        typed.as_json = _TRUTHS.get(value.lower(), True) if given else True
    else:
        if not given and rest:
            value, given = rest.pop(0), "="
        _take_valued(name, value if given else None, typed)


def _take_valued(name: str, value: str | None, typed: Typed) -> None:
    if name in ELSEWHERE:
        typed.wrong = typed.wrong or Usage("city_elsewhere", name=name)
    elif name in LATER:
        typed.wrong = typed.wrong or Usage("city_later", name=name)
    elif not value:
        typed.wrong = typed.wrong or Usage("usage_value_missing", name=name, usage=f"{name} DIR")
    else:
        typed.path = value
