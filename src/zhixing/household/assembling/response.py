"""The half of a sentence that says what then: tell somebody (through what), or switch something (H-CHAN, H-ACT)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from zhixing.household.assembling.amounts import NUMBER, SPAN, seconds
from zhixing.household.assembling.words import any_of, nouns, room_pattern, rooms

_R, _N = room_pattern(), any_of(nouns())
_PRE = r"(?:就|既|马上|赶紧|赶快|立刻|立马|立即|及时|尽快|第一时间|随时|准时|准点|定时|按时|悄悄地?|轻声|小声|轻轻地?|柔声|温柔地|一定|务必|千万|大声|则|再|都|要|别忘了|别忘记|别忘|不要忘了?|记得|到点|帮我|帮忙|给我|帮他|帮她|给他|给她|你得|你就|你|自动|反正|才|得|可以|也){0,6}"
_ON = rf"(?:打开|开启|启动|点亮|拉开|开一下|开)(?:一[盏个台]|个)?(?P<room{{0}}>{_R})?的?(?P<noun{{0}}>{_N})"
_ON2 = rf"(?:把|将|让)?(?P<room{{0}}>{_R})?(?:里|的)*(?P<noun{{0}}>{_N})(?:的?(?:色温|亮度|温度|音量|风速))?(?:给我|给|也|都|自动)?(?:打开|开启|拉开|点亮|开开|开起来|开[大高强](?:一点|点|些)|开到?(?:\d+度)?(?![着了大高强])|调[到成暗亮高低静暖冷大小]\S{{{{0,4}}}})"
_ADJUST = rf"(?:把)?调[亮暗高低](?:一点|点|一下)?(?P<room{{0}}>{_R})?的?(?P<noun{{0}}>{_N})"
_OFF = rf"(?:关掉|关闭|关上|关了|关一?下?|熄掉|熄了|熄|灭|拉上|停掉)(?P<room{{0}}>{_R})?(?:里|的)*(?P<noun{{0}}>{_N})"
_OFF2 = rf"(?:把|将|让)?(?P<room{{0}}>{_R})?(?:里|的)*(?P<noun{{0}}>{_N})(?:给我|给|也|都|自动)?(?:关掉|关闭|关上|关了|关(?![好着])|熄了|熄掉|灭了|拉上|停了|停掉)"
_ACTS = (
    ("on", _ON), ("on", _ON2), ("on", _ADJUST), ("off", _OFF), ("off", _OFF2),
    ("blink", rf"(?:把|将|让)?(?P<room{{0}}>{_R})?的?(?P<noun{{0}}>{_N})(?:闪|响)(?:一下|一声|几下|起来)?"),
)  # fmt: skip
_CUT = rf"(?:(?:把|给|将)(?:{_R})?的?(?:插座|电源|排插))?断电"
_CHANNELS = (
    ("speaker", rf"(?:用|拿|让|通过|从)?(?:{_R})?的?音箱(?:上|里)?|播报|广播|朗读|播(?:一[句声段]|个)|念一?(?:段|句|给)|语音(?=提醒|警告|提示|喊|叫|劝|播|通知|表扬|夸|鼓励|说|告诉|喊|叫)|提示音|播放(?!\S{{0,6}}(?:音乐|歌|白噪音))|放(?:一?[句段]|个提示音|欢迎曲)|喊话"),
    ("phone", r"(?:用|在|往|到|给|通过)(?:我)?手机(?:上)?|我?手机上?(?=提醒|告诉|通知|震|弹|推|收|发|响|说|播|喊|叫)|手机(?=[和跟与]音箱)|推送|(?:把)?消息推|推(?:我|给|到|一条|个|手机)|发(?:个|条|我|一条|一个)?(?:消息|手机|推送)|(?:给我|来)(?:个|条|一条)?消息|弹(?:个|条)?(?:手机)?通知|震我"),
    ("chat", r"(?:在|用|通过|从)?(?:AI|ai)?(?:对话|聊天)(?:框)?(?:里)?(?:面)?"),
)  # fmt: skip
_OTHER = r"(?:用|发|在)?(?:个|条)?(?:微信|QQ|qq|短信|邮件|飞书|钉钉)|打(?:个)?电话|打给我|打我(?:手机|电话)"
_TELL = (
    r"提醒|提示(?!音)|告诉|通知|告知|喊(?!救命|话|叫)|叫(?!几|多少|得|唤|个不停)(?=我|他|她|它|人|醒|起|一声|大家|全家|家|爸|妈|爷|奶|老|外|宝|阿姨|孩子|儿子|女儿|\S{1,4}(?:起床|吃|睡|写|练|去|来|出|喝|上|做|休息|回))|让(?:我|他|她|人)(?:知道|起来|休息|歇)|[跟和同与](?:我|他|她|它|人|大家|爸爸|妈妈|爷爷|奶奶|外公|外婆|姥姥|姥爷|阿姨|老公|老婆|老人|孩子|儿子|女儿|宝宝|家里人|我们|他们|爸|妈)(?:说(?!话)|讲(?!话))"
    r"|说(?:一声|一句|下|声)|说说?[他她它](?=$|几句|一句|一顿|别|不)|说(?=\S*$)|讲声|夸一夸|报警(?!器)|警告|夸夸?|鼓励|表扬|安慰|欢迎(?!曲)|招呼|打(?:个)?招呼|闹钟|吼|催|(?<!沙)发(?:给)?我|汇总发|发(?:个|条|一个|一条)?通知|给我(?:个|条)?信儿?|知会"
)
_HEAD = re.compile(
    rf"(?P<pre>{_PRE})(?:(?P<tell>{_TELL})|(?P<channel>(?<![玩刷看耍着])(?:{'|'.join(pattern for _, pattern in _CHANNELS)}|{_OTHER})(?!超|看|玩))"
    + "".join(f"|(?P<act{i}>{pattern.format(i)})" for i, (_, pattern) in enumerate(_ACTS))
    + rf"|(?P<cut>{_CUT})|(?P<music>放(?:首|点|一首|些)?\S{{0,4}}?(?:歌|音乐|白噪音)|播放\S{{0,6}}?(?:音乐|歌|白噪音)))"
)
_TIMES = re.compile(rf"(?:提醒|叫|喊|通知|告诉|播报|催)[我他她]?(?:(?!一)(?:{NUMBER}|几|多))[次遍]")
_CHOSEN = re.compile(r"喜欢|合适|随便")
_EMPTY = re.compile(r"^(?:给我|起来|一下|一点|点|些|掉|(?:并?调)?到?\d+度|静音|[了吧啊呀哦它就行好成,]|要)+$")
_TELLS = re.compile(_TELL)
_QUIET = re.compile(r"(?:不用|不要|别|不必|无需)(?:再)?(?:提醒|通知|告诉我?|播报)")
_ONCE = re.compile(
    rf"(?P<span>{SPAN})(?:之|以)?内(?:都)?(?:别|不要|不用|只|不)(?:再)?(?:重复)?(?:提醒|播报|说|来回切|报|通知|触发|算|响|重复)?(?:一次|一遍)?"
)
_STAY = re.compile(
    r"(?:出来|出去|走了?|离开|人走|不[看写学练弹画玩打做]|[看写学练弹画玩打做]完)?(?:了)?(?:的?时候)?(?:也|都|就)?(?:别关|不要关|不用关|别动它?|不用管|不关)(?:它|了)?$"
)
_LEAVE = re.compile(
    r"(?:^|[ ]|(?<=[灯调帘视乐度扇器机歌亮暗开掉]))(?:人走|人离开|没人[看用玩在]?|(?:站)?起[来身](?:走|离开)?|走开?|不[看写学练弹画玩打做]|[写看做学练弹画玩打吃喝洗睡用忙跑聊]完|睡醒|醒|出去|离开|结束|关上|停下)了?(?:以后|之后|后|的?时候|时)?(?:就|再|又|自动|把|它|的|"
    rf"{_N}|{_R})*(?:调到|调回|打开|开|关掉|关上|关|恢复)(?:到|回|成|掉|上|了|来|吧|它|原来|原样|刚才|的|样子|即可|就行|一点|点|\d+度?|"
    rf"{_N}|{_R})*$"
)
_VIEW = re.compile(
    rf"(?:^| )(?:{_R}|这个|那个)?的?摄像头(?:是)?(?:能|可以|正好|刚好|正)?(?:[看拍照]得?[到见清]|[看拍照]不[到见清]|正?对着)(?:{_R}|门|出入口|进门处|入口)的?(?:门|门口|入口|出入口|里面)?(?= |$)"
)
_AGAIN = re.compile(r" ?(?:之后|以后|然后)每次\S{2,6}?都再?(?=提醒|告诉|播报|说)")
_ECHO = re.compile(
    r"(?:(?:^| )(?:做完|喝完|到|满|达到|达标|达成|做到|做够|喝够|吃够|够|少|超过|超|完成|写完|忘记?|漏|落下|没完成|没达标|没达到|不够|没(?:吃|喝|做|走|写|练)?(?:够|完|到|达标|达到)?)|(?:做完|喝完|达标|完成))"
    rf"(?:了|目标){{0,3}}(?:就|的话|后|的时候|时|还是)?(?={_HEAD.pattern})"
)


@dataclass(frozen=True, slots=True)
class Act:
    """Something to switch: on, off, cut, blink; the device as it is named, in a room that was named with it."""

    effect: str
    noun: str
    kind: str
    room: str | None


@dataclass(frozen=True, slots=True)
class Response:
    """What is to happen. `tells`: somebody is to hear of it; `content`: the words behind the verb and its hearer."""

    tells: bool
    channels: tuple[str, ...]
    act: Act | None
    chosen: bool
    content: str
    hearer: str
    verb: str
    words: str
    room: str | None
    more: str


@dataclass(frozen=True, slots=True)
class Notes:
    """What stands beside both halves: no repeats within a while, stay as it is, do the opposite on leaving, be quiet."""

    gap: int | None
    stays: bool
    leaves: bool
    quiet: bool
    channels: tuple[str, ...]
    rest: str
    view: str = ""
    """Whether the camera sees it happen, where the words say so (H-VIEW-05): covered, uncovered."""


def read_notes(text: str) -> Notes:
    """Take the side notes out of a sentence."""
    view = _VIEW.search(text)
    text = _VIEW.sub("", text).strip() if view else text
    quiet = _QUIET.search(text)
    rest = _QUIET.sub("", text) if quiet else text
    once = _ONCE.search(rest)
    gap = seconds(once["span"]) if once else None
    rest = _ONCE.sub("", rest, count=1).strip() if once else rest
    stays = _STAY.search(rest) if " " in rest else None
    rest = rest[: stays.start()] if stays else rest
    leaves = _LEAVE.search(rest) if not stays else None
    if leaves is not None and not head(rest[: leaves.start()]):
        leaves = None
    rest = rest[: leaves.start()] if leaves else rest
    rest = _ECHO.sub("", _AGAIN.sub("", rest))
    return Notes(
        gap,
        stays is not None,
        leaves is not None,
        quiet is not None,
        channels_in(once[0]) if once else (),
        rest.strip(),
        "" if view is None else "uncovered" if re.search("[看拍照]不", view[0]) else "covered",
    )


_MORE = re.compile(r"(?:同时|并且|而且|并|顺便|然后|接着|再)(?:把|将|打?开|关|播|放|提醒|通知|推|告诉|发)")

_BOTH_WAYS = re.compile(
    r"(?:同时|并且|而且|并|顺便|然后|再)(?:也)?(?=(?:往|给|用|到)?(?:我)?(?:手机|推送|推我|播报|音箱|对话))"
)
"""One more channel for what is told already is no second thing to do (A-72)."""


def repeatedly(text: str) -> bool:
    """Whether somebody is to be told several times (提醒我三次): no plan of ours says that."""
    return _TIMES.search(text) is not None


def mixed(text: str) -> bool:
    """Whether what-then asks for more than one thing: more than can be read for certain."""
    first = head(text)
    if first is None:
        return False
    told = first["tell"] is not None or (first["channel"] is not None and first["music"] is None)
    behind = text[first.end() :]
    return _MORE.search(_BOTH_WAYS.sub("", behind) if told else behind) is not None


def head(text: str) -> re.Match[str] | None:
    """Find where what-then begins."""
    return _HEAD.search(text)


def heads(text: str) -> Iterator[re.Match[str]]:
    """Find every place where what-then may begin."""
    return _HEAD.finditer(text)


def channels_in(text: str) -> tuple[str, ...]:
    """Return the channels that `text` names, in the order of the three options."""
    return tuple(name for name, pattern in _CHANNELS if re.search(rf"(?<![玩刷看耍着])(?:{pattern})", text))


def other_channel(text: str) -> bool:
    """Whether a channel outside the three options is named (A-72)."""
    return re.search(_OTHER, text) is not None


def _speaker_room(text: str) -> str | None:
    """Return the room of a speaker that is named with it (H-DEV-03)."""
    match = re.search(rf"({_R})的?音箱", text)
    return rooms()[match[1]] if match else None


def read_response(text: str) -> Response:
    """Read what-then; `text` begins at its head."""
    first = head(text)
    channels = channels_in(text)
    act: Act | None = None
    if first is not None:
        for index, (effect, _) in enumerate(_ACTS):
            if first[f"act{index}"]:
                noun, place = first[f"noun{index}"], first[f"room{index}"]
                act = Act(effect, noun, nouns()[noun], rooms()[place] if place else None)
        if first["cut"]:
            act = Act("off", "电源", "plug", None)
        if first["music"] and not re.search(r"欢迎曲|提示音", text):
            act = Act("on", "音乐", "music", None)
    tell = _TELLS.search(text)
    tells = tell is not None or ((bool(channels) or other_channel(text)) and act is None)
    if act is not None and tell is not None and first is not None and tell.start() > first.end() + 1 and not channels:
        tells = True
    content, hearer = "", ""
    more = _EMPTY.sub("", text[first.end() :]) if first is not None and act is not None else ""
    if tell is None and act is None and first is not None:
        content = text[first.end() :]
    if tell is not None:
        behind = text[tell.end() :]
        match = re.match(r"(?:我|他|她|它|大家|人|自己)?(?:一声|一下|一句|下|一次|一遍)?(?:说)?", behind)
        hearer = (match[0] if match else "")[:1]
        content = behind[match.end() if match else 0 :]
    return Response(
        tells,
        channels,
        act,
        _CHOSEN.search(text) is not None,
        content.strip(),
        hearer,
        tell[0] if tell else "",
        text,
        _speaker_room(text),
        more,
    )
