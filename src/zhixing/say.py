"""Any sentence → the way it belongs to: reminders, the household, a document task, a rule of the hub, or a goal.

What only the clock starts and only somebody is told of is a notice, which knows most about time. What the home has to
see, count or switch, and what is said about household tasks that exist, is the household's. What asks for something to
be written, collected or run is a document task. What names the hub is a rule of it. `/task …` is a goal.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from zhixing.documents.drafts import Drafts, DraftView
from zhixing.goals.recognising.panel import is_panel
from zhixing.goals.talking.operations import GoalTalks
from zhixing.goals.talking.views import GoalTalkView, Silence
from zhixing.graphs.proposals.operations import Proposals, ProposalView
from zhixing.household.assembling.assembler import Assembly, assemble
from zhixing.household.assembling.plain import plain
from zhixing.household.assembling.request import Home, Request
from zhixing.household.assembling.response import head, read_response
from zhixing.household.assembling.routing import route
from zhixing.household.assembling.words import behaviours, nouns
from zhixing.household.talking.operations import LONGEST_TEXT, Talks
from zhixing.household.talking.talk import Talk
from zhixing.kernel.errors import BadInput
from zhixing.language.expressions import read_times
from zhixing.language.text import normalise
from zhixing.language.timex import TimeExpression
from zhixing.notices.model import Entry, Source, Submission
from zhixing.notices.notice import Notice
from zhixing.notices.operations import Notices
from zhixing.notices.pictures import Picture
from zhixing.tasks.task import Way

_SPOKEN = (Source.DIRECT, Source.VOICE)
COMMAND = "/task"
"""What begins a goal."""
_COMMAND = re.compile(r"/[A-Za-z]{2,10}(?![\w/.])")
_TASKS = re.compile("任务|规则|自动化")
"""What notices are never called."""
_THAT_ONE = re.compile("[那这](?:个|条)提醒")
_TELLS = re.compile("提醒|通知|告诉|叫我|喊我|记得|别忘")
_IF = re.compile("就|每次|[没不]|超过|连续|持续|一直|如果|要是|只要|一旦|看到|听到|发现|有人")
_AFTER = re.compile("时候?|之?后|[吃喝洗写做看]完")
_ACTS = re.compile(r"[开关播推拉]|报警|记录|记下|统计|累计|跟踪|多久|多少|几[次个杯]|\d[顿杯次遍]")
_THEN = re.compile("就(?:马上|立刻|赶紧|给我|帮我)*(?:提醒|通知|告诉|播|报警|推送|喊)|(?:时候?|之?后)(?:播|报警)")
_ABOUT_TASKS = ("list", "logs", "disable", "enable", "update", "delete")


Said = Notice | Talk | DraftView | ProposalView | GoalTalkView | Silence
"""What a sentence may become."""


@dataclass(frozen=True, slots=True)
class Ways:
    """Where sentences go."""

    notices: Notices
    talks: Talks
    drafts: Drafts
    proposals: Proposals
    goals: GoalTalks


def say(
    ways: Ways,
    submission: Submission,
    *,
    who: str,
    key: str | None = None,
    sources: Sequence[str] = (),
) -> Said:
    """Hand `submission` to its way; the same `key` again changes nothing and returns what the first one became.

    `sources` are the cameras of the room it was said in, where that is known.
    """
    known = _known(ways, key)
    if known is not None:
        return known
    text, drafts = submission.text, ways.drafts
    if is_panel(text) or (_is_spoken(submission) and ways.goals.wants(text)):
        return ways.goals.say(text, who=who, key=key, said_at=submission.submitted_at)
    if not _is_spoken(submission):
        return ways.notices.submit(submission, who=who, key=key)
    _check_command(text)
    if ways.proposals.wants(text):
        return ways.proposals.say(text, who=who, key=key, said_at=submission.submitted_at)
    if drafts.is_certain(text):
        return drafts.say(text, who=who, key=key, said_at=submission.submitted_at)
    if way_of(text, ways.talks.home(sources)) is Way.HOUSEHOLD:
        return ways.talks.say(text, who=who, key=key, sources=sources, said_at=submission.submitted_at)
    if drafts.wants(text):
        return drafts.say(text, who=who, key=key, said_at=submission.submitted_at)
    return ways.notices.submit(submission, who=who, key=key)


def show(notices: Notices, submission: Submission, picture: Picture, *, who: str, key: str | None = None) -> Notice:
    """Hand a picture, with the words beside it, to its way; the same `key` again changes nothing."""
    return notices.submit_picture(submission, picture, who=who, key=key)


def way_of(text: str, home: Home) -> Way:
    """Return the way of a sentence that somebody said in `home`. Pure."""
    words = plain(text)
    if not words or len(text) > LONGEST_TEXT:
        return Way.NOTICE
    # What is new is not compared with every task there is: that costs, and its way is the same.
    looked_at = replace(home, tasks=()) if route(words, home).op == "create" else home
    return Way.HOUSEHOLD if _is_household(words, assemble(Request(text, looked_at)), home) else Way.NOTICE


def _is_household(words: str, found: Assembly, home: Home) -> bool:
    if found.op in _ABOUT_TASKS:
        return _TASKS.search(words) is not None or (bool(home.tasks) and _is_about_one(words, found))
    if found.reject is not None:
        return found.reject == "and_rule" or _IF.search(words) is not None
    if found.drafts:
        return any(draft.rule or draft.record is not None or draft.effect for draft in found.drafts) or _switches(words)
    return found.op != "none" and _about_the_home(words)


def _switches(words: str) -> bool:
    """Whether something is switched, and nobody only reminded of it: 每天早上7点打开客厅窗帘."""
    first = head(words)
    if first is None:
        return False
    response = read_response(words[first.start() :])
    return response.act is not None and not response.tells and not response.more


def _is_about_one(words: str, found: Assembly) -> bool:
    return found.op == "list" or bool(found.target) or _THAT_ONE.search(words) is not None


def _known(ways: Ways, key: str | None) -> Said | None:
    if not key:
        return None
    rooms = (ways.talks, ways.drafts, ways.proposals, ways.goals, ways.notices)
    return next((found for room in rooms if (found := room.find_by_key(key)) is not None), None)


def _check_command(text: str) -> None:
    """Raise `BadInput` for a mistyped command: nobody wants `/tsk 写周报` as a to-do."""
    typed = _COMMAND.match(text.strip())
    if typed is not None and get_close_matches(typed[0].lower(), [COMMAND], cutoff=0.7):
        raise BadInput("command_unknown", typed=typed[0], near=COMMAND)


def _is_spoken(submission: Submission) -> bool:
    return (
        submission.source in _SPOKEN
        and submission.entry is Entry.SCHEDULE
        and submission.message_date is None
        and bool(submission.text.strip())
    )


def _about_the_home(words: str) -> bool:
    """Whether words that are not certain wait for something that happens, in the home, and at no time of their own.

    A wish to be told of something says first when: 提醒我买牛奶 is a to-do, whatever is bought.
    """
    told = _TELLS.search(words)
    if told is None:
        wanted = _IF.search(words) or _ACTS.search(words)
    else:
        wanted = _IF.search(words) or _AFTER.search(words[: told.start()])
    seen = any(noun in words for noun in nouns()) or any(
        behaviour.pattern.search(words) for behaviour in behaviours().values()
    )
    speaks = _THEN.search(words) or (seen and wanted)
    return bool(speaks) and not any(_is_named(one) for one in read_times(normalise(words)).expressions)


def _is_named(time: TimeExpression) -> bool:
    """Whether it is a day or an hour; a length belongs to what is seen: 超过20分钟没出来."""
    return time.date is not None or time.weekday is not None or time.clock is not None or time.period is not None
