"""Tools: say a sentence, answer what is asked back, see what came of it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from zhixing.faces.cli.house import House
from zhixing.faces.cli.options import day, task_id
from zhixing.faces.draft_wire import draft_id, is_draft, of_draft
from zhixing.faces.goal_talk_wire import goal_talk_id, is_goal_talk, of_goal_talk
from zhixing.faces.mcp.arguments import LONGEST_ID, Before, Key, Limit, Revision
from zhixing.faces.mcp.tool import WHO, Effect, Tool
from zhixing.faces.proposal_wire import is_proposal, of_proposal, proposal_id
from zhixing.faces.said_wire import of_said
from zhixing.faces.talk_wire import is_talk, of_talk, talk_id
from zhixing.faces.wire import Wire, of_notice
from zhixing.household.sight import find_camera
from zhixing.household.talking import talk as talks
from zhixing.kernel.errors import NotFound
from zhixing.notices.model import Entry, Source, Submission
from zhixing.say import say as submit

MOST_CAMERAS = 20

TalkId = Annotated[str, Field(max_length=LONGEST_ID, description="Id of a talk: s3.")]


def say(
    home: House,
    *,
    text: Annotated[str, Field(description="The user's own words, one wish, as they were said.")],
    key: Key = None,
    cameras: Annotated[
        list[str], Field(max_length=MOST_CAMERAS, description="Cameras of the room it was said in, by id or name.")
    ] = [],  # noqa: B006 - read into a model, which copies it
    zone: Annotated[str | None, Field(description="IANA zone of the speaker. Not given: the home's.")] = None,
    source: Annotated[
        Literal["direct", "voice", "paste", "share", "quote"], Field(description="How the words came in.")
    ] = "direct",
    message_date: Annotated[
        str | None, Field(description="Day a passed-on message was sent (2026-10-12): its 明天 counts from there.")
    ] = None,
    note: Annotated[bool, Field(description="Only keep it; understand nothing, remind of nothing.")] = False,
) -> Wire:
    """Say something for the user. It is kept, understood and, where nothing is missing, done.

    About the home (`way` household) it becomes a talk: with `state` asked, put `prompt` to the user and pass the reply
    to `answer`; done, `lines` is the report. What is to be written or run (document), what names the hub (在网关上：…,
    graph) and a goal (`/task …`) become drafts: show `lines`, pass the reply to `answer`. Everything else is a reminder
    task with `reminders` or one `question`.
    """
    home.check_length(text)
    app = home.app
    submission = Submission(
        text,
        Source(source),
        app.clock.now(),
        app.zone.name if zone is None else zone,
        day(message_date),
        Entry.NOTE if note else Entry.SCHEDULE,
    )
    sources = [find_camera(app.hub, camera).did for camera in cameras]
    return of_said(submit(app.ways, submission, who=WHO, key=key, sources=sources))


def answer(
    home: House,
    *,
    id: Annotated[str, Field(max_length=LONGEST_ID, description="Id: s3, d3, g3, q3 or t12.")],  # noqa: A002 - what the results call it
    value: Annotated[str, Field(description="The user's answer: letters of options, or words. 取消 ends it.")],
    revision: Revision = None,
) -> Wire:
    """Answer the open question of a talk, draft, proposal, goal or reminder task; several are answered in one go.

    Of a draft or a proposal, A saves and enables it, of a goal it runs it: only when the user said so.
    """
    home.check_length(value)
    if is_talk(id):
        return of_talk(home.app.talks.answer(talk_id(id), value, who=WHO, revision=revision))
    if is_draft(id):
        return of_draft(home.app.drafts.answer(draft_id(id), value, who=WHO, revision=revision))
    if is_proposal(id):
        return of_proposal(home.app.proposals.answer(proposal_id(id), value, who=WHO, revision=revision))
    if is_goal_talk(id):
        return of_goal_talk(home.app.goals.talks.answer(goal_talk_id(id), value, who=WHO, revision=revision))
    return of_notice(home.app.notices.answer(task_id(id), value, who=WHO, revision=revision))


def talk_list(
    home: House,
    *,
    open_only: Annotated[bool, Field(description="Only those that something may still come of.")] = False,
    limit: Limit = 20,
    before: Before = None,
) -> Wire:
    """List what was said about the home and what became of it, the newest first."""
    found = home.app.talks.page(
        states=talks.OPEN if open_only else (), limit=limit, before=None if before is None else _talk(before)
    )
    return {"talks": [of_talk(one) for one in found.talks], "more": found.more}


def talk_show(home: House, *, talk: TalkId) -> Wire:
    """Show one talk: its state, what is asked, the report."""
    return of_talk(home.app.talks.get(_talk(talk)))


def talk_cancel(home: House, *, talk: TalkId) -> Wire:
    """Call off an open talk; nothing comes of it."""
    return of_talk(home.app.talks.cancel(_talk(talk), who=WHO))


def talk_retry(home: House, *, talk: TalkId) -> Wire:
    """Try again to understand a talk that could not be read."""
    return of_talk(home.app.talks.retry(_talk(talk)))


def _talk(written: str) -> str:
    if not is_talk(written):
        raise NotFound("talk_unknown", id=written[:64])
    return talk_id(written)


TOOLS = (
    Tool.of(say, Effect.ADDS),
    Tool.of(answer, Effect.ADDS),
    Tool.of(talk_list, Effect.READS),
    Tool.of(talk_show, Effect.READS),
    Tool.of(talk_cancel, Effect.ENDS),
    Tool.of(talk_retry, Effect.SETS),
)
