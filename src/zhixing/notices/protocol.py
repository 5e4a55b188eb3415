"""What a model says about a notice, as it goes over the wire: protocol 2 on JSON root version 1 (document 004 §3).

A reply is one JSON object: `{version, transcript, items}`, or the members of its only item at the root, as older
services write them. It carries words only. Fields nobody knows are passed over (a model's opinion of itself among
them, §6); fields that state what only this house may decide (an instant, a completion, a schedule) make the whole reply
unusable. What a member has to rest on is for `verify`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from zhixing.kernel.wording import Language, wording
from zhixing.notices.model import NodeKind
from zhixing.world.models.reading import Unreadable, read_object

VERSION: Literal[1] = 1
"""The version at the root of a reply. It did not change with protocol 2."""
PROTOCOL = 2
"""What this house speaks. Clients of 1 know no reminder nodes and no leads."""
MOST_ITEMS = 20
MOST_NODES = 50
"""Of one item."""
MOST_DETAILS = 100
"""Of one item."""


class Fault(StrEnum):
    """Why a reply is not used; `reply_…` of section `notices` says it to the model."""

    MALFORMED = "malformed"
    SHAPE = "shape"
    VERSION = "version"
    FORBIDDEN = "forbidden"
    """It states an instant, a completion or a schedule."""
    EMPTY = "empty"
    TOO_MANY = "too_many"
    TRANSCRIPT = "transcript"
    """An image without its words."""
    EVIDENCE = "evidence"
    """Not a continuous, verbatim piece of the source."""
    EXPRESSION = "expression"
    """Not inside its evidence."""
    CUT = "cut"
    """Only a part of the time that stands there, or more than one."""
    NO_TIME = "no_time"
    KIND = "kind"
    """The words at the time say something else happens then."""
    TWICE = "twice"
    """One time is said to be two things."""
    REPEAT = "repeat"
    """Once, where the words say every time; or the other way round."""
    SUPERSEDED = "superseded"
    """Only the time that was changed, without the new one."""
    LEAD_PAIR = "lead_pair"
    LEAD_RANGE = "lead_range"
    LEAD_WORDS = "lead_words"
    """The number is not what the words say, or they ask for no reminder."""
    LEAD_TARGET = "lead_target"
    """The words are about another time."""


class Rejected(msgspec.Struct, frozen=True):
    """A reply that is not used, and where in it the fault is (`items[0].nodes[1].expression`)."""

    why: Fault
    path: str = ""

    def complaint(self, language: Language = "zh") -> str:
        """Say it in one sentence to the model that may repair it; nothing of the reply is repeated."""
        return wording(f"notices.reply_{self.why.value}", language, place=self.path or "JSON")


Words = Annotated[str, Meta(description="从原文逐字复制的连续片段，一字不改，空格和换行也不改")]


class WireNode(msgspec.Struct, frozen=True, rename="camel"):
    """One time. Old services leave out the lead."""

    kind: Annotated[
        NodeKind,
        Meta(
            description="open 开放，start 开始，deadline 截止，end 结束，repeat 重复，reminder 用户指定的提醒时刻，"
            "unknown 已取消、延期未定或另行通知"
        ),
    ]
    expression: Annotated[str, Meta(description="完整的时间原话，逐字复制，不换算；unknown 可以是“待定”这样的原话")]
    evidence: Annotated[str, Meta(description="包含 expression 的一段连续原文")]
    lead_minutes: Annotated[
        int | None, Meta(description="原文要求提前多少分钟提醒，准时为 0；原文没有要求就是 null")
    ] = None
    lead_evidence: Annotated[str | None, Meta(description="要求提前的连续原文；与 leadMinutes 同有同无")] = None


class WireAmbiguity(msgspec.Struct, frozen=True, rename="camel"):
    """What the text leaves open about whom, what or when."""

    about: Annotated[
        Literal["subject", "identity", "time"],
        Meta(description="subject 不知道是哪件事，identity 不知道用户属于哪一类人，time 时间有矛盾"),
    ]
    expression: Annotated[str | None, Meta(description="time：有矛盾的那个节点的 expression，不止一个就是 null")] = None


class WireItem(msgspec.Struct, frozen=True, rename="camel"):
    """One matter. Its evidence is what the action rests on; every detail is its own evidence."""

    nodes: Annotated[
        tuple[WireNode, ...],
        Meta(description="用户要知道的时间；改期只写最新的；他人期限、历史范围、客服时间不写；没有就空着"),
    ]
    title: Annotated[str, Meta(description="6 到 16 个字")] = ""
    action: Annotated[str, Meta(description="核心行动，20 到 35 个字，保留条件和否定")] = ""
    evidence: Annotated[str, Meta(description="行动所依据的一段连续原文，逐字复制")] = ""
    details: Annotated[
        tuple[Words, ...],
        Meta(description="入口、材料、要求、地点、对象、条件、旧时间，一条一项，都从原文逐字复制"),
    ] = ()
    ambiguities: Annotated[tuple[WireAmbiguity, ...], Meta(description="只写影响主体、身份或时间的；没有就空着")] = ()
    speaker: Annotated[
        Literal["user", "other"] | None, Meta(description="这件事是用户自己说的（user）还是转述、转发别人的话（other）")
    ] = None
    sent_on: Annotated[str | None, Meta(description="截图里管这条消息的日期分隔线，逐字复制；没有就是 null")] = None


class Reply(msgspec.Struct, frozen=True, rename="camel"):
    """All that a model says."""

    items: Annotated[tuple[WireItem, ...], Meta(description="互相独立的事项；同一件事的步骤和要求归在一项里")]
    version: Literal[1] = VERSION
    transcript: Annotated[
        str | None, Meta(description="图片：有关消息的转写，不写状态栏、群名、头像和无关消息；文字：null")
    ] = None


_FORBIDDEN = frozenset(
    (
        *("timestamp", "timestamps", "datetime", "datetimes", "date", "dates", "time", "times", "at", "iso", "instant"),
        *("epoch", "unix", "unixtime", "millis", "remindat", "reminderat", "reminder", "reminders", "triggerat"),
        *("fireat", "notifyat", "dueat", "due", "startat", "endat", "openat", "deadlineat", "starttime", "endtime"),
        *("completed", "complete", "completion", "completedat", "done", "finished", "status", "state", "isdone"),
        *("schedule", "scheduled", "schedules", "scheduling", "scheduleat", "alarm", "alarms", "alarmat", "alarmtime"),
        *("cron", "rrule", "job", "jobs", "notification", "notifications"),
        *("defaultlead", "defaultleadminutes", "leaddefault", "defaultreminder"),
    )
)
"""Names of facts that a model does not provide (§3), without case and joints."""
_JOINTS = re.compile(r"[_\-\s]+")


def read_reply(given: object) -> Reply | Rejected:
    """Read a reply: JSON text, or what was decoded from it."""
    if isinstance(given, (str, bytes)):
        try:
            given = read_object(given.decode() if isinstance(given, bytes) else given)
        except (Unreadable, UnicodeDecodeError):
            return Rejected(Fault.MALFORMED)
    if not isinstance(given, Mapping):
        return Rejected(Fault.SHAPE)
    if given.get("version", VERSION) != VERSION or isinstance(given.get("version"), bool):
        return Rejected(Fault.VERSION, "version")
    forbidden = _forbidden(given)
    if forbidden is not None:
        return Rejected(Fault.FORBIDDEN, forbidden)
    root = _rooted(given)
    try:
        reply = msgspec.convert(root, Reply)
    except msgspec.ValidationError as error:
        return Rejected(Fault.SHAPE, _place(error))
    if not reply.items:
        return Rejected(Fault.EMPTY, "items")
    return _too_many(reply) or reply


def _rooted(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the reply with its items, the only one of an older service among them."""
    items = given.get("items")
    if items is None and "nodes" in given:
        items = [given]
    if isinstance(items, Sequence) and not isinstance(items, str):
        items = [_plain_item(item) if isinstance(item, Mapping) else item for item in items]
    transcript = given.get("transcript")
    if transcript is None and isinstance(items, list):
        # Some write it into the item, which is the same as long as there is one picture.
        transcript = next(
            (item["transcript"] for item in items if isinstance(item, dict) and item.get("transcript")), None
        )
    return {"version": VERSION, "items": items, "transcript": transcript}


