"""Does a sentence ask for a product that somebody has to write, collect or compute, or for a script to be run? Pure.

A verb of making with a product behind it, in one clause, and nothing that speaks against it. Verbs that people use of
their own to-do (写, 做) need a wish (给我), a frame (新建一个任务), a measure (一份) or a rhythm beside them; without
one the sentence is not certain, and `needs_model` says so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo

from msgspec import structs

from zhixing.documents.drafting import vetoes
from zhixing.documents.drafting.commands import Command, file_of, find_command, name_of
from zhixing.documents.drafting.details import read_details
from zhixing.documents.drafting.stretches import MASK, stretches
from zhixing.documents.drafting.timing import read_timing
from zhixing.documents.drafting.wanted import MANUAL, ONCE, Mark, Recognised, Timing
from zhixing.documents.drafting.words import Product, any_of, by_word, phrases
from zhixing.documents.model import Kind
from zhixing.kernel.claims import Basis
from zhixing.language.expressions import read_times
from zhixing.language.text import normalise
from zhixing.language.timex import CalendarDate, RelativeDay, Span

LONGEST_WISH = 1_000
"""Characters of a sentence that is looked at."""
SCRIPT = "脚本"
_WEEKEND = "周末"
_FARTHEST = 40
"""Characters between a verb and its product."""
_CLAUSE = re.compile(r"[^,。;!?\n]+")
_GIVEN = re.compile(r"(?:根据|依据|基于|参考) *[^ ,。;]")
"""A source is given: nobody says of his own to-do what it is written from."""
_NO_PRODUCT = re.compile(r"[厅会社员到价销名馆架]")
"""What makes another word of a product: 报告厅, 方案会."""
_CALLS_FOR = re.compile(
    r"(?:帮我|给我|替我|帮忙)[^,。;]{0,12}?(?:查|搜|找|看看|盯着|研究|调研|了解|关注|算|检查|监控|统计|写|做|弄|推荐|讲讲|整理)(?=[^,。;]{2})"
)


@dataclass(frozen=True, slots=True)
class Pair:
    """A verb and the product behind it. `made`: the verb is one of the machine's; `measured`: 一份, 个 between them."""

    verb: Span
    product: Span
    word: str
    kind: Product
    made: bool
    measured: bool
    content: Span
    """What it is about and the product: 一份「圣诞文案」. Nothing in it says when."""


def is_document(text: str) -> bool:
    """Whether `text` certainly asks for a product or for a script that it gives."""
    return _wanted(text) is not None


def recognise(text: str, *, now: datetime, zone: ZoneInfo) -> Recognised | None:
    """Read what `text` asks for; None where it asks for no product, or not certainly."""
    found = _wanted(text)
    if found is None:
        return None
    if isinstance(found, Command):
        return _script(text, found, now, zone)
    return _product(text, found, now, zone)


def needs_model(text: str) -> bool:
    """Whether `text` may ask for a product without its being certain, so that a model should say."""
    plain = _plain(text)
    if not plain or _wanted(text) is not None or _speaks_against(plain):
        return False
    if vetoes.asks(plain) and _wishes().search(plain) is None:
        return False
    if find_pair(plain) is not None:
        return True
    return _CALLS_FOR.search(plain) is not None and not _is_chore(plain)


def find_pair(plain: str) -> Pair | None:
    """Return the last pair of a verb and a product in normalised `plain`."""
    found = None
    for clause in _CLAUSE.finditer(plain):
        for product in _product_words().finditer(clause[0]):
            start, end = clause.start() + product.start(), clause.start() + product.end()
            if _NO_PRODUCT.match(plain, end):
                continue
            pair = _verb_before(plain, clause.start(), (start, end), product[0]) or _taken_in_hand(plain, (start, end))
            if pair is not None:
                found = pair
    return found


def _plain(text: str) -> str:
    return "" if len(text) > LONGEST_WISH or not text.strip() else normalise(text).strip()


def _wanted(text: str) -> Pair | Command | None:
    plain = _plain(text)
    if not plain or _speaks_against(plain):
        return None
    command = find_command(text)
    pair = find_pair(plain)
    if command is not None and (pair is None or not _is_certain(pair, plain)):
        return None if vetoes.asks(plain) else command
    if pair is None or vetoes.asks(plain):
        return None
    return pair if _is_certain(pair, plain) else None


def _speaks_against(plain: str) -> bool:
    wished = _wishes().search(plain) is not None
    return (
        vetoes.reminds(plain)
        or vetoes.is_about_the_home(plain)
        or vetoes.is_about_tasks(plain)
        or (vetoes.is_over(plain) and not wished)
        or (vetoes.is_handed_out(plain) and not wished)
        or vetoes.does_it_himself(plain, _wishes())
    )


