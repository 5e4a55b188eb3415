"""What a model is asked in a turn, and the shape of its reply: pure.

Everything that comes from the home or its people stands inside a fence; what may be done was decided before and is not
in the model's hands, however well anybody talks to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from zhixing.household.agent.deciding import said
from zhixing.household.agent.model import (
    ASKABLE,
    BUDGET,
    REPLY_TOKENS,
    Arguments,
    Ending,
    Purpose,
    State,
    Tool,
    Turn,
    TurnState,
)
from zhixing.household.agent.resetting import Episode
from zhixing.household.descs import one_line
from zhixing.household.doing.model import Origin
from zhixing.kernel.moments import iso
from zhixing.kernel.wording import wording
from zhixing.world.devices.port import Device
from zhixing.world.models.fence import RULE, fence
from zhixing.world.models.port import Prompt, Text
from zhixing.world.models.turns import turn_shape

LONGEST_RESULT = 1_500
"""Characters of a result that a model is shown."""
_LONGEST_THOUGHT = 200
_LONGEST_ARGUMENT = 500
_DAYS = "一二三四五六日"

_TEXTS = ("text", "medium", "device", "property", "source", "task", "outcome")
_ARGUMENTS: dict[str, Any] = {name: {"type": ["string", "null"]} for name in _TEXTS}
_ARGUMENTS["value"] = {"type": ["boolean", "number", "string", "null"]}
SHAPE = turn_shape("household_turn", (tool.value for tool in ASKABLE), _ARGUMENTS)

_SYSTEM = f"""你替一户人家判断一件已经到点的事，该做就做，不该做就不做。每次只回一个 JSON 对象，只走一步。
{RULE}
规则：
1. 只做“要办的事”里写明的，不多做。条件不成立就直接 finish，outcome 写 nothing。
2. 看不准就先查（read_device、look、read_record）；查过仍不能断定，finish，outcome 写 cannot，不要猜。
3. 结果是“未知”的动作可能已经做了，不要再做一次。被拒绝的不要再要。
4. 通知的话简短、只讲事实，不超过 100 字；不提你自己、工具和规则。
5. 事情办完就 finish，outcome 写 done。
工具（没列出的不能用）："""
_TOOLS = {
    Tool.NOTIFY: "notify：通知家里人。text 是要说的话；medium 是 {media} 之一，null 是全部。",
    Tool.ACT_DEVICE: "act_device：设置属性或执行动作。device 是编号，property 是属性或动作名，value 是值；"
    "只能动这些设备：{devices}。",
    Tool.READ_DEVICE: "read_device：读一台设备。device 是编号，property 是属性名，null 是全部。",
    Tool.LIST_DEVICES: "list_devices：列出家里的设备。",
    Tool.READ_RECORD: "read_record：读记录。task 是 {records} 之一，null 是这个任务自己的。",
    Tool.LOOK: "look：摄像头和传感器最近的判断。source 是编号，null 是全部。",
    Tool.FINISH: "finish：结束。outcome 是 done、nothing 或 cannot；text 是一句话的理由。",
}


def question(
    state: State, *, now: datetime, zone: ZoneInfo, devices: Sequence[Device], episode: Episode, seconds: float
) -> Prompt:
    """Return the question of the next turn."""
    parts = [_scene(state, now, zone), _changed(episode) if state.powers.purpose is Purpose.RESET else ""]
    parts.append(_so_far(state.turns))
    parts.append(f"还可以走 {BUDGET.turns - len(state.by_model)} 步。下一步？")
    text = "\n".join(filter(None, parts))
    return Prompt(_system(state, devices), (Text(text),), SHAPE, max_tokens=REPLY_TOKENS, seconds=seconds)


def complaint(reply: Mapping[str, Any]) -> str:
    """Say what is wrong with a reply of the right shape, or ""."""
    arguments = reply["arguments"]
    if any(isinstance(value, str) and len(value) > _LONGEST_ARGUMENT for value in arguments.values()):
        return f"arguments 里的文字不能超过 {_LONGEST_ARGUMENT} 个字"
    if reply["tool"] == Tool.FINISH and arguments["outcome"] not in tuple(Ending):
        return "finish 的 outcome 只能是 done、nothing 或 cannot"
    return ""


def read_reply(reply: Mapping[str, Any]) -> tuple[Tool, str, Arguments]:
    """Read a reply that fits the shape: the tool, the thought and the arguments, each text on one bounded line."""
    given = reply["arguments"]
    texts = {name: one_line(given[name] or "") for name in _TEXTS}
    value = given["value"]
    if isinstance(value, float) and not abs(value) < 1e15:
        value = str(value)
    elif isinstance(value, str):
        value = one_line(value)
    elif isinstance(value, int) and not isinstance(value, bool) and not abs(value) < 2**53:
        value = str(value)[:40]
    arguments = msgspec.structs.replace(Arguments(**texts), value=value, text=said(texts["text"]))
    return Tool(reply["tool"]), one_line(reply["thought"])[:_LONGEST_THOUGHT], arguments


def _system(state: State, devices: Sequence[Device]) -> str:
    powers = state.powers
    named = {device.did: device for device in devices}
    shown = "，".join(
        f"{fence(did)}（{fence(named[did].room + named[did].name)}）" if did in named else fence(did)
        for did in powers.devices
    )
    filled = {
        "media": "、".join(f"{medium.value}（{wording(f'agent.medium_{medium.value}')}）" for medium in powers.media),
        "devices": shown,
        "records": "、".join(name for name, _ in powers.records if name) or "null",
    }
    lines = [_TOOLS[tool].format(**filled) for tool in ASKABLE if tool in powers.tools]
    return "\n".join((_SYSTEM, *(f"- {line}" for line in lines)))


def _scene(state: State, now: datetime, zone: ZoneInfo) -> str:
    prompt = state.run.prompt
    local = now.astimezone(zone)
    lines = [f"现在：{iso(local, zone)}（周{_DAYS[local.weekday()]}）"]
    lines.append(fence("；".join(prompt.words), "要办的事："))
    if state.run.origin is Origin.MESSAGE:
        lines.append(f"这是一条定时任务，到点时间：{prompt.at}")
    else:
        when = {"enter": "条件成立了", "exit": "条件不再成立了", "target": "累计达标了"}.get(prompt.direction, "")
        lines.append(f"起因：{when}，时间：{prompt.at}{f'，从 {prompt.since} 起成立' if prompt.since else ''}")
        lines.append(fence(prompt.query, "条件："))
    if prompt.source or prompt.because:
        lines.append(fence(f"{prompt.source} {prompt.because}", "当时看到："))
    return "\n".join(lines)


def _changed(episode: Episode) -> str:
    lines = [
        fence(f"{step.did} {step.iid}：{step.was} → {step.wanted}（{step.state.value}）")
        for step in (change.step for change in episode.changes)
    ]
    again = "条件后来又成立过。" if episode.again else ""
    return "条件成立时改过：" + ("".join(lines) or "没有") + again


def _so_far(turns: Sequence[Turn]) -> str:
    """Write the turns so far. A refusal is told once, right after it."""
    lines = []
    for place, turn in enumerate(turns):
        if turn.state is TurnState.REFUSED and place != len(turns) - 1:
            continue
        arguments = msgspec.json.encode(turn.arguments).decode()
        state = wording(f"agent.state_{turn.state.value}")
        result = fence(turn.result[:LONGEST_RESULT]) if turn.result else ""
        lines.append(f"{turn.number}. {turn.tool.value} {fence(arguments)} → {state}{result}")
    return "已经走过的步骤：\n" + "\n".join(lines) if lines else ""