_ABOUT = ("subject", "identity", "time")


def _plain_item(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return the item with null as absent and its ambiguities as far as they are about the matter, whom or when."""
    plain = {key: value for key, value in item.items() if value is not None}
    given = plain.get("ambiguities")
    if isinstance(given, list):
        # A bare sentence does not say what it is about; it counts as doubt about the matter.
        known = ({"about": "subject"} if isinstance(one, str) and one.strip() else one for one in given)
        plain["ambiguities"] = [one for one in known if isinstance(one, Mapping) and one.get("about") in _ABOUT]
    details = plain.get("details")
    if isinstance(details, list):
        # A detail is its evidence, whatever else somebody writes beside it.
        plain["details"] = [
            one["evidence"] if isinstance(one, Mapping) and "evidence" in one else one for one in details
        ]
    return plain


def _forbidden(given: Mapping[str, Any]) -> str | None:
    """Return where a fact is stated that a model does not provide; the place is ours, the key is the model's."""
    waiting: list[tuple[object, str]] = [(given, "")]
    while waiting:
        value, place = waiting.pop()
        if isinstance(value, Mapping):
            if any(_JOINTS.sub("", str(key)).casefold() in _FORBIDDEN for key in value):
                return place or "JSON"
            waiting.extend((inner, f"{place}.{key}" if place else str(key)) for key, inner in value.items())
        elif isinstance(value, list):
            waiting.extend((inner, f"{place}[{index}]") for index, inner in enumerate(value))
    return None


def _too_many(reply: Reply) -> Rejected | None:
    if len(reply.items) > MOST_ITEMS:
        return Rejected(Fault.TOO_MANY, "items")
    for index, item in enumerate(reply.items):
        if len(item.nodes) > MOST_NODES:
            return Rejected(Fault.TOO_MANY, f"items[{index}].nodes")
        if len(item.details) > MOST_DETAILS:
            return Rejected(Fault.TOO_MANY, f"items[{index}].details")
    return None


_PATH = re.compile(r"at `\$\.?([A-Za-z0-9_.\[\]]*)`")


def _place(error: msgspec.ValidationError) -> str:
    found = _PATH.search(str(error))
    return found[1] if found else ""


def protocol_of(named: str | None) -> int:
    """Return the protocol that a client names; 1, the oldest, where it names none or nothing readable (§3)."""
    words = (named or "").strip()
    return int(words) if re.fullmatch(r"[1-9][0-9]{0,3}", words) else 1


def downgrade(reply: Mapping[str, Any], client_protocol: int) -> dict[str, Any]:
    """Return a decoded reply as a client of that protocol reads it: before 2 without leads, and reminders as starts."""
    if client_protocol >= PROTOCOL:
        return dict(reply)
    older = dict(reply)
    if isinstance(reply.get("nodes"), list):
        older["nodes"] = [_older_node(node) for node in reply["nodes"]]
    if isinstance(reply.get("items"), list):
        older["items"] = [
            downgrade(item, client_protocol) if isinstance(item, Mapping) else item for item in reply["items"]
        ]
    return older


def _older_node(node: object) -> object:
    if not isinstance(node, Mapping):
        return node
    older = {key: value for key, value in node.items() if key not in ("leadMinutes", "leadEvidence")}
    if older.get("kind") == NodeKind.REMINDER:
        older["kind"] = NodeKind.START.value
    return older


def reply_schema() -> dict[str, Any]:
    """Return the JSON schema of a reply, without references, as servers that enforce one take it.

    Every member is required; what may be missing is null. Reading is more tolerant than this.
    """
    (reference,), named = msgspec.json.schema_components([Reply], ref_template="{name}")
    return _inlined(reference, named)


_KEPT = ("type", "enum", "description")


def _inlined(schema: Mapping[str, Any], named: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        found = _inlined(named[schema["$ref"]], named)
        return {**found, **{key: schema[key] for key in _KEPT if key in schema}}
    # What an object is called in this house says nothing to a model.
    found = {
        key: schema[key] for key in _KEPT if key in schema and not (key == "description" and "properties" in schema)
    }
    if "anyOf" in schema:
        found["anyOf"] = [_inlined(option, named) for option in schema["anyOf"]]
    if "items" in schema:
        found["items"] = _inlined(schema["items"], named)
    if "properties" in schema:
        properties = schema["properties"]
        found["properties"] = {name: _inlined(inner, named) for name, inner in properties.items()}
        found["required"] = list(properties)
        found["additionalProperties"] = False
    return found