def _is_certain(pair: Pair, plain: str) -> bool:
    """Whether the verb is asked of the machine: by itself, by a wish or frame, by a measure, or by a rhythm."""
    if pair.made or _wishes().search(plain) is not None or vetoes.is_framed(plain):
        return True
    if pair.kind.own:
        return _GIVEN.search(plain) is not None
    if pair.measured:
        return True
    return re.search(r"每|工作日|天天|隔[周天]|周一到周", plain) is not None


def _verb_before(plain: str, first: int, product: Span, word: str) -> Pair | None:
    start = max(first, product[0] - _FARTHEST)
    verbs = list(_verbs().finditer(plain, start, product[0]))
    if not verbs:
        return None
    verb = verbs[-1]
    between = plain[verb.end() : product[0]]
    if _handles().search(between):
        return None
    words = plain[verb.start() : product[0]]
    measure = _measures().search(words)
    made = verb[0] in phrases().machine
    content = product if measure is None else (verb.start() + measure.end(), product[1])
    return Pair(verb.span(), product, word, by_word()[word], made, measure is not None, content)


_LONGEST_HOLD = 13
"""Characters of 把 and of what stands between it and the product."""
_BEHIND = re.compile(r"(?:给我|帮我)?(?P<verb>写|做|整理|生成|汇总|出)(?:好|出来|完)?(?=[了给发,。; ]|$)")


def _taken_in_hand(plain: str, product: Span) -> Pair | None:
    """Return the pair of 把周报写了: the product before its verb."""
    before = re.search(r"把[^,。;]{0,12}$", plain[max(0, product[0] - _LONGEST_HOLD) : product[0]])
    behind = _BEHIND.match(plain, product[1])
    if before is None or behind is None:
        return None
    word = plain[product[0] : product[1]]
    return Pair(behind.span("verb"), product, word, by_word()[word], made=False, measured=False, content=product)


def _is_chore(plain: str) -> bool:
    return re.search(r"[买点订]|外卖|电话|[开关][灯门窗]|空调|窗帘|音乐|歌", plain) is not None


@cache
def _product_words() -> re.Pattern[str]:
    return re.compile(any_of(by_word()))


@cache
def _verbs() -> re.Pattern[str]:
    given = r"(?:给我|为我|发我|发给我|来)(?:一|两|三|[0-9])?[份篇个张段首封期]"
    return re.compile(rf"{given}|写进(?!度|展|程)|{any_of((*phrases().machine, *phrases().plain))}")


@cache
def _measures() -> re.Pattern[str]:
    return re.compile(any_of(phrases().measures))


@cache
def _handles() -> re.Pattern[str]:
    return re.compile(any_of(phrases().handles))


@cache
def _wishes() -> re.Pattern[str]:
    return re.compile(any_of(phrases().wishes))


# What was found, in full


def _script(text: str, command: Command, now: datetime, zone: ZoneInfo) -> Recognised:
    start = text.find(command.words, command.span[0])
    timing = read_timing(text, now=now, zone=zone, aside=((start, max(start + len(command.words), command.span[1])),))
    plain = normalise(text)
    outside = f"{plain[:start]}{MASK * len(command.words)}{plain[start + len(command.words) :]}"
    covered = stretches(outside, now.astimezone(zone).date()).covers
    timing = _with_left(timing, [text[first:last] for first, last in covered])
    file = file_of(command.words)
    return Recognised(
        text=text.strip(),
        kind=Kind.SCRIPT,
        product=SCRIPT,
        entry="script",
        timing=timing,
        topic=name_of(command.words),
        command=command.words,
        files=() if file is None else (file,),
    )


def _product(text: str, pair: Pair, now: datetime, zone: ZoneInfo) -> Recognised:
    details = read_details(text)
    timing = read_timing(text, now=now, zone=zone, aside=(pair.content, *details.spans))
    timing = _usual(timing, pair.kind)
    covered = stretches(normalise(text), now.astimezone(zone).date()).covers
    timing = _with_what_is_inside(timing, text, pair.content, covered)
    timing = _with_left(timing, [_WEEKEND for start, end in covered if _is_aside(text[start:end], start, pair)])
    recognised = Recognised(
        text=text.strip(),
        kind=Kind.AGENT,
        product=pair.word,
        entry=pair.kind.key,
        timing=timing,
        topic=topic_of(text, pair, (*timing.spans, *details.spans, *covered)),
        matter=matter_of(text, timing),
        covers=covers_of(text, covered),
    )
    return details.kept_with(recognised)


def _usual(timing: Timing, kind: Product) -> Timing:
    """Return `timing` with the hour that is usual for this product, where no hour was said."""
    default = next((mark for mark in timing.marks if mark.evidence == "hour_default"), None)
    if kind.hour is None or default is None or timing.when == MANUAL or timing.when.startswith(ONCE):
        return timing
    minute, _, rest = timing.when.split(" ", 2)
    when = f"{minute} {kind.hour} {rest}"
    marks = tuple(
        Mark("hour", f"{kind.hour:02}:00", Basis.DEFAULT.value, "hour_of_product")
        if mark is default
        else Mark(mark.name, when, mark.basis, mark.evidence)
        if mark.name == "when"
        else mark
        for mark in timing.marks
    )
    return Timing(when, timing.words, marks, timing.faults, timing.expires, timing.spans)


