"""What a model says about a sentence, as it goes over the wire: facts of the words, each with its quote.

No mode, no debounce, no device id, no default: those are decided here. A field that may be missing is null; numbers
stand beside the words they were read from, and count only as far as those words carry them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from zhixing.household.modelling.misreading import Fault, Misread

MOST_TASKS = 5
MOST_TARGETS = 50
MOST_NAMES = 8
"""People, rooms, channels or objects of one task."""
LONGEST_QUOTE = 200
LONGEST_WORDS = 2_000
LONGEST_BODY = 160
MOST_COUNTERS = 6
LONGEST_COUNTER = 60
LONGEST_NAME = 32

Op = Literal["create", "list", "logs", "disable", "enable", "update", "delete", "none"]
Manner = Literal["instant", "continuous", "state", "safety", "object", "scene"]
Movement = Literal["arrives", "leaves", "enters", "exits", "boundary", "presence"]
Steady = Literal["posture", "gaze", "still", "screen", "exercise", "focus", "unsure", "sudden"]
How = Literal["user", "first_person", "given", "members", "anyone", "stranger", "animal", "car", "object", "scene"]
Amount = Annotated[int, Meta(ge=0, le=100_000_000)]
Quote = Annotated[str, Meta(description="原话里逐字连续的一段")]


class WireSpan(msgspec.Struct, frozen=True):
    """A length of time that was said."""

    seconds: Annotated[Amount | None, Meta(description="合多少秒")] = None
    quote: Annotated[str, Meta(description="说这个时长的原话，完整，如“半个钟头”")] = ""


class WireObjects(msgspec.Struct, frozen=True):
    """Key objects of a condition."""

    items: Annotated[tuple[str, ...], Meta(description="具体物体，逐字出现在 body 里")] = ()
    category: Annotated[str, Meta(description="不止一种时的上位类别，也要出现在 body 里；只有一种就是空")] = ""


class WireCondition(msgspec.Struct, frozen=True):
    """What is looked for, without its subject, in three parts."""

    kind: Annotated[
        Literal["action", "audio", "animal", "presence", "object", "scene"],
        Meta(description="action 人的动作，audio 听得见的，animal 动物，presence 出现，object 物体，scene 画面"),
    ] = "action"
    body: Annotated[
        str,
        Meta(
            description="不写主语，一句话写清画面：身体哪个部位接触什么、动作到什么姿态、关键物体；"
            "不写时间、时长、并且/或者、检测到、习惯、命令"
        ),
    ] = ""
    objects: Annotated[tuple[WireObjects, ...], Meta(description="body 里的关键物体；动作没有固定物体就空着")] = ()
    counters: Annotated[
        tuple[str, ...],
        Meta(description="至少两种容易看错的相似画面，写具体动作或物体，不带“不含”，不以未/没/无/不开头"),
    ] = ()


class WireSubject(msgspec.Struct, frozen=True):
    """Who or what it is about."""

    how: Annotated[
        How,
        Meta(
            description="user 没有说是谁，first_person 说话的人自己，given 指名的人，members 家里人，anyone 任何人，"
            "stranger 陌生人，animal 动物，car 车，object 物体，scene 房间或画面"
        ),
    ] = "user"
    names: Annotated[tuple[str, ...], Meta(description="原话里对它的称呼，逐字；user 和 scene 空着")] = ()


class WireTrigger(msgspec.Struct, frozen=True):
    """What has to be seen or heard."""

    quote: Annotated[str, Meta(description="说发生了什么的原话，连主语，不连“就”后面的，如“孩子在墙上乱画”")] = ""
    subject: WireSubject = WireSubject()
    behaviour: Annotated[str | None, Meta(description="意思完全相同的行为词；没有就是 null，改写 condition")] = None
    name: Annotated[str, Meta(description="给 condition 起的英文短名，如 draw_on_wall；有 behaviour 就是空")] = ""
    condition: WireCondition | None = None
    manner: Annotated[
        Manner,
        Meta(
            description="instant 十秒内的动作，continuous 持续一分钟以上的行为，state 进出或出现，"
            "safety 人身安全（摔倒、呼救、闯入、着火、坠落、窒息、打架之类），object 物体的样子，scene 画面的样子"
        ),
    ] = "instant"
    movement: Annotated[
        Movement | None,
        Meta(
            description="arrives 到家，leaves 出门，enters 进某处，exits 离开某处，boundary 越过边界，presence 人在；"
            "都不是就是 null"
        ),
    ] = None
    steady: Annotated[
        Steady,
        Meta(
            description="属于哪类：posture 简单姿态，gaze 视线，still 久坐久站久躺，screen 屏幕读写，exercise 运动，"
            "focus 睡眠或专注，sudden 突然出现，unsure 拿不准"
        ),
    ] = "unsure"
    rooms: Annotated[tuple[str, ...], Meta(description="发生在哪些房间或哪个摄像头，逐字；没有说就空着")] = ()
    hold: Annotated[WireSpan | None, Meta(description="原话说这件事持续多久才算；没有说就是 null")] = None
    starts: Annotated[str | None, Meta(description="说“一开始做”“进入状态”的原话")] = None
    each: Annotated[str | None, Meta(description="说“每次”“每回”的原话")] = None
    at_once: Annotated[str | None, Meta(description="说“一出现就”的原话")] = None
    absent: Annotated[str | None, Meta(description="说“下班后”“家里没人的时候”的原话")] = None
    gate: Annotated[str | None, Meta(description="限定在什么时段才响应的原话，如“晚上十点以后”")] = None


class WireChannel(msgspec.Struct, frozen=True):
    """Through what somebody is told."""

    channel: Literal["speaker", "phone", "chat"] = "speaker"
    quote: Quote = ""


class WireAct(msgspec.Struct, frozen=True):
    """Something to switch."""

    effect: Annotated[Literal["on", "off", "blink"], Meta(description="on 打开、播放或调到，off 关，blink 闪")] = "on"
    noun: Annotated[str, Meta(description="设备的说法，逐字，如“台灯”“音乐”")] = ""
    room: Annotated[str | None, Meta(description="和设备说在一起的房间，逐字")] = None
    setting: Annotated[str | None, Meta(description="要调成的样子或数值的原话，如“26度”；只是开关就是 null")] = None


class WireResponse(msgspec.Struct, frozen=True):
    """What is to happen."""

    tell: Annotated[str | None, Meta(description="要告诉或提醒人的原话，如“提醒我”；只动设备就是 null")] = None
    content: Annotated[str | None, Meta(description="要说的或提醒去做的内容，逐字，如“起来走走”；没有就是 null")] = None
    channels: Annotated[tuple[WireChannel, ...], Meta(description="原话说了音箱、手机、对话才写；没有说就空着")] = ()
    act: Annotated[WireAct | None, Meta(description="要动的设备；没有就是 null")] = None
    decides: Annotated[str | None, Meta(description="内容要到时候看情况决定的原话，如“放点他喜欢的”")] = None
    stay: Annotated[str | None, Meta(description="说离开以后不要动的原话，如“走了也别关”")] = None
    leave: Annotated[str | None, Meta(description="说离开以后做相反动作的原话，如“走了就关”")] = None
    gap: Annotated[WireSpan | None, Meta(description="说多久之内不重复的")] = None
    quiet: Annotated[str | None, Meta(description="说不用提醒的原话")] = None


class WireRecord(msgspec.Struct, frozen=True):
    """What is counted."""

    about: Annotated[
        Literal["goal", "total", "how_long", "how_many", "keep"],
        Meta(
            description="goal 够多少个，total 累计多久，how_long 问或记多长时间，how_many 问多少次，keep 只说记录、统计"
        ),
    ] = "keep"
    quote: Annotated[str, Meta(description="说要记、要累计或目标的原话；goal 要含数字和量词")] = ""
    target: Annotated[Amount | None, Meta(description="goal 的数")] = None
    unit: Annotated[str | None, Meta(description="goal 的量词，逐字")] = None
    span: Annotated[WireSpan | None, Meta(description="total 的目标时长；没有目标就是 null")] = None


class WirePeriod(msgspec.Struct, frozen=True):
    """In what a goal repeats."""

    per: Literal["day", "week", "month"] = "day"
    quote: Quote = ""


class WireClock(msgspec.Struct, frozen=True):
    """When the clock alone moves it."""

    kind: Annotated[
        Literal["at", "every", "cron"], Meta(description="at 一次的时刻，every 固定间隔，cron 每天每周的时点")
    ] = "at"
    quote: Annotated[str, Meta(description="说时间的原话，完整，连同每天、周几、早晚")] = ""
    at: Annotated[str | None, Meta(description="at：家里当地时间，如 2026-06-13T09:00")] = None
    every_seconds: Annotated[Amount | None, Meta(description="every：间隔多少秒")] = None
    expr: Annotated[str | None, Meta(description="cron：五段表达式，不写时区")] = None


class WireLife(msgspec.Struct, frozen=True):
    """Until when the whole task lives."""

    quote: Annotated[str, Meta(description="说只在某段时间内有效的原话，如“这周”“到月底”")] = ""
    until: Annotated[str | None, Meta(description="到家里当地几时为止，如 2026-07-01T00:00；算不出就是 null")] = None


class WireTask(msgspec.Struct, frozen=True):
    """One task. Without a trigger the clock alone starts it."""

    words: Annotated[str, Meta(description="说这个任务的原话，逐字连续；只有一个任务就是整句")] = ""
    trigger: Annotated[WireTrigger | None, Meta(description="要看见或听见什么才开始；只看钟就是 null")] = None
    response: WireResponse | None = None
    record: WireRecord | None = None
    period: Annotated[WirePeriod | None, Meta(description="原话说每天、每周、每月才写")] = None
    clock: WireClock | None = None
    life: WireLife | None = None


class WireReply(msgspec.Struct, frozen=True):
    """All that a model says."""

    op: Annotated[
        Op,
        Meta(
            description="create 要一个新任务，list 看有哪些，logs 看触发记录，disable 暂停，enable 恢复，update 改，"
            "delete 删，none 不是任务（闲聊、立即开关、问现在）"
        ),
    ] = "none"
    quote: Annotated[str | None, Meta(description="op 不是 create 和 none 时，要求这样做的原话")] = None
    targets: Annotated[tuple[str, ...], Meta(description="说的是哪些已有任务的编号；create 空着，认不出就空着")] = ()
    reject: Annotated[
        Literal["and_rule", "duration_over_24h"] | None,
        Meta(description="and_rule 两件独立的事要同时成立才触发，duration_over_24h 单次持续超过一天；否则 null"),
    ] = None
    reject_quote: Annotated[str | None, Meta(description="这样说的原话")] = None
    beyond: Annotated[
        tuple[str, ...], Meta(description="原话里这些字段表达不了的要求，逐字，如“除了周末”；没有就空着")
    ] = ()
    tasks: Annotated[tuple[WireTask, ...], Meta(description="互相独立的任务，至多五个；op 是 create 才有")] = ()


def read_wire(value: object) -> WireReply:
    """Read a decoded reply. Raises `Misread` for what has another shape or passes a bound."""
    if not isinstance(value, Mapping):
        raise Misread(Fault.SHAPE)
    try:
        reply = msgspec.convert(value, WireReply)
    except (msgspec.ValidationError, RecursionError, UnicodeError) as error:
        raise Misread(Fault.SHAPE, _place(error)) from None
    for place, count, most in _counts(reply):
        if count > most:
            raise Misread(Fault.BOUNDS, place)
    return reply


def _counts(reply: WireReply) -> list[tuple[str, int, int]]:
    found = [
        ("tasks", len(reply.tasks), MOST_TASKS),
        ("targets", len(reply.targets), MOST_TARGETS),
        ("beyond", len(reply.beyond), MOST_NAMES),
    ]
    for index, task in enumerate(reply.tasks[:MOST_TASKS]):
        place = f"tasks[{index}]"
        if task.response is not None:
            found.append((f"{place}.response.channels", len(task.response.channels), MOST_NAMES))
        trigger = task.trigger
        if trigger is None:
            continue
        found.append((f"{place}.trigger.rooms", len(trigger.rooms), MOST_NAMES))
        found.append((f"{place}.trigger.subject.names", len(trigger.subject.names), MOST_NAMES))
        if trigger.condition is not None:
            at = f"{place}.trigger.condition"
            found.append((f"{at}.counters", len(trigger.condition.counters), MOST_COUNTERS))
            found.append((f"{at}.objects", len(trigger.condition.objects), MOST_NAMES))
            found.extend(
                (f"{at}.objects", len(one.items), MOST_NAMES) for one in trigger.condition.objects[:MOST_NAMES]
            )
    return found


def _place(error: Exception) -> str:
    """Return where an error is, as far as the names in it are ours."""
    _, found, behind = str(error).partition("at `$.")
    return behind.partition("`")[0].replace("[...]", "[]") if found else ""


def reply_schema() -> dict[str, Any]:
    """Return the JSON schema of a reply as servers that enforce one take it: no references, every member required."""
    (reference,), named = msgspec.json.schema_components([WireReply], ref_template="{name}")
    return _inlined(reference, named)


_KEPT = ("type", "enum", "description")


def _inlined(schema: Mapping[str, Any], named: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        own = {key: schema[key] for key in _KEPT if key in schema}
        return {**_inlined(named[schema["$ref"]], named), **own}
    is_object = "properties" in schema
    # What a struct is called in this house says nothing to a model.
    found: dict[str, Any] = {
        key: schema[key] for key in _KEPT if key in schema and not (is_object and key == "description")
    }
    if "anyOf" in schema:
        found["anyOf"] = [_inlined(option, named) for option in schema["anyOf"]]
    if "items" in schema:
        found["items"] = _inlined(schema["items"], named)
    if is_object:
        found["properties"] = {name: _inlined(inner, named) for name, inner in schema["properties"].items()}
        found["required"] = list(found["properties"])
        found["additionalProperties"] = False
    return found
