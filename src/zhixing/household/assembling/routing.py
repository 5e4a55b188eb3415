"""What is wanted at all: a new task, or something about those that exist, or nothing that is a task (H-OP)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from zhixing.household.assembling.plain import plain
from zhixing.household.assembling.request import Home, Known
from zhixing.household.assembling.response import head
from zhixing.household.assembling.words import any_of, nouns

_LIST = re.compile(
    r"(?:哪些|什么|啥|些啥|几个|多少个?|所有|全部)\S{0,6}(?:任务|提醒|规则|自动化)|(?:任务|提醒|自动化|规则)(?:的)?(?:列表|清单|都有(?:哪些|啥|什么))|(?:列出来|列一下|列下|念给我听)"
    r"|(?:几个|哪些)(?:在跑|在用|生效|停用)|(?:查看|看看|看下|看一下|列出)(?:所有|全部|我的|一下)*(?:任务|提醒|自动化)$|(?:我|你)(?:都)?(?:设|建|有)(?:过|了)?(?:哪些|啥|什么)"
)
_LOGS = re.compile(
    r"(?:触发|响|执行|提醒|报|播)(?:了|过)*(?:几次|多少次|几回|没有|没(?!人)|吗)|有没有(?:触发|响|执行|提醒|播报)|的?(?:历史|日志|触发记录|执行记录)$|(?:触发|执行)(?:的)?(?:记录|历史|日志)|(?:任务|提醒(?![我他她一爸妈爷奶孩儿女宝老])|规则)\S{0,6}(?:记录|历史|日志|几次|触发)"
    r"|(?:上次|最近)(?:一次)?\S{0,8}(?:触发|响)|(?:为什么|为啥|怎么)\S{0,10}(?:没响|没触发|没动)"
)
_DISABLE = re.compile(
    r"暂停|停用|停一停|停一下|停几天|先停|先别跑|先别|先关掉|先关了|先不(?:用|要)|暂时(?:不用|不要|关|别|停)|先歇|禁用|停掉(?=\S*(?:任务|提醒)|$|它)|停了$|停了它|关停|^先把\S+关(?:掉|了|上)$"
)
_ENABLE = re.compile(
    r"启用|恢复(?!到|成|原)|重新(?:开启|打开|启动|开)|再开起来|接着(?:跑|用|提醒)|继续(?:跑|用|提醒)|(?:任务|提醒)\S{0,3}(?:打开|开起来|开回来)(?:吧|了)?$"
)
_DELETE = re.compile(
    r"删(?:除|掉|了|$)?|去掉|取消(?:掉|了|吧|$)|^(?:帮我)?取消|关闭(?=\S*(?:任务|提醒|规则))|不要了|撤(?:掉|了|销)|别再\S{0,4}(?:提醒|通知|播报|告诉)|^不要\S{2,}了$|(?:以后)?不用再?(?:提醒|通知|播报)我?\S{0,4}了|终止|移除|作废|(?:提醒|任务|播报|通知|[这那]个|[这那]条)(?:我|我们)?(?:也|都|就)?(?:不用|用不着|不需要|不想要|没用)了(?:吧)?$"
)
_UPDATE = re.compile(
    r"改成|改为|改到|改用|改走|换成|换到|换用|调到|调成|调整(?:为|成|到)|加到|减到|延长到|缩短到|推迟到|提前到|(?<!温度)(?<!度)(?:降|升|提|提高|降低|减少|增加|上调|下调)到|改一下|改改|调整一下|^(?:帮我)?(?:修改|编辑)|(?:等|过)\S{1,4}分钟再|从\S{1,8}(?:改|调|换)"
)
_REFERS = re.compile(r"任务|提醒|播报|规则|自动化|那个|那条|这条|这个任务|的(?:先|改|换|等|删|停|取消)|^把|^先把|^将")
_NEW = re.compile(
    r"(?:就|的时候|时候|(?<=.)以后|之后|的话)\S*(?:提醒|告诉|通知|播报|推|关|开|说)|^(?:每天|明天|后天|今天|每周|记录|统计)"
)
_CHAT = re.compile(
    r"^(?:谢谢|多谢|感谢|辛苦了?|你好|您好|早上好|晚上好|晚安|再见|拜拜|好的|好吧|行吧?|嗯+|哈+|你会(?:做)?(?:啥|什么)|你能(?:做|干)(?:啥|什么|嘛)?|你是谁|你叫(?:啥|什么)|(?:给我)?(?:讲|说|唱|放)(?:一?个|一?首)?(?:笑话|故事|歌)(?:听听?|给我听)?|你真\S{1,2}|今天天气\S*|天气\S*|现在几点\S*|几点了|在吗|在不在)(?:你|您|啊|呀|了|吗|么|呢|哈|哦|都|我|聊聊)*$"
)
_PAST = re.compile(
    r"^(?:今天|明天|后天|现在)是?(?:几号|几月几[号日]|周几|什么日子|什么节\S?)\S?$|^我(?:好|有点|很|太|快)?(?:饿|渴|困|累|冷|热|无聊|难受|开心)(?:了|死了|啊)*$|^(?:帮我)?把?(?:音量|声音|亮度)(?:调|开|放)?[大小高低亮暗]\S{0,3}$|^(?:刚才|刚刚|现在|这会儿|昨天|昨晚)\S*(?:谁|什么|啥|吗|没有|没|多少|几)\S*$|^(?:谁|孩子|\S{1,3})(?:在|回来了?)(?:哪儿?|家吗|没|吗)\S*$|^现在\S+"
)
_QUESTION = re.compile(
    r"(?:吗|在干嘛|在干什么|在做什么|在哪儿?|怎么样|几点了?|是谁)$|^谁(?:在|来|回)(?!\S*(?:就|告诉|提醒|通知|播报|推))\S*$"
)
_NAMELESS = re.compile(r"^把?(?:触发)?(?:条件|时间|通道|提醒方式|频率)\S{0,2}(?:改|换|调)")
_LATER = re.compile(
    r"先别|就(?:告诉|提醒|通知|播报|推)|不要|别再|每天(?!\S*(?:那个|那条|任务|提醒的))|每次|每晚|每周|记录一下|记录下来|记下来|统计一下"
)
"""Beside these, words about what has happened are part of something else."""
_SETS = re.compile(any_of(nouns()))
_SPOKEN_OF = re.compile(r"任务|提醒|那个|那条|规则|播报")
"""A device is set to something, and no task is spoken of: 空调开26度 人走了就调到28."""
_FOR_NOW = re.compile(
    r"(?:这[两几三]天|今天|今晚|明天|这周|这周末|最近|这阵子|这段时间|这会儿|暂时|现在)\S{0,3}(?:先)?(?:别|不要|不用|甭)再?(?:提醒|通知|播报|告诉|喊|叫)"
)
"""For a while only: that is a pause and no end (A-64)."""
_OPS = (("logs", _LOGS), ("update", _UPDATE), ("delete", _DELETE), ("disable", _DISABLE), ("enable", _ENABLE))
_NAMED = re.compile(r"目标|上限|任务|那个|那条|提醒(?:我)?(?:从|改|换|先|去|删)|改成|换成|去掉|删")
_POINTS = re.compile("[那这](?:个|条)(?:任务|提醒|规则|自动化)|任务")
"""Words for a task that has to exist, whether or not the home has any."""
_EVERYTHING = re.compile(r"所有|全部|全都|统统|(?:任务|提醒|规则|自动化)都")
_ALL_OF_THEM = re.compile(
    r"(?:请|帮我|给我|麻烦|把|将|先|我的|家里的|现在的?|都|的|了|吧|掉|所有|全部|全都|统统|家庭|任务|提醒|规则|自动化|一下)+"
)
_GENERIC = frozenset(("提醒", "任务", "一下", "分钟", "小时", "每天", "今天", "通知", "的时", "那个", "触发"))


@dataclass(frozen=True, slots=True)
class Route:
    """The operation, and the tasks it is about (empty: not clear which). `sure`: whether the words make it certain."""

    op: str
    target: tuple[str, ...] | None = None
    sure: bool = True


def route(text: str, home: Home) -> Route:
    """Return what `text` (plain) wants."""
    whole = text.replace(" ", "")
    if _LIST.search(whole) and not re.search(r"累计|每次|就(?:提醒|告诉)|触发|取消|删|暂停|停掉|启用|恢复|关掉", whole):
        return Route("list")
    if _LOGS.search(whole) and not _LATER.search(whole):
        target = referred(whole, home)
        if target or _REFERS.search(whole):
            return Route("logs", target)
    settled = _settled(whole, home)
    if settled is not None:
        return settled
    fresh = _NEW.search(whole) is not None
    for op, pattern in _OPS:
        match = pattern.search(whole)
        if match is None or (match[0].startswith("调") and _SETS.search(whole) and not _SPOKEN_OF.search(whole)):
            continue
        target = referred(_without(whole, match, op), home)
        if _about_tasks(op, whole, target, home, fresh=fresh):
            if _EVERYTHING.search(whole) is None:
                return Route(op, target)
            return Route(op, *_everything(op, whole.replace(match[0], "", 1), home))
    return Route("create")


def _settled(whole: str, home: Home) -> Route | None:
    """Return what words alone settle: no task at all, a change of none that is named, a pause (A-64, A-66)."""
    if _CHAT.match(whole) or _PAST.match(whole) or _at_once(whole):
        return Route("none")
    if _NAMELESS.match(whole):
        return Route("update", ())
    target = referred(whole, home) if _FOR_NOW.search(whole) else ()
    return Route("disable", target) if target else None


def _everything(op: str, rest: str, home: Home) -> tuple[tuple[str, ...], bool]:
    """Return all tasks that `op` can be done to; not certain where words are left that may mean some of them."""
    living = tuple(task.id for task in home.tasks if op == "delete" or task.active == (op == "disable"))
    return living, op in ("delete", "disable", "enable") and _ALL_OF_THEM.fullmatch(rest) is not None


def _about_tasks(op: str, whole: str, target: tuple[str, ...], home: Home, *, fresh: bool) -> bool:
    """Whether the words of `op` speak of a task that exists, and are not part of a new one (停, 恢复, 换成 …)."""
    refers = _REFERS.search(whole) is not None
    if op == "logs":
        return (bool(target) or refers) and _LATER.search(whole) is None
    if not target:
        changed = op == "update" and re.search("^(?:把|将).*[改换](?:成|为|到|用|走)", whole) is not None
        return refers and not fresh and (op == "delete" or changed or bool(home.tasks) or bool(_POINTS.search(whole)))
    return not fresh or _NAMED.search(whole) is not None


def _at_once(whole: str) -> bool:
    """Whether a device is to be switched now, or something is asked about now (A-66): no task at all."""
    if _QUESTION.search(whole) and not re.search(r"任务|提醒|记录|统计|多久|几[次杯个回]|多少", whole):
        return True
    bare = re.sub(r"^(?:帮我|给我|请|把|马上|现在)+|(?:一下|吧|了)+$", "", whole)
    first = head(bare)
    acts = first is not None and first["tell"] is None and (first["channel"] is None or first["music"] is not None)
    return first is not None and acts and first.span() == (0, len(bare))


def _without(whole: str, match: re.Match[str], op: str) -> str:
    """Return the words that name the task: what it is to become is no part of its name."""
    if op == "update":
        named = whole[: match.start()]
        return named or whole[match.end() :]
    return whole


def referred(words: str, home: Home) -> tuple[str, ...]:
    """Return the one task that `words` name; empty where none or several fit equally well."""
    scored: list[tuple[int, Known]] = []
    grams = _grams(plain(words))
    for task in home.tasks:
        own = (grams & _grams(plain(task.description))) - _GENERIC
        seen = (grams & {gram for brief in task.briefs for gram in _grams(plain(brief))}) - _GENERIC
        scored.append((2 * len(own) + len(seen - own), task))
    best = max((score for score, _ in scored), default=0)
    found = [task.id for score, task in scored if score == best]
    return (found[0],) if best > 0 and len(found) == 1 else ()


def _grams(words: str) -> set[str]:
    plain_words = re.sub(r"[\s\d·→]", "", words)
    return {plain_words[at : at + 2] for at in range(len(plain_words) - 1)}
