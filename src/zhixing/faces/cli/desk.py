"""What a command works at: the environment, the clock and the three streams."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, TextIO

import msgspec

from zhixing.faces.cli.layout import NARROWEST, printable, table, wrapped
from zhixing.faces.cli.system import why
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, TooLarge, Unavailable

_USUAL = 80
WHO = "cli"
"""Who the journal says it was."""


@dataclass(frozen=True, slots=True)
class Desk:
    """The surroundings of one command.

    `width` is the columns of a line, None where lines are not broken; `called` is how the program was called.
    """

    env: Mapping[str, str]
    clock: Clock
    stdin: BinaryIO
    out: TextIO
    err: TextIO
    width: int | None = None
    called: str = "zhixing"

    def say(self, *lines: str) -> None:
        """Print lines for a person."""
        self._write("".join(f"{line}\n" for text in lines for line in wrapped(text, self.width)))

    def lay_out(self, rows: list[list[str]]) -> None:
        """Print rows for a person, in columns."""
        self._write("".join(f"{line}\n" for line in table(rows, self.width)))

    def give(self, wire: object) -> None:
        """Print one line of JSON for a program."""
        self.give_line(msgspec.json.encode(wire))

    def give_line(self, line: bytes) -> None:
        """Print one encoded line for a program."""
        self._write(line.decode() + "\n")

    def answer(self, wire: Any, lines: list[str], *, as_json: bool) -> None:
        """Print the same as JSON or as lines."""
        if as_json:
            self.give(wire)
        else:
            self.say(*lines)

    def flush(self) -> None:
        """Hand on what was printed."""
        self._write("")

    def complain(self, line: str) -> None:
        """Print the one line of an error. If even that is impossible, the exit code has to do."""
        try:
            self.err.write(" ".join(printable(line).split("\n")) + "\n")
            self.err.flush()
        except (OSError, ValueError):
            return

    def read_all(self, limit: int) -> str:
        """Return all of standard input; raise `TooLarge` for more than `limit` characters, `BadInput` unless UTF-8."""
        # No character of UTF-8 has more than four bytes; one more may be a mark in front.
        data = self.stdin.read(4 * limit + 4)
        if len(data) >= 4 * limit + 4:
            raise TooLarge("text_long", limit=limit)
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise BadInput("input_not_utf8", line=data[: error.start].count(b"\n") + 1) from error

    def _write(self, text: str) -> None:
        try:
            self.out.write(text)
            self.out.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise Unavailable("output_failed", why=why(error)) from error


def width_of(stream: TextIO, env: Mapping[str, str]) -> int | None:
    """Return the columns of what `stream` leads to: `COLUMNS`, else the terminal's own, None for a pipe or a file."""
    wanted = env.get("COLUMNS", "")
    if wanted.isascii() and wanted.isdecimal() and int(wanted[:6]) > 0:
        return max(NARROWEST, int(wanted[:6]))
    try:
        # A terminal that does not know its size says 0.
        return max(NARROWEST, os.get_terminal_size(stream.fileno()).columns or _USUAL)
    except (OSError, ValueError):
        return None
