"""What a person reads about household tasks and their parts. Pure: from rows to lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

from zhixing.delivery.model import Message
from zhixing.faces.rule_words import capability, held_text, level_text, rule_lines, single_line
from zhixing.household.doing.model import AgentRun, Step
from zhixing.household.overview import Overview, SeenJob
from zhixing.household.viewing import LineKind, LogLine
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import section, wording
from zhixing.notices.explaining import explain_occurrence
from zhixing.notices.telling import moment_text
from zhixing.tasks.occurrence import Occurrence, reason_text
from zhixing.tasks.records.model import RecordKind
from zhixing.tasks.records.views import RecordView
from zhixing.tasks.rules.model import Direction
from zhixing.tasks.schedule.words import in_words

Names = Mapping[str, str]
INDENT = "  "


def name_of(seen: Overview) -> str:
    """Name a household task: its title, and its name where it has one."""
    return seen.task.title + (wording("faces.slug", slug=seen.parts.slug) if seen.parts.slug else "")


def state_text(seen: Overview, now: datetime) -> str:
    """Say where a household task is in its life: 进行中，到 明天（10月13日 周二） 23:59:59 为止."""
    task = seen.task
    text = wording(f"tasks.status_{task.status.value}")
    if task.lifecycle.expires_at is not None:
        when = moment_text(task.lifecycle.expires_at, today_in(now, task.zone), find_zone(task.zone))
        text += wording("faces.ends_at", when=when)
    return text


def task_lines(seen: Overview, names: Names, now: datetime) -> list[str]:
    """Say what a household task consists of, how it stands, and what comes next."""
    zone = find_zone(seen.task.zone)
    lines = [state_text(seen, now)]
    if seen.record is not None:
        lines.extend(record_lines(seen.record, now))
    for rule in seen.parts.rules:
        lines.extend(rule_lines(rule, names))
    for job in seen.jobs:
        lines.extend(job_lines(job, now))
    for run in seen.runs:
        lines.extend(run_lines(run, zone, now))
    return lines


def job_lines(seen: SeenJob, now: datetime) -> list[str]:
    """Say what a cron job does, and when it comes next."""
    plan, schedule = seen.job.plan, seen.schedule
    rule = wording("faces.job_off") if schedule is None else in_words(schedule.trigger)
    lines = [wording("faces.job", id=seen.job.id, name=single_line(plan.name), rule=rule)]
    lines.append(INDENT + single_line(plan.message))
    if schedule is not None and seen.next:
        when = moment_text(seen.next[0], today_in(now, seen.zone), find_zone(seen.zone))
        lines.append(INDENT + wording("faces.job_next", when=when))
    elif schedule is not None:
        lines.append(INDENT + wording(f"faces.job_{schedule.state.value}"))
    return lines


def record_text(record: RecordView) -> str:
    """Say how a record stands: 3/8 杯, 42/60 分钟, 5 次."""
    content, target = record.record.content, record.record.content.target
    match record.kind:
        case RecordKind.PROGRESS:
            text = wording("faces.progress", current=record.standing.current, target=target, unit=content.unit)
        case RecordKind.DURATION:
            key = "duration" if target is None else "duration_of"
            text = wording(f"faces.{key}", minutes=record.minutes, target=target)
        case RecordKind.EVENT:
            text = wording("faces.events", count=record.standing.current)
    return text + (wording("faces.reached") if record.reached_at is not None else "")


def record_lines(record: RecordView, now: datetime) -> list[str]:
    """Say how a record stands, in which period, and what is under way."""
    zone = find_zone(record.record.zone)
    today = now.astimezone(zone).date()
    window = wording(f"faces.window_{record.standing.period.window.value}")
    lines = [wording("faces.record", text=record_text(record), window=window)]
    if record.reached_at is not None:
        lines.append(INDENT + wording("faces.reached_at", when=moment_text(record.reached_at, today, zone)))
    if record.open_since is not None:
        lines.append(INDENT + wording("faces.session_open", when=moment_text(record.open_since, today, zone)))
    return lines


def entries_of(record: RecordView, now: datetime) -> list[str]:
    """List what a record has of its present period: sessions, or events."""
    zone = find_zone(record.record.zone)
    today = now.astimezone(zone).date()
    lines = [f"{moment_text(entry.at, today, zone)}  {single_line(entry.description)}" for entry in record.entries]
    for session in record.sessions:
        end = wording("faces.until_now") if session.end is None else moment_text(session.end, today, zone)
        lines.append(wording("faces.session", start=moment_text(session.start, today, zone), end=end))
    return lines


def log_lines(lines: Sequence[LogLine], zone: ZoneInfo, now: datetime) -> list[str]:
    """Say what happened, the latest first."""
    today = now.astimezone(zone).date()
    return [_log_line(line, moment_text(line.at, today, zone)) for line in lines]


def run_lines(run: AgentRun, zone: ZoneInfo, now: datetime) -> list[str]:
    """Say what waits for the household agent, and until when."""
    today = now.astimezone(zone).date()
    state = wording(f"faces.run_{run.state.value}")
    head = wording("faces.run", id=run.id, task=run.task_id, state=state, when=moment_text(run.created_at, today, zone))
    lines = [head, *(INDENT + single_line(words) for words in run.prompt.words)]
    if run.ended_at is None:
        lines.append(INDENT + wording("faces.run_until", when=moment_text(run.deadline, today, zone)))
    elif run.why:
        lines.append(INDENT + reason_text(run.why))
    return lines


def occurrence_lines(
    occurrence: Occurrence,
    told: Sequence[Message],
    steps: Sequence[Step],
    *,
    names: Names,
    zone: ZoneInfo,
    now: datetime,
) -> list[str]:
    """Say what became of one thing that was due: of each command to a device, and of each message."""
    today = now.astimezone(zone).date()
    head = wording(
        "faces.occurrence",
        id=occurrence.id,
        when=moment_text(occurrence.due, today, zone),
        state=wording(f"tasks.occurrence_{occurrence.state.value}"),
        why=wording("faces.because", why=reason_text(occurrence.reason)) if occurrence.reason else "",
    )
    messages = explain_occurrence(occurrence, told, zone, now)[1:]
    return [head, *(INDENT + step_text(step, names) for step in steps), *messages]


def step_text(step: Step, names: Names) -> str:
    """Say what became of one command."""
    wanted = step.wanted if isinstance(step.wanted, tuple) else (step.wanted,)
    return wording(
        "faces.step",
        device=names.get(step.did, step.did),
        iid=capability(step.did, step.iid, names),
        wanted=wording("faces.and").join(level_text(value) for value in wanted),
        state=wording(f"faces.step_{step.state.value}"),
        why=wording("faces.because", why=step.why()) if step.reason else "",
    )


def today_in(now: datetime, zone: str) -> date:
    """Return the day it is in a zone."""
    return now.astimezone(find_zone(zone)).date()


def _log_line(line: LogLine, when: str) -> str:
    what = single_line(line.name) or line.part
    if line.direction is not None and line.direction is not Direction.ENTER:
        what += wording(f"faces.direction_{line.direction.value}")
    why = wording("faces.because", why=_why(line)) if line.why else ""
    if line.occurrence is None:
        data = line.data or {}
        why += held_text(data.get("held", 0.0), data.get("needed", 0.0))
        return wording("faces.log_near_miss", when=when, what=what, why=why)
    state = wording(f"tasks.occurrence_{line.occurrence.state.value}")
    return wording("faces.log_line", when=when, what=what, state=state, why=why, id=line.occurrence.id)


def _why(line: LogLine) -> str:
    known = section("faces", "zh").get(f"transition_why_{line.why}") if line.kind is LineKind.NEAR_MISS else None
    return known or reason_text(line.why)
