"""What a piece does on the hub, as lines. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from zhixing.compiling.alarms import Alarms, Beat, JobPiece
from zhixing.compiling.commanding import Command
from zhixing.compiling.episodes import RulePiece
from zhixing.compiling.model import Line, Site
from zhixing.compiling.trying import Piece
from zhixing.graphs.checks.finding import Phrase
from zhixing.graphs.times.filters import DayFilter, Weekdays

_SUNDAY_LAST = 7


def lines_of(piece: Piece, site: Site) -> list[Line]:
    """Say when a piece does what."""
    return _of_rule(piece, site) if isinstance(piece, RulePiece) else [_of_job(piece)]


def _of_rule(piece: RulePiece, site: Site) -> list[Line]:
    terms, lines = piece.terms, []
    if piece.enter:
        when = {
            "condition": piece.condition,
            "sources": tuple(site.name_of(each.thing.did) for each in piece.watches),
            "agreement": Phrase(f"compiling.{terms.agreement.value}") if len(piece.watches) > 1 else "",
            "held": Phrase("compiling.held", {"seconds": terms.duration}) if terms.duration else "",
        }
        lines.append(Line("enter", piece.about, {**when, "commands": _shown(piece.enter)}))
    if piece.leave:
        after = {"condition": piece.condition, "seconds": terms.leaving or 0}
        lines.append(Line("exit", piece.about, {**after, "commands": _shown(piece.leave)}))
    return lines


def _of_job(piece: JobPiece) -> Line:
    commands = _shown(piece.commands)
    match piece.clock:
        case Alarms(times, days):
            at = tuple(f"{each:%H:%M}" for each in times)
            return Line("alarm", piece.about, {"days": _days(days), "times": at, "commands": commands})
        case Beat(ms):
            return Line("beat", piece.about, {"seconds": ms // 1_000, "commands": commands})


def _days(days: DayFilter) -> tuple[Phrase, ...]:
    if not isinstance(days, Weekdays):
        return (Phrase("compiling.every_day"),)
    in_order = sorted(days.days, key=lambda day: day or _SUNDAY_LAST)
    return tuple(Phrase(f"compiling.day_{day}") for day in in_order)


def _shown(commands: Sequence[Command]) -> tuple[str, ...]:
    return tuple(each.shown for each in commands)
