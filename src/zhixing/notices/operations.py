"""Operations on notices: each is one transaction of load → decide → save + enqueue.

What was said is kept in a transaction of its own before anybody tries to understand it. An answer counts only for the
revision its question was asked at; completing, deleting, editing and manual reminders make a new revision and so win
over every older question (document 004 §6).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from msgspec.structs import replace

from zhixing.engine.model import Engine, Job, Run
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, Conflict, StoreUnavailable, TooLarge
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.language.timex import TimeExpression
from zhixing.notices import album, repeats, spoken, store
from zhixing.notices.answers import Answers, base_kind, node_number
from zhixing.notices.asking import OTHER, question
from zhixing.notices.clocks import Unclear, wall_time
from zhixing.notices.model import (
    Answer,
    Candidate,
    Entry,
    NodeKind,
    Outcome,
    PlannedReminder,
    Source,
    Submission,
    Understanding,
)
from zhixing.notices.notice import MANUAL, Notice, NoticeState, Reminder, ReminderState
from zhixing.notices.pictures import Facts, Picture
from zhixing.notices.protocol import Rejected
from zhixing.notices.reminders import DEADLINE_LEAD, plan
from zhixing.notices.repeating import Repeating
from zhixing.notices.replies import chosen_items, read_candidates, understand_reply
from zhixing.notices.resolve import Ask
from zhixing.notices.titles import title_of
from zhixing.notices.understand import LONGEST_TEXT, understand
from zhixing.store.connection import Store, Tx
from zhixing.tasks import journal
from zhixing.tasks import store as tasks
from zhixing.tasks.journal import Kind
from zhixing.tasks.task import PERMANENT, Status, Task, Way, new_task, rename

UNDERSTAND = "notice.understand"
REMIND = "notice.remind"
BLIND = "no_vision"
"""Why a picture goes on waiting: no model that sees is configured."""
LONGEST_KEY = 200
MOST_REMINDERS = 50
"""Planned reminders of one notice."""
_RESCUE = timedelta(seconds=5)
"""How long after keeping a submission its understanding is taken up again if the process died in between."""

_STATES = {
    Outcome.SCHEDULED: NoticeState.SCHEDULED,
    Outcome.NEEDS_CONFIRMATION: NoticeState.NEEDS_CONFIRMATION,
    Outcome.NEEDS_MODEL: NoticeState.PENDING_AI,
    Outcome.NO_REMINDER: NoticeState.NO_REMINDER,
    Outcome.RETRYABLE_FAILURE: NoticeState.RETRYABLE_FAILURE,
    Outcome.REJECTED: NoticeState.RETRYABLE_FAILURE,
}

Waits = Callable[[Tx, str, int], None]
"""Called with a task and its revision in the transaction in which its notice begins to wait for a model."""


def _nobody_reads(_tx: Tx, _task_id: str, _revision: int) -> None:
    """Leave it waiting: no model is configured."""


class Notices:
    """Keep, understand, ask, answer, edit and plan. Without `repeating`, what repeats waits for a model."""

    def __init__(
        self,
        database: Store,
        engine: Engine,
        clock: Clock,
        repeating: Repeating | None = None,
        waits: Waits = _nobody_reads,
    ) -> None:
        self._waits = waits
        self._store = database
        self._engine = engine
        self._clock = clock
        self._repeating = repeating
        engine.register(UNDERSTAND, self._understand_kept)

    def submit(self, submission: Submission, *, who: str, key: str | None = None) -> Notice:
        """Keep a submission, then understand it. The same `key` again returns what the first one became.

        Raises `BadInput` for empty text, `TooLarge` for more than `LONGEST_TEXT` characters.
        """
        if not submission.text.strip():
            raise BadInput("text_empty")
        return self._submit(submission, None, who, key)

    def submit_picture(self, submission: Submission, picture: Picture, *, who: str, key: str | None = None) -> Notice:
        """Keep a picture with the words beside it, of which there may be none, like `submit`.

        Words and picture are on disk before a model is asked to look at it; the source is `image` whatever was given.
        """
        return self._submit(replace(submission, source=Source.IMAGE), picture, who, key)

    def _submit(self, submission: Submission, picture: Picture | None, who: str, key: str | None) -> Notice:
        _check(submission.text, key)
        find_zone(submission.zone)
        with self._store.write() as tx:
            known = store.find_by_key(tx, key) if key else None
            if known is not None:
                return store.get(tx, known)
            kept = self._keep(tx, submission, who, key, picture)
        try:
            return self._understand(kept.task.id, who)
        except StoreUnavailable:
            # The words are on disk and their job takes them up; nobody has to say them again.
            return kept

    def get(self, task_id: str) -> Notice:
        """Return a notice."""
        with self._store.read() as tx:
            return store.get(tx, task_id)

    def find_by_key(self, key: str) -> Notice | None:
        """Return what was submitted with `key`."""
        with self._store.read() as tx:
            known = store.find_by_key(tx, key)
            return None if known is None else store.get(tx, known)

    def answer(self, task_id: str, value: str, *, revision: int | None, who: str) -> Notice:
        """Take the answer to the open question. `revision` is the one it was asked at (None: the newest).

        Raises `Conflict` for a question that is no longer open, `BadInput` for words that are no answer to it.
        """
        if len(value) > LONGEST_KEY:
            raise TooLarge("answer_long", limit=LONGEST_KEY)
        with self._store.write() as tx:
            notice = store.get(tx, task_id)
            asked = notice.question
            if asked is None or (revision is not None and revision != asked.revision):
                raise Conflict("question_closed", title=notice.task.title)
            if value.strip() in ("", OTHER):
                raise BadInput("answer_needs_words", prompt=asked.prompt)
            taken = self._canonical(notice, asked.kind, value)
            if taken is None:
                raise BadInput("answer_unreadable", answer=value.strip(), prompt=asked.prompt)
            now = self._clock.now()
            answer = Answer(asked.kind, taken)
            store.add_answer(tx, task_id, answer, words=value, revision=asked.revision, at=now)
            journal.write(
                tx, task_id, Kind.ANSWERED, at=now, who=who, why=asked.kind, data={"words": value, "value": taken}
            )
            if asked.kind == "reminder_after_deadline" and notice.why == MANUAL:
                return self._confirm_manual(tx, notice, datetime.fromisoformat(taken), who)
            if asked.kind == "item_selection":
                self._keep_chosen(tx, notice, answer, who)
            return self._decide(tx, store.get(tx, task_id), who)

    def edit(self, task_id: str, text: str, *, who: str) -> Notice:
        """Replace the words of a notice by the user's own; answers to the old words no longer count."""
        if not text.strip():
            raise BadInput("text_empty")
        _check(text, None)
        with self._store.write() as tx:
            notice = store.get(tx, task_id)
            _must_be_open(notice.task)
            now = self._clock.now()
            store.save_words(tx, task_id, text, Source.DIRECT, now)
            store.retire_answers(tx, task_id)
            journal.write(
                tx,
                task_id,
                Kind.REVISED,
                at=now,
                who=who,
                why="edited",
                data={"from": notice.current.text, "to": text},
            )
            self._cancel_planned(tx, notice)
            return self._decide(tx, store.get(tx, task_id), who)

    def remind(self, task_id: str, at: datetime, *, who: str) -> Notice:
        """Add a reminder by hand. One behind a certain deadline is asked about once (§5)."""
        with self._store.write() as tx:
            notice = store.get(tx, task_id)
            _must_be_open(notice.task)
            now = self._clock.now()
            if at < now:
                raise BadInput("reminder_in_the_past")
            if len(notice.planned) >= MOST_REMINDERS:
                raise TooLarge("reminders_many", limit=MOST_REMINDERS)
            deadlines = [node.at for node in notice.nodes if node.kind is NodeKind.DEADLINE and node.at]
            if deadlines and at > min(deadlines):
                return self._ask_about_manual(tx, notice, min(deadlines), at, who)
            return self._confirm_manual(tx, notice, at, who)

    def retry(self, task_id: str, *, who: str) -> Notice:
        """Try again to understand what could not be understood; the first submission stays the reference."""
        with self._store.write() as tx:
            notice = store.get(tx, task_id)
            _must_be_open(notice.task)
            if notice.state is NoticeState.RETRYABLE_FAILURE:
                store.retire_answers(tx, task_id)
                store.save_reply(tx, task_id, None)
            self._cancel_planned(tx, notice)
            return self._decide(tx, store.get(tx, task_id), who)

    def replied(self, tx: Tx, task_id: str, revision: int, reply: str) -> None:
        """Take a model's reply to the words of `revision`; one that comes too late changes nothing."""
        notice = store.get(tx, task_id)
        if _awaits(notice, revision):
            store.save_reply(tx, task_id, reply)
            self._decide(tx, store.get(tx, task_id), journal.CLOCK)

    def unread(self, tx: Tx, task_id: str, revision: int, why: str) -> None:
        """Note that no model can read it for now; everything is kept for another try.

        A picture that no configured model can see goes on waiting for one.
        """
        notice = store.get(tx, task_id)
        if not _awaits(notice, revision):
            return
        now = self._clock.now()
        task = rename(notice.task, notice.task.title, now)
        tasks.save(tx, task)
        code = f"model_{why}"
        state = NoticeState.PENDING_AI if why == BLIND else NoticeState.RETRYABLE_FAILURE
        store.save_understanding(tx, task_id, state, code, notice.understood)
        journal.write(tx, task_id, Kind.UNDERSTOOD, at=now, who=journal.CLOCK, why=code)

    def status_changed(self, tx: Tx, before: Task, after: Task) -> None:
        """Follow a task's life: an ended one has no reminders to come, a restored one those that lie ahead (§6)."""
        if after.way is not Way.NOTICE or before.active == after.active:
            return
        notice = store.get(tx, after.id)
        if not after.active:
            self._cancel_planned(tx, notice)
        elif notice.understood is None or notice.state is NoticeState.NEEDS_CONFIRMATION:
            self._apply(tx, notice, self._understanding(notice), after.revision, who=journal.USER)
        else:
            now = self._clock.now()
            manual = _manual_ahead(notice, now)
            planned = plan(notice.nodes, now, find_zone(after.zone))
            self._plan(tx, notice, [*planned, *manual], after.revision)
            repeats_on = notice.series is not None
            quiet = NoticeState.NO_REMINDER if notice.state is NoticeState.SCHEDULED else notice.state
            state = NoticeState.SCHEDULED if planned or manual or repeats_on else quiet
            store.save_understanding(tx, after.id, state, "restored", notice.understood)

    def _keep(
        self, tx: Tx, submission: Submission, who: str, key: str | None, picture: Picture | Facts | None = None
    ) -> Notice:
        """Write the submission down; its picture as well, or that it is one which is kept already."""
        now = self._clock.now()
        task = new_task(
            tasks.new_id(tx),
            title=title_of(submission.text.strip()) or wording("notices.picture_title"),
            description=submission.text,
            way=Way.NOTICE,
            lifecycle=PERMANENT,
            zone_name=submission.zone,
            now=now,
        )
        tasks.insert(tx, task)
        store.insert(tx, task, submission, key)
        if isinstance(picture, Picture):
            album.keep(tx, task.id, picture)
        elif picture is not None:
            album.share(tx, task.id, picture)
        journal.write(tx, task.id, Kind.CREATED, at=now, who=who, data={"source": submission.source.value})
        self._engine.enqueue(tx, Job(UNDERSTAND, _rescue_key(task.id), now + _RESCUE, {"task": task.id}, task.id))
        return store.get(tx, task.id)

    def _understand(self, task_id: str, who: str) -> Notice:
        with self._store.write() as tx:
            notice = store.get(tx, task_id)
            if notice.state is not NoticeState.RECEIVED:
                return notice
            self._engine.cancel(tx, _rescue_key(task_id))
            return self._decide(tx, notice, who)

    def _understand_kept(self, run: Run) -> None:
        """Take up a submission whose process died between keeping and understanding it."""
        with run.commit() as tx:
            notice = store.get(tx, str(run.job.payload["task"]))
            if notice.state is NoticeState.RECEIVED and notice.task.active:
                self._decide(tx, notice, journal.CLOCK)

    def _understanding(self, notice: Notice) -> Understanding:
        now, subject, revision = self._clock.now(), notice.task.id, notice.task.revision + 1
        if notice.reply is not None:
            return understand_reply(
                notice.current,
                notice.reply,
                now,
                notice.answers,
                item=notice.item,
                subject=subject,
                revision=revision,
            )
        found = understand(notice.current, now, notice.answers, subject=subject, revision=revision)
        if self._repeating is None or (found.outcome, found.why) != (Outcome.NEEDS_MODEL, repeats.REPEAT):
            return found
        again = spoken.read_repeat(notice.current, now, notice.answers, subject=subject, revision=revision)
        return again or found

    def _decide(self, tx: Tx, notice: Notice, who: str) -> Notice:
        """Understand the current words with the answers so far; save what follows at the task's next revision."""
        found = self._understanding(notice)
        task = rename(notice.task, found.title or notice.task.title, self._clock.now())
        tasks.save(tx, task)
        self._apply(tx, notice, found, task.revision, who)
        return store.get(tx, task.id)

    def _apply(self, tx: Tx, notice: Notice, found: Understanding, revision: int, who: str) -> None:
        if found.question is not None and found.question.revision != revision:
            asked = found.question
            found = replace(
                found,
                question=type(asked)(asked.kind, asked.prompt, asked.options, asked.subject, revision),
            )
        state = NoticeState.NOTE if notice.current.entry is Entry.NOTE else _STATES[found.outcome]
        now = self._clock.now()
        store.save_understanding(tx, notice.task.id, state, found.why, found)
        kind = Kind.ASKED if found.question else Kind.UNDERSTOOD
        data = {
            "outcome": found.outcome.value,
            "nodes": [{"kind": node.kind.value, "expression": node.expression} for node in found.nodes],
        }
        if found.question:
            data["prompt"] = found.question.prompt
        journal.write(tx, notice.task.id, kind, at=now, who=who, why=found.why, data=data)
        self._plan(tx, notice, found.reminders, revision)
        if state is NoticeState.PENDING_AI and notice.is_legible:
            self._waits(tx, notice.task.id, revision)
        if self._repeating is not None:
            words = found.nodes[0].expression if found.nodes else ""
            self._repeating.follow(tx, notice.task, words, found.series, revision=revision, who=who)

    def _plan(self, tx: Tx, notice: Notice, planned: Sequence[PlannedReminder], revision: int) -> None:
        """Write reminders and the jobs that will tell them."""
        now = self._clock.now()
        first = store.next_reminder_number(tx, notice.task.id)
        rows = [
            Reminder(first + index, one.at or now, one.reason, one.nodes, ReminderState.PLANNED, revision)
            for index, one in enumerate(planned)
        ]
        if not rows:
            return
        store.add_reminders(tx, notice.task.id, rows)
        self._engine.enqueue(
            tx,
            *(
                Job(
                    REMIND,
                    remind_key(notice.task.id, row.number),
                    row.at,
                    {"task": notice.task.id, "reminder": row.number},
                )
                for row in rows
            ),
        )

    def _cancel_planned(self, tx: Tx, notice: Notice) -> None:
        for reminder in notice.planned:
            store.settle_reminder(tx, notice.task.id, reminder.number, ReminderState.CANCELLED)
            self._engine.cancel(tx, remind_key(notice.task.id, reminder.number))

    def _canonical(self, notice: Notice, kind: str, value: str) -> str | None:
        today = self._clock.now().astimezone(find_zone(notice.task.zone)).date()
        if kind in repeats.OWN_QUESTIONS:
            return repeats.canonical(kind, value)
        asked = _asked_time(notice, node_number(kind))
        asked = asked or spoken.repeated_clock(notice.current)
        base = base_kind(kind)
        return Answers([Answer(base, value)], today).canonical(base, asked)

    def _keep_chosen(self, tx: Tx, notice: Notice, answer: Answer, who: str) -> None:
        """Make this notice the first of the chosen matters, and a notice of its own of every other one (§1)."""
        found = read_candidates(notice.current, notice.reply)
        chosen = chosen_items(found, [answer]) if not isinstance(found, Rejected) else None
        if not chosen:
            return
        store.save_reply(tx, notice.task.id, notice.reply, chosen[0])
        for item in chosen[1:]:
            beside = self._keep(tx, notice.current, who, None, notice.picture)
            self._engine.cancel(tx, _rescue_key(beside.task.id))
            store.save_reply(tx, beside.task.id, notice.reply, item)
            self._decide(tx, store.get(tx, beside.task.id), who)

    def _ask_about_manual(self, tx: Tx, notice: Notice, deadline: datetime, at: datetime, who: str) -> Notice:
        now = self._clock.now()
        task = rename(notice.task, notice.task.title, now)
        tasks.save(tx, task)
        zone = find_zone(task.zone)
        options = (
            *((deadline - DEADLINE_LEAD).astimezone(zone) for _ in range(deadline - DEADLINE_LEAD >= now)),
            at.astimezone(zone),
        )
        asked = question(Ask("reminder_after_deadline", options), task.id, task.revision, now.astimezone(zone).date())
        understood = replace(_known(notice), question=asked)
        store.save_understanding(tx, task.id, NoticeState.NEEDS_CONFIRMATION, MANUAL, understood)
        journal.write(tx, task.id, Kind.ASKED, at=now, who=who, why=asked.kind, data={"prompt": asked.prompt})
        return store.get(tx, task.id)

    def _confirm_manual(self, tx: Tx, notice: Notice, at: datetime, who: str) -> Notice:
        now = self._clock.now()
        task = rename(notice.task, notice.task.title, now)
        tasks.save(tx, task)
        understood = replace(_known(notice), question=None)
        store.save_understanding(tx, task.id, NoticeState.SCHEDULED, MANUAL, understood)
        journal.write(tx, task.id, Kind.REVISED, at=now, who=who, why="manual_reminder", data={"at": at.isoformat()})
        self._plan(tx, notice, [PlannedReminder(at, MANUAL, tuple(range(len(notice.nodes))))], task.revision)
        return store.get(tx, task.id)


