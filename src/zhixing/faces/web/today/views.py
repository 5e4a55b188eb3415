"""What the page shows: read in one go from the store, worded, and cut to what a person can take in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from zoneinfo import ZoneInfo

from zhixing.app import App
from zhixing.delivery.model import Message
from zhixing.faces.draft_wire import draft_id, is_draft
from zhixing.faces.goal_talk_wire import goal_talk_id, is_goal_talk
from zhixing.faces.http.home import Home
from zhixing.faces.proposal_wire import is_proposal, proposal_id
from zhixing.faces.talk_wire import is_talk, talk_id
from zhixing.faces.web.today.household import ShownTask, goal_tasks, household_lines, rule_tasks, shown_task
from zhixing.faces.web.today.talks import (
    ShownTalk,
    open_talks,
    shown_draft,
    shown_goal_talk,
    shown_proposal,
    shown_talk,
)
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.questions import Question
from zhixing.kernel.wording import wording
from zhixing.notices import listing, store
from zhixing.notices.asking import OTHER, day_label
from zhixing.notices.explaining import claim_lines, explain_notice, reasons_text, state_line, transcript_of
from zhixing.notices.listing import Page
from zhixing.notices.notice import Notice, NoticeState, Reminder, ReminderState
from zhixing.notices.telling import moment_text, node_text
from zhixing.store.connection import Tx
from zhixing.tasks import occurrences
from zhixing.tasks import store as tasks
from zhixing.tasks.task import Status, Task

MOST = 30
"""Items of one part of the page."""
AHEAD = timedelta(days=3660)
JUST_NOW = timedelta(days=1)
"""How long ago a reminder may have been due that is still shown as coming: it will be told in a moment."""
_WAITING = (NoticeState.RECEIVED, NoticeState.PENDING_AI, NoticeState.RETRYABLE_FAILURE)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of the words; `marked` when a time was read in it."""

    text: str
    marked: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """A time that was understood: what it is, and the words it was read in."""

    what: str
    expression: str


@dataclass(frozen=True, slots=True)
class Telling:
    """A reminder of the shown task."""

    when: str
    reason: str
    state: ReminderState


@dataclass(frozen=True, slots=True)
class Shown:
    """The task in the middle of the page: what was said last, or what was asked for."""

    notice: Notice
    pieces: tuple[Piece, ...]
    readings: tuple[Reading, ...]
    claims: tuple[str, ...]
    tellings: tuple[Telling, ...]
    explanation: tuple[str, ...]
    situation: str
    editable: bool

    @property
    def picks(self) -> list[tuple[str, str]]:
        """The answers to its question that need no words of one's own."""
        return [] if self.notice.question is None else _picks(self.notice.question)


@dataclass(frozen=True, slots=True)
class Asked:
    """An open question."""

    task: Task
    question: Question
    words: str

    @property
    def picks(self) -> list[tuple[str, str]]:
        """The answers that need no words of one's own."""
        return _picks(self.question)


@dataclass(frozen=True, slots=True)
class Ahead:
    """A reminder to come."""

    task: Task
    clock: str
    reason: str


