"""What the words around a time allow it to be (document 004 §3–§5).

A model says what happens at a time; here the words have their say. They may leave several kinds open, or one; they may
say that the time is past its use (原定), for somebody else (客服时间), off (不开会了), of every week, or only under a
condition. Pure, and on the side of silence: a kind that no word supports is refused.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from enum import Enum, auto

from msgspec.structs import replace

from zhixing.language.timex import Span, TimeExpression, VagueDate
from zhixing.notices.grammar import BEFORE_TIME, OPENS, OVER, SUBMIT, UNTIL, WINDOW, reminds
from zhixing.notices.ground import Ground
from zhixing.notices.model import NodeKind
from zhixing.notices.ranges import RANGE

TOLD = frozenset((NodeKind.OPEN, NodeKind.START, NodeKind.DEADLINE, NodeKind.REMINDER))
"""Kinds that lead to a reminder by themselves."""
TIMED = TOLD | {NodeKind.END}
_FAR = 60
"""Characters around a time in which words can be about it; sentences may be endless."""


class Standing(Enum):
    """What becomes of a time, whatever kind it is said to be."""

    LIVE = auto()
    REPEATED = auto()
    """每天早上8点: no single time."""
    SUPERSEDED = auto()
    """原定…改到: a detail of the past."""
    NOT_OURS = auto()
    """Somebody else's deadline, service hours, a range of records."""
    OFF = auto()
    """Cancelled, postponed, not to be done, or only expected until the final time is told."""
    CONDITIONAL = auto()
    GROUPED = auto()
    """One of several times for different groups; which group the user belongs to is not ours to guess (§1)."""


_GONE = frozenset((Standing.REPEATED, Standing.SUPERSEDED, Standing.NOT_OURS, Standing.OFF))

_WINDOW = re.compile(WINDOW)
_WINDOW_BEFORE = re.compile(rf"{WINDOW}(?:开始|开放)?(?:时间|日期)? *[:为是于在]? *$")
_WINDOW_BEHIND = re.compile(rf" *(?:止|为)? *(?:进行|开展|集中|统一|网上|线上|在线|登录[^,。]{{0,8}})?{WINDOW}(?!的)")
_GOES_ON = re.compile(r"(?: |正式|准时|统一|集中|按时|务必|必须|把|将|请|要|记得|去|整|我|来)*")
_BEGINS = re.compile(
    r"(?: |正式|准时|统一|集中|整)*(?:(?P<open>开放|开启|开通|开售|开抢|放票|发售)|(?P<either>开始(?=[付缴抢选领兑售卖买订投收交填])|起|启动)|开始)"
)
_OPEN_WORD = re.compile(rf"{OPENS.pattern}|开放|开启|开通|上线|发售|放票|起(?=$|[,。]|{WINDOW})")
_OPEN_AT_ONCE = re.compile(rf"(?: |正式|准时|统一|集中|整|起)*(?:{OPENS.pattern})")
_DUE_WORD = re.compile(
    rf"截止|截至|到期|过期|期限|有效期|最[晚迟]|不[晚迟]于|不得[晚迟]于|之?内|以内|逾期|止付|停用|下线|失效|为止|[dD][dD][lL]|deadline|关闭|停止|完成|确认|回复|反馈|"
    rf"缴|付款?|还款|还清|报送|{SUBMIT.pattern}"
)
_OVER_WORD = re.compile(r"结束|闭幕|闭馆|散场|散会|下课|放学|收尾|打烊|为止")
_FROM_THEN_ON = re.compile(r" *(?:之后|以后|过后|后)(?![天日续台勤排门院场期])")
_REMIND_WORD = re.compile(r"[^,。]{0,12}?(?:提醒|通知我|[叫喊]我|闹[钟铃])")


_OLD = re.compile(
    r"(?<![按照依])(?:原定|原计划|原先|原本|原时间|原来定|本来定|此前定)(?:的|时间|日期|定|于|在|是|为|:| )*$"
)
_MOVES = r"(?:改签?|推迟|延期|延后|延迟|延长|延|顺延|提前|提早|挪|移|调整?|变更|更改|更正|换)(?:到|至|为|成|在|于)"
_MOVED_TO = re.compile(rf"(?:{_MOVES}|应为|应该是|而是)(?:了|的| |下午)?[^,。!?;\n0-9]{{0,4}}$")
_CONDITION = re.compile(r"如果|如若|如遇|如有雨|若(?!干)|要是|假如|假使|倘若|万一|除非|一旦|的话")
_EVERY = re.compile(
    r"(?:每(?!人|位|班|组|名|次|份|张|户|家|个人|项)|天天|逢|隔(?=[天日周月年一两二三])|工作日|周末|双休日|节假日)[^,。!?;\n改]{0,8}$"
)
_EVERY_BEHIND = re.compile(r" *(?:每[天日周月年晚早]|天天)")
_LISTED = re.compile(r"[ 、,和及与跟]{1,3}")

