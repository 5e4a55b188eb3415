"""What a reader sees of a page of HTML, as text.

A scanner of its own, because the one of the standard library takes quadratic time for pages that are written to that
end (half a megabyte of `<!--` keeps it busy for minutes). Here every character is looked at a bounded number of times.
It follows the tokenizer of the HTML standard where pages depend on it: comments, quoted attributes, raw text.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urljoin

LONGEST_TEXT = 200_000
"""Characters of text that are kept."""
LONGEST_TITLE = 300
MOST_LINKS = 1_000
"""Links whose address is kept; of the others the words are."""
LONGEST_LINK = 500

_TAG = re.compile(
    r"""<(?P<end>/?)(?P<name>[a-zA-Z][^\s/>]*+)(?P<attributes>(?:[^>=]|=\s*+(?:"[^"]*+"|'[^']*+')?+)*+)>"""
)
_ATTRIBUTE = re.compile(r"""(?<![^\s/"'])([^\s=/"'>]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""")
_SKIPPED = {"script", "style", "template", "svg", "math", "iframe", "object", "noembed", "noframes", "select"}
_RAW = {*_SKIPPED, "title", "textarea"}
_ENDS = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in _RAW}
_BLOCKS = {
    *("address", "article", "aside", "blockquote", "body", "br", "dd", "details", "div", "dl", "dt", "fieldset"),
    *("figcaption", "figure", "footer", "form", "header", "hr", "html", "li", "main", "nav", "ol", "p", "pre"),
    *("section", "summary", "table", "tbody", "thead", "tr", "ul", "h1", "h2", "h3", "h4", "h5", "h6"),
}
_MARKS = {"li": "- ", "td": "| ", "th": "| ", **{f"h{level}": "#" * level + " " for level in range(1, 7)}}


@dataclass(frozen=True, slots=True)
class Readable:
    """A page as a reader sees it."""

    title: str
    text: str
    is_whole: bool


@dataclass(slots=True)
class _Page:
    """What has been read so far."""

    address: str
    title: str = ""
    lines: list[str] = field(default_factory=list)
    line: list[str] = field(default_factory=list)
    size: int = 0
    links: int = 0
    link: str = ""
    linked_from: int = 0

    def say(self, words: str) -> None:
        self.line.append(words)
        self.size += len(words)

    def end_line(self) -> None:
        if "".join(self.line[self.linked_from :]).strip():
            self.close_link()
        text = " ".join("".join(self.line).split())
        self.line.clear()
        self.linked_from = 0
        if text and text not in {"-", "|"} and text.strip("# "):
            self.lines.append(text)

    def open_link(self, target: str) -> None:
        self.close_link()
        if target and self.links < MOST_LINKS and len(target) <= LONGEST_LINK:
            self.links += 1
            self.link = _absolute(self.address, target)
            self.linked_from = len(self.line)

    def close_link(self) -> None:
        if self.link and "".join(self.line[self.linked_from :]).strip():
            self.say(f" ({self.link})")
        self.link = ""


def readable(page: str, address: str) -> Readable:
    """Return the text of a page that was found at `address`, which its links are relative to."""
    seen = _Page(address)
    for kind, words in _tokens(page):
        if seen.size > LONGEST_TEXT:
            break
        _take(seen, kind, words)
    seen.end_line()
    text = "\n".join(seen.lines)
    is_whole = seen.size <= LONGEST_TEXT and len(text) <= LONGEST_TEXT
    return Readable(" ".join(seen.title.split())[:LONGEST_TITLE], text[:LONGEST_TEXT], is_whole)


def _take(seen: _Page, kind: str, words: str) -> None:
    if kind == "":
        seen.say(html.unescape(words))
    elif kind == "title":
        seen.title = seen.title or html.unescape(words[: 4 * LONGEST_TITLE])
    elif kind == "textarea":
        seen.say(html.unescape(words))
    elif kind == "a":
        seen.open_link(_attribute(words, "href"))
    elif kind == "/a":
        seen.close_link()
    elif kind == "img":
        seen.say(_attribute(words, "alt"))
    else:
        name = kind.removeprefix("/")
        if name in _BLOCKS:
            seen.end_line()
        if kind in _MARKS:
            seen.say(" " + _MARKS[kind])
        elif kind in {"/td", "/th"}:
            seen.say(" ")


def _tokens(page: str) -> Iterator[tuple[str, str]]:
    """Yield words as ("", words), tags as (name, attributes), ends as ("/name", ""), raw text as (name, content)."""
    place = 0
    while (start := page.find("<", place)) >= 0:
        if start > place:
            yield "", page[place:start]
        following = page[start + 1 : start + 4]
        if following == "!--":
            place = _after(page, "-->", start + 4)
        elif following[:1] in {"!", "?"} or (following[:1] == "/" and not following[1:2].isalpha()):
            place = _after(page, ">", start + 1)
        elif tag := _TAG.match(page, start):
            name = tag["name"].lower()
            place = tag.end()
            yield tag["end"] + name, tag["attributes"]
            if name in _RAW and not tag["end"]:
                end = _ENDS[name].search(page, place)
                content = page[place : end.start()] if end else page[place:]
                place = end.start() if end else len(page)
                if name not in _SKIPPED:
                    yield name, content
        elif following[:1].isascii() and following.lstrip("/")[:1].isalpha():
            # A tag that never ends: the standard drops it, and the page ends with it.
            return
        else:
            yield "", "<"
            place = start + 1
    yield "", page[place:]


def _after(page: str, mark: str, place: int) -> int:
    found = page.find(mark, place)
    return len(page) if found < 0 else found + len(mark)


def _attribute(attributes: str, name: str) -> str:
    for found in _ATTRIBUTE.finditer(attributes):
        if found[1].lower() == name:
            return html.unescape(found[2] or found[3] or found[4] or "").strip()
    return ""


def _absolute(address: str, target: str) -> str:
    try:
        whole = urljoin(address, target)
    except ValueError:
        return ""
    return whole if whole.startswith(("http://", "https://")) and whole.isprintable() and " " not in whole else ""
