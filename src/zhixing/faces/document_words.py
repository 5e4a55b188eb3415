"""What a person reads about document tasks and their runs. Pure: from views to lines."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from zhixing.documents.artifacts.facts import DeliveryState, Event, RunStatus
from zhixing.documents.artifacts.views import RunView
from zhixing.documents.chats import Bound, Sent
from zhixing.documents.findings import Finding
from zhixing.documents.operations import Accepted, DocumentView
from zhixing.documents.run import Run, RunState
from zhixing.documents.when import run_line, when_words
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import section, wording
from zhixing.tasks.occurrence import reason_text

INDENT = "  "


def accepted_line(accepted: Accepted) -> str:
    """Say that a run is in the background, and that nothing is to be done about it (document 003: `run`)."""
    key = "accepted_queued" if accepted.run.state is RunState.QUEUED else "accepted"
    return wording(f"city.{key}", title=accepted.title, run=accepted.run.id, session=accepted.run.session_id)


def state_words(run: Run) -> str:
    """Say where a run is: 「运行中」."""
    return wording(f"city.state_{run.state.value}")


def why_words(run: Run) -> str:
    """Say why a run ended as it did; "" where there is nothing to say."""
    for name in ("documents", "city"):
        words = section(name, "zh")
        if f"why_{run.why}" in words:
            return words[f"why_{run.why}"]
    return reason_text(run.why)


def status_words(view: DocumentView) -> str:
    """Say whether a task is scheduled: 「启用」; 「有误」 of one that cannot be read."""
    if view.definition is None:
        return wording("city.broken")
    return wording(f"city.status_{view.definition.status.value}")


def task_rows(views: Sequence[DocumentView]) -> list[list[str]]:
    """Lay out tasks, one in a row: title, status, kind, when, next instant or what is wrong."""
    return [_row(view) for view in views]


def _row(view: DocumentView) -> list[str]:
    definition = view.definition
    if definition is None:
        return [view.title, status_words(view), "-", "-", str(view.fault)]
    kind, when = wording(f"city.kind_{definition.kind.value}"), when_words(definition.when)
    if view.fault is not None:
        return [view.title, wording("city.broken"), kind, when, str(view.fault)]
    if view.active is not None:
        going = wording("city.row_running", state=state_words(view.active), run=view.active.id)
    elif view.next_runs:
        going = run_line(view.next_runs[0])
    else:
        going = "-"
    return [view.title, status_words(view), kind, when, going]


def task_lines(view: DocumentView) -> list[str]:
    """Say what a task is, where its file is, how it stands, and when it runs next."""
    lines = [wording("city.head", title=view.title, status=status_words(view))]
    definition = view.definition
    if definition is not None:
        lines += [
            INDENT + definition.description,
            INDENT + wording("city.line_kind", kind=wording(f"city.kind_{definition.kind.value}")),
            INDENT + wording("city.line_session", session=definition.session_id),
            INDENT + wording("city.line_when", when=when_words(definition.when), zone=view.zone),
        ]
    lines.append(INDENT + wording("city.line_file", file=view.file))
    if view.fault is not None:
        lines.append(INDENT + wording("city.line_fault", fault=view.fault))
    lines += [INDENT + line for line in next_lines(view.next_runs)]
    for run in (each for each in (view.active, *view.waiting, view.last) if each is not None):
        lines.append(INDENT + run_text(run, find_zone(view.zone)))
    return lines


def next_lines(instants: Sequence[datetime]) -> list[str]:
    """Write instants, one in a line: 「接下来：2026-03-09 周一 09:00（UTC+08:00，Asia/Shanghai）」."""
    return [wording("city.line_next" if n == 0 else "city.line_then", at=run_line(at)) for n, at in enumerate(instants)]


def run_text(run: Run, zone: ZoneInfo) -> str:
    """Say in one line what a run is and where it is."""
    at = (run.started_at or run.queued_at).astimezone(zone)
    why = why_words(run) if run.state is not RunState.SUCCESS else ""
    return wording(
        "city.run_why" if why else "city.run",
        run=run.id,
        state=state_words(run),
        cause=wording(f"city.cause_{run.cause.value}"),
        at=run_line(at),
        why=why,
    )


def run_lines(run: Run, zone: ZoneInfo, *, title: str = "", seen: RunView | None = None) -> list[str]:
    """Say what a run is, where it is and what there is of it."""
    lines = [wording("city.run_of", title=title)] if title else []
    lines.append(run_text(run, zone))
    if run.reason:
        lines.append(INDENT + wording("city.run_reason", reason=run.reason))
    if run.started_at is not None and run.ended_at is not None:
        seconds = (run.ended_at - run.started_at).total_seconds()
        lines.append(INDENT + wording("city.run_took", seconds=f"{seconds:.1f}"))
    if seen is not None:
        lines += [INDENT + line for line in _seen_lines(seen, zone)]
    return lines


def _seen_lines(seen: RunView, zone: ZoneInfo) -> list[str]:
    record, lines = seen.record, list(seen.problems)
    if record is not None:
        if record.error:
            lines.append(wording("city.run_error", error=" ".join(record.error.split())))
        if record.exit is not None and record.exit.code is not None:
            lines.append(wording("city.run_exit", code=record.exit.code))
        if record.delivery is not None and record.delivery.state is not DeliveryState.NONE:
            state = wording(f"city.delivery_{record.delivery.state.value}")
            why = record.delivery.why
            lines.append(wording("city.run_delivery_why" if why else "city.run_delivery", state=state, why=why))
    if seen.progress is not None and not (seen.status or RunStatus.RUNNING).ended:
        lines += [event_line(event, zone) for event in seen.progress.events]
    if seen.artifacts:
        names = wording("cli.separator").join(listed.name for listed in seen.artifacts)
        lines.append(wording("city.run_artifacts", names=names))
    return lines


def event_line(event: Event, zone: ZoneInfo) -> str:
    """Write a line of progress, with the clock of the zone."""
    return f"{event.at.astimezone(zone):%H:%M:%S} {event.message}"


def called_off_line(run: Run) -> str:
    """Say what has become of the wish that a run stops."""
    if run.state.open:
        return wording("city.cancelling", run=run.id)
    key = "cancelled" if run.state is RunState.CANCELLED else "over"
    return wording(f"city.{key}", run=run.id, state=state_words(run))


def finding_line(finding: Finding) -> str:
    """Write a remark: 「第 12 行：……」."""
    return wording("city.finding_at", line=finding.line, text=finding.text()) if finding.line else finding.text()


def sent_line(sent: Sent, now: datetime, zone: ZoneInfo) -> str:
    """Say where a message goes, and when."""
    place = wording("cli.separator").join(sent.channels) or wording("city.inbox")
    if sent.at > now:
        return wording("city.sent_later", session=sent.session_id, place=place, at=run_line(sent.at.astimezone(zone)))
    return wording("city.sent", session=sent.session_id, place=place)


def session_line(bound: Bound) -> str:
    """Say what a session is bound to."""
    place = wording("cli.separator").join(bound.channels) or wording("city.inbox")
    return wording("city.session", session=bound.session_id, place=place)
