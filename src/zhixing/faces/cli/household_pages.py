"""The pages of household tasks. Pure: from rows to lines."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from zhixing.faces.cli.pages import INDENT, NOTHING, entry_lines
from zhixing.faces.household_words import Names, log_lines, name_of, record_text, task_lines, today_in
from zhixing.household.overview import Overview
from zhixing.household.viewing import LogLine
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.notices.telling import moment_text
from zhixing.tasks.journal import Entry


def task_row(seen: Overview, now: datetime) -> list[str]:
    """Return the row of a household task in a list: id, state, what comes next, title with name and record."""
    task = seen.task
    coming = moment_text(seen.next, today_in(now, task.zone), find_zone(task.zone)) if seen.next else NOTHING
    about = "" if seen.record is None else f"  {record_text(seen.record)}"
    return [task.id, wording(f"tasks.status_{task.status.value}"), coming, name_of(seen) + about]


def task_page(seen: Overview, names: Names, now: datetime) -> list[str]:
    """Say what a household task consists of, how it stands, and what comes next."""
    return [_title(seen), *(INDENT + line for line in task_lines(seen, names, now))]


def kept_page(
    seen: Overview, names: Names, happened: Sequence[LogLine], journal: Sequence[Entry], now: datetime
) -> list[str]:
    """Say everything that is known of a household task."""
    zone = find_zone(seen.task.zone)
    lines = task_lines(seen, names, now)
    if happened:
        lines.append(wording("faces.happened"))
        lines.extend(INDENT + line for line in log_lines(happened, zone, now))
    lines.append(wording("cli.history"))
    lines.extend(INDENT + line for line in entry_lines(journal, now, seen.task))
    return [_title(seen), *(INDENT + line for line in lines)]


def _title(seen: Overview) -> str:
    return f"{seen.task.id}  {name_of(seen)}"
