"""What the words say about the product besides its name: sources, length, language, form, parts, what to leave out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from msgspec.structs import replace

from zhixing.documents.drafting.wanted import Recognised
from zhixing.documents.drafting.words import any_of, by_word
from zhixing.language.text import normalise
from zhixing.language.timex import Span

MOST_SOURCES = 8
MOST_PARTS = 10
_URL = re.compile(r"https?://[!-~]+")
_PATH = re.compile(
    r"(?<![A-Za-z0-9_./-])(?:[A-Za-z0-9_-]+/)*[A-Za-z0-9_-]+"
    r"\.(?:md|txt|csv|json|jsonl|log|xlsx|yaml|yml|html|tsv)(?![A-Za-z0-9])"
)
_FROM = re.compile(
    r"(?:根据|依据|基于|参考|读取|来源(?:是|为)?)(?P<what>[^,。;!?\n]{2,30}?)(?=写|生成|整理|做|出|汇总|总结|[,。;!?\n]|$)"
)
_LENGTH = re.compile(
    r"(?:(?:不超过|不多于|最多|至多|控制在|限)"
    r"(?P<most>[0-9一二两三四五六七八九十百千]{1,8}) {0,4}(?P<unit>字|条|行|句|段)(?:以?内)?"
    r"|(?P<about>[0-9一二两三四五六七八九十百千]{1,8}(?:到|至|-|~)?[0-9]{0,8}) {0,4}字(?P<within>以内|之内|内|左右)?)"
)
LANGUAGES = "(?P<language>中文|英文|英语|日文|日语|韩文|韩语|法语|德语|西班牙语|俄语|繁体中文|繁体)"
"""A pattern."""
_LANGUAGE = re.compile(
    rf"(?:用|以|写成|翻译成|翻成|译成){LANGUAGES}"
    r"|(?P<bare>中文|英文|日文)(?=摘要|版|报告|简报|总结|日报|周报)"
)
_FORM = re.compile(
    r"(?<![.A-Za-z])(?P<form>JSON|Markdown|CSV|HTML|YAML)(?: *格式)?"
    r"|(?:用|以)(?P<said>表格|列表)(?:的?形式|列出|展示)?",
    re.IGNORECASE,
)
_AVOIDS = re.compile(r"(?:不要(?!忘)|不含|不包括|别写|别带|去掉)(?P<parts>[^,。;!?\n]{1,30})")
_AND = re.compile(r"[、和与及]|以及|还有")
SILENT = "(?:不用|不要|别|无需|不必)(?:再)?(?:发给我|发我|发出来|发送|推送|通知我?|发)"
"""A pattern."""
_SILENT = re.compile(SILENT)


@dataclass(frozen=True, slots=True)
class Details:
    """What was said; empty where nothing was. `spans`: words that say nothing about time."""

    sources: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    length: str = ""
    language: str = ""
    form: str = ""
    wants: tuple[str, ...] = ()
    avoids: tuple[str, ...] = ()
    silent: bool = False
    spans: tuple[Span, ...] = ()

    def kept_with(self, recognised: Recognised) -> Recognised:
        """Return `recognised` with all that was said."""
        return replace(
            recognised,
            sources=self.sources,
            files=self.files,
            length=self.length,
            language=self.language,
            form=self.form,
            wants=self.wants,
            avoids=self.avoids,
            silent=self.silent,
        )


def read_details(text: str) -> Details:
    """Read the details that `text` gives about its product."""
    plain = normalise(text)
    spans: list[Span] = []
    files = _taken(plain, text, _PATH, spans)[:MOST_SOURCES]
    links = _taken(plain, text, _URL, spans)[:MOST_SOURCES]
    named = [match["what"].strip() for match in _FROM.finditer(plain)]
    sources = [*files, *links, *(one for one in named if not any(known in one for known in (*files, *links)))]
    silent = _SILENT.search(plain)
    length, language, form = _LENGTH.search(plain), _LANGUAGE.search(plain), _FORM.search(plain)
    spans += [match.span() for match in (length, form) if match is not None]
    return Details(
        tuple(dict.fromkeys(sources))[:MOST_SOURCES],
        tuple(dict.fromkeys(files)),
        length_of(length),
        "" if language is None else (language["language"] or language["bare"]),
        "" if form is None else (form["form"] or f"Markdown {form['said']}"),
        _parts_in(_wants().search(plain)),
        () if silent is not None else _parts_in(_AVOIDS.search(plain)),
        silent is not None,
        tuple(spans),
    )


def length_of(match: re.Match[str] | None) -> str:
    """Word a length that was said."""
    if match is None:
        return ""
    if match["most"]:
        return f"至多 {match['most']} {match['unit']}"
    return f"{match['about']} 字{match['within'] or ''}"


def parts_of(words: str) -> tuple[str, ...]:
    """Return the parts that are listed, each once: 天气、新闻和日历."""
    pieces = (piece.strip(" 的了吧") for piece in _AND.split(words))
    return tuple(dict.fromkeys(piece for piece in pieces if piece))


def _parts_in(match: re.Match[str] | None) -> tuple[str, ...]:
    return () if match is None else parts_of(match["parts"])[:MOST_PARTS]


@cache
def _wants() -> re.Pattern[str]:
    return re.compile(
        r"(?:要有|包含|包括|内容有|加上|含有|要包括|要包含)(?P<parts>[^,。;!?\n]{1,60}?)"
        rf"(?=的[^,。;的]{{0,8}}{any_of(by_word())}|[,。;!?\n]|$)"
    )


def _taken(plain: str, text: str, pattern: re.Pattern[str], spans: list[Span]) -> list[str]:
    found = list(pattern.finditer(plain))
    spans += [match.span() for match in found]
    return [text[match.start() : match.end()].rstrip(".,;)") for match in found]
