"""What programs get of document tasks: the JSON that the HTTP API, the MCP server, `city` and `zhixing task` share.

Keys of the original program come first, in its spelling (downcity.md §4.2–4.4); ours follow. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from zhixing.documents.artifacts.facts import Delivery, Event, RunStatus
from zhixing.documents.artifacts.views import RunRecord, RunView
from zhixing.documents.chats import Bound, Sent
from zhixing.documents.fields import duration_text
from zhixing.documents.findings import Finding
from zhixing.documents.model import Definition
from zhixing.documents.operations import Accepted, DocumentView
from zhixing.documents.performing import Exit
from zhixing.documents.run import Run
from zhixing.documents.when import when_words, write_when
from zhixing.faces.document_words import accepted_line, state_words, why_words
from zhixing.faces.wire import Wire
from zhixing.kernel.moments import iso
from zhixing.kernel.moments import zone as find_zone

_FILES = (
    "progressPhase", "progressMessage", "progressUpdatedAt", "events", "record", "artifacts", "unlisted", "problems",
)  # fmt: skip


def of_document(view: DocumentView, *, text: str | None = None) -> Wire:
    """Write a task as it stands; one that cannot be read has its `error`, and null where its fields would be.

    `text` is that of its file, where it was asked for. `nextRuns` are in the zone of the task.
    """
    zone, definition = find_zone(view.zone), view.definition
    last = view.active or view.last
    return {
        "title": view.title,
        "description": None if definition is None else definition.description,
        "body": None if definition is None else definition.body,
        "when": None if definition is None else write_when(definition.when),
        "status": None if definition is None else definition.status.value,
        "sessionId": None if definition is None else definition.session_id,
        "kind": None if definition is None else definition.kind.value,
        "review": None if definition is None else definition.review,
        "taskMdPath": str(view.file),
        "lastRunTimestamp": None if last is None else last.id,
        "taskId": view.task_id,
        "project": str(view.project),
        "folder": view.folder,
        "revision": view.revision,
        "error": None if view.fault is None else str(view.fault),
        "zone": view.zone,
        "whenWords": None if definition is None else when_words(definition.when),
        "nextRuns": [iso(at, zone) for at in view.next_runs],
        "running": view.active is not None,
        "active": _run(view.active, zone),
        "waiting": [of_run(run, None, zone) for run in view.waiting],
        "last": _run(view.last, zone),
        "options": None if definition is None else of_options(definition),
        "text": text,
    }


def of_options(definition: Definition) -> Wire:
    """Write the optional fields of ours, under the names they have in the file."""
    expires = definition.expires_at
    return {
        "timezone": definition.timezone,
        "missed": definition.missed.value,
        "overlap": definition.overlap.value,
        "timeout": None if definition.timeout is None else duration_text(definition.timeout),
        "retries": definition.retries,
        "env": list(definition.env),
        "network": definition.network,
        "paths": [f"{each.path}:rw" if each.writable else each.path for each in definition.paths],
        "agent_command": definition.agent_command,
        "deliver": definition.deliver.value,
        "expiresAt": None if expires is None else expires.isoformat(),
    }


def of_run(run: Run, folder: Path | None, zone: ZoneInfo, *, seen: RunView | None = None) -> Wire:
    """Write a run; `folder` is where its files are, `seen` what they say, where they were asked for.

    `status` is the ledger's; a run that has been promised but not begun is `queued`, as its files say it.
    """
    record = None if seen is None else seen.record
    return {
        "executionId": run.id,
        "timestamp": run.id,
        "status": status_of(run).value,
        "statusWords": state_words(run),
        "executionStatus": None if record is None or record.execution is None else record.execution.value,
        "resultStatus": None if record is None or record.verdict is None else record.verdict.value,
        "inProgress": run.state.open,
        "trigger": {"type": run.cause.value, "reason": run.reason or None, "due": _instant(run.due, zone)},
        "sessionId": run.session_id,
        "taskId": run.task_id,
        "occurrenceId": run.occurrence_id,
        "attempt": run.attempt,
        "readyAt": iso(run.ready_at, zone),
        "queuedAt": iso(run.queued_at, zone),
        "startedAt": _instant(run.started_at, zone),
        "endedAt": _instant(run.ended_at, zone),
        "durationMs": _milliseconds(run.started_at, run.ended_at),
        "why": run.why or None,
        "whyWords": why_words(run) or None,
        "error": _error(run, record),
        "cancelAsked": run.cancel_asked,
        "who": run.who,
        "runDir": None if folder is None else str(folder),
        **(_no_files() if seen is None else _files(seen, zone)),
    }


def status_of(run: Run) -> RunStatus:
    """Return where a run is, in the words of its files."""
    return RunStatus.QUEUED if run.state.value == "starting" else RunStatus(run.state.value)


def of_record(record: RunRecord, zone: ZoneInfo) -> Wire:
    """Write what `run.json` says beyond the ledger."""
    return {
        "title": record.title,
        "kind": record.kind,
        "lateSeconds": record.late_seconds,
        "resultErrors": list(record.errors),
        "dialogueRounds": record.rounds,
        "userSimulatorSatisfied": record.satisfied,
        "userSimulatorReply": record.reply or None,
        "userSimulatorReason": record.review_reason or None,
        "userSimulatorScore": record.score,
        "tokens": {"read": record.tokens.read, "written": record.tokens.written, "cached": record.tokens.cached},
        "steps": record.steps,
        "exit": None if record.exit is None else of_exit(record.exit),
        "delivery": None if record.delivery is None else of_delivery(record.delivery, zone),
        "foreign": record.foreign,
    }


def of_exit(ended: Exit) -> Wire:
    """Write how a command ended."""
    return {
        "code": ended.code,
        "signal": ended.signal,
        "timedOut": ended.timed_out,
        "sandbox": ended.sandbox,
        "stdoutBytes": ended.stdout_bytes,
        "stderrBytes": ended.stderr_bytes,
        "droppedBytes": ended.dropped_bytes,
    }


def of_delivery(delivery: Delivery, zone: ZoneInfo) -> Wire:
    """Write what became of telling a result."""
    return {
        "state": delivery.state.value,
        "why": delivery.why or None,
        "messages": [
            {
                "id": told.id,
                "sessionId": told.session_id,
                "state": told.state.value,
                "at": _instant(told.at, zone),
                "reason": told.reason or None,
            }
            for told in delivery.messages
        ],
    }


def of_event(event: Event, zone: ZoneInfo) -> Wire:
    """Write one line of progress."""
    return {
        "at": iso(event.at, zone),
        "phase": event.phase,
        "message": event.message,
        "round": event.round_number,
    }


def of_accepted(accepted: Accepted) -> Wire:
    """Write that a run is in the background (downcity.md §2.5)."""
    return {
        "success": True,
        "accepted": True,
        "message": accepted_line(accepted),
        "executionId": accepted.run.id,
        "title": accepted.title,
        "status": status_of(accepted.run).value,
        "runDir": str(accepted.folder),
    }


def of_finding(finding: Finding) -> Wire:
    """Write a remark on a task.md; `line` is null where it is about none in particular."""
    return {"line": finding.line or None, "code": finding.code, "message": finding.text()}


def of_findings(findings: Iterable[Finding]) -> list[Wire]:
    """Write remarks, in their order."""
    return [of_finding(finding) for finding in findings]


def of_sent(sent: Sent, zone: ZoneInfo) -> Wire:
    """Write a message that is in the outbox, or will be."""
    return {
        "messageId": sent.id,
        "chatKey": sent.session_id,
        "sessionId": sent.session_id,
        "channels": list(sent.channels),
        "at": iso(sent.at, zone),
    }


def of_session(bound: Bound, zone: ZoneInfo) -> Wire:
    """Write what a session is bound to."""
    return {
        "sessionId": bound.session_id,
        "channels": list(bound.channels),
        "boundAt": iso(bound.bound_at, zone),
    }


def _run(run: Run | None, zone: ZoneInfo) -> Wire | None:
    return None if run is None else of_run(run, None, zone)


def _no_files() -> Wire:
    return dict.fromkeys(_FILES)


def _files(seen: RunView, zone: ZoneInfo) -> Wire:
    progress = seen.progress
    return {
        "progressPhase": None if progress is None else progress.phase,
        "progressMessage": None if progress is None else progress.message,
        "progressUpdatedAt": None if progress is None else _instant(progress.updated_at, zone),
        "events": [] if progress is None else [of_event(event, zone) for event in progress.events],
        "record": None if seen.record is None else of_record(seen.record, zone),
        "artifacts": [{"name": listed.name, "bytes": listed.size} for listed in seen.artifacts],
        "problems": list(seen.problems),
        "unlisted": seen.unlisted,
    }


def _error(run: Run, record: RunRecord | None) -> str | None:
    if run.state.value not in ("failure", "interrupted"):
        return None
    return (record.error if record is not None else "") or why_words(run) or None


def _milliseconds(start: datetime | None, end: datetime | None) -> int | None:
    return None if start is None or end is None else round((end - start).total_seconds() * 1_000)


def _instant(at: datetime | None, zone: ZoneInfo) -> str | None:
    return None if at is None else iso(at, zone)
