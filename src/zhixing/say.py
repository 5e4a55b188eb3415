"""Any sentence → the way it belongs to: a notice that becomes reminders, or a task of the household.

What only the clock starts and only somebody is told of is a notice, which knows most about time. What the home has to
see, count or switch, and what is said about household tasks that exist, is the household's.
"""

from __future__ import annotations

from collections.abc import Sequence

from zhixing.household.assembling.assembler import Assembly, Outcome, assemble
from zhixing.household.assembling.plain import plain
from zhixing.household.assembling.request import Home, Request
from zhixing.household.assembling.words import behaviours, nouns
from zhixing.household.talking.operations import LONGEST_TEXT, Talks
from zhixing.household.talking.talk import Talk
from zhixing.language.expressions import read_times
from zhixing.language.text import normalise
from zhixing.notices.model import Entry, Source, Submission
from zhixing.notices.notice import Notice
from zhixing.notices.operations import Notices
from zhixing.notices.pictures import Picture
from zhixing.tasks.task import Way

_SPOKEN = (Source.DIRECT, Source.VOICE)
_ABOUT_TASKS = ("list", "logs", "disable", "enable", "update", "delete")


def say(
    notices: Notices,
    talks: Talks,
    submission: Submission,
    *,
    who: str,
    key: str | None = None,
    sources: Sequence[str] = (),
) -> Notice | Talk:
    """Hand `submission` to its way; the same `key` again changes nothing and returns what the first one became.

    `sources` are the cameras of the room it was said in, where that is known.
    """
    known = _known(notices, talks, key)
    if known is not None:
        return known
    if _is_spoken(submission) and way_of(submission.text, talks.home(sources)) is Way.HOUSEHOLD:
        return talks.say(submission.text, who=who, key=key, sources=sources)
    return notices.submit(submission, who=who, key=key)


def show(notices: Notices, submission: Submission, picture: Picture, *, who: str, key: str | None = None) -> Notice:
    """Hand a picture, with the words beside it, to its way; the same `key` again changes nothing."""
    return notices.submit_picture(submission, picture, who=who, key=key)


def way_of(text: str, home: Home) -> Way:
    """Return the way of a sentence that somebody said in `home`. Pure."""
    words = plain(text)
    if not words or len(text) > LONGEST_TEXT:
        return Way.NOTICE
    found = assemble(Request(text, home))
    if found.outcome is Outcome.NEEDS_MODEL or found.op is None:
        return Way.HOUSEHOLD if _about_the_home(words) else Way.NOTICE
    if found.op in _ABOUT_TASKS:
        return Way.HOUSEHOLD if home.tasks and (found.target or found.op == "list") else Way.NOTICE
    return Way.HOUSEHOLD if found.op == "create" and _needs_the_home(found) else Way.NOTICE


def _known(notices: Notices, talks: Talks, key: str | None) -> Notice | Talk | None:
    return None if not key else talks.find_by_key(key) or notices.find_by_key(key)


def _is_spoken(submission: Submission) -> bool:
    return (
        submission.source in _SPOKEN
        and submission.entry is Entry.SCHEDULE
        and submission.message_date is None
        and bool(submission.text.strip())
    )


def _needs_the_home(found: Assembly) -> bool:
    return found.outcome is Outcome.REJECTED or any(
        draft.rule or draft.record is not None or draft.effect for draft in found.drafts
    )


def _about_the_home(words: str) -> bool:
    """Whether words that nobody is certain about speak of what a home sees or switches, and of no time of their own."""
    speaks = any(noun in words for noun in nouns()) or any(
        behaviour.pattern.search(words) for behaviour in behaviours().values()
    )
    return speaks and not read_times(normalise(words)).expressions
