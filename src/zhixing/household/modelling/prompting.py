"""What a model is asked about a sentence, and how its reply is judged before anything believes it."""

from __future__ import annotations

from collections.abc import Iterable

from zhixing.household.assembling.request import Home, Known, Request
from zhixing.household.assembling.words import behaviours
from zhixing.household.composing.dictionary import entries
from zhixing.household.composing.model import Site
from zhixing.household.modelling.misreading import Misread
from zhixing.household.modelling.protocol import LONGEST_WORDS, reply_schema
from zhixing.household.modelling.reading import read_reply
from zhixing.kernel.errors import TooLarge
from zhixing.world.models.fence import RULE, fence
from zhixing.world.models.port import Check, Prompt, Text
from zhixing.world.models.shape import Shape

SHAPE = Shape("household_task", reply_schema())
MOST_TOKENS = 6_144
SECONDS = 120.0
"""For everything together, the repair included."""
MOST_PEOPLE, MOST_CAMERAS, MOST_DEVICES, MOST_TASKS = 30, 30, 120, 60
"""Of the home that a model is shown; the oldest tasks are left out first."""
_LONGEST_LINE = 80
_LONGEST_ANSWER = 200

_SYSTEM = f"""你把家里人说的一句话整理成任务的事实。只写原话里有的，不猜、不补、不下决定。
{RULE}
规则：
1. 每个带“原话”的字段都从原话（或用户的回答）里逐字复制，连续、不改字、不拼接。没有说的就是 null 或空着。
2. 不写触发方式、默认时长、防抖、通知渠道的选择、摄像头和设备编号：这些由程序按规则决定，或者去问用户。
3. 一句话里有几件互相独立的事，就分成几个任务；同一件事的计数、提醒和时间归在一个任务里。
4. 触发部分：意思和行为词完全相同才填 behaviour；否则 behaviour 是 null，另写 condition 三段：
   body 写身体部位与物体怎样接触、动作到什么姿态、关键物体；objects 列出 body 里的物体；
   counters 至少两条容易看错、又不会和它同时出现的具体画面。只写摄像头当下看得见的，不写时间、时长、次数、原因。
5. 谁：原话怎么称呼就照抄，不换成名单里的名字。没有说是谁就是 user。句末“提醒我”的“我”只是听的人，不是对象。
6. 要告诉人就写 tell；原话没有说音箱、手机、对话，channels 就空着。要动设备就写 act，说了数值或样子写 setting。
7. 时长、次数、时点、时段、例外，一个都不能漏。这些字段表达不了的（除了、除非、只有…才、先后顺序等）逐字写进 beyond。
8. 两件独立的事要同时成立才触发：reject 写 and_rule。单次持续要超过 24 小时：reject 写 duration_over_24h。
9. 只有明确在说已有任务时，op 才是 list、logs、disable、enable、update、delete，targets 用给出的编号。
10. 现在就要开关、问现在的情况、闲聊：op 写 none。"""


def question_about(request: Request) -> Prompt:
    """Return the question about a sentence in its home. Raises `TooLarge` for one that is too long to be read."""
    if len(request.text) > LONGEST_WORDS:
        raise TooLarge("text_long", limit=LONGEST_WORDS)
    parts = (_home(request.home), f"行为词：{_behaviours()}", fence(request.text, "原话"), _answers(request))
    return Prompt(_SYSTEM, (Text("\n".join(filter(None, parts))),), SHAPE, max_tokens=MOST_TOKENS, seconds=SECONDS)


def check_for(request: Request, site: Site) -> Check:
    """Return the check that a reply has to pass: a complaint for the one repair, or nothing."""

    def check(value: dict[str, object]) -> str:
        try:
            read_reply(value, request, site)
        except Misread as misread:
            return misread.complaint
        return ""

    return check


def _behaviours() -> str:
    named = entries()
    return "、".join(f"{key} {named[key].name}" if key in named else key for key in behaviours())


def _home(home: Home) -> str:
    now = home.now.astimezone(home.zone)
    people = (f"{one.role or one.name}" for one in home.persons[:MOST_PEOPLE])
    cameras = (f"{one.name}（{one.room}）" if one.room else one.name for one in home.eyes[:MOST_CAMERAS])
    devices = (f"{one.name}（{one.room}）" if one.room else one.name for one in home.devices[:MOST_DEVICES])
    tasks = (_task(one) for one in home.tasks[-MOST_TASKS:])
    return "\n".join((
        f"家里现在：{now:%Y-%m-%d %H:%M} 周{'一二三四五六日'[now.weekday()]}，时区 {home.zone.key}",
        _listed("家里的人", people),
        _listed("在用的摄像头", cameras),
        _listed("设备", devices),
        _listed("已有任务", tasks),
    ))  # fmt: skip


def _task(task: Known) -> str:
    return f"{task.id} {task.description}{'' if task.active else '（已暂停）'}"


def _listed(name: str, words: Iterable[str]) -> str:
    lines = [line[:_LONGEST_LINE] for line in words if line.strip()]
    return fence("；".join(lines) if lines else "没有", name)


def _answers(request: Request) -> str:
    """Return what was answered; letters that only our own rules read are left out."""
    said = [f"{kind}：{answer[:_LONGEST_ANSWER]}" for kind, answer in request.answers.items() if len(answer) > 1]
    return fence("；".join(said), "用户对追问的回答") if said else ""