_NOT_DONE = re.compile(
    r"(?:的|有|了|我们?|大家|全班|那个|这个)*[^,。前]{0,14}?"
    r"(?:(?<!得)(?<!能)(?<!可)(?:不(?:用|要|必|需要?|须|再|能)*|别|甭|无需|无须|毋须) *(?:再)? *"
    r"(?:开(?!车)|上(?:课|班|学|来)?|办|考|交(?!谈|流|头)|去|来|举[行办]|参加|进行|召开|做|打|聚|见(?!不)|提醒|通知)(?![^,。]{0,6}(?:者|的(?!$|[,。])|视为|不行|不可))"
    r"|暂停(?=了|$|[,。!;]|举[行办]|上课|开课)|没有?(?:课|会|活动|考试|训练|比赛|班)|无课|停(?:课|办|开|诊|训|赛)|(?:已|被|临时|全部|都)?(?:取消|作废|撤销)(?=了|$|[,。!;])(?<!可取消)(?<!费取消)(?<!行取消)(?<!请取消)(?<!要取消)(?<!能取消))"
)
_NOT_REMINDED = re.compile(r"(?:不要|别|不用|不必|无需|无须|不需要|勿|甭)(?:再)? *(?:提醒|通知|叫|喊)[^,。]{0,6}$")
_OFF_BEFORE = re.compile(r"(?:取消(?:了)?(?:原定|原来)?(?:的|于|在)?|不是|并非|不在|别在|不要在|除了) *$")
_POSTPONED = re.compile(
    r"(?<![不得可请予需要能理自以])(?:延期|推迟|延后|顺延|暂缓|搁置)(?![到至为成一二三两半0-9]|申请|手续|提交|办理)"
)
_TENTATIVE = re.compile(r"(?:预计|暂定|初定|拟定?|预期|初步定)[^,。!?;\n]*$")
_FINAL_LATER = re.compile(
    r"待定|未定|另行通知|另定|再通知|等通知|待通知|尚未确定|择[期日]|以[^,。]{0,10}(?:通知|公告|公布)为准"
)
_TIME_OPEN = re.compile(
    r"(?<!截止)(?<!结束)(?<!报名)时间(?:地点)?(?:仍|还|尚|均)?(?:待定|未定|另行通知|另定|再通知|等通知|待通知)"
)

_HOURS = re.compile(r"(?:客服|营业|服务|工作|办公|上班|作息|开放|咨询|接待|值班|受理|热线)(?:电话)?时间")
_OTHERS_BEFORE = re.compile(
    r"(?:老师|教授|导师|学校|学院|公司|单位|财务|人事|后台|审核|系统|官方|平台|客服|人员|[们方]|部门?)[^,。]{0,6}(?:将|会)[^,。]{0,4}$"
    r"|(?:审核(?:老师|人员|组|部门)?|工作人员|技术人员|商家|卖家) *(?:预计|计划|于|在| )*$"
)
_OTHERS_BEHIND = re.compile(
    r" *(?:之?前|以前|之?内|以内)[^,。]{0,8}?(?:公布|公示|发布|回复|答复|反馈|出结果|出成绩|处理|完成|审核|发放|退款|到账|发货|寄出)"
)
_RECORDS_BEFORE = re.compile(r"(?:统计|汇总|核对|导出|查询|整理|盘点|对账|回顾)[^,。!?;\n]*$")
_RECORDS_BEHIND = re.compile(r"[^,。!?;\n]*?(?:记录|数据|情况|流水|账单|明细|消费|收入|支出|考勤|病历)")
_HAPPENED = re.compile(r"(?:已经?|曾经?)(?:于|在) *$")

_GROUP = re.compile(
    r"[0-9]{2,4} *[级届]|(?:大|研|高|初)[一二三四](?=[^一-龥0-9]|[的年学同])|[一二三四五六七八九1-9]年级|[0-9一二三四五六七八九十]+班|[A-Za-z甲乙丙丁第一二三四五六七八九十0-9]组"
)


