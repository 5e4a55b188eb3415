"""What became of a task: its occurrences with their outcome, its journal, its revisions, and what was at one moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from zhixing.app import App
from zhixing.faces.cli.coming import Ahead
from zhixing.faces.household_words import occurrence_lines
from zhixing.faces.rule_words import single_line
from zhixing.faces.web.instants import picked
from zhixing.household import revisions
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import EPOCH
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import Language, section, wording
from zhixing.notices.explaining import explain_occurrence, reasons_text
from zhixing.notices.telling import moment_text
from zhixing.store.connection import Tx
from zhixing.tasks import journal, occurrences
from zhixing.tasks.journal import Entry, Kind
from zhixing.tasks.occurrence import Occurrence, OccurrenceState, reason_text
from zhixing.tasks.task import Task, Way

MOST = 20
"""Rows of each list."""
NEAR = timedelta(minutes=30)
"""How far from the moment that was asked for something may be and still is about it."""
_S = OccurrenceState
_KINDS = {
    _S.DONE: "good",
    _S.FAILED: "bad",
    _S.INTERRUPTED: "bad",
    _S.MISSED: "warm",
    _S.DUE: "warm",
    _S.CLAIMED: "warm",
    _S.RUNNING: "warm",
}

Moment = tuple[str, str, str, str]
"""When, what, about it, and the kind of mark: what a timeline takes."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some moments, the latest first; `older` is the cursor behind them, "" at the end."""

    moments: tuple[Moment, ...]
    older: str = ""


@dataclass(frozen=True, slots=True)
class Teller:
    """Words what happened to one task; `names` are those of its parts, devices and cameras."""

    app: App
    task: Task
    now: datetime
    language: Language
    names: Mapping[str, str]

    @property
    def zone(self) -> ZoneInfo:
        """Where its times are read."""
        return find_zone(self.task.zone)

    def when(self, at: datetime) -> str:
        """Name an instant."""
        return moment_text(at, self.now.astimezone(self.zone).date(), self.zone)

    def occurrences(self, tx: Tx, before: str) -> Stretch:
        """Tell the occurrences behind a cursor. Raises `NotFound` for one that is none of this task."""
        last = None
        if before:
            last = occurrences.get(tx, before[:64])
            if last.task_id != self.task.id:
                raise BadInput("cursor_unreadable", text=before[:64])
        found = occurrences.of_task(tx, self.task.id, MOST + 1, last)
        shown = found[:MOST]
        return Stretch(tuple(self._occurrence(tx, one) for one in shown), shown[-1].id if len(found) > MOST else "")

    def journal(self, tx: Tx, before: str) -> Stretch:
        """Tell the entries of the journal behind a number."""
        last = int(before) if before.isascii() and before.isdigit() and len(before) <= 18 else None
        found = journal.of_task(tx, self.task.id, MOST + 1, last)
        shown = found[:MOST]
        return Stretch(tuple(map(self._entry, shown)), str(shown[-1].seq) if len(found) > MOST else "")

    def revisions(self, tx: Tx) -> tuple[Moment, ...]:
        """Tell what was changed about it, the latest first."""
        return tuple(
            (
                self.when(one.at),
                wording(f"web_tasks.revision_{one.kind.value}", self.language),
                " · ".join(part for part in (self._who(one.who), single_line(one.why)) if part),
                "",
            )
            for one in revisions.of_task(tx, self.task.id, MOST)
        )

    def around(self, tx: Tx, at: datetime, ahead: Sequence[Ahead]) -> tuple[Moment, ...]:
        """Tell what was due, what happened, what came close and what will come around a moment, the latest first."""
        start, end = at - NEAR, at + NEAR
        told = [(one.at, self._ahead(one)) for one in ahead if start <= one.at <= end][:MOST]
        due = occurrences.around(tx, self.task.id, start, end, MOST)
        told += [(one.due, self._occurrence(tx, one)) for one in due]
        entries = journal.around(tx, self.task.id, start, end, MOST)
        told += [(one.at, self._entry(one)) for one in entries]
        return tuple(moment for _, moment in sorted(told, key=lambda pair: pair[0], reverse=True))

    def before(self, tx: Tx, at: datetime) -> tuple[Moment, ...]:
        """Tell what was due last before a moment and what is around it; nothing where there was nothing."""
        found = occurrences.around(tx, self.task.id, EPOCH, at - NEAR, 1)
        return tuple(self._occurrence(tx, one) for one in found)

    def _ahead(self, one: Ahead) -> Moment:
        return self.when(one.at), wording("web_tasks.will_come", self.language), single_line(one.says), "warm"

    def moment(self, text: str) -> datetime:
        """Read a local time as the browser's picker writes it. Raises `BadInput` for one that is no one instant."""
        return picked(text, self.task.zone)

    def _occurrence(self, tx: Tx, one: Occurrence) -> Moment:
        told = self.app.delivery.messages(tx, one.id)
        if self.task.way is Way.HOUSEHOLD:
            steps = self.app.doing.steps(tx, [one.id])
            lines = occurrence_lines(one, told, steps, names=self.names, zone=self.zone, now=self.now)[1:]
        else:
            lines = explain_occurrence(one, told, self.zone, self.now)[1:]
        what = wording(f"tasks.occurrence_{one.state.value}", self.language)
        why = [] if one.reason is None else [reasons_text(one.reason)]
        name = self._part(one.part)
        about = " · ".join(single_line(line) for line in [*why, *lines])
        return self.when(one.due), f"{name}{what}", about, _KINDS.get(one.state, "")

    def _part(self, part: str) -> str:
        """Return what a part is called, with what separates it from what follows; "" for the only one."""
        kind, _, rest = part.partition(":")
        name = self.names.get(rest.partition(":")[0], "") if kind in ("rule", "cron") else ""
        return wording("web_tasks.part", self.language, name=single_line(name)) if name else ""

    def _entry(self, entry: Entry) -> Moment:
        what = wording(f"tasks.kind_{entry.kind.value}", self.language)
        why = "" if entry.kind is Kind.OCCURRENCE_DONE else reason_text(entry.why, self.language)
        about = " · ".join(part for part in (self._who(entry.who), single_line(why)) if part)
        return self.when(entry.at), what, about, ""

    def _who(self, who: str) -> str:
        return section("cli", self.language).get(f"who_{who}", single_line(who))
