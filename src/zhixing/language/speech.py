"""What was said aloud, cleared of what only speaking leaves in it: fillers, stutters, certain corrections, 幺.

The clear words are for the grammar; what a user is shown stays what was said. So every clear character remembers the
piece it comes from, and a stretch of clear words stands for the whole of what was said there, fillers inside included.
A correction counts only where both sides are the same kind of time (明天哦不后天); any other is a doubt, not a guess.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from zhixing.language.numerals import integer
from zhixing.language.text import normalise
from zhixing.language.timex import Span

_N = r"(?:[0-9]{1,2}|[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九零])"
_DAY = r"(?:大后天|今天|明天|后天|今日|明日|明儿|后儿)"
_EVENING = r"(?:[今明后]天?(?:早上?|晚上?))"
_PERIOD = r"(?:凌晨|早上|早晨|上午|中午|下午|傍晚|晚上)"
_HOUR = rf"{_N} *点(?:半|钟|整|[一三]刻|{_N}分?|零{_N}分?)?"
_WEEKDAY = r"(?:(?:下+个?|这个?|本|上个?)?(?:周|星期|礼拜)[一二三四五六日天])"
_TIME = rf"(?:{_WEEKDAY}|{_DAY}|{_EVENING}|{_PERIOD}|{_N} *[点号月])"
_BREAK = r"[ ,、。!~]"
_THAT = r"(?:那个|这个|内个)(?! *(?:周|星期|礼拜|月|季|年|假|节|暑|寒))"
_VERB = r"(?:提醒|通知|说|讲|告诉|[叫喊让]我|取消|改[到成为期]|推迟|截止)"

_FILLERS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"[嗯呃唔]+(?:[啊哼])?[ ,、。!~.]*"), ""),
    (re.compile(r"(?:就是说|怎么说呢|那什么|你知道吧|我想想|我看看|让我想想)[啊呢吧]?[ ,、。!~.]*"), ""),
    (re.compile(rf"^(?:{_BREAK}|[额诶欸哎唉喂哦噢喔啊](?![度外头不])|{_THAT}|就是|然后呢?|对了)+"), ""),
    (
        re.compile(rf"(?<=[,、。])(?:[额诶欸哎唉哦噢喔啊](?![度外头不])|{_THAT}(?={_BREAK}|{_TIME}|那个|这个))+,*"),
        "",
    ),
    (re.compile(rf"(?:{_THAT}|就是|[额诶欸啊])+{_BREAK}*(?={_TIME}|{_VERB})"), ""),
    (re.compile(r",*(?:然后呢|然后嘛|然后啊),*"), ","),
)
"""Words that say nothing, and what stands for them. 那个 and 就是 may mean something; only beside a time they do not."""
_TORN = re.compile(
    r"[0-9零〇一二两三四五六七八九十点时月年个:.] *(?:那个|这个|内个|就是|[额诶欸啊])+ *"
    r"(?:半(?![小个天])|[一三]刻|[0-9零〇一二两三四五六七八九十:.]|[点时日号月年分个小刻])"
    r"|个 *(?:那个|这个|内个|就是|[额诶欸啊])+ *半"
    r"|[上下] *(?:那个|这个|内个|就是|[额诶欸啊])+ *(?:周|星期|礼拜|个?月)"
)
"""A time that something stands in the middle of: to drop it or to leave it may both be wrong."""
_STUTTER = re.compile(
    rf"(?P<word>{_WEEKDAY}|{_DAY}|{_EVENING}|{_PERIOD}|(?!一点){_N} *[点号月]半?|提醒我|提醒|记得|帮我|我|请)(?:{_BREAK}*(?P=word))+"
)
_DETAIL = re.compile(
    r"(?<=[一-龥])(?<![点半刻分钟号日天午晚上早晨我请要里])(?<![^开]会)(?=(?:记得|别忘了|不要忘了)[带穿拿]|地点[在是])"
)
"""Where a comma is heard and not written."""
_MARKER = re.compile(
    rf"{_BREAK}*(?:(?:哦|噢|喔|啊|哎呀?|诶)?,?(?:(?:不对)+|不是不是|不{{2,}}|(?:我|刚才)?(?:说|搞|记)错了?|错了)"
    rf"|(?:哦|噢|喔|啊|哎呀?),?不(?:是|对)?){_BREAK}*(?:应该是|是)?{_BREAK}*"
)
_PAIRS: tuple[tuple[str, str], ...] = (
    (rf"{_DAY} *{_PERIOD}? *{_HOUR}", rf"{_DAY} *{_PERIOD}? *{_HOUR}"),
    (rf"{_N} *月 *{_N} *[号日]", rf"{_N} *月 *{_N} *[号日]"),
    (rf"{_N} *[号日]", rf"{_N} *[号日](?!楼|线|门)"),
    (_WEEKDAY, _WEEKDAY),
    (_EVENING, _EVENING),
    (_DAY, _DAY),
    (rf"(?:{_PERIOD} *)?{_HOUR}", rf"{_PERIOD} *{_HOUR}"),
    (_HOUR, _HOUR),
    (_PERIOD, _PERIOD),
)
_BESIDE = {"早上": range(5, 12), "早晨": range(5, 12), "上午": range(6, 12), "下午": range(1, 7), "晚上": range(6, 12)}
"""Hours that surely belong to a part of the day, so that it may stay when only the hour is corrected."""
_DIGIT = dict(zip("零〇幺一二两三四五六七八九", "0011223456789", strict=True))
_SPELT = re.compile(
    r"(?<![零〇幺一二两三四五六七八九十百0-9])(?P<digits>[零〇幺一二三四五六七八九]{2})(?= *[点号日月分])"
)
_SPELT_MINUTE = re.compile(
    r"(?<=点)(?P<digits>[零〇幺二三四五][零〇幺一二三四五六七八九])(?![零〇幺一二三四五六七八九十0-9])"
)
_ONE = re.compile(
    r"(?<=[十周期拜月])幺(?=[ 点号日月分]|$|[^零〇幺一二三四五六七八九0-9])|(?<![零〇幺一二三四五六七八九])幺(?= *[点号日月])"
)
_YEAR = re.compile(r"(?P<tens>[两二])千零?(?P<rest>[二三四五六七八九]?十[一二三四五六七八九]?)(?= *年)")


@dataclass(frozen=True, slots=True)
class Speech:
    """What was said, its clear words, and for each clear character where what it stands for begins and ends."""

    said: str
    clear: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    doubtful: bool
    """It corrects itself in a way that is not certain, or a time in it is torn."""

    def words(self, span: Span) -> str:
        """Return what was said, verbatim, where `span` of the clear words is."""
        start, end = span
        return self.said[self.starts[start] : self.ends[end - 1]] if end > start else ""

    def verbatim(self, clear: str, around: Span | None = None) -> str:
        """Return what was said for a piece of the clear words: the one around `around`, else the first."""
        place = self.clear.find(clear)
        while around is not None and place >= 0 and not (place <= around[0] and around[1] <= place + len(clear)):
            place = self.clear.find(clear, place + 1)
        if place < 0 or not clear:
            return clear
        return self.words((place, place + len(clear))).strip()


class _Tape:
    """Words on their way to being clear; every edit keeps where the characters come from."""

    def __init__(self, said: str) -> None:
        self.text = said
        self.spans: list[Span] = [(index, index + 1) for index in range(len(said))]

    @property
    def plain(self) -> str:
        return normalise(self.text)

    def put(self, start: int, end: int, words: str) -> None:
        """Put `words` in place of a stretch, for all of which each new character then stands."""
        whole = self._whole(start, end)
        self.text = self.text[:start] + words + self.text[end:]
        self.spans[start:end] = [whole] * len(words)

    def _whole(self, start: int, end: int) -> Span:
        if end > start:
            return self.spans[start][0], self.spans[end - 1][1]
        place = self.spans[start][0] if start < len(self.spans) else self.spans[-1][1]
        return place, place

    def rewrite(self, pattern: re.Pattern[str], words: Callable[[re.Match[str]], str | None]) -> None:
        """Put other words for each match, the last first; None leaves a match as it is."""
        for found in reversed(list(pattern.finditer(self.plain))):
            new = words(found)
            if new is not None:
                self.put(*found.span(), new)


def hear(said: str) -> Speech:
    """Clear what was said of everything that only speaking leaves in it. For short texts: it looks again and again."""
    tape = _Tape(said)
    for pattern, stands in _FILLERS:
        tape.rewrite(pattern, _always(stands))
    tape.rewrite(_YEAR, _year)
    tape.rewrite(_ONE, _always("一"))
    tape.rewrite(_SPELT, _number)
    tape.rewrite(_SPELT_MINUTE, _number)
    _keep_last(tape)
    doubtful = _TORN.search(tape.plain) is not None
    doubtful = _correct(tape) or doubtful
    _keep_last(tape)
    tape.rewrite(_DETAIL, _always(","))
    plain = tape.plain
    start, end = len(plain) - len(plain.lstrip(" \n,")), len(plain.rstrip(" \n"))
    kept = tape.spans[start:end]
    return Speech(said, tape.text[start:end], tuple(one for one, _ in kept), tuple(one for _, one in kept), doubtful)


def _always(words: str) -> Callable[[re.Match[str]], str]:
    return lambda _found: words


def _keep_last(tape: _Tape) -> None:
    """Leave of a stutter the last word, so that what stands for it begins where the word stands alone."""
    for found in reversed(list(_STUTTER.finditer(tape.plain))):
        tape.put(found.start(), found.end() - len(found["word"]), "")


def _correct(tape: _Tape) -> bool:
    """Take out what was taken back; return whether something was taken back that is not certain."""
    start = 0
    while (marker := _MARKER.search(tape.plain, start)) is not None:
        taken = _taken_back(tape.plain, marker)
        if taken is None:
            return True
        tape.put(taken, marker.end(), "")
        start = max(0, taken - 1)
    return False


def _taken_back(plain: str, marker: re.Match[str]) -> int | None:
    """Return where what a marker takes back begins, if that is certain."""
    for left, right in _PAIRS:
        after = re.compile(right).match(plain, marker.end())
        if after is None:
            continue
        before = [found for found in re.finditer(left, plain[: marker.start()]) if found.end() == marker.start()]
        if before:
            return before[-1].start() if _fits(plain, before[-1], after) else None
    return None


def _fits(plain: str, before: re.Match[str], after: re.Match[str]) -> bool:
    """Whether the new words say as much as the old ones: no week and no part of the day has to be guessed."""
    old, new = before[0], after[0]
    week = re.compile(r"^[下这本上]+个?")
    if week.match(old) and not week.match(new):
        return False
    said, now = re.search(_PERIOD, old), re.search(_PERIOD, new)
    if said and not now:
        return False
    ahead = re.search(rf"({_PERIOD}|[今明后]天?[早晚]上?) *$", plain[: before.start()])
    if ahead and "点" in old:
        if now:
            return False
        part = "晚上" if "晚" in ahead[1] else "早上" if ahead[1][-1] == "早" else ahead[1]
        return _stays(part, old, new)
    return True


def _stays(part: str, old: str, new: str) -> bool:
    hours = [integer(found[1]) for found in (re.search(rf"({_N}) *点", words) for words in (old, new)) if found]
    return len(hours) == 2 and all(hour in _BESIDE.get(part, ()) for hour in hours)


def _number(found: re.Match[str]) -> str | None:
    """Return digits said one by one as a number, where they can be nothing else."""
    digits = found["digits"]
    return "".join(_DIGIT[one] for one in digits) if set(digits) & set("幺零〇") else None


def _year(found: re.Match[str]) -> str | None:
    """Return 两千零二十六 as 2026."""
    number = integer(found["rest"])
    return None if number is None else f"20{number:02d}"
