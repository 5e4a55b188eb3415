"""A goal in one plain phrase: without politeness, the verb first.

Only the words that were said, but for the period of a report (月报 → 本月月报), which the document itself fills in.
"""

from __future__ import annotations

import re
from functools import cache

from zhixing.goals.recognising.texts import item
from zhixing.goals.recognising.words import any_of, made_of, task_words

LONGEST_VAGUE = 40
"""Characters: who says more than this means something."""
SHORTEST_GOAL = 5
"""Characters: verbs alone, if they are no more than this, name no goal."""
_AFTER_NEXT = "[周个月季学午次半单线载拉面架发一级]"
"""下周, 下个月: there 下 is no 一下."""
_MENDING = r"(?:修好|修复|修掉|修一下|修了|修|改好|解决掉|解决|搞定|处理好|处理掉|处理)"


@cache
def _polite() -> re.Pattern[str]:
    said = task_words()
    return re.compile(
        rf"^(?:{any_of((*said.polite, *said.besides, *said.alongside, '再', '也', '把这个任务'))}(?!助|手)[ ，,：:]*)+"
    )


@cache
def _verb() -> str:
    return any_of(task_words().verbs)


@cache
def _begins() -> re.Pattern[str]:
    return re.compile(rf"(?:{_verb()}|[把将给用按从对为] ?\S)", re.IGNORECASE)


@cache
def _turned() -> re.Pattern[str]:
    return re.compile(
        rf"^(?P<what>[^，,]{{2,30}}?)(?:也|都)?(?:要|得|需要)?(?:一起|一并|顺便|顺带)?(?:请|麻烦)?(?:帮我|帮忙|给我)?"
        rf"(?P<verb>{_verb()})(?:出来|一下|好|掉)?(?:了|吧|一下)*$"
    )


@cache
def _report() -> re.Pattern[str]:
    return re.compile(
        rf"^(?P<verb>{_verb()})(?:一下|一[份篇个]|[份篇个])?(?P<report>{any_of(task_words().periods)})(?P<rest>.*)$"
    )


@cache
def _vague() -> frozenset[str]:
    return frozenset(task_words().vague)


def is_vague(text: str) -> bool:
    """Whether a text says no result that is to be reached."""
    if len(text) > LONGEST_VAGUE:
        return False
    # 修一下, 优化: a verb without anything that it is done to.
    return made_of(text, _vague()) or (len(text) <= SHORTEST_GOAL and made_of(text, _vague() | _bare_verbs()))


@cache
def _bare_verbs() -> frozenset[str]:
    return frozenset(task_words().verbs)


def asks(clause: str) -> bool:
    """Whether a clause asks for something to be done: it begins with a verb, or 把…, or ends with 也帮我…了."""
    bare = _polite().sub("", clause.strip())
    turned = _turned().match(bare)
    return bool(_begins().match(bare) or (turned and re.search(r"[也都]|帮我|给我|了$", bare)))


def phrased(clause: str) -> str:
    """Return a clause that asks for something as a goal."""
    one = _polite().sub("", item(clause))
    one = re.sub(r"(?:吧|啊|呗|哈|呢|谢谢|[？?])+$", "", one)
    if mended := re.match(rf"^[把将](.+?)(?:给|都|也|全)?{_MENDING}(?:了|一下)*$", one):
        one = f"修复{_gap(mended[1])}{mended[1]}"
    elif done := re.match(rf"^[把将](.{{2,}}?)(?:给|都|也|全)?({_verb()})(?:了|一下|掉)*$", one):
        one = f"{done[2]}{done[1]}"
    elif not _begins().match(one) and (turned := _turned().match(one)):
        verb = "修复" if re.fullmatch(_MENDING, turned["verb"]) and turned["verb"][0] == "修" else turned["verb"]
        one = f"{verb}{_gap(turned['what'])}{turned['what']}"
    gap = " " if re.match(r"[A-Za-z]", one) else ""
    one = re.sub(rf"^({_verb()}) ?(?:一下|下(?!{_AFTER_NEXT})) ?", rf"\1{gap}", one, flags=re.IGNORECASE)
    one = re.sub(r"^修(?!复|改|正|订|好|补|剪|缮|整|理|建|养|图)\s*", "修复", one)
    one = re.sub(r"^修复(?=[A-Za-z0-9#])", "修复 ", one)
    if report := _report().match(one):
        one = f"{report['verb']}{task_words().periods[report['report']]}{report['report']}{report['rest']}"
    return item(one)


def _gap(text: str) -> str:
    return " " if re.match(r"[A-Za-z0-9#]", text) else ""
