"""understand: what would become of words, without keeping anything. Needs no home, no store and no network."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.files import lines_of, opened_file
from zhixing.faces.cli.options import AtDesk, Json, MessageDate, Note, Source, Zone, day, text_of, zone_name
from zhixing.faces.cli.system import why
from zhixing.faces.cli.usage import Usage
from zhixing.kernel.errors import BadInput, TooLarge, Unavailable
from zhixing.kernel.moments import parse_instant
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.notices import model
from zhixing.notices.batch import LONGEST_LINE, to_wire, understand_lines
from zhixing.notices.explaining import node_lines, reasons_text
from zhixing.notices.model import Entry, Outcome, Submission, Understanding
from zhixing.notices.telling import moment_text
from zhixing.notices.understand import LONGEST_TEXT
from zhixing.notices.understand import understand as decide

Batch = Annotated[str | None, Parameter(name="--batch")]
Out = Annotated[str | None, Parameter(name="--out")]
SubmittedAt = Annotated[str | None, Parameter(name="--submitted-at")]

_MOST_BYTES = 4 * LONGEST_LINE + 2


def understand(
    *text: str,
    batch: Batch = None,
    out: Out = None,
    source: Source = "direct",
    submitted_at: SubmittedAt = None,
    message_date: MessageDate = None,
    note: Note = False,
    zone: Zone = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """Understand one text, or each line of a file."""
    if (batch is None) == (not text) or (out is not None and batch is None):
        raise Usage("usage_understand")
    if batch is not None:
        _understand_file(batch, out, desk)
        return
    words, sent_on = text_of(text, desk), day(message_date)
    name = zone_name(zone, desk)
    said_at = desk.clock.now() if submitted_at is None else parse_instant(submitted_at)
    entry = Entry.NOTE if note else Entry.SCHEDULE
    submission = Submission(words, model.Source(source), said_at, name, sent_on, entry)
    found = decide(submission, said_at)
    if found.outcome is Outcome.REJECTED:
        raise BadInput("text_empty") if found.why == "empty" else TooLarge("text_long", limit=LONGEST_TEXT)
    desk.answer(to_wire(found, None, name), _lines(found, submission), as_json=as_json)


def _lines(found: Understanding, submission: Submission) -> list[str]:
    zone = find_zone(submission.zone)
    today = submission.submitted_at.astimezone(zone).date()
    lines = [line for node in found.nodes for line in node_lines(node, today, zone)]
    for reminder in found.reminders:
        when = moment_text(reminder.at, today, zone) if reminder.at else wording("cli.at_once")
        lines.append(wording("notices.reminder_planned", when=when, reason=reasons_text(reminder.reason)))
    if found.question is not None:
        options = wording("cli.separator").join(option.label for option in found.question.options)
        lines.append(wording("cli.would_ask", prompt=found.question.prompt, options=options))
    elif not found.reminders:
        key = "needs_model" if found.outcome is Outcome.NEEDS_MODEL else "no_reminder"
        lines.append(wording(f"cli.would_{key}", why=wording(f"notices.why_{found.why}")))
    return lines


def _understand_file(batch: str, out: str | None, desk: Desk) -> None:
    with opened_file(batch, desk) as source:
        results = understand_lines(lines_of(source, _MOST_BYTES))
        if out is None:
            for result in results:
                desk.give_line(result)
        else:
            _write(Path(out), results)


def _write(file: Path, results: Iterator[bytes]) -> None:
    """Write the results beside `file` and put them in its place when they are whole."""
    try:
        if file.exists() and not file.is_file():
            with file.open("wb") as given:
                given.writelines(result + b"\n" for result in results)
            return
        handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
        try:
            with open(handle, "wb") as new:  # noqa: PTH123 - a descriptor, not a path
                new.writelines(result + b"\n" for result in results)
                new.flush()
                os.fchmod(new.fileno(), 0o644)
            Path(name).replace(file)
        except BaseException:
            with suppress(FileNotFoundError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise Unavailable("file_not_written", file=file, why=why(error)) from error
