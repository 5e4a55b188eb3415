"""Wishes about how somebody is told, in which words, what happens on leaving, and what the task is called. Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from zhixing.household.assembling.request import Home
from zhixing.household.assembling.response import channels_in, other_channel
from zhixing.household.descs import Phrase, read_desc
from zhixing.household.jobs import LONGEST_MESSAGE
from zhixing.household.updating.clauses import fits
from zhixing.household.updating.model import Clause, Read, Standing, Step, Unclear
from zhixing.household.updating.rewording import Rewrite, responses
from zhixing.kernel.wording import wording
from zhixing.tasks.rules.model import NOTHING, Response

LONGEST_WORDS = 200
_TOLD = re.compile(
    r"(?P<before>(?:^|[；;])[^；;]*?使用\s*)(?P<medium>音箱\s*播报|手机\s*推送|AI\s*对话)(?P<notice>\s*通知\s*[:：]\s*)(?P<text>[^；;]+)",
    re.IGNORECASE,
)
_CHANNEL = re.compile(r"通道|方式|渠道|怎么(?:提醒|通知|告诉)")
_WORDS = re.compile(
    r"换|用|拿|让|通过|从|在|手机|推送|推|音箱|播报|广播|朗读|语音|播|对话框?|聊天框?|AI|ai|消息|通知|弹|上|发|既|又|要|和|跟|与|及|两个|一起|同时|喇叭|念|说"
)
_PHONE = re.compile(r"(?<![玩刷看耍])手机")
_CHANNELS = ("speaker", "phone", "chat")
_STAYS = re.compile(
    r"(?:人)?(?:离开|走|出去|结束|人走|出来|走开)?(?:了|后|以后|之后|的时候|时)*(?:也|都|就)?(?:不用|不要|别|不必|不需要?|不)(?:再)?(?:管|关|恢复|复位|动|还原|变)(?:它|灯|了|掉)*"
)
_NAME = re.compile(r"(?:名字|名称|描述|说明|标题)$")
_CONTENT = re.compile(r"(?:内容|文案|话术|的话|播报词|说的|词)$")
_REMIND = re.compile(r"^(?P<head>(?:请|到点|定时|准时)?提醒\s*(?:用户|我们?|大家)?)\s*[:：,，]?\s*\S.*$", re.DOTALL)


def name(clause: Clause, standing: Standing, _home: Home) -> Read:
    """Read what the task is called: 名字改成睡前护眼."""
    if not _NAME.search(clause.what) or not clause.raw:
        return None
    said = clause.raw[: LONGEST_WORDS + 1]
    return Step(replace(standing, description=said), "name", "", said)


def content(clause: Clause, standing: Standing, _home: Home) -> Read:
    """Read the words that are told: 播报内容改成该起来走走了."""
    if not _CONTENT.search(clause.what) or not clause.raw:
        return None
    said = re.sub(r"[；;\s]+", "，", clause.raw).strip("，")
    if not said or len(said) > min(LONGEST_WORDS, LONGEST_MESSAGE):
        return Unclear("update_words_long", {"limit": LONGEST_WORDS})

    def told(text: str) -> str:
        return _TOLD.sub(lambda match: f"{match['before']}{match['medium']}{match['notice']}{said}", text)

    after = _descs(standing, told)
    for job in standing.reminders:
        reminding = _REMIND.match(job.plan.message)
        if reminding is not None:
            after = after.with_jobs({job.id: replace(job.plan, message=f"{reminding['head']}{said}")})
    if after == standing:
        return Unclear("update_no_telling", {"task": standing.description})
    return Step(after, "content", "", said)


def channel(clause: Clause, standing: Standing, _home: Home) -> Read:
    """Read through what somebody is told: 改用手机推送, 音箱和手机都要."""
    named = channels_in(clause.to)
    wanted = tuple(one for one in _CHANNELS if one in named or (one == "phone" and _PHONE.search(clause.to)))
    if not wanted and "音箱" not in clause.to:
        return Unclear("update_channel_other") if other_channel(clause.to) else None
    if not fits(_WORDS.sub("", clause.to), standing):
        return None
    old = _media(standing)
    if not old:
        return Unclear("update_no_telling", {"task": standing.description})
    after = _descs(standing, lambda text: _through(text, wanted))
    return Step(after, "channel", _called(old), _called(wanted))


def _media(standing: Standing) -> tuple[str, ...]:
    texts = [
        text
        for one in standing.rules
        for response in (one.plan.on_enter, one.plan.on_exit, one.plan.on_target)
        for text in response.descs
    ]
    texts += [one.plan.message for one in standing.reminders]
    return tuple(dict.fromkeys(notice.medium.value for text in texts for notice in read_desc(text).notifications))


def _called(media: tuple[str, ...]) -> str:
    return wording("updating.and").join(wording(f"updating.medium_{medium}") for medium in media)


def _through(text: str, wanted: tuple[str, ...]) -> str:
    """Return a desc whose notices go through other channels: one clause for each, none twice."""
    clauses: list[str] = []
    for clause in re.split(r"[；;]", text):
        match = _TOLD.fullmatch(clause)
        written = [clause]
        if match is not None:
            written = [
                f"{match['before']}{wording(f'updating.medium_{medium}')}{match['notice']}{match['text']}"
                for medium in wanted
            ]
        clauses += [each for each in written if each not in clauses]
    return "；".join(clauses)


def stays(clause: Clause, standing: Standing, _home: Home) -> Read:
    """Read that leaving changes nothing: 离开不用关."""
    match = _STAYS.search(clause.to)
    if match is None or not fits(clause.to[: match.start()] + clause.to[match.end() :], standing):
        return None
    said = re.search(r"离开|走|出去|出来|结束|恢复|复位|还原", match[0]) is not None
    if not standing.rules or not (said or any(one.plan.on_exit for one in standing.rules)):
        return None
    if any(_times(one.plan.on_exit) for one in standing.rules):
        return Unclear("update_exit_timed", {"task": standing.description})
    plans = {one.id: replace(one.plan, on_exit=NOTHING) for one in standing.rules}
    return Step(standing.with_rules(plans), "exit", "", wording("updating.exit_none"))


def _times(response: Response) -> bool:
    return any(
        found.record is not None and found.record.phrase is Phrase.END for found in map(read_desc, response.descs)
    )


def _descs(standing: Standing, rewrite: Rewrite) -> Standing:
    def answer(response: Response) -> Response:
        return replace(response, descs=tuple(map(rewrite, response.descs)))

    jobs = {one.id: replace(one.plan, message=rewrite(one.plan.message)) for one in standing.reminders}
    return standing.with_rules({one.id: responses(one.plan, answer) for one in standing.rules}).with_jobs(jobs)
