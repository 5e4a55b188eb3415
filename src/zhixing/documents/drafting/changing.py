"""What an answer makes of a draft that is shown: saved, another draft, dropped, or not understood. Pure.

An answer may hold several changes (改成9点，标题叫晨报). One that is not understood leaves the whole undone, so
that nobody believes a change that did not happen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, time
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from zhixing.documents.drafting.commands import file_of, find_command, name_of
from zhixing.documents.drafting.composing import Draft, draft
from zhixing.documents.drafting.details import LANGUAGES, MOST_PARTS, MOST_SOURCES, SILENT, parts_of, read_details
from zhixing.documents.drafting.hours import Hour, hour_of
from zhixing.documents.drafting.recognising import SCRIPT
from zhixing.documents.drafting.timing import read_timing
from zhixing.documents.drafting.titles import plain_title
from zhixing.documents.drafting.wanted import MANUAL, Mark, Recognised, Timing, once
from zhixing.documents.model import Kind, Once, Standing
from zhixing.kernel.claims import Basis
from zhixing.kernel.moments import settle
from zhixing.language.expressions import read_times
from zhixing.language.text import normalise
from zhixing.tasks.schedule.cron import Cron

LONGEST_ANSWER = 500
"""Characters."""
MOST_CHANGES = 8
"""In one answer."""


@dataclass(frozen=True, slots=True)
class Saved:
    """It is to be saved as it is shown."""

    standing: Standing


@dataclass(frozen=True, slots=True)
class Changed:
    """It is to be shown again."""

    draft: Draft


@dataclass(frozen=True, slots=True)
class Dropped:
    """Nothing is saved."""


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """Nothing happens. `words` are those that were not understood, `reason` a key of the section `drafting`."""

    words: str
    reason: str = "answer_unclear"


Answered = Saved | Changed | Dropped | NotUnderstood

_SAVE = re.compile(
    r"[Aa](?:[ .、:]{0,4}保存(?:并启用)?)?"
    r"|(?:那就|就|可以|好|行|嗯){0,4}(?:这样)?(?:保存(?:并启用|吧|下来)?|启用|确认|确定|可以|好的?|行|没问题|对|就这样|同意|OK|ok|是的?|存吧|建吧|创建)"
    r"(?:吧|了|的)?"
)
_PAUSE = re.compile(
    r"[Bb](?:[ .、:]{0,4}先存着)?(?: {0,4}[(]paused[)])?|paused|保存(?:但|,)?先?[不别]启用"
    r"|(?:那?就)?先?(?:存着|存下来|保存着|存起来|暂存|[不别]启用|不要启用|暂停|放着)(?:,?先?[不别]启用)?吧?"
)
_DROP = re.compile(
    r"[Cc](?:[ .、:]{0,4}不要了)?|那?就?(?:不要了?|算了吧?|取消吧?|不用了?|放弃|别建了?|删掉|不存了?|不保存)"
)
_CLAUSES = re.compile(r"[,;。\n]|并且|然后|(?<=[^,])再把")
_TITLE = re.compile(
    r"把?(?:标题|名字|名称)就?(?:叫做?|改成|改为|换成|设为|是|用)[ :]{0,4}"
    r"[「『“\"]?(?P<title>[^」』”\"]{1,60})[」』”\"]?"
)
_SESSION = re.compile(
    r"(?:结果)?(?:发到|发送到|发给|推到|推送到)(?:会话|session)?[ :]{0,4}"
    r"[`<「]?(?P<session>[A-Za-z0-9_:.@-]{1,128})[`>」]?"
)
_TIME = re.compile(
    r"把?(?:时间|触发)?就?(?:改[成到为]|换成|调[到成]|设为|定在|挪到|推迟到|提前到|时间是)[ :]{0,4}(?P<time>.{1,60})"
)
_MANUAL = re.compile(r"(?:改成|改为|换成)?(?:手动|不用定时|不定时|不要定时|@manual)(?:运行|触发|执行)?")
_ADD = re.compile(
    r"再?(?:还要有?|要有|要?包[含括]|加上|加个|加一?[节段]|增加|添加|补上|多写)[ :]{0,4}(?P<parts>[^,。;]{1,60})"
)
_LESS = re.compile(r"(?:不要|去掉|删掉|别写|不写|减掉|不含)(?P<parts>[^,。;了]{1,30})")
_SOURCE = re.compile(
    r"(?:资料|来源){0,2}(?:(?:根据|依据|基于|参考|来源(?:是|用)?)[ :]{0,4}(?P<source>[^,。;]{2,60}?)|用[ :]{0,4}(?P<file>https?://[!-~]{1,400}|[A-Za-z0-9_./-]{1,120}\.[a-z]{1,5}))"
    r"(?:来?[写做]|生成)?"
)
_LENGTH = re.compile(
    r"(?:长度|字数)?(?:改成|改为|控制在)?.{0,4}?[0-9一二两三四五六七八九十百千]{1,5} {0,2}(?:字|条|行|句|段).{0,3}"
)
_LANGUAGE = re.compile(rf"(?:用|改成|换成|写成){LANGUAGES}(?:写|输出)?")
_FORM = re.compile(
    r"(?:用|做成|改成|换成|输出成?)(?P<form>表格|列表|JSON|Markdown|CSV|HTML|YAML|纯文本)(?:格式)?", re.IGNORECASE
)
_COVERS = re.compile(
    r"(?:覆盖|范围(?:是|改成)?|只?写)"
    r"(?P<covers>昨[天日]|今[天日]|上个?[周月]|[本这]周|本月|这个月|最近[^,。;]{1,8}|过去[^,。;]{1,8}|上个?季度|[去今]年)的?(?:内容|事)?"
)
_SCRIPT = re.compile(r"(?:改)?用脚本|改成脚本|换成脚本|改为脚本")
_BESIDE_TIME = re.compile(r"(?:[ ,，。的吧]|运行|触发|执行|一次)*")
_SILENT = re.compile(rf"(?:结果)?{SILENT}(?:了)?")


def answered(shown: Draft, words: str, *, now: datetime, zone: ZoneInfo, taken: Collection[str] = ()) -> Answered:
    """Read the answer `words` to the draft that was shown. `taken` are the titles of tasks that exist."""
    if not words.strip() or len(words) > LONGEST_ANSWER:
        return NotUnderstood(words.strip()[:40])
    plain = normalise(words).strip(" ,。;!~")
    for pattern, answer in ((_SAVE, Saved(Standing.ENABLED)), (_PAUSE, Saved(Standing.PAUSED)), (_DROP, Dropped())):
        if pattern.fullmatch(plain):
            return answer
    change = _Change(shown, now, zone, taken)
    pieces = _pieces(words.strip())
    if len(pieces) > MOST_CHANGES:
        return NotUnderstood(words.strip()[:40])
    for piece in pieces:
        reason = change.apply(piece)
        if reason:
            return NotUnderstood(piece, reason)
    return Changed(change.draft())


def _pieces(words: str) -> list[str]:
    plain = normalise(words)
    if find_command(words) is not None or "`" in words:
        return [words]
    found, start = [], 0
    for match in _CLAUSES.finditer(plain):
        found.append(words[start : match.start()])
        start = match.end()
    found.append(words[start:])
    return [piece.strip() for piece in found if piece.strip()]


class _Change:
    """A draft on its way to another one."""

    def __init__(self, shown: Draft, now: datetime, zone: ZoneInfo, taken: Collection[str]) -> None:
        self._wanted: Recognised = shown.recognised
        self._session = shown.definition.session_id
        self._now = now
        self._zone = zone
        self._taken = taken

    def draft(self) -> Draft:
        return draft(self._wanted, session_id=self._session, now=self._now, zone=self._zone, taken=self._taken)

    def apply(self, piece: str) -> str:
        """Make the change that `piece` asks for; return why not, or ""."""
        plain = normalise(piece).strip(" ,。;!~")
        plain = re.sub(r"^(?:请|麻烦你?|帮我|还有|另外|并)+", "", plain)
        readers: tuple[Callable[[str, str], str | None], ...] = (
            self._script, self._manual, self._title, self._silent, self._send, self._language, self._form, self._covers,
            self._timed, self._length, self._less, self._more, self._source, self._bare_time,
        )  # fmt: skip
        for reader in readers:
            reason = reader(plain, piece)
            if reason is not None:
                return reason
        return "answer_unclear"

    # Each reader returns None where the words are none of its own, "" where it made the change, else why it could not.

    def _script(self, plain: str, piece: str) -> str | None:
        if _SCRIPT.match(plain) is None:
            return None
        command = find_command(piece)
        if command is None:
            return "script_without_command"
        file = file_of(command.words)
        self._set(
            kind=Kind.SCRIPT,
            product=SCRIPT,
            entry="script",
            command=command.words,
            topic=name_of(command.words),
            files=() if file is None else (file,),
            lines=None,
        )
        return ""

    def _manual(self, plain: str, _piece: str) -> str | None:
        if _MANUAL.fullmatch(plain) is None:
            return None
        self._set(timing=Timing(MANUAL, plain, (self._answer("when", MANUAL, plain),)))
        return ""

    def _title(self, plain: str, piece: str) -> str | None:
        match = _TITLE.fullmatch(plain)
        if match is None:
            return None
        start = normalise(piece).find(match["title"])
        title = plain_title(piece[start : start + len(match["title"])])
        if not title:
            return "title_unusable"
        self._set(title=title)
        return ""

    def _silent(self, plain: str, _piece: str) -> str | None:
        if _SILENT.fullmatch(plain) is None:
            return None
        self._set(silent=True)
        return ""

    def _send(self, plain: str, _piece: str) -> str | None:
        match = _SESSION.fullmatch(plain)
        if match is None:
            return None
        self._session = match["session"]
        self._set(silent=False)
        return ""

    def _language(self, plain: str, _piece: str) -> str | None:
        return self._agent(_LANGUAGE, plain, lambda match: {"language": match["language"]})

    def _form(self, plain: str, _piece: str) -> str | None:
        return self._agent(_FORM, plain, lambda match: {"form": _form_of(match["form"])})

    def _covers(self, plain: str, _piece: str) -> str | None:
        return self._agent(_COVERS, plain, lambda match: {"covers": match["covers"]})

    def _length(self, plain: str, _piece: str) -> str | None:
        if _LENGTH.fullmatch(plain) is None or self._wanted.kind is Kind.SCRIPT:
            return None
        length = read_details(plain).length
        if not length:
            return None
        self._set(length=length)
        return ""

    def _more(self, plain: str, _piece: str) -> str | None:
        parts = self._parts(_ADD, plain)
        return None if not parts else self._list(self._wanted.wants + parts, _without(self._wanted.avoids, parts))

    def _less(self, plain: str, _piece: str) -> str | None:
        parts = self._parts(_LESS, plain)
        return None if not parts else self._list(_without(self._wanted.wants, parts), self._wanted.avoids + parts)

    def _parts(self, pattern: re.Pattern[str], plain: str) -> tuple[str, ...]:
        match = None if self._wanted.kind is Kind.SCRIPT else pattern.fullmatch(plain)
        return () if match is None else parts_of(match["parts"])

    def _list(self, wants: Iterable[str], avoids: Iterable[str]) -> str:
        wanted, avoided = tuple(dict.fromkeys(wants)), tuple(dict.fromkeys(avoids))
        if max(len(wanted), len(avoided)) > MOST_PARTS:
            return "parts_many"
        self._set(wants=wanted, avoids=avoided)
        return ""

    def _source(self, plain: str, piece: str) -> str | None:
        match = _SOURCE.fullmatch(plain)
        if match is None or self._wanted.kind is Kind.SCRIPT:
            return None
        details = read_details(piece)
        named = details.sources or ((match["source"] or match["file"]).strip(),)
        sources = tuple(dict.fromkeys((*self._wanted.sources, *named)))
        if len(sources) > MOST_SOURCES:
            return "parts_many"
        self._set(sources=sources, files=tuple(dict.fromkeys((*self._wanted.files, *details.files))))
        return ""

    def _timed(self, plain: str, piece: str) -> str | None:
        match = _TIME.fullmatch(plain)
        if match is None:
            return None
        start = normalise(piece).find(match["time"])
        return self._at(piece[start : start + len(match["time"])])

    def _bare_time(self, plain: str, piece: str) -> str | None:
        if re.search(r"[点:时]|每|天|周|月|小时|分钟", plain) is None or len(plain) > 30:
            return None
        return self._at(piece)

    def _at(self, words: str) -> str:
        timing = self._clock_alone(words) or read_timing(words, now=self._now, zone=self._zone)
        if timing.faults:
            return timing.faults[0].key
        rest = list(words)
        for start, end in timing.spans:
            rest[start:end] = [""] * (end - start)
        if timing.when == MANUAL or _BESIDE_TIME.fullmatch("".join(rest)) is None:
            return "answer_unclear"
        self._set(timing=replace(timing, marks=tuple(_answered(mark) for mark in timing.marks)))
        return ""

    def _clock_alone(self, words: str) -> Timing | None:
        """Return the time as it is with another hour, where the words are an hour and nothing else."""
        plain = normalise(words)
        found = read_times(plain)
        one = found.expressions[0] if len(found.expressions) == 1 and not (found.leftover or found.leads) else None
        if one is None or one.clock is None or one.date is not None or one.span != (0, len(plain.rstrip(" 吧"))):
            return None
        hour = hour_of(one, plain)
        now = self._wanted.when
        if hour is None or not isinstance(now, Cron | Once):
            return None
        when = _moved(now, hour, self._zone, self._now)
        if when is None:
            return None
        kept = tuple(
            mark for mark in self._wanted.timing.marks if mark.name in ("days", "day") and "next" not in mark.evidence
        )
        return replace(
            self._wanted.timing,
            when=when,
            words=words,
            marks=(*kept, self._answer("when", when, words)),
            spans=((0, len(words)),),
        )

    def _agent(
        self, pattern: re.Pattern[str], plain: str, make: Callable[[re.Match[str]], dict[str, object]]
    ) -> str | None:
        match = pattern.fullmatch(plain)
        if match is None or self._wanted.kind is Kind.SCRIPT:
            return None
        self._set(**make(match))
        return ""

    def _set(self, **values: object) -> None:
        self._wanted = replace(self._wanted, **values)

    def _answer(self, name: str, value: str, words: str) -> Mark:
        return Mark(name, value, Basis.ANSWERED.value, words)


def _answered(mark: Mark) -> Mark:
    return replace(mark, basis=Basis.ANSWERED.value) if mark.basis == Basis.SAID else mark


def _form_of(words: str) -> str:
    return f"Markdown {words}" if words in ("表格", "列表") else words


def _without(before: tuple[str, ...], parts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(one for one in before if one not in parts)


def _moved(when: Cron | Once, hour: Hour, zone: ZoneInfo, now: datetime) -> str | None:
    """Return `when` at another hour of its days; None for an interval, or where that is past or another day."""
    if isinstance(when, Once):
        day = when.at.at.astimezone(zone).date()
        at = settle(datetime.combine(day, time(hour.hour, hour.minute)), zone)
        return once(at) if at > now and not hour.day else None
    if when.follows_real_time or (hour.day and f"{when.day.text} {when.month.text} {when.weekday.text}" != "* * *"):
        return None
    return f"{hour.minute} {hour.hour} {when.day.text} {when.month.text} {when.weekday.text}"
