"""What a run may do, out of the words of its task alone: pure.

Nothing the world says widens it: not what a camera saw, not what a device is called, not what a model asks for. A reset
may command only what its own rule had changed. Anything else may command only devices that its words name together with
something to do, and none that lets people in or could hurt them. It may tell only through the channel it names.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from zhixing.household.agent.model import Powers, Purpose, Tool, Who
from zhixing.household.descs import Medium
from zhixing.household.doing.model import AgentRun, Origin
from zhixing.kernel.moments import micros
from zhixing.world.devices.port import Device

MOST_DEVICES = 8
"""Devices that words may name."""

_RESET = re.compile(r"复位|恢复(?:原|到|成)?|还原")
_MEDIA = {
    Medium.SPEAKER: re.compile(r"播报|喇叭|用音箱|音箱上?(?:通知|提醒|说|喊|告诉)"),
    Medium.PHONE: re.compile(r"推送|手机上?(?:通知|提醒)|发到?手机"),
    Medium.CHAT: re.compile(r"AI\s*对话", re.IGNORECASE),
}
_TELLS = re.compile(r"通知|提醒|告诉|告知|播报|推送|催|说一声|报警|问一?下")
_ACTS = re.compile(r"打开|开启|关闭|关掉|关上|关了|开|关|调|设|拉|启动|停止|播放|暂停")
_NEVER = re.compile(r"lock|door|gate|garage|valve|gas|oven|stove|cooker|heater|safe|alarm|camera", re.IGNORECASE)
"""Kinds of devices that no judgement may command."""
_NEVER_NAMED = re.compile(r"锁|门|车库|燃气|煤气|阀|灶|烤箱|保险|报警器|摄像")
_GATED = frozenset({"curtain", "light", "window-covering"})
"""What has such a word in its name and is harmless all the same: 大门灯."""
_NAME = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)+", re.ASCII)
_MOST_RECORDS = 3


def is_reset(words: Sequence[str]) -> bool:
    """Whether words want something put back as it was, whatever else they want."""
    return any(_RESET.search(each) is not None for each in words)


def named_records(words: Sequence[str]) -> list[str]:
    """Return the names of tasks in words."""
    return list(dict.fromkeys(found for each in words for found in _NAME.findall(each)))[:_MOST_RECORDS]


def powers_of(
    run: AgentRun,
    *,
    devices: Sequence[Device],
    touched: Collection[str],
    served: Collection[Medium],
    records: Sequence[tuple[str, str]] = (),
) -> Powers:
    """Return what a run may do.

    `touched` are the devices that its rule changed when the condition began, `served` the ways of telling there are,
    `records` the tasks that its words name, with our ids.
    """
    words = run.prompt.words
    reset = is_reset(words) and run.origin is Origin.RULE
    known = {device.did: device for device in devices}
    wanted = touched if reset else _named(words, devices)
    allowed = tuple(sorted(did for did in wanted if did in known and not is_dangerous(known[did])))[:MOST_DEVICES]
    media = tuple(medium for medium in _media(run) if medium in served)
    tools = [Tool.LIST_DEVICES, Tool.READ_DEVICE, Tool.READ_RECORD, Tool.LOOK, Tool.FINISH]
    if media:
        tools.append(Tool.NOTIFY)
    if allowed:
        tools.append(Tool.ACT_DEVICE)
    return Powers(
        purpose=Purpose.RESET if reset else Purpose.JUDGE,
        who=Who.MODEL,
        tools=tuple(sorted(tools)),
        media=media,
        devices=allowed,
        records=(("", run.task_id), *records),
        until=micros(run.deadline),
    )


def is_dangerous(device: Device) -> bool:
    """Whether a device lets people in, or could hurt them."""
    if device.category in _GATED:
        return False
    return _NEVER.search(device.category) is not None or _NEVER_NAMED.search(device.name) is not None


def _media(run: AgentRun) -> tuple[Medium, ...]:
    """Return the ways of telling that words name; a cron job that names none may use all, a rule only the inbox."""
    text = " ".join(run.prompt.words)
    named = tuple(medium for medium, pattern in _MEDIA.items() if pattern.search(text) is not None)
    if named:
        # What is named only as a device to command, such as 打开音箱, is no way of telling.
        return named if _TELLS.search(text) is not None else ()
    if run.origin is Origin.MESSAGE:
        return tuple(Medium)
    return (Medium.CHAT,) if _TELLS.search(text) is not None else ()


def _named(words: Sequence[str], devices: Sequence[Device]) -> set[str]:
    """Return the devices that words name in full, or by room and kind (客厅的灯), next to something to do."""
    found = set()
    for text in words:
        if _ACTS.search(text) is None:
            continue
        plain = "".join(text.split()).replace("的", "")
        for device in devices:
            name = "".join(device.name.split()).replace("的", "")
            short = device.room + (name[-1:] if name.endswith("灯") else name[-2:])
            if (len(name) > 1 and name in plain) or (device.room and short in plain):
                found.add(device.did)
    return found