def _awaits(notice: Notice, revision: int) -> bool:
    waiting = notice.state is NoticeState.PENDING_AI and notice.task.active
    return waiting and notice.task.revision == revision


def _asked_time(notice: Notice, number: int | None) -> TimeExpression | None:
    """Return the time that an open question is about: the first whose clock is not settled, else the first."""
    if notice.reply is None:
        reading = spoken.read_submission(notice.current)
        nodes = reading.nodes if isinstance(reading, Candidate) else ()
    else:
        found = read_candidates(notice.current, notice.reply)
        nodes = found[notice.item or 0].nodes if not isinstance(found, Rejected) and found else ()
    times = [node.time for node in nodes]
    if number is not None:
        return times[number - 1] if number <= len(times) else None
    unclear = (one for one in times if one.clock and isinstance(wall_time(one.clock, one.period), Unclear))
    return next(unclear, times[0] if times else None)


def remind_key(task_id: str, number: int) -> str:
    """Return the key of the job that tells a reminder."""
    return f"remind:{task_id}:{number}"


def _rescue_key(task_id: str) -> str:
    return f"understand:{task_id}"


def _known(notice: Notice) -> Understanding:
    return notice.understood or Understanding(Outcome.NO_REMINDER, MANUAL, notice.task.title)


def _manual_ahead(notice: Notice, now: datetime) -> list[PlannedReminder]:
    """Return the reminders set by hand that a completion cancelled and that still lie ahead."""
    return [
        PlannedReminder(reminder.at, MANUAL, reminder.nodes)
        for reminder in notice.reminders
        if reminder.reason == MANUAL and reminder.state is ReminderState.CANCELLED and reminder.at >= now
    ]


def _check(text: str, key: str | None) -> None:
    if len(text) > LONGEST_TEXT:
        raise TooLarge("text_long", limit=LONGEST_TEXT)
    if "\x00" in text:
        # PostgreSQL cannot keep it, and no person typed it.
        raise BadInput("text_nul")
    if key is not None and not 0 < len(key) <= LONGEST_KEY:
        raise BadInput("key_long", limit=LONGEST_KEY)


def _must_be_open(task: Task) -> None:
    if task.status is not Status.ACTIVE:
        raise Conflict(f"task_is_{task.status.value}", title=task.title)
