"""A script that is given in the words: in marks, as a path, or as a command that is known. Nothing is made up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath

from zhixing.documents.drafting.words import any_of, commands
from zhixing.language.text import normalise
from zhixing.language.timex import Span

LONGEST_COMMAND = 2_000
"""Characters of a command that is taken out of words."""
_RUN = r"(?:执行|运行|跑(?!步)|启动|调用|用脚本|脚本)"
_BETWEEN = r"(?:一下|下|一次|一遍|一个|个|脚本|命令|程序|文件|[: ]){0,6}"
_QUOTED = re.compile(rf"{_RUN}{_BETWEEN}(?:```(?:[a-z]*\n)?(?P<block>[^`]+)```|`(?P<line>[^`\n]+)`)")
_QUOTED_FIRST = re.compile(
    r"(?:```(?:[a-z]*\n)?(?P<block>[^`]+)```|`(?P<line>[^`\n]+)`)(?= *(?:跑|执行|运行)(?:一下|一次|一遍)?)"
)
_ASCII = r"[!-~]"
_ENDS = " .,;!"


@dataclass(frozen=True, slots=True)
class Command:
    """A command as it was written, and where."""

    words: str
    span: Span
    """Of all the words that ask for it."""


def find_command(text: str) -> Command | None:
    """Return the command that `text` asks to run, or None where it gives none."""
    plain = normalise(text)
    quoted = _QUOTED.search(plain) or _QUOTED_FIRST.search(plain)
    if quoted is not None:
        start, end = quoted.span("block") if quoted["block"] else quoted.span("line")
        return _command(text[start:end].strip(), quoted.span())
    for match in _run().finditer(plain):
        found = _plain(text, plain, match)
        if found is not None:
            return found
    return None


def started(words: str) -> str:
    """Return how `words` are started: a file whose name was said alone is handed to its interpreter."""
    first = words.split(maxsplit=1)[0]
    ending = PurePosixPath(first).suffix.removeprefix(".")
    by = commands().starts.get(ending)
    return words if by is None or first.startswith(("/", "./", "~/")) else f"{by} {words}"


def name_of(words: str) -> str:
    """Return a short name of a command: its file, else the program and what it is to do (git pull)."""
    first, *rest = words.split()
    file = next((piece for piece in (first, *rest[:1]) if PurePosixPath(piece).suffix), first)
    name = PurePosixPath(file).name
    verb = rest[0] if rest and file == first and not PurePosixPath(first).suffix and rest[0].isalpha() else ""
    return f"{name} {verb}".strip()


def reaches_out(words: str) -> bool:
    """Whether a command of `words` is one that talks to other machines."""
    return any(piece in commands().network for piece in re.split(r"[\s|;&()]+", words))


def file_of(words: str) -> str | None:
    """Return the file of the project that `words` start, below the project; None where it is no such file."""
    for piece in words.split()[:2]:
        if PurePosixPath(piece).suffix.removeprefix(".") in commands().starts and not piece.startswith(("/", "~", "-")):
            path = PurePosixPath(piece)
            return None if ".." in path.parts else str(path)
    return None


@cache
def _run() -> re.Pattern[str]:
    known = any_of(commands().known)
    endings = any_of(commands().starts)
    return re.compile(
        rf"{_RUN}{_BETWEEN}(?P<command>"
        rf"(?:{known}(?![A-Za-z0-9_.-])|[A-Za-z0-9_./~-]{{0,200}}\.{endings}(?![A-Za-z0-9])|"
        rf"(?:\./|~/|/)[A-Za-z0-9_./-]+)"
        rf"(?: *{_ASCII})*)"
    )


def _plain(text: str, plain: str, match: re.Match[str]) -> Command | None:
    """Cut a command without marks where the Chinese begins again."""
    start, end = match.span("command")
    words = text[start:end]
    # What follows a blank and is a number with a Chinese unit belongs to the sentence: `ls 3次`.
    behind = re.search(r"(?<! ) +[0-9]+$", words)
    if behind is not None and re.match("[点次遍分时天个月号日]", plain[end : end + 1]):
        words = words[: behind.start()]
    return _command(words.rstrip(_ENDS), (match.start(), start + len(words)))


def _command(words: str, span: Span) -> Command | None:
    return Command(words, span) if words and len(words) <= LONGEST_COMMAND else None
