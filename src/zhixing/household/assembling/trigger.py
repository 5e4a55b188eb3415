"""The half of a sentence that says when: who, where, which behaviour, for how long, how often.

Everything is taken out piece by piece. What is left over was not understood, and then the whole is not (`leftover`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from zhixing.household.assembling.amounts import MEASURE, NUMBER, SPAN, Count, number, seconds
from zhixing.household.assembling.request import Home
from zhixing.household.assembling.who import Mention, mentions
from zhixing.household.assembling.words import (
    Behaviour,
    Kind,
    any_of,
    behaviours,
    children,
    places,
    room_pattern,
    rooms,
)

_SPAN = re.compile(
    rf"(?:的?(?:时间|时长)(?=超|满|达|到|够))?(?:已经)?(?:连续|持续|一直|不间断地?|连着|一口气)?(?:(?:不能|不要|不许|不得|别)?(?:超过|超出|超)|满|够|达到|达|到|不足|不到|没到|少于|没满)?(?:了)?(?P<span>{SPAN})(?P<over>以上|以后|之后|多|后|还|的话)?"
)
_COUNT = re.compile(
    rf"(?:够|满|(?:不能|不)?超过|达到|目标|至少|最多|做够|到)?(?P<n>{NUMBER})(?P<unit>{MEASURE})(?:以上)?(?!月|小时|钟|人)"
)
_HOW_MANY = re.compile(rf"(?:了)?(?:几|多少)(?:{MEASURE}|声)(?!小时|钟)|多少人|的?次数")
_HOW_LONG = re.compile(
    r"[用花]?(?:了)?(?:多久|多长时间|多少个?小时|几个小时|多少分钟|多少时间|好久)|的?(?:时间|时长)(?=$|⌂| )"
)
_TOTAL = re.compile(r"(?:的?(?:时间|时长))?(?:累计|总共|合计|加起来|总时长|拢共|一共)")
_KEEP = re.compile(
    r"帮我(?:记录|数数?|盯|统计)(?:一下|着|一盯|下来)*|记录(?:一下|下来)?|记(?:下来|一下|一笔|着|上|好|个数|个?账)|(?:督促|监督)(?:一下|着)?(?:[我他她]们?)?(?=$| )|统计(?:一下)?|(?:跟踪|追踪)(?:一下)?|数(?:一下|着|一?数)|盯(?:一盯|着点?)(?=$| )|汇总|看看(?=\S*(?:多久|多少|多长|几|时长|时间))|分别|要记着"
)
_SENSOR = re.compile(
    rf"(?:室内|屋内)?的?(?:(?:温度|室温|气温|湿度|PM2\.?5|pm2\.?5|二氧化碳|甲醛)(?:浓度|值)?)?(?:要是|如果)?(?:超过|高于|低于|大于|小于|超出|超|达到|达|到|不到|不足|高过|低过|跌破|降到|升到|跌到|热到|冷到)了?(?:零下)?{NUMBER}(?:摄氏)?(?:度|%)(?:以上|以下)?"
    rf"|(?:室内|屋内)?的?(?:温度|室温|湿度)(?:过|太|偏)[高低大]了?|PM2\.?5(?:超过|高于|超|大于){NUMBER}|(?:室内|屋内)?(?:温度|湿度){NUMBER}(?:度|%)以[上下]"
)
_SOURCE = re.compile(r"(?P<side>左边|右边|左|右)?(?P<that>这个|那个)?摄像头(?:看到|拍到|里|发现)?")
_START = re.compile(r"(?:一)?开始|(?:一)?进入(?=\S*状态)")
_EACH = re.compile(r"每次|每回|每当")
_AT_ONCE = re.compile(r"^一(?=[出来哭冒有进回])|(?<=[^\d])一(?=出现|来|进|露面|哭|回|到|咳)")
_SUDDEN = re.compile(r"(?<![\d每第])一(?:看[到见]|有人|有陌生人|有外人|出现|来(?!次)|露面|冒)")
_ABSENT = re.compile(
    r"(?:家里)?没人的时候(?=\S*[有来])|(?:我|我们|家里|都|上班)?(?:不在家|没人在家的时候)(?:的时候|时|期间)?|(?:我|我们)不在(?:的时候|时)|(?:白天|晚上|我|我们|都|去|在)*(?:上班|上课|出差|旅游|外出)(?:去|不在家|不在)?(?:的时候|时|期间|以后|之后|后)(?=\S*(?:有|来|出现))|下班(?:以后|之后|后)?(?=\S*(?<!回)来)|(?:我|我们|大家|全家)?(?:睡觉|睡着|睡|休息)了?(?:以后|之后|后)(?=\S*有(?:人|陌生人|外人))|(?:我|我们|大家)?(?:外出|出门后?|出差|出去)(?:了)?(?:的时候|时|以后|之后|后|期间)?(?=\S*(?:有|来))"
)
_GATE = re.compile(
    r"(?:晚上|夜里|半夜|深夜|白天|夜间|凌晨|早上|上午|中午|下午|傍晚|清晨)(?:[一二三四五六七八九十\d]+点半?)?(?:以后|之后|后|到\S{2,5}点)?(?=\S)|[一二三四五六七八九十\d]+点半?(?:以后|之后|后)"
)
_PLAIN = re.compile(
    r"老是|总是|磨磨蹭蹭|磨蹭|一个劲儿?地?|自己(?=出门|回家|出去|下楼)|(?:躺|坐|趴|站|歪|靠|窝|蹲|跪)着(?=[看玩刷用读打喝吃])|如果|要是|但凡|碰到|遇到|碰上|遇上|刚(?=[看玩写打做睡吃喝练弹服抽进到回])|留意到?|注意到?|检测到?|识别到?|监测到?|察觉到?|感应到?|倘若|假使|若(?=\S)|正在|正(?=[看玩写打做睡吃喝练弹])|连续|持续|一直|不间断|(?:中间|中途|都)?(?:不休息|没休息|不歇着?|不停歇|不带歇|没停过?)|放学后|课后|饭后|就行|就好|即可|就可以|^以后|(?:以后|之后|后)(?=$)|假如|万一|一旦|^当|^等|听到|听见|状态|连着|至少|最多|只要|每当|的时候|时候|的话|(?<=\S)时(?=$)|看到|发现|帮我|给我|你|自动|请|赶紧|的(?=$)|^的|得|还(?=[没在])|也(?=$)|都(?=$)|就(?=$)|一(?=$)|在家里?|吧|啊|呀"
)
_ENDED = re.compile(r"(?:以后|之后|后)$")
_LEFT_OK = re.compile(r"一个人|[在里内上中的有也都会就被着地一⌂ 把去自要得完满超]|我|喝$|做|进行|啥时候|什么时候|情况")
_ROOM_TAIL = r"(?:里面|里头|里|内|那边|那)?"


_ROOM = re.compile(rf"(?P<room>{room_pattern()}){_ROOM_TAIL}")
_WHOLE = re.compile(rf"(?:整个?)?{any_of(places('whole'))}(?!人)")
_CAME = re.compile(r"来家里|来人|[人谁]一?来|来了")
_AT_A_STRETCH = re.compile("一口气|(?:其中|只要)?有一个(?!人)|任[何意]一个(?![人房])")
_FOR_ME = re.compile("帮我|给我")
_NIGHT = ("半夜", "夜里", "深夜", "夜间", "凌晨")
_TOO_LONG = re.compile("(?:时间)?(?:得)?[太很过](?:久|长)(?:时间)?")
_PAST = re.compile(r"[了 ]|(?<![经路走])过(?![去来])")


@dataclass(frozen=True, slots=True)
class Trigger:
    """What the when-half says. `leftover`: characters nobody understood; anything there means: not certain."""

    who: tuple[Mention, ...]
    rooms: tuple[str, ...]
    side: str | None
    behaviour: Behaviour | None
    hold: int | None
    count: Count | None
    how_many: bool
    how_long: bool
    total: bool
    keep: bool
    starts: bool
    each: bool
    at_once: bool
    absent: bool
    gate: bool
    came: bool
    seen: str
    leftover: str
    reading: str = ""
    """What an instrument shows, as it was said."""
    also: tuple[Behaviour, ...] = ()
    """What else starts the same answer: 摔倒或者喊救命 (A-28)."""


_OR = re.compile("或者是|或者|或是|或")
_SAME = frozenset(("presence", "arrives", "leaves", "enters", "exits", "boundary", "animal", "car", "empty"))


def read_trigger(text: str, home: Home) -> Trigger:
    """Take `text` apart; either of several things is one trigger with more behaviours (A-28)."""
    sides = _OR.split(text)
    if len(sides) < 2 or any(not mentions(side, home)[1].strip() for side in sides):
        return _read(text, home)
    first = _read(sides[0], home)
    named = "".join(mention.words for mention in first.who)
    also: list[Behaviour] = []
    hold = first.hold
    for side in sides[1:]:
        whole = side if mentions(side, home)[0] else named + side
        other = _read(whole, home)
        if not _alike(first, other) or (first.hold and other.hold != first.hold):
            return replace(first, leftover=text)
        hold = other.hold or hold
        also += [other.behaviour] if other.behaviour and other.behaviour is not first.behaviour else []
    return replace(first, also=tuple(dict.fromkeys(also)), hold=hold)


def _alike(first: Trigger, other: Trigger) -> bool:
    """Whether `other` can be one more rule of the same task, with the same answer."""
    one, two = first.behaviour, other.behaviour
    if one is None or two is None or other.leftover:
        return False
    plain_ = not (other.rooms or other.count or other.how_many or other.how_long or other.total or other.each)
    same = (one.kind, one.hold, one.marks & _SAME) == (two.kind, two.hold, two.marks & _SAME)
    who = [mention.words for mention in other.who] in ([], [mention.words for mention in first.who])
    return plain_ and same and who and first.count is None and other.starts is first.starts


def _read(text: str, home: Home) -> Trigger:
    core = text
    flags: dict[str, re.Match[str] | None] = {}

    def take(name: str, pattern: re.Pattern[str], mark: str = "") -> re.Match[str] | None:
        nonlocal core
        match = pattern.search(core)
        flags[name] = match
        if match is not None:
            core = core[: match.start()] + mark + core[match.end() :]
        return match

    reading = take("sensor", _SENSOR, "℃")
    absent = take("absent", _ABSENT)
    other_absent = absent is not None and bool(mentions(text[: absent.start()], home)[0])
    take("gate", _GATE)
    camera = take("camera", _SOURCE)
    found_rooms: list[str] = []

    def room(match: re.Match[str]) -> str:
        found_rooms.append(rooms()[match["room"]])
        return "⌂"

    core = _ROOM.sub(room, core)
    came = _CAME.search(core) is not None
    take("whole", _WHOLE)
    core = _WHOLE.sub("", core)
    take("each", _EACH)
    take("keep", _KEEP)
    if flags["keep"]:
        take("keep_more", _KEEP)
    take("total", _TOTAL)
    core = _AT_A_STRETCH.sub("", _FOR_ME.sub("", core))
    who, core = mentions(core, home)
    take("long", _HOW_LONG)
    take("many", _HOW_MANY)
    take("at_once", _AT_ONCE)
    span = take("span", _SPAN)
    counted = take("count", _COUNT)
    starts = take("starts", _START)
    core = _PLAIN.sub("", _PAST.sub("", core))
    behaviour, leftover = _behaviour(core, _hows(who, home), placed=bool(found_rooms or home.sources))
    leftover += "不在" if other_absent else ""  # 爸爸出门以后有人来: whoever is out is not the one who comes
    count = _counted(counted)
    if counted is not None and count is None:
        leftover += counted[0]
    many, long = flags["many"] is not None or "多少人" in text, flags["long"] is not None
    period = (
        span is not None and span["span"] in ("一天", "一周", "一个周", "1天", "1周") and bool(count or many or long)
    )
    hold = None if span is None or period else seconds(span["span"])
    if span is not None and hold is None and not period:
        leftover += span[0]
    if behaviour is not None:
        leftover += _other_sense(behaviour, core, counted=count is not None)
        leftover = _TOO_LONG.sub("", leftover) if is_continuous(behaviour) else leftover
        leftover += _over(behaviour, text) if span is None and starts is None else ""
        behaviour = _meant(behaviour, flags, placed=bool(found_rooms))
    return Trigger(
        who, tuple(dict.fromkeys(found_rooms)), camera["side"] if camera else None, behaviour, hold, count,
        many, long, flags["total"] is not None, flags["keep"] is not None, starts is not None,
        flags["each"] is not None, flags["at_once"] is not None or _SUDDEN.search(text) is not None,
        flags["absent"] is not None, flags["gate"] is not None,
        came or core.startswith(("来", "一来")), core, leftover,
        reading[0].removesuffix("了") if reading is not None else "",
    )  # fmt: skip


def _counted(found: re.Match[str] | None) -> Count | None:
    value = number(found["n"]) if found is not None else None
    whole = value is not None and value == int(value)
    return Count(int(value), found["unit"], found[0]) if found is not None and value is not None and whole else None


def _other_sense(behaviour: Behaviour, core: str, *, counted: bool) -> str:
    """Return the word that means something else here: in 爸爸走了 he leaves, and takes no steps."""
    return "走" if "metric" in behaviour.marks and not counted and core.endswith("走") else ""


def _over(behaviour: Behaviour, text: str) -> str:
    """Return the word that puts the answer behind what lasts: 看电视后."""
    falls = behaviour.key in ("sleep", "sit_long", "lie_bed", "lie_sofa")  # 睡觉后, 坐下后: from then on
    return "后" if is_continuous(behaviour) and not falls and _ENDED.search(text) else ""


def _meant(behaviour: Behaviour, flags: dict[str, re.Match[str] | None], *, placed: bool) -> Behaviour:
    """Return the entry for what the words around it make of `behaviour`: up at night, the whole home empty."""
    gate = flags["gate"]
    if behaviour.key == "get_up" and gate is not None and gate[0].startswith(_NIGHT):
        return behaviours()["night_wake"]
    whole = flags["whole"]
    if behaviour.key == "room_empty" and whole is not None and not placed and re.search("[家屋]", whole[0]):
        return behaviours()["home_empty"]
    return behaviour


def _hows(who: tuple[Mention, ...], home: Home) -> frozenset[str]:
    """Return the manners in which somebody is named, and "child" where a child is."""
    roles = {role for mention in who for role in mention.means}
    roles |= {person.role for person in home.persons if person.name in roles}
    return frozenset({mention.how for mention in who} | ({"child"} if roles & children() else set()))


_ANY_BODY = frozenset(("sleep", "loiter", "eat", "drink_water", "fall", "person_present", "enter_room", "leave_home"))
"""What animals and cars may do, too."""


def _fits(behaviour: Behaviour, hows: frozenset[str], *, placed: bool) -> bool:
    marks = behaviour.marks
    if "animal" in marks:
        return "animals" in hows
    if "car" in marks:
        return "cars" in hows
    if hows & {"animals", "cars"}:
        return behaviour.key in _ANY_BODY
    if "known" in marks:
        return bool(hows & {"role", "name", "class", "surname"})
    if "visitor" in marks:
        return "visitors" in hows
    if behaviour.key == "stranger":
        return "stranger" in hows
    if behaviour.key == "person_present":
        return "anyone" in hows
    if "only_children" in marks:
        return "child" in hows
    return placed or not marks & {"enters", "exits"}


def _behaviour(core: str, hows: frozenset[str], *, placed: bool) -> tuple[Behaviour | None, str]:
    """Return the behaviour whose words cover most of `core`, and what they leave."""
    best: tuple[int, Behaviour, str] | None = None
    for behaviour in behaviours().values():
        if not _fits(behaviour, hows, placed=placed):
            continue
        if behaviour.pattern.search(core) is None:
            continue
        for match in (found for way in behaviour.ways for found in way.finditer(core)):
            length = match.end() - match.start()
            if length and (best is None or length > best[0]):
                best = (length, behaviour, core[: match.start()] + core[match.end() :])
    if best is None:
        bare = _LEFT_OK.sub("", core)
        if not bare and "anyone" in hows:
            return behaviours()["person_present"], ""
        if not bare and "stranger" in hows:
            return behaviours()["stranger"], ""
        return None, bare
    left = _LEFT_OK.sub("", best[1].pattern.sub("", best[2]))
    # 玩平板玩, 打游戏打: the verb again, in front of how long.
    return best[1], "" if len(left) == 1 and left not in "不没别" and left in core.replace(left, "", 1) else left


def is_continuous(behaviour: Behaviour) -> bool:
    """Whether the behaviour goes on for minutes."""
    return behaviour.kind is Kind.CONTINUOUS