@dataclass(frozen=True, slots=True)
class Day:
    """The reminders of one day."""

    label: str
    items: tuple[Ahead, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A task in a list, with one line about it."""

    task: Task
    about: str
    retryable: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """A message of the inbox."""

    message: Message
    when: str
    task: Task | None


@dataclass(frozen=True, slots=True)
class Sight:
    """All of it. The lists whose names end in `more` were cut."""

    shown: Shown | None
    running: ShownTask | None
    """A household task, a document task or a rule in the place of `shown`."""
    talk: ShownTalk | None
    """A sentence that is talked about in that place."""
    asked: tuple[Asked, ...]
    talks: tuple[ShownTalk, ...]
    """The other sentences that are open."""
    days: tuple[Day, ...]
    to_do: tuple[Line, ...]
    waiting: tuple[Line, ...]
    notes: tuple[Line, ...]
    household: tuple[Line, ...]
    rules: tuple[Line, ...]
    """Tasks that stand for rules of the hub."""
    goals: tuple[Line, ...]
    """Tasks that are goals of bots."""
    told: tuple[Told, ...]
    cut: frozenset[str]
    zone: str


def look(home: Home, task_id: str | None) -> Sight:
    """Look at a home; raise `NotFound` when there is no such task."""
    app = home.app
    now, zone = app.clock.now(), find_zone(app.zone.name)
    today = now.astimezone(zone).date()
    talk, talks = _talked(app, task_id), open_talks(app, MOST)
    running = None if task_id is None or talk is not None else shown_task(app, task_id, now)
    with app.store.read() as tx:
        shown = None if task_id is None or talk is not None or running is not None else shown_notice(tx, task_id, now)
        asked = listing.page(tx, statuses=(Status.ACTIVE,), states=(NoticeState.NEEDS_CONFIRMATION,), limit=MOST)
        coming = store.coming(tx, now - JUST_NOW, now + AHEAD, MOST + 1, of_each=1)
        to_do = listing.to_do(tx, MOST)
        waiting = listing.page(tx, statuses=(Status.ACTIVE,), states=_WAITING, limit=MOST)
        notes = listing.page(tx, statuses=(Status.ACTIVE,), states=(NoticeState.NOTE,), limit=MOST)
        household, more = household_lines(app, tx, now, MOST)
        rules, more_rules = rule_tasks(tx, MOST)
        goals, more_goals = goal_tasks(tx, MOST)
        inbox = app.delivery.inbox(tx, limit=MOST)
        told = tuple(_told(message, tasks.find(tx, message.task_id), today, zone) for message in reversed(inbox))
    cut = {name for name, page in _pages(asked=asked, to_do=to_do, waiting=waiting, notes=notes) if page.more}
    if len(coming) > MOST:
        cut.add("coming")
    if more:
        cut.add("household")
    if more_rules:
        cut.add("rules")
    if more_goals:
        cut.add("goals")
    return Sight(
        shown,
        running,
        talk,
        tuple(_asked(notice) for notice in asked.notices if notice.task.id != task_id),
        tuple(one for one in talks if talk is None or one.id != talk.id),
        tuple(_days(coming[:MOST], today, zone)),
        tuple(Line(notice.task, _about(notice, today)) for notice in to_do.notices),
        tuple(Line(notice.task, _situation(notice), _is_retryable(notice)) for notice in waiting.notices),
        tuple(Line(notice.task, "") for notice in notes.notices),
        tuple(Line(task, about) for task, about in household),
        tuple(Line(task, about) for task, about in rules),
        tuple(Line(task, about) for task, about in goals),
        told,
        frozenset(cut),
        app.zone.name,
    )


def _picks(question: Question) -> list[tuple[str, str]]:
    return [(option.value, option.label) for option in question.options if option.value != OTHER]


def _talked(app: App, said: str | None) -> ShownTalk | None:
    """Return the sentence that is asked for, where it is one that is talked about and no task."""
    if said is None:
        return None
    if is_talk(said):
        return shown_talk(app, talk_id(said))
    if is_proposal(said):
        return shown_proposal(app, proposal_id(said))
    if is_goal_talk(said):
        return shown_goal_talk(app, goal_talk_id(said))
    return shown_draft(app, draft_id(said)) if is_draft(said) else None


def _pages(**pages: Page) -> Iterable[tuple[str, Page]]:
    return pages.items()


def shown_notice(tx: Tx, task_id: str, now: datetime) -> Shown:
    """Return what is shown of a notice; raise `NotFound` where it is of another way."""
    notice = store.get(tx, task_id)
    zone = find_zone(notice.task.zone)
    today = now.astimezone(zone).date()
    happened = occurrences.of_task(tx, task_id)
    return Shown(
        notice,
        tuple(
            _pieces(
                transcript_of(notice) or notice.current.text,
                [(node.evidence, node.expression) for node in notice.nodes],
            )
        ),
        tuple(Reading(node_text(node, today, zone), node.expression) for node in notice.nodes),
        tuple(claim_lines(notice.nodes)),
        tuple(
            Telling(moment_text(each.at, today, zone), reasons_text(each.reason), each.state)
            for each in notice.reminders
        ),
        explain_notice(notice, happened, now),
        _situation(notice),
        notice.task.active,
    )


def _pieces(text: str, found: Iterable[tuple[str, str]]) -> list[Piece]:
    """Cut words where a time was read in them: where its evidence stands, and its expression inside that."""
    spans = []
    for evidence, expression in found:
        start = text.find(evidence)
        offset = evidence.find(expression)
        if start >= 0 and offset >= 0 and expression:
            spans.append((start + offset, start + offset + len(expression)))
    pieces, done = [], 0
    for start, end in sorted(spans):
        if start < done:
            continue
        pieces += [Piece(text[done:start], marked=False), Piece(text[start:end], marked=True)]
        done = end
    pieces.append(Piece(text[done:], marked=False))
    return [piece for piece in pieces if piece.text]


def _situation(notice: Notice) -> str:
    """Say in one line where a notice is; its question is asked beside it."""
    return state_line(notice) if notice.question is None else wording("page.needs_answer", "zh")


def _is_retryable(notice: Notice) -> bool:
    return notice.state is not NoticeState.RECEIVED


def _asked(notice: Notice) -> Asked:
    question = notice.question
    assert question is not None  # noqa: S101 - the list is of active notices in that state
    return Asked(notice.task, question, transcript_of(notice) or notice.current.text)


def _days(coming: Iterable[tuple[Task, Reminder]], today: date, zone: ZoneInfo) -> Iterable[Day]:
    def day_of(each: tuple[Task, Reminder]) -> date:
        return each[1].at.astimezone(zone).date()

    for day, group in groupby(coming, day_of):
        items = tuple(
            Ahead(task, f"{reminder.at.astimezone(zone):%H:%M}", reasons_text(reminder.reason))
            for task, reminder in group
        )
        yield Day(day_label(day, today), items)


def _about(notice: Notice, today: date) -> str:
    """Say what is known of the time of something to be done."""
    zone = find_zone(notice.task.zone)
    known = "；".join(node_text(node, today, zone) for node in notice.nodes)
    return known or wording("page.no_time", "zh")


def _told(message: Message, task: Task | None, today: date, zone: ZoneInfo) -> Told:
    return Told(message, moment_text(message.told_at, today, zone), task)
