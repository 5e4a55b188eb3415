"""What `ingest` tells of the verdicts it was given, and what perception is asked to judge."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a batch of verdicts, in numbers.

    `changed` verdicts changed what is known of a condition beyond when its source was last heard; `fired` is how many
    answers became due. `unheard`: nobody watches that; `stale`: older than what the source has said since, or an event
    that was taken before; `future`: more than a minute ahead of the clock.
    """

    fired: int = 0
    changed: int = 0
    unheard: int = 0
    stale: int = 0
    future: int = 0


@dataclass(frozen=True, slots=True)
class Asked:
    """Something to be judged: `query`, by each of `sources` (empty: by every camera in use), for the rules named."""

    query: str
    sources: tuple[str, ...]
    rule_ids: tuple[str, ...]
