"""The local grammar: one action, one time (document 004 §2).

`read` answers one of three things: a `Candidate` whose every piece is verbatim, a `NeedsModel` with what it saw, or a
candidate without nodes for a text that names no time. When unsure it steps back: a reminder at a wrong time is worse
than a text that waits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from zhixing.language.cues import find_cue, is_about_time
from zhixing.language.expressions import TimeReading, read_times
from zhixing.language.text import normalise
from zhixing.language.timex import Duration, Lead, Span, TimeExpression
from zhixing.notices.model import LONGEST_LEAD, Candidate, CandidateNode, NeedsModel, NodeKind
from zhixing.notices.titles import action_words, title_of

LONGEST_LOCAL = 64
"""Characters; longer texts are notices with details, which a model sorts."""

REMIND = re.compile(
    r"(?:(?:记得|请|再|就|要|麻烦|帮忙|帮我|给我|提前|提早)* *(?:提醒(?:一下|下)?我?(?:们|一下|一声)?|通知(?:一下|下)?我(?!们)(?:一下|一声)?|"
    r"[叫喊](?:一下|下)?我(?:们|一下|一声)?|(?:的|个)*闹[钟铃]|给我(?:一个|个|发)?(?:提醒|通知|打电话提醒)|发(?:个|一个)?提醒(?:给我)?))"
)
_REMIND_LAST = re.compile(rf"(?:{REMIND.pattern}) *[,:]? *$")
_IN_ORDER = re.compile(r"先.{1,12}(?:再|然后|之后)")
_DAY_WORDS = re.compile(r"[0-9零〇一二两三四五六七八九十天周月年日节后前次冬夏春秋至暑寒期]|礼拜")
_LEAD_GAP = re.compile(r" *(?:的时候|左右)?[ ,]*(?:再|就|请|记得|要|来)? *")
_AND_LEAD = re.compile(r" *[,、和及与跟] *")
_LEAD_HEAD = re.compile(r"(?:请|记得|要|麻烦|帮忙|并|另外)* *$")
_FILLER = re.compile(r"[ ,]*(?:的?时候?|的|那时|[整就再请要得]|准[时点]|记得|帮忙|帮我|给我|麻烦你?|[,]| )*")
_ON_TIME = re.compile(r"(?:准[时点]|按时|到点了?|到时候?|届时) *(?:再|就|请|记得|要)? *(?=提醒|通知我|[叫喊]我)")
BEFORE_TIME = re.compile(
    r"(?:截止|截至|截止时间|截止日期|最[晚迟]|不[晚迟]于|不得[晚迟]于|务必|ddl|DDL|deadline)(?:日期|时间)?(?:为|是|到|至|在|于|:| )*$"
)
UNTIL = re.compile(
    r" *(?:之前|以前|前(?![往台面端后来去行进台任夫妻门海夜])|(?i:ddl)|截止|截至|为止|止(?!痛|血|咳)|到期)"
)
OVER = re.compile(r" *(?:结束|闭幕|(?:散会|收尾|闭馆|下课|放学|打烊|散场)(?=$|[,。了]))")
WINDOW = r"(?:报名|申请|采集|办理|预约|登记|选课|注册|认购|申报|投票|购票|售票|开票|放票|领取|缴费|补录|填报|填写|查询|取件|测评|评教|征集|招募|兑换)"
OPENS = re.compile(
    rf"开放(?!日|时间|性|式|麦)|开启{WINDOW}|{WINDOW}(?:通道|系统|入口)?(?:[^,]{{0,6}})?(?:开始|启动|开启|开通|起)|(?:开始|启动|开通){WINDOW}|开售|开抢|起{WINDOW}"
)
SUBMIT = re.compile(
    r"(?<![社外成转提移递结])(?:交(?![流通往警谈友换接易代响际情班给错叉集割]|点)|缴(?:纳|费|交)?|提交|上交|递交|移交|补交|上报|报送|归还|还(?=书|款|钱|信用卡|贷|账|花呗)|"
    r"完成(?!度)|投稿|交付)"
)
_DEADLINE_WORD = re.compile(r"截止|截至|到期|过期|止付|停用|下线|失效")
_END_WORD = re.compile(r"(?:结束|闭幕|闭馆|散场)(?:了|$|[,。])")
# One of these stands in every word for a role behind a time, but for 前 and 截止 right beside it.
_ROLE_SIGNS = frozenset("截期付停线效束幕馆场会尾课学烊放启始动通起售抢交缴报还成稿")
_REMIND_SIGNS = frozenset("醒知叫喊闹")
"""One of these stands in every way of asking for a reminder."""
_BLANK = frozenset((" ", "\n"))
_CLAUSE_END = re.compile(r"[,。!;?\n]+")
_SENTENCE = re.compile(r"[。!\n;?]+")
_SUPPLEMENT = re.compile(
    r"^ *(?:并|同时)? *(?:记得|请|请于|务必|别忘了?|不要忘了?|勿忘|带|携带|自带|地点|地址|位置|会议号|链接|密码|穿|准备|空腹|注意|需要?|在|到|去|找|联系|电话|备注|顺便|谢谢|"
    r"多谢|辛苦|好的?|嗯|哦|我|不见不散)"
)
_POLITE = re.compile(r"^(?:谢谢|多谢|感谢|辛苦了?|拜托了?|好的?|嗯+|哦|收到|不见不散|谢啦)[!。~ ]*$")
_SCHOOL_YEAR = re.compile(r"[0-9]{4} *[-~至到] *[0-9]{2,4} *学年|[0-9]{4} *学年|学年度")
_WINDOW_WORD = re.compile(WINDOW)
_MASKS = re.compile(
    r"(?:[0-9]{2,4}|[〇零一二三四五六七八九]{2,4}) *[级届](?!别|数)|[0-9]{4} *[-~至到] *[0-9]{4} *学年|[0-9]{4} *学年"
)


def read(text: str) -> Candidate | NeedsModel:
    """Read `text` by the local grammar."""
    plain = normalise(text)
    if plain[:1] in _BLANK or plain[-1:] in _BLANK:
        padding = len(plain) - len(plain.lstrip(" \n"))
        plain = plain.strip(" \n")
        text = text[padding : padding + len(plain)]
    if len(plain) > LONGEST_LOCAL:
        return NeedsModel("long")
    if "学年" in plain and _SCHOOL_YEAR.search(plain) and _WINDOW_WORD.search(plain):
        # Whom an application round of a school year concerns is not a matter of grammar.
        return NeedsModel("school_year")
    plain = mask_groups(plain)
    times = read_times(plain)
    cue = find_cue(plain)
    if cue is not None and (is_about_time(cue) or not times.empty):
        return NeedsModel(cue.value)
    if times.empty:
        return _todo(text, plain)
    if times.leftover:
        return NeedsModel("leftover")
    if _IN_ORDER.search(plain):
        return NeedsModel("clauses")
    if len(times.expressions) != 1 or len(times.leads) > 1:
        return NeedsModel("several_times" if times.expressions else "no_event_time")
    return _one_time(text, plain, times)


def mask_groups(plain: str) -> str:
    """Return `plain` with the numbers of years that name a group of people (2023级, 2026学年) made unreadable."""
    if "级" in plain or "届" in plain or "学年" in plain:
        return _MASKS.sub(lambda match: "某" * len(match[0]), plain)
    return plain


def asked_leads(plain: str, leads: Iterable[Lead], times: Iterable[TimeExpression]) -> list[tuple[Lead, Span]]:
    """Return the leads that somebody wants to be reminded with, each with its whole clause; 准时提醒 is a lead of zero."""
    found: list[tuple[Lead, Span]] = []
    for lead in reversed(tuple(leads)):
        span = _lead_clause_near(plain, lead)
        if span is None and found and _AND_LEAD.fullmatch(plain, lead.span[1], found[-1][0].span[0]):
            # 提前一天和提前1小时提醒我
            span = found[-1][1]
        if span is not None:
            found.append((lead, span))
    found.reverse()
    ends = {time.span[1] for time in times}
    for match in _ON_TIME.finditer(plain):
        # 下午3点准时提醒我 names the time of the reminder itself.
        before = len(plain[max(0, match.start() - 8) : match.start()].rstrip(" ,的")) + max(0, match.start() - 8)
        lead = Lead(match.span(), Duration())
        if before not in ends and (span := _lead_clause_near(plain, lead)) is not None:
            found.append((lead, span))
    return found


_NEAR_LEAD = 40
"""Characters around a lead in which the words of its clause stand; the text may be long."""


def _lead_clause_near(plain: str, lead: Lead) -> Span | None:
    start = max(0, lead.span[0] - _NEAR_LEAD)
    moved = Lead((lead.span[0] - start, lead.span[1] - start), lead.duration)
    found = _lead_clause(plain[start : lead.span[1] + _NEAR_LEAD], moved)
    return None if found is None else (found[0] + start, found[1] + start)


def reminds(plain: str, time: TimeExpression, lead: Span | None = None) -> bool:
    """Whether the words 提醒我 are about the time itself (§5, first row); `lead` is the clause of a lead beside it."""
    return _reminds(plain, time, lead) is not None


def _bare_clock(time: TimeExpression) -> bool:
    return time.date is None and time.after is None


def _todo(text: str, plain: str) -> Candidate | NeedsModel:
    if len([part for part in _SENTENCE.split(plain) if part.strip()]) > 1:
        return NeedsModel("sentences")
    remind = REMIND.match(plain)
    action = action_words(text, plain, [remind.span()] if remind else [])
    return Candidate(title_of(action), action, text.strip(), (), ())


def _one_time(text: str, plain: str, times: TimeReading) -> Candidate | NeedsModel:
    time = times.expressions[0]
    if plain[: time.span[0]].endswith("、"):
        return NeedsModel("enumeration")
    reminding = not _REMIND_SIGNS.isdisjoint(plain)
    lead = times.leads[0] if times.leads else None
    lead_span = None
    if lead is not None:
        lead_span = _lead_clause(plain, lead)
        if lead_span is None:
            return NeedsModel("lead")
    elif reminding:
        on_time = _on_time(plain, time)
        if on_time is not None:
            lead, lead_span = Lead(on_time, Duration()), _lead_clause(plain, Lead(on_time, Duration()))
    minutes = lead.duration.minutes if lead else None
    if lead is not None and (minutes is None or minutes > LONGEST_LEAD):
        return NeedsModel("lead_range")
    remind = _reminds(plain, time, lead_span) if reminding else None
    if remind is not None and _bare_clock(time) and _DAY_WORDS.search(plain, 0, time.span[0]):
        # 生日那天15:00提醒我: the words before the clock name a day, and it is not today.
        return NeedsModel("leftover")
    used = [span for span in (time.span, lead_span, remind) if span is not None]
    kind, role_span = _kind(plain, time, used, specified=remind is not None)
    if role_span is not None:
        used.append(role_span)
    parts = _parts(plain, used, time)
    if parts is None:
        return NeedsModel("clauses")
    main, details = parts
    asked = REMIND.match(plain) if reminding else None
    cut = [*used, asked.span()] if asked else used
    action = action_words(text[main[0] : main[1]], plain[main[0] : main[1]], _within(cut, main))
    evidence = text[main[0] : main[1]].strip()
    node = CandidateNode(
        kind,
        text[time.span[0] : time.span[1]],
        evidence,
        time,
        minutes,
        text[lead.span[0] : lead.span[1]].strip() if lead else None,
        lead_in_days=lead is not None and bool(lead.duration.days) and lead.duration.in_whole_days,
    )
    return Candidate(
        title_of(action), action, evidence, tuple(text[start:end].strip() for start, end in details), (node,)
    )


def _lead_clause(plain: str, lead: Lead) -> Span | None:
    """Return the span of 提前…提醒我, or None where the lead belongs to something else (提前10分钟到场)."""
    behind = _LEAD_GAP.match(plain, lead.span[1])
    remind = REMIND.match(plain, behind.end() if behind else lead.span[1])
    if remind is not None:
        before = _LEAD_HEAD.search(plain[: lead.span[0]])
        return (before.start() if before else lead.span[0]), remind.end()
    before_words = _REMIND_LAST.search(plain[: lead.span[0]])
    return (before_words.start(), lead.span[1]) if before_words else None


def _on_time(plain: str, time: TimeExpression) -> Span | None:
    """Find 准时提醒 that stands apart from the time (明天下午3点开会，准时提醒我)."""
    found = _ON_TIME.search(plain, time.span[1])
    if found is None or not plain[time.span[1] : found.start()].strip(" ,的"):
        return None
    return found.start(), found.end()


def _reminds(plain: str, time: TimeExpression, lead_span: Span | None) -> Span | None:
    """Return the span of the words 提醒我 that the time itself modifies (§5, first row), if they are there."""
    filler = _FILLER.match(plain, time.span[1])
    start = filler.end() if filler else time.span[1]
    remind = REMIND.match(plain, time.span[1]) or REMIND.match(plain, start)
    if remind is not None and (lead_span is None or remind.start() >= lead_span[1] or remind.end() <= lead_span[0]):
        return time.span[1], remind.end()
    first = REMIND.match(plain)
    if first is not None and lead_span is None:
        between = plain[first.end() : time.span[0]].strip(" ,:")
        nothing_else = not plain[time.span[1] :].strip(" ,。!了的")
        # 20分钟后 is a countdown for the reminder itself; so is a sentence that names nothing but the reminder.
        if not between and (nothing_else or (time.after is not None and time.after.seconds)):
            return first.span()
    return None


def _kind(plain: str, time: TimeExpression, used: list[Span], *, specified: bool) -> tuple[NodeKind, Span | None]:
    """Say what happens at the time, and which words beside it say so."""
    if specified:
        return NodeKind.REMINDER, None
    start, end = time.span
    rest = _outside(plain, [span for span in used if span != time.span])
    until = UNTIL.match(rest, end)
    before = BEFORE_TIME.search(rest, 0, start)
    if until or before:
        return NodeKind.DEADLINE, until.span() if until else before.span() if before else None
    around = rest[:start] + "#" + rest[end:]
    if _ROLE_SIGNS.isdisjoint(around):
        return NodeKind.START, None
    if _DEADLINE_WORD.search(around):
        return NodeKind.DEADLINE, None
    over = OVER.match(rest, end)
    if over or _END_WORD.search(rest):
        return NodeKind.END, None
    if OPENS.search(around.replace("#", "")):
        return NodeKind.OPEN, None
    if SUBMIT.search(around):
        return NodeKind.DEADLINE, None
    return NodeKind.START, None


def _outside(plain: str, spans: list[Span]) -> str:
    """Return `plain` with the spans blanked out, so that offsets stay."""
    for start, end in spans:
        plain = plain[:start] + " " * (end - start) + plain[end:]
    return plain


def _within(spans: list[Span], part: Span) -> list[Span]:
    return [
        (max(start, part[0]) - part[0], min(end, part[1]) - part[0])
        for start, end in spans
        if start < part[1] and end > part[0]
    ]


def _parts(plain: str, used: list[Span], time: TimeExpression) -> tuple[Span, list[Span]] | None:
    """Split into the main part around the time and its supplements; None where there is a second matter.

    A clause that holds nothing but the time, the lead or the reminder belongs to the clause beside it.
    """
    blank = _outside(plain, used)
    if _CLAUSE_END.search(blank) is None:
        return (0, len(plain)), []
    # A comma inside the time or between it and its verb does not end the clause: 10月20日，下午3点开会.
    bounds = [match.span() for match in _CLAUSE_END.finditer(blank)]
    clauses: list[tuple[Span, str]] = []
    position = 0
    for start, end in [*bounds, (len(plain), len(plain))]:
        clauses.append(((position, start), plain[start:end]))
        position = end
    wordy = [(span, stop) for span, stop in clauses if blank[span[0] : span[1]].strip(" ~.、:的")]
    timed = [span for span, _ in clauses if span[0] <= time.span[0] < span[1]]
    anchor = timed[0] if timed else (0, len(plain))
    if not wordy:
        return anchor, []
    last = max(index for index, (span, _) in enumerate(clauses) if blank[span[0] : span[1]].strip(" ~.、:的"))
    ended = [stop for _, stop in clauses[:last]]
    mains: list[Span] = []
    details: list[Span] = []
    for (start, end), _ in wordy:
        words = blank[start:end].strip()
        if _POLITE.match(words) or REMIND.fullmatch(words):
            continue
        if not mains:
            mains.append((start, end))
        elif _SUPPLEMENT.match(words):
            details.append((start, end))
        else:
            return None
    if details and any(stop.strip(" ,") for stop in ended):
        return None
    if not mains:
        return anchor, []
    return (min(mains[0][0], anchor[0]), max(mains[0][1], anchor[1])), details
