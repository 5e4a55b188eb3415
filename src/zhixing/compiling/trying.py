"""A piece is run once on a virtual clock before anybody relies on it: what it hears, then what it should do. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from zhixing.compiling.alarms import Alarms, Beat, JobPiece
from zhixing.compiling.episodes import RulePiece, is_quiet
from zhixing.compiling.model import Trial, deed_of
from zhixing.compiling.sensing import Level
from zhixing.graphs.rule import Rule
from zhixing.graphs.simulating.run import simulate
from zhixing.graphs.simulating.script import Line, Property, Script, Value

_SECOND_MS = 1_000
_DAY_MINUTES = 1_440

Piece = RulePiece | JobPiece


def tried(piece: Piece, rule: Rule, tz: ZoneInfo, now: datetime) -> Trial:
    """Run a graph that holds one piece and nothing else."""
    script = _of_rule(piece, tz, now) if isinstance(piece, RulePiece) else _of_job(piece, tz, now)
    commands = (*piece.enter, *piece.leave) if isinstance(piece, RulePiece) else piece.commands
    result = simulate(rule, script)
    return Trial(piece.about, tuple(each.deed for each in commands), tuple(map(deed_of, result.outputs)))


def _of_rule(piece: RulePiece, tz: ZoneInfo, now: datetime) -> Script:
    """Let the condition begin at 1 s, hold for as long as it must, and end."""
    terms, first = piece.terms, _SECOND_MS
    ends = first + (terms.duration + 1) * _SECOND_MS
    lines = [Line(first, each.told(True)) for each in piece.watches]
    lines += [Line(ends, each.told(False)) for each in piece.watches if terms.leaving is not None]
    before: Mapping[Property, Value] = {each.place: each.no for each in piece.watches if isinstance(each, Level)}
    return Script(
        start=_heard_aloud(piece, tz, now),
        tz=tz,
        until_ms=ends + ((terms.leaving or 0) + 1) * _SECOND_MS,
        state=before,
        lines=tuple(lines),
    )


def _heard_aloud(piece: RulePiece, tz: ZoneInfo, now: datetime) -> datetime:
    """Return a start from which the answer falls into no quiet hours: the first such minute of a plain day."""
    terms = piece.terms
    aloud = next((each for each in range(_DAY_MINUTES) if not is_quiet(terms.quiet, each)), 0)
    day = datetime(now.year, now.month, now.day, aloud // 60, aloud % 60, 1, tzinfo=tz)
    return day - timedelta(seconds=terms.duration)


def _of_job(piece: JobPiece, tz: ZoneInfo, now: datetime) -> Script:
    match piece.clock:
        case Alarms() as alarms:
            due = alarms.next(now, tz) or now
            return Script(start=(due - timedelta(seconds=1)).astimezone(UTC), tz=tz, until_ms=2 * _SECOND_MS)
        case Beat(ms):
            return Script(start=now, tz=tz, until_ms=ms + ms // 2)
