"""A sentence → its wishes, each with what it is about and what that becomes. Pure."""

from __future__ import annotations

import re

from zhixing.household.assembling.plain import plain
from zhixing.household.updating.model import Clause, Standing

LONGEST_TEXT = 300
"""Characters of one sentence."""
MOST_WISHES = 5
_VERB = re.compile(
    r"改名[叫为成]?|(?:改|换|调|变|设)(?:成|为|到|叫)|调整(?:为|成|到)|设置(?:为|成|到)|(?:增|加|减少?|延长|缩短|推迟|提前|增加|放宽|缩)到|(?:改|换)(?=用|看|在)|改(?=\d)"
)
_FROM = re.compile(r"从\S+(?<!起)(?<!开始)$")
_FRAME = re.compile(r"^(?:请|帮我|麻烦|给我|我想|我要|想)*(?:把|将)?|^(?:把|将)")
_LINK = re.compile(r"并且|而且|然后|同时|顺便|另外|还有|再(?=改|把|换|调|将)|以及|(?:还|也)(?=改|要改)| ")
_QUOTED = re.compile(r"[「『“‘\"'](?P<words>[^」』”’\"']+)[」』”’\"'][。！!.]?$")
_ENOUGH = re.compile(r"^(?:不要|别|不用|不想|不)(?!改|换|调)\S{1,10}了$")
"""What is no more, in front of what is to be instead: 别看书房了，只看客厅."""
_BOUND = re.compile(
    r"如果|要是|假如|万一|除非|为什么|为啥|怎么|谁|昨天|刚才|今[天晚]|明[天晚早]|后天|[下这本]个?周末?|[下这本]个?月|这次|那天|暂时|临时|从\S{1,8}起"
)
_DONT = re.compile(r"^(?:先)?(?:不要|别|不用|不想|不必)|(?:不要|别|不用|不想|不必|没有?|不)$")
_NOT = re.compile(r"[不别没勿非未].?")
_NOISE = re.compile(
    r"那[个条]|这[个条]|任务|提醒|通知|告诉|播报|一[下次声]|以后都?|就可以|就行|就好|左右|时间|时候|每次|家里|情况|[就才再都算行好了吧的为到成在是要我他她它也请把将给一次每用得过着等里满够呢啊呀声有人那这会时后]"
)


def cleaned(text: str) -> str:
    """Return a sentence without what cannot be stored or shown."""
    return "".join(char if char.isprintable() else " " for char in text).strip()


def whole(text: str) -> Clause:
    """Return a sentence as one wish."""
    # Two numbers side by side are two: 10~12杯 is no thousand.
    return clause(re.sub(r"(?<=\d) +(?=\d)", "、", plain(text)).replace(" ", ""), text)


def several(text: str) -> tuple[Clause, ...]:
    """Return a sentence as several wishes, in order; one where nothing joins them."""
    parts = [part for part in _LINK.split(plain(text)) if part and _FRAME.sub("", part)]
    if len(parts) > 1 and _ENOUGH.match(parts[0]):
        del parts[0]
    return tuple(clause(part, part) for part in parts)


def clause(words: str, raw: str) -> Clause:
    """Take one wish apart at the verb; `raw` are the words as they were written."""
    words = _FRAME.sub("", words, count=1)
    verb = _VERB.search(words)
    if verb is None:
        return Clause("", words, raw)
    what = _FROM.sub("", words[: verb.start()]).strip()
    if _DONT.search(what):
        return Clause(what, "", raw)
    if verb[0].startswith("改名"):
        what = f"{what}名字"
    return Clause(what, words[verb.end() :], _behind(raw))


def bound(what: str, standing: Standing) -> bool:
    """Whether a wish is for some time or case only, or is none: 如果下雨就改成…, 明天改成…, 为什么改成…."""
    return any(match[0] not in standing.words for match in _BOUND.finditer(what))


def fits(rest: str, standing: Standing) -> bool:
    """Whether words that a reader left over say nothing more than what the task is called by."""
    words, said = standing.words, rest.replace(" ", "")
    # A number is never said for nothing, and what is denied has to be denied in the name, too (没人).
    if re.search(r"\d", said) or any(match[0] not in words for match in _NOT.finditer(said)):
        return False
    return all(char in words for char in _NOISE.sub("", said))


def _behind(raw: str) -> str:
    """Return what stands behind the verb: what is in quotes, or all of it but the stop."""
    verb = _VERB.search(raw)
    said = (raw if verb is None else raw[verb.end() :]).strip()
    quoted = _QUOTED.match(said)
    return quoted["words"].strip() if quoted is not None else said.rstrip("。！!. ")
