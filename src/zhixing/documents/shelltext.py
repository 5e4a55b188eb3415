"""A shell script by lines: what is command, what is comment, and what only looks like either.

Not a parser of shell: quotes, comments, here-documents, continued lines and lists in parentheses are told apart, which
is what remarks about single lines need.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_HERE = re.compile(r"<<(-?)[ \t]*(['\"]?)([A-Za-z_][A-Za-z0-9_]*)\2")
_QUOTE_ENDS = {
    "'": re.compile(r"[^']*+'"),
    "$'": re.compile(r"(?:\\.|[^\\'])*+'"),
    '"': re.compile(r'(?:\\.|[^\\"])*+"'),
}
LONGEST_CODE = 2_000
"""Characters of a line that are looked at."""
STRING = "_"
"""What stands for a string in `ShellLine.code`."""


@dataclass(frozen=True, slots=True)
class ShellLine:
    """One line. `code` is what remains without comments and with strings made `STRING`; `comment` is without its `#`.

    `begins` says that a command may begin with it: it does not continue a string, a list or the line before.
    """

    number: int
    code: str
    comment: str
    begins: bool


def shell_lines(body: str, first_line: int) -> list[ShellLine]:
    """Return the lines of a script, the first of which is line `first_line` of its file."""
    scan = _Scan()
    return [scan.line(number, text) for number, text in enumerate(body.split("\n"), first_line)]


class _Scan:
    """What is open at the end of the line before."""

    def __init__(self) -> None:
        self._quote = ""
        self._here: list[tuple[bool, str]] = []
        self._continued = False
        self._lists = 0

    def line(self, number: int, text: str) -> ShellLine:
        if self._here and not self._quote:
            tabs, word = self._here[0]
            if (text.lstrip("\t") if tabs else text).rstrip("\r") == word:
                self._here.pop(0)
            return ShellLine(number, "", "", begins=False)
        begins = not (self._quote or self._continued or self._lists)
        code, comment = self._split(text.rstrip("\r"))
        self._continued = (
            not comment and bool(re.search(r"(?<!\\)(\\\\)*\\$", text.rstrip("\r"))) and self._quote != "'"
        )
        if self._lists or re.search(r"\w\+?=\(", code):
            self._lists = max(0, self._lists + code.count("(") - code.count(")"))
        return ShellLine(number, code.strip()[:LONGEST_CODE], comment[:LONGEST_CODE], begins)

    def _split(self, text: str) -> tuple[str, str]:
        """Return code and comment of a line, and keep what it leaves open."""
        code: list[str] = []
        at, arithmetic = 0, text.find("((")
        while at < len(text):
            if self._quote:
                at = self._behind_quote(text, at)
                continue
            sign = text[at]
            if sign == "\\":
                code.append(STRING)
                at += 2
            elif sign in "'\"":
                self._quote = "$'" if sign == "'" and text[at - 1 : at] == "$" else sign
                code.append(STRING)
                at += 1
            elif sign == "#" and (at == 0 or text[at - 1] in " \t;&|()"):
                return "".join(code), text[at + 1 :].strip()
            elif not 0 <= arithmetic < at and text[at - 1 : at] != "<" and (found := _HERE.match(text, at)):
                self._here.append((bool(found[1]), found[3]))
                code.append(STRING)
                at = found.end()
            else:
                code.append(sign)
                at += 1
        return "".join(code), ""

    def _behind_quote(self, text: str, at: int) -> int:
        """Return the place behind the end of the open string, or the end of the line."""
        found = _QUOTE_ENDS[self._quote].match(text, at)
        if found is None:
            return len(text)
        self._quote = ""
        return found.end()


def commands(lines: list[ShellLine]) -> Iterator[ShellLine]:
    """Yield the lines with which a command may begin."""
    return (line for line in lines if line.begins and line.code)
