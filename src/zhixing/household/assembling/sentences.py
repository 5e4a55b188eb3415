"""One message, several sentences: where somebody ends one wish and begins the next (H-IN-01)."""

from __future__ import annotations

import re

from zhixing.household.assembling.amounts import NUMBER
from zhixing.household.assembling.plain import plain
from zhixing.household.assembling.response import head, heads, read_notes

_STOP = re.compile(r"[。;；!！\n]+")
_MARK = r"(?:另外|还有|以及|再有|然后|接着|此外|对了|顺便|再帮我|再给我|再来一个|第[一二三四五]个?是?|一个是|一是|二是|三是)"
_BREAK = re.compile(rf"(?:^|[\s,，、:：])(?:{_MARK}[,，:： ]*)+(?:再)?(?:帮我|给我)?[,， ]*(?=\S{{4}})")
_GOES_ON = re.compile(
    r"^(?:没人|人走|人离开|走了|离开|出来|出去|\S完|结束|醒|睡醒|到了|达标|够了|少了|超了|满了|漏了|忘了|就|都|也|并且|而且|同时|但|不过|不要|不用|别|记得|最好|用|其他|其余"
    r"|\S{1,6}(?:内|之内)(?:别|不|只))"
)
"""What only the sentence before it explains."""
_SECOND = re.compile(r"(?:的时候|时候|的话|(?<=\S)就)(?!行|好|可以)")
_AGAIN = re.compile(r"\d点|[一二三四五六七八九十两]点|分钟[以之]?后|小时[以之]?后|每[天周月晚]|明天|后天")
_PART = r"(?:晚上|夜里|白天|周末|中午|上午|下午|早上|工作日|节假日|平时|\d+点\S{0,3}|[一二三四五六七八九十]+点\S{0,3})"
_NARROWS = re.compile(
    rf"如果|要是|假如|除非|万一|否则|不然|从[下明后]\S{{0,3}}(?:开始|起)|[明后]天(?:起|开始)|用不着|不需要|不用了|不要了|没用了|生效|为止|截止|[仅只]限|先问|等\S{{1,6}}再|{_PART}\S{{0,4}}(?:不用|不要|不算|算了|免了|除外)|{_PART}\S{{0,2}}别"
    rf"|每?隔{NUMBER}?个?半?(?:分钟|小时|天)|[再又](?:说|提醒|喊|播|告诉)(?:一|两|三|$)|(?:并且?|同时|再|顺便|还要?|然后)(?:帮我|给我)?(?:记录|统计|记下|记一)"
)
"""Behind what-then: when it holds, how often it is done, what comes later. None of it is what is to be said."""
_OFTEN = re.compile(rf"(?:(?!一){NUMBER}|几|多)[次遍]$")
_GOALS = re.compile(r"每[天周月晚早]|每个[周月]|一[天周]")
_DELAYS = re.compile(rf"{NUMBER}个?(?:秒钟?|分钟|小时)(?:以|之)?后")
_COUNTS = re.compile(r"统计|记录|记下|记一|数着|数一下|跟踪|追踪|几[次杯个回根]|多久|多长时间")


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a message, plain, in order; what goes on with the one before stays with it."""
    found: list[str] = []
    for stretch in _STOP.split(text):
        for at, part in enumerate(_BREAK.split(stretch)):
            words = plain(part)
            if not words:
                continue
            if found and at == 0 and _GOES_ON.match(words):
                found[-1] = f"{found[-1]} {words}"
            else:
                found.append(words)
    return tuple(found)


def says_more(text: str) -> bool:
    """Whether behind what-then of `text` (plain) another when or another what begins, which would be lost."""
    whole = text.replace(" ", "")
    begins = head(whole)
    if begins is not None:
        behind = whole[begins.end() :]
        often = _OFTEN.search(behind) is not None and _GOALS.search(behind) is None
        if often or _NARROWS.search(behind) or (begins.start() > 0 and _DELAYS.search(behind)):
            return True
    words = read_notes(text).rest
    first = head(words)
    if first is None:
        return False
    behind, *clauses = words[first.end() :].split(" ")
    if any(told.start() > 1 and _SECOND.search(behind[: told.end()]) for told in heads(behind)):
        return True
    later = " ".join(clauses)
    if head(later) is not None and _AGAIN.search(later):
        return True
    return any(_another(clause) for clause in clauses)


def _another(clause: str) -> bool:
    found = head(clause)
    if found is None:
        return _COUNTS.search(clause) is not None and not clause.endswith("要记着")
    return found.start() >= 2
