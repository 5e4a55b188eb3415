"""What a person reads about a task. Pure: from rows to lines."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from zhixing.kernel.claims import Claim
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.questions import Question
from zhixing.kernel.wording import section, wording
from zhixing.notices.asking import OTHER
from zhixing.notices.explaining import explain_notice, series_lines
from zhixing.notices.model import Source
from zhixing.notices.notice import Notice
from zhixing.notices.telling import moment_text
from zhixing.tasks.journal import Entry
from zhixing.tasks.occurrence import Occurrence
from zhixing.tasks.task import Task

INDENT = "  "
NOTHING = "-"
_OPTIONS = ("cli.option", "cli.option_other")


def heading(task: Task) -> str:
    """Name a task."""
    return f"{task.id}  {task.title}"


def notice_page(notice: Notice, now: datetime) -> list[str]:
    """Say what was understood from which words, what will happen when, and what is still to be answered."""
    # What is over is for `explain`.
    told = _without_words(notice, explain_notice(replace(notice, reminders=notice.planned), (), now))
    return [heading(notice.task), *_indented(told), *_indented(_what_to_do(notice))]


def kept_page(notice: Notice, occurrences: Sequence[Occurrence], journal: Sequence[Entry], now: datetime) -> list[str]:
    """Say everything that is known of a notice: the words as they came in, and what happened since."""
    zone = find_zone(notice.task.zone)
    today = now.astimezone(zone).date()
    lines = [
        wording(
            "cli.came_in",
            when=moment_text(notice.original.submitted_at, today, zone),
            zone=notice.task.zone,
            source=wording(f"cli.source_{notice.original.source.value}"),
        )
    ]
    if notice.original.message_date is not None:
        lines.append(wording("cli.message_date", date=notice.original.message_date.isoformat()))
    lines.append(wording("cli.text_original" if notice.current != notice.original else "cli.text"))
    lines.extend(_indented(notice.original.text.splitlines()))
    if notice.current != notice.original:
        lines.append(wording("cli.text_edited", when=moment_text(notice.current.submitted_at, today, zone)))
        lines.extend(_indented(notice.current.text.splitlines()))
    lines.extend(_without_words(notice, explain_notice(notice, occurrences, now)))
    lines.extend(_what_to_do(notice))
    lines.append(wording("cli.history"))
    lines.extend(_indented(entry_lines(journal, now, notice.task)))
    return [heading(notice.task), *_indented(lines)]


def _without_words(notice: Notice, told: Sequence[str]) -> Sequence[str]:
    """Leave out the first line where it repeats the words, which stand above or were just said."""
    return told if notice.current.source is Source.IMAGE and notice.picture is not None else told[1:]


def coming_lines(notice: Notice, now: datetime) -> list[str]:
    """Say what comes next of what repeats."""
    zone = find_zone(notice.task.zone)
    return _indented(series_lines(notice, now.astimezone(zone).date(), zone))


def notice_row(notice: Notice, now: datetime) -> list[str]:
    """Return the row of a notice in a list: id, state, what comes next, title."""
    task, zone = notice.task, find_zone(notice.task.zone)
    key = f"cli.state_{notice.state.value}" if task.active else f"tasks.status_{task.status.value}"
    ahead = [reminder.at for reminder in notice.planned]
    coming = moment_text(min(ahead), now.astimezone(zone).date(), zone) if ahead else NOTHING
    return [task.id, wording(key), coming, task.title]


def entry_lines(journal: Sequence[Entry], now: datetime, task: Task) -> list[str]:
    """Say what happened to a task, the oldest first; `journal` has the newest first."""
    return [_entry_line(entry, now, task) for entry in reversed(journal)]


def _what_to_do(notice: Notice) -> list[str]:
    """Say how to answer, or how to change what nobody said."""
    if notice.question is not None:
        return _question_lines(notice.task, notice.question)
    if notice.task.active and any(_told(claim) for node in notice.nodes for claim in node.claims):
        return [wording("cli.how_to_change", id=notice.task.id)]
    return []


def _told(claim: Claim[str]) -> bool:
    return claim.must_be_told


def _question_lines(task: Task, asked: Question) -> list[str]:
    lines = [
        INDENT
        + wording("cli.option_other" if option.value == OTHER else "cli.option", number=number, label=option.label)
        for number, option in enumerate(asked.options, start=1)
    ]
    picked = len(asked.options) > 1
    key = "cli.how_to_answer" if picked else "cli.how_to_answer_in_words"
    return [*lines, wording(key, id=task.id, revision=asked.revision)]


def _entry_line(entry: Entry, now: datetime, task: Task) -> str:
    zone = find_zone(task.zone)
    when = moment_text(entry.at, now.astimezone(zone).date(), zone)
    what = wording(f"tasks.kind_{entry.kind.value}")
    said = section("cli", "zh").get(f"who_{entry.who}", entry.who)
    return wording("cli.history_line", when=when, what=what, who=said)


def _indented(lines: Sequence[str]) -> list[str]:
    return [INDENT + line for line in lines]
