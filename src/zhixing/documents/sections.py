"""An agent's body by sections; what stands between code fences is nobody's words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from zhixing.documents.rules import LONGEST_LINE, table

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(\S.*)$")
_BOLD = re.compile(r"\*\*([^*]{1,40})\*\*[ \t]*[:：]?[ \t]*$")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_MARKER = re.compile(r"(?:[ \t]*(?:[-*+>]|[0-9]{1,3}[.)、]|\[[ xX]\])[ \t]+)*[ \t]*")


@dataclass(frozen=True, slots=True)
class BodyLine:
    """One line outside of code fences, without the marks of a list or a heading."""

    number: int
    text: str
    section: str


@dataclass(slots=True)
class Section:
    """A part of the body: its heading's line and the texts in it. `fenced`: there is a block of code in it."""

    number: int
    lines: list[BodyLine] = field(default_factory=list)
    fenced: bool = False

    @property
    def said(self) -> list[BodyLine]:
        """The lines that say something."""
        return [line for line in self.lines if line.text]


@dataclass(frozen=True, slots=True)
class Outline:
    """All lines, headings among them, and the known sections by name. A section that is there twice is one."""

    lines: tuple[BodyLine, ...]
    sections: dict[str, Section]


def outline(body: str, first_line: int) -> Outline:
    """Return the sections of `body`, whose first line is line `first_line` of its file."""
    lines: list[BodyLine] = []
    sections: dict[str, Section] = {}
    name, level, fence = "", 0, ""
    for number, whole in enumerate(body.replace("\r\n", "\n").split("\n"), first_line):
        text = whole[:LONGEST_LINE]
        mark = _FENCE.match(text)
        if fence:
            # Only a fence of that kind, at least as long and with nothing behind it, closes.
            if mark and mark[1].startswith(fence) and not text[mark.end() :].strip():
                fence = ""
            continue
        if mark:
            fence = mark[1]
            if name:
                sections[name].fenced = True
            continue
        heading = _HEADING.match(text)
        title = heading[2].rstrip(" \t#") if heading else bold[1] if (bold := _BOLD.match(text)) else None
        if title is None:
            line = BodyLine(number, text[_MARKER.match(text).end() :].strip(), name)  # type: ignore[union-attr]
            if name:
                sections[name].lines.append(line)
        else:
            depth = len(heading[1]) if heading else 7
            known = section_of(title)
            # A heading inside of a section belongs to it, unless it begins another one.
            if known or depth <= level:
                name, level = known, depth
                if known:
                    sections.setdefault(known, Section(number))
            line = BodyLine(number, title.strip(), name)
        lines.append(line)
    return Outline(tuple(lines), sections)


def section_of(title: str) -> str:
    """Return which section a heading begins; empty when it is none of the known ones."""
    words: dict[str, list[str]] = table()["sections"]
    return next((name for name, known in words.items() if any(word in title.lower() for word in known)), "")