def _with_what_is_inside(timing: Timing, text: str, content: Span, covered: Sequence[Span]) -> Timing:
    """Return `timing` with a claim for the times in the words of the product, where nothing else says when."""
    if timing.words or timing.faults:
        return timing
    inside = [
        text[content[0] + one.span[0] : content[0] + one.span[1]]
        for one in read_times(normalise(text)[content[0] : content[1]]).expressions
        if (one.clock is not None or one.after is not None or isinstance(one.date, CalendarDate | RelativeDay))
        and not any(start <= content[0] + one.span[0] and content[0] + one.span[1] <= end for start, end in covered)
    ]
    return _with_left(timing, inside)


def _is_aside(words: str, start: int, pair: Pair) -> bool:
    """Whether it is the weekend outside the product's words: neither a stretch that is covered nor a time."""
    return words.rstrip("的") == _WEEKEND and not pair.content[0] <= start < pair.content[1]


def _with_left(timing: Timing, words: Sequence[str]) -> Timing:
    """Return `timing` with a claim that `words` are not taken for a time of running."""
    if not words:
        return timing
    mark = Mark("when", "、".join(dict.fromkeys(words)), Basis.INFERRED.value, "time_left")
    return structs.replace(timing, marks=(*timing.marks, mark))


_MANNERS = re.compile(
    r"^(?:你好|你|请问|能不能|能否|可不可以|可否|是否可以|能(?=[帮给替])|麻烦你?|请(?=你|帮|给|在|每|把|根据|自动|生成|写|整|汇|出)你?|拜托"
    r"|(?:早上|上午|中午|下午|晚上)好|从今以后|以后|我想要?|我希望|[ ,，!！])*"
)
_WISH = re.compile(r"(?:发给我|发我(?!一)|给我|帮我|替我|为我|帮忙|自动)(?=[^,。;]|$)")
_JOINTS = re.compile(r"^(?:和|跟|、|各|分别|的|在|于|从|一份(?=[^,，]))+")
_ASKED = re.compile(r"(?:[吗么]|好吗|可以吗|行吗)$")
_UNSENT = re.compile(r"[,，]?(?:[写做]完|[写做]好)?[后了]?(?:不用|不要|别|无需)(?:发送?|推送|通知)?$")
_EDGES = " ,，。；;：:、？?！!"


def matter_of(text: str, timing: Timing) -> str:
    """Return the wish without its words about time, frames and manners, on one line."""
    kept = list(text)
    for start, end in timing.spans:
        kept[start:end] = [" "] * (end - start)
    words = "".join(kept)
    for frame in sorted(phrases().frames, key=len, reverse=True):
        words = words.replace(frame, " ", 1)
    words = _WISH.sub("", _MANNERS.sub("", words.strip(_EDGES)))
    words = _JOINTS.sub("", " ".join(words.split()).strip(_EDGES))
    words = re.sub(r" ?([,，。；;、]) ?", r"\1", _ASKED.sub("", words))
    words = _UNSENT.sub("", words)
    words = re.sub(r"(?<=[一-龥]) +(?=[一-龥])", "", words)
    return re.sub(r"[,，]{2,}", "，", words).strip(_EDGES)


_LONGEST_TOPIC = 10
_NO_TOPIC = re.compile(r"[,，。；0-9]|不超过|包含|包括|格式|以内|要有|关于.*关于")
_BEFORE_TOPIC = re.compile(r"[,，、。的地得成为并]|一[下次遍份篇个张段封首版期]|[份篇个张段封首版]")


def topic_of(text: str, pair: Pair, taken: Sequence[Span]) -> str:
    """Return the words before the product that say what it is about: 销售 of 销售日报, 养猫 of 关于养猫的指南.

    `taken` are the spans of words that say something else.
    """
    first = pair.content[0] if pair.measured else min(pair.verb[1], pair.product[0])
    start = max([first, *(end for _, end in taken if end <= pair.product[0])])
    words = text[start : pair.product[0]]
    whole = words.strip().removeprefix("的").removeprefix("关于").removesuffix("的").removesuffix("并")
    if pair.measured and 0 < len(whole) <= _LONGEST_TOPIC and _NO_TOPIC.search(whole) is None:
        return whole.strip(' 「『“"')
    piece = _BEFORE_TOPIC.split(words)[-1].strip(' 「『“"一-')
    return piece if 0 < len(piece) <= _LONGEST_TOPIC and _NO_TOPIC.search(piece) is None else ""


def covers_of(text: str, spans: Sequence[Span]) -> str:
    """Return the words of the stretches `spans` that a product is about, each once."""
    said = (text[start:end].rstrip("的") for start, end in spans)
    return "、".join(dict.fromkeys(one for one in said if one != _WEEKEND))
