from __future__ import annotations

from zhixing.tasks.rules.hearing import SECOND, Heard, Lapse, after_lapse, hear, next_lapse
from zhixing.world.perception.verdict import Value

EXPIRY = 180 * SECOND


def heard(*values: Value) -> Heard:
    found: Heard | None = None
    for number, value in enumerate(values):
        found = hear(found, value, number * SECOND, firm=False, lasting=False)
    assert found is not None
    return found


def test_a_doubt_behind_an_unknown_that_proves_right_is_known() -> None:
    """A camera that shows one picture and falls silent: its last word counts until it expires."""
    before = heard(Value.TRUE, Value.TRUE, Value.UNKNOWN, Value.FALSE)
    at, lapse = next_lapse(before, EXPIRY) or (0, None)
    assert (at, lapse) == (13 * SECOND, Lapse.DOUBT_HOLDS)
    after = after_lapse(before, Lapse.DOUBT_HOLDS, at)
    assert (after.known, after.since, after.unknown_since) == (False, 2 * SECOND, None)
    assert next_lapse(after, EXPIRY) == (183 * SECOND, Lapse.SILENCE)


def test_an_unknown_behind_a_doubt_stays_unknown() -> None:
    before = heard(Value.TRUE, Value.TRUE, Value.FALSE, Value.UNKNOWN)
    after = after_lapse(before, Lapse.DOUBT_HOLDS, 12 * SECOND)
    assert (after.known, after.unknown_since) == (False, 3 * SECOND)