class Roles:
    """The words around the times of one text."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._plain = ground.plain
        self._conditions = [match.start() for match in _CONDITION.finditer(ground.plain)]
        # One after the other, because a list of times repeats as its first one does.
        self._repeated: list[bool] = []
        for index in range(len(ground.times)):
            self._repeated.append(self._repeats(index))
        self._live: dict[int, frozenset[NodeKind]] = {}
        self._groups = [self._group(one.said.span) for one in ground.times]

    def live(self, index: int) -> frozenset[NodeKind]:
        """Return what may happen at a time of the text, nothing where it is not (or no longer) a time of the user's."""
        if index not in self._live:
            span = self._ground.times[index].said.span
            gone = self.standing(span, index) in _GONE
            self._live[index] = frozenset() if gone else self.permitted(span, index)
        return self._live[index]

    # Kinds.

    def permitted(self, span: Span, index: int | None) -> frozenset[NodeKind]:
        """Return the kinds of node that the words allow at `span`; `index` is the time there, if it can be read."""
        plain = self._plain
        if index is not None and self._is_reminder(self._ground.times[index].said):
            return frozenset((NodeKind.REMINDER,))
        start, end = self._near(self._ground.clause(span), span)
        window = _WINDOW.search(plain, *self._near(self._ground.sentence(span), span)) is not None
        left, right = self._ends(index)
        strict = self._strict(span, (start, end), window=window)
        if strict:
            return strict | ({NodeKind.END} if right else set()) | ({NodeKind.START, NodeKind.OPEN} if left else set())
        if (left or right) and index is not None and self._of_window(index):
            return frozenset((NodeKind.OPEN if left else NodeKind.DEADLINE,))
        after = plain[span[1] : end]
        if right:
            return frozenset((NodeKind.END, *((NodeKind.DEADLINE,) if window or _DUE_WORD.search(after) else ())))
        around = f"{plain[start : span[0]]}#{after}"
        opens = (left and window) or _OPEN_WORD.search(around) or _WINDOW_BEFORE.search(plain, start, span[0])
        kinds = frozenset((NodeKind.START, *((NodeKind.OPEN,) if opens else ())))
        return kinds if left else kinds | self._loose(span, end, around)

    def _loose(self, span: Span, end: int, around: str) -> set[NodeKind]:
        """Return the kinds that words of the clause make possible for a time that is no range."""
        kinds: set[NodeKind] = set()
        if _FROM_THEN_ON.match(self._plain, span[1]):
            kinds.add(NodeKind.OPEN)
        if _DUE_WORD.search(around):
            kinds.add(NodeKind.DEADLINE)
        if _OVER_WORD.search(around):
            kinds.add(NodeKind.END)
        if _REMIND_WORD.match(self._plain, span[1], end) and not self._lead_within(span[1], end):
            kinds.add(NodeKind.REMINDER)
        return kinds

    def _near(self, part: Span, span: Span) -> Span:
        return max(part[0], span[0] - _FAR), min(part[1], span[1] + _FAR)

    def _strict(self, span: Span, clause: Span, *, window: bool) -> frozenset[NodeKind]:
        """Return the kinds that words directly at the time insist on, or none."""
        plain, (start, end) = self._plain, span
        if UNTIL.match(plain, end) or BEFORE_TIME.search(plain, clause[0], start):
            return frozenset((NodeKind.DEADLINE,))
        if OVER.match(plain, end):
            return frozenset((NodeKind.END, *((NodeKind.DEADLINE,) if window else ())))
        if _OPEN_AT_ONCE.match(plain, end):
            return frozenset((NodeKind.OPEN,))
        begins = _BEGINS.match(plain, end)
        if begins is not None:
            if begins["open"] or window:
                return frozenset((NodeKind.OPEN,))
            return frozenset((NodeKind.START, *((NodeKind.OPEN,) if begins["either"] else ())))
        goes_on = _GOES_ON.match(plain, end)
        if SUBMIT.match(plain, goes_on.end() if goes_on else end):
            return frozenset((NodeKind.DEADLINE,))
        return frozenset()

    def _ends(self, index: int | None) -> tuple[bool, bool]:
        """Say whether the time is the left and whether it is the right end of a range."""
        if index is None:
            return False, False
        times = self._ground.times
        return index + 1 < len(times) and times[index + 1].closes, times[index].closes

    def _of_window(self, index: int) -> bool:
        """Whether the range is named as a window (报名时间：…至…, …至…报名), which opens and is due (§4)."""
        times = self._ground.times
        first = times[index - 1 if times[index].closes else index].said.span
        last = times[index if times[index].closes else index + 1].said.span
        start, _ = self._near(self._ground.clause(first), first)
        return bool(_WINDOW_BEFORE.search(self._plain, start, first[0]) or _WINDOW_BEHIND.match(self._plain, last[1]))

    def _is_reminder(self, said: TimeExpression) -> bool:
        start, end = self._ground.sentence(said.span)
        while start < said.span[0] and self._plain[start] == " ":
            start += 1
        start = start if said.span[0] - start <= _FAR else said.span[0]
        end = min(end, said.span[1] + _FAR)
        leads = [clause for _, clause in self._ground.leads if start <= clause[0] < end]
        lead = (leads[0][0] - start, leads[0][1] - start) if leads else None
        moved = replace(said, span=(said.span[0] - start, said.span[1] - start))
        return reminds(self._plain[start:end], moved, lead)

    def _lead_within(self, start: int, end: int) -> bool:
        return any(start <= lead[0] < end for _, lead in self._ground.leads)

    # Standing.

    def standing(self, span: Span, index: int | None) -> Standing:
        """Return what the words say about the use of the time at `span`."""
        if self._repeated[index] if index is not None else self._every(span):
            return Standing.REPEATED
        if index is not None and self._superseded(index):
            return Standing.SUPERSEDED
        if self._not_ours(span, index):
            return Standing.NOT_OURS
        if self._off(span, index):
            return Standing.OFF
        if self._condition_in(self._ground.sentence(span)[0], span[0]):
            return Standing.CONDITIONAL
        group = self._group(span)
        grouped = group is not None and len({one for one in self._groups if one is not None} | {group}) > 1
        return Standing.GROUPED if grouped else Standing.LIVE

    def _every(self, span: Span) -> bool:
        """Whether 每天, 每周, 工作日 … stand at the time."""
        start, _ = self._near(self._ground.clause(span), span)
        return bool(_EVERY.search(self._plain, start, span[0]) or _EVERY_BEHIND.match(self._plain, span[1]))

    def _repeats(self, index: int) -> bool:
        said = self._ground.times[index].said
        if said.date is not None and not isinstance(said.date, VagueDate):
            return False
        if self._every(said.span):
            return True
        if not index or not self._repeated[index - 1]:
            return False
        gap = self._plain[self._ground.times[index - 1].said.span[1] : said.span[0]]
        return bool(_LISTED.fullmatch(gap) or RANGE.fullmatch(gap))

    def _condition_in(self, start: int, end: int) -> bool:
        return bisect_left(self._conditions, start) < bisect_left(self._conditions, end)

    def _superseded(self, index: int) -> bool:
        """Whether the time, or the range it is an end of, was changed to another one that stands behind it."""
        times = self._ground.times
        low = index - 1 if times[index].closes else index
        high = index + 1 if index + 1 < len(times) and times[index + 1].closes else index
        first, last = times[low].said.span, times[high].said.span
        start, _ = self._near(self._ground.clause(first), first)
        if _OLD.search(self._plain, start, first[0]):
            return True
        if high + 1 == len(times):
            return False
        sentence = self._ground.sentence(last)
        following = times[high + 1].said.span[0]
        moved = following < sentence[1] and _MOVED_TO.search(self._plain, max(last[1], following - _FAR), following)
        return bool(moved) and not self._condition_in(sentence[0], following)

    def _not_ours(self, span: Span, index: int | None) -> bool:
        plain, times = self._plain, self._ground.times
        sentence = self._near(self._ground.sentence(span), span)
        start, _ = self._near(self._ground.clause(span), span)
        hours = [match.end() for match in _HOURS.finditer(plain, sentence[0], span[0])]
        if hours and index is not None:
            # Hours of every day have no date, neither these nor those between their name and them.
            while index >= 0 and times[index].said.span[0] >= hours[-1]:
                if not (times[index].said.date is None or isinstance(times[index].said.date, VagueDate)):
                    break
                index -= 1
            else:
                return True
        if _OTHERS_BEFORE.search(plain, start, span[0]) and _OTHERS_BEHIND.match(plain, span[1]):
            return True
        if _RECORDS_BEFORE.search(plain, start, span[0]) and _RECORDS_BEHIND.match(plain, span[1], sentence[1]):
            return True
        return _HAPPENED.search(plain, start, span[0]) is not None

    def _off(self, span: Span, index: int | None) -> bool:
        plain, times = self._plain, self._ground.times
        sentence = self._near(self._ground.sentence(span), span)
        start, end = self._near(self._ground.clause(span), span)
        if _NOT_REMINDED.search(plain, start, span[0]) or _OFF_BEFORE.search(plain, start, span[0]):
            return True
        if UNTIL.match(plain, span[1]) is None and _NOT_DONE.match(plain, span[1], end):
            return True
        following = len(plain)
        if index is not None and index + 1 < len(times):
            following = times[index + 1].said.span[0]
        rest = min(sentence[1], following)
        put_off = _POSTPONED.search(plain, span[1], rest) or _TIME_OPEN.search(plain, span[1], rest)
        if put_off is not None and not self._condition_in(span[1], put_off.start()):
            return True
        tentative = _TENTATIVE.search(plain, start, span[0])
        return tentative is not None and _FINAL_LATER.search(plain, span[1], min(following, span[1] + _FAR)) is not None

    def _group(self, span: Span) -> str | None:
        """Return the group of people that the time is for, as its clause names it."""
        start, _ = self._near(self._ground.clause(span), span)
        # Groups are read where the lexer does not see them: 2023级 is no year.
        found = _GROUP.search(self._ground.unmasked, start, span[0])
        return found[0] if found else None
