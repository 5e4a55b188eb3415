"""What lives in a home with household tasks leave behind, and how to compare it."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.chaos.householder import BEGIN, LAMP

from zhixing.kernel.moments import from_micros, parse_instant
from zhixing.store.opening import open_store
from zhixing.tasks.rules import store as rules


class Traces:
    """What lives leave: the database, and a log."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.log = folder / "lives.log"
        self.log.touch()

    def lines(self, beginning: str) -> list[str]:
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return [line.removeprefix(beginning) for line in lines if line.startswith(beginning)]

    def next_act(self) -> int:
        return int((self.lines("did ") or ["-1"])[-1]) + 1

    def found(self) -> dict[str, Any]:
        """Return all that anybody can find of the days of the home."""
        with closing(open_store(self.url)) as store, store.read() as tx:
            return {
                "answers": sorted(
                    f"{part} {named(key)} {state} {reason or ''}".rstrip()
                    for part, key, state, reason in tx.rows("SELECT part, key, state, reason FROM occurrences")
                ),
                "due": sorted((part, second(due)) for part, due in tx.rows("SELECT part, due FROM occurrences")),
                "steps": sorted(
                    f"{part} {named(key)} {number} {did} {state}"
                    for part, key, number, did, state in tx.rows(
                        "SELECT part, key, number, did, household_steps.state FROM household_steps"
                        " JOIN occurrences ON occurrences.id = occurrence_id"
                    )
                ),
                "commands": tx.rows("SELECT did, iid, vals FROM virtual_happenings ORDER BY number"),
                "lamp": tx.rows("SELECT value FROM virtual_values WHERE did = ?", (LAMP,)),
                "sessions": [
                    (second(start), second(end))
                    for start, end in tx.rows("SELECT start_at, end_at FROM record_sessions ORDER BY start_at")
                ],
                "amounts": sorted(tx.rows("SELECT kind, amount FROM record_days JOIN records ON id = record_id")),
                "reached": sorted(
                    (kind, second(at))
                    for kind, at in tx.rows("SELECT kind, at FROM record_reached JOIN records ON id = record_id")
                ),
                "writes": sorted(tx.rows("SELECT action, at FROM record_writes")),
                "letters": sorted(tx.rows("SELECT channel, text, state FROM messages")),
                "told": Counter(" ".join(line.split()[::2]) for line in self.lines("told ")),
                "tasks": sorted(tx.rows("SELECT id, status, revision FROM tasks")),
                "rules": sorted(tx.rows("SELECT id, revision, stopped_by, plan FROM rules"), key=str),
                "revisions": tx.rows("SELECT task_id, number, kind, changes FROM household_revisions ORDER BY 1, 2"),
                "ends": tx.rows("SELECT slug, reason, record_kind, rules FROM terminations"),
                "states": [row.state.phase for row in rules.living(tx)[1]],
                "left to do": sorted(tx.rows("SELECT name FROM jobs WHERE state IN ('pending', 'running')")),
            }


def named(key: str) -> str:
    """Return the key of an answer as the second that it names."""
    return f"{(parse_instant(key) - BEGIN).total_seconds():g}"


def second(at: int | None) -> float | None:
    """Return an instant in seconds since the beginning."""
    return None if at is None else (from_micros(at) - BEGIN).total_seconds()
