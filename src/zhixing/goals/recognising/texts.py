"""Text as it is read: without what could be taken for a card or a marker, cut at separators that are not inside quotes.

Everything a card or a block holds of somebody's words has gone through `plain` (or comes from a card, and goes through
it again): no control characters, no marker, no tag of a card.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from zhixing.goals.recognising.model import LONGEST_ITEM, MOST_CLAUSES, MOST_ITEMS, MOST_MESSAGES, MOST_TEXT, Message

RESUME = "[RESUME_TASK]"
PENDING = "[待处理任务]"
_MARKERS = re.compile(r"\[ *(?:RESUME_TASK|待处理任务|EXPLICIT_TASK) *\]", re.IGNORECASE)
_OPENS = re.compile(r"< *AixUI\b", re.IGNORECASE)
_CLOSES = re.compile(r"< */ *AixUI *>?", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_BLANKS = re.compile(r"[ \t\u00a0\u3000\u2000-\u200a\u202f]+")
_LINK = re.compile(
    r"\[([^\[\]\n]{0,100})\]\((https?://[^\s()<>\"']{1,2000})\)|https?://[A-Za-z0-9\-._~:/?#@!$&*+,;=%()\[\]]+"
)
_POINTS = re.compile(
    r"(?:[A-Za-z#0-9/]{1,12}|文档|链接|地址|参考|设计稿|需求|原型|截图|页面|工单|单子|附上|详见|见|是|在|这里|这个|这|的|看|如下|[：: ,，、])*"
)
_TAIL = re.compile(r"[.,;:!?)\]]+$")
_OPENING = {
    "「": "」",
    "『": "』",
    "“": "”",
    "‘": "’",
    "《": "》",
    "（": "）",
    "(": ")",
    "【": "】",
    '"': '"',
    "`": "`",
}
_BULLET = re.compile(r"^\s*(?:[-*+•·]\s+|\d{1,2}\s*[.、)）](?!\d)\s*|[（(]\d{1,2}[)）]\s*|[①②③④⑤⑥⑦⑧⑨⑩]\s*)")
_INLINE_NUMBER = re.compile(r"(?:^|(?<=[\s；;。，,：:]))(?:\d{1,2}\s*[.、)）](?!\d)\s*|[①②③④⑤⑥⑦⑧⑨⑩]\s*)")


def bounded(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return the newest messages as far as the bounds go; the last is cut where it alone is too long."""
    left = MOST_TEXT
    kept: list[Message] = []
    for message in reversed(messages[-MOST_MESSAGES:]):
        if left <= 0:
            break
        kept.append(Message(message.role, message.text[:left]))
        left -= len(message.text)
    return tuple(reversed(kept))


def plain(text: str) -> str:
    """Return the text up to the first thing in it that looks like a marker, without cards and control characters."""
    text = _without_cards(_CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))
    found = _MARKERS.search(text)
    return _BLANKS.sub(" ", text[: found.start()] if found else text).strip()


def _without_cards(text: str) -> str:
    pieces, at = [], 0
    while opened := _OPENS.search(text, at):
        pieces.append(text[at : opened.start()])
        closed = _CLOSES.search(text, opened.end())
        at = closed.end() if closed else len(text)
    return _CLOSES.sub("", "".join((*pieces, text[at:])))


def line(text: str) -> str:
    """Return a text in one bounded line."""
    return " ".join(plain(text).split())[:LONGEST_ITEM]


def item(text: str) -> str:
    """Return one value: one line, bounded, without separators and marks around it."""
    one = " ".join(plain(text).split())
    one = _BULLET.sub("", one).strip(" ；;，,。、|*_：:").strip()
    return one[:LONGEST_ITEM]


def links(text: str) -> tuple[tuple[str, ...], str]:
    """Return the links of a text, each once, and the text without them.

    Inside a sentence 「该链接」 stands for the link, so that the sentence stays one.
    """
    found: list[str] = []
    pieces: list[str] = []
    at = 0
    for match in _LINK.finditer(text):
        link = match[2] or _trimmed(match[0])
        end = match.end() if match[2] else match.start() + len(link)
        found.append(link)
        pieces.append(_without_pointer(text[at : match.start()]))
        if match[2]:
            pieces.append("" if _stands_alone(text, match.start(), end) else match[1])
        elif re.match(r"\s*[的里中上内这]", text[end:]) and re.search(r"[一-龥]\s*$", text[: match.start()]):
            pieces.append("该链接")
        at = end
    left = re.sub(r"[（(]\s*(?:见|详见|参考|链接|地址)?\s*[:：]?\s*[)）]", "", "".join((*pieces, text[at:])))
    return tuple(dict.fromkeys(found))[:MOST_ITEMS], re.sub(r"(?<=该链接) +(?=[一-龥])", "", left) if found else text


def _without_pointer(text: str) -> str:
    """Return what stands before a link without the words that only say that one follows (PR：, 设计稿见)."""
    begins = max(map(text.rfind, "；;。，,！!\n")) + 1
    return text[:begins] if _POINTS.fullmatch(text, begins) else text


def _stands_alone(text: str, start: int, end: int) -> bool:
    return (
        re.search(r"(?:^|[：:；;，,。\n])\s*$", text[:start]) is not None
        and re.match(r"\s*(?:$|[；;，,。\n])", text[end:]) is not None
    )


def _trimmed(link: str) -> str:
    shorter = _TAIL.sub("", link)
    return link if link.count("(") and link.endswith(")") and link.count("(") == link.count(")") else shorter


def cut(text: str, separators: str) -> list[str]:
    """Return the pieces between any of `separators`, but for those inside quotes and brackets; no empty ones."""
    pieces, start = [], 0
    for place in _bare(text, separators):
        pieces.append(text[start:place])
        start = place + 1
    pieces.append(text[start:])
    return [each for each in map(str.strip, pieces) if each]


def clauses_of(text: str) -> list[str]:
    """Return the clauses of a reply, one after another."""
    pieces = numbered(text) or cut(text, "；;。\n")
    return [clause for piece in pieces for clause in cut(piece, "，,")][:MOST_CLAUSES]


def _bare(text: str, separators: str) -> Iterable[int]:
    closing = ""
    for place, char in enumerate(text):
        if closing:
            if char in (closing, "\n"):
                closing = ""
            if char != "\n":
                continue
        elif char in _OPENING and _OPENING[char] in text[place + 1 : place + 200]:
            closing = _OPENING[char]
            continue
        # A full stop or comma between digits or letters is no end: 5.7, release/2.3, 1,000.
        if char in separators and not (char in ".," and re.match(r"\w.\w", text[place - 1 : place + 2])):
            yield place


def lines(text: str) -> list[str]:
    """Return the lines that hold something."""
    return [line for line in map(str.strip, text.split("\n")) if line]


def numbered(text: str) -> list[str]:
    """Return the entries of a numbered or bulleted list, also where it stands in one line; [] where there is none."""
    rows = lines(text)
    if len(rows) > 1 and all(_BULLET.match(row) for row in rows):
        return [_BULLET.sub("", row).strip() for row in rows]
    places = list(_INLINE_NUMBER.finditer(text))
    if len(places) < 2 or text[: places[0].start()].strip():
        return []
    ends = [match.start() for match in places[1:]] + [len(text)]
    return [text[match.end() : end].strip(" ；;，,。\n") for match, end in zip(places, ends, strict=True)]


def overlap(one: str, other: str) -> int:
    """Return how many pairs of neighbouring characters two texts share."""
    pairs = [{text[n : n + 2].lower() for n in range(len(text) - 1)} for text in (one, other)]
    return len(pairs[0] & pairs[1])
