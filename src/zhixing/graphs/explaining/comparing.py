"""What wires carried in a log, held against what they carried in a run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from zhixing.graphs.explaining.sentences import said, seconds
from zhixing.graphs.logs import LinkLine, Pin
from zhixing.kernel.wording import Language

SAME_MS = 1_000
"""How far apart a line of the log and one of the run may be to be the same."""
NEAR_MS = 60_000
"""How far apart they may be to be one that came at another time."""


class Verdict(StrEnum):
    """What became of a line."""

    SAME = "same"
    MISSING = "missing"
    """The log has it, the run does not."""
    ADDITIONAL = "additional"
    """The run has it, the log does not."""
    OTHER_TIME = "other_time"
    DRIFT = "drift"
    """The rule no longer has the wire."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the log, of the run or of both. Times are in ms by the wall clock, None where there is none."""

    verdict: Verdict
    source: Pin
    target: Pin
    state: bool | None
    logged_ms: int | None
    ran_ms: int | None

    @property
    def at_ms(self) -> int:
        """When it was, by the log if it has it."""
        return self.logged_ms if self.logged_ms is not None else self.ran_ms or 0

    def text(self, start_ms: int, language: Language = "zh") -> str:
        """Say it in one line, with seconds from `start_ms` on."""
        values = {
            "at": seconds(self.at_ms - start_ms),
            "ran": "-" if self.ran_ms is None else seconds(self.ran_ms - start_ms),
            "wire": f"{self.source} → {self.target}",
            "value": "null" if self.state is None else str(self.state).lower(),
        }
        return said(f"graph_explaining.replay_{self.verdict}", language, values)


def compared(logged: Iterable[LinkLine], ran: Iterable[LinkLine], same_ms: int) -> list[Entry]:
    """Pair the lines of each wire and state, in order of time: those close together first, then those near."""
    groups: dict[tuple[Pin, Pin, bool | None], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for side, lines in enumerate((logged, ran)):
        for line in lines:
            groups[line.source, line.target, line.state][side].append(line.at_ms)
    entries: list[Entry] = []
    for (source, target, state), (there, here) in groups.items():
        entries += (Entry(*found[:1], source, target, state, *found[1:]) for found in _paired(there, here, same_ms))
    return sorted(entries, key=lambda entry: entry.at_ms)


def _paired(there: list[int], here: list[int], same_ms: int) -> Iterator[tuple[Verdict, int | None, int | None]]:
    same, there, here = _close(sorted(there), sorted(here), same_ms)
    near, there, here = _close(there, here, max(NEAR_MS, same_ms))
    yield from ((Verdict.SAME, *pair) for pair in same)
    yield from ((Verdict.OTHER_TIME, *pair) for pair in near)
    yield from ((Verdict.MISSING, at, None) for at in there)
    yield from ((Verdict.ADDITIONAL, None, at) for at in here)


def _close(there: list[int], here: list[int], within: int) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Pair times that are at most so far apart, the earliest with the earliest; return the pairs and what is left."""
    pairs, left, right = [], [], []
    one = other = 0
    while one < len(there) and other < len(here):
        if abs(there[one] - here[other]) <= within:
            pairs.append((there[one], here[other]))
            one, other = one + 1, other + 1
        elif there[one] < here[other]:
            left.append(there[one])
            one += 1
        else:
            right.append(here[other])
            other += 1
    return pairs, left + there[one:], right + here[other:]
