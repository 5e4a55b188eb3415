"""What programs give and get about perception: conditions to be judged, verdicts, and what was done with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from zhixing.household.watching.poller import Glance
from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.kernel.wording import wording
from zhixing.tasks.rules.operations import Rules
from zhixing.tasks.rules.tally import Asked, Taken
from zhixing.world.perception.reading import read_verdict
from zhixing.world.perception.verdict import Value, Verdict

Wire = dict[str, Any]

MOST_AT_ONCE = 1_000
"""Verdicts of one transaction."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What was done with verdicts."""

    taken: int = 0
    fired: int = 0
    changed: int = 0
    unheard: int = 0
    stale: int = 0
    future: int = 0

    def and_of(self, count: int, taken: Taken) -> Counts:
        """Add what was done with `count` more."""
        return Counts(
            self.taken + count,
            self.fired + taken.fired,
            self.changed + taken.changed,
            self.unheard + taken.unheard,
            self.stale + taken.stale,
            self.future + taken.future,
        )


def read_one(said: object) -> Verdict:
    """Read one verdict. Raises `BadInput`."""
    if not isinstance(said, dict):
        raise BadInput("body_no_object")
    return read_verdict(said)


def read_many(said: list[object]) -> list[Verdict]:
    """Read a list of verdicts; raise `BadInput` that says which one is wrong, counted from 1."""
    if len(said) > MOST_AT_ONCE:
        raise TooLarge("lines_many", limit=MOST_AT_ONCE)
    verdicts = []
    for number, each in enumerate(said, start=1):
        place = wording("faces.verdict_place", number=number)
        if not isinstance(each, dict):
            raise BadInput("verdict_line_broken", place=place)
        try:
            verdicts.append(read_verdict(each))
        except BadInput as error:
            raise BadInput(error.key, **{**error.values, "place": place}) from error
    return verdicts


def take(rules: Rules, verdicts: Sequence[Verdict]) -> Counts:
    """Hand verdicts on, however many, in order; return what was done with them."""
    counts = Counts()
    for start in range(0, len(verdicts), MOST_AT_ONCE):
        part = verdicts[start : start + MOST_AT_ONCE]
        counts = counts.and_of(len(part), rules.ingest(part))
    return counts


def of_counts(counts: Counts) -> Wire:
    """Write what was done with verdicts."""
    return asdict(counts)


def of_asked(asked: Asked) -> Wire:
    """Write one condition that has to be judged."""
    return {"condition": asked.query, "sources": list(asked.sources), "rules": list(asked.rule_ids)}


def of_glance(did: str, glance: Glance) -> Wire:
    """Write what a camera shows, and what a model makes of it."""
    snapshot = glance.snapshot
    return {
        "did": did,
        "takenAt": snapshot.taken_at.isoformat(),
        "mediaType": snapshot.media_type,
        "bytes": len(snapshot.data),
        "judgements": [
            {"condition": query, "value": _VALUES[said.value], "reason": said.reason}
            for query, said in glance.judgements.items()
        ],
    }


_VALUES = {Value.TRUE: True, Value.FALSE: False, Value.UNKNOWN: None}
