"""Sentences that talk of products and ask for none: reminders, questions, conditions, orders about tasks, notices."""

from __future__ import annotations

import re
from functools import cache

from zhixing.documents.drafting.words import any_of, phrases

_REMINDS = re.compile(r"提醒|记得|别忘|不要忘|闹钟|叫醒|叫我|喊我|通知我|告诉我")
_GRAPHS = re.compile(r"米家|极客版|中枢|网关|自动化|规则|节点图|场景|联动")
_MANAGES = re.compile(
    r"(?:删|取消|暂停|停用|停掉|停止|启用|恢复|查看|看看|列出?|有哪些|运行|执行|跑|重跑|修改|改)[^,。;]{0,14}任务"
    r"|任务[^,。;]{0,10}(?:有哪些|列表|清单|删|停|暂停|启用|恢复|执行得|怎么样|记录|改|取消|运行)"
    r"|^(?:取消|删除|删掉|暂停|停用|停掉|启用|恢复|查看|看看|打开|关掉|停止|别再|不要再|不用再|列一下|列出所有)"
    r"|运行记录|提醒列表|所有提醒"
)
_CONDITIONS = re.compile(
    r"如果|要是|只要|一旦|每当|每次|的时候|[看听]到|有人|没人|无人|出现|超过[^字]{0,6}(?:分钟|小时|度)|达到|检测到|回家|到家|进门|出门"
    r"|(?<!完)就(?!写|生成|汇总|出一|输出|整理|把|是|业|用)"
)
_ALOUD = re.compile(r"播放|播报(?!文案|稿|词)|朗读给|打开|关闭|关掉|关上|开灯|关灯|调到")
_OVER = re.compile(
    r"[写做交看出](?:好|完|错)(?!以后|之后|后|了?就?(?:不用|别|直接|发))|[写做]了(?!.{0,3}给我)|写下来|在写|正在(?:写|做)"
)
_ASKS = re.compile(
    r"怎么|如何|什么(?!时候都)|哪[里儿个些份]|谁|几[点份篇次个]|多少|为什么|是不是|会不会|有没有|了吗|了没|[吗么呢]?[?]$|[吗呢]$|你会"
)
_POLITE = re.compile(r"^(?:你|请问)?(?:能不能|能否|可不可以|可以|可否|能|麻烦|是否可以)[^?]*")
_QUESTION_END = re.compile(r"(?:好吗|可以吗|行吗|行不行|好不好|吗|么)?[?]?$")
_HANDED_OUT = re.compile(
    r"各位|请各|请大家|请同学|请家长|请全体|请所有|请相关|请有关|同学们|通知:|各部门|各班|全体|务必|上报|报送|截止|截至|提交"
    r"|(?:[日号天晚午点底周月]|周[一二三四五六日天])之?前"
)
_MAKES = r"(?:写|做|出|生成|整理|交|完成|准备|汇总|画|编)"


def reminds(plain: str) -> bool:
    """Whether somebody is to be told or woken."""
    return _REMINDS.search(plain) is not None


def is_about_the_home(plain: str) -> bool:
    """Whether something that happens in the home starts it, or it sounds or switches."""
    return (
        _CONDITIONS.search(plain) is not None or _ALOUD.search(plain) is not None or _GRAPHS.search(plain) is not None
    )


def is_about_tasks(plain: str) -> bool:
    """Whether it is an order about tasks that exist."""
    return not is_framed(plain) and _MANAGES.search(plain) is not None


def is_framed(plain: str) -> bool:
    """Whether a new task is asked for by name: 新建一个任务. Then nothing is an order about one that exists."""
    return any(frame in plain for frame in phrases().frames)


def is_over(plain: str) -> bool:
    """Whether it was done, or something follows when it is."""
    return _OVER.search(plain) is not None


def is_handed_out(plain: str) -> bool:
    """Whether it was written for many, or names a deadline."""
    return _HANDED_OUT.search(plain) is not None


def asks(plain: str) -> bool:
    """Whether it is a question, and no polite wish: 能不能每天给我写一份日报."""
    polite = _POLITE.match(plain)
    if polite is None:
        return _ASKS.search(plain) is not None
    rest = _QUESTION_END.sub("", plain[polite.start() :])
    return _ASKS.search(re.sub(r"^(?:你|请问)?(?:能不能|能否|可不可以|可否|是否可以)", "", rest)) is not None


@cache
def _person() -> re.Pattern[str]:
    names = any_of(phrases().persons)
    return re.compile(
        rf"(?:^|[,。;: ])(?:今天|明天|昨天)?(?:{names}|小[一-龥](?<!小时))(?!想让你|希望你|要你)"
        rf"(?P<rest>[^,。;]{{0,60}}?{_MAKES})"
    )


def does_it_himself(plain: str, wishes: re.Pattern[str]) -> bool:
    """Whether a person is the one who writes: 我今天要写完周报, 小王每周写周报."""
    found = _person().search(plain)
    if found is None or wishes.search(plain) is not None:
        return re.search(rf"让(?:我|孩子|他|她|大家|同学)[^,。;]{{0,6}}{_MAKES}", plain) is not None
    return not re.search("收到|给我|帮我|发我", found["rest"])
