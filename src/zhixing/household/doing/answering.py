"""What a rule answers with words: the record is written and notifications are told in the transaction of the fire.

What else the words ask for is done by `ordering` where all of it is device commands; the rest waits for the agent.
A notification of a rule passes the quiet hours of its channel: it tells what is happening now, tomorrow morning it
would be wrong, and a fall at three in the night cannot wait. Who wants silence gives the rule hours of its own. That a
count has been reached stays true, so 「首次达标时」 waits. What a rule would have said more than `STALE` ago is not
told aloud any more; the inbox has it, with its instant (miloco.md §8.2).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from zhixing.delivery.model import Timing
from zhixing.household.descs import Desc, Medium, Notification, Phrase, RecordPhrase, When, one_line, read_desc
from zhixing.household.doing import store
from zhixing.household.doing.agents import Agents
from zhixing.household.doing.model import Prompt
from zhixing.household.doing.ordering import Ordering, wait_for_agent
from zhixing.household.doing.records import is_reached
from zhixing.household.doing.telling import NEWS_PAUSE, Telling, moment
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import ZhixingError
from zhixing.kernel.moments import iso, zone
from zhixing.kernel.wording import wording
from zhixing.store.connection import Tx
from zhixing.tasks import occurrences
from zhixing.tasks import store as tasks
from zhixing.tasks.journal import CLOCK
from zhixing.tasks.occurrence import Occurrence, OccurrenceState
from zhixing.tasks.records.model import Written
from zhixing.tasks.records.operations import Records
from zhixing.tasks.rules.model import Direction, Fired

STALE = timedelta(minutes=5)
"""How late a notification may be told aloud."""
_LONGEST_SAID = 200


@dataclass(slots=True)
class _Course:
    """What has come of an answer so far."""

    written: Written | None = None
    wrote: list[dict[str, object]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    seen: int = 0
    told: list[tuple[int, Notification]] = field(default_factory=list)
    """What is to be told, with its place among all notifications of the answer, told or not."""
    rest: list[str] = field(default_factory=list)
    passed_over: str = ""

    @property
    def did(self) -> bool:
        """Whether anything was written."""
        return any(one["applied"] for one in self.wrote)


class Answering:
    """Carries out the descs of fires."""

    def __init__(self, clock: Clock, records: Records, telling: Telling, agents: Agents, ordering: Ordering) -> None:
        self._clock = clock
        self._records = records
        self._telling = telling
        self._agents = agents
        self._ordering = ordering

    def answer(self, tx: Tx, fired: Fired) -> None:
        """Do what the descs of a fire say, in their order. Where there is nothing to wait for, its occurrence ends."""
        occurrence = occurrences.get(tx, fired.occurrence_id)
        if not occurrence.open:
            return
        course = _Course()
        if fired.direction is not Direction.TARGET or self._reach(tx, fired, course):
            for text in fired.response.descs:
                self._follow(tx, fired, read_desc(text), course)
        if course.rest:
            self._hand_over(tx, fired, course)
        elif course.faults or not course.told:
            self._end(tx, occurrence, course)
        self._tell(tx, fired, course)
        self._say_faults(tx, fired, course)

    def reached_first(self, tx: Tx, fired: Fired) -> bool:
        """Note that the target is reached, for an answer of device commands; otherwise its occurrence ends."""
        course = _Course()
        if self._reach(tx, fired, course):
            return True
        occurrence = occurrences.get(tx, fired.occurrence_id)
        if occurrence.open:
            self._end(tx, occurrence, course)
            self._say_faults(tx, fired, course)
        return False

    def _reach(self, tx: Tx, fired: Fired, course: _Course) -> bool:
        """Note that the target is reached. Only the first time of a period is it news."""
        try:
            written = self._records.reach(
                tx, fired.rule.task_id, at=fired.at, key=f"{fired.occurrence_id}:reach", who=fired.rule.id
            )
        except ZhixingError as error:
            course.faults.append(str(error))
            return False
        course.written = written
        if not written.first_reached:
            course.passed_over = "reached" if written.reached else "not_reached"
        return written.first_reached

    def _follow(self, tx: Tx, fired: Fired, desc: Desc, course: _Course) -> None:
        if desc.record is not None and desc.record.phrase is Phrase.START and fired.asked:
            # Nothing would ever end that session.
            course.wrote.append({"phrase": desc.record.phrase.value, "applied": False, "why": "asked"})
        elif desc.record is not None:
            try:
                written = self._write(tx, fired, desc.record, len(course.wrote))
            except ZhixingError as error:
                # Refused by the record before anything was written; the rest of the answer does not depend on it.
                course.faults.append(str(error))
            else:
                course.written = written
                course.wrote.append(_described(desc.record, written))
                if written.first_reached and fired.direction is Direction.EXIT:
                    self._make_up_for_target(tx, fired, course)
        self._collect(tx, fired, desc, course)

    def _collect(self, tx: Tx, fired: Fired, desc: Desc, course: _Course) -> None:
        for place, one in enumerate(desc.notifications, start=course.seen):
            if self._applies(tx, fired, one, course):
                course.told.append((place, one))
        course.seen += len(desc.notifications)
        course.rest += desc.rest

    def _make_up_for_target(self, tx: Tx, fired: Fired, course: _Course) -> None:
        """Tell what the target has to say where the end of a session came before its timer: it comes once a period."""
        for text in fired.rule.plan.on_target.descs:
            self._collect(tx, fired, read_desc(text), course)

    def _write(self, tx: Tx, fired: Fired, phrase: RecordPhrase, before: int) -> Written:
        """Write to the record, once for this occurrence; `before` is how much it has written already."""
        task_id, who = fired.rule.task_id, fired.rule.id
        key = f"{fired.occurrence_id}:{before}" if before else fired.occurrence_id
        match phrase.phrase:
            case Phrase.COUNT:
                return self._records.increment(tx, task_id, 1, at=fired.at, key=key, who=who)
            case Phrase.EVENT:
                return self._records.append(tx, task_id, phrase.description, at=fired.at, key=key, who=who)
            case Phrase.START:
                return self._records.start_session(tx, task_id, at=fired.since, key=key, who=who, holder=who)
            case Phrase.END:
                at = fired.left or fired.at
                return self._records.end_session(tx, task_id, at=at, key=key, who=who, holder=who)

    def _applies(self, tx: Tx, fired: Fired, notification: Notification, course: _Course) -> bool:
        written = course.written
        match notification.when:
            case When.ALWAYS:
                return True
            case When.FIRST:
                return written is not None and written.first_reached
            case When.REACHED:
                return is_reached(tx, fired.rule.task_id, fired.at) if written is None else written.reached

    def _tell(self, tx: Tx, fired: Fired, course: _Course) -> None:
        """Tell what is to be told; the same words once, through all their media."""
        grouped: dict[tuple[str, Timing], list[Medium]] = {}
        places: dict[tuple[str, Timing], int] = {}
        for place, one in course.told:
            said = (one.text, Timing.CHOSEN if one.when is When.FIRST else Timing.NAMED)
            grouped.setdefault(said, []).append(one.medium)
            places.setdefault(said, place)
        stale = fired.late > STALE.total_seconds()
        # What goes to a channel comes first: it keeps the occurrence open until it has arrived.
        for said, media in sorted(grouped.items(), key=lambda group: not self._telling.reaches(group[1])):
            text, timing = said
            self._telling.tell(
                tx,
                fired.rule.task_id,
                fired.occurrence_id,
                _belated(fired, text) if stale else text,
                () if stale else media,
                due_at=fired.at,
                timing=timing,
                again=f"d{places[said]}" if places[said] else "",
            )

    def _hand_over(self, tx: Tx, fired: Fired, course: _Course) -> None:
        task = tasks.get(tx, fired.rule.task_id)
        tz = zone(task.zone)
        prompt = Prompt(
            words=tuple(course.rest),
            at=iso(fired.at, tz),
            direction=fired.direction.value,
            rule=fired.rule.id,
            query=one_line(fired.rule.plan.trigger.query),
            source=one_line(fired.source)[:_LONGEST_SAID],
            because=one_line(fired.because)[:_LONGEST_SAID],
            since=iso(fired.since, tz),
            left="" if fired.left is None else iso(fired.left, tz),
            late=fired.late,
        )
        alone = not course.did and not course.told
        if not self._ordering.takes(tx, fired, prompt, alone=alone):
            occurrence = occurrences.get(tx, fired.occurrence_id)
            wait_for_agent(tx, self._agents, occurrence, prompt, now=self._clock.now(), alone=alone)

    def _end(self, tx: Tx, occurrence: Occurrence, course: _Course) -> None:
        state, reason = OccurrenceState.DONE, None
        if course.passed_over:
            state, reason = OccurrenceState.SKIPPED, course.passed_over
        elif course.faults and not (course.did or course.told):
            state, reason = OccurrenceState.FAILED, course.faults[0]
        elif course.faults:
            reason = "partial"
        told = {"record": course.wrote, "faults": course.faults}
        data = {key: value for key, value in told.items() if value}
        occurrences.move(tx, occurrence, state, now=self._clock.now(), who=CLOCK, reason=reason, data=data)

    def _say_faults(self, tx: Tx, fired: Fired, course: _Course) -> None:
        if course.faults and store.is_news(tx, f"rule:{fired.rule.id}", self._clock.now(), NEWS_PAUSE):
            text = wording("doing.news_record", why=course.faults[0])
            self._telling.news(tx, fired.rule.task_id, fired.occurrence_id, text, due_at=fired.at, about="record")


def _belated(fired: Fired, text: str) -> str:
    return wording("doing.told_late", text=text, at=moment(fired.at, fired.rule.zone))


def _described(phrase: RecordPhrase, written: Written) -> dict[str, object]:
    return {
        "phrase": phrase.phrase.value,
        "applied": written.applied,
        "why": written.why,
        "current": written.current,
        "first_reached": written.first_reached,
    }
