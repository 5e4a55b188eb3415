"""The life of an occurrence, as a table, and its name."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from zhixing.kernel.errors import Conflict
from zhixing.tasks import occurrences
from zhixing.tasks.occurrence import OccurrenceState, moved, occurrence_id, reason_text
from zhixing.tasks.schedule.policy import Why

NOW = datetime(2026, 10, 12, 2, tzinfo=UTC)
LATER = NOW + timedelta(minutes=1)
S = OccurrenceState

ALLOWED = {
    (S.DUE, S.CLAIMED),
    (S.DUE, S.SKIPPED),
    (S.DUE, S.MISSED),
    (S.DUE, S.CANCELLED),
    (S.CLAIMED, S.RUNNING),
    (S.CLAIMED, S.DONE),
    (S.CLAIMED, S.FAILED),
    (S.CLAIMED, S.SKIPPED),
    (S.CLAIMED, S.MISSED),
    (S.CLAIMED, S.INTERRUPTED),
    (S.CLAIMED, S.CANCELLED),
    (S.RUNNING, S.DONE),
    (S.RUNNING, S.FAILED),
    (S.RUNNING, S.SKIPPED),
    (S.RUNNING, S.INTERRUPTED),
    (S.RUNNING, S.CANCELLED),
}


@pytest.mark.parametrize(("before", "after"), [*product(S, S)], ids=lambda state: state.value)
def test_a_state_follows_or_is_refused(before: OccurrenceState, after: OccurrenceState):
    occurrence = occurrences.new("t1", "daily", "k", NOW, before, now=NOW)
    if (before, after) not in ALLOWED:
        with pytest.raises(Conflict) as refusal:
            moved(occurrence, after, LATER)
        assert refusal.value.key == "occurrence_cannot"
        assert occurrence.id in str(refusal.value)
        return
    result = moved(occurrence, after, LATER, "overlap")
    assert (result.state, result.reason, result.revision) == (after, "overlap", 2)
    assert result.open == (after in (S.CLAIMED, S.RUNNING))
    assert result.finished_at == (None if result.open else LATER)
    assert result.claimed_at == (LATER if after is S.CLAIMED else occurrence.claimed_at)


def test_an_id_is_short_and_follows_from_what_it_names():
    name = occurrence_id("t1", "daily", "2026-10-12T01:00:00Z")
    assert name == occurrence_id("t1", "daily", "2026-10-12T01:00:00Z")
    assert len(name) == 11
    assert name.startswith("o")
    assert name[1:].isalnum()
    others = {occurrence_id(*parts) for parts in [("t1", "dail", "y"), ("t1d", "ail", "y"), ("t1", "daily", "")]}
    assert len(others | {name}) == 4


@pytest.mark.parametrize(
    "reason", [*(why.value for why in Why), "completed", "deleted", "expired", "removed", "lost", "tick_failed"]
)
def test_every_reason_has_words(reason: str):
    assert reason_text(reason) != reason
    assert reason_text(reason, "en") != reason_text(reason)


def test_a_reason_that_is_a_sentence_stays_one():
    assert reason_text("设备没有应答") == "设备没有应答"
