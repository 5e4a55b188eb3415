"""Reading the words a rule answers with: what the engine does by itself, and what needs judgement. Pure.

Document 000 §Rule.action gives the form: `<record phrase>[；<notification>]`. Clauses stand between 「；」. The first
one may be a record phrase; a notification is 「[condition]使用<channel>通知：<content>」 to the letter, but for blanks
and widths. Whatever is neither is `rest`: nobody here guesses what 「检查……若已结束则复位」 wants.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

LONGEST_CONTENT = 500
"""Characters kept of what is to be told or appended."""


class Phrase(StrEnum):
    """What a record phrase writes."""

    COUNT = "count"
    EVENT = "event"
    START = "start"
    END = "end"


class Medium(StrEnum):
    """The three ways of telling that the document knows (§通道反问)."""

    SPEAKER = "speaker"
    """音箱播报"""
    PHONE = "phone"
    """手机推送"""
    CHAT = "chat"
    """AI 对话"""


class When(StrEnum):
    """What a notification depends on."""

    ALWAYS = "always"
    FIRST = "first"
    """首次达标时: only with the write that reaches the target of the period."""
    REACHED = "reached"
    """若已达标: whenever the target of the period is reached."""


@dataclass(frozen=True, slots=True)
class RecordPhrase:
    """A write to the record of the task; `description` only of an event."""

    phrase: Phrase
    description: str = ""


@dataclass(frozen=True, slots=True)
class Notification:
    """Words to be told."""

    medium: Medium
    text: str
    when: When = When.ALWAYS


@dataclass(frozen=True, slots=True)
class Desc:
    """What a desc asks for, in its order. `rest` are the clauses that need the household agent."""

    record: RecordPhrase | None = None
    notifications: tuple[Notification, ...] = ()
    rest: tuple[str, ...] = ()


_NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0xA0: 0x20}
"""Full width to half width, one character for one, so that spans stay valid."""

_MEDIA = {"音箱播报": Medium.SPEAKER, "手机推送": Medium.PHONE, "ai对话": Medium.CHAT}

_PERIOD = r"(?:今日|今天|当日|本日|本周|本月|本期)?"
_NOTIFICATION = re.compile(
    r"(?:(?P<first>(?:首次)?达标时)"
    rf"|(?P<reached>(?:(?:若|如果|如)|每次退出时?\s*(?:且|并且|若|如果))\s*{_PERIOD}\s*(?:已|已经)达标(?:时|则|就)?)"
    r")?\s*,?\s*使用\s*(?P<medium>音箱\s*播报|手机\s*推送|AI\s*对话)\s*通知\s*:\s*(?P<text>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_PLAIN_PHRASES = {
    "计数加一": Phrase.COUNT,
    "+1": Phrase.COUNT,
    "开始计时": Phrase.START,
    "记录起点": Phrase.START,
    "记录计时起点": Phrase.START,
    "结束计时": Phrase.END,
    "记录终点": Phrase.END,
    "记录计时终点": Phrase.END,
}
_COUNT = re.compile(r"[^\s,:。+]{0,20}[数次](?:加一|加1|\+1)")
_DENIED = re.compile(r"[不别勿没未无非停禁若否]|如果|当(?![天日月])|取消|撤|减")
"""Words in front of a count that make it something else than a count."""
_EVENT = re.compile(r"事件追加\s*:\s*(?P<text>\S.*)", re.DOTALL)


@lru_cache(maxsize=4096)
def read_desc(text: str) -> Desc:
    """Read one desc. Never raises: what cannot be read is `rest`."""
    narrow = text.translate(_NARROW)
    record: RecordPhrase | None = None
    notifications: list[Notification] = []
    rest: list[str] = []
    first = True
    for start, end in _clauses(narrow):
        clause = narrow[start:end]
        found = _record_phrase(clause, text[start:end]) if first else None
        first = False
        if found is not None:
            record = found
            continue
        match = _NOTIFICATION.fullmatch(clause)
        if match is None:
            rest.append(one_line(text[start:end]))
            continue
        medium = _MEDIA["".join(match["medium"].split()).lower()]
        when = When.FIRST if match["first"] else When.REACHED if match["reached"] else When.ALWAYS
        notifications.append(Notification(medium, one_line(text[start + match.start("text") : end]), when))
    return Desc(record, tuple(notifications), tuple(rest))


def one_line(text: str) -> str:
    """Return words as one bounded line."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text[: 2 * LONGEST_CONTENT]).split())
    return line if len(line) <= LONGEST_CONTENT else line[: LONGEST_CONTENT - 1] + "…"


def _clauses(narrow: str) -> list[tuple[int, int]]:
    """Return the spans of the clauses, without the blanks around them."""
    spans = []
    for found in re.finditer(r"[^;]+", narrow):
        clause = found[0].strip()
        if clause:
            start = found.start() + found[0].index(clause)
            spans.append((start, start + len(clause)))
    return spans


def _record_phrase(clause: str, original: str) -> RecordPhrase | None:
    event = _EVENT.fullmatch(clause)
    if event is not None:
        return RecordPhrase(Phrase.EVENT, one_line(original[event.start("text") :]))
    words = "".join(clause.split()).rstrip("。.!")
    plain = _PLAIN_PHRASES.get(words)
    if plain is not None:
        return RecordPhrase(plain)
    counts = _COUNT.fullmatch(words) is not None and _DENIED.search(words) is None
    return RecordPhrase(Phrase.COUNT) if counts else None
